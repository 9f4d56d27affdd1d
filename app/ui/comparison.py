"""A result and all it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.methods import method_of
from core.methods.base import Method
from core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Result of one run with its own pair: nothing of another pair is ever shown beside it.

    Attributes:
        job, result: of ``core.jobs`` or ``core.methods``.
        a, b: what was compared; ``fold_case`` whether their case was ignored.
    """

    job: Any
    a: Sequence
    b: Sequence
    fold_case: bool
    result: Any

    @property
    def method(self) -> Method:
        """The method that the job belongs to, whatever is chosen now."""
        return method_of(self.job)
