"""Figures of a result, each with the definition it was counted by; window, command line and exports use the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.methods.base import Measure, Method
from core.results.alignment import Alignment, Op
from core.results.identity import DEFINITIONS, identities


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of an alignment, in letters or columns.

    Attributes:
        n_a, n_b: letters of A and of B.
        columns: columns, gaps included.
        matches, mismatches, insertions, deletions: columns of each operation.
        gap_opens: runs of insertions and runs of deletions; a D beside an I counts as two.
        longest_match: columns of the longest run of matches.
        identity: by each key of ``core.results.identity.DEFINITIONS`` that is known.
    """

    n_a: int
    n_b: int
    columns: int
    matches: int
    mismatches: int
    insertions: int
    deletions: int
    gap_opens: int
    longest_match: int
    identity: dict[str, float]

    @classmethod
    def of(cls, alignment: Alignment, distance: int | None = None) -> Statistics:
        """Count ``alignment``; ``distance`` is its edit distance, where that is what it was made for."""
        exact = alignment.lengths[alignment.ops == Op.EQUAL]
        return cls(
            n_a=alignment.n_a,
            n_b=alignment.n_b,
            columns=alignment.n_columns,
            matches=int(exact.sum()),
            mismatches=alignment.count(Op.MISMATCH),
            insertions=alignment.count(Op.INSERTION),
            deletions=alignment.count(Op.DELETION),
            gap_opens=int(np.isin(alignment.ops, (Op.INSERTION, Op.DELETION)).sum()),
            longest_match=int(exact.max(initial=0)),
            identity=identities(alignment, distance),
        )

    @property
    def edits(self) -> int:
        """Letters exchanged, inserted and deleted: what this alignment costs at unit costs."""
        return self.mismatches + self.insertions + self.deletions


# Counted on the alignment: attribute of Statistics -> name and definition, in the order in which they are shown.
_COUNTS: dict[str, tuple[str, str]] = {
    "matches": ("Matches (=)", "columns with equal letters under the case rule"),
    "mismatches": ("Mismatches (X)", "columns with two different letters"),
    "insertions": ("Insertions (I)", "letters of B without a partner in A"),
    "deletions": ("Deletions (D)", "letters of A without a partner in B"),
    "gap_opens": ("Gap opens", "runs of insertions and runs of deletions, whatever their length"),
    "columns": ("Columns", "= + X + I + D"),
    "longest_match": ("Longest exact run", "columns of the longest stretch of matches"),
}


def measures(method: Method, result: Any, n_a: int, n_b: int) -> tuple[Measure, ...]:
    """Return all figures of ``result`` in the order in which they are shown.

    Args:
        method: whose ``result`` of a sequence of ``n_a`` letters with one of ``n_b`` it is. Without an alignment the
            figures that need one are None; what a method does not answer (the edit distance of an LCS) is None as well.
    """
    alignment = result.alignment
    counted = None if alignment is None else Statistics.of(alignment, method.edit_distance(result))
    lines = method.measures(result)
    for key, (name, definition) in _COUNTS.items():
        lines.append(Measure(key, name, definition, None if counted is None else getattr(counted, key)))
    shares = counted.identity if counted is not None else method.identities(result, n_a, n_b)
    lines += [Measure(key, *texts, shares.get(key), is_share=True) for key, texts in DEFINITIONS.items()]
    return tuple(method.bounded(one, result) for one in lines)
