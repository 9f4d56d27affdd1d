"""Search beside ahocorasick_rs, pyahocorasick, stringzilla and Hyperscan: the same text, every hit compared.

Each peer is asked for what it has to offer: all overlapping hits of a set of literals. stringzilla finds one pattern at
a time, and so is asked pattern by pattern. Peers run on one core, and so do we unless said.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import ahocorasick
import ahocorasick_rs
import hyperscan
import numpy as np
import stringzilla

from core.arrays import Letters, freeze
from core.jobs.search import SearchJob
from core.run.runner import run_job
from core.sequences.letter_rules import LetterRule
from core.sequences.pattern_list import Pattern
from core.system.machine import cores
from tests.bench.measure import Timing, in_turn

PEERS = ("ahocorasick_rs", "pyahocorasick", "stringzilla", "hyperscan")
ONE_CORE = "one core"
QUICK, WHOLE = 64 << 20, 512 << 20  # letters; the paper's text has 512 MB
WORDS = (b"director", b"Americans", b"adventure", b"Bolshevism", b"class", b"ridden", b"think", b"workingmen")
_MATCHED = (0, 5, 10, 15, 19)  # letters of each pattern that match in Figure 6
Call = Callable[[], int]
Pairs = Iterable[tuple[int, int]]  # pattern, end


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


def digest(pairs: Pairs) -> int:
    """Return a number that two lists of hits share only when they are the same, in whatever order."""
    return zlib.crc32(repr(sorted(pairs)).encode())


def ours(text: Letters, patterns: list[bytes], threads: int = 1, **choices: object) -> Call:
    given = tuple(Pattern(one, "") for one in patterns)

    def call() -> int:
        job = SearchJob(text=text, patterns=given, threads=threads, **choices)  # type: ignore[arg-type]
        hits = run_job(job).hits
        return digest(zip(hits.pattern.tolist(), hits.end.tolist(), strict=True))

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

    def with_hyperscan() -> int:
        found: list[tuple[int, int]] = []
        database.scan(data, match_event_handler=lambda k, start, end, flags, context: found.append((k, end)))
        return digest(found)

    def with_stringzilla() -> int:
        found = []
        for k, one in enumerate(patterns):
            at = fast.find(one)
            while at >= 0:
                found.append((k, at + len(one)))
                at = fast.find(one, at + 1)
        return digest(found)

    return {
        "ahocorasick_rs": lambda: digest(
            (k, end) for k, _, end in rust.find_matches_as_indexes(data, overlapping=True)
        ),
        "pyahocorasick": lambda: digest((k, last + 1) for last, k in trie.iter(string)),
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
    (mine,) = in_turn([ours(text, patterns, **choices)], at_least=5)  # type: ignore[arg-type]
    others = {name: in_turn([call], at_least=1, warm=False)[0] for name, call in asked.items()}
    return Row(what, text.size, mine, others)


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line."""
    n = QUICK if quick else WHOLE
    yield from figure_6(n, quick)
    yield from nucleotides(n)
    english = words(n)
    yield measured("8 English words", english, list(WORDS))
    yield from on_two_cores("8 English words", english, list(WORDS))


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
        one, two = (in_turn([ours(text, patterns, threads=threads)], at_least=40)[0] for threads in (1, 2))
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
