"""Statistics of a result with their definitions, identities included; shared by window, command line and exports."""

from __future__ import annotations

from typing import Any, NamedTuple

from wavediff.core.base.numbers import number
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.ambiguous_columns import NONE_APART, Apart
from wavediff.core.methods.base import Measure, Method, of_distance, of_lengths
from wavediff.core.methods.tie_texts import ties_text
from wavediff.core.sequences.letter_rules import Ambiguity

# Key of each identity -> its name and its definition, in the order in which they are shown; all are in 0..1, 1 for
# nothing at all.
DEFINITIONS: dict[str, tuple[str, str]] = {
    "matches_over_columns": ("Identity over columns", "matches / columns of the alignment, gaps included"),
    "gap_compressed": ("Gap-compressed identity", "matches / (matches + X + gap opens): a gap counts once"),
    "one_minus_distance_over_longer": ("Identity by distance", "1 − edit distance / length of the longer sequence"),
    "two_matches_over_lengths": (
        "Identity by matches",
        "2 × matches / (length of A + length of B); matches of the LCS method: its length",
    ),
}


def identities(alignment: Alignment, distance: int | None = None, apart: Apart = NONE_APART) -> dict[str, float]:
    """Return the known identities in the order and with the keys of ``DEFINITIONS``.

    Columns counted separately are matches, or omitted with their letters; without remaining columns there is no
    identity.

    Args:
        alignment: alignment, which all identities but one need.
        distance: the edit distance (or an upper bound, for a lower bound of the identity); alignments of other methods,
            e.g. an LCS, do not give it.
    """
    alignment = alignment.aligned
    matches, columns = apart.matches(alignment.count(Op.EQUAL)), apart.columns(alignment.n_columns)
    if not columns and apart.n:
        return {}
    opens = alignment.n_gaps - apart.opens
    n_a, n_b = apart.letters(alignment.n_a), apart.letters(alignment.n_b)
    values = {
        "matches_over_columns": _ratio(matches, columns),
        "gap_compressed": _ratio(matches, matches + alignment.count(Op.MISMATCH) - apart.substituted + opens),
        "two_matches_over_lengths": of_lengths(matches, n_a, n_b),
    }
    if distance is not None:
        # The best path of all letters may differ from that of the known letters.
        most = max(n_a, n_b) if apart.n else distance
        values["one_minus_distance_over_longer"] = of_distance(min(distance - apart.edits, most), n_a, n_b)
    return {key: values[key] for key in DEFINITIONS if key in values}


def gcups(cells: int, seconds: float) -> float:
    """Return 10^9 cells per second (of a whole run: cells of the full matrix); 0 if no time was measured."""
    return cells / seconds / 1e9 if seconds > 0 else 0.0


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


class Statistics(NamedTuple):
    """Counts of an alignment in letters or columns, without its overhang.

    Attributes:
        n_a, n_b: letters of A and of B.
        columns: including gaps.
        matches, mismatches, insertions, deletions: columns of each operation.
        gap_opens: runs of insertions and runs of deletions; a D next to an I counts as two.
        longest_match: columns of the longest run of matches.
        apart: columns counted separately, in no other count.
        identity: by key of ``DEFINITIONS``, if known.
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
    apart: Apart
    identity: dict[str, float]

    @classmethod
    def of(cls, alignment: Alignment, distance: int | None = None, apart: Apart = NONE_APART) -> Statistics:
        """Return the counts of ``alignment``; ``distance``: the edit distance, if the alignment is optimal for it."""
        whole, alignment = alignment, alignment.aligned
        exact = alignment.lengths[alignment.ops == Op.EQUAL]
        is_empty = not alignment.n_columns and whole.n_columns > 0  # with free ends, no letter was aligned
        return cls(
            n_a=alignment.n_a,
            n_b=alignment.n_b,
            columns=alignment.n_columns,
            matches=int(exact.sum()) - apart.equal,
            mismatches=alignment.count(Op.MISMATCH) - apart.substituted,
            insertions=alignment.count(Op.INSERTION) - apart.paired,
            deletions=alignment.count(Op.DELETION) - apart.paired,
            gap_opens=alignment.n_gaps - apart.opens,
            longest_match=int(exact.max(initial=0)),
            apart=apart,
            identity={} if is_empty else identities(alignment, distance, apart),
        )

    @property
    def edits(self) -> int:
        """Letters substituted, inserted and deleted: the cost at unit costs."""
        return self.mismatches + self.insertions + self.deletions


# Counted on the alignment: attribute of Statistics -> name and definition, in the order in which they are shown.
_COUNTS: dict[str, tuple[str, str]] = {
    "matches": ("Matches (=)", "columns with equal letters under the case rule"),
    "mismatches": ("Substitutions (X)", "columns with two different letters"),
    "insertions": ("Insertions (I)", "letters of B without a partner in A"),
    "deletions": ("Deletions (D)", "letters of A without a partner in B"),
    "gap_opens": ("Gap opens", "runs of insertions and runs of deletions of any length"),
    "columns": ("Columns", "all columns of the alignment"),
    "longest_match": ("Longest exact run", "columns of the longest stretch of matches"),
}


def _apart_lines(result: Any) -> list[Measure]:
    """Return the row for columns with ambiguity codes; empty without any."""
    if result.codes is None or result.ambiguity is Ambiguity.LETTERS:
        return []
    if result.apart.match:
        name, text = "Compatible codes", "columns of two letters that may be the same residue; count as matches"
    else:
        name = f"Columns with {result.codes.letter}"
        text = "columns with an unknown residue in A or B; counted only among all columns, in no identity"
        text += f"; {number(result.apart.equal)} of them have it in both" if result.apart.equal else ""
    return [Measure(f"{result.ambiguity}_columns", name, text, result.apart.n)]


def measures(method: Method, result: Any, n_a: int, n_b: int, *, shown: bool = False) -> tuple[Measure, ...]:
    """Return all statistics of ``result`` in display order.

    Args:
        method: of the ``result`` for ``n_a`` and ``n_b`` letters. Values that need a missing alignment are None, as are
            values that the method does not compute (the edit distance of an LCS).
        shown: count the alignment as displayed, see ``wavediff.core.jobs.results.PairResult.shown``.
    """
    alignment, apart = (result.shown, result.shown_apart) if shown else (result.alignment, result.apart)
    counted = None if alignment is None else Statistics.of(alignment, method.edit_distance(result), apart)
    lines = [*method.measures(result), *_apart_lines(result)]
    for key, (name, definition) in _COUNTS.items():
        if key == "gap_opens" and result.ties is not None:
            definition = f"runs of insertions and runs of deletions, {ties_text(result.ties)}"
        lines.append(Measure(key, name, definition, None if counted is None else getattr(counted, key)))
    shares = counted.identity if counted is not None else method.identities(result, n_a, n_b)
    of_parts = "" if getattr(result, "place", None) is None else "; of the parts that are aligned"
    for key, (name, definition) in DEFINITIONS.items():
        lines.append(Measure(key, name, f"{definition}{of_parts}", shares.get(key), is_share=True))
    return tuple(method.bounded(line, result) for line in lines)
