"""The rule by which one of several alignments of the same cost is shown, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wavediff.core.base.numbers import count
from wavediff.core.methods.base import Ties

if TYPE_CHECKING:
    from wavediff.core.jobs.results import TieBreak


def ties_text(ties: TieBreak | None) -> str:
    """Return by which rule gaps are as many as they are; empty where there is no alignment, or no rule."""
    if ties is None:
        return ""
    if ties.bound:
        return "as found: the cost is an upper bound only"
    if ties.rule == Ties.LEFT_MOST:
        return "each as far left as it can lie"
    if ties.unrelated:
        return "as found: no more alike than shuffled letters"
    near = f", in {count(ties.nearby, 'stretch', 'stretches')} near the path found first only" if ties.nearby else ""
    return f"the fewest at this cost between long equal runs{near}"


def ties_lines(result: Any) -> list[str]:
    """Return the line of the command line's summary about gaps, none where there is nothing to say."""
    text = ties_text(result.ties)
    return [f"gap placement: {text}"] if text and result.alignment.n_gaps > 1 else []
