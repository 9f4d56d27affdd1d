"""Narrow band with a proof: leaving it costs more than the seeds allow.

A path that does not pass straight through a seed of A has an edit in it. Seeds do not overlap, so each missed seed
costs one edit. A seed that occurs in B on no diagonal within reach costs every path an edit. A path that leaves the
diagonals of the other seeds pays for two gaps, and for each seed until it returns. With scattered changes most edits
are such broken seeds, so few are left for a detour: for DNA with 1 % changes the band is a sixth as wide as that of
Ukkonen (1985), who counts the gaps only. The lower bound is the seed heuristic (Ivanov, Bichsel and Vechev 2022),
sharpened by the gaps between matched seeds (``chain``), so that it also holds for the LCS, where a changed letter costs
two. Its use for a band of blocks is ours.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from math import ceil, log
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, LetterType
from wavediff.core.jit.decorators import jit, jit_callee_no_nrt
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.blocks.method_dispatch import LCS_SIGNS
from wavediff.core.kernels.pairwise.estimate import PRIME, UNSEEN, ukkonen_band
from wavediff.core.kernels.pairwise.seeds.chain import (
    BEFORE,
    BROKEN,
    DIAGONAL,
    FIRST,
    LAST,
    Diagonals,
    chain,
    least_margin,
)
from wavediff.core.kernels.traceback.parallel import map_ranges

MAX_SEED_COPIES = 8  # seeds of the same letters; more say nothing
NEIGHBOURS, TRIMMED = 64, 3  # seeds; so many diagonals of them are left out on each side, as met by chance
DIAGONALS_PER_CHANCE_HIT = 200  # a seed occurs by chance on one of so many diagonals within reach
SAFETY_SHARE = 0.03  # of the edits; a band a little too wide costs less than one that is computed twice
MIN_LOOKUP_ROWS, MIN_SHARED_LETTERS = 1 << 16, 1 << 18  # rows of A per search; letters of B from which threads share it
LOOKUP_LETTER_SECONDS = 8e-9  # seconds in which a thread looks for a letter of B
CACHED_DIAGONALS = 60_000  # diagonals whose seeds a core has at hand; of more it takes longer
KEY_BITS = 64
MAX_EDITS_PER_CHANGE = 2  # edits of a letter that is changed
CHAIN_LOOKBACK = 64  # see ``chain``
KEY = "seed band"


@dataclass(frozen=True, slots=True, eq=False)
class SeedBand:
    """Diagonals of paths with at most ``reach`` edits.

    Attributes:
        low, high: range of the seeds' diagonals, including both ends of the matrix.
        reach: maximum edits of the proof.
        broken, n_seeds: seeds that cost every path an edit, and all informative seeds.
        runs: of matched seeds, see ``chain``.
        length: letters of a seed.
        parity: insertions and deletions only; a changed letter costs two.
    """

    low: int
    high: int
    reach: int
    broken: int
    n_seeds: int
    runs: Counts
    length: int
    parity: bool

    @property
    def least(self) -> int:
        """Lower bound of the cost of every path."""
        return int(self.runs[BEFORE, -1])

    def course(self) -> tuple[Counts, Counts]:
        """Return first row and diagonal of each run of matched seeds; isolated seeds, perhaps random, are left out."""
        several = self.runs[LAST] > self.runs[FIRST]
        return self.runs[FIRST, several] * self.length, self.runs[DIAGONAL, several]

    def likely(self, n: int) -> int:
        """Return an upper estimate of the edits in ``n`` letters, if spread evenly."""
        if self.broken == self.n_seeds:
            return self.reach
        share = 1 - (1 - self.broken / self.n_seeds) ** (1 / self.length)
        edits = n * share * self._each() * (1 + UNSEEN / self.length) + self._long_gaps()
        return int(max(edits, self.least) * (1 + SAFETY_SHARE))

    def _each(self) -> float:
        """Return the average edits per change, from changes that break one seed."""
        apart = np.abs(np.diff(self.runs[DIAGONAL]))[1:-1]
        alone = (self.runs[FIRST, 1:] - self.runs[LAST, :-1])[1:-1] == 2
        few = apart[alone & (apart <= MAX_EDITS_PER_CHANGE)]
        if not few.size:
            return MAX_EDITS_PER_CHANGE if self.parity else 1
        return float(np.where(few == 1, 1, MAX_EDITS_PER_CHANGE).mean()) if self.parity else 1.0

    def _long_gaps(self) -> int:
        """Return the letters of gaps that missed seeds do not explain; isolated seeds, perhaps random, are left out."""
        runs = self.runs[:, self.runs[LAST] > self.runs[FIRST]]
        apart, missed = np.abs(np.diff(runs[DIAGONAL])), runs[FIRST, 1:] - runs[LAST, :-1] - 1
        return int(np.maximum(apart - np.maximum(missed, MAX_EDITS_PER_CHANGE), 0).sum())

    def margin(self, edits: int) -> int:
        """Return how far paths with up to ``edits`` edits (at most ``reach``) may leave ``low`` and ``high``."""
        if edits > self.reach:
            raise ValueError(f"seeds were searched within {self.reach:,} edits, not {edits:,}")
        return int(least_margin(self.runs, edits))


def seed_length(reach: int, n_codes: int) -> int:
    """Return the length of a seed that rarely matches by chance on ``reach`` diagonals."""
    code_bits = max(1, (n_codes - 1).bit_length())
    unlikely = ceil(log(DIAGONALS_PER_CHANCE_HIT * max(reach, 2)) / log(max(n_codes, 2)))
    return max(1, min(unlikely, KEY_BITS // code_bits))


def seed_band(
    step: Step, a: Letters, b: Letters, n_codes: int, n_delta_bits: int, reach: int, threads: int
) -> Generator[Event, None, SeedBand]:
    """Search all seeds of ``a`` in ``b`` (codes) on the diagonals within ``reach`` edits.

    Args:
        n_codes: of both together; letters of only one sequence may share a code, which weakens the proof but stays
            correct.
        n_delta_bits: selects the method.
        reach: edits, at least the difference of the lengths.
    """
    yield from make_ready(step, a.dtype.type)
    low, high = ukkonen_band(int(a.size), int(b.size), reach)
    length = seed_length(high - low, n_codes)
    n_seeds, code_bits = a.size // length, max(1, (n_codes - 1).bit_length())
    lowest, highest = np.full(n_seeds, BROKEN, np.int32), np.full(n_seeds, -BROKEN, np.int32)

    def look(first: int, last: int) -> None:
        find_seeds(a, b, first, last, length, code_bits, low, high, lowest, highest)

    threads = threads if b.size >= MIN_SHARED_LETTERS else 1
    yield from map_ranges(step, "seeds", look, n_seeds, _rows_of_a_piece(high - low) // length, threads)
    start = perf_counter()
    band = _band_of(lowest, highest, int(b.size - a.size), reach, length, n_delta_bits == LCS_SIGNS)
    yield step.done("seeds", start)
    return band


def lookup_seconds(n: int, m: int, width: int, threads: int) -> float:
    """Estimate the seconds of the seed search on ``width`` diagonals."""
    n_pieces = -(-n // _rows_of_a_piece(width))
    rounds = -(-n_pieces // threads)
    return m * LOOKUP_LETTER_SECONDS * float(max(1.0, width / CACHED_DIAGONALS) ** 0.5) * rounds / n_pieces


def _rows_of_a_piece(width: int) -> int:
    return max(MIN_LOOKUP_ROWS, 4 * width)  # for each the same columns are read, and ``width`` more


def make_ready(step: Step, letter_type: LetterType = np.uint8) -> Generator[Event, None, None]:
    """Compile (or load) the seed search."""
    codes, places = np.zeros(1, letter_type), np.zeros(1, np.int32)

    def rehearse() -> None:
        find_seeds(codes, codes, 0, 1, 1, 1, 0, 0, places, places)
        _band_of(places, places, 0, 2, 1, False).margin(2)

    yield from warm_up(step, "seeds", variant(KEY, codes), rehearse)


def _band_of(lowest: Diagonals, highest: Diagonals, end: int, reach: int, length: int, parity: bool) -> SeedBand:
    """Return the diagonals with most seeds; ``lowest`` is overwritten."""
    low, high = matched_diagonals(lowest, highest, min(0, end), max(0, end))
    n_seeds, broken = keep_informative(lowest, highest, low, high).tolist()
    return SeedBand(
        low, high, reach, broken, n_seeds, chain(lowest[:n_seeds], end, parity, CHAIN_LOOKBACK), length, parity
    )


@jit
def matched_diagonals(lowest: Diagonals, highest: Diagonals, low: int, high: int) -> tuple[int, int]:
    """Return the lowest and highest diagonal of seeds found once, or ``low`` and ``high``.

    Args:
        lowest, highest: diagonals of each seed's matches.
    """
    least, most, n, whole = np.empty(TRIMMED + 1, np.int32), np.empty(TRIMMED + 1, np.int32), 0, False
    for s in range(lowest.size):
        if lowest[s] == highest[s]:
            _rank(least, n, lowest[s])
            _rank(most, n, -lowest[s])
            n += 1
        if n == NEIGHBOURS or (n and s == lowest.size - 1 and not whole):
            cut = n * TRIMMED // NEIGHBOURS
            low, high = min(low, int(least[cut])), max(high, -int(most[cut]))
            n, whole = 0, True
    return low, high


@jit_callee_no_nrt
def _rank(ranked, n, one):  # type: ignore[no-untyped-def]
    """Insert ``one`` into ``ranked``, the lowest of ``n`` earlier numbers, if it belongs there."""
    at = min(n, ranked.size - 1)
    if n < ranked.size or one < ranked[at]:
        while at and ranked[at - 1] > one:
            ranked[at] = ranked[at - 1]
            at -= 1
        ranked[at] = one


@jit
def keep_informative(lowest: Diagonals, highest: Diagonals, low: int, high: int) -> Counts:
    """Move the diagonals of informative seeds to the front of ``lowest``, ``BROKEN``: not found.

    A seed on several diagonals, or outside ``low`` to ``high``, is not informative.

    Returns:
        int64, shape (2,): informative seeds, and the broken ones among them.
    """
    sizes = np.zeros(2, np.int64)
    for s in range(lowest.size):
        broken = lowest[s] > highest[s]
        if broken or (lowest[s] == highest[s] and low <= lowest[s] <= high):
            lowest[sizes[0]] = BROKEN if broken else lowest[s]
            sizes[0] += 1
            sizes[1] += broken
    return sizes


@jit
def find_seeds(
    a: Letters,
    b: Letters,
    first: int,
    last: int,
    length: int,
    code_bits: int,
    low: int,
    high: int,
    lowest: Diagonals,
    highest: Diagonals,
) -> None:
    """Find seeds ``first`` to ``last`` in ``b``; store the lowest and highest diagonal of each in ``low`` to ``high``.

    Seed s is ``a[s * length : (s + 1) * length]``. A seed with more than ``MAX_SEED_COPIES`` copies counts as found
    everywhere.
    """
    n_seeds, shift = last - first, np.uint64(code_bits)
    bits = 4
    while 1 << bits < 4 * n_seeds:
        bits += 1
    wrap, to_slot, to_sieve = (1 << bits) - 1, np.uint64(64 - bits), np.uint64(64 - bits - 2)
    mask = ~np.uint64(0) >> np.uint64(64 - length * code_bits)
    newest, shared = np.full(1 << bits, -1, np.int32), np.zeros(1 << bits, np.int32)
    keys, older = np.empty(1 << bits, np.uint64), np.empty(n_seeds, np.int32)
    sieve = np.zeros(1 << (bits + 2 - 3), np.uint8)
    for s in range(n_seeds):
        key, start = np.uint64(0), (first + s) * length
        for i in range(start, start + length):
            key = key << shift | np.uint64(a[i])
        mixed = (key + np.uint64(1)) * PRIME
        mixed ^= mixed >> np.uint64(29)
        mixed *= PRIME
        slot = np.int64(mixed >> to_slot)
        while newest[slot] >= 0 and keys[slot] != key:
            slot = (slot + 1) & wrap
        keys[slot], older[s] = key, newest[slot]
        newest[slot] = s
        shared[slot] += 1
        place = np.int64(mixed >> to_sieve)
        sieve[place >> 3] |= np.uint8(1 << (place & 7))
    for at in range(wrap + 1):
        if shared[at] > MAX_SEED_COPIES:
            same = int(newest[at])
            while same >= 0:
                lowest[first + same], highest[first + same] = -BROKEN, BROKEN
                same = int(older[same])
            newest[at] = -1 - n_seeds  # taken, by none that could be met
    start, end = max(0, first * length + low), min(b.size, last * length + high)
    key = np.uint64(0)
    for j in range(start, end):
        key = (key << shift | np.uint64(b[j])) & mask
        if j - start + 1 < length:
            continue
        mixed = (key + np.uint64(1)) * PRIME
        mixed ^= mixed >> np.uint64(29)
        mixed *= PRIME
        place = np.int64(mixed >> to_sieve)
        if not sieve[place >> 3] >> (place & 7) & 1:
            continue
        slot = np.int64(mixed >> to_slot)
        while newest[slot] != -1 and keys[slot] != key:
            slot = (slot + 1) & wrap
        s = newest[slot]
        while s >= 0:
            diagonal = j - length + 1 - (first + s) * length
            if low <= diagonal <= high:
                lowest[first + s] = min(lowest[first + s], diagonal)
                highest[first + s] = max(highest[first + s], diagonal)
            s = older[s]
