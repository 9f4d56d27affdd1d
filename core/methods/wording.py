"""Phrases of answers shared by several methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wavediff.core.base.numbers import count, identity
from wavediff.core.methods.base import LINE, WORD, Method, Ties

if TYPE_CHECKING:
    from wavediff.core.jobs.alignment import Alignment
    from wavediff.core.jobs.results import TieBreak
    from wavediff.core.sequences.sequence import Sequence

MAX_NAMED_EDITS = 9  # edits of several kinds; more are given as a number only


class Edits(NamedTuple):
    """Number of letters of each kind of edit, and of gaps."""

    substitutions: int
    insertions: int
    deletions: int
    swaps: int
    gaps: int

    @classmethod
    def of(cls, result: Any) -> Edits | None:
        """Count the edits of a result; None without an alignment. A swap counts as its own kind.

        Columns counted separately are no edits.
        """
        alignment: Alignment | None = result.shown
        if alignment is None:
            return None
        from wavediff.core.jobs.alignment import Op

        alignment = alignment.aligned

        swaps = 0 if getattr(result, "swaps", None) is None else len(result.swaps)
        substitutions, insertions, deletions = (alignment.count(op) for op in (Op.MISMATCH, Op.INSERTION, Op.DELETION))
        apart = result.shown_apart
        substitutions -= 2 * swaps + apart.substituted
        insertions, deletions = insertions - apart.paired, deletions - apart.paired
        return cls(substitutions, insertions, deletions, swaps, alignment.n_gaps - apart.opens)

    @property
    def named(self) -> list[str]:
        """The kinds that occur, with their numbers."""
        return [
            text
            for n, text in (
                (self.substitutions, count(self.substitutions, "substitution", "substitutions")),
                (self.swaps, count(self.swaps, "swap", "swaps")),
                (self.insertions, f"{count(self.insertions, 'letter', 'letters')} inserted"),
                (self.deletions, f"{count(self.deletions, 'letter', 'letters')} deleted"),
            )
            if n
        ]


def gaps_named(edits: Edits | None, ties: TieBreak | None) -> list[str]:
    """Return the number of gaps and the rule that determines it; empty without gaps.

    >>> from wavediff.core.jobs.results import TieBreak
    >>> edits = Edits(5, 2, 3, 0, 4)
    >>> gaps_named(edits, TieBreak(Ties.FEWEST_GAPS)), gaps_named(edits, TieBreak(Ties.LEFT_MOST))
    (['4 gaps'], ['4 gaps (left-most)'])
    """
    if edits is None or not edits.gaps:
        return []
    gaps = count(edits.gaps, "gap", "gaps")
    if ties is None or ties.bound or edits.gaps == 1:
        return [gaps]
    if ties.rule == Ties.LEFT_MOST:
        return [f"{gaps} (left-most)"]
    return [gaps, "no more alike than shuffled letters"] if ties.unrelated else [gaps]


def edits_text(distance: int, edits: Edits | None) -> str:
    """Return the number of edits as text; edits that are all of one kind are named by that kind.

    >>> edits_text(5, Edits(5, 0, 0, 0, 0)), edits_text(3, Edits(2, 1, 0, 0, 1)), edits_text(1, None)
    ('5 substitutions', '3 edits', '1 edit')
    """
    if edits is not None and len(edits.named) == 1:
        return edits.named[0]
    return count(distance, "edit", "edits")


def few_edits_text(distance: int, edits: Edits | None) -> list[str]:
    """Return the number of edits of each kind, if they are few and ``edits_text`` does not name the kind; else empty.

    >>> few_edits_text(3, Edits(2, 1, 0, 0, 1)), few_edits_text(5, Edits(5, 0, 0, 0, 0))
    (['2 substitutions, 1 letter inserted'], [])
    """
    if edits is None or distance > MAX_NAMED_EDITS or len(edits.named) < 2:
        return []
    return [", ".join(edits.named)]


def identity_key(result: Any) -> str:
    """Return the key of the identity (``wavediff.core.methods.statistics``) that follows from the edits."""
    return "one_minus_distance_over_longer" if result.alignment is None else "matches_over_columns"


def known_edits(result: Any) -> int:
    """Return the distance of ``result`` without the edits that are counted separately because of ambiguity codes."""
    return int(result.distance - result.apart.edits)


def identical_text(answer: str, result: Any, distance: int, n_a: int, n_b: int) -> str:
    """Return ``answer`` with the number of excluded edits and the identity appended, see ``shown_identity``."""
    return alike_text(with_apart(answer, result), shown_identity(result, distance, n_a, n_b))


def alike_text(answer: str, share: float | None) -> str:
    """Return ``answer`` with the identity ``share`` appended; None: every column is excluded."""
    return (
        f"{answer} · no identity: nothing else to compare"
        if share is None
        else f"{answer} · {identity(share)} identical"
    )


def shown_identity(result: Any, distance: int, n_a: int, n_b: int) -> float | None:
    """Return the identity named by ``identity_key``; without an alignment it follows from ``distance``.

    None if all columns are counted separately.
    """
    from wavediff.core.methods.base import of_distance
    from wavediff.core.methods.statistics import identities

    alignment = result.alignment
    if alignment is None:
        return of_distance(distance, n_a, n_b)
    return identities(alignment, apart=result.apart).get(identity_key(result))


def with_apart(answer: str, result: Any) -> str:
    """Return ``answer`` with the excluded edits, e.g. ``92 edits (521 unknown bases not counted)``."""
    n = result.apart.edits
    return f"{answer} ({apart_name(n, result)} not counted)" if n else answer


def apart_name(n: int, result: Any) -> str:
    """Return ``n`` excluded letters by name, e.g. ``521 unknown bases``."""
    if result.apart.match:
        return count(n, "compatible code", "compatible codes")
    return (
        count(n, "unknown base", "unknown bases")
        if result.codes.letter == "N"
        else count(n, "unknown residue", "unknown residues")
    )


def apart_text(result: Any, a: Sequence, b: Sequence) -> str:
    """Return one sentence on the treatment of ambiguity codes; empty if no column has one."""
    from wavediff.core.sequences.ambiguity import common_rule, has_codes

    if result.alignment is None and has_codes(common_rule(a, b), a, b):
        return "codes such as N are counted: without an alignment they cannot be left out."
    n = result.apart.n
    if not n:
        return ""
    if result.apart.match:
        return count(
            n,
            "column has two letters that may be the same residue, and counts as a match.",
            "columns have two letters that may be the same residue, and count as matches.",
        )
    letter = result.codes.letter
    return count(
        n,
        f"column with {letter} is no difference and in no identity; it was compared as a letter.",
        f"columns with {letter} are no differences and in no identity; they were compared as letters.",
    )


def left_out(method: Method, result: Any) -> str:
    """Return the note on lines or white space that were not compared, shown after the cell counts; may be empty."""
    n, m = method.sizes(result, 0, 0)
    lines = "" if result.n_cells == n * m else ", blank lines left out"
    return {LINE: lines, WORD: ", white space left out"}.get(method.unit, "")


def definition_text(result: Any) -> str:
    """Return the definition of the identity in ``identical_text``."""
    from wavediff.core.methods.statistics import DEFINITIONS

    return f"Identical: {DEFINITIONS[identity_key(result)][1]}."
