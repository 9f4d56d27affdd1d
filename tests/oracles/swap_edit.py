"""Edit distance with swaps as Lowrance and Wagner (and Kim, Na and Sim) have it: the full table H, with DX and DY."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tests.oracles.edit import Letters

Table = npt.NDArray[np.int64]


class Cell(NamedTuple):
    """What Kim looks up for one cell: last row before i with b_j (0: none), last column before j with a_i."""

    p: int
    q: int


def table(a: Letters, b: Letters) -> Table:
    """Distances of all prefixes, shape (len(a) + 1, len(b) + 1)."""
    h = [list(range(len(b) + 1))]  # of Python's numbers: single ones of NumPy's take ten times as long
    dx: dict[object, int] = {}
    for i, x in enumerate(a, 1):
        above, row, dy = h[-1], [i], 0
        for j, y in enumerate(b, 1):
            best = min(row[j - 1] + 1, above[j] + 1, above[j - 1] + (x != y))
            p, q = dx.get(y, 0), dy
            if p and q:
                best = min(best, h[p - 1][q - 1] + (i - p - 1) + (j - q - 1) + 1)
            row.append(best)
            if x == y:
                dy = j
        h.append(row)
        dx[x] = i
    return np.array(h, np.int64)


def look_up(a: bytes, b: bytes, i: int, j: int) -> Cell:
    """p and q of cell (i, j), from 1."""
    return Cell(a.rfind(b[j - 1 : j], 0, i - 1) + 1, b.rfind(a[i - 1 : i], 0, j - 1) + 1)


def distance(a: bytes, b: bytes) -> int:
    return int(table(a, b)[-1, -1])


def replay(a: bytes, columns: str, swaps: list[tuple[int, int, int, int]], b: bytes) -> tuple[bytes, int]:
    """Follow one operation a column over ``a``: what comes out, and its cost.

    New letters come from ``b``; those of a swap (first and last letter in A, first and last in B) from ``a``.
    """
    out, cost = bytearray(), 0
    ends: dict[int, tuple[int, int]] = {}  # column in B -> letter of A that is put there, and its cost
    for i0, i1, j0, j1 in swaps:
        assert i0 < i1
        assert j0 < j1
        assert i1 - i0 == 1 or j1 - j0 == 1, "letters of both lie between"
        assert not {j0, j1} & set(ends), "swaps share a letter"
        ends[j0], ends[j1] = (a[i1], 1), (a[i0], 0)
    i = 0
    for op in columns:
        if op == "=":
            out.append(a[i])
        elif op == "X":
            j = len(out)
            letter, one = ends.pop(j, (b[j], 1))
            assert letter != a[i], "X joins equal letters"
            out.append(letter)
            cost += one
        elif op == "I":
            out.append(b[len(out)])
            cost += 1
        else:
            cost += 1
        i += op != "I"
    assert i == len(a), "letters of A are left over"
    assert not ends, "a swap does not lie on two X"
    return bytes(out), cost
