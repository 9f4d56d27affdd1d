"""Verification of a score, by the run itself or by a second algorithm."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from wavediff.core.base.numbers import duration, percent


class Check(StrEnum):
    """Kind of check that a run makes itself."""

    RECOMPUTED = "recomputed"  # in full, by another kernel, on the letters themselves
    BOUND = "bound"  # the path has the cost of a proven lower bound
    SAMPLED = "sampled"  # summed along other borders, with some cells recomputed by another kernel


class Verification(NamedTuple):
    """Check that a score passed; ``share``: fraction of the work that another kernel repeated, 0 to 1."""

    check: Check
    share: float = 1.0

    @property
    def text(self) -> str:
        """The check as a clause."""
        if self.check is Check.SAMPLED:
            done = percent(self.share) if self.share >= 0.001 else "under 0.1 %"
            return f"read a second way, and {done} computed again by another kernel"
        return _TEXTS[self.check]


_TEXTS = {
    Check.RECOMPUTED: "computed again in full by another kernel",
    Check.BOUND: "a path of this cost was followed, and none can cost less",
}
NOT_VERIFIED = "not verified; --prove computes it again by a second algorithm"


class Proof(NamedTuple):
    """Second algorithm that computed the same score.

    Attributes:
        algorithm: name, a part of a sentence. device, seconds: device and time of this second computation.
        score: the score that both algorithms computed.
    """

    algorithm: str
    device: str
    seconds: float
    score: float

    @property
    def seal(self) -> str:
        """The proof as a clause without times."""
        return f"came out the same by {self.algorithm}"

    @property
    def text(self) -> str:
        """The proof as a clause, with device and time."""
        return f"{self.seal} ({self.device.upper()}, {duration(self.seconds)})"
