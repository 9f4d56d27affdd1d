"""Request for the chance level of a comparison."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.jobs import next_job_id
from core.methods.base import PairJob


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ChanceJob:
    """Request for how alike random letters of the same compositions are by the same method.

    Attributes:
        pair: the comparison; its letters, both of which must be there, give the compositions and the lengths.
    """

    pair: PairJob
    id: int = field(default_factory=next_job_id)
