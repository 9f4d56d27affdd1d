"""Figures of a result, identities among them, each with its definition; window, command line and exports agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.jobs.alignment import Alignment, Op
from core.methods.base import Measure, Method, of_distance, of_lengths
from core.translate import tr_noop

# Key of each identity -> its name and its definition, in the order in which they are shown; all are in 0..1, 1 for
# nothing at all.
DEFINITIONS: dict[str, tuple[str, str]] = {
    "matches_over_columns": (
        tr_noop("Identity over columns"),
        tr_noop("matches / columns of the global alignment, gaps included"),
    ),
    "gap_compressed": (
        tr_noop("Gap-compressed identity"),
        tr_noop("matches / (matches + X + gap opens): a gap counts once"),
    ),
    "one_minus_distance_over_longer": (
        tr_noop("Identity by distance"),
        tr_noop("1 − edit distance / length of the longer sequence"),
    ),
    "two_matches_over_lengths": (
        tr_noop("Identity by matches"),
        tr_noop("2 × matches / (length of A + length of B); with the LCS: 2 × LCS / (n + m)"),
    ),
}


def identities(alignment: Alignment, distance: int | None = None) -> dict[str, float]:
    """Return identity by each definition that is known, in the order and by the keys of ``DEFINITIONS``.

    Args:
        alignment: gives all but one.
        distance: the edit distance (or an upper bound, which makes a lower bound of the identity); an alignment
            that was made for something else, such as an LCS, does not say what it is.
    """
    alignment = alignment.aligned
    matches = alignment.count(Op.EQUAL)
    found = {
        "matches_over_columns": _ratio(matches, alignment.n_columns),
        "gap_compressed": _ratio(matches, matches + alignment.count(Op.MISMATCH) + alignment.n_gaps),
        "two_matches_over_lengths": of_lengths(matches, alignment.n_a, alignment.n_b),
    }
    if distance is not None:
        found["one_minus_distance_over_longer"] = of_distance(distance, alignment.n_a, alignment.n_b)
    return {key: found[key] for key in DEFINITIONS if key in found}


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of an alignment without its overhang, in letters or columns.

    Attributes:
        n_a, n_b: letters of A and of B.
        columns: columns, gaps included.
        matches, mismatches, insertions, deletions: columns of each operation.
        gap_opens: runs of insertions and runs of deletions; a D beside an I counts as two.
        longest_match: columns of the longest run of matches.
        identity: by each key of ``DEFINITIONS`` that is known.
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
        alignment = alignment.aligned
        exact = alignment.lengths[alignment.ops == Op.EQUAL]
        return cls(
            n_a=alignment.n_a,
            n_b=alignment.n_b,
            columns=alignment.n_columns,
            matches=int(exact.sum()),
            mismatches=alignment.count(Op.MISMATCH),
            insertions=alignment.count(Op.INSERTION),
            deletions=alignment.count(Op.DELETION),
            gap_opens=alignment.n_gaps,
            longest_match=int(exact.max(initial=0)),
            identity=identities(alignment, distance),
        )

    @property
    def edits(self) -> int:
        """Substitutions, insertions and deletions, in letters: what this alignment costs at unit costs."""
        return self.mismatches + self.insertions + self.deletions


# Counted on the alignment: attribute of Statistics -> name and definition, in the order in which they are shown.
_COUNTS: dict[str, tuple[str, str]] = {
    "matches": (tr_noop("Matches (=)"), tr_noop("columns with equal letters under the case rule")),
    "mismatches": (tr_noop("Substitutions (X)"), tr_noop("columns with two different letters")),
    "insertions": (tr_noop("Insertions (I)"), tr_noop("letters of B without a partner in A")),
    "deletions": (tr_noop("Deletions (D)"), tr_noop("letters of A without a partner in B")),
    "gap_opens": (tr_noop("Gap opens"), tr_noop("runs of insertions and runs of deletions, whatever their length")),
    "columns": (tr_noop("Columns"), tr_noop("= + X + I + D")),
    "longest_match": (tr_noop("Longest exact run"), tr_noop("columns of the longest stretch of matches")),
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
    lines += [Measure(key, name, text, shares.get(key), is_share=True) for key, (name, text) in DEFINITIONS.items()]
    return tuple(method.bounded(one, result) for one in lines)
