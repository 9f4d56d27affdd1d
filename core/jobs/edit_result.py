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
    BAND = "outside_band"  # no path good enough leaves the band
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
        blocks: blocks of the grid not computed; 0 where there was no grid.
        cells: cells of the full matrix not computed for this reason.
        seconds: what they would have taken at the speed of this run (of a typical run where nothing ran): an estimate.
    """

    reason: SkipReason
    blocks: int
    cells: int
    seconds: float


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
        edits: of B, or its reverse complement, and these letters.
        alignment: of these letters with B on that strand; None when only numbers were asked for.
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
        distance: unit-cost edit distance; only an upper bound where not ``exact``. With free ends that of the aligned
            part.
        exact: False when a fixed band was too narrow to prove the distance.
        alignment: its columns, or None when only the distance was asked for. Of the best ones always the same, whatever
            the way, the band, the blocks and the threads: walking from the end, equal letters first, then X, then D,
            then I; where that first touches the common prefix the rest is one gap. Gaps lie left-most: none could be
            moved a letter to the left at the same cost. With ``Ties.FEWEST_GAPS`` windows of it have as few gaps as
            they can, see ``wavediff.core.kernels.traceback.fewest_gaps``; a sequence that the other one contains stays
            in one piece. Where not ``exact``: no gap could pass equal letters.
        skips: the ledger; the cells of its lines and those inside the last band add up to ``n_cells``.
        bands: every band tried, in order.
        place: the aligned part where ends are free, else None. Of the places of least cost it is the one that ends
            first in A (``Ends.B``: in B), and it reaches as far to the left, then to the right, as that cost allows.
        strand: -1 where ``place`` and ``alignment`` are of the reverse complement of B: the best of all places.
        cut: letter of A, from 0, that comes first in ``place`` and ``alignment``, where A is a circle; else None.
        loci: all places of B in A within the limit of the job, by place, then strand; None where none was asked for. On
            a strand no two have a letter in common: the best one is taken first, then the best of what is left on
            either side.
        score: of an overlap, see ``wavediff.core.methods.edit.Ends``; 0 and an empty place where there is none.
        expected_by_chance: how many overlaps of that score random letters would have, about; None where not known.
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
