"""Words for where the aligned part lies when ends are free."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.base.translate import tr, tr_n, tr_noop
from core.methods.wording import Edits, edits_text, identical_text, known_edits

if TYPE_CHECKING:
    from core.jobs.edit_result import EditResult, Locus, Place

MAX_EXPECTED = 0.01  # overlaps by chance from which on one is not told from them
MAX_LISTED = 20  # places in the summary of the command line; files have all
_IN_A = tr_noop("B placed in A at {a_first}–{a_last}")
_BACK_IN_A = tr_noop("The reverse complement of B placed in A at {a_first}–{a_last}")
_IN_B = tr_noop("A placed in B at {b_first}–{b_last}")
NO_OVERLAP = tr_noop("No overlap better than chance")
_A_FIRST = tr_noop("The end of A overlaps the start of B: A {a_first}–{a_last}, B {b_first}–{b_last}")
_B_FIRST = tr_noop("The end of B overlaps the start of A: A {a_first}–{a_last}, B {b_first}–{b_last}")


def is_whole(place: Place | None, n_a: int, n_b: int) -> bool:
    """Return whether nothing of either sequence overhangs."""
    return place is None or (place.n_a == n_a and place.n_b == n_b)


def place_text(result: EditResult, n_a: int, n_b: int) -> str:
    """Return where the aligned part of ``n_a`` and ``n_b`` letters lies in their files; positions from 1, closed."""
    place, there = result.place, result.place_in_file
    assert place is not None
    assert there is not None
    if not place.n_a + place.n_b and n_a and n_b:
        return tr("No overlap")
    if place.n_b == n_b:
        text = _IN_A if result.strand > 0 else _BACK_IN_A
    elif place.n_a == n_a:
        text = _IN_B
    else:
        text = _A_FIRST if place.a_end == n_a else _B_FIRST
    places = {"a_first": there.a_start + 1, "a_last": there.a_end, "b_first": there.b_start + 1, "b_last": there.b_end}
    return tr(text, **places)


def placed_text(result: EditResult, edits: Edits | None, n_a: int, n_b: int) -> str:
    """Return the answer: the place, its edits and how alike the part is; first that it is none, where it is none."""
    place = result.place
    assert place is not None
    where = place_text(result, n_a, n_b)
    if not place.n_a + place.n_b:
        return where
    found = edits_text(known_edits(result), edits)
    if result.loci == ():
        return tr("No place within the limit; the best has {edits}: {where}", edits=found, where=where)
    text = tr("{where}, {edits}", where=where, edits=found)
    text = identical_text(text, result, result.distance, place.n_a, place.n_b)
    return tr("{chance}: {answer}", chance=tr(NO_OVERLAP), answer=text) if by_chance(result) else text


def by_chance(result: EditResult) -> bool:
    """Return whether an overlap is no better than those of random letters."""
    expected = result.expected_by_chance
    return expected is not None and expected > MAX_EXPECTED


def placed_lines(result: EditResult, n_a: int, n_b: int) -> list[str]:
    """Return the first lines of the summary where ends are free."""
    listed = [] if result.loci is None else loci_lines(result.loci)
    where = place_text(result, n_a, n_b)
    if result.loci == ():
        text = tr_noop("no place within the limit; the best has the edit distance {n}, exact: {where}")
        return [tr(text, n=result.distance, where=where), *listed]
    chance = [tr(NO_OVERLAP).lower()] if by_chance(result) else []
    return [*chance, tr("edit distance: {n}, exact", n=result.distance), where, *listed]


def loci_text(loci: tuple[Locus, ...]) -> str:
    """Return how many places there are, and how many of them on the other strand.

    >>> loci_text(())
    'no place within the limit'
    """
    if not loci:
        return tr("no place within the limit")
    text = tr_n("{n} place", "{n} places", len(loci))
    n = sum(one.strand < 0 for one in loci)
    return tr("{places}, {n} of them on the other strand", places=text, n=n) if n else text


def loci_lines(loci: tuple[Locus, ...]) -> list[str]:
    """Return a line that says how many places there are, and one for each of the first."""
    lines = [tr("places within the limit: {n}", n=len(loci))]
    for one in loci[:MAX_LISTED]:
        places = {"strand": "+" if one.strand > 0 else "-", "first": one.a_start + 1, "last": one.a_end}
        edits = tr_n("{n} edit", "{n} edits", one.edits)
        lines.append(tr("  {strand}  {first}–{last}  {edits}", edits=edits, **places))
    if len(loci) > MAX_LISTED:
        lines.append(tr("  and {n} more: PAF, TSV and JSON have all", n=len(loci) - MAX_LISTED))
    return lines


def locus_fields(one: Locus) -> dict[str, Any]:
    """Return a place for the JSON, 0-based and half-open."""
    found = {"strand": "+" if one.strand > 0 else "-", "a_start": one.a_start, "a_end": one.a_end, "edits": one.edits}
    return found if one.alignment is None else found | {"cigar": one.alignment.cigar()}
