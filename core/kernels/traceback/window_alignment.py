"""One window of a finished path solved again: least cost first, then fewest gap openings (Gotoh 1982).

A window is a few runs of the path with letters of the equal runs beside it. Where it is small enough all diagonals are
computed on which an alignment of its cost can lie, so the answer is the best one; else those near the path. Rows are
letters of A, columns letters of B; see ``window_band``.

The cost is computed first, 64 cells at once (``least_cost_steps``), and gap openings only where alignments of least
cost pass (``fewest_openings``), which is hardly anywhere but on the path and beside it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, LetterType, Words
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.kernels.traceback.fewest_openings import count_openings, walk_back
from wavediff.core.kernels.traceback.least_cost_steps import GROUP_ROWS, STATE_ROWS, STEP_WORDS, WORD, least_cost_steps
from wavediff.core.kernels.traceback.left_align import DELETION, EQUAL, INSERTION, MISMATCH, ZERO, Ops, append_run
from wavediff.core.kernels.traceback.window_band import WIDEST, choose_band, cut_columns, take_window

SPLIT_LETTERS = np.int64(64)  # between two looks whether a single gap can still be as cheap
WORK_ROWS, BAND_ROWS = 4, 7  # see ``room``
# Of a window: first run, the one behind the last, letters of A and of B before it, letters of the equal runs before
# and behind it that belong to it, where its runs go.
FIRST, END, BEFORE_A, BEFORE_B, HEAD, TAIL, OUT, WINDOW_FIELDS = range(8)
# Of its answer: runs written (0: the path stays), what it is; the least cost found less that of the path.
RUNS, KIND, CHEAPER, ANSWER_FIELDS = range(4)
PROVEN, NEARBY, TOO_LARGE = np.int64(0), np.int64(1), np.int64(2)


@jit_no_nrt
def survey_path(
    a: Letters, b: Letters, ops: Ops, lengths: Counts, alike: float, counts: Counts
) -> tuple[int, int, int]:
    """Return what decides whether anything is to be done: in one call, as most pairs are small.

    Args:
        a, b: codes of the whole sequences. ops, lengths: runs of the path.
        alike: edits for each letter of the shorter up to which letters are not counted.
        counts: int64, shape (2, codes), zeros.

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


@jit_no_nrt
def count_edits(ops: Ops, lengths: Counts, paired: bool) -> tuple[int, int]:
    """Return the edits and the gap openings of an alignment.

    Args:
        paired: a D and an I of one gap are a substitution, and open no gap.
    """
    edits = openings = deletions = insertions = ZERO
    for k in range(ops.size + 1):
        op, n = (np.int64(ops[k]), lengths[k]) if k < ops.size else (EQUAL, ZERO)
        if op >= INSERTION:
            deletions += n * (op == DELETION)
            insertions += n * (op == INSERTION)
            openings += not paired
            edits += n
            continue
        openings += paired and deletions != insertions
        deletions = insertions = ZERO
        edits += n * (op != EQUAL)
    return int(edits), int(openings)


@jit_callee_no_nrt
def _best_split(a, b, i, j, n, deleted, inserted, most):  # type: ignore[no-untyped-def]
    """Return where a single gap costs the fewest substitutions, first of all where it is left-most.

    Args:
        i, j: letters of A and of B before the window. n: letters of its shorter side.
        deleted, inserted: letters of the gap; one is 0. most: substitutions from which on nobody asks.

    Returns:
        (letters of the shorter side before the gap, substitutions); substitutions above ``most`` where there are more.
    """
    none = np.int64(0), most + 1
    wrong = left = ZERO
    first, last = n, ZERO  # the gap is at ``first`` or behind it, as what follows costs too much before, ...
    while first > 0 and wrong <= most:
        piece = min(first, SPLIT_LETTERS)
        for k in range(first - piece, first):
            wrong += a[i + deleted + k] != b[j + inserted + k]
        first -= piece
    while last < n and left <= most:
        piece = min(n - last, SPLIT_LETTERS)
        for k in range(last, last + piece):
            left += a[i + k] != b[j + k]
        last += piece
    if first > last:
        return none
    for k in range(first):
        wrong += a[i + k] != b[j + k]
    fewest, at = wrong, first
    for k in range(first, last):
        wrong += np.int64(a[i + k] != b[j + k]) - np.int64(a[i + deleted + k] != b[j + inserted + k])
        if wrong < fewest:
            fewest, at = wrong, np.int64(k + 1)
    return at, fewest


@jit_callee_no_nrt
def _write_single_gap(a, b, i, j, n, deleted, inserted, at, paired, ops, lengths, out):  # type: ignore[no-untyped-def]
    """Write the runs of a window with a single gap, see ``_best_split`` and ``walk_back``; return how many."""
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


