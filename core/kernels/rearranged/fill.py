"""Gaps between consecutive blocks, e.g. satellites: aligned if similar."""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise

import numpy as np

from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Op
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.rearranged import MIN_SCORE
from wavediff.core.kernels.pairwise.edit import run as edit
from wavediff.core.kernels.rearranged.borders import A_SIDE, B_SIDE
from wavediff.core.kernels.rearranged.chain import MAX_SHIFT, Chain
from wavediff.core.kernels.rearranged.parts import (
    MAX_BETWEEN,
    MAX_EDIT_SHARE,
    MIN_ALONE,
    Pair,
    Part,
    mostly_unknown,
    tiles,
)
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EditJob

Neighbours = tuple[Part | None, Part | None]


def filled(parts: list[Part], pair: Pair, job_id: int, *, ends: bool = True) -> Generator[Event, None, list[Part]]:
    """Return ``parts`` plus similar regions between parts adjacent in both A and B, in order of A.

    Parts with fewer than ``MIN_ALONE`` letters between them in both sequences are joined, as are those on both sides of
    a run of N.

    Args:
        ends: include similar regions before the first part and after the last.
    """
    out = list[Part]()
    rank = _ranks(parts, int(pair.plus.size))
    for near in pairwise([None, *sorted(parts, key=lambda part: part.box[0]), None]):
        for minus in _strands(near, rank) if ends or None not in near else ():
            pieces, whole = yield from _between(near, minus, pair, job_id)
            out += pieces
            if whole and out and near[1] is not None:
                out[-1] = _one(out[-1], near[1])
                near = near[0], out.pop()
            if pieces:
                break
        if near[1] is not None:
            out.append(near[1])
    return merged(out, int(pair.plus.size))


def merged(parts: list[Part], m: int) -> list[Part]:
    """Merge parts separated by few letters in both sequences; in order of A."""
    out, rank = list[Part](), _ranks(parts, m)
    rank |= _ranks([part for part in parts if part.copy_of < 0], m)  # a copy elsewhere has letters of them
    for part in sorted(parts, key=lambda part: part.box[0]):
        before = out[-1] if out else None
        if before is not None and before.copy_of == part.copy_of and _strands((before, part), rank):
            between = part.box[0] - before.box[1], part.box[2] - before.box[3]
            if min(between) >= 0 and max(between) < MIN_ALONE:
                out[-1] = _one(before, part)
                rank[id(out[-1])] = rank[id(part)]
                continue
        out.append(part)
    return out


def apart(parts: list[Part], m: int) -> list[Part]:
    """Resolve overlaps: the shorter of two parts loses the shared matches; empty parts are dropped.

    Overlaps remain after ``borders.cut`` if three parts share letters, or if a part between two others is cut off.
    """
    kept = [part for part in parts if part.letters > 0]
    for axis in (A_SIDE, B_SIDE):
        order = list[Part]()
        for part in tiles(kept, axis, m):
            while order and part.letters > 0 and (start := part.on(axis, m)[0]) < (end := order[-1].on(axis, m)[1]):
                if order[-1].letters > part.letters:
                    _cut(part, axis, part.turned(axis), end, m)
                else:
                    _cut(order[-1], axis, not order[-1].turned(axis), start, m)
                    if order[-1].letters <= 0:
                        order.pop()
            if part.letters > 0:
                order.append(part)
        kept = [part for part in kept if part.letters > 0]
    return kept


def _cut(part: Part, axis: int, right: bool, at: int, m: int) -> None:
    """Cut an end of ``part`` at a position in A or the file of B, back to its last match."""
    part.box[2 * axis + right] = m - at if part.turned(axis) else at
    chain = _clipped(part)
    for of in (A_SIDE, B_SIDE):
        border = chain.box[2 * of + right] if chain.a.size else part.box[2 * of + (not right)]
        part.box[2 * of + right], part.ranges[2 * of + right] = border, (border, border)


