"""Stored furthest-reaching points, and the traceback over them (Ukkonen 1985, Myers 1986).

Point (d, k) is the furthest row on diagonal ``k = j - i`` that a path of cost d reaches. Costs never fall along a
diagonal, so node (i, j) costs d or less exactly if the point of d on its diagonal is at i or beyond. The points thus
answer all queries of a matrix traceback, which takes the same path. Points too far from the end's diagonal to reach the
end are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit
from wavediff.core.jobs.alignment import Op
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition.extend import extend_matches_back, slide
from wavediff.core.kernels.traceback.left_align import append_run

EQUAL, MISMATCH, INSERTION, DELETION = int(Op.EQUAL), int(Op.MISMATCH), int(Op.INSERTION), int(Op.DELETION)
Points = npt.NDArray[np.int64]
PointStore = npt.NDArray[np.uint32]
NOWHERE = -2
UNREACHED = np.int64(1) << 62
ANY = 1 << 62  # letters
SHIFT = 2  # what is remembered of a point is so much more: from 0 on, in 32 bits also of 2^31 letters and more


@jit
def extend_points(
    delta_bits: Any, a: Letters, b: Letters, source: Counts, start: int, to: int, most: int, points: Points,
    seen: PointStore,
    first: int, last: int,
    letters: int,
    every: int,
) -> int:  # fmt: skip
    """Extend the points from cost ``first`` to ``last - 1``, storing some; return the next cost.

    The next cost is below ``last`` at the end, or after ``letters`` equal letters.

    Args:
        delta_bits: selects the method, see ``wavediff.core.kernels.pairwise.blocks.method_dispatch``.
        source: int64, shape (width,): cost of the node in row ``start`` on each diagonal, ``to - width // 2`` first;
            ``UNREACHED`` where there is none.
        to, most: diagonal and cost of the end.
        points: int64, shape (width + 2,), at first all ``NOWHERE``; updated.
        seen: uint32, shape (costs * width,): points plus ``SHIFT`` of each cost that is a multiple of ``every``.
    """
    n, width = a.size, source.size
    edit = len(delta_bits) == EDIT_SIGNS
    step = np.int64(1 if edit else 2)
    low = to - width // 2
    leftmost, rightmost = _entered(source, most)
    left: Any = width
    right: Any = -1  # what is reached at a cost lies between
    slid = np.int64(0)
    for d in range(first):
        left, right = min(left - 1, leftmost[d]), max(right + 1, rightmost[d])
    for d in range(first, last):
        reach = most - d
        left, right = min(left - 1, leftmost[d]), max(right + 1, rightmost[d])
        # Two diagonals more, as the walk looks at both neighbours.
        k0 = to - reach + max(0, low + left - 2 - (to - reach)) // step * step
        k1 = min(to + reach, low + right + 2)
        kept, row = d % every == 0, np.int64(d // every * width)
        x = np.int64(k0 - low)
        prior, same = points[x], points[x + 1]  # of the cost before, while its place is taken by this one
        for k in range(k0, k1 + 1, step):
            above = points[np.uint64(x + 2)]
            if edit:
                i = max(prior, same + 1, above + 1)
                prior, same = same, above
            else:
                i = max(points[np.uint64(x)], points[np.uint64(x + 1)], above + 1)
            if source[np.uint64(x)] == d:
                i = max(i, np.int64(start))
            if i < 0:
                i = np.int64(NOWHERE)
            else:
                i, more = slide(a, b, i, k)
                slid += more
            points[np.uint64(x + 1)] = i
            if kept:
                seen[np.uint64(row + x)] = i + SHIFT
            x += step
        if points[to - low + 1] == n or slid > letters:
            return d + 1
    return last


@jit
def _entered(source: Counts, most: int) -> tuple[Counts, Counts]:
    """Return the leftmost and rightmost diagonal with a start at each cost or below, int64, shape (most + 1,)."""
    leftmost, rightmost = np.full(most + 1, source.size, np.int64), np.full(most + 1, -1, np.int64)
    open_to = most + 1
    for x in range(source.size):
        while open_to > 0 and source[x] < open_to:
            open_to -= 1
            leftmost[open_to] = x
    open_to = most + 1
    for x in range(source.size - 1, -1, -1):
        while open_to > 0 and source[x] < open_to:
            open_to -= 1
            rightmost[open_to] = x
    return leftmost, rightmost


@jit
def trace_points(
    delta_bits: Any, a: Letters, b: Letters, start: int, end: int, to: int, most: int, width: int, seen: PointStore,
    ops: Letters,
    lengths: Counts, runs: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Trace from row ``end`` on diagonal ``to`` to row ``start``: equal letters first, then X, D, I.

    Args:
        ops, lengths: output of the runs, last column first, from index ``runs``; 2 * most + 1 entries.

    Returns:
        (remaining letters of A, of B, runs).
    """
    low = to - width // 2
    i, k, d = end, to, most
    while True:
        at = extend_matches_back(a, b, i, i + k, start)
        runs = append_run(ops, lengths, runs, EQUAL, i - at)
        i = at
        if i == start or i + k == 0 or d == 0:
            return i, i + k, runs
        d -= 1
        x = d * width + k - low
        if len(delta_bits) == EDIT_SIGNS and np.int64(seen[x]) >= i - 1 + SHIFT:
            op = MISMATCH
            i -= 1
        elif np.int64(seen[x + 1]) >= i - 1 + SHIFT:
            op = DELETION
            i -= 1
            k += 1
        else:
            op = INSERTION
            k -= 1
        runs = append_run(ops, lengths, runs, op, 1)


