"""Costs of our alignment and of an alignment of another program, by each method."""

from __future__ import annotations

from typing import Any, NamedTuple

from wavediff.core.base.numbers import count, number
from wavediff.core.export.comparison import Comparison
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.given_alignment import GivenAlignment, stacked
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import AlignedPair
from wavediff.core.methods.options import parsed


class Cost(NamedTuple):
    """Costs (or scores) of both alignments by one method; the id of the method and the unit of the costs."""

    method: str
    name: str
    ours: float
    theirs: float


def costs(comparison: Comparison, theirs: Alignment) -> tuple[Cost, ...]:
    """Return the costs of both alignments by each method that counts letters.

    Letters outside the aligned part of the given alignment count as its gaps, unless our alignment has free ends too.
    """
    ours = comparison.shown
    free = ours.head_runs + ours.tail_runs > 0
    pair = [each.aligned if free else Alignment(each.ops, each.lengths) for each in (ours, theirs)]
    counted, options = [], parsed(comparison.method.options, comparison.options)
    for method in METHODS:
        one, other = (
            method.cost(AlignedPair(each, comparison.a, comparison.b, comparison.fold_case, options)) for each in pair
        )
        if one is not None and other is not None:
            counted.append(Cost(method.id, one[0], one[1], other[1]))
    return tuple(counted)


def table(comparison: Comparison, theirs: Alignment) -> list[tuple[str, ...]]:
    """Return one display row per method: the unit, our cost, and the cost of the other program's alignment."""
    return [(cost.name, *(number(x, 0 if x == int(x) else 2) for x in cost[2:])) for cost in costs(comparison, theirs)]


def text(comparison: Comparison, given: GivenAlignment, n_different: int) -> str:
    """Return one line: the source of the other program's alignment, and how many columns differ from ours."""
    outside = given.alignment.n_columns - given.alignment.aligned.n_columns
    parts = [given.text, f"{count(n_different, 'column differs', 'columns differ')} from ours"]
    if comparison.result.apart.n:
        parts.append(f"codes such as {comparison.result.codes.letter} count as letters in these costs")
    return ", ".join(parts + [f"{count(outside, 'letter', 'letters')} outside"] * (outside > 0))


def fields(comparison: Comparison) -> dict[str, Any] | None:
    """Return the JSON fields, or None without an alignment of another program."""
    if comparison.given is None or comparison.result.alignment is None:
        return None
    given, columns = comparison.given, stacked(comparison.shown, comparison.given.alignment)
    return {
        "source": given.source,
        "lines": [*given.lines],
        "names": [*given.names],
        "starts": [*given.alignment.start],
        "cigar": given.alignment.aligned.cigar(),
        "columns_that_differ": columns.n_different,
        "costs": [cost._asdict() for cost in costs(comparison, given.alignment)],
    }
