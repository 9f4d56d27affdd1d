"""Relation of two DNA sequences by seeds: what a global comparison can show.

The thresholds lie in wide gaps between tested pairs: collinear ones (lineages of a virus, mitochondria of two apes, a
tandem duplication) had at least 0.94 of their seeds near the global diagonal, or in one order, and inverted ones at
least 0.2 of them on the minus strand. A tenth of the seeds in another order is reported.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.screening.nucleotides import nucleotide_codes
from wavediff.core.screening.origin import last_row
from wavediff.core.screening.shared_kmers import WIDTH_SHARE, SharedKmers, StrandSeeds
from wavediff.core.sequences.orientation import Orientation, Strand

MIN_LETTERS = 200  # letters of the shorter sequence; fewer have too few k-mers for a decision
MIN_READ_LETTERS, MIN_GENOME_LETTERS = 64, 1_000  # enough for a part, such as a read, of a much longer sequence
MIN_SEEDS = 20  # seeds; fewer are not enough for order and strand
CHANCE_FACTOR = 5  # minimum ratio of seeds to the number expected by chance
MIN_INVERTED_SHARE = 0.1  # minimum share of seeds on the minority strand
MIN_OTHER_SHARE = 0.8  # of the seeds: all of B is on the minus strand
MIN_COLLINEAR_SHARE = 0.9  # of the seeds: near the line, or in one order in A and B
MIN_ORIGIN_SHARE = 0.8  # of the seeds: on the two diagonals of another origin
MIN_ARM_SHARE = 0.05  # of the seeds: on the smaller of these two; with fewer, the overhang letters decide
MIN_OVERHANG = 64  # letters; shorter unrelated ones are often as similar
MAX_OVERHANG = 1024  # maximum aligned letters of the overhang, at the end that would join the circle
MIN_FEWER_EDITS, MIN_FEWER_SHARE = 5, 0.1  # fewer than by chance: edits, and share of letters (3 deviations at 64)
ORIGIN_TOLERANCE = 0.2  # of the longer sequence: maximum difference of the lengths
MAX_UNRELATED_SHARE = 0.002  # of the possible shared k-mers
MIN_UNIQUE = 1_000  # minimum possible shared k-mers for a statement on few shared ones
MAX_PART_LENGTH = 0.5  # of the longer sequence: a shorter one may be contained
MIN_PART_SHARE = 0.8  # of the seeds: on one diagonal
MIN_PART_FOUND = 0.1  # of the k-mers of the part, which may have some changes
MAX_END_GAPS = 0.4  # of the longer sequence: beyond, a random path has fewer gaps than one along the overlap
ORIGIN_SEEDS = 32  # seeds whose median offset is that at one end


class Relation(StrEnum):
    """Position of B relative to A."""

    UNKNOWN = "unknown"  # too few shared k-mers, or too few letters, for a decision
    COLLINEAR = "collinear"  # in the same order on the same strand
    OTHER_STRAND = "other strand"  # all of B is reverse-complemented
    ORIGIN_MOVED = "origin moved"  # a circular molecule with another origin
    INVERTED = "inverted part"
    MOVED = "moved parts"
    PART = "part"  # one is contained in the other
    OVERLAP = "overlap"  # the end of one is the start of the other
    UNRELATED = "unrelated"  # as many shared k-mers as by chance


class Verdict(NamedTuple):
    """Relation of B to A, with the suggested strand and origin.

    Attributes:
        minus: most of B is on the minus strand, so compare its reverse complement.
        origin: position in A (from 0) at which B starts, on that strand, if both are the same circle with different
            origins; approximate if B has insertions or deletions. For a sequence that spans the file end of a longer
            circle: its position in the longer one. Else None.
    """

    relation: Relation
    minus: bool = False
    origin: int | None = None


def has_enough_letters(n: int, m: int) -> bool:
    """Return whether sequences of ``n`` and ``m`` letters have enough k-mers for a decision."""
    shorter, longer = sorted((n, m))
    return shorter >= MIN_LETTERS or (shorter >= MIN_READ_LETTERS and longer >= MIN_GENOME_LETTERS)


def verdict(kmers: SharedKmers, a: Letters, b: Letters) -> Verdict:
    """Return the relation of B to A by seeds, and by letters if too few seeds could show a rotation."""
    shorter, longer = sorted((kmers.n, kmers.m))
    if not has_enough_letters(shorter, longer):
        return Verdict(Relation.UNKNOWN)
    chance = kmers.plus.expected_by_chance + kmers.minus.expected_by_chance
    if kmers.n_seeds < max(MIN_SEEDS, CHANCE_FACTOR * chance):
        few = kmers.n_seeds <= max(MAX_UNRELATED_SHARE * kmers.n_unique, CHANCE_FACTOR * chance)
        unrelated = few and kmers.n_unique >= MIN_UNIQUE and shorter > MAX_PART_LENGTH * longer
        return Verdict(Relation.UNRELATED if unrelated else Relation.UNKNOWN)
    minus = kmers.minus_share >= MIN_OTHER_SHARE
    strand = kmers.minus if kmers.minus_share > 0.5 else kmers.plus
    if shorter <= MAX_PART_LENGTH * longer:
        return _part(kmers, strand)
    if not minus and kmers.minus_share >= MIN_INVERTED_SHARE:
        return Verdict(Relation.INVERTED, kmers.minus_share > 0.5)
    origin = _moved_origin(strand, a, b, Strand.MINUS if strand is kmers.minus else Strand.PLUS)
    if minus:
        return Verdict(Relation.OTHER_STRAND, True, origin)
    if origin is not None:
        return Verdict(Relation.ORIGIN_MOVED, False, origin)
    end_gaps = abs(strand.offset) + abs(kmers.m - kmers.n - strand.offset)
    if strand.offset_share >= MIN_PART_SHARE and end_gaps > MAX_END_GAPS * longer:
        first, last = sorted((0, kmers.m - kmers.n))
        inside = first - MIN_OVERHANG <= strand.offset <= last + MIN_OVERHANG
        return Verdict(Relation.PART if inside else Relation.OVERLAP)
    order = max(strand.near_share, strand.collinear_share)
    return Verdict(Relation.COLLINEAR if order >= MIN_COLLINEAR_SHARE else Relation.MOVED)


def in_order(kmers: SharedKmers, relation: Relation) -> float:
    """Return the fraction of seeds that are in one order in A and B; 1 if too few seeds are informative."""
    if kmers.n_seeds < MIN_SEEDS or relation in (Relation.UNKNOWN, Relation.UNRELATED):
        return 1.0
    plus = kmers.plus
    return max(plus.near_share, plus.collinear_share) * plus.n_seeds / kmers.n_seeds


def _part(kmers: SharedKmers, strand: StrandSeeds) -> Verdict:
    """Return whether the much shorter sequence is contained in the other."""
    origin = _across_the_end(strand, kmers)
    alike = strand.offset_share >= MIN_PART_SHARE or origin is not None
    alike = alike and strand.n_seeds >= MIN_PART_FOUND * kmers.n_unique
    minus = strand is kmers.minus
    if not alike or strand.n_seeds < MIN_PART_SHARE * kmers.n_seeds:
        return Verdict(Relation.INVERTED if minus else Relation.UNKNOWN, minus)
    return Verdict(Relation.PART, minus, origin)


def _across_the_end(strand: StrandSeeds, kmers: SharedKmers) -> int | None:
    """Return the start of a contained part that spans the file end of a circle, or None.

    The seeds before and after that end are on two diagonals at a distance of the longer length.
    """
    longer = max(kmers.n, kmers.m)
    if len(strand.peaks) < 2:
        return None
    low, high = sorted(strand.peaks[:2], key=lambda peak: peak.offset)
    if abs(high.offset - low.offset - longer) > WIDTH_SHARE * longer:
        return None
    if min(low.n_seeds, high.n_seeds) < MIN_ARM_SHARE * strand.n_seeds:
        return None
    if low.n_seeds + high.n_seeds < MIN_PART_SHARE * strand.n_seeds:
        return None
    return high.offset if kmers.n < kmers.m else -low.offset


def _moved_origin(strand: StrandSeeds, a: Letters, b: Letters, read_as: Strand) -> int | None:
    """Return the position in A at which the circle B starts, or None.

    The seeds after this position are on the diagonal ``-place``, those before it on ``m - place``, except for indels.
    The smaller arm may have almost no seeds. In a global alignment its letters are in a gap at each end; the two are
    one circle if these letters are similar.
    """
    n, m = int(a.size), int(b.size)
    longer = max(n, m)
    if not strand.peaks or abs(n - m) > ORIGIN_TOLERANCE * longer:
        return None
    behind, before = sorted(strand.peaks[:2], key=lambda peak: peak.offset) if len(strand.peaks) > 1 else (None, None)
    if behind is not None and before is not None and behind.offset < 0:
        apart = abs(before.offset - behind.offset - longer) <= max(abs(n - m), 2 * WIDTH_SHARE * longer)
        smaller = min(behind.n_seeds, before.n_seeds) / strand.n_seeds
        shared = (behind.n_seeds + before.n_seeds) / strand.n_seeds
        if apart and shared >= MIN_ORIGIN_SHARE and smaller >= MIN_ARM_SHARE:
            return max(0, -_end_offset(strand, behind.offset, longer))
    if strand.offset_share < MIN_ORIGIN_SHARE:
        return None
    first = _end_offset(strand, strand.offset, longer)
    last = _end_offset(strand, strand.offset, longer, at_end=True)
    # What has no letter next to it: the beginning of A and the end of B, or the end of A and the beginning of B.
    of_a, of_b = ((0, -first), (n + last, m)) if first < 0 else ((m - last, n), (0, first))
    if min(of_a[1] - of_a[0], of_b[1] - of_b[0]) < MIN_OVERHANG:
        return None
    lo, hi = max(of_b[0], of_b[1] - MAX_OVERHANG), of_b[1]
    of_strand = b[lo:hi] if read_as is Strand.PLUS else b[m - hi : m - lo]
    end_of_b = np.frombuffer(Orientation(read_as).read(of_strand.tobytes()), np.uint8)
    end_of_a = a[max(of_a[0], of_a[1] - MAX_OVERHANG) : of_a[1]]
    return (of_a[1] if first < 0 else of_a[0]) if _alike(end_of_a, end_of_b) else None


def _end_offset(strand: StrandSeeds, peak: int, longer: int, *, at_end: bool = False) -> int:
    """Return the offset at the start (or end) of B on the diagonals around ``peak``, shifted by indels."""
    offsets = strand.b_places - strand.a_places
    along = np.flatnonzero(np.abs(offsets - peak) <= WIDTH_SHARE * longer)
    order = along[np.argsort(strand.b_places[along], kind="stable")]
    return round(float(np.median(offsets[order[-ORIGIN_SEEDS:] if at_end else order[:ORIGIN_SEEDS]])))


def _alike(a: Letters, b: Letters) -> bool:
    """Return whether two pieces of DNA are more similar than one and the reversed other."""
    a, b = nucleotide_codes()[a], nucleotide_codes()[b]
    fewer = last_row(a, b[::-1])[-1] - last_row(a, b)[-1]
    return bool(fewer >= MIN_FEWER_EDITS + MIN_FEWER_SHARE * min(a.size, b.size))