@jit
def trace_stretch(
    delta_bits: Any, a: Letters, b: Letters, points: Points, end: int, to: int, seen: PointStore, ops: Letters,
    lengths: Counts, runs: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Trace from row ``end`` on diagonal ``to`` to the previous stored points; see ``trace_points``.

    Args:
        points: int64, ``2 * costs + 3`` diagonals with ``to`` in the middle, ``costs`` before the end; overwritten.
        seen: uint32, scratch for the points between: (costs + 1) * (2 * costs + 1).
    """
    width = points.size - 2
    for x in range(width):
        seen[x] = points[x + 1] + SHIFT
    nowhere = np.zeros(width, np.int64)  # no node is entered at a cost above 0
    extend_points(delta_bits, a, b, nowhere, 0, to, width // 2, points, seen, 1, width // 2, ANY, 1)
    return trace_points(delta_bits, a, b, 0, end, to, width // 2, width, seen, ops, lengths, runs)  # type: ignore[no-any-return]


@jit
def trace_kept(
    delta_bits: Any, a: Letters, b: Letters, kept: PointStore, width: int, every: int, cost: int, ops: Letters,
    lengths: Counts,
) -> tuple[int, int, int]:  # fmt: skip
    """Trace from the end (at ``cost``) over the stored points; see ``trace_points``."""
    runs: Any = np.int64(0)
    i, j, to = a.size, b.size, b.size - a.size
    low = to - width // 2
    seen = np.empty((every + 1) * (2 * every + 1), np.uint32)
    while cost > 0 and i > 0 and j > 0:
        row = (cost - 1) // every
        steps = cost - row * every
        points = np.empty(2 * steps + 3, np.int64)
        for y in range(points.size):
            x = j - i - steps - 1 + y - low
            points[y] = np.int64(kept[row * width + x]) - SHIFT if 0 <= x < width else NOWHERE
        i, j, runs = trace_stretch(delta_bits, a, b, points, i, j - i, seen, ops, lengths, runs)
        cost -= steps
    return i, j, runs


@dataclass(frozen=True, slots=True, eq=False)
class FurthestPoints:
    """Points of one cost from diagonal ``low``, negative: unreachable; int32, or int64 for long sequences."""

    cost: int
    low: int
    points: Any

    def fetch(self, low: int, n: int) -> Counts:
        """Return the points of ``n`` diagonals from ``low``, int64, ``NOWHERE`` outside."""
        out = np.full(n, NOWHERE, np.int64)
        start, end = max(low, self.low), min(low + n, self.low + int(self.points.size))
        if start < end:
            out[start - low : end - low] = self._read(start - self.low, end - self.low)
        return np.maximum(out, NOWHERE)

    def _read(self, first: int, end: int) -> Any:
        return self.points[first:end]
