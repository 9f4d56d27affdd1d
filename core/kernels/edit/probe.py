"""O(ND) with mismatches: follow the diagonals outward from few edits (Ukkonen 1985), and give up when there are many.

Furthest-reaching points on diagonals ``k = j - i`` for 0, 1, 2... edits. Costs about D^2 steps.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from core.arrays import Counts, Letters
from core.kernels.edit.trace import DELETION, EQUAL, INSERTION, MISMATCH
from core.kernels.lcs.probe import NOWHERE, Points, Seen, slide


@njit(nogil=True, cache=True)
def _choose(above: int, same: int, beside: int, n: int, m: int, k: int) -> tuple[int, int]:
    """Return where diagonal k is entered and by which operation; (NOWHERE, EQUAL) where it cannot be.

    Args:
        above, same, beside: furthest letters of A one round earlier on diagonals k + 1, k and k - 1.
    """
    best, op = NOWHERE, EQUAL
    if 0 <= same < n and same + 1 + k <= m:
        best, op = same + 1, MISMATCH
    if 0 <= above < n and above + 1 > best:
        best, op = above + 1, DELETION
    if beside >= 0 and beside + k <= m and beside > best:
        best, op = beside, INSERTION
    return best, op


@njit(nogil=True, cache=True)
def edit_probe_steps(a: Letters, b: Letters, points: Points, seen: Seen, first: int, last: int) -> int:
    """Extend the furthest points from ``first`` to at most ``last - 1`` edits.

    Args:
        points: int64, shape (2 * limit + 3,), at first all ``NOWHERE``: furthest letter of A on diagonal k at
            ``limit + 1 + k``; updated.
        seen: int32, the points of every round, round d from item ``d * d`` on (diagonals -d to d); empty when no
            path is wanted.

    Returns:
        The edit distance when the end was reached, else -1.
    """
    n, m = a.size, b.size
    zero = points.size // 2
    for d in range(first, last):
        beside = np.int64(NOWHERE)  # of the round before, while its place is taken by this one
        for k in range(-d, d + 1):
            same = points[zero + k]
            i = np.int64(0)
            if d > 0:
                i = np.int64(_choose(points[zero + k + 1], same, beside, n, m, k)[0])
            beside = same
            if i >= 0:
                i = np.int64(slide(a, b, i, i + k))
            points[zero + k] = i
            if seen.size:
                seen[d * d + d + k] = i
            if i == n and i + k == m:
                return d
    return -1


@njit(nogil=True, cache=True)
def edit_probe_path(n: int, m: int, distance: int, seen: Seen) -> tuple[npt.NDArray[np.uint8], Counts]:
    """Return the runs (operations, lengths) of the path that ``edit_probe_steps`` found, last column first."""
    ops, lengths = np.empty(2 * distance + 1, np.uint8), np.empty(2 * distance + 1, np.int64)
    i, k, runs = n, m - n, 0
    for d in range(distance, 0, -1):
        middle = (d - 1) * (d - 1) + d - 1
        above = seen[middle + k + 1] if -d < k + 1 < d else NOWHERE
        same = seen[middle + k] if -d < k < d else NOWHERE
        beside = seen[middle + k - 1] if -d < k - 1 < d else NOWHERE
        start, op = _choose(above, same, beside, n, m, k)
        if i > start:
            ops[runs], lengths[runs] = EQUAL, i - start
            runs += 1
        ops[runs], lengths[runs] = op, 1
        runs += 1
        i = start if op == INSERTION else start - 1
        k += 1 if op == DELETION else -1 if op == INSERTION else 0
    if i > 0:
        ops[runs], lengths[runs] = EQUAL, i
        runs += 1
    return ops[:runs], lengths[:runs]
