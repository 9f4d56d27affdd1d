"""Jobs, their events and their results: immutable, safe to hand to another thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

_ids = count(1)


def next_job_id() -> int:
    return next(_ids)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Job:
    """A request; nobody can write to its arrays.

    Attributes:
        id: of its own, which its events and its result carry.
    """

    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        from wavediff.core.base.arrays import freeze_fields  # jobs are imported for the help, which needs no NumPy

        freeze_fields(self)
