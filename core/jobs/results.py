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
        kernel_seconds, wall_seconds: time inside kernels, and of the whole job without compilation.
    """

    job_id: int
    device: str
    kernel_seconds: float
    wall_seconds: float


class TieBreak(NamedTuple):
    """Choice among the optimal alignments.

    Attributes:
        rule: rule chosen for the job, see ``wavediff.core.methods.base.Ties``.
        windows: stretches of the path solved again by cost and gap openings.
        nearby: windows computed near the path only; fewer gaps may be possible.
        unrelated: no more similar than shuffled letters, so the path was not changed.
        bound: only an upper bound, so the path was not changed.
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
        alignment: None if none was requested.
        strategy: how it was computed (``ends``, ``disjoint``, ``subsequence``, ``probe``, ``band``, ``sudo``, ``full``,
            ``hirschberg``). reason: of the strategy, one sentence.
        n_cells: cells of the full n x m matrix.
        cells: computed cells, including all attempts and the traceback.
        codes: columns with ambiguity codes, if there are any and an alignment.
        ambiguity: treatment of these columns in statistics.
        ties: choice among the optimal alignments; None without an alignment, or if the costs leave hardly any choice.
        verification: check of the score; None: not checked, see ``wavediff.core.jobs.verification``.
        proof: a second algorithm with the same score; None if not requested.
        read: the sequences of ``alignment``, see ``wavediff.core.methods.base.Method.compared``; initially None.
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
        return NONE_APART if self.codes is None else self.codes.apart(self.ambiguity)

    @property
    def shown_apart(self) -> Apart:
        """``apart`` for the columns of ``shown``, where a pair of a deletion and an insertion is one column."""
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
