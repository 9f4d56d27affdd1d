"""Search beside ahocorasick_rs, pyahocorasick, stringzilla and Hyperscan: the same text, every hit compared.

Each peer is asked for what it has to offer: all overlapping hits of a set of literals. stringzilla finds one pattern at
a time, and so is asked pattern by pattern. Peers run on one core, and so do we unless said.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from importlib.util import find_spec

import numpy as np

from wavediff.core.base.arrays import Letters, freeze
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.core.system.machine import cores
from wavediff.tests.bench import bwt_texts
from wavediff.tests.bench.measure import Timing, in_turn
from wavediff.tests.bench.table import Row

EXACT = ("ahocorasick_rs", "pyahocorasick", "stringzilla", "hyperscan")
PEERS = (*EXACT, "sassy")
MODULES = {"pyahocorasick": "ahocorasick"}
ONE_CORE = "one core"
QUICK, WHOLE = 64 << 20, 512 << 20  # letters; the paper's text has 512 MB
WORDS = (b"director", b"Americans", b"adventure", b"Bolshevism", b"class", b"ridden", b"think", b"workingmen")
FREQUENT = (b"return", b"import", b"lambda", b"Exception", b"assert", b"string", b"None", b"class")
LOG_WORDS = (b"ERROR", b"timeout", b"user=alice", b"status=503")
RARE = (b"quicksort", b"Bolshevism", b"hyperscan", b"metamorph", b"zymotic", b"adventure", b"workingmen", b"Damerau")
FAST = ("ahocorasick_rs", "stringzilla", "hyperscan")
MANY_HITS_QUICK, MANY_HITS_WHOLE = 20_000_000, 100_000_000  # letters
_LOG_RANGES = ((1, 32), (0, 60), (0, 60), (0, 5), (0, 4), (0, 4), (0, 6), (0, 1000))
VOCABULARY_LETTERS = 20_000_000  # of which words are counted
_MATCHED = (0, 5, 10, 15, 19)  # letters of each pattern that match in Figure 6
Pairs = Iterable[tuple[int, int]]  # pattern, end
Call = Callable[[], Hits | Pairs]


def digest(found: Hits | Pairs) -> int:
    """Return a number that two lists of hits share only when they are the same, in whatever order."""
    if isinstance(found, Hits):
        pattern, end = found.pattern.astype(np.int64), found.end
    else:
        pattern, end = np.array(list(found), np.int64).reshape(-1, 2).T
    return zlib.crc32(np.sort(pattern << 40 | end).tobytes())


def timed(calls: list[Call], at_least: int, *, warm: bool = True) -> list[Timing]:
    """Time the calls in turn; what they found is compared after, so that this takes no part."""
    return [replace(one, answer=digest(one.answer)) for one in in_turn(calls, at_least, warm=warm)]


def ours(text: Letters, patterns: list[bytes], threads: int = 1, **choices: object) -> Call:
    given = tuple(Pattern(one, "") for one in patterns)

    def call() -> Hits:
        job = SearchJob(text=text, patterns=given, threads=threads, **choices)  # type: ignore[arg-type]
        hits: Hits = run_job(job, device=Device.CPU).hits
        return hits

    return call


def peers(text: Letters, patterns: list[bytes], only: Iterable[str] = EXACT) -> dict[str, Call]:
    """Return the calls of those that are installed; building their automata is not timed, as ours is."""
    data = text.tobytes()
    return {name: _PREPARED[name](data, patterns) for name in only if find_spec(MODULES.get(name, name)) is not None}


def _ahocorasick_rs(data: bytes, patterns: list[bytes]) -> Call:
    import ahocorasick_rs

    rust = ahocorasick_rs.BytesAhoCorasick(patterns)
    return lambda: [(k, end) for k, _, end in rust.find_matches_as_indexes(data, overlapping=True)]


def _pyahocorasick(data: bytes, patterns: list[bytes]) -> Call:
    import ahocorasick

    trie, string = ahocorasick.Automaton(), data.decode("latin-1")
    for k, one in enumerate(patterns):
        trie.add_word(one.decode("latin-1"), k)
    trie.make_automaton()
    return lambda: [(k, last + 1) for last, k in trie.iter(string)]


def _stringzilla(data: bytes, patterns: list[bytes]) -> Call:
    import stringzilla

    fast = stringzilla.Str(data)

    def call() -> Pairs:
        found = []
        for k, one in enumerate(patterns):
            at = fast.find(one)
            while at >= 0:
                found.append((k, at + len(one)))
                at = fast.find(one, at + 1)
        return found

    return call


def _hyperscan(data: bytes, patterns: list[bytes]) -> Call:
    import hyperscan

    database = hyperscan.Database()
    database.compile(expressions=patterns, ids=list(range(len(patterns))), elements=len(patterns), literal=True)

    def call() -> Pairs:
        found: list[tuple[int, int]] = []
        database.scan(data, match_event_handler=lambda k, start, end, flags, context: found.append((k, end)))
        return found

    return call


_PREPARED = {
    "ahocorasick_rs": _ahocorasick_rs, "pyahocorasick": _pyahocorasick, "stringzilla": _stringzilla,
    "hyperscan": _hyperscan,
}  # fmt: skip


def measured(
    what: str,
    text: Letters,
    patterns: list[bytes],
    *,
    beside: bool = True,
    only: Iterable[str] = EXACT,
    **choices: object,
) -> Row:
    asked = peers(text, patterns, only) if beside else {}
    (mine,) = timed([ours(text, patterns, **choices)], at_least=5)  # type: ignore[arg-type]
    others = {name: timed([call], at_least=1, warm=False)[0] for name, call in asked.items()}
    return Row(what, text.size, mine, others)


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line."""
    n = QUICK if quick else WHOLE
    yield from figure_6(n, quick)
    yield from nucleotides(n)
    english = words(n)
    yield measured("8 English words", english, list(WORDS))
    yield from on_two_cores("8 English words", english, list(WORDS))
    yield from many_hits(MANY_HITS_QUICK if quick else MANY_HITS_WHOLE)


