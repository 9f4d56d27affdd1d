"""Unique k-mers shared by two DNA sequences, by strand and diagonal."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, freeze
from wavediff.core.jobs import Job, KernelModules

NEAR_SHARE = 0.05  # of the longer sequence: maximum distance of a seed near the global diagonal
MAX_PEAKS = 8
MAX_CHAINED = 1 << 14  # approximate seeds for the longest ascending subsequence
MIN_PEAK_SHARE = 0.01  # minimum share of a strand's seeds on the diagonal of a peak
WIDTH_SHARE, MIN_WIDTH = 0.01, 32  # of the longer sequence: spread of the seeds of one peak by indels


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScreenJob(Job):
    """Request for the unique k-mers shared by two DNA sequences.

    Attributes:
        a, b: uint8, 1-D, letters as read. Case is ignored, ``U`` is ``T``; other letters are in no k-mer.
    """

    modules = KernelModules("wavediff.core.screening.run")

    a: Letters
    b: Letters


class OffsetPeak(NamedTuple):
    """Diagonal with many seeds.

    Attributes:
        offset: position in B minus position in A, in letters: the most common difference in the peak.
        n_seeds: seeds within 1 % of the longer length around it.
    """

    offset: int
    n_seeds: int


@dataclass(frozen=True, slots=True, eq=False)
class StrandSeeds:
    """Seeds on one strand of B.

    Attributes:
        a_places, b_places: int64, shape (n_seeds,), read-only, ascending in A: start of each k-mer, from 0. On the
            minus strand, ``b_places`` count in the reverse complement of B.
        near_share: share of seeds near the global diagonal (within 5 % of the longer length); 0 without seeds.
        collinear_share: largest share of seeds in the same order in A and B, i.e. of one alignment.
        peaks: the most common diagonals, most seeds first, at most ``MAX_PEAKS``. A circular B with another origin
            than A has two peaks, whose offsets differ by about the length of B.
        expected_by_chance: seeds that unrelated letters of these compositions would share.
    """

    a_places: Counts
    b_places: Counts
    near_share: float
    collinear_share: float
    peaks: tuple[OffsetPeak, ...]
    expected_by_chance: float

    @property
    def n_seeds(self) -> int:
        return int(self.a_places.size)

    @property
    def offset(self) -> int:
        """Most frequent diagonal; 0 without seeds."""
        return self.peaks[0].offset if self.peaks else 0

    @property
    def offset_share(self) -> float:
        """Fraction of seeds on or near the most frequent diagonal."""
        return self.peaks[0].n_seeds / self.n_seeds if self.peaks else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class SharedKmers:
    """Seeds: k-mers unique in both A and B, counting both strands.

    Attributes:
        n, m: letters of A and B.
        k: letters of a k-mer: 16, from a million letters on 24.
        sampled: one in ``sampled`` k-mers was used, by hash; 1: all.
        n_unique: used k-mers that occur once in the shorter sequence, an upper bound of shared ones.
        plus, minus: seeds by strand of B.
    """

    n: int
    m: int
    k: int
    sampled: int
    n_unique: int
    plus: StrandSeeds
    minus: StrandSeeds

    @property
    def n_seeds(self) -> int:
        return self.plus.n_seeds + self.minus.n_seeds

    @property
    def minus_share(self) -> float:
        """Fraction of seeds on the minus strand; 0 without seeds."""
        return self.minus.n_seeds / self.n_seeds if self.n_seeds else 0.0


def strand_seeds(n: int, m: int, a_places: Counts, b_places: Counts, expected_by_chance: float) -> StrandSeeds:
    """Return the seeds of one strand in the order of A, with diagonals.

    Args:
        n, m: letters of A and B.
        a_places, b_places: int64, shape (seeds,): start of each seed, in any order.
    """
    order = np.argsort(a_places, kind="stable")
    a_places, b_places = freeze(a_places[order]), freeze(b_places[order])
    near = np.abs(b_places - a_places * (m / max(n, 1))) <= NEAR_SHARE * max(n, m)
    share = float(near.mean()) if near.size else 0.0
    peaks = _peaks(b_places - a_places, max(n, m))
    return StrandSeeds(a_places, b_places, share, _collinear_share(b_places), peaks, expected_by_chance)


def _collinear_share(b_places: Counts) -> float:
    """Return the fraction of seeds in a longest ascending subsequence (Fredman 1975)."""
    some = b_places[:: 1 + b_places.size // MAX_CHAINED].tolist()
    ends = list[int]()  # the least end of the subsequences of each length
    for place in some:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(ends) / len(some) if some else 0.0


def _peaks(offsets: Counts, longer: int) -> tuple[OffsetPeak, ...]:
    """Return the most frequent offsets (within a width), repeatedly removing their seeds."""
    width = max(MIN_WIDTH, int(WIDTH_SHARE * longer))
    left, least, peaks = np.sort(offsets), MIN_PEAK_SHARE * offsets.size, list[OffsetPeak]()
    while left.size and len(peaks) < MAX_PEAKS:
        counts = np.searchsorted(left, left + width, side="right") - np.arange(left.size)
        first = int(counts.argmax())
        values, times = np.unique(left[first : first + counts[first]], return_counts=True)
        offset = int(values[times.argmax()])
        lo, hi = np.searchsorted(left, [offset - width, offset + width + 1])
        if hi - lo < least:
            break
        peaks.append(OffsetPeak(offset, int(hi - lo)))
        left = np.delete(left, slice(int(lo), int(hi)))
    return tuple(sorted(peaks, key=lambda peak: -peak.n_seeds))
