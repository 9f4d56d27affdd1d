"""Exact block borders: cuts of all ends that minimize differing and unassigned letters.

Each end of a block has one neighbour in A and one in B. Ends and neighbours form the breakpoint graph (Bafna and
Pevzner 1996), which consists of paths and circles. A dynamic programme over columns finds the best cuts along each of
them: a letter in two neighbours is cut off one of them. Cuts of the same cost are the range of a border: letters there
fit both sides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, as_writable
from wavediff.core.jit.decorators import jit
from wavediff.core.kernels.rearranged.ends import EDIT_COST, GAP_COST, End
from wavediff.core.kernels.rearranged.parts import MIN_ALONE

CUT_LETTERS = 64  # letters that can be cut off an end, in addition to those that its neighbours have too
OVERLAP_COST = 1000 * GAP_COST  # a letter in two blocks
OPEN_COST = EDIT_COST  # letters between neighbours that none of them has, in addition to that of each
MAX_TRIED = 256  # columns of the first end of a circle, about
SLACK = 16  # letters that may be cut off a copy that stays whole
STRIDES = 16  # how much closer the next ones are
NEVER = 1 << 50  # cost
A_SIDE, B_SIDE = 0, 1  # rows of ``End.places``


class Link(NamedTuple):
    """Adjacent blocks in A or B: end of one, start of the next."""

    axis: int
    before: End
    behind: End


class Cut(NamedTuple):
    """Cut columns of the ends of one path or circle, with the range of equally good ones."""

    cost: int
    columns: list[int]
    same: list[list[int]]


def cut(ends: list[End], links: list[Link]) -> None:
    """Set ``box`` and ``ranges`` of the parts of ``ends`` to the best cuts.

    A letter that is cut off is in no block, unless a neighbour has it. A border keeps the range of an earlier cut that
    includes it.
    """
    near: dict[int, dict[int, End]] = {id(end): {} for end in ends}
    for axis, before, behind in links:
        if before.places[axis, -1] + behind.places[axis, -1] > 0:
            near[id(before)][axis], near[id(behind)][axis] = behind, before
    done = set[int]()
    for end in sorted(ends, key=lambda end: (len(near[id(end)]), end.places.shape[1])):
        if id(end) not in done:
            path, axes, circle = _path(end, near)
            done.update(map(id, path))
            free = _settle(path, axes, circle, [one.costs for one in path])
            _write(path, free)
            ranges, whole = [one.part.ranges for one in path], _repeat(path, axes)
            if whole:
                kept = min((_settle(path, axes, circle, costs) for costs in whole), key=lambda cut: cut.cost)
                _write(path, kept)
                for one, wide in zip(path, ranges, strict=True) if kept.cost == free.cost else ():
                    pairs = zip(wide, one.part.ranges, strict=True)
                    one.part.ranges = [(min(x[0], y[0]), max(x[1], y[1])) for x, y in pairs]


def _path(first: End, near: dict[int, dict[int, End]]) -> tuple[list[End], list[int], bool]:
    """Return the linked ends from ``first`` on, the sides of their links, and whether they form a circle."""
    path, axes, end = [first], list[int](), first
    axis = next(iter(near[id(first)]), A_SIDE)
    while (other := near[id(end)].get(axis)) is not None:
        axes.append(axis)
        if other is first:
            return path, axes, True
        path.append(other)
        end, axis = other, B_SIDE - axis
    return path, axes, False


def _repeat(path: list[End], axes: list[int]) -> list[list[Counts]]:
    """Return costs that keep one of two ends whole (tandem repeats), the first copy's first.

    A copy that occurs once in the other sequence stays whole, so that the other copy is a block; otherwise both blocks
    would have a piece of each copy. A copy is left out if the other end cannot give up as many letters.
    """
    if len(path) != 2:
        return []
    shared = [sum(int(end.places[axis, end.inner]) for end in path) for axis in (A_SIDE, B_SIDE)]
    axis = A_SIDE if shared[A_SIDE] > shared[B_SIDE] else B_SIDE
    if axis not in axes or shared[axis] < MIN_ALONE or shared[B_SIDE - axis] >= MIN_ALONE:
        return []
    whole = list[list[Counts]]()
    for end in sorted(path, key=lambda end: not (end.b_right if axis == B_SIDE else end.right)):
        inner = max(end.inner - SLACK, 0)
        if end.places[axis, inner] + min(other.places[axis, 0] for other in path if other is not end) <= 0:
            costs = (np.where((one is end) & (np.arange(one.costs.size) < inner), NEVER, one.costs) for one in path)
            whole.append([*costs])
    return whole


def _settle(path: list[End], axes: list[int], circle: bool, costs: list[Counts]) -> Cut:
    """Return the best cuts of a path or circle of the breakpoint graph."""
    ties = [np.full(cost.size, NEVER, np.int64) for cost in costs]
    chosen, best = list[int](), NEVER
    columns = np.flatnonzero(costs[0] < NEVER) if circle else np.array([-1])
    stride = -(-columns.size // MAX_TRIED)
    columns = columns[::stride]
    while columns.size:  # of a long repeat only some, and then those round the best of these
        for fixed in columns.tolist():
            total, some = _try(path, axes, costs, fixed, ties)
            if total < best or (total == best and path[0].b_right):
                best, chosen = total, some
        same, last, stride = np.flatnonzero(ties[0] == best), stride, -(-stride // STRIDES)
        near = [np.arange(at - last, at + last + 1, stride) for at in (same[0], chosen[0], same[-1])]
        columns = np.unique(np.clip(near, 0, costs[0].size - 1)) if last > 1 else columns[:0]
    return Cut(best, chosen, [np.flatnonzero(tie == best)[[0, -1]].tolist() for tie in ties])


def _try(
    path: list[End], axes: list[int], costs: list[Counts], fixed: int, ties: list[Counts]
) -> tuple[int, list[int]]:
    """Return the cost of the best cuts, and their columns.

    Args:
        fixed: column of the first end, of a circle; -1: any.
        ties: the least cost so far for each column.
    """
    places, first, rest = [end.places for end in path], costs[0], np.zeros(costs[-1].size, np.int64)
    if fixed >= 0:
        first = np.full(first.size, NEVER, np.int64)
        first[fixed] = costs[0][fixed]
        rest = _joint(places[0][axes[-1], fixed] + places[-1][axes[-1]])
    forward, behind = [first], [rest]
    for at in range(1, len(path)):
        forward.append(costs[at] + _passed(forward[-1], *(places[at - k][axes[at - 1]] for k in (1, 0))))
    for at in range(len(path) - 2, -1, -1):
        behind.insert(0, _passed(behind[0] + costs[at + 1], *(places[at + k][axes[at]] for k in (1, 0))))
    for tie, one, other in zip(ties, forward, behind, strict=True):
        np.minimum(tie, one + other, out=tie)
    return int((forward[0] + behind[0]).min()), _chosen(path, axes, [first, *costs[1:]], behind)


def _chosen(path: list[End], axes: list[int], costs: list[Counts], behind: list[Counts]) -> list[int]:
    """Return the columns of the best cut; ambiguous letters stay with the first block in B."""
    chosen = list[int]()
    for at, end in enumerate(path):
        total = costs[at] + behind[at]
        if at:
            axis = axes[at - 1]
            total = total + _joint(path[at - 1].places[axis, chosen[-1]] + end.places[axis])
        same = np.flatnonzero(total == total.min())
        chosen.append(int(same[-1] if end.b_right else same[0]))
    return chosen


def _joint(shared: Counts) -> Counts:
    """Return the cost of letters that two ends share or, if negative, of letters between them in no block."""
    cost: Counts = np.maximum(shared, 0) * OVERLAP_COST + (shared < 0) * OPEN_COST
    return cost


@jit
def passed(costs: Counts, places: Counts, others: Counts, out: Counts) -> None:
    """Write the minimum cost over the columns of one end for each position of its neighbour.

    Args:
        places, others: outwards, non-decreasing; they overlap if their sum is positive.
    """
    size = places.size
    before, behind = np.full(size + 1, NEVER, np.int64), np.full(size + 1, NEVER, np.int64)
    for i in range(size):
        before[i + 1] = min(before[i], costs[i])
        at = size - 1 - i
        behind[at] = min(behind[at + 1], costs[at] + OVERLAP_COST * places[at])
    first, last = size, size  # columns that end before the neighbour, and those that end there or before
    for j in range(others.size):
        if j and others[j] == others[j - 1]:
            out[j] = out[j - 1]
            continue
        while last > 0 and places[last - 1] > -others[j]:
            last -= 1
        first, here = last, NEVER
        while first > 0 and places[first - 1] == -others[j]:
            first -= 1
            here = min(here, costs[first])
        out[j] = min(before[first] + OPEN_COST, here, behind[last] + OVERLAP_COST * others[j])


def _passed(costs: Counts, places: Counts, others: Counts) -> Counts:
    out = np.empty(others.size, np.int64)
    passed(*(as_writable(np.ascontiguousarray(each)) for each in (costs, places, others)), out)
    return out


def _write(path: list[End], cut: Cut) -> None:
    for end, column, same in zip(path, cut.columns, cut.same, strict=True):
        for axis in (A_SIDE, B_SIDE):
            _write_border(end, axis, column, [end.border(axis, at) for at in same])


def _write_border(end: End, axis: int, column: int, same: list[int]) -> None:
    """Store one border in the part, on its strand for B."""
    part, at = end.part, 2 * axis + end.right
    borders = [end.border(axis, column), *same]
    if axis == B_SIDE and part.chain.minus:
        borders = [end.m - border for border in borders]
    low, high = part.ranges[at]
    if low <= borders[0] <= high:
        borders += [low, high]
    part.box[at] = borders[0]
    part.ranges = [*part.ranges[:at], (min(borders), max(borders)), *part.ranges[at + 1 :]]
