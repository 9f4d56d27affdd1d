"""Optimal alignment of a window with the fewest gap openings (Gotoh 1982).

Only nodes on an alignment of least cost are visited, along the steps of ``least_cost_steps``; most rows have one such
node, reached by a pair of letters. Rows and columns are numbered from the end of the window, so the forward pass starts
with its first letters.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.jit.decorators import jit_callee_no_nrt
from wavediff.core.jit.simd import leading_zeros
from wavediff.core.kernels.traceback.least_cost_steps import (
    BLOCK_WORDS,
    DELETE,
    GROUP_BITS,
    GROUP_MASK,
    GROUP_ROWS,
    INSERT,
    NONE,
    ONE,
    PAIR,
    STEP_WORDS,
    WORD,
)
from wavediff.core.kernels.traceback.left_align import DELETION, EQUAL, INSERTION, MISMATCH, ZERO, append_run

NEVER = np.int32(1 << 29)
# Of a block in a row, in place of its steps: columns whose best alignment ends in a pair or else in a deletion
# (neither: an insertion), and columns where a gap goes on.
FROM_PAIR, FROM_DELETION, DELETION_GOES_ON, INSERTION_GOES_ON = (np.uint64(k) for k in range(4))


@jit_callee_no_nrt
def count_openings(rows, cols, starts, groups, steps, simple, work, reached):  # type: ignore[no-untyped-def]
    """Propagate gap openings along optimal steps from the first node to the last.

    Args:
        steps: for rows that are not ``simple``, replaced by the operations that end at each reached node.
        simple: uint8, output for each row: its nodes are entered by letter pairs only, and none is left by a gap.
        work: int32, shape (2, rows + columns + 2), scratch. reached: uint64, shape (2, blocks), zeros; restored.

    Returns:
        The fewest gap openings.
    """
    by_pair, by_deletion = reached[0], reached[1]
    best, deleted = work[0], work[1]  # of the node on each diagonal, so that a pair of letters changes nothing
    for row in range(rows + 1):
        simple[row] = 1
    p, k = rows, ZERO
    while starts[k + 1] <= cols:
        k += 1
    some = ONE << np.uint64(cols - starts[k])
    best[cols + 1] = 0
    while True:
        going = True
        while going:  # nodes of one block, reached by pairs of letters
            g, row = p >> GROUP_BITS, p & GROUP_MASK
            at = np.uint64(groups[2, g] + BLOCK_WORDS * (k - groups[0, g]) + STEP_WORDS * row)
            end = np.int64(p < GROUP_ROWS)
            while row >= end and (steps[at + DELETE] | steps[at + INSERT] | ONE) & some == NONE:
                row, some, at = row - 1, some >> ONE, at - np.uint64(STEP_WORDS)
            p = GROUP_ROWS * g + row
            going = row < 0
        by_pair[k] = some
        top, bottom = k, k
        after_simple = True
        while True:
            simple[np.uint64(p)] = 0
            g = np.uint64(p >> GROUP_BITS)
            lowest, base = groups[0, g], groups[2, g] + STEP_WORDS * (p & GROUP_MASK)
            while top > groups[1, g]:  # out of the band
                by_pair[top] = by_deletion[top] = NONE
                top -= 1
            while bottom < lowest:
                by_pair[bottom] = by_deletion[bottom] = NONE
                bottom += 1
            inserted, opened, entered = NEVER, NEVER, False
            gap_onward, late = NONE, NONE
            next_top, next_bottom = ZERO, top
            k = top
            while k >= bottom or (entered and k >= lowest):
                block = np.uint64(k)
                pairs, deletions, start = by_pair[block], by_deletion[block], starts[block]
                by_pair[block], by_deletion[block], late = late, NONE, NONE
                todo = pairs | deletions
                if entered:
                    todo |= ONE << np.uint64(starts[block + ONE] - start - 1)
                if todo == NONE:
                    k -= 1
                    continue
                at = np.uint64(base + BLOCK_WORDS * (k - lowest))
                insert = steps[at + INSERT]
                from_pair = from_deletion = deletion_goes_on = insertion_goes_on = some = NONE
                diagonal = np.uint64(start - p + rows + 1)
                while todo != NONE:
                    bit = np.uint64(WORD - 1 - leading_zeros(todo))
                    this = ONE << bit
                    todo ^= this
                    some |= this
                    here, above = diagonal + bit, diagonal + bit - ONE
                    # Selected, not branched to: which of them there are can hardly be foretold.
                    begun, kept, by = best[above] + np.int32(1), deleted[above], best[here]
                    has_pair, has_deletion = pairs & this != NONE, deletions & this != NONE
                    by = by if has_pair else NEVER
                    kept = kept if has_deletion and not after_simple else NEVER
                    begun = begun if has_deletion else NEVER
                    down, right = min(kept, begun), min(inserted, opened)
                    least = min(min(by, down), right)
                    deletion_goes_on |= this if kept < begun else NONE
                    insertion_goes_on |= this if inserted < opened else NONE
                    from_pair |= this if by == least else NONE
                    from_deletion |= this if down == least else NONE
                    best[here], deleted[here] = least, down
                    entered = insert & this != NONE
                    inserted, opened = right if entered else NEVER, least + np.int32(1) if entered else NEVER
                    todo |= (this >> ONE) & (NONE - np.uint64(entered))
                delete, pair = steps[at + DELETE] & some, steps[at + PAIR] & some
                steps[at + FROM_PAIR], steps[at + FROM_DELETION] = from_pair, from_deletion
                steps[at + DELETION_GOES_ON], steps[at + INSERTION_GOES_ON] = deletion_goes_on, insertion_goes_on
                by_deletion[block] = delete
                by_pair[block] |= pair >> ONE
                gap_onward |= delete
                if delete | pair:
                    next_top, next_bottom = max(next_top, k), k
                    if pair & ONE:
                        late = ONE << np.uint64(start - starts[k - 1] - 1)
                        next_top, next_bottom = max(next_top, k - 1), k - 1
                k -= 1
            if p == 0:
                return np.int64(best[rows + 1])
            if late != NONE:
                by_pair[k] = late
            p -= 1
            top, bottom, after_simple = next_top, next_bottom, False
            if gap_onward == NONE and top == bottom:
                k, some = top, by_pair[np.uint64(top)]
                by_pair[np.uint64(k)] = NONE
                break


@jit_callee_no_nrt
def walk_back(x, x_sizes, y, y_sizes, rows, cols, starts, groups, steps, simple, paired, ops, lengths, out):  # type: ignore[no-untyped-def]
    """Trace back from the last node and write the runs from ``out`` in column order; return their number.

    Args:
        paired: write a substitution as a D and an I of its gap.
    """
    p, q, runs, k = ZERO, ZERO, ZERO, NONE
    deletions = insertions = ZERO
    in_deletion = in_insertion = False
    ops, lengths = ops[out:], lengths[out:]
    while p < rows or q < cols:
        if not simple[np.uint64(p)]:
            while starts[k + ONE] <= q:
                k += ONE
            g = np.uint64(p >> GROUP_BITS)
            at = np.uint64(groups[2, g] + BLOCK_WORDS * (np.int64(k) - groups[0, g]) + STEP_WORDS * (p & GROUP_MASK))
            bit = np.uint64(q - starts[k])
            if not (in_deletion or in_insertion) and not (steps[at + FROM_PAIR] >> bit) & ONE:
                in_deletion = (steps[at + FROM_DELETION] >> bit) & ONE != NONE
                in_insertion = not in_deletion
            if in_deletion:
                p += 1
                deletions += x_sizes[p] if x_sizes.size > 0 else 1
                in_deletion = (steps[at + DELETION_GOES_ON] >> bit) & ONE != NONE
                continue
            if in_insertion:
                q += 1
                insertions += y_sizes[q] if y_sizes.size > 0 else 1
                in_insertion = (steps[at + INSERTION_GOES_ON] >> bit) & ONE != NONE
                continue
        p, q, n = p + 1, q + 1, np.int64(1)
        equal = x[np.uint64(p)] == y[np.uint64(q)]
        while equal and p < rows and simple[np.uint64(p)] and x[np.uint64(p + 1)] == y[np.uint64(q + 1)]:
            p, q, n = p + 1, q + 1, n + 1
        if paired and not equal:
            deletions, insertions = deletions + 1, insertions + 1
        else:
            runs = append_run(ops, lengths, runs, INSERTION, insertions)
            runs = append_run(ops, lengths, runs, DELETION, deletions)
            deletions = insertions = ZERO
            runs = append_run(ops, lengths, runs, EQUAL if equal else MISMATCH, n)
    runs = append_run(ops, lengths, append_run(ops, lengths, runs, INSERTION, insertions), DELETION, deletions)
    for one in range(runs // 2):
        ops[one], ops[runs - 1 - one] = ops[runs - 1 - one], ops[one]
        lengths[one], lengths[runs - 1 - one] = lengths[runs - 1 - one], lengths[one]
    return runs
