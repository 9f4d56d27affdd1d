"""Search beside ahocorasick_rs, pyahocorasick, stringzilla and Hyperscan: the same text, every hit compared.

Each peer is asked for what it has to offer: all overlapping hits of a set of literals. stringzilla finds one pattern at
a time, and so is asked pattern by pattern. Peers run on one core, and so do we unless said.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import ahocorasick
import ahocorasick_rs
import hyperscan
import numpy as np
import stringzilla

from core.base.arrays import Letters, freeze
from core.jobs.choices import Device
from core.jobs.hits import Hits
from core.jobs.search import SearchJob
from core.run.runner import run_job
from core.sequences.letter_rules import LetterRule
from core.sequences.pattern_list import Pattern
from core.system.machine import cores
from tests.bench import bwt_texts
from tests.bench.measure import Timing, in_turn

PEERS = ("ahocorasick_rs", "pyahocorasick", "stringzilla", "hyperscan")
ONE_CORE = "one core"
QUICK, WHOLE = 64 << 20, 512 << 20  # letters; the paper's text has 512 MB
WORDS = (b"director", b"Americans", b"adventure", b"Bolshevism", b"class", b"ridden", b"think", b"workingmen")
FREQUENT = (b"return", b"import", b"lambda", b"Exception", b"assert", b"string", b"None", b"class")
RARE = (b"quicksort", b"Bolshevism", b"hyperscan", b"metamorph", b"zymotic", b"adventure", b"workingmen", b"Damerau")
FAST = ("ahocorasick_rs", "stringzilla", "hyperscan")
MANY_HITS_QUICK, MANY_HITS_WHOLE = 20_000_000, 100_000_000  # letters
_LOG_RANGES = ((1, 32), (0, 60), (0, 60), (0, 5), (0, 4), (0, 4), (0, 6), (0, 1000))
REPEAT_LETTERS = 300
VOCABULARY_LETTERS = 20_000_000  # of which words are counted
_MATCHED = (0, 5, 10, 15, 19)  # letters of each pattern that match in Figure 6
Pairs = Iterable[tuple[int, int]]  # pattern, end
Call = Callable[[], Hits | Pairs]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; ``peers`` that were asked, in their own order."""

    what: str
    letters: int
    ours: Timing
    peers: dict[str, Timing] = field(default_factory=dict)
    note: str = ""

    @property
    def agrees(self) -> bool | None:
        return all(one.answer == self.ours.answer for one in self.peers.values()) if self.peers else None

    def gbps(self, timing: Timing) -> float:
        return 8 * self.letters / timing.best / 1e9

    @property
    def winner(self) -> str:
        return min({"ours": self.ours, **self.peers}.items(), key=lambda one: one[1].best)[0]


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


def peers(text: Letters, patterns: list[bytes]) -> dict[str, Call]:
    """Return the calls of all peers; building their automata is not timed, as ours is."""
    data = text.tobytes()
    rust = ahocorasick_rs.BytesAhoCorasick(patterns)
    trie = ahocorasick.Automaton()
    for k, one in enumerate(patterns):
        trie.add_word(one.decode("latin-1"), k)
    trie.make_automaton()
    string = data.decode("latin-1")
    database = hyperscan.Database()
    database.compile(expressions=patterns, ids=list(range(len(patterns))), elements=len(patterns), literal=True)
    fast = stringzilla.Str(data)

    def with_hyperscan() -> Pairs:
        found: list[tuple[int, int]] = []
        database.scan(data, match_event_handler=lambda k, start, end, flags, context: found.append((k, end)))
        return found

    def with_stringzilla() -> Pairs:
        found = []
        for k, one in enumerate(patterns):
            at = fast.find(one)
            while at >= 0:
                found.append((k, at + len(one)))
                at = fast.find(one, at + 1)
        return found

    return {
        "ahocorasick_rs": lambda: [(k, end) for k, _, end in rust.find_matches_as_indexes(data, overlapping=True)],
        "pyahocorasick": lambda: [(k, last + 1) for last, k in trie.iter(string)],
        "stringzilla": with_stringzilla,
        "hyperscan": with_hyperscan,
    }


