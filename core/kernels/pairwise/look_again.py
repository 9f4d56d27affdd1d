"""Verification of a computed source of an answer: block matrix or diagonal points."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.events import Event, Step

SAMPLE_SECONDS, FULL_SECONDS = 2.5e-4, 1e-3  # that every job has for samples, and for a check of all there is
MAX_TIME_SHARE = 0.02  # of the time of the job may go into more of either
CELL_RATE = 5e11  # cells that a core with wide vectors computes a second; slower ones give a check less of their time


def expected_seconds(cells: int, rate: float = CELL_RATE) -> float:
    """Return the minimum seconds of a job with ``cells`` cells.

    Checks are sized by this and not by the clock: the same job is checked in the same way each time.
    """
    return cells / rate


def budget(seconds: float, least: float = SAMPLE_SECONDS) -> float:
    """Return the time limit of a check for a job expected to take ``seconds``."""
    return max(least, MAX_TIME_SHARE * seconds)


class Original(NamedTuple):
    """Letters as given by the job, including stripped common ends."""

    a: Letters
    b: Letters
    fold_case: bool


class Recheck(NamedTuple):
    """Result of a verification.

    Attributes:
        value: read in another way: the length of the LCS, or the edit distance.
        share: of the work that was done again by another kernel, and agreed.
        fault: what did not, a part of a sentence.
    """

    value: int
    share: float
    fault: str = ""


# (step of the job, letters, seconds that the job is expected to take) -> what came out; None: it cannot be looked at.
LookAgain = Callable[[Step, Original, float], Generator[Event, None, Recheck | None]]


class NotLookedAt:
    """Placeholder for a matrix without verification; see ``wavediff.core.kernels.pairwise.matrix.DpMatrix``."""

    def recheck(self, step: Step, original: Original, seconds: float) -> Generator[Event, None, Recheck | None]:  # noqa: ARG002
        yield from ()
        return None
