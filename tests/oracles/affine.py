"""Gotoh 1982 as published: three tables, cell by cell, and the alignment that the rule for ties chooses."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import numpy.typing as npt

NONE = -(1 << 40)  # less than any score
Scores = npt.NDArray[np.int64]


def tables(a: list[int], b: list[int], scores: Scores, first: int, more: int) -> tuple[Scores, Scores, Scores]:
    """Return the best scores of all, and of those that end with an insertion and with a deletion: H, E, F.

    Shape (n + 1, m + 1) each.

    Args:
        a, b: codes of letters. first, more: what the first letter of a gap costs, and every further one.
    """
    n, m = len(a), len(b)
    # Of Python's numbers: single ones of NumPy's take several times as long.
    best, inserted, deleted = ([[NONE] * (m + 1) for _ in range(n + 1)] for _ in range(3))
    score_of = scores.tolist()
    best[0][0] = 0
    for i in range(n + 1):
        for j in range(m + 1):
            if j:
                inserted[i][j] = max(best[i][j - 1] - first, inserted[i][j - 1] - more)
            if i:
                deleted[i][j] = max(best[i - 1][j] - first, deleted[i - 1][j] - more)
            if i or j:
                pair = best[i - 1][j - 1] + score_of[a[i - 1]][b[j - 1]] if i and j else NONE
                best[i][j] = max(pair, inserted[i][j], deleted[i][j])
    return np.array(best, np.int64), np.array(inserted, np.int64), np.array(deleted, np.int64)


def align(
    a: list[int], b: list[int], scores: Scores, first: int, more: int, same: npt.NDArray[np.bool_]
) -> tuple[int, str]:
    """Return score and CIGAR: from the end, a pair first, then an insertion, then a deletion, gaps as short as can be.

    Args:
        same: which codes are the same letter, shape (codes, codes).
    """
    best, inserted, deleted = tables(a, b, scores, first, more)
    i, j, state, ops = len(a), len(b), "H", ""
    while i or j:
        if state == "H":
            if i and j and best[i, j] == best[i - 1, j - 1] + scores[a[i - 1], b[j - 1]]:
                i, j = i - 1, j - 1
                ops += "=" if same[a[i], b[j]] else "X"
            else:
                state = "E" if j and best[i, j] == inserted[i, j] else "F"
        elif state == "E":
            state = "H" if inserted[i, j] == best[i, j - 1] - first else "E"
            j, ops = j - 1, ops + "I"
        else:
            state = "H" if deleted[i, j] == best[i - 1, j] - first else "F"
            i, ops = i - 1, ops + "D"
    return int(best[-1, -1]), "".join(f"{len(list(run))}{op}" for op, run in groupby(reversed(ops)))
