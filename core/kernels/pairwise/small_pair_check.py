"""A second opinion on a cost that was claimed: the textbook's recurrence, cell by cell, on the letters themselves.

A path is checked letter by letter, but that there is no better one rests on the kernels alone: on bit vectors, bands,
stripped ends. Nothing of these is used here. Source: Wagner and Fischer 1974, within Ukkonen's band (1985) as wide as
the claim; with swaps Lowrance and Wagner 1975. It may cost a few milliseconds, or a small share of what the job took:
so small pairs have it always, large ones where they hardly differ.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from core.arrays import Letters
from core.errors import SelfCheckFailed
from core.jit.decorators import jit
from core.jobs.events import Event, StepDone

INDEL, EDIT, SWAP = range(3)  # what a change costs: two gaps, one edit, and swaps count as one too
FREE_CHECK_CELLS = 1 << 19  # that every job has: some two milliseconds
CELL_SECONDS = 4e-9  # a cell takes, with swaps too
MAX_TIME_SHARE = 0.02  # of the time of the job may go into more of them
REPORT_CELLS = 1 << 22  # cells between two reports
MAX_SWAP_CELLS = 1 << 24  # of four bytes each
UNREACHED = 1 << 60
SCORE_NAMES = {INDEL: "length of the LCS", EDIT: "edit distance", SWAP: "edit distance with swaps"}


@jit
def _recompute_rows(a, b, table, edit, width, row, first, last):  # type: ignore[no-untyped-def]
    """Bring ``row``, costs by columns, from row ``first`` to row ``last``.

    Args:
        width: diagonals on each side of the main one.
    """
    m = b.size
    for i in range(first + 1, last + 1):
        low, high = max(1, i - width), min(m, i + width)
        letter, diagonal, left = table[a[i - 1]], row[low - 1], np.int64(UNREACHED)
        if low == 1:
            left = np.int64(i)
            row[0] = i
        for j in range(low, high + 1):
            above = row[j]
            if letter == table[b[j - 1]]:
                cost = diagonal
            else:
                cost = min(above, left) + 1
                if edit:
                    cost = min(cost, diagonal + 1)
            row[j] = left = cost
            diagonal = above


@jit
def _recompute_rows_with_swaps(a, b, table, costs, last_row, first, last):  # type: ignore[no-untyped-def]
    """Bring ``costs``, int32, shape (rows + 1, columns + 1), from row ``first`` to row ``last``.

    Args:
        last_row: int64, shape (256,): the last row of each letter, from 1 on.
    """
    m = b.size
    for i in range(first + 1, last + 1):
        letter, column = table[a[i - 1]], 0
        costs[i, 0] = i
        for j in range(1, m + 1):
            other = table[b[j - 1]]
            row = last_row[other]
            cost = min(costs[i - 1, j - 1] + (letter != other), costs[i - 1, j] + 1, costs[i, j - 1] + 1)
            if row > 0 and column > 0:
                cost = min(cost, costs[row - 1, column - 1] + (i - row) + (j - column) - 1)
            if letter == other:
                column = j
            costs[i, j] = cost
        last_row[letter] = i


def compile_check() -> None:
    """Compile (or load) both."""
    letter, table = np.zeros(1, np.uint8), np.zeros(256, np.uint8)
    letter.setflags(write=False)
    _recompute_rows(letter, letter, table, True, 1, np.zeros(2, np.int64), 0, 1)
    _recompute_rows_with_swaps(letter, letter, table, np.zeros((2, 2), np.int32), np.zeros(256, np.int64), 0, 1)


def recompute_score(
    job_id: int, a: Letters, b: Letters, fold_case: bool, kind: int, claimed: int, seconds: float
) -> Generator[Event, None, None]:
    """Find ``claimed`` again where that costs next to nothing.

    Args:
        a, b: letters. kind: what a change costs. claimed: by the kernels; for ``INDEL`` the length of the LCS.
        seconds: that the job took so far.

    Raises:
        SelfCheckFailed: it came out differently.
    """
    n, m = int(a.size), int(b.size)
    cost = n + m - 2 * claimed if kind == INDEL else claimed
    width = min(max(cost, 0), max(n, m))
    cells = n * m if kind == SWAP else min(n * m, n * (2 * width + 1))
    most = max(FREE_CHECK_CELLS, int(MAX_TIME_SHARE * seconds / CELL_SECONDS))
    if cells > (min(most, MAX_SWAP_CELLS) if kind == SWAP else most):
        return
    table = np.arange(256, dtype=np.uint8)
    if fold_case:
        table[ord("a") : ord("z") + 1] -= 32
    if kind == SWAP:
        costs, last_row = np.empty((n + 1, m + 1), np.int32), np.zeros(256, np.int64)
        costs[0] = np.arange(m + 1)
    else:
        row = np.arange(m + 1)
        row[width + 1 :] = UNREACHED
    step, start = max(1, REPORT_CELLS * n // max(cells, 1)), perf_counter()
    for first in range(0, n, step):
        last = min(n, first + step)
        if kind == SWAP:
            _recompute_rows_with_swaps(a, b, table, costs, last_row, first, last)
        else:
            _recompute_rows(a, b, table, kind == EDIT, width, row, first, last)
        yield StepDone(job_id, "check", 1, 0, perf_counter() - start)
        start = perf_counter()
    inside = kind == SWAP or abs(n - m) <= width
    found = int(costs[n, m] if kind == SWAP else row[m]) if inside else UNREACHED
    if found != cost:
        again = f"as {(n + m - found) // 2 if kind == INDEL else found:,}" if found < UNREACHED else "larger"
        raise SelfCheckFailed(
            f"the {SCORE_NAMES[kind]} of {n:,} and {m:,} letters came out as {claimed:,}, "
            f"and {again} when it was computed again in another way; the result was thrown away"
        )
