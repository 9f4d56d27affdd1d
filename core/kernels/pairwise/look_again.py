"""Verification of the data behind a score: a block matrix, or points on diagonals."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.events import Event, Step

SAMPLE_SECONDS, FULL_SECONDS = 2.5e-4, 1e-3  # that every job has for samples, and for a check that takes none
RECOMPUTE_SECONDS = 4e-4  # for a check of all there is in place of samples, which take nearly as long
MAX_TIME_SHARE = 0.02  # of the time of the job may go into more of either
CELL_RATE = 5e11  # cells that a core with wide vectors computes a second; slower ones give a check less of their time


def expected_seconds(cells: int, rate: float = CELL_RATE) -> float:
    """Return the minimum seconds of a job with ``cells`` cells.

    Checks are sized by this and not by the clock, so that the same job always gets the same check.
    """
    return cells / rate


def budget(seconds: float, least: float = SAMPLE_SECONDS) -> float:
    """Return the time limit of a check for a job expected to take ``seconds``."""
    return max(least, MAX_TIME_SHARE * seconds)


class Original(NamedTuple):
    """Letters as given by the job, with the common ends that are stripped elsewhere."""

    a: Letters
    b: Letters
    fold_case: bool


class Recheck(NamedTuple):
    """Result of a verification.

    Attributes:
        value: the length of the LCS, or the edit distance, by the second method.
        share: fraction of the work that another kernel repeated with the same result.
        fault: the disagreement, a part of a sentence.
    """

    value: int
    share: float
    fault: str = ""


# (step of the job, letters, seconds that the job is expected to take) -> what came out; None: it cannot be looked at.
LookAgain = Callable[[Step, Original, float], Generator[Event, None, Recheck | None]]


class NotLookedAt:
    """Matrix without a verification; see ``recheck`` of ``wavediff.core.kernels.pairwise.matrix.DpMatrix``."""

    def recheck(self, step: Step, original: Original, seconds: float) -> Generator[Event, None, Recheck | None]:  # noqa: ARG002
        yield from ()
        return None
