"""The rule by which one of several alignments of the same cost is shown, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wavediff.core.base.numbers import count
from wavediff.core.methods.base import Ties

if TYPE_CHECKING:
    from wavediff.core.jobs.results import TieBreak


def ties_text(ties: TieBreak | None) -> str:
    """Return by which rule gaps are as many as they are, a clause; empty where there is no alignment, or no rule."""
    if ties is None:
        return ""
    if ties.bound:
        return "gaps as found, as the cost is an upper bound only"
    if ties.rule == Ties.LEFT_MOST:
        return "of the alignments that cost the same the one whose gaps lie as far left as they can"
    if ties.unrelated:
        return "gaps as found, as the pair is no more alike than shuffled letters"
    fewest = "the fewest gaps at the same cost between long equal runs, then as far left as they can"
    if not ties.nearby:
        return fewest
    near = f"in {count(ties.nearby, 'stretch', 'stretches')} only near the path found first"
    return f"{fewest}; {near}"


def gaps_definition(ties: TieBreak | None, plain: str) -> str:
    """Return the definition of gap openings in the statistics; ``plain`` where there is no rule."""
    if ties is None:
        return plain
    if ties.bound:
        rule = "as found: the cost is an upper bound only"
    elif ties.rule == Ties.LEFT_MOST:
        rule = "each as far left as it can lie"
    elif ties.unrelated:
        rule = "as found: no more alike than shuffled letters"
    else:
        rule = f"the fewest {'found at' if ties.nearby else 'at'} this cost between long equal runs"
    return f"runs of insertions and runs of deletions, {rule}"


def ties_lines(result: Any) -> list[str]:
    """Return the line of the command line's summary about ties, none where there is nothing to say."""
    text = ties_text(result.ties)
    return [f"ties: {text}"] if text and result.alignment.n_gaps > 1 else []
