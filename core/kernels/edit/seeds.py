"""A narrow band with a proof: what it costs to leave it, told by the seeds that a path must meet or pay for.

A path that does not run straight through a seed of A, without an edit, has an edit in it, and seeds that do not
overlap are paid for one by one. So a seed that B has on no diagonal within reach costs every path an edit, and a path
that leaves the diagonals on which B has the others misses those too, until it is back: beside the two gaps that take it
away and back, it pays for each seed meanwhile. Where letters are changed here and there, most edits are such seeds
already, so that few are left to go astray with: for DNA with 1 % changed the band is a sixth as wide as that of Ukkonen
(1985), who asks for the gaps alone. The lower bound is that of the seed heuristic (Ivanov, Bichsel and Vechev 2022); to
make a band of it, whose blocks are computed as any other's, is ours.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from math import ceil, log
from time import perf_counter

import numpy as np
import numpy.typing as npt
from numba import njit

from core.arrays import Counts, Letters
from core.events import Event, StepDone
from core.kernels.pipeline import drive
from core.kernels.similarity import PRIME, UNSEEN
from core.kernels.warm import warm_up

CHANCE = 200  # a seed occurs by chance on one of so many diagonals within reach
DOUBT = 0.03  # of the edits; a band a little too wide costs less than one that is computed twice
SHARED_BY = 8  # seeds of the same letters; more say nothing
LEAST_ROWS = 1 << 16  # of A that are looked for at once
TRIMMED = 0.05  # of the diagonals of neighbouring seeds that are left out on each side, as met by chance
NEIGHBOURS = 64
KEY_BITS = 64
KEY = "seed band"
NOWHERE = np.int32(2**31 - 1)
Diagonals = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class SeedBand:
    """Which diagonals paths of at most ``reach`` edits can be on.

    Attributes:
        low, high: diagonals on which the seeds are met, both ends of the matrix among them.
        reach: edits up to which the proof holds.
        broken: seeds that every path pays for.
        met: uint8, for each seed that tells something, in order: 1 where it is met on those diagonals, 0 where broken.
        length: letters of a seed.
    """

    low: int
    high: int
    reach: int
    broken: int
    met: Letters
    length: int

    def likely(self, n: int) -> int:
        """Return edits that ``n`` letters hardly have more of, if they are spread evenly; as ``similarity`` guesses."""
        if self.broken == self.met.size:
            return self.reach
        share = 1 - (1 - self.broken / self.met.size) ** (1 / self.length)
        return int(n * share * (1 + UNSEEN / self.length) * (1 + DOUBT))

    def margin(self, edits: int) -> int:
        """Return how far beside ``low`` and ``high`` paths of up to ``edits`` edits can be, at most ``reach``."""
        if edits > self.reach:
            raise ValueError(f"seeds were looked for as far as {self.reach:,} edits reach, not {edits:,}")
        sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.met, dtype=np.int64)])
        few, enough = 0, int(self.met.size) + edits + 1
        while few < enough:  # the least margin that makes it too dear to leave
            margin = (few + enough) // 2
            if self._leaving(sums, margin) > edits:
                enough = margin
            else:
                few = margin + 1
        return enough

    def _leaving(self, sums: Counts, margin: int) -> int:
        """Return the edits that a path has at least which is more than ``margin`` beside: gaps there and back, and the
        seeds on the way, or as many seeds as the gaps are edits."""
        gaps = 2 * (margin + 1)
        if gaps >= self.met.size:
            return gaps
        return self.broken + int((sums[gaps:] - sums[:-gaps]).min())


def seed_length(reach: int, n_codes: int) -> int:
    """Return the letters of a seed that B hardly has by chance on one of ``reach`` diagonals."""
    code_bits = max(1, (n_codes - 1).bit_length())
    return max(1, min(ceil(log(CHANCE * max(reach, 2)) / log(max(n_codes, 2))), KEY_BITS // code_bits))


def seed_band(
    job_id: int, a: Letters, b: Letters, n_codes: int, reach: int, threads: int
) -> Generator[Event, None, SeedBand]:
    """Look for all seeds of ``a`` in ``b`` (codes) on the diagonals that ``reach`` edits allow.

    Args:
        n_codes: of both together; letters that only one has may share a code, which makes the proof weaker, not wrong.
        reach: edits, at least the difference of the lengths.
    """
    yield from make_ready(job_id)
    start = perf_counter()
    slack = max(reach - abs(b.size - a.size), 0) // 2
    low, high = min(0, b.size - a.size) - slack, max(0, b.size - a.size) + slack
    length = seed_length(high - low, n_codes)
    n_seeds = a.size // length
    lowest, highest = np.full(n_seeds, NOWHERE, np.int32), np.full(n_seeds, -NOWHERE, np.int32)
    a_piece = max(LEAST_ROWS, 4 * (high - low)) // length
    n_pieces = -(-n_seeds // a_piece)
    code_bits = max(1, (n_codes - 1).bit_length())
    taken, left = count(), [n_pieces]

    def advance(_me: int, _budget: int) -> int:
        first = next(taken) * a_piece
        if first >= n_seeds:
            left[0] = 0
            return 0
        last = min(first + a_piece, n_seeds)
        look_up(a, b, first, last, length, code_bits, low, high, lowest, highest)
        return 1

    def stop() -> None:
        left[0] = 0

    for pieces in drive(advance, lambda _me: not left[0], stop, min(threads, n_pieces)):
        yield StepDone(job_id, "seeds", pieces, 0, perf_counter() - start)
        start = perf_counter()
    found = _band_of(lowest, highest, int(b.size - a.size), reach, length)
    yield StepDone(job_id, "seeds", 0, 0, perf_counter() - start)
    return found


def make_ready(job_id: int) -> Generator[Event, None, None]:
    """Compile (or load) what looks for seeds."""
    codes, places = np.zeros(1, np.uint8), np.zeros(1, np.int32)
    yield from warm_up(job_id, "seeds", KEY, lambda: look_up(codes, codes, 0, 1, 1, 1, 0, 0, places, places))


def _band_of(lowest: Diagonals, highest: Diagonals, end: int, reach: int, length: int) -> SeedBand:
    """Return the diagonals where most seeds are met; those met elsewhere too tell nothing."""
    once = lowest == highest
    low, high = min(0, end), max(0, end)
    met = lowest[once]
    if met.size:
        rows = met[: met.size // NEIGHBOURS * NEIGHBOURS].reshape(-1, NEIGHBOURS)
        rows = np.sort(rows, axis=1) if rows.size else np.sort(met)[None]
        cut = int(rows.shape[1] * TRIMMED)
        low, high = min(low, int(rows[:, cut].min())), max(high, int(rows[:, -1 - cut].max()))
    broken = lowest > highest
    inside = (lowest >= low) & (highest <= high) & ~broken
    return SeedBand(low, high, reach, int(broken.sum()), inside[broken | inside].astype(np.uint8), length)


@njit(nogil=True, cache=True)
def look_up(
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
    """Write for seeds ``first`` to ``last`` the lowest and highest of diagonals ``low`` to ``high`` where ``b`` has it.

    Seed s is ``a[s * length : (s + 1) * length]``. One that more than ``SHARED_BY`` have is met everywhere.
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
        if shared[at] > SHARED_BY:
            same = int(newest[at])
            while same >= 0:
                lowest[first + same], highest[first + same] = -NOWHERE, NOWHERE
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
