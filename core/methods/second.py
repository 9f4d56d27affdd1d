"""Second computation of a score, to verify it; imports nothing heavy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs import Job, KernelModules, next_job_id
from wavediff.core.methods.base import TracebackMethod

if TYPE_CHECKING:
    from wavediff.core.base.arrays import Letters

WORD_CELLS = 2e11  # cells of one thread in about ten seconds, by words
CELL_BY_CELL = 5e8  # cells of one thread in about ten seconds, one by one
BACKWARDS = "read from the end to the beginning"


class Second(NamedTuple):
    """Second way to compute a score.

    Attributes:
        job: a ``PairJob`` for the number only, or a ``RowsJob``. algorithm: name, a part of a sentence.
        agrees: returns whether its answer is consistent with the claim; None: the numbers must be equal.
    """

    job: Any
    algorithm: str
    agrees: Callable[[Any], bool] | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowsJob(Job):
    """Edit distance, or insertions and deletions of an LCS, by whole rows with word additions.

    Attributes:
        a, b: letters. indel: whether to count insertions and deletions only, as in an LCS. edits: number to verify; it
            limits the computed diagonals, so a larger result is an upper bound.
    """

    modules = KernelModules("wavediff.core.kernels.pairwise.recompute")

    a: Letters
    b: Letters
    fold_case: bool
    indel: bool
    edits: int


NO_PROOF = "an upper bound cannot be verified: compare with a wider band, or '--band auto'"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProofJob(Job):
    """Verification of the score of ``pair`` by a second algorithm; ``result``: the answer to ``pair`` so far."""

    modules = KernelModules("wavediff.core.run.prove")

    pair: Any
    result: Any


def require_score(result: Any) -> None:
    """Raise an error for a result without a score to verify."""
    if not getattr(result, "exact", True):
        raise WavediffError(NO_PROOF)


def backwards(job: Any, what: str = "the matrix", *, exchanged: bool = False, **changes: Any) -> Second:
    """Return a second computation of the number, by ``job`` with both sequences reversed.

    Args:
        what: name of the computation, for users. exchanged: exchange A and B. changes: other fields of the job.
    """
    a, b = (job.b, job.a) if exchanged else (job.a, job.b)
    turned_job = replace(
        job, id=next_job_id(), a=a[::-1].copy(), b=b[::-1].copy(), path=TracebackMethod.NONE, **changes
    )  # fmt: skip
    return Second(turned_job, f"{what}, {BACKWARDS}, B as rows" if exchanged else f"{what}, {BACKWARDS}")


def rows(job: Any, edits: int, *, indel: bool) -> Second | None:
    """Return a second computation of ``edits``, row by row on the reversed sequences; None if it would take long."""
    n, m = int(job.a.size), int(job.b.size)
    if n * min(edits + 1, m) > WORD_CELLS:
        return None
    a, b = job.a[::-1].copy(), job.b[::-1].copy()
    rows_job = RowsJob(a=a, b=b, fold_case=job.fold_case, indel=indel, edits=edits)
    return Second(rows_job, f"rows of words with additions, {BACKWARDS}")
