"""O(ND): follow the diagonals outward from few differences (Myers 1986), and give up when there are many.

Furthest-reaching points on diagonals ``k = j - i`` for 0, 1, 2... insertions and deletions. Costs about
D^2 / 2 steps, so it wins where sequences hardly differ and is stopped early where they do not.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from core.arrays import Counts, Letters
from core.kernels.lcs.trace import DELETION, EQUAL, INSERTION
from core.simd import trailing_zeros, word_at

Points = npt.NDArray[np.int64]
Seen = npt.NDArray[np.int32]
NOWHERE = -2


@njit(nogil=True, cache=True)
def slide(a: Letters, b: Letters, i: int, j: int) -> int:
    """Return the end in A of the run of equal letters that starts at (i, j)."""
    n, m = a.size, b.size
    while i + 8 <= n and j + 8 <= m:
        differs = word_at(a, i) ^ word_at(b, j)
        if differs != 0:
            return int(i + trailing_zeros(differs) // 8)
        i += 8
        j += 8
    while i < n and j < m and a[i] == b[j]:
        i += 1
        j += 1
    return i


@njit(nogil=True, cache=True)
def _choose(above: int, beside: int, n: int, m: int, k: int) -> tuple[int, bool]:
    """Return where diagonal k is entered, and whether by a deletion; (NOWHERE, False) where it cannot be.

    Args:
        above, beside: furthest letters of A one round earlier on diagonals k + 1 and k - 1.
    """
    down = above + 1 if 0 <= above < n else NOWHERE
    right = beside if beside >= 0 and beside + k <= m else NOWHERE
    return (down, True) if down > right else (right, False)


@njit(nogil=True, cache=True)
def probe_steps(a: Letters, b: Letters, points: Points, seen: Seen, first: int, last: int) -> int:
    """Extend the furthest points from ``first`` to at most ``last - 1`` insertions and deletions.

    Args:
        points: int64, shape (2 * limit + 3,), at first all ``NOWHERE``: furthest letter of A on diagonal k at
            ``limit + 1 + k``; updated.
        seen: int32, the points of every round, round d from item ``d * (d + 1) // 2`` on (diagonals -d, -d + 2...);
            empty when no path is wanted.

    Returns:
        The indel distance when the end was reached, else -1.
    """
    n, m = a.size, b.size
    zero = points.size // 2
    for d in range(first, last):
        base = d * (d + 1) // 2
        for x in range(d + 1):
            k = 2 * x - d
            i = 0
            if d > 0:
                i, _ = _choose(points[zero + k + 1], points[zero + k - 1], n, m, k)
            if i >= 0:
                i = slide(a, b, i, i + k)
            points[zero + k] = i
            if seen.size:
                seen[base + x] = i
            if i == n and i + k == m:
                return d
    return -1


@njit(nogil=True, cache=True)
def probe_path(n: int, m: int, distance: int, seen: Seen) -> tuple[Letters, Counts]:
    """Return the runs (operations, lengths) of the path that ``probe_steps`` found, last column first."""
    ops, lengths = np.empty(2 * distance + 1, np.uint8), np.empty(2 * distance + 1, np.int64)
    i, k, runs = n, m - n, 0
    for d in range(distance, 0, -1):
        base, x = (d - 1) * d // 2, (k + d) // 2
        start, down = _choose(seen[base + x] if x < d else NOWHERE, seen[base + x - 1] if x > 0 else NOWHERE, n, m, k)
        if i > start:
            ops[runs], lengths[runs] = EQUAL, i - start
            runs += 1
        ops[runs], lengths[runs] = (DELETION if down else INSERTION), 1
        runs += 1
        i, k = (start - 1, k + 1) if down else (start, k - 1)
    if i > 0:
        ops[runs], lengths[runs] = EQUAL, i
        runs += 1
    return ops[:runs], lengths[:runs]
