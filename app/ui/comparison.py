"""A result and all it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Result of one run with its own pair: nothing of another pair is ever shown beside it.

    Attributes:
        job, result: of ``core.jobs`` and ``core.results``.
        a, b: what was compared; ``fold_case`` whether their case was ignored.
    """

    job: Any
    a: Sequence
    b: Sequence
    fold_case: bool
    result: Any
