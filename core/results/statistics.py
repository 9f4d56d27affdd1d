"""Figures of a result, each with the definition it was counted by; window, command line and exports use the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.results.alignment import Alignment, Op
from core.results.edit import EditResult
from core.results.identity import DEFINITIONS, identities, of_distance, of_lengths
from core.results.lcs import LcsResult
from core.results.swap_edit import SwapEditResult

PairResult = LcsResult | EditResult | SwapEditResult


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of a table of statistics.

    Attributes:
        key: name for programs, as in the JSON.
        name, definition: for a person.
        value: a count (int) or a share in 0..1 (float); None where the job did not compute it.
    """

    key: str
    name: str
    definition: str
    value: int | float | None


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


def measures(result: PairResult, n_a: int, n_b: int) -> tuple[Measure, ...]:
    """Return all figures of ``result`` in the order in which they are shown.

    Args:
        result: of a sequence of ``n_a`` letters with one of ``n_b``. Without an alignment the figures that need
            one are None; what a method does not answer (the edit distance of an LCS) is None as well.
    """
    alignment = result.alignment
    counted = None if alignment is None else Statistics.of(alignment, _distance(result))
    lines = [_headline(result), *_swaps(result)]
    for key, (name, definition) in _COUNTS.items():
        lines.append(Measure(key, name, definition, None if counted is None else getattr(counted, key)))
    shares = counted.identity if counted is not None else _without_alignment(result, n_a, n_b)
    lines += [Measure(key, *texts, shares.get(key)) for key, texts in DEFINITIONS.items()]
    return tuple(_bounded(one) if isinstance(result, EditResult) and not result.exact else one for one in lines)


def _swaps(result: PairResult) -> list[Measure]:
    if not isinstance(result, SwapEditResult):
        return []
    plain = "the fewest letters to exchange, insert or delete to make B of A, without swaps"
    swaps = "pairs of letters that stand the other way round; in the counts below two X each, with a gap between or not"
    return [
        Measure("distance_without_swaps", "Edit distance without swaps", plain, result.distance_without_swaps),
        Measure("swaps", "Swaps", swaps, None if result.swaps is None else len(result.swaps)),
    ]


def _bounded(one: Measure) -> Measure:
    """Say of what follows from an upper bound of the distance that it is a bound as well."""
    if one.key != "one_minus_distance_over_longer":
        return one
    return replace(one, name=f"{one.name}, at least", definition=f"{one.definition}; a lower bound")


def _headline(result: PairResult) -> Measure:
    if isinstance(result, LcsResult):
        return Measure("lcs", "LCS length", "the most letters that both have in the same order", result.length)
    if isinstance(result, SwapEditResult):
        definition = "the fewest letters to exchange, insert or delete and pairs of letters to swap to make B of A"
        return Measure("distance", "Edit distance with swaps", definition, result.distance_with_swaps)
    definition = "the fewest letters to exchange, insert or delete to make B of A"
    if result.exact:
        return Measure("distance", "Edit distance", definition, result.distance)
    bound = f"an upper bound of {definition}: the band was too narrow to prove it"
    return Measure("distance", "Edit distance, at most", bound, result.distance)


def _distance(result: PairResult) -> int | None:
    """Return the edit distance without swaps, where it is known."""
    if isinstance(result, SwapEditResult):
        return result.distance_without_swaps
    return result.distance if isinstance(result, EditResult) else None


def _without_alignment(result: PairResult, n_a: int, n_b: int) -> dict[str, float]:
    if isinstance(result, LcsResult):
        return {"two_matches_over_lengths": of_lengths(result.length, n_a, n_b)}
    distance = _distance(result)
    return {} if distance is None else {"one_minus_distance_over_longer": of_distance(distance, n_a, n_b)}
