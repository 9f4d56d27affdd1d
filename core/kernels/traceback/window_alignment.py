"""Optimal realignment of one window of a path: least cost, then fewest gap openings (Gotoh 1982).

A window is a few runs of the path with letters of the equal runs next to it. In a small window all diagonals that can
hold an alignment of its cost are computed, so the result is optimal; otherwise only those near the path. Rows are
letters of A, columns letters of B; see ``window_band``.

The cost is computed first, 64 cells at once (``least_cost_steps``). Gap openings are computed only on alignments of
least cost (``fewest_openings``), which lie mostly on or next to the path.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, LetterType, Ops, Words
from wavediff.core.jit.decorators import jit_no_nrt
from wavediff.core.kernels.traceback import window_runs as window
from wavediff.core.kernels.traceback.fewest_openings import count_openings, walk_back
from wavediff.core.kernels.traceback.least_cost_steps import GROUP_ROWS, STATE_ROWS, STEP_WORDS, WORD, least_cost_steps
from wavediff.core.kernels.traceback.left_align import DELETION, INSERTION, ZERO
from wavediff.core.kernels.traceback.window_band import WIDEST, choose_band, cut_columns, take_window
from wavediff.core.kernels.traceback.window_runs import best_split, count_edits, write_single_gap

WORK_ROWS, BAND_ROWS = 4, 7  # see ``room``


def room(
    letters: int, cells: int, letter_type: LetterType
) -> tuple[Letters, npt.NDArray[np.int32], Counts, Words, Words, Words]:
    """Allocate the workspace of ``align_windows`` for these window sizes."""
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
    """Solve windows from the ``done``-th, about ``budget`` cells per call; return the number solved.

    Args:
        a, b: codes of the whole sequences. ops, lengths: runs of the path, first column first.
        paired: a D and an I of one gap form a substitution of cost 2 (an LCS), and open no gap.
        exact_cells: maximum cells of a window with all diagonals. near: in other windows, rows and columns on each side
            of the path. long_gap: up to this length, each letter of a gap is a row or column.
        windows: int64, shape (k, WINDOW_FIELDS). answers: int64, shape (k, ANSWER_FIELDS), output.
        new_ops, new_lengths: output of the runs of each window from its OUT, at most twice its cost plus three.
        letters, work, band, state, reached, steps: see ``room``.
    """
    substitution = np.int64(2) if paired else np.int64(1)
    x, y, simple = letters[0], letters[1], letters[2]
    starts, block_sizes, groups, diagonals = band[0], band[1], band[2:5], band[5:7]
    for w in range(done, windows.shape[0]):
        if budget <= 0:
            return w
        start, end = windows[w, window.FIRST], windows[w, window.END]
        head, tail = windows[w, window.HEAD], windows[w, window.TAIL]
        answers[w, window.RUNS], answers[w, window.KIND], answers[w, window.CHEAPER] = 0, window.TOO_LARGE, 0
        i, j = windows[w, window.BEFORE_A], windows[w, window.BEFORE_B]
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
        at, wrong = best_split(a, b, i, j, n, gap_a, gap_b, (cost - gap_a - gap_b) // substitution)
        budget -= n
        answers[w, window.CHEAPER] = min(wrong * substitution + gap_a + gap_b - cost, ZERO)
        if answers[w, window.CHEAPER] < 0:
            continue
        if wrong * substitution + gap_a + gap_b == cost and np.int64(n_a != n_b) < openings:
            out = windows[w, window.OUT]
            answers[w, window.KIND] = window.PROVEN
            answers[w, window.RUNS] = write_single_gap(
                a, b, i, j, n, gap_a, gap_b, at, paired, new_ops, new_lengths, out
            )
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
        least = least_cost_steps(x, sizes[0], y, rows, starts, block_sizes, groups, paired, state, steps)
        answers[w, window.KIND] = window.PROVEN if exact else window.NEARBY
        answers[w, window.CHEAPER] = least - cost
        if least != cost:
            continue
        fewest = count_openings(rows, cols, starts, groups, steps, simple, work[2:], reached)
        if fewest < openings:
            answers[w, window.RUNS] = walk_back(
                x, sizes[0], y, sizes[1], rows, cols, starts, groups, steps, simple, paired, new_ops, new_lengths,
                windows[w, window.OUT],
            )  # fmt: skip
    return int(windows.shape[0])
