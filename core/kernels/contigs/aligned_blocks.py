"""Blocks of a placed contig: exact borders, contig ends, exact alignments."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import NamedTuple

import numpy as np

from wavediff.core.jobs.contigs import ContigsJob
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.exact_matches import ExactMatches
from wavediff.core.jobs.rearranged import BlockKind, Border, CollinearBlock
from wavediff.core.kernels.contigs.chosen_place import Chosen, outside
from wavediff.core.kernels.rearranged.borders import A_SIDE, B_SIDE
from wavediff.core.kernels.rearranged.ends import EXTENSION
from wavediff.core.kernels.rearranged.fill import filled, merged
from wavediff.core.kernels.rearranged.parts import MIN_ALONE, Pair, Part, stretches
from wavediff.core.kernels.rearranged.run import absorb, aligned, copies_of, cut_ends, is_copy, kinds_of
from wavediff.core.methods.edit import EditJob
from wavediff.core.screening.origin import last_row


class Aligned(NamedTuple):
    """Blocks by kind of place, see ``Placement``.

    Attributes:
        a: first and last border of the place in A. contig: first and last of its letters.
    """

    blocks: tuple[CollinearBlock, ...]
    others: tuple[CollinearBlock, ...]
    a: tuple[Border, Border]
    contig: tuple[int, int]


def aligned_blocks(
    chosen: Chosen, matches: ExactMatches, pair: Pair, job: ContigsJob, threads: int
) -> Generator[Event, None, Aligned]:
    """Return the aligned blocks of a contig.

    Args:
        matches: exact matches of the contig alone.
    """
    n, m, turn, minus = int(pair.a.size), int(pair.plus.size), 0, chosen.own[0].chain.minus
    here = [*chosen.own, *_inside(chosen, m)]
    start, end = min(part.box[0] for part in here), max(part.box[1] for part in here)
    before, behind = outside(here, m)
    if job.circular and (start < EXTENSION or end > n - EXTENSION):  # so that no border lies near the end of the file
        room = n - (end - start)
        left, right = (behind, before) if minus else (before, behind)
        turn = start - min(left + max(room - left - right, 0) // 2, room)
        pair = pair._replace(a=np.concatenate([pair.a[turn % n :], pair.a[: turn % n]]))

    def turned(part: Part) -> Part:  # where A begins with letter ``turn`` of its circle
        moved = Part.of(part.chain.moved((part.box[0] - turn) % n - part.box[0]))
        moved.copy_of = part.copy_of
        return moved

    def within(parts: Iterable[Part]) -> list[Part]:
        return [part for part in map(turned, parts) if part.box[1] <= n]

    others = within(chosen.others)
    parts = yield from filled([*map(turned, here)], pair, job.id, ends=False)
    if len(parts) + len(others) > 1 or max(before, behind) >= MIN_ALONE:
        yield from cut_ends([*parts, *others], pair, job.id)
        copies = within(copies_of(matches, [*parts, *others], B_SIDE))
        for copy in copies:
            inside = copy.box[0] >= start - turn and copy.box[1] <= end - turn
            (parts if inside else others).append(copy)
        if copies:
            yield from cut_ends([*parts, *others], pair, job.id)
    parts = _apart(parts, [], m) or [Part.of(max(parts, key=lambda part: part.chain.matched).chain)]
    others = _apart(others, parts, m)
    if len(parts) + len(others) > 1:
        absorb([*parts, *others], pair, ends=False)
    _fill_ends([*parts, *others], pair)
    if len(parts) + len(others) > 1:
        parts = merged(parts, m)
        others = _apart(merged(others, m), parts, m)
    kinds = dict(zip(map(id, parts), kinds_of(parts, minus=minus), strict=True))
    blocks = list[CollinearBlock]()
    for part in [*parts, *others]:
        a, b = pair.inside(part.box, part.chain.minus)
        result = yield from aligned(EditJob(a=a, b=b, threads=threads, id=job.id))
        by = (part.box[0] + turn) % n - part.box[0]
        (start_a, end_a), in_b = part.borders(m)
        in_a = _shifted(start_a, by), _shifted(end_a, by)
        kind = kinds.get(id(part), BlockKind.INVERTED if part.chain.minus != minus else BlockKind.MOVED)
        copy_in = "B" if kind is BlockKind.DUPLICATED else ""
        blocks.append(CollinearBlock(kind, in_a, in_b, part.chain.minus, result, copy_in))
    first, last = (
        least(range(len(parts)), key=lambda at: parts[at].box[right]) for right, least in enumerate((min, max))
    )
    place = blocks[first].a[0], blocks[last].a[1]
    if place[1].at <= place[0].at:  # the last block alone lies behind the end of A
        place = place[0], _shifted(place[1], n)
    left, right = outside(parts, m)
    of_place, rest = (
        tuple(sorted(some, key=lambda block: block.b[0].at)) for some in (blocks[: len(parts)], blocks[len(parts) :])
    )
    return Aligned(of_place, rest, place, (left, m - right))


def _inside(chosen: Chosen, m: int) -> list[Part]:
    """Return the parts inside the place; copies only if ``compare --rearranged`` reports them too."""
    copies, covered = [part for part in chosen.inside if part.copy_of >= 0], np.zeros(m, np.bool_)
    for part in (*chosen.own, *chosen.inside, *chosen.others):
        if part not in copies:
            covered[slice(*part.on(B_SIDE, m))] = True
    left = stretches(covered, 1)

    def fits(start: int, end: int) -> bool:
        return any(is_copy(end - start, high - low) for low, high in left if low < end and start < high)

    return [part for part in chosen.inside if part not in copies or fits(*part.on(B_SIDE, m))]


def _shifted(border: Border, by: int) -> Border:
    return Border(*(place + by for place in border))


def _apart(parts: list[Part], kept: list[Part], m: int) -> list[Part]:
    """Return the parts, longest first, without overlap in the contig with each other or with ``kept``."""
    added = list[Part]()
    for part in sorted(parts, key=lambda part: part.box[2] - part.box[3]):
        start, end = part.on(B_SIDE, m)
        spans = [one.on(B_SIDE, m) for one in (*kept, *added)]
        if part.box[0] < part.box[1] and start < end and all(end <= first or last <= start for first, last in spans):
            added.append(part)
    return sorted(added, key=lambda part: part.box[0])


def _fill_ends(parts: list[Part], pair: Pair) -> None:
    """Extend the outer parts to the contig's ends if fewer than ``MIN_ALONE`` letters are left.

    The added letters of A are those that align best; if several numbers of letters tie, the border has a range. Letters
    beyond the end of A are no difference.
    """
    m = int(pair.plus.size)
    order = sorted(parts, key=lambda part: part.on(B_SIDE, m))
    for part, at_end in ((order[0], False), (order[-1], True)):
        start, end = part.on(B_SIDE, m)
        letters, right = (m - end if at_end else start), at_end != part.chain.minus
        if not 0 < letters < MIN_ALONE:
            continue
        opposite = part.outwards(A_SIDE, right, 2 * letters, pair)
        letters = min(letters, int(opposite.size))
        costs = last_row(part.outwards(B_SIDE, right, letters, pair), opposite)
        best = np.flatnonzero(costs == costs.min())
        at, sign = part.box[right], 1 if right else -1
        part.grow(B_SIDE, right, letters)
        part.grow(A_SIDE, right, int(best[np.abs(best - letters).argmin()]))
        fits = sorted((at + sign * int(best[0]), at + sign * int(best[-1])))
        part.ranges[right] = fits[0], fits[1]
