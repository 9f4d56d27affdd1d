"""Short pair in one compiled call, from letters to a verified alignment: the steps of ``compare``.

For calls of microseconds from scripts, without events, times or a block map. It uses the kernels of ``compare``; a
sequence of a few thousand letters is one small matrix.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops, freeze
from wavediff.core.jit.bits import common_prefix, common_suffix, encode_pair, fold_letters
from wavediff.core.jit.decorators import jit, jit_callee, register_jitable
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.edit.small_pairs import small_distance, small_edit_path
from wavediff.core.kernels.pairwise.estimate import ukkonen_band
from wavediff.core.kernels.pairwise.lcs.small_pairs import small_length, small_path
from wavediff.core.kernels.pairwise.word_rows import ALL, edit_rows, fill_match, indel_rows, ones
from wavediff.core.kernels.traceback import window_runs as window
from wavediff.core.kernels.traceback.left_align import (
    DELETION,
    EQUAL,
    INSERTION,
    MISMATCH,
    ZERO,
    add_columns,
    append_run,
    left_align,
)
from wavediff.core.kernels.traceback.path_windows import COST, FIELDS, SIZE, find_windows, splice_windows
from wavediff.core.kernels.traceback.tie_rules import SURELY_ALIKE, is_like_shuffled
from wavediff.core.kernels.traceback.verify import RIGHT, verify_runs
from wavediff.core.kernels.traceback.window_alignment import align_windows, room
from wavediff.core.kernels.traceback.window_solver import EXACT_SHORT_CELLS, NEAR

Short = tuple[int, Ops, Counts]
UNSOLVED = np.int64(-1)  # in place of a cost: the steps are to be taken, one by one
ALL_OF_IT = np.int64(1 << 62)  # budget of what could be stopped between two calls
ANYWHERE = np.int64(-1)
EXACT, NEAREST = np.int64(EXACT_SHORT_CELLS), np.int64(NEAR[0])
KEY = "short pair"  # see ``wavediff.core.jit.warmup``
for _function in (is_like_shuffled, ukkonen_band, room):
    register_jitable(_function)


@jit_callee
def _in_order(a, b, prefix, suffix, ops, lengths):  # type: ignore[no-untyped-def]
    """Convert runs of a traceback (last column first) to column order."""
    walked, columns = np.empty(ops.size + 1, np.uint8), np.empty(ops.size + 1, np.int64)
    n = append_run(walked, columns, ZERO, EQUAL, suffix)
    walked[n : n + ops.size], columns[n : n + ops.size] = ops, lengths
    n += ops.size
    out, sizes = np.empty(2 * n + 6, np.uint8), np.empty(2 * n + 6, np.int64)
    place = np.zeros(7, np.int64)
    place[2], place[3] = a.size, b.size
    left_align(a, b, prefix, walked[:n], columns[:n], True, ANYWHERE, ANYWHERE, out, sizes, place, ALL_OF_IT)
    n = place[6]
    return out[:n][::-1].copy(), sizes[:n][::-1].copy()


@jit_callee
def _with_fewest_gaps(a, b, prefix, ops, lengths, paired):  # type: ignore[no-untyped-def]
    """Return whether ties are resolved, and the runs; see ``wavediff.core.kernels.traceback.fewest_gaps``."""
    counts = np.zeros((2, 256), np.int64)
    gaps, cost, same = window.survey_path(a, b, ops, lengths, SURELY_ALIKE, counts)
    if gaps < 2:
        return True, ops, lengths
    if gaps > 2 and cost == abs(a.size - b.size):
        return False, ops, lengths  # the longer one may have the other in one piece
    # Numba takes no keywords.
    if same >= 0 and is_like_shuffled(a.size, b.size, cost, same, paired):  # type: ignore[call-arg]
        return True, ops, lengths
    long_gap = a.size + b.size
    windows = np.empty((ops.size // 2 + 1, FIELDS), np.int64)
    n = find_windows(ops, lengths, np.zeros(ops.size, np.bool_), paired, long_gap, windows)
    windows = windows[:n]
    if n == 0:
        return True, ops, lengths
    size = letters = ZERO
    for w in range(n):
        windows[w, window.OUT] = size
        size += 2 * windows[w, COST] + 3
        letters = max(letters, windows[w, SIZE] + windows[w, window.HEAD] + windows[w, window.TAIL])
    answers = np.zeros((n, window.ANSWER_FIELDS), np.int64)
    new_ops, new_lengths = np.empty(size, np.uint8), np.empty(size, np.int64)
    x, work, band, state, reached, steps = room(int(letters), int(min((letters + 2) ** 2, EXACT)), np.uint8)
    align_windows(
        a, b, ops, lengths, paired, EXACT, NEAREST, long_gap, windows, answers, ZERO, ALL_OF_IT, new_ops, new_lengths,
        x, work, band, state, reached, steps,
    )  # fmt: skip
    more = ZERO
    for w in range(n):
        if answers[w, window.CHEAPER] != 0:
            return False, ops, lengths
        more += answers[w, window.RUNS]
    if more == 0:
        return True, ops, lengths
    out, sizes = np.empty(ops.size + more, np.uint8), np.empty(ops.size + more, np.int64)
    n = splice_windows(ops, lengths, windows, answers, new_ops, new_lengths, out, sizes)
    better, columns = _in_order(a, b, prefix, ZERO, out[:n], sizes[:n])
    before, now = window.count_edits(ops, lengths, paired), window.count_edits(better, columns, paired)
    return now[0] == before[0] and now[1] <= before[1], better, columns


@jit_callee
def _cost_again(a, b, paired, cost):  # type: ignore[no-untyped-def]
    """Recompute the edits like ``wavediff.core.kernels.pairwise.recompute``."""
    n, m = a.size, b.size
    if n == 0 or m == 0:
        return np.int64(n + m)
    if cost < abs(n - m) or cost > n + m:
        return UNSOLVED
    code, occurring = np.zeros(256, np.int64), ZERO
    for letter in b:
        if code[letter] == 0:
            occurring += 1
            code[letter] = occurring
    words = (m + 63) // 64
    match, up, down = np.zeros((occurring + 1, words), np.uint64), np.full(words, ALL), np.zeros(words, np.uint64)
    fill_match(code[b], match, ZERO, m)
    low, high = ukkonen_band(n, m, cost)
    place = np.zeros(2, np.int64)
    if paired:
        indel_rows(code[a], match, up, low, high, m, ZERO, n, place)
        same = ones(up, 64 * place[1], m)
        return n + m - 2 * (place[0] + m - 64 * place[1] - same)
    edit_rows(code[a], match, up, down, low, high, m, ZERO, n, place)
    return place[0] + ones(up, 64 * place[1], m) - ones(down, 64 * place[1], m)


@jit
def solve_short(a: Letters, b: Letters, fold_case: bool, paired: bool, path: bool, fewest: bool) -> Short:
    """Return the edits of two sequences, and the runs of their alignment in column order.

    Args:
        a, b: uint8, at most ``wavediff.core.methods.base.SHORT_LETTERS`` of each.
        paired: without substitutions (an LCS). path: return the runs. fewest: with ``Ties.FEWEST_GAPS``.

    Returns:
        (edits, operations, columns); edits are ``UNSOLVED`` if the pair needs ``compare``.
    """
    n, m = a.size, b.size
    x, y = np.empty(n, np.uint8), np.empty(m, np.uint8)
    if fold_case:
        fold_letters(a, x)
        fold_letters(b, y)
    else:
        x[:], y[:] = a, b
    prefix = common_prefix(x, y)
    suffix = common_suffix(x[prefix:], y[prefix:])
    codes_a, codes_b = np.empty(n, np.uint8), np.empty(m, np.uint8)
    encode_pair(x, y, codes_a, codes_b, np.zeros(256, np.uint8), np.zeros((9, 256), np.int64))
    s, t = codes_a[prefix : n - suffix], codes_b[prefix : m - suffix]
    ops, lengths = np.empty(0, np.uint8), np.empty(0, np.int64)
    if not path:
        edits = s.size + t.size - 2 * small_length(s, t) if paired else small_distance(s, t)
        return int(edits if _cost_again(x, y, paired, edits) == edits else UNSOLVED), ops, lengths
    if paired:
        ops, lengths, edits = small_path(s, t)
    else:
        ops, lengths, edits = small_edit_path(s, t)
    ops, lengths = _in_order(codes_a, codes_b, prefix, suffix, ops, lengths)
    if fewest:
        settled, ops, lengths = _with_fewest_gaps(codes_a, codes_b, prefix, ops, lengths, paired)
        if not settled:
            return int(UNSOLVED), ops, lengths
    place, columns = np.zeros(5, np.int64), np.zeros(4, np.int64)
    right = verify_runs(a, b, fold_case, ops, lengths, place, ALL_OF_IT) == RIGHT
    add_columns(ops, lengths, columns)
    right &= columns[MISMATCH] + columns[INSERTION] + columns[DELETION] == edits and not (paired and columns[MISMATCH])
    return int(edits if right and _cost_again(x, y, paired, edits) == edits else UNSOLVED), ops, lengths


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile (or load) the call."""
    letter = freeze(np.zeros(1, np.uint8))
    yield from warm_up(step, "blocks", KEY, lambda: solve_short(letter, letter, False, False, True, True))


def edit(a: Letters, b: Letters, fold_case: bool, path: bool, fewest: bool) -> Short:
    """Return the edit distance, and the alignment; see ``solve_short``."""
    return solve_short(a, b, fold_case, False, path, fewest)  # type: ignore[no-any-return]


def lcs(a: Letters, b: Letters, fold_case: bool, path: bool, fewest: bool) -> Short:
    """Return the length of the LCS, and the alignment; see ``solve_short``."""
    edits, ops, lengths = solve_short(a, b, fold_case, True, path, fewest)
    return edits if edits < 0 else (a.size + b.size - edits) // 2, ops, lengths
