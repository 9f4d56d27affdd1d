"""Least cost and, of that cost, fewest gap openings, for many pairs at once: Gotoh's three tables, cell by cell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
COST = 1 << 20  # of a letter in a gap; an opening is 1
NEVER = 1 << 50


def fewest(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8], *, substitution: int) -> tuple[Numbers, Numbers]:
    """Return (cost, gap openings) of the best alignment of each row of ``a`` (k, n) with that of ``b`` (k, m).

    Args:
        substitution: what it costs, and opens no gap: 1, or 2 for an LCS.
    """
    pairs, n, m = a.shape[0], a.shape[1], b.shape[1]
    never = np.full(pairs, NEVER, np.int64)
    both, deleted, inserted = (np.full((n + 1, m + 1, pairs), NEVER, np.int64) for _ in range(3))
    both[0, 0] = 0
    for i in range(n + 1):
        for j in range(m + 1):
            if i or j:
                pair = never
                if i and j:
                    pair = both[i - 1, j - 1] + np.where(a[:, i - 1] == b[:, j - 1], 0, substitution * COST)
                if i:
                    deleted[i, j] = np.minimum(both[i - 1, j] + 1, deleted[i - 1, j]) + COST
                if j:
                    inserted[i, j] = np.minimum(both[i, j - 1] + 1, inserted[i, j - 1]) + COST
                both[i, j] = np.minimum(np.minimum(deleted[i, j], inserted[i, j]), pair)
    cost, openings = np.divmod(both[n, m], COST)
    return cost, openings
