"""Verification of automaton candidates: comparison of the whole pattern."""

from __future__ import annotations

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit_callee

TOO_MANY = -1


@jit_callee
def record_start(starts: Counts, end: int) -> int:
    """Return the start of the record with the letter before ``end``; ``starts`` as in ``SearchJob``."""
    low, high = 0, starts.size - 1
    while high - low > 1:
        middle = (low + high) >> 1
        if starts[middle] < end:
            low = middle
        else:
            high = middle
    return int(starts[low])


@jit_callee
def mismatches(text: Letters, start: int, letters: Letters, first: int, last: int, matches: Letters, most: int) -> int:
    """Return the mismatches of pattern ``letters[first:last]`` at ``start``; NONE above ``most``."""
    n = 0
    for i in range(last - first):
        if matches[letters[first + i], text[start + i]] == 0:
            n += 1
            if n > most:
                return TOO_MANY
    return n


@jit_callee
def edits(
    text: Letters, begin: int, end: int, letters: Letters, first: int, last: int, matches: Letters, most: int,
    costs: Counts,
) -> tuple[int, int]:  # fmt: skip
    """Return the minimum edits of ``letters[first:last]`` against a range ending at ``end``, and its length.

    Returns ``NONE, 0`` for more than ``most`` edits. Ties: the shortest range. The range starts at ``begin`` or later.
    Both are read backwards, in a band of ``most`` diagonals on each side: ``costs`` (int64, at least 2 * most + 3) is
    one row of it, with a sentinel at each end.
    """
    n, wall = last - first, most + 1
    width = 2 * most + 1
    for d in range(width + 2):
        j = d - 1 - most  # letters of the text when none of the pattern is used
        costs[d] = j if 0 <= j <= most and end - j >= begin else wall
    costs[0] = costs[width + 1] = wall
    for i in range(1, n + 1):
        row = letters[last - i]
        least = wall
        for d in range(1, width + 1):
            j = i + d - 1 - most
            at = end - j
            cost = wall
            if j >= 0 and at >= begin:
                cost = costs[d + 1] + 1  # a letter of the pattern is missing
                if j > 0:
                    cost = min(cost, costs[d] + (matches[row, text[at]] == 0), costs[d - 1] + 1)
            costs[d] = min(cost, wall)
            least = min(least, costs[d])
        if least > most:
            return TOO_MANY, 0
    best, length = wall, 0
    for d in range(1, width + 1):
        if costs[d] < best:
            best, length = costs[d], n + d - 1 - most
    return (best, length) if best <= most else (TOO_MANY, 0)