def room(
    letters: int, cells: int, letter_type: LetterType
) -> tuple[Letters, npt.NDArray[np.int32], Counts, Words, Words, Words]:
    """Return what ``align_windows`` works in, for windows of so many rows or columns, and cells that are computed."""
    blocks = letters // int(GROUP_ROWS) + 8  # and groups, at most
    step_blocks = cells // int(WORD) + 3 * (letters + int(GROUP_ROWS))  # one is used in part at each end of a row
    return (
        np.zeros((3, letters + int(WORD) + 8), letter_type),
        np.empty((WORK_ROWS, 2 * letters + 16), np.int32),
        np.empty((BAND_ROWS, blocks), np.int64),
        np.zeros((STATE_ROWS, max(blocks, int(GROUP_ROWS))), np.uint64),
        np.zeros((2, blocks), np.uint64),
        np.empty(int(STEP_WORDS) * step_blocks, np.uint64),
    )


@jit_no_nrt
def align_windows(
    a: Letters, b: Letters, ops: Ops, lengths: Counts, paired: bool, exact_cells: int, near: int, long_gap: int,
    windows: Counts, answers: Counts, done: int, budget: int, new_ops: Ops, new_lengths: Counts, letters: Letters,
    work: npt.NDArray[np.int32], band: Counts, state: Words, reached: Words, steps: Words,
) -> int:  # fmt: skip
    """Solve windows from the ``done``-th on, about ``budget`` cells a call; return how many are done.

    Args:
        a, b: codes of the whole sequences. ops, lengths: runs of the path, first column first.
        paired: a D and an I of one gap are a substitution of cost 2 (an LCS), and open no gap.
        exact_cells: of a window of which all diagonals are computed, at most. near: rows and columns on each side of
            the path that are computed of another. long_gap: letters of a gap up to which each is a row or column.
        windows: int64, shape (k, WINDOW_FIELDS). answers: int64, shape (k, ANSWER_FIELDS), written.
        new_ops, new_lengths: get the runs of each window from its OUT on, no more than twice its cost and three.
        letters, work, band, state, reached, steps: see ``room``.
    """
    substitution = np.int64(2) if paired else np.int64(1)
    x, y, simple = letters[0], letters[1], letters[2]
    starts, block_sizes, groups, diagonals = band[0], band[1], band[2:5], band[5:7]
    for w in range(done, windows.shape[0]):
        if budget <= 0:
            return w
        start, end = windows[w, FIRST], windows[w, END]
        head, tail = windows[w, HEAD], windows[w, TAIL]
        answers[w, RUNS], answers[w, KIND], answers[w, CHEAPER] = 0, TOO_LARGE, 0
        i, j = windows[w, BEFORE_A], windows[w, BEFORE_B]
        cost, openings = count_edits(ops[start:end], lengths[start:end], paired)
        n_a = n_b = head + tail
        longest = ZERO
        for k in range(start, end):
            op, n = np.int64(ops[k]), lengths[k]
            n_a += n * (op != INSERTION)
            n_b += n * (op != DELETION)
            longest = max(longest, n * (op >= INSERTION))
        whole = longest <= long_gap
        # A single gap, or none, cannot be beaten where it costs no more; that is seen in one pass over the letters.
        n, gap_a, gap_b = min(n_a, n_b), max(n_a - n_b, ZERO), max(n_b - n_a, ZERO)
        at, wrong = _best_split(a, b, i, j, n, gap_a, gap_b, (cost - gap_a - gap_b) // substitution)
        budget -= n
        answers[w, CHEAPER] = min(wrong * substitution + gap_a + gap_b - cost, ZERO)
        if answers[w, CHEAPER] < 0:
            continue
        if wrong * substitution + gap_a + gap_b == cost and np.int64(n_a != n_b) < openings:
            out = windows[w, OUT]
            answers[w, KIND] = PROVEN
            answers[w, RUNS] = _write_single_gap(a, b, i, j, n, gap_a, gap_b, at, paired, new_ops, new_lengths, out)
            continue
        sizes = work[:2, : 0 if whole else work.shape[1]]
        rows, cols = take_window(
            a, b, i + n_a, j + n_b, ops[start:end], lengths[start:end], head, tail, x, sizes[0], y, sizes[1], diagonals
        )
        # An alignment of this cost is on these diagonals: to leave them and come back it takes more gap letters.
        drift = cols - rows
        slack = (cost - abs(drift)) // 2
        lowest, highest = min(ZERO, drift) - slack, max(ZERO, drift) + slack
        exact = whole and (rows + 1) * (highest - lowest + 1) <= exact_cells
        cut_columns(sizes[1], cols, starts, block_sizes)
        for widest in (WIDEST, ZERO):
            words = choose_band(
                diagonals, rows, cols, lowest, highest, ZERO if exact else np.int64(near), widest, starts, groups
            )
            if words <= steps.size:
                break
        budget -= words * (WORD // STEP_WORDS)
        if words > steps.size:
            continue
        found = least_cost_steps(x, sizes[0], y, rows, starts, block_sizes, groups, paired, state, steps)
        answers[w, KIND] = PROVEN if exact else NEARBY
        answers[w, CHEAPER] = found - cost
        if found != cost:
            continue
        fewest = count_openings(rows, cols, starts, groups, steps, simple, work[2:], reached)
        if fewest < openings:
            answers[w, RUNS] = walk_back(
                x, sizes[0], y, sizes[1], rows, cols, starts, groups, steps, simple, paired, new_ops, new_lengths,
                windows[w, OUT],
            )  # fmt: skip
    return int(windows.shape[0])
