"""Verification of a score, by the run itself or by a second algorithm."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from wavediff.core.base.numbers import percent


class Check(StrEnum):
    """Kind of check that a run makes itself."""

    RECOMPUTED = "recomputed"  # in full, by another kernel, on the letters themselves
    BOUND = "bound"  # a path costs what no path can undercut
    SAMPLED = "sampled"  # read along other borders too, and some cells computed again by another kernel


class Verification(NamedTuple):
    """Check that a score passed.

    Attributes:
        share: of the work that was done again by another kernel, 0 to 1.
    """

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
NOT_VERIFIED = "not verified; --prove (the button Prove) computes it again by a second algorithm"


class Proof(NamedTuple):
    """Second algorithm that computed the same score.

    Attributes:
        algorithm: what it was, a part of a sentence. device: that computed it. seconds: that it took.
        score: that both gave.
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
        return f"{self.seal} ({self.device.upper()}, {self.seconds:.3g} s)"
