"""Texts about the place of the aligned part when ends are free."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wavediff.core.base.numbers import count, number
from wavediff.core.methods.wording import Edits, edits_text, identical_text, known_edits, with_apart

if TYPE_CHECKING:
    from wavediff.core.jobs.edit_result import EditResult, Locus, Place

MAX_EXPECTED = 0.01  # expected random overlaps; above, an overlap may be random
MAX_LISTED = 20  # places in the summary of the command line; files have all
NO_OVERLAP = "No overlap better than chance"


def is_whole(place: Place | None, n_a: int, n_b: int) -> bool:
    return place is None or (place.n_a == n_a and place.n_b == n_b)


def place_text(result: EditResult, n_a: int, n_b: int) -> str:
    """Return the position of the aligned part in both files; 1-based, closed."""
    place, there = result.place, result.place_in_file
    assert place is not None
    assert there is not None
    if not n_a or not n_b:
        return f"{'B' if n_a else 'A'} has no letters"
    if not place.n_a + place.n_b:
        return "No overlap"
    of_a = f"{number(there.a_start + 1)}–{number(there.a_end)}"
    of_b = f"{number(there.b_start + 1)}–{number(there.b_end)}"
    if place.n_b == n_b:
        return f"{'B' if result.strand > 0 else 'The reverse complement of B'} placed in A at {of_a}"
    if place.n_a == n_a:
        return f"A placed in B at {of_b}"
    if place.a_end == n_a:
        return f"The end of A overlaps the start of B: A {of_a}, B {of_b}"
    return f"The end of B overlaps the start of A: A {of_a}, B {of_b}"


def placed_text(result: EditResult, edits: Edits | None, n_a: int, n_b: int) -> str:
    """Return the answer: place, edits and identity; overlaps no better than chance are marked first."""
    place = result.place
    assert place is not None
    where = place_text(result, n_a, n_b)
    if not place.n_a + place.n_b:
        return where
    edits_words = edits_text(known_edits(result), edits)
    if result.loci == ():
        return f"No place within the limit; the best has {edits_words}: {where.replace('The ', 'the ')}"
    text = identical_text(f"{where}, {edits_words}", result, result.distance, place.n_a, place.n_b)
    return f"{NO_OVERLAP}: {text}" if by_chance(result) else text


def by_chance(result: EditResult) -> bool:
    """Return whether an overlap scores no better than random letters."""
    expected = result.expected_by_chance
    return expected is not None and expected > MAX_EXPECTED


def placed_lines(result: EditResult, n_a: int, n_b: int) -> list[str]:
    """Return the first summary lines for free ends."""
    where = place_text(result, n_a, n_b)
    if result.loci == ():
        distance = with_apart(f"edit distance {number(known_edits(result))}", result)
        return [f"no place within the limit; the best has the {distance}, exact: {where.replace('The ', 'the ')}"]
    chance = [NO_OVERLAP.lower()] if by_chance(result) else []
    distance = with_apart(f"edit distance: {number(known_edits(result))}", result)
    return [*chance, f"{distance}, exact", where, *loci_lines(result.loci or ())]


def loci_text(loci: tuple[Locus, ...]) -> str:
    """Return the number of places, and how many are on the reverse strand."""
    text = count(len(loci), "place", "places")
    n = sum(one.strand < 0 for one in loci)
    strand = "on the other strand" if len(loci) == 1 else f"{number(n)} of them on the other strand"
    return f"{text}, {strand}" if n else text


def loci_lines(loci: tuple[Locus, ...]) -> list[str]:
    """Return summary lines: the number of places, if any, then the first places."""
    lines = [f"places within the limit: {number(len(loci))}"] if loci else []
    for one in loci[:MAX_LISTED]:
        where = f"{'+' if one.strand > 0 else '-'}  {number(one.a_start + 1)}–{number(one.a_end)}"
        lines.append(f"  {where}  {count(one.edits, 'edit', 'edits')}")
    if len(loci) > MAX_LISTED:
        lines.append(f"  and {number(len(loci) - MAX_LISTED)} more: PAF, TSV and JSON have all")
    return lines


def locus_fields(one: Locus) -> dict[str, Any]:
    """Return a place as JSON fields, 0-based and half-open."""
    place = {"strand": "+" if one.strand > 0 else "-", "a_start": one.a_start, "a_end": one.a_end, "edits": one.edits}
    return place if one.alignment is None else place | {"cigar": one.alignment.cigar()}
