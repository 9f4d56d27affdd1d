"""A second opinion on a cost that was claimed: the textbook's recurrence, cell by cell, on the letters themselves.

A path is checked letter by letter, but that there is no better one rests on the kernels alone: on bit vectors, bands,
stripped ends. Nothing of these is used here. Source: Wagner and Fischer 1974, within Ukkonen's band (1985) as wide as
the claim; with swaps Lowrance and Wagner 1975. It may cost a few milliseconds, or a small share of what the job took:
so small pairs have it always, large ones where they hardly differ.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Letters, freeze
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jit.decorators import jit_no_nrt
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.events import Event, StepDone

INDEL, EDIT, SWAP = range(3)  # what a change costs: two gaps, one edit, and swaps count as one too
FREE_CHECK_CELLS = 1 << 19  # that every job has: some two milliseconds at most
CELL_SECONDS = 4e-9  # a cell takes by rows
ANTIDIAGONAL_SECONDS, ANTIDIAGONAL_CELL_SECONDS = 1.5e-8, 1.5e-10  # an antidiagonal takes, and each of its cells
MIN_WIDE_BAND = 10  # diagonals on each side of the main one from which antidiagonals are faster than rows
MAX_TIME_SHARE = 0.02  # of the time of the job may go into more of them
REPORT_CELLS = 1 << 22  # cells between two reports
MAX_SWAP_CELLS = 1 << 24  # of four bytes each
UNREACHED = 1 << 60
UNREACHED_32, ZERO, ONE = np.int32(1 << 30), np.int32(0), np.int32(1)
SCORE_NAMES = {INDEL: "length of the LCS", EDIT: "edit distance", SWAP: "edit distance with swaps"}


@jit_no_nrt
def _recompute_rows(a, b, table, edit, width, row, first, last):  # type: ignore[no-untyped-def]
    """Bring ``row`` from row ``first`` to row ``last``.

    Where each diagonal costs one more than its neighbour on the side of the cheapest one, a row in which that one meets
    equal letters leaves all as it is: whatever the others meet, a gap from there costs what they have. Such rows are
    passed over.

    Args:
        width: diagonals on each side of the main one.
        row: int64, shape (2 * width + 2,): costs by diagonals, column less row from ``-width`` on; the last place is
            for what is outside the band.
    """
    m, i = b.size, first
    while i < last:
        i += 1
        letter, changed = table[a[i - 1]], False
        left = np.int64(UNREACHED)
        for k in range(max(0, width - i), min(2 * width, m - i + width) + 1):
            j, cost = i + k - width, row[k]
            if j == 0:
                cost = np.int64(i)
            elif letter != table[b[j - 1]]:
                cost = min(row[k + 1], left) + 1
                if edit:
                    cost = min(cost, row[k] + 1)
            changed |= cost != row[k]
            row[k] = left = cost
        if changed or i < width or i + width >= m:
            continue
        best = row[: 2 * width + 1].argmin()
        for k in range(2 * width + 1):
            changed |= row[k] != row[best] + abs(k - best)
        off = best - width
        while not changed and i < last and i + width < m:
            if a[i] != b[i + off] and table[a[i]] != table[b[i + off]]:
                break
            i += 1


@jit_no_nrt
def _recompute_antidiagonals(a, b_reversed, indel, width, costs, first, last):  # type: ignore[no-untyped-def]
    """Bring ``costs`` from antidiagonal ``first`` to ``last``: its cells do not depend on each other, so they are
    computed by the vector.

    Args:
        indel: a substitution costs two.
        width: diagonals on each side of the main one.
        costs: int32, shape (3 * (rows + 2),): by rows, each antidiagonal in place of the third before it.
    """
    n, m, size = a.size, b_reversed.size, costs.size // 3
    substitution = np.int32(2 if indel else 1)
    for d in range(first + 1, last + 1):
        low, high = max(1, d - m, (d - width + 1) >> 1), min(n, d - 1, (d + width) >> 1)
        now, before, two_before = size * (d % 3), size * ((d - 1) % 3), size * ((d - 2) % 3)
        for i in range(low, high + 1):
            gap = min(costs[np.uint64(before + i - 1)], costs[np.uint64(before + i)]) + ONE
            equal = a[np.uint64(i - 1)] == b_reversed[np.uint64(m - d + i)]
            diagonal = costs[np.uint64(two_before + i - 1)] + (ZERO if equal else substitution)
            costs[np.uint64(now + i)] = min(gap, diagonal)
        costs[now + low - 1] = costs[now + high + 1] = UNREACHED_32
        if d <= min(m, width):
            costs[now] = d
        if d <= min(n, width):
            costs[now + d] = d


@jit_no_nrt
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


def make_ready(job_id: int, kind: int, wide: bool) -> Generator[Event, None, None]:
    """Compile (or load) what ``recompute_score`` needs for a change of this kind in a narrow or a wide band."""
    letter = freeze(np.zeros(1, np.uint8))

    def compute_one_cell() -> None:
        n_steps, advance, _ = _recurrence(letter, letter, False, kind, 1, wide)
        advance(0, n_steps)

    yield from warm_up(job_id, "verify", kernel_key(kind, wide), compute_one_cell)


def kernel_key(kind: int, wide: bool) -> str:
    """Return the name of the variant that ``make_ready`` compiles; see ``wavediff.core.jit.warmup``."""
    return "swaps" if kind == SWAP else "antidiagonals" if wide else "rows"


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
    wide = kind != SWAP and width >= MIN_WIDE_BAND
    takes = ANTIDIAGONAL_SECONDS * (n + m) + ANTIDIAGONAL_CELL_SECONDS * cells if wide else CELL_SECONDS * cells
    if cells > FREE_CHECK_CELLS and (takes > MAX_TIME_SHARE * seconds or (kind == SWAP and cells > MAX_SWAP_CELLS)):
        return
    yield from make_ready(job_id, kind, wide)
    n_steps, advance, result = _recurrence(a, b, fold_case, kind, width, wide)
    step, start = max(1, REPORT_CELLS * n_steps // max(cells, 1)), perf_counter()
    for first in range(0, n_steps, step):
        advance(first, min(n_steps, first + step))
        yield StepDone(job_id, "verify", 1, 0, perf_counter() - start)
        start = perf_counter()
    found = result() if kind == SWAP or abs(n - m) <= width else UNREACHED
    if found != cost:
        again = f"as {(n + m - found) // 2 if kind == INDEL else found:,}" if found < UNREACHED else "larger"
        raise SelfCheckFailed(
            f"the {SCORE_NAMES[kind]} of {n:,} and {m:,} letters came out as {claimed:,}, "
            f"and {again} when it was computed again in another way; the result was thrown away"
        )


def _recurrence(
    a: Letters, b: Letters, fold_case: bool, kind: int, width: int, wide: bool
) -> tuple[int, Callable[[int, int], object], Callable[[], int]]:
    """Return the number of rows or antidiagonals, what computes some of them, and what returns the cost then."""
    n, m = int(a.size), int(b.size)
    table = np.arange(256, dtype=np.uint8)
    if fold_case:
        table[ord("a") : ord("z") + 1] -= 32
    if wide:
        if fold_case:
            a, b = freeze(table[a]), table[b]
        cyclic, b_reversed = np.full(3 * (n + 2), UNREACHED_32, np.int32), b[::-1].copy()
        cyclic[0] = 0
        last = (n + m) % 3 * (n + 2) + n
        return (
            n + m,
            lambda first, end: _recompute_antidiagonals(a, b_reversed, kind == INDEL, width, cyclic, first, end),
            lambda: int(cyclic[last]),
        )
    if kind == SWAP:
        costs, last_row = np.empty((n + 1, m + 1), np.int32), np.zeros(256, np.int64)
        costs[0] = np.arange(m + 1)
        return (
            n,
            lambda first, end: _recompute_rows_with_swaps(a, b, table, costs, last_row, first, end),
            lambda: int(costs[n, m]),
        )
    row, corner = np.full(2 * width + 2, UNREACHED, np.int64), width + m - n
    row[width : width + min(width, m) + 1] = np.arange(min(width, m) + 1)
    return (
        n,
        lambda first, end: _recompute_rows(a, b, table, kind == EDIT, width, row, first, end),
        lambda: int(row[corner]),
    )
