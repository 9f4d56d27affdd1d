"""Base classes of results: common fields of all jobs, and of all comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.ambiguous_columns import NONE_APART, Apart, CodeColumns
from wavediff.core.jobs.verification import NOT_VERIFIED, Proof, Verification
from wavediff.core.sequences.letter_rules import Ambiguity
from wavediff.core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Result:
    """Answer to a job.

    Attributes:
        device: ``cpu``, ``gpu`` or ``cluster``.
        kernel_seconds, wall_seconds: time inside kernels, and of the whole job without compiling.
    """

    job_id: int
    device: str
    kernel_seconds: float
    wall_seconds: float


class TieBreak(NamedTuple):
    """Choice among the optimal alignments.

    Attributes:
        rule: what was asked for, see ``wavediff.core.methods.base.Ties``.
        windows: stretches of the path that were solved again by cost and gap openings.
        nearby: those of them of which only what lies near the path was computed: there may be fewer gaps still.
        unrelated: no more alike than shuffled letters, so that the path was left as it was found.
        bound: only an upper bound, likewise.
    """

    rule: str
    windows: int = 0
    nearby: int = 0
    unrelated: bool = False
    bound: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairResult(Result):
    """Answer to a ``PairJob``; checked before it is returned.

    Attributes:
        alignment: its columns, or None when only the number was asked for.
        strategy: how it was computed (``ends``, ``disjoint``, ``subsequence``, ``probe``, ``band``, ``sudo``, ``full``,
            ``hirschberg``). reason: why that way, one sentence.
        n_cells: cells of the full n x m matrix.
        cells: cells computed, all attempts and the traceback included.
        codes: columns with ambiguity codes, where there are such codes and an alignment.
        ambiguity: how figures take them.
        ties: which of the best alignments it is; None where there is none, or where the costs leave hardly any choice.
        verification: the check that the score passed; None: none, see ``wavediff.core.jobs.verification``.
        proof: a second algorithm that gave the same score; None where none was asked for.
        read: the sequences as ``alignment`` has them, see ``wavediff.core.methods.base.Method.compared``; None at
            first.
    """

    alignment: Alignment | None
    strategy: str
    reason: str
    n_cells: int
    cells: int
    codes: CodeColumns | None = None
    ambiguity: Ambiguity = Ambiguity.MISSING
    ties: TieBreak | None = None
    verification: Verification | None = None
    proof: Proof | None = None
    read: tuple[Sequence, Sequence] | None = None

    @property
    def verified(self) -> bool:
        """True if the score was verified by more than the kernels that computed it."""
        return self.verification is not None or self.proof is not None

    @property
    def checked(self) -> str:
        """The check of the score, a part of a sentence."""
        checks = [one.text for one in (self.proof, self.verification) if one is not None]
        return "; ".join(checks) or NOT_VERIFIED

    @property
    def apart(self) -> Apart:
        """Columns counted separately."""
        return NONE_APART if self.codes is None else self.codes.apart(self.ambiguity)

    @property
    def shown_apart(self) -> Apart:
        """The same for ``shown``, where a deletion and an insertion that form a pair are one column."""
        return self.apart._replace(substituted=self.apart.edits, paired=0, opens=0)

    @property
    def apart_at(self) -> Counts | None:
        """Columns of ``shown`` that are separately counted substitutions, see ``CodeColumns``, or None."""
        return None if self.codes is None else self.codes.apart_at(self.ambiguity)

    def letters(self, a: Letters, b: Letters) -> tuple[Letters, Letters]:
        """Return the letters of a job in the order and on the strand of ``alignment``."""
        return a, b

    @property
    def shown(self) -> Alignment | None:
        """The alignment as displayed and counted."""
        if self.codes is None or self.ambiguity is Ambiguity.LETTERS:
            return self.alignment
        return self.codes.alignment
