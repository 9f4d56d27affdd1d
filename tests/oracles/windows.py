"""Windows cell by cell: what each node costs to the end, and of all best alignments the one that is chosen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
NEVER = 1 << 40


def costs(x: npt.NDArray[np.uint8], x_sizes: Numbers, y: npt.NDArray[np.uint8], y_sizes: Numbers, sub: int) -> Numbers:
    """Return the cost of the first p rows against the first q columns, int64, shape (x.size, y.size).

    Args:
        x, y: letters; the first of each is none. x_sizes, y_sizes: letters of each row and column; those of a size
            above 1 equal none, and have no letter opposite.
        sub: cost of a substitution.
    """
    found = np.full((x.size, y.size), NEVER, np.int64)
    found[0] = np.cumsum(y_sizes) - y_sizes[0]
    for p in range(1, x.size):
        found[p, 0] = found[p - 1, 0] + x_sizes[p]
        for q in range(1, y.size):
            best = min(found[p - 1, q] + x_sizes[p], found[p, q - 1] + y_sizes[q])
            if x_sizes[p] == y_sizes[q] == 1:
                best = min(best, found[p - 1, q - 1] + (0 if x[p] == y[q] else sub))
            found[p, q] = best
    return found


def chosen(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8], sub: int) -> tuple[int, int, list[tuple[str, int, int]]]:
    """Return cost and gap openings of the best alignment, and its columns: operation, letters of A and of B before.

    Gotoh's three tables, and the walk back from the end: where several ways are as good it takes a pair of letters
    first, then a deletion, then an insertion, and closes a gap as soon as it can.
    """
    n, m = a.size, b.size
    worst = (NEVER, NEVER)
    best, deleted, inserted = ([[worst] * (m + 1) for _ in range(n + 1)] for _ in range(3))
    best[0][0] = (0, 0)

    def longer(kept: tuple[int, int], begun: tuple[int, int]) -> tuple[int, int]:
        cost, gaps = min(kept, (begun[0], begun[1] + 1))
        return cost + 1, gaps

    def pair(i: int, j: int) -> tuple[int, int]:
        if not i or not j:
            return worst
        cost, gaps = best[i - 1][j - 1]
        return cost + (0 if a[i - 1] == b[j - 1] else sub), gaps

    for i in range(n + 1):
        for j in range(m + 1):
            if i:
                deleted[i][j] = longer(deleted[i - 1][j], best[i - 1][j])
            if j:
                inserted[i][j] = longer(inserted[i][j - 1], best[i][j - 1])
            if i or j:
                best[i][j] = min(pair(i, j), deleted[i][j], inserted[i][j])
    columns, i, j, gap = list[tuple[str, int, int]](), n, m, ""
    while i or j:
        if not gap and pair(i, j) != best[i][j]:
            gap = "D" if deleted[i][j] == best[i][j] else "I"
        op = gap or ("=" if a[i - 1] == b[j - 1] else "X")
        i, j = i - (op != "I"), j - (op != "D")
        columns.append((op, i, j))
        if gap:
            table = deleted if gap == "D" else inserted
            cost, gaps = best[i][j]
            gap = gap if table[i][j] < (cost, gaps + 1) else ""
    return *best[n][m], columns[::-1]
