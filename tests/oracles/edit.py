"""Edit distance as the textbook has it: slow, obvious, and no bit in sight."""

from __future__ import annotations

from functools import lru_cache
from re import finditer

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.int64]
Letters = bytes | str | list[int]


def distance(a: Letters, b: Letters) -> int:
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j - 1] + (x != y), above[j] + 1, row[-1] + 1))
        above = row
    return above[-1]


def table(a: bytes, b: bytes) -> Table:
    """Distances of all prefixes, shape (len(a) + 1, len(b) + 1); ``table(...)[i, j]`` is that of a[:i] and b[:j]."""
    codes, column = np.frombuffer(b, np.uint8), np.arange(len(b) + 1)
    rows = [column]
    for x in a:
        best = rows[-1] + 1
        best[1:] = np.minimum(best[1:], rows[-1][:-1] + (codes != x))
        # An insertion goes right at cost 1: the best of all places to its left, each that much dearer.
        rows.append(np.minimum.accumulate(best - column) + column)
    return np.array(rows, np.int64)


def through(a: bytes, b: bytes) -> Table:
    """Cost of the best path through each node, shape as ``table``: that of the whole where a best path goes."""
    return table(a, b) + table(a[::-1], b[::-1])[::-1, ::-1]


def best_cells(a: bytes, b: bytes) -> int:
    """Return how many cells (pairs of a letter of each, at whose lower right a node lies) best paths go through."""
    costs = through(a, b)
    return int((costs[1:, 1:] == costs[0, 0]).sum())


@lru_cache(maxsize=1 << 10)  # tests ask for those of the same pairs, for each way to compute them
def script(a: bytes, b: bytes) -> str:
    """One operation a column. Ties, walking from the end: equal letters first, then X, then D, then I.

    What is left where the walk first touches the common prefix is one gap, moved left.
    """
    costs, i, j, out = table(a, b), len(a), len(b), ""
    prefix = common_prefix(a, b)
    while i > prefix and j > prefix:
        here = costs[i, j]
        if a[i - 1] == b[j - 1]:
            out, i, j = "=" + out, i - 1, j - 1
        elif costs[i - 1, j - 1] + 1 == here:
            out, i, j = "X" + out, i - 1, j - 1
        elif costs[i - 1, j] + 1 == here:
            out, i = "D" + out, i - 1
        else:
            out, j = "I" + out, j - 1
    return left_most(a, b, "=" * prefix + "D" * (i - prefix) + "I" * (j - prefix) + out)


def common_prefix(a: bytes, b: bytes) -> int:
    return next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


@lru_cache(maxsize=1 << 12)
def left_most(a: bytes, b: bytes, script: str) -> str:
    """Move every gap of one kind to the left, a letter at a time, until no equal letter lets one pass."""
    moved = True
    while moved:
        moved = False
        for gap in finditer(r"(?<==)(D+(?![DI])|I+)", script):
            first, last = gap.span()
            i, j = (sum(op != other for op in script[:first]) for other in "ID")
            letters, at = (a, i) if script[first] == "D" else (b, j)
            if letters[at - 1] == letters[at + last - first - 1]:
                script = script[: first - 1] + script[first:last] + "=" + script[last:]
                moved = True
                break
    return script


def in_one_piece(a: bytes, b: bytes) -> str:
    """Return the script that keeps the shorter one whole where the longer first has it; nothing where it has not."""
    short, long, gap = (b, a, "D") if len(b) < len(a) else (a, b, "I")
    at = long.find(short)
    return "" if at < 0 else gap * at + "=" * len(short) + gap * (len(long) - len(short) - at)


def replay(a: bytes, script: str, b: bytes) -> tuple[bytes, int]:
    """Follow one operation a column over ``a``, taking new letters from ``b``: what comes out, and its cost."""
    out, i = bytearray(), 0
    for op in script:
        if op == "=":
            out.append(a[i])
        elif op in "XI":
            out.append(b[len(out)])
        if op == "X":
            assert a[i] != out[-1], "X joins equal letters"
        i += op != "I"
    assert i == len(a), "letters of A are left over"
    return bytes(out), len(script) - script.count("=")
