"""Blocks of a contig from the parts of its place: borders to the letter, ends of the contig, exact alignments."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from wavediff.core.jobs.code_columns import columns_of
from wavediff.core.jobs.contigs import ContigsJob
from wavediff.core.jobs.edit_result import EditResult
from wavediff.core.jobs.event_streams import run_to_end
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.rearranged import BlockKind, Border, CollinearBlock
from wavediff.core.kernels.contigs.chosen_place import Chosen
from wavediff.core.kernels.pairwise.edit import run as edit
from wavediff.core.kernels.rearranged.borders import A_SIDE, B_SIDE
from wavediff.core.kernels.rearranged.ends import EXTENSION
from wavediff.core.kernels.rearranged.fill import filled
from wavediff.core.kernels.rearranged.parts import MIN_ALONE, Pair, Part
from wavediff.core.kernels.rearranged.run import cut_ends
from wavediff.core.methods.edit import EditJob
from wavediff.core.screening.origin import last_row
from wavediff.core.sequences.letter_rules import LetterRule

UNKNOWN = ord("N")
Aligned = tuple[tuple[CollinearBlock, ...], tuple[Border, Border], tuple[int, int]]


def aligned_blocks(chosen: Chosen, pair: Pair, job: ContigsJob, threads: int) -> Generator[Event, None, Aligned]:
    """Return the blocks by their place in the contig, the place in A, and first and last border in the contig."""
    n, m, turn = int(pair.a.size), int(pair.plus.size), 0
    start, end = chosen.own[0].box[0], chosen.own[-1].box[1]
    if job.circular and (start < EXTENSION or end > n - EXTENSION):  # so that no border lies near the end of the file
        room, before, behind = n - (end - start), chosen.own[0].box[2], m - chosen.own[-1].box[3]
        turn = start - min(before + max(room - before - behind, 0) // 2, room)
        pair = pair._replace(a=np.concatenate([pair.a[turn % n :], pair.a[: turn % n]]))
    own, others = (  # where A begins with letter ``turn`` of its circle
        [Part.of(part.chain.moved((part.box[0] - turn) % n - part.box[0])) for part in some]
        for some in (chosen.own, chosen.others)
    )
    others = [part for part in others if part.box[1] <= n]
    for part in others:
        part.copy_of = A_SIDE  # letters of A may be in several
    own = yield from filled(own, pair, job.id, ends=False)
    if len(own) + len(others) > 1 or max(own[0].on(B_SIDE, m)[0], m - own[0].on(B_SIDE, m)[1]) >= MIN_ALONE:
        yield from cut_ends([*own, *others], pair, job.id)
    own = _apart(own, [], m) or [Part.of(max(own, key=lambda part: part.chain.matched).chain)]
    others = _apart(others, own, m)
    _fill([*own, *others], own, pair)
    blocks, minus = list[CollinearBlock](), own[0].chain.minus
    for part in [*own, *others]:
        a, b = pair.inside(part.box, part.chain.minus)
        result = yield from _aligned(EditJob(a=a, b=b, threads=threads, id=job.id))
        by = (part.box[0] + turn) % n - part.box[0]
        (start_a, end_a), in_b = part.borders(m)
        in_a = _shifted(start_a, by), _shifted(end_a, by)
        kind = BlockKind.INVERTED if part.chain.minus != minus else BlockKind.MOVED
        kind = BlockKind.COLLINEAR if part in own else kind
        blocks.append(CollinearBlock(kind, in_a, in_b, part.chain.minus, result))
    last, first = blocks[len(own) - 1].a[1], blocks[0].a[0]
    if last.at <= first.at:  # the last block alone lies behind the end of A
        last = _shifted(last, n)
    in_contig = [place for block in blocks[: len(own)] for place in (block.b[0].at, block.b[1].at)]
    return tuple(sorted(blocks, key=lambda block: block.b[0].at)), (first, last), (min(in_contig), max(in_contig))


def _aligned(job: EditJob) -> Generator[Event, None, EditResult]:
    """Return the alignment, with the columns of N counted apart."""
    result = yield from edit.run(job)
    if not any((letters == UNKNOWN).any() for letters in (job.a, job.b)):
        return result
    return replace(result, codes=run_to_end(columns_of(replace(job, codes=LetterRule.NUCLEOTIDE), result)))


def _shifted(border: Border, by: int) -> Border:
    return Border(*(place + by for place in border))


def _apart(parts: list[Part], kept: list[Part], m: int) -> list[Part]:
    """Return the parts, the longest first, that share no letter of the contig with another one or with ``kept``."""
    found = list[Part]()
    for part in sorted(parts, key=lambda part: part.box[2] - part.box[3]):
        start, end = part.on(B_SIDE, m)
        spans = [one.on(B_SIDE, m) for one in (*kept, *found)]
        if part.box[0] < part.box[1] and start < end and all(end <= first or last <= start for first, last in spans):
            found.append(part)
    return sorted(found, key=lambda part: part.box[0])


def _fill(parts: list[Part], own: list[Part], pair: Pair) -> None:
    """Add less than ``MIN_ALONE`` letters of the contig between parts, and at its ends, to the part beside them.

    As many letters of A come along as align best; where several fit, the border has their range.
    """
    m = int(pair.plus.size)
    order = sorted(parts, key=lambda part: part.on(B_SIDE, m))
    for before, behind in pairwise([None, *order, None]):
        start, end = 0 if before is None else before.on(B_SIDE, m)[1], m if behind is None else behind.on(B_SIDE, m)[0]
        part = behind if before is None or (before not in own and behind in own) else before
        assert part is not None
        if not 0 < (letters := end - start) < MIN_ALONE:
            continue
        right = (part is before) != part.chain.minus
        other = behind if part is before else before
        room, exact = 2 * letters, False
        if other is not None and other in own and part in own:
            low, high = sorted((part.box[:2], other.box[:2]))
            room = max(high[0] - low[1], 0)
            exact = room < MIN_ALONE  # nothing is left between both
        _extend(part, right, letters, min(room, 2 * letters + MIN_ALONE), pair, exact=exact)


def _extend(part: Part, right: bool, letters: int, room: int, pair: Pair, *, exact: bool) -> None:
    beside = part.outwards(A_SIDE, right, room, pair)
    letters = letters if exact else min(letters, int(beside.size))  # what lies beyond the end of A is no difference
    costs = last_row(part.outwards(B_SIDE, right, letters, pair), beside)
    best = np.array([beside.size]) if exact else np.flatnonzero(costs == costs.min())
    chosen = int(best[np.abs(best - letters).argmin()])
    at, sign = part.box[right], 1 if right else -1
    part.grow(B_SIDE, right, letters)
    part.grow(A_SIDE, right, chosen)
    fits = sorted((at + sign * int(best[0]), at + sign * int(best[-1])))
    part.ranges[right] = fits[0], fits[1]
