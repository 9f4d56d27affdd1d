"""Band of a window: its letters, column blocks, and the blocks near the path.

Rows are letters of A, columns letters of B, numbered from the end of the window. The middle of a long gap is one row or
column, which only that gap can cross.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.kernels.traceback import tie_rules
from wavediff.core.kernels.traceback.least_cost_steps import BLOCK_WORDS, GROUP_BITS, GROUP_MASK, GROUP_ROWS, WORD
from wavediff.core.kernels.traceback.left_align import DELETION, EQUAL, INSERTION, ZERO

GAP_ENDS, LONG_GAP = np.int64(tie_rules.GAP_ENDS), np.int64(tie_rules.LONG_GAP)
DRIFT_GROUPS, WIDEST = np.int64(512) // GROUP_ROWS, np.int64(320)  # see ``choose_band``


@jit_callee_no_nrt
def _take_letters(letters, op, n, end, place, x, sizes):  # type: ignore[no-untyped-def]
    """Append letters up to ``letters[end]`` as rows (or columns) from index ``place``."""
    middle = n - LONG_GAP + 1 if op >= INSERTION and n > LONG_GAP else np.int64(1)
    for k in range(n - middle + 1):
        size = middle if k == GAP_ENDS else np.int64(1)
        end, place = end - size, place + 1
        x[place], sizes[place] = letters[end], size


@jit_callee_no_nrt
def take_window(a, b, i, j, ops, lengths, head, tail, x, x_sizes, y, y_sizes, diagonals):  # type: ignore[no-untyped-def]
    """Write the letters of a window as rows and columns, and the path's diagonals; return the sizes.

    Args:
        i, j: letters of A and of B up to its end. ops, lengths: its runs.
        head, tail: letters of the equal runs before and after them.
        x_sizes, y_sizes: output: letters of each row and column; empty: one each.
        diagonals: int64, shape (2, groups), output: least and greatest in each group of rows.
    """
    rows = cols = groups = ZERO
    diagonals[0, 0] = diagonals[1, 0] = 0
    for k in range(ops.size, -2, -1):
        op, n = EQUAL, tail if k == ops.size else head
        if 0 <= k < ops.size:
            op, n = np.int64(ops[k]), lengths[k]
        if x_sizes.size > 0:
            if op != INSERTION:
                _take_letters(a, op, n, i, rows, x, x_sizes)
            if op != DELETION:
                _take_letters(b, op, n, j, cols, y, y_sizes)
            i -= n * (op != INSERTION)
            j -= n * (op != DELETION)
            n = min(n, LONG_GAP) if op >= INSERTION else n
        if op == INSERTION:
            cols += n
            diagonals[1, groups] = max(diagonals[1, groups], cols - rows)
            continue
        while n > 0:
            some = min(n, GROUP_ROWS - 1 - (rows & GROUP_MASK))
            if some == 0:
                groups, some = groups + 1, min(n, GROUP_ROWS)
                diagonals[0, groups] = diagonals[1, groups] = cols - rows
            n, rows = n - some, rows + some
            cols += some * (op != DELETION)
            diagonals[0, groups] = min(diagonals[0, groups], cols - rows)
    if x_sizes.size == 0:
        for k in range(rows):
            x[k + 1] = a[i - 1 - k]
        for k in range(cols):
            y[k + 1] = b[j - 1 - k]
    return rows, cols


@jit_callee_no_nrt
def cut_columns(y_sizes, cols, starts, sizes):  # type: ignore[no-untyped-def]
    """Split columns 0 to ``cols`` into blocks, see ``least_cost_steps``.

    Args:
        y_sizes: letters of each column; empty: one each.
    """
    blocks, start = ZERO, ZERO
    while start <= cols:
        starts[blocks], sizes[blocks], end = start, 1, start + 1
        if y_sizes.size == 0:
            end = min(start + WORD, cols + 1)
        elif start > 0 and y_sizes[start] > 1:
            sizes[blocks] = y_sizes[start]
        else:
            while end <= cols and end < start + WORD and y_sizes[end] == 1:
                end += 1
        blocks += 1
        start = end
    starts[blocks] = start


@jit_callee_no_nrt
def choose_band(diagonals, rows, cols, lowest, highest, near, widest, starts, groups):  # type: ignore[no-untyped-def]
    """Select the blocks of each row group, see ``least_cost_steps``; return the words of their steps.

    The band includes ``near`` rows and columns on each side of the path. Where the path changes to another diagonal, it
    adds their distance, at most ``widest``, so that a long gap in pieces can become one gap.

    Args:
        diagonals: int64, shape (2, groups): least and greatest of the path in each group.
        lowest, highest: diagonals to compute if ``near`` is 0.
        groups: int64, shape (3, groups), see ``least_cost_steps``.
    """
    n, k, words = (rows >> GROUP_BITS) + 1, cols // WORD, ZERO
    while starts[k] <= cols:
        k += 1
    for g in range(n - 1, -1, -1):
        p, left = g << GROUP_BITS, (g << GROUP_BITS) + lowest
        if near > 0:
            before, behind = max(g - DRIFT_GROUPS, ZERO), min(g + DRIFT_GROUPS, n - 1)
            drift = max(diagonals[1, behind] - diagonals[0, before], diagonals[1, before] - diagonals[0, behind])
            groups[2, g] = near + min(drift, widest)
            p = max(p - groups[2, g], ZERO)
            left = p + diagonals[0, p >> GROUP_BITS] - groups[2, g]
        while k > 0 and starts[k] > left:
            k -= 1
        groups[0, g] = k
    k = ZERO
    for g in range(n):
        p = min((g << GROUP_BITS) | GROUP_MASK, rows)
        right = p + highest
        if near > 0:
            p = min(p + groups[2, g], rows)
            right = p + diagonals[1, p >> GROUP_BITS] + groups[2, g]
        while starts[k + 1] <= right and starts[k + 1] <= cols:
            k += 1
        groups[1, g], groups[2, g] = k, words
        words += BLOCK_WORDS * (k + 1 - groups[0, g])
    return words