def measured(
    what: str,
    text: Letters,
    patterns: list[bytes],
    *,
    beside: bool = True,
    only: Iterable[str] = PEERS,
    **choices: object,
) -> Row:
    asked = {name: call for name, call in peers(text, patterns).items() if name in only} if beside else {}
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


def many_hits(n: int) -> Iterator[Row]:
    """Texts of every day, in which there are hits by the hundred thousand, or hardly any."""
    python = bwt_texts.sources(n)
    automata = ("ahocorasick_rs", "hyperscan")  # stringzilla takes the text a thousand times
    yield measured("Python sources, 8 frequent words", python, list(FREQUENT), only=FAST)
    yield measured("Python sources, 8 rare words", python, list(RARE), only=FAST)
    yield measured("Python sources, 1,000 words", python, vocabulary(python, 1000), only=automata)
    yield measured("log lines, 4 words", log(n), [b"ERROR", b"timeout", b"user=alice", b"status=503"], only=FAST)
    text, copies = families(n)
    yield measured("DNA with families of repeats, 32 patterns of 20", text, copies, only=FAST)
    yield measured("the same, one pattern of 8", text, [b"ACGTACCA"], only=FAST)


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


def families(n: int) -> tuple[Letters, list[bytes]]:
    """Return ``n`` nucleotides, some of them diverged copies of eight repeats, and stretches of these."""
    rng = np.random.default_rng(5)
    text = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, n, dtype=np.uint8)]
    repeats = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, (8, REPEAT_LETTERS))]
    for at in rng.integers(0, n - REPEAT_LETTERS, n // (4 * REPEAT_LETTERS)).tolist():
        kept = rng.random(REPEAT_LETTERS) >= rng.choice([0.02, 0.05, 0.1])
        text[at : at + REPEAT_LETTERS][kept] = repeats[at % 8][kept]
    return freeze(text), [repeats[k % 8, 20 * (k // 8) :][:20].tobytes() for k in range(32)]


def figure_6(n: int, quick: bool) -> Iterator[Row]:
    """Kusudo's Figure 6: abcdefghij over and over, ten patterns of 20 of which the first (or last) letters match."""
    base = b"abcdefghij"
    text = freeze(np.tile(np.frombuffer(base, np.uint8), n // 10))
    for side in ("front", "end"):
        for matched in _MATCHED:
            patterns = []
            for k in range(10):
                same = (base * 3)[k : k + 20]
                cut = matched if side == "front" else 20 - matched
                parts = same[:cut], same[cut:]
                patterns.append(parts[0] + parts[1].upper() if side == "front" else parts[0].upper() + parts[1])
            beside = not quick or matched in (0, 19)
            yield measured(f"Fig. 6, {matched:2} of 20 match at the {side}", text, patterns, beside=beside)
    yield from on_two_cores("Fig. 6, 19 of 20 match at the end", text, patterns)


def on_two_cores(what: str, text: Letters, patterns: list[bytes]) -> Iterator[Row]:
    """Measure one core and then two, each often, as neighbours on the machine disturb two cores more than one.

    Not in turn: a core that rests while the other one works is slow for some milliseconds after.
    """
    if cores() > 1:
        one, two = (timed([ours(text, patterns, threads=threads)], at_least=40)[0] for threads in (1, 2))
        faster = f"{one.best / two.best:.2f}x of one core"
        yield Row(f"{what}, 2 cores", text.size, two, {ONE_CORE: one}, faster)


def nucleotides(n: int) -> Iterator[Row]:
    rng = np.random.default_rng(3)
    text = freeze(np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, n, dtype=np.uint8)])
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
    for errors in (1, 2, 4, 8):
        for edits in (False, True):
            kind = "edits" if edits else "mismatches"
            what = f"random DNA, 8 patterns of 26-28, {errors} {kind}"
            yield measured(what, short, few, beside=False, errors=errors, edits=edits, **codes)


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