def _ranks(parts: list[Part], m: int) -> dict[int, int]:
    """Return the rank of each part in B by id."""
    return {id(part): at for at, part in enumerate(sorted(parts, key=lambda part: part.on(1, m)))}


def _strands(near: Neighbours, rank: dict[int, int]) -> list[bool]:
    """Return the strands on which two parts (or an end of A and a part) are adjacent in B too."""
    strands = {part.chain.minus for part in near if part is not None}
    before, behind = (part if part is None else rank[id(part)] for part in near)

    def follow(minus: bool) -> bool:
        first, last = (len(rank), -1) if minus else (-1, len(rank))
        return (last if behind is None else behind) - (first if before is None else before) == (-1 if minus else 1)

    return [minus for minus in (False, True) if strands <= {minus} and follow(minus)]


def _one(before: Part, part: Part) -> Part:
    chains = [_clipped(one) for one in (before, part)]
    rows = (np.concatenate(rows) for rows in zip(*(chain[1:] for chain in chains), strict=True))
    box, ranges = list(before.box), list(before.ranges)
    for at in (1, 3):
        box[at], ranges[at] = part.box[at], part.ranges[at]
    return Part(Chain(part.chain.minus, *rows), box, ranges, part.copy_of)


def _clipped(part: Part) -> Chain:
    """Return the matches of a part inside its borders."""
    minus, a, b, lengths, unique = part.chain
    a0, a1, b0, b1 = part.box
    first = np.maximum(np.maximum(a0 - a, b0 - b), 0)
    lengths = lengths - first - np.maximum(np.maximum(a + lengths - a1, b + lengths - b1), 0)
    some = lengths > 0
    return Chain(minus, (a + first)[some], (b + first)[some], lengths[some], unique[some])


def _between(near: Neighbours, minus: bool, pair: Pair, job_id: int) -> Generator[Event, None, tuple[list[Part], bool]]:
    """Return the similar regions between two parts, and whether all letters between are unknown."""
    before, behind = near
    n, m = int(pair.a.size), int(pair.plus.size)
    a0, b0 = (0, 0) if before is None else (before.box[1], before.box[3])
    a1, b1 = (n, m) if behind is None else (behind.box[0], behind.box[2])
    a, b = pair.inside((a0, a1, b0, b1), minus)
    shorter, longer = sorted((int(a.size), int(b.size)))
    if mostly_unknown(a, b) and None not in near and longer - shorter <= MAX_SHIFT:
        return [], True
    few = near == (None, None) and min(pair.bases) < MIN_SCORE
    if few or shorter < MIN_ALONE or longer > MAX_BETWEEN:
        return [], False
    least = yield from edit.run(EditJob(a=a, b=b, id=job_id, path=TracebackMethod.NONE))
    if least.distance - longer + shorter > MAX_EDIT_SHARE * shorter:
        return [], False
    found = (yield from edit.run(EditJob(a=a, b=b, id=job_id))).alignment
    assert found is not None
    ops, lengths, out = found.ops, found.lengths, list[Part]()
    at_a, at_b = (at + np.cumsum(n) - n for at, n in ((a0, lengths * CONSUMES_A[ops]), (b0, lengths * CONSUMES_B[ops])))
    gaps = np.flatnonzero((CONSUMES_A[ops] != CONSUMES_B[ops]) & (lengths >= MIN_ALONE)).tolist()
    for lo, hi in pairwise([-1, *gaps, ops.size]):
        equal = lo + 1 + np.flatnonzero(ops[lo + 1 : hi] == Op.EQUAL)
        if equal.size:
            inside = slice(equal[0], equal[-1] + 1)
            edits = int(lengths[inside][ops[inside] != Op.EQUAL].sum())
            part = Part.of(Chain(minus, at_a[equal], at_b[equal], lengths[equal], np.zeros(equal.size, np.int64)))
            if part.box[1] - part.box[0] >= MIN_ALONE and edits <= MAX_EDIT_SHARE * (part.box[1] - part.box[0]):
                out.append(part)
    return out, False
