"""Texts that name the rule for choosing among optimal alignments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wavediff.core.base.numbers import count
from wavediff.core.methods.base import Ties

if TYPE_CHECKING:
    from wavediff.core.jobs.results import TieBreak


def ties_text(ties: TieBreak | None) -> str:
    """Return the rule that determines the number of gaps; empty without an alignment or a rule."""
    if ties is None:
        return ""
    if ties.bound:
        return "as found: the cost is an upper bound only"
    if ties.rule == Ties.LEFT_MOST:
        return "each as far left as possible"
    if ties.unrelated:
        return "not optimised, because A and B are no more alike than shuffled letters"
    near = f", in {count(ties.nearby, 'stretch', 'stretches')} near the first path only" if ties.nearby else ""
    return f"the fewest possible at this cost between long equal runs{near}"


def ties_lines(result: Any) -> list[str]:
    """Return the summary lines about gaps; empty without gaps to report."""
    text = ties_text(result.ties)
    return [f"gap placement: {text}"] if text and result.alignment.n_gaps > 1 else []
