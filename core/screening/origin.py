"""Origin of a circular sequence B that matches the start of A.

The most common circular diagonal of shared unique k-mers gives the approximate rotation. The longest chain of k-mers
from there once around both sequences allows for insertions and deletions. Between the two k-mers of the chain that
enclose the start of A, the cheapest cut of an alignment gives the exact letter. Without unique shared k-mers (repeats,
few letters), the rotation with most equal letters is chosen (correlation by Fourier transform).
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.screening.nucleotides import NO_CODE, nucleotide_codes
from wavediff.core.screening.shared_kmers import MIN_WIDTH, WIDTH_SHARE, StrandSeeds

MIN_SEEDS = 3  # seeds on the most common diagonal; fewer are not significant
MAX_CUT_CELLS = 1 << 28  # cells of the alignment that is cut at the start of A: about a second
MAX_CORRELATED = 1 << 22  # letters: about a second
SURE_DEVIATIONS = 3  # standard deviations above the best of unrelated letters


@dataclass(frozen=True, slots=True)
class Origin:
    """Start of the circular sequence B that matches the start of A.

    Attributes:
        shift: letter of B, on its strand, at the first letter of A.
        weight: number of shared k-mers on the diagonal of ``shift`` or, without k-mers, of equal letters.
        n_best: number of shifts with this weight; ``shift`` is the first of them.
    """

    shift: int
    weight: int
    n_best: int = 1


def origin_by_seeds(a: Letters, b: Letters, seeds: StrandSeeds, k: int) -> Origin | None:
    """Return the origin of the circle ``b`` (on its strand) by seeds; None if too few.

    Args:
        a, b: uint8, 1-D, with letters.
        seeds: shared k-mers of ``k`` letters, on that strand.
    """
    commonest = _commonest(seeds, a.size, b.size)
    if commonest is None:
        return None
    pivot, weight, n_best = commonest
    n, m = int(a.size), int(b.size)
    a_pivot, b_pivot = int(seeds.a_places[pivot]), int(seeds.b_places[pivot])
    # Both circles start at the pivot; there A starts again after ``end`` letters.
    end = (n - a_pivot) % n
    chain_a, chain_b = _longest_chain((seeds.a_places - a_pivot) % n, (seeds.b_places - b_pivot) % m)
    behind = bisect_left(chain_a, end)
    a1, b1 = (chain_a[behind], chain_b[behind]) if behind < len(chain_a) else (n, m)
    before = behind - 1
    while before >= 0 and (chain_a[before] + k > end or chain_b[before] + k > b1):
        before -= 1
    a0, b0 = (chain_a[before] + k, chain_b[before] + k) if before >= 0 else (min(end, a1), b1)
    round_a, round_b = np.roll(a, -a_pivot), np.roll(b, -b_pivot)
    cut = cheapest_cut(round_a[a0:end], round_a[end:a1], round_b[b0:b1])
    return Origin((b_pivot + b0 + cut) % m, weight, n_best)


def _commonest(seeds: StrandSeeds, n: int, m: int) -> tuple[int, int, int] | None:
    """Return a seed on the most frequent circular diagonal, its count, and the number of ties."""
    offsets = (seeds.b_places - seeds.a_places) % m
    width = min(max(MIN_WIDTH, int(WIDTH_SHARE * max(n, m))), m)
    order = np.argsort(offsets, kind="stable")
    line = offsets[order]
    twice = np.concatenate([line, line + m])
    counts = np.minimum(np.searchsorted(twice, line + width) - np.arange(line.size), line.size)
    by_chance = seeds.expected_by_chance * width / m
    if not counts.size or counts.max() < MIN_SEEDS or counts.max() < SURE_DEVIATIONS * (1 + by_chance):
        return None
    first = int(counts.argmax())
    best = int(counts[first])
    # Windows that overlap are one diagonal.
    rivals, n_best = line[counts == best], 1
    after = rivals[0] + width
    while (next_one := int(np.searchsorted(rivals, after))) < rivals.size:
        if rivals[next_one] + width > rivals[0] + m:
            break
        n_best, after = n_best + 1, rivals[next_one] + width
    values, times = np.unique(twice[first : first + best], return_counts=True)
    commonest = int(values[times.argmax()]) % m
    return int(order[np.searchsorted(line, commonest)]), best, n_best


def _longest_chain(a_places: Counts, b_places: Counts) -> tuple[list[int], list[int]]:
    """Return a longest ascending chain of seeds (Schensted 1961); it starts with (0, 0)."""
    order = np.argsort(a_places, kind="stable")
    a_sorted, b_sorted = a_places[order].tolist(), b_places[order].tolist()
    tails: list[int] = []  # least end of a chain of each length
    ends: list[int] = []
    before = [-1] * len(b_sorted)
    for number, place in enumerate(b_sorted):
        length = bisect_left(tails, place)
        if number and not length:
            continue  # a chain begins with the pivot
        before[number] = ends[length - 1] if length else -1
        tails[length : length + 1] = [place]
        ends[length : length + 1] = [number]
    chain, at = [], ends[-1]
    while at >= 0:
        chain.append(at)
        at = before[at]
    chain.reverse()
    return [a_sorted[seed] for seed in chain], [b_sorted[seed] for seed in chain]


def cheapest_cut(left: Letters, right: Letters, text: Letters) -> int:
    """Split ``text`` between ``left`` and ``right`` at minimum total edit distance; return the position.

    Ties: the first cut. If the computation is too large, the cut is after all letters of ``left``.
    """
    if (left.size + right.size) * text.size > MAX_CUT_CELLS:
        return int(min(left.size, text.size))
    codes = nucleotide_codes()
    left, right, text = codes[left], codes[right], codes[text]
    costs = last_row(left, text) + last_row(right[::-1], text[::-1])[::-1]
    return int(costs.argmin())


def last_row(a: Letters, b: Letters) -> Counts:
    """Return the edit distances of ``a`` and all prefixes of ``b``."""
    column = np.arange(b.size + 1)
    row = column.astype(np.int64)
    for letter in a:
        best = row + 1
        best[1:] = np.minimum(best[1:], row[:-1] + (b != letter))
        # An insertion moves right at cost 1: the best of all positions to the left, plus their distance.
        row = np.minimum.accumulate(best - column) + column
    return row


def origin_by_letters(a: Letters, b: Letters) -> Origin | None:
    """Return the rotation of ``b`` with the most matches to ``a``, None if not above chance or too expensive."""
    n, m = min(int(a.size), int(b.size)), int(b.size)
    if not n or m > MAX_CORRELATED:
        return None
    codes = nucleotide_codes()
    matches, chance = np.zeros(m), 0.0
    for code in range(NO_CODE):
        in_a, in_b = np.zeros(m), (codes[b] == code).astype(np.float64)
        in_a[:n] = codes[a[:n]] == code
        matches += np.fft.irfft(np.fft.rfft(in_b) * np.conj(np.fft.rfft(in_a)), m)
        chance += float(in_a[:n].mean() * in_b.mean())
    equal: npt.NDArray[np.int64] = np.rint(matches).astype(np.int64)
    best = int(equal.max())
    spread = np.sqrt(n * chance * (1 - chance))
    sure = n * chance + spread * (SURE_DEVIATIONS + np.sqrt(2 * np.log(m + 1)))
    if not best or (best < n and best <= sure):
        return None
    return Origin(int(equal.argmax()), best, int(np.count_nonzero(equal == best)))
