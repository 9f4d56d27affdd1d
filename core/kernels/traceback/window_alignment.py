"""One window of a finished path solved again: least cost first, then fewest gap openings (Gotoh 1982, on two numbers).

A window is a few runs of the path with letters of the equal runs beside it. Where it is small enough all diagonals are
computed on which an alignment of its cost can lie, so the answer is the best one; else those near the path. Rows are
letters of A, columns letters of B; the middle of a long gap is one row or column, which only that gap can cross.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.kernels.traceback.left_align import DELETION, EQUAL, INSERTION, MISMATCH, ZERO, Ops, append_run

GAP_ENDS = np.int64(256)  # letters of a long gap at each of its ends that are rows (columns) of their own
DRIFT_ROWS, WIDEST = np.int64(512), np.int64(320)  # see ``_choose_cells``
NO_LETTER, NEVER, WORTHLESS = np.int64(256), np.int64(1 << 60), np.int64(52)
COST_BITS = np.int64(32)
COST = np.int64(1 << 32)  # of a letter in a gap; one opening more is 1
FROM_DIAGONAL, FROM_DELETION, FROM_INSERTION = np.int64(0), np.int64(1), np.int64(2)
DELETION_GOES_ON, INSERTION_GOES_ON = np.int64(4), np.int64(8)
# Of a window: first run, the one behind the last, letters of A and of B before it, letters of the equal runs before
# and behind it that belong to it, where its runs go.
FIRST, END, BEFORE_A, BEFORE_B, HEAD, TAIL, OUT, WINDOW_FIELDS = range(8)
# Of its answer: runs written (0: the path stays), what it is; the least cost found less that of the path.
RUNS, KIND, CHEAPER, ANSWER_FIELDS = range(4)
WORK_ROWS = 12
PROVEN, NEARBY, TOO_LARGE = np.int64(0), np.int64(1), np.int64(2)


@jit_no_nrt
def survey_path(
    a: Letters, b: Letters, ops: Ops, lengths: Counts, alike: float, counts: Counts
) -> tuple[int, int, int]:
    """Return what decides whether anything is to be done: in one call, as most pairs are small.

    Args:
        a, b: codes of the whole sequences. ops, lengths: runs of the path.
        alike: edits for each letter of the shorter up to which letters are not counted.
        counts: int64, shape (2, 256), zeros.

    Returns:
        (runs of insertions or deletions, edits, pairs of a letter of A and an equal one of B; -1: not counted).
    """
    gaps = cost = ZERO
    for k in range(ops.size):
        gaps += ops[k] >= INSERTION
        cost += lengths[k] if ops[k] != EQUAL else ZERO
    if gaps < 2 or cost - abs(a.size - b.size) <= alike * min(a.size, b.size):
        return int(gaps), int(cost), -1
    for x in a:
        counts[0, x] += 1
    for x in b:
        counts[1, x] += 1
    same = ZERO
    for x in range(counts.shape[1]):
        same += counts[0, x] * counts[1, x]
    return int(gaps), int(cost), int(same)


@jit_callee_no_nrt
def _take_run(a, b, op, n, place, x, x_size, y, y_size, first, last):  # type: ignore[no-untyped-def]
    """Append the rows and columns of a run; ``first`` and ``last`` get the path's columns in each row.

    Args:
        place: int64: letters of A and of B before the run, rows and columns so far; updated.
    """
    i, j, r, c = place[0], place[1], place[2], place[3]
    middle = n - 2 * GAP_ENDS if op >= INSERTION and n > 2 * GAP_ENDS + 1 else ZERO
    steps = n - middle + 1 if middle > 0 else n
    for step in range(steps):
        size = middle if middle > 0 and step == GAP_ENDS else np.int64(1)
        if op != INSERTION:
            r += 1
            x[r] = NO_LETTER if size > 1 else np.int64(a[i])
            x_size[r] = size
            i += size
        if op != DELETION:
            c += 1
            y[c] = NO_LETTER if size > 1 else np.int64(b[j])
            y_size[c] = size
            j += size
        if op != INSERTION:
            first[r] = c
        last[r] = c
    place[0], place[1], place[2], place[3] = i, j, r, c


@jit_callee_no_nrt
def _fill(x, x_size, y, y_size, low, high, row_start, rows, cols, substitution, best, deleted, trace):  # type: ignore[no-untyped-def]
    """Compute the cells ``low[r]`` to ``high[r]`` of each row; return the least value of the last one."""
    for c in range(cols + 1):
        best[c] = NEVER
        deleted[c] = NEVER
    best[0] = ZERO
    value, goes_on = np.int64(1), ZERO
    trace[0] = 0
    for c in range(1, high[0] + 1):
        value += COST * y_size[c]
        best[c] = value
        trace[c] = FROM_INSERTION | goes_on
        goes_on = INSERTION_GOES_ON
    for r in range(1, rows + 1):
        left, right = low[r], high[r]
        letter, down = x[r], COST * x_size[r]
        corner = best[left - 1] if left > low[r - 1] else NEVER
        inserted, opened = NEVER, NEVER
        at = row_start[r] - left
        for c in range(left, right + 1):
            k = np.uint64(c)
            above = best[k]
            kept, begun = deleted[k], above + 1
            one = min(begun, kept) + down
            deleted[k] = one
            other = y[k]
            # A letter of no kind has its only bit above all others; what is opposite it is never equal nor cheap.
            value = corner + (ZERO if letter == other else substitution) + (((letter | other) & NO_LETTER) << WORTHLESS)
            code = INSERTION_GOES_ON * (inserted < opened) + DELETION_GOES_ON * (kept < begun)
            inserted = min(inserted, opened) + (y_size[k] << COST_BITS)
            least = min(min(value, one), inserted)
            trace[np.uint64(at + c)] = np.uint8(
                code + (FROM_DIAGONAL if value == least else FROM_DELETION if one == least else FROM_INSERTION)
            )
            corner = above
            best[k] = least
            opened = least + 1
    return best[cols]


@jit_callee_no_nrt
def _walk(x, x_size, y, y_size, low, row_start, rows, cols, trace, paired, ops, lengths, out):  # type: ignore[no-untyped-def]
    """Walk back and write the runs from ``out`` on, first column first; return how many.

    Args:
        paired: two letters opposite each other that differ are written as a D and an I of the gap they are in.
    """
    r, c, runs = rows, cols, ZERO
    deletions = insertions = ZERO
    state = FROM_DIAGONAL
    ops, lengths = ops[out:], lengths[out:]
    while r > 0 or c > 0:
        code = np.int64(trace[row_start[r] + c - low[r]])
        if state == FROM_DIAGONAL:
            state = code & 3
        if state == FROM_DELETION:
            deletions += x_size[r]
            state = FROM_DELETION if code & DELETION_GOES_ON else FROM_DIAGONAL
            r -= 1
        elif state == FROM_INSERTION:
            insertions += y_size[c]
            state = FROM_INSERTION if code & INSERTION_GOES_ON else FROM_DIAGONAL
            c -= 1
        else:
            equal = x[r] == y[c]
            r, c = r - 1, c - 1
            if paired and not equal:
                deletions, insertions = deletions + 1, insertions + 1
            else:
                runs = append_run(ops, lengths, runs, INSERTION, insertions)
                runs = append_run(ops, lengths, runs, DELETION, deletions)
                deletions = insertions = ZERO
                runs = append_run(ops, lengths, runs, EQUAL if equal else MISMATCH, np.int64(1))
    runs = append_run(ops, lengths, append_run(ops, lengths, runs, INSERTION, insertions), DELETION, deletions)
    for k in range(runs // 2):
        ops[k], ops[runs - 1 - k] = ops[runs - 1 - k], ops[k]
        lengths[k], lengths[runs - 1 - k] = lengths[runs - 1 - k], lengths[k]
    return runs


@jit_callee_no_nrt
def _choose_cells(first, last, rows, cols, shape, widest, low, high, row_start):  # type: ignore[no-untyped-def]
    """Choose the cells of each row, ``low[r]`` to ``high[r]``, neither ever less than in the row before.

    Near the path that is ``near`` rows and columns on each side, and where the path goes over to another diagonal as
    many more as that is away, ``widest`` at most: a long gap in pieces becomes one somewhere among them.

    Args:
        shape: least and greatest diagonal, whether they bound anything, whether nothing else does, ``near``.

    Returns:
        How many there are.
    """
    lowest, highest, whole, exact, near = shape
    for r in range(rows + 1):
        left, right = ZERO, cols
        if whole:
            left, right = max(left, r + lowest), min(right, r + highest)
        if not exact:
            before, behind = max(r - DRIFT_ROWS, 0), min(r + DRIFT_ROWS, rows)
            reach = near + min(abs((last[behind] - behind) - (first[before] - before)), widest)
            left = max(left, first[max(r - reach, 0)] - reach)
            right = min(right, last[min(r + reach, rows)] + reach)
        low[r], high[r] = left, right
    for r in range(rows - 1, -1, -1):
        low[r] = min(low[r], low[r + 1])
    cells = ZERO
    for r in range(rows + 1):
        if r > 0:
            high[r] = max(high[r], high[r - 1])
        row_start[r] = cells
        cells += high[r] - low[r] + 1
    return cells


@jit_callee_no_nrt
def _openings(deletions, insertions, paired):  # type: ignore[no-untyped-def]
    """Return what a gap of so many letters opens."""
    if paired:
        return np.int64(deletions != insertions)
    return np.int64(deletions > 0) + np.int64(insertions > 0)


@jit_callee_no_nrt
def _best_split(a, b, i, j, n, deleted, inserted):  # type: ignore[no-untyped-def]
    """Return where a single gap costs the fewest substitutions, first of all where it is left-most.

    Args:
        i, j: letters of A and of B before the window. n: letters of its shorter side.
        deleted, inserted: letters of the gap; one is 0.

    Returns:
        (letters of the shorter side before the gap, substitutions).
    """
    wrong = ZERO
    for k in range(n):
        wrong += a[i + deleted + k] != b[j + inserted + k]
    fewest, at = wrong, ZERO
    for k in range(n):
        wrong += np.int64(a[i + k] != b[j + k]) - np.int64(a[i + deleted + k] != b[j + inserted + k])
        if wrong < fewest:
            fewest, at = wrong, np.int64(k + 1)
    return at, fewest


@jit_callee_no_nrt
def _write_single_gap(a, b, i, j, n, deleted, inserted, at, paired, ops, lengths, out):  # type: ignore[no-untyped-def]
    """Write the runs of a window with a single gap, see ``_best_split`` and ``_walk``; return how many."""
    ops, lengths = ops[out:], lengths[out:]
    runs = deletions = insertions = ZERO
    for k in range(n + 1):
        if k == at:
            deletions, insertions = deletions + deleted, insertions + inserted
            i, j = i + deleted, j + inserted
        equal = k < n and a[i + k] == b[j + k]
        if k < n and paired and not equal:
            deletions, insertions = deletions + 1, insertions + 1
            continue
        runs = append_run(ops, lengths, runs, DELETION, deletions)
        runs = append_run(ops, lengths, runs, INSERTION, insertions)
        deletions = insertions = ZERO
        if k < n:
            runs = append_run(ops, lengths, runs, EQUAL if equal else MISMATCH, np.int64(1))
    return runs


@jit_no_nrt
def align_windows(
    a: Letters, b: Letters, ops: Ops, lengths: Counts, paired: bool, exact_cells: int, near: int, windows: Counts,
    answers: Counts, done: int, budget: int, new_ops: Ops, new_lengths: Counts, trace: Letters, work: Counts,
) -> int:  # fmt: skip
    """Solve windows from the ``done``-th on, about ``budget`` cells a call; return how many are done.

    Args:
        a, b: codes of the whole sequences. ops, lengths: runs of the path, first column first.
        paired: a D and an I of one gap are a substitution of cost 2 (an LCS), and open no gap.
        exact_cells: of a window of which all diagonals are computed, at most. near: rows and columns on each side of
            the path that are computed of another.
        windows: int64, shape (k, WINDOW_FIELDS). answers: int64, shape (k, ANSWER_FIELDS), written.
        new_ops, new_lengths: get the runs of each window from its OUT on, no more than twice its cost and three.
        trace: uint8, a byte a cell. work: int64, shape (WORK_ROWS, most rows or columns of a window and 2).
    """
    substitution = 2 * COST if paired else COST
    x, x_size, y, y_size, first, last = work[0], work[1], work[2], work[3], work[4], work[5]
    low, high, row_start, best, deleted = work[6], work[7], work[8], work[9], work[10]
    place = work[11]
    for w in range(done, windows.shape[0]):
        if budget <= 0:
            return w
        start, end = windows[w, FIRST], windows[w, END]
        head, tail = windows[w, HEAD], windows[w, TAIL]
        answers[w, RUNS], answers[w, KIND], answers[w, CHEAPER] = 0, TOO_LARGE, 0
        place[0], place[1], place[2], place[3] = windows[w, BEFORE_A], windows[w, BEFORE_B], 0, 0
        first[0] = last[0] = 0
        x[0] = y[0] = NO_LETTER
        x_size[0] = y_size[0] = 0
        cost = openings = ZERO
        deletions = insertions = ZERO
        whole = True
        if head > 0:
            _take_run(a, b, EQUAL, head, place, x, x_size, y, y_size, first, last)
        for k in range(start, end + 1):
            op, n = EQUAL, tail
            if k < end:
                op, n = np.int64(ops[k]), lengths[k]
            if op < INSERTION:
                openings += _openings(deletions, insertions, paired)
                cost += deletions + insertions
                deletions = insertions = ZERO
                cost += n if op == MISMATCH else ZERO
            elif op == DELETION:
                deletions += n
            else:
                insertions += n
            if op >= INSERTION and n > 2 * GAP_ENDS + 1:
                whole = False
            if n > 0:
                _take_run(a, b, op, n, place, x, x_size, y, y_size, first, last)
        openings += _openings(deletions, insertions, paired)
        cost += deletions + insertions
        # A single gap, or none, cannot be beaten where it costs no more; that is seen in one pass over the letters.
        i, j = windows[w, BEFORE_A], windows[w, BEFORE_B]
        n_a, n_b = place[0] - i, place[1] - j
        n, gap_a, gap_b = min(n_a, n_b), max(n_a - n_b, ZERO), max(n_b - n_a, ZERO)
        at, wrong = _best_split(a, b, i, j, n, gap_a, gap_b)
        budget -= n
        answers[w, CHEAPER] = min(wrong * (substitution // COST) + gap_a + gap_b - cost, ZERO)
        if answers[w, CHEAPER] < 0:
            continue
        if wrong * (substitution // COST) + gap_a + gap_b == cost and np.int64(n_a != n_b) < openings:
            out = windows[w, OUT]
            answers[w, KIND] = PROVEN
            answers[w, RUNS] = _write_single_gap(a, b, i, j, n, gap_a, gap_b, at, paired, new_ops, new_lengths, out)
            continue
        rows, cols = place[2], place[3]
        # An alignment of this cost is on these diagonals: to leave them and come back it takes more gap letters.
        drift = cols - rows
        slack = (cost - abs(drift)) // 2
        lowest, highest = min(ZERO, drift) - slack, max(ZERO, drift) + slack
        exact = whole and (rows + 1) * (highest - lowest + 1) <= exact_cells
        shape = lowest, highest, whole, exact, near
        cells = _choose_cells(first, last, rows, cols, shape, WIDEST, low, high, row_start)
        if cells > trace.size:
            cells = _choose_cells(first, last, rows, cols, shape, ZERO, low, high, row_start)
        budget -= cells
        if cells > trace.size:
            continue
        found = _fill(x, x_size, y, y_size, low, high, row_start, rows, cols, substitution, best, deleted, trace)
        answers[w, KIND] = PROVEN if exact else NEARBY
        answers[w, CHEAPER] = (found // COST) - cost
        if found // COST == cost and found - cost * COST < openings:
            answers[w, RUNS] = _walk(
                x, x_size, y, y_size, low, row_start, rows, cols, trace, paired, new_ops, new_lengths, windows[w, OUT]
            )
    return int(windows.shape[0])
