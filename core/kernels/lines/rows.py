"""Display rows of two texts from paired lines."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.line_result import LineKind, LineRows
from wavediff.core.kernels.lines.breaks import Wrapped
from wavediff.core.kernels.lines.matching import ALONE, Gap, Moved, gaps
from wavediff.core.kernels.lines.text_lines import LineNumbers, TextLines


def line_rows(
    mate: Counts,
    moved: list[Moved],
    numbers: LineNumbers,
    wrapped: Wrapped,
    a: TextLines,
    b: TextLines,
    *,
    blank_lines: bool,
) -> LineRows:
    """Return the display rows.

    Args:
        mate: int64, shape (n,): the line of B next to a line of A, equal or changed; ALONE for none.
        blank_lines: whether a run of blank lines in one text only is a hunk.
    """
    lines_a, lines_b = [], []
    at_a = at_b = 0
    for gap in [*gaps(mate, len(b)), Gap(len(a), len(a), len(b), len(b))]:
        lines_a += [np.arange(at_a, gap.a1), np.full(gap.b1 - gap.b0, ALONE)]
        lines_b += [np.arange(at_b, gap.b0), np.full(gap.a1 - gap.a0, ALONE), np.arange(gap.b0, gap.b1)]
        at_a, at_b = gap.a1, gap.b1
    rows_a, rows_b = np.concatenate(lines_a), np.concatenate(lines_b)
    alone_a, alone_b = rows_b == ALONE, rows_a == ALONE
    both = np.flatnonzero(~alone_a & ~alone_b)
    i, j = rows_a[both], rows_b[both]
    kind = np.full(rows_a.size, LineKind.EQUAL, np.uint8)
    kind[both[(numbers.a[i] != numbers.b[j]) & ~(wrapped.a[i] & wrapped.b[j])]] = LineKind.CHANGED
    row_of_a, row_of_b = np.flatnonzero(~alone_b), np.flatnonzero(~alone_a)  # lines are in order
    blank = np.empty(kind.size, bool)
    blank[row_of_a], blank[row_of_b] = numbers.blank[numbers.a], numbers.blank[numbers.b]
    for alone, row_of, same, lone in (
        (alone_a, row_of_a, wrapped.a, LineKind.REMOVED),
        (alone_b, row_of_b, wrapped.b, LineKind.ADDED),
    ):
        kind[alone] = lone
        kind[row_of[same & alone[row_of]]] = LineKind.EQUAL
    partner = np.full(rows_a.size, ALONE, np.int64)
    for block in moved:
        here, there = row_of_a[block.a : block.a + block.n_lines], row_of_b[block.b : block.b + block.n_lines]
        _mark_moved(kind, partner, here, there, LineKind.REMOVED, LineKind.MOVED_FROM, blank)
        _mark_moved(kind, partner, there, here, LineKind.ADDED, LineKind.MOVED_TO, blank)
    if not blank_lines:
        kind[_all_of_run(kind, blank & (alone_a | alone_b))] = LineKind.EQUAL
    differ = kind != LineKind.EQUAL
    hunk = np.cumsum(differ & ~np.append(False, differ[:-1])) * differ
    _join_hunks(hunk, [(int(row_of_a[block.a]), int(row_of_b[block.b])) for block in moved])
    ignored = ~differ & (alone_a | alone_b)
    ignored[both] = ~differ[both] & (numbers.read_a[i] != numbers.read_b[j])
    return LineRows(kind, rows_a, rows_b, hunk, ignored, partner, a.starts, b.starts)


def _mark_moved(
    kind: np.ndarray, partner: Counts, rows: Counts, others: Counts, alone: LineKind, kept: LineKind, blank: np.ndarray
) -> None:
    """Mark the rows of a moved block, and unpaired blank lines next to it."""
    begin, until = int(rows[0]), int(rows[-1]) + 1
    first, end = begin, until
    while first > 0 and blank[first - 1] and kind[first - 1] == alone:
        first -= 1
    while end < kind.size and blank[end] and kind[end] == alone:
        end += 1
    kind[first:end] = kept
    partner[first:begin], partner[rows], partner[until:end] = others[0], others, others[-1]


def _all_of_run(kind: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return for each row whether it is in an unequal run whose rows are all ``wanted``."""
    differ = kind != LineKind.EQUAL
    run = np.cumsum(differ & ~np.append(False, differ[:-1])) * differ
    others = np.bincount(run, weights=~wanted & differ) > 0
    return np.asarray(differ & ~others[run])


def _join_hunks(hunk: Counts, places: list[tuple[int, int]]) -> None:
    """Give both places of a moved block the same hunk number."""
    if not places:
        return
    smaller = np.arange(hunk.max() + 1)
    for row, other in places:
        one, two = sorted((int(smaller[hunk[row]]), int(smaller[hunk[other]])))
        smaller[smaller == two] = one
    hunk[:] = np.unique(smaller, return_inverse=True)[1][hunk]
