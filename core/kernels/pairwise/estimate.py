"""Estimated divergence of two sequences, and the band for a number of edits.

For related sequences it uses sampled k-mers of the first sequence found in the second, for unrelated ones the distance
of two prefixes. Both are estimates only: a computed band is proven afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters, Words
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.warmup import variant, warm_up
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.pairwise.problem import THREAD_TASK_LETTERS, J, PairProblem
from wavediff.core.kernels.traceback.parallel import map_ranges

MIN_KMERS, MAX_KMERS = 1024, 8192  # sampled; the more, the narrower the first band can be
LETTERS_PER_KMER = 128
KEY_BITS = 64
UNSEEN = 0.6  # edits next to or inside a seed that leave it whole, of those that could break it, times its letters
SLOTS = 1 << 15  # of the seed table, a power of two well above ``MAX_KMERS``
TABLE_SHIFT = np.uint64(64 - 15)
SIEVE = 1 << 15  # bytes, a bit a key; no more than a first-level cache holds
SIEVE_SHIFT = np.uint64(64 - 15)
BITS_SHIFT, BITS = np.uint64(64 - 15 - 3), np.uint64(7)
MET = 2
PRIME = np.uint64(0x9E3779B97F4A7C15)
PREFIX_LETTERS = 4096  # whose distance shows that of all
PREFIX_MARGIN = 1.03  # times as many edits are allowed; a prefix has relatively more than the whole


def ukkonen_band(n: int, m: int, edits: int) -> tuple[int, int]:
    """Return the diagonals (low, high) of paths with at most ``edits`` edits (Ukkonen 1985)."""
    slack = max(edits - abs(n - m), 0) // 2
    return min(0, m - n) - slack, max(0, m - n) + slack


def clip_band(band: tuple[int, int], n: int, m: int) -> tuple[int, int]:
    """Clip a band to the diagonals of ``n`` rows and ``m`` columns."""
    return max(band[0], -n), min(band[1], m)


def estimate_threshold(
    problem: PairProblem[Any], distance: Callable[[Letters, Letters], int], *, unlike: bool = False
) -> Generator[Event, None, int]:
    """Return the edits for which a band is likely to suffice, from the distance of two prefixes.

    Args:
        distance: function for the edits between two short sequences; already compiled.
        unlike: distance of a prefix and a reversed one, typical of unrelated sequences of these compositions.
    """
    n, m = int(problem.a.size), int(problem.b.size)
    longer, start = max(n, m), perf_counter()
    prefix = min(PREFIX_LETTERS, longer)
    a, b = problem.a[: max(1, prefix * n // longer)], problem.b[: max(1, prefix * m // longer)]
    edits = distance(a, np.ascontiguousarray(b[::-1]) if unlike else b)
    yield problem.step.done("seeds", start)
    return int(edits / prefix * PREFIX_MARGIN * longer)


def estimate_divergence(problem: PairProblem[J]) -> Generator[Event, None, DivergenceRange | None]:
    """Estimate the fraction of changed letters; None if the sequences look unrelated."""
    step, tiny = problem.step, problem.a[:1]
    yield from warm_up(step, "seeds", variant("seeds", tiny), lambda: SampledKmers(tiny, 1, 2).meet(tiny, 0, 1))
    length = kmer_length(max(problem.a.size, problem.b.size), problem.n_codes)
    kmers = SampledKmers(problem.a, length, problem.n_codes)

    def meet(first: int, last: int) -> None:
        kmers.meet(problem.b, first, last)

    yield from map_ranges(step, "seeds", meet, int(problem.b.size), THREAD_TASK_LETTERS, problem.threads)
    return kmers.changed()


def kmer_length(n: int, n_codes: int) -> int:
    """Return the k-mer length that is rarely matched by chance among ``n`` letters of ``n_codes`` codes."""
    by_chance = int(np.ceil(np.log(max(n, 2)) / np.log(max(n_codes, 2)))) + 3
    return min(by_chance, KEY_BITS // max(1, (n_codes - 1).bit_length()))


class DivergenceRange(NamedTuple):
    """Range of the fraction of changed letters: almost surely above ``low``, and hardly above ``high``."""

    low: float
    high: float


class SampledKmers:
    """K-mers sampled evenly from ``a`` (codes), and the number found in ``b`` so far.

    Args:
        length: letters of a seed.
        n_codes: upper bound (exclusive) of the codes.

    Raises:
        ValueError: a seed's codes are more than 64 bits.
    """

    def __init__(self, a: Letters, length: int, n_codes: int) -> None:
        self.length = length
        self._bits = max(1, (n_codes - 1).bit_length())  # of a code
        if length * self._bits > KEY_BITS:
            raise ValueError(f"seeds of {length} codes of {self._bits} bits, which are more than {KEY_BITS}")
        # Keys, what a slot holds (1: a seed, MET: one that is), and what most keys do not get through.
        self._tables = np.zeros(SLOTS, np.uint64), np.zeros(SLOTS, np.uint8), np.zeros(SIEVE, np.uint8)
        self.sampled = int(_sample(a, length, self._bits, *self._tables)) if a.size >= length else 0

    @property
    def met(self) -> int:
        """Number of sampled k-mers found so far."""
        return int(np.count_nonzero(self._tables[1] == MET))

    def meet(self, b: Letters, first: int, last: int) -> None:
        """Search the sampled k-mers in ``b[first:last]``; thread-safe for disjoint ranges."""
        last = min(last, b.size - self.length + 1)
        if first < last and self.met < self.sampled:
            _meet(b[first : last + self.length - 1], self.length, self._bits, *self._tables)

    def changed(self) -> DivergenceRange | None:
        """Estimate the fraction of changed letters; None for unrelated sequences.

        If each letter is changed with chance e, a seed of k letters survives with (1 - e)^k.
        """
        if self.met < 0.1 * self.sampled or not self.sampled:
            return None
        survive = self.met / self.sampled
        share = 1 - survive ** (1 / self.length)
        doubt = ((1 - survive) / (survive * self.sampled)) ** 0.5 / self.length  # one standard deviation
        # An insertion before or behind a seed, or a deletion inside a run of one letter, leaves it whole. A band
        # too narrow is computed twice, so that a few per cent too much are cheap.
        unseen = UNSEEN / self.length
        high = share * (1 + unseen) + 2 * doubt + 0.2 / (self.length * self.sampled)
        return DivergenceRange(max(0.0, share - 3 * doubt), high)


@jit
def _sample(a: Letters, length: int, bits: int, keys: Words, holds: Letters, sieve: Letters) -> int:
    n_seeds = min(max(MIN_KMERS, min(a.size // LETTERS_PER_KMER, MAX_KMERS)), a.size - length + 1)
    sampled, shift = 0, np.uint64(bits)
    for x in range(n_seeds):
        start = x * (a.size - length) // max(1, n_seeds - 1)
        letters = np.uint64(0)
        for i in range(start, start + length):
            letters = letters << shift | np.uint64(a[i])
        key = letters * PRIME  # odd, so no other letters have it
        slot = key >> TABLE_SHIFT
        while holds[slot] and keys[slot] != key:
            slot = (slot + np.uint64(1)) & np.uint64(SLOTS - 1)
        if not holds[slot]:
            keys[slot], holds[slot] = key, 1
            sieve[key >> SIEVE_SHIFT] |= np.uint8(1) << np.uint8(key >> BITS_SHIFT & BITS)
            sampled += 1
    return sampled


@jit
def _meet(b: Letters, length: int, bits: int, keys: Words, holds: Letters, sieve: Letters) -> None:
    shift = np.uint64(bits)
    mask = ~np.uint64(0) >> np.uint64(KEY_BITS - length * bits)
    letters = np.uint64(0)
    for j in range(b.size):
        letters = (letters << shift | np.uint64(b[j])) & mask
        key = letters * PRIME
        if sieve[key >> SIEVE_SHIFT] >> np.uint8(key >> BITS_SHIFT & BITS) & 1 and j >= length - 1:
            slot = key >> TABLE_SHIFT
            while holds[slot] and keys[slot] != key:
                slot = (slot + np.uint64(1)) & np.uint64(SLOTS - 1)
            if holds[slot]:
                holds[slot] = MET
