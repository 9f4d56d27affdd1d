"""The question how B is to be oriented to fit A, and its answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.arrays import Letters, freeze
from core.jobs import next_job_id
from core.sequences.orientation import Orientation, Strand


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OrientJob:
    """Request for the strand of B that fits A, and for the letter with which a circular B begins.

    Attributes:
        a, b: uint8, 1-D, DNA as it stands in its file; case is ignored.
        strand: of B; None for the one that shares more unique k-mers with A.
        circular: B is a circle, to be read from the letter on that lies on the first one of A.
    """

    a: Letters
    b: Letters
    strand: Strand | None = None
    circular: bool = False
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", freeze(self.a))
        object.__setattr__(self, "b", freeze(self.b))


@dataclass(frozen=True, slots=True)
class FoundOrientation:
    """Answer to an ``OrientJob``.

    Attributes:
        doubts: what could not be found, or not without choice, a sentence each.
    """

    orientation: Orientation
    doubts: tuple[str, ...] = ()
