"""The edit distance, its computed bands and skipped cells."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.results import PairResult
from wavediff.core.sequences.orientation import reverse_complement


class SkipReason(StrEnum):
    """Reason why cells of the matrix were not computed."""

    ENDS = "common_ends"  # a common prefix or suffix was stripped
    SUBSEQUENCE = "subsequence"  # one is a subsequence of the other: the difference of the lengths is the answer
    DISJOINT = "no_common_letter"  # every letter of the shorter one is substituted, the rest is one gap
    DIAGONALS = "diagonals"  # few edits: followed along the diagonals instead
    BAND = "outside_band"  # paths outside the band cost more
    MONOTONE = "monotone_border"  # Sudo and Shinohara, section 4: borders that can be handed through unchanged

    @property
    def text(self) -> str:
        return _TEXTS[self]


_TEXTS = {
    SkipReason.ENDS: "equal start or end",
    SkipReason.SUBSEQUENCE: "the shorter lies inside the longer",
    SkipReason.DISJOINT: "nothing in common",
    SkipReason.DIAGONALS: "not needed for the proof",
    SkipReason.BAND: "outside the band",
    SkipReason.MONOTONE: "borders known beforehand",
}


class Skip(NamedTuple):
    """One row of the table of skipped cells.

    Attributes:
        blocks: blocks of the grid not computed; 0 without a grid.
        cells: cells of the full matrix not computed for this reason.
        seconds: their estimated time at the speed of this run; None if no cell was timed.
    """

    reason: SkipReason
    blocks: int
    cells: int
    seconds: float | None


class BandAttempt(NamedTuple):
    """Computed band: its threshold, diagonals and result."""

    threshold: int
    low: int
    high: int
    distance: int
    cells: int

    @property
    def proven(self) -> bool:
        """Return whether no better path can leave the band."""
        return self.distance <= self.threshold


class Place(NamedTuple):
    """Aligned part where ends are free: letters ``[a_start, a_end)`` of A and ``[b_start, b_end)`` of B, 0-based."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int

    @property
    def n_a(self) -> int:
        return self.a_end - self.a_start

    @property
    def n_b(self) -> int:
        return self.b_end - self.b_start


@dataclass(frozen=True, slots=True, eq=False)
class Locus:
    """One place where all of B aligns in A.

    Attributes:
        strand: 1 for B as it was compared, -1 for its reverse complement.
        a_start, a_end: letters ``[a_start, a_end)`` of A, 0-based.
        edits: between these letters and B on that strand.
        alignment: of these letters with B on that strand; None if not requested.
    """

    strand: int
    a_start: int
    a_end: int
    edits: int
    alignment: Alignment | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EditResult(PairResult):
    """Answer to an ``EditJob``; checked before it is returned.

    Attributes:
        distance: unit-cost edit distance (with free ends: of the aligned part); an upper bound if not ``exact``.
        exact: False when a fixed band was too narrow to prove the distance.
        alignment: the alignment, or None if not requested. The choice among optimal ones does not depend on strategy,
            band, blocks or threads: from the end, equal letters first, then X, then D, then I; at the common prefix the
            remaining letters form one gap. Gaps are left-most: none can move left at the same cost. With
            ``Ties.FEWEST_GAPS``, windows have the fewest gaps, see ``wavediff.core.kernels.traceback.fewest_gaps``; a
            sequence contained in the other one stays in one piece. If not ``exact``, no gap can pass equal letters.
        skips: skipped cells; with the cells inside the last band they add up to ``n_cells``.
        bands: every band tried, in order.
        place: the aligned part with free ends, else None. Among the places of least cost it ends first in A
            (``Ends.B``: in B), and extends as far left, then right, as that cost allows.
        strand: -1 if the reverse complement of B has the best place; ``place`` and ``alignment`` refer to it.
        cut: for a circular A, the letter (0-based) of A that comes first in ``place`` and ``alignment``; else None.
        loci: all places of B in A within the limit of the job, by place, then strand; None if not requested. On a
            strand no two places share a letter: the best place is taken first, then the best ones on both sides of it.
        score: score of an overlap, see ``wavediff.core.methods.edit.Ends``; 0, with an empty place, if there is none.
        expected_by_chance: expected number of overlaps of that score in random letters; None if unknown.
    """

    distance: int
    exact: bool
    skips: tuple[Skip, ...]
    bands: tuple[BandAttempt, ...]
    place: Place | None = None
    strand: int = 1
    cut: int | None = None
    score: int | None = None
    expected_by_chance: float | None = None
    loci: tuple[Locus, ...] | None = None

    def letters(self, a: Letters, b: Letters) -> tuple[Letters, Letters]:
        if self.cut:
            a = np.roll(a, -self.cut)
        return a, b if self.strand > 0 else np.frombuffer(reverse_complement(b.tobytes()), np.uint8)

    @property
    def place_in_file(self) -> Place | None:
        """``place`` in file coordinates, see ``wavediff.core.sequences.orientation.Orientation.stretch``."""
        if self.place is None or self.read is None:
            return self.place
        a, b = self.read
        return Place(*a.stretch(*self.place[:2]), *b.stretch(*self.place[2:]))

    @property
    def best_locus(self) -> int | None:
        """Index in ``loci`` of the locus with ``place`` and ``alignment``, or None."""
        here = (self.strand, self.place and self.place[:2])
        of_loci = [(one.strand, (one.a_start, one.a_end)) for one in self.loci or ()]
        return of_loci.index(here) if here in of_loci else None
