"""Optimal steps in a band, 64 columns per word, bit-parallel (Myers 1999, Hyyro 2004).

Node (p, q) of a window lies ``p`` letters of A and ``q`` of B before the end of the window. The cost from each node to
the end is computed from the last row on, as differences of +1, 0 or -1 between neighbours. A step is optimal if the
node's cost falls by the cost of the step.

Columns are in blocks of 64, rows in groups of ``GROUP_ROWS``; all rows of a group have the same blocks. A row or column
of a size above 1 is the middle of a long gap; its letters match nothing. Such a row changes no difference between
columns. Such a column is its own block, and changes no difference between rows.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.simd import popcount
from wavediff.core.jit.unaligned import equal_mask
from wavediff.core.kernels.traceback.left_align import ZERO

# Of a block in a row: columns from which a deletion, an insertion, a pair of letters is a step of least cost.
DELETE, INSERT, PAIR = (np.uint64(k) for k in range(3))
STEP_WORDS = np.int64(4)
NONE, ONE, ALL = np.uint64(0), np.uint64(1), ~np.uint64(0)
WORD = np.int64(64)
GROUP_BITS = np.int64(4)
GROUP_ROWS = np.int64(1) << GROUP_BITS
GROUP_MASK = GROUP_ROWS - 1
BLOCK_WORDS = GROUP_ROWS * STEP_WORDS  # of one block in all rows of a group
STATE_ROWS = 4  # of ``least_cost_steps``


@jit_callee_no_nrt
def _edit_block(x, y, p, end, start, top, state, k, steps, at):  # type: ignore[no-untyped-def]
    """Compute a block of the edit distance in rows ``p`` to ``end``; see ``least_cost_steps``.

    Args:
        start, top: first column, and the bit of the last one.
    """
    rise, fall = state[0, k], state[1, k]
    mores, lesses = state[2], state[3]
    own = ALL if start > 0 else ~ONE  # column 0 is before all letters
    for r in range(p, end + 1):
        row = np.uint64(r & GROUP_MASK)
        more, less = mores[row], lesses[row]
        equal = equal_mask(y, start, x[np.uint64(r)]) & own
        met = equal | less
        total = (met & rise) + rise
        level = (total ^ rise) | met  # but for ``fall``: as much as the node that a pair leads to
        up, down = fall | ~(total | (rise | met)), rise & level
        steps[at + DELETE], steps[at + PAIR] = up, equal | ~(level | fall)
        met = equal | fall
        mores[row], lesses[row] = (up >> top) & ONE, (down >> top) & ONE
        up, down = (up << ONE) + more, (down << ONE) + less
        rise, fall = down | ~(met | up), up & met
        steps[at + INSERT] = rise
        at += np.uint64(STEP_WORDS)
    state[0, k], state[1, k] = rise, fall


@jit_callee_no_nrt
def _indel_block(x, y, p, end, start, top, state, k, steps, at):  # type: ignore[no-untyped-def]
    """Compute a block of the indel distance (LCS), where adjacent cells never have equal cost; see ``_edit_block``."""
    rise = state[0, k]
    lesses = state[3]
    own = ALL if start > 0 else ~ONE
    for r in range(p, end + 1):
        row = np.uint64(r & GROUP_MASK)
        equal = equal_mask(y, start, x[np.uint64(r)]) & own
        met = rise & equal
        total = (rise + lesses[row]) + met
        up = ~(rise & (equal | (total ^ rise ^ met)))
        lesses[row] = ~(up >> top) & ONE
        steps[at + DELETE], steps[at + PAIR] = up, equal | (rise & up)
        rise = total | (rise & ~equal)
        steps[at + INSERT] = rise
        at += np.uint64(STEP_WORDS)
    state[0, k] = rise


@jit_callee_no_nrt
def _across(k, starts, sizes, state, paired):  # type: ignore[no-untyped-def]
    """Return the cost difference across a block."""
    if sizes[k] > 1:
        return sizes[k]
    columns = starts[k + 1] - starts[k]
    some = ALL >> np.uint64(WORD - columns)
    up = np.int64(popcount(state[0, k] & some))
    return 2 * up - columns if paired else up - np.int64(popcount(state[1, k] & some))


@jit_callee_no_nrt
def least_cost_steps(x, x_sizes, y, rows, starts, sizes, groups, paired, state, steps):  # type: ignore[no-untyped-def]
    """Find the optimal steps among the cells of a band.

    Args:
        x, y: reversed letters, uint8; row and column 0 have no letter; 64 bytes after ``y`` are read too.
        x_sizes: letters of A per row; empty: one each.
        starts, sizes: first column of each block and, at the end, the number of columns; its letters: 1, or more in the
            middle of a long gap.
        groups: int64, shape (3, groups): first and last block of each group of rows, and the start of its steps; blocks
            do not decrease between groups.
        paired: a substitution costs 2. state: uint64, shape (STATE_ROWS, blocks, or GROUP_ROWS).
        steps: uint64, output: BLOCK_WORDS per block, STEP_WORDS per row.

    Returns:
        The cost of the first node.
    """
    mores, lesses = state[2], state[3]  # of the column before a block: whether it costs one more or less than a row ago
    first, last, before, p = ZERO, np.int64(-1), np.int64(1), ZERO  # before: what the column before all blocks costs
    while p <= rows:
        g = p >> GROUP_BITS
        while last < groups[1, g]:
            last += 1
            state[0, last], state[1, last] = ALL, NONE
            if last == 0:
                state[0, 0], state[1, 0] = ~ONE, ONE
        while first < groups[0, g]:
            before += _across(first, starts, sizes, state, paired)
            first += 1
        end, lone = min(p | GROUP_MASK, rows), p == 0 or (x_sizes.size > 0 and x_sizes[p] > 1)
        if lone or x_sizes.size > 0:  # this row alone: no letter of it is equal to any, or the next one may be such
            end = p
        for r in range(p, end + 1):
            mores[r & GROUP_MASK], lesses[r & GROUP_MASK] = ONE, NONE
        for k in range(first, last + 1):
            at = np.uint64(groups[2, g] + BLOCK_WORDS * (k - first) + STEP_WORDS * (p & GROUP_MASK))
            top = np.uint64(starts[k + 1] - starts[k] - 1)
            if lone or sizes[k] > 1:
                for r in range(p, end + 1):
                    delete = mores[r & GROUP_MASK] & ~lesses[r & GROUP_MASK]
                    steps[at + DELETE] = NONE if p == 0 else ALL if lone else delete
                    steps[at + INSERT] = ALL if sizes[k] > 1 else state[0, k]
                    steps[at + PAIR] = NONE
                    at += np.uint64(STEP_WORDS)
            elif paired:
                _indel_block(x, y, p, end, starts[k], top, state, k, steps, at)
            else:
                _edit_block(x, y, p, end, starts[k], top, state, k, steps, at)
        if p > 0:
            before += np.int64(x_sizes[p]) if x_sizes.size > 0 else end + 1 - p
        p = end + 1
    for k in range(first, last + 1):
        before += _across(k, starts, sizes, state, paired)
    return before