def many_hits(n: int, threads: int = 1) -> Iterator[Row]:
    """Texts of every day, in which there are hits by the hundred thousand, or hardly any."""
    asked = partial(measured, threads=threads)
    python = bwt_texts.sources(n)
    automata = ("ahocorasick_rs", "hyperscan")  # stringzilla takes the text a thousand times
    yield asked("Python sources, 8 frequent words", python, list(FREQUENT), only=FAST)
    yield asked("Python sources, 8 rare words", python, list(RARE), only=FAST)
    yield asked("Python sources, ()", python, [b"()"], only=FAST)
    yield asked("Python sources, 32 words", python, vocabulary(python, 2400)[64::73], only=FAST)
    yield asked("headers and JSON, 8 rare words", bwt_texts.headers(n), list(RARE), only=FAST)
    yield asked("Python sources, 1,000 words", python, vocabulary(python, 1000), only=automata)
    yield asked("log lines, 4 words", log(n), list(LOG_WORDS), only=FAST)
    text, copies = bwt_texts.families(n)
    yield asked("DNA with families of repeats, 32 patterns of 20", text, copies, only=FAST)
    yield asked("the same, one pattern of 8", text, [b"ACGTACCA"], only=FAST)


def vocabulary(text: Letters, n: int) -> list[bytes]:
    """Return ``n`` words of 5 to 12 letters of ``text``, every sixth of the most frequent ones."""
    found = Counter(re.findall(rb"[A-Za-z_]{5,12}", text[:VOCABULARY_LETTERS].tobytes()))
    return sorted(found, key=lambda word: (-found[word], word))[: 6 * n : 6]


def log(n: int) -> Letters:
    """Return ``n`` letters of lines such as a web server writes."""
    rng = np.random.default_rng(4)
    users, paths = ("alice", "bob", "carol", "dave"), ("/", "/index.html", "/api/v1/items", "/static/app.js")
    levels, states = ("INFO", "INFO", "INFO", "WARNING", "ERROR"), (200, 200, 200, 304, 404, 503)
    lines = [
        f"2026-03-{day:02} 12:{minute:02}:{second:02} {levels[level]} user={users[user]} GET {paths[path]}"
        f" status={states[state]} {'timeout' if ms > 990 else 'done'} after {ms} ms\n"
        for day, minute, second, level, user, path, state, ms in zip(
            *(rng.integers(low, high, 1 << 16).tolist() for low, high in _LOG_RANGES), strict=True
        )
    ]
    return freeze(np.resize(np.frombuffer("".join(lines).encode(), np.uint8), n))


def figure_6(n: int, quick: bool) -> Iterator[Row]:
    for side in ("front", "end"):
        for matched in _MATCHED:
            beside = not quick or matched in (0, 19)
            text, patterns = figure_6_input(n, side, matched)
            yield measured(f"Fig. 6, {matched:2} of 20 match at the {side}", text, patterns, beside=beside)
    yield from on_two_cores("Fig. 6, 19 of 20 match at the end", text, patterns)


def figure_6_input(n: int, side: str, matched: int) -> tuple[Letters, list[bytes]]:
    """Kusudo's Figure 6: abcdefghij over and over, ten patterns of 20 of which the first (or last) letters match."""
    base = b"abcdefghij"
    patterns = []
    for k in range(10):
        same = (base * 3)[k : k + 20]
        cut = matched if side == "front" else 20 - matched
        parts = same[:cut], same[cut:]
        patterns.append(parts[0] + parts[1].upper() if side == "front" else parts[0].upper() + parts[1])
    return freeze(np.tile(np.frombuffer(base, np.uint8), n // 10)), patterns


def on_two_cores(what: str, text: Letters, patterns: list[bytes]) -> Iterator[Row]:
    """Measure one core and then two, each often, as neighbours on the machine disturb two cores more than one.

    Not in turn: a core that rests while the other one works is slow for some milliseconds after.
    """
    if cores() > 1:
        one, two = (timed([ours(text, patterns, threads=threads)], at_least=40)[0] for threads in (1, 2))
        faster = f"{one.best / two.best:.2f}x of one core"
        yield Row(f"{what}, 2 cores", text.size, two, {ONE_CORE: one}, faster)


def _nucleotide_text(n: int) -> Letters:
    return freeze(np.frombuffer(b"ACGT", np.uint8)[np.random.default_rng(3).integers(0, 4, n, dtype=np.uint8)])


def nucleotides(n: int) -> Iterator[Row]:
    text = _nucleotide_text(n)
    few = [text[k << 16 : (k << 16) + 26 + k % 3].tobytes() for k in range(8)]
    many = [text[k << 16 : (k << 16) + 20 + k % 9].tobytes() for k in range(32)]
    yield measured("random DNA, 8 patterns of 26-28", text, few)
    yield from on_two_cores("random DNA, 8 patterns of 26-28", text, few)
    yield measured("random DNA, 32 patterns of 20-28", text, many)
    yield from on_two_cores("random DNA, 32 patterns of 20-28", text, many)
    codes = {"rule": LetterRule.NUCLEOTIDE, "fold_case": True}
    primers = [text[k << 14 : (k << 14) + 18 + k % 8].tobytes() for k in range(1000)]
    automata = ("ahocorasick_rs", "pyahocorasick", "hyperscan")  # stringzilla takes the text a thousand times
    yield measured("random DNA, 1,000 primers", text, primers, only=automata)
    yield measured("random DNA, 1,000 primers, both strands", text, primers, beside=False, both_strands=True, **codes)
    short = text[: n // 8]
    yield with_edits(len(short))
    for errors in (1, 2, 4, 8):
        for edits in (False, True):
            kind = "edits" if edits else "mismatches"
            what = f"random DNA, 8 patterns of 26-28, {errors} {kind}"
            yield measured(what, short, few, beside=False, errors=errors, edits=edits, **codes)


def with_edits(n: int, threads: int = 1, errors: int = 2) -> Row:
    """Every place where a stretch of so few edits can end, beside sassy where it is installed."""
    text = _nucleotide_text(n)
    data, patterns = text.tobytes(), [text[k << 14 : (k << 14) + 26 + k % 3].tobytes() for k in range(8)]
    row = measured(
        f"random DNA, 8 patterns of 26-28, {errors} edits, beside sassy", text, patterns, beside=False, threads=threads,
        errors=errors, edits=True,
    )  # fmt: skip
    if find_spec("sassy") is None:
        return row
    import sassy

    searcher = sassy.Searcher("dna", rc=False)

    def call() -> Pairs:
        return [(k, one.text_end) for k, each in enumerate(patterns) for one in searcher.search_all(each, data, errors)]

    return replace(row, peers={"sassy": timed([call], at_least=1)[0]})


def words(n: int) -> Letters:
    """Return ``n`` letters like English: words by Zipf's law, their letters by frequency, and ours among them."""
    rng = np.random.default_rng(8)
    share = np.array(
        [82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20, 1]
    )
    letters = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz", np.uint8)
    vocabulary = [bytes(rng.choice(letters, size, p=share / share.sum())) for size in rng.integers(2, 11, 4000)]
    vocabulary[500:3996:437] = WORDS
    chance = 1 / np.arange(1, len(vocabulary) + 1)
    piece = b" ".join(vocabulary[k] for k in rng.choice(len(vocabulary), 1 << 20, p=chance / chance.sum()))
    return freeze(np.resize(np.frombuffer(piece, np.uint8), n))
