"""Verification of an alignment on its letters, in parallel if long."""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import pairwise
from threading import Event as Flag
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.jit.unaligned import load_u64
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.traceback.left_align import DELETION, EQUAL, INSERTION, add_columns, count_columns
from wavediff.core.kernels.traceback.parallel import run_parallel

MORE, RIGHT, WRONG = 0, 1, 2
REPORT_LETTERS = 1 << 22  # followed between two reports
MIN_PART_RUNS = 1 << 14  # runs of a part, at least
ZERO, ONE, ONES, TOPS, CASE_BITS = (
    np.uint64(x) for x in (0, 1, 0x0101010101010101, 0x8080808080808080, 0x2020202020202020)
)
ZERO_INDEX, EIGHT, FAR = np.int64(0), np.int64(8), np.int64(64)


class AlignmentCheck(NamedTuple):
    """Result of verifying an alignment.

    Attributes:
        right: every column matches its operation, and both sequences are used up.
        run: the first wrong run. columns: of each operation, int64, shape (4,).
    """

    right: bool
    run: int
    columns: Counts


def verify_alignment(
    step: Step, a: Letters, b: Letters, fold_case: bool, alignment: Alignment, threads: int = 1
) -> Generator[Event, None, AlignmentCheck]:
    """Verify an alignment on the letters.

    Args:
        fold_case: whether ASCII letters are equal regardless of case; those wider than bytes are folded already.
    """
    since, ops, lengths = perf_counter(), alignment.ops, alignment.lengths
    n, follow = min(threads, ops.size // MIN_PART_RUNS), verify_runs if a.dtype == np.uint8 else verify_wide_runs
    if n <= 1:
        place = np.zeros(5, np.int64)
        while follow(a, b, fold_case, ops, lengths, place, REPORT_LETTERS) == MORE:
            yield step.done("verify", since)
            since = perf_counter()
        columns = np.zeros(4, np.int64)
        add_columns(ops, lengths, columns)
        yield step.done("verify", since)
        verdict, run = place[:2].tolist()
        return AlignmentCheck(verdict == RIGHT, run, columns)
    parts = list(pairwise(ops.size * k // n for k in range(n + 1)))

    def counted(first: int, end: int) -> Callable[[Flag], Counts]:
        return lambda _: count_columns([(ops[first:end], lengths[first:end])])

    yield step.done("verify", since)
    counts = yield from run_parallel(step, "verify", [counted(*part) for part in parts])
    total = np.cumsum(np.concatenate(counts), axis=0)
    i, j = (np.concatenate([[0], total[:, 0] + total[:, 1] + total[:, op]]) for op in (Op.DELETION, Op.INSERTION))
    if (i[-1], j[-1]) != (a.size, b.size):
        return AlignmentCheck(False, ops.size, total[-1])

    def followed(k: int) -> Callable[[Flag], Counts]:
        first, end = parts[k]

        def follow_part(stop: Flag) -> Counts:
            place = np.array([0, first, i[k], j[k], 0], np.int64)
            while not stop.is_set():
                part = a[: i[k + 1]], b[: j[k + 1]], fold_case, ops[:end], lengths[:end]
                if follow(*part, place, REPORT_LETTERS) != MORE:
                    break
            return place

        return follow_part

    places = yield from run_parallel(step, "verify", [followed(k) for k in range(n)])
    wrong = [int(place[1]) for place in places if place[0] != RIGHT]
    return AlignmentCheck(not wrong, min(wrong, default=ops.size), total[-1])


@jit_callee_no_nrt
def _differ(a, b, fold_case):  # type: ignore[no-untyped-def]
    """Return 0 in each byte with equal letters."""
    bits = a ^ b
    lower = a | CASE_BITS
    # Whether that is a letter from a to z, in the uppermost bit of each byte, which no carry enters.
    letter = ((lower & ~TOPS) + np.uint64(0x1F1F1F1F1F1F1F1F)) & ~((lower & ~TOPS) + np.uint64(0x0505050505050505))
    return bits & ~((letter & ~lower & TOPS) >> np.uint64(2)) if fold_case else bits


@jit_callee_no_nrt
def _any_differs(a, b, fold_case, i, j):  # type: ignore[no-untyped-def]
    bits = ZERO
    if fold_case:
        for x in range(0, 64, 8):
            bits |= _differ(load_u64(a, i + x), load_u64(b, j + x), True)
    else:
        for x in range(0, 64, 8):
            bits |= load_u64(a, i + x) ^ load_u64(b, j + x)
    return bits != 0


@jit_callee_no_nrt
def _is_wrong(a, b, fold_case, n, equal):  # type: ignore[no-untyped-def]
    """Return whether one of the first ``n`` letters of two words contradicts ``equal``."""
    mask = (ONE << np.uint64(4 * n) << np.uint64(4 * n)) - ONE
    bits = _differ(a, b, fold_case)
    others = bits | ~mask
    chosen = ZERO - np.uint64(equal)
    return (bits & mask & chosen | (others - ONES) & ~others & TOPS & ~chosen) != 0


@jit_callee_no_nrt
def _word(letters, first, n):  # type: ignore[no-untyped-def]
    """Return ``n`` letters from ``first`` at the start of a word."""
    word = ZERO
    for x in range(n):
        word |= np.uint64(letters[first + x]) << np.uint64(8 * x)
    return word


@jit_callee_no_nrt
def _short_runs(a, b, fold_case, ops, lengths, k, i, j, budget):  # type: ignore[no-untyped-def]
    """Verify runs of up to eight columns from the ``k``-th, far from the ends; stop before an error.

    Returns:
        (k, i, j, remaining ``budget``).
    """
    while True:
        # So many are inside in any case, without a look.
        most = min(ops.size - k, (min(a.size - i, b.size - j, budget) >> 3) - 1)
        for x in range(k, k + most):
            n, op = lengths[np.uint64(x)], np.int64(ops[np.uint64(x)])
            if np.uint64(n - 1) >= np.uint64(8):
                return np.int64(x), i, j, budget
            compared = n if op < INSERTION else ZERO_INDEX
            if _is_wrong(load_u64(a, i), load_u64(b, j), fold_case, compared, op == EQUAL):
                return np.int64(x), i, j, budget
            i, j = i + (n if op != INSERTION else 0), j + (n if op != DELETION else 0)
            budget -= n
        k += max(most, 0)
        if most <= 0:
            break
    return k, i, j, budget


@jit_no_nrt
def verify_runs(a: Letters, b: Letters, fold_case: bool, ops: Ops, lengths: Counts, place: Counts, budget: int) -> int:
    """Verify an alignment, ``budget`` letters per call. It has few branches, as runs are unpredictable.

    Args:
        place: int64, shape (5,), at first zeros: verdict, run, letters of A and of B used, columns of the run; updated.

    Returns:
        ``place[0]``: MORE to be called again; RIGHT when every ``=`` joins equal letters, every ``X`` different ones
        and both sequences are used up exactly; WRONG otherwise, run ``place[1]`` being the first wrong one.
    """
    k, i, j, done = place[1], place[2], place[3], place[4]
    verdict = WRONG
    while k < ops.size:
        if done == 0:
            k, i, j, budget = _short_runs(a, b, fold_case, ops, lengths, k, i, j, budget)
            if k == ops.size:
                break
        if budget <= 0:
            verdict = MORE
            break
        n, op = min(lengths[np.uint64(k)] - done, budget), np.int64(ops[np.uint64(k)])
        down, right = np.int64(op != INSERTION), np.int64(op != DELETION)
        if (n <= 0) | (i + n * down > a.size) | (j + n * right > b.size):
            break
        left = n * down * right  # to be compared
        x, wrong = ZERO_INDEX, False
        if op == EQUAL:
            while left >= FAR and not _any_differs(a, b, fold_case, i + x, j + x):
                x, left = x + FAR, left - FAR
        while True:
            now = min(left, EIGHT)
            if (i + x + 8 <= a.size) & (j + x + 8 <= b.size):
                wrong |= _is_wrong(load_u64(a, i + x), load_u64(b, j + x), fold_case, now, op == EQUAL)
            else:
                wrong |= _is_wrong(_word(a, i + x, now), _word(b, j + x, now), fold_case, now, op == EQUAL)
            x, left = x + 8, left - 8
            if (left <= 0) | wrong:
                break
        if wrong:
            break
        i, j, done, budget = i + n * down, j + n * right, done + n, budget - n
        if done < lengths[np.uint64(k)]:
            continue
        k, done = k + 1, ZERO_INDEX
    if k == ops.size and i == a.size and j == b.size:
        verdict = RIGHT
    place[0], place[1], place[2], place[3], place[4] = verdict, k, i, j, done
    return verdict


@jit_no_nrt
def verify_wide_runs(a: Letters, b: Letters, _: bool, ops: Ops, lengths: Counts, place: Counts, budget: int) -> int:
    """``verify_runs`` for letters wider than bytes, one at a time, already case-folded."""
    k, i, j, done = place[1], place[2], place[3], place[4]
    verdict = WRONG
    while k < ops.size:
        if budget <= 0:
            verdict = MORE
            break
        n, op = min(lengths[k] - done, budget), np.int64(ops[k])
        down, right = np.int64(op != INSERTION), np.int64(op != DELETION)
        if (n <= 0) | (i + n * down > a.size) | (j + n * right > b.size):
            break
        wrong = False
        for x in range(n * down * right):
            wrong |= (a[i + x] == b[j + x]) != (op == EQUAL)
        if wrong:
            break
        i, j, done, budget = i + n * down, j + n * right, done + n, budget - n
        if done == lengths[k]:
            k, done = k + 1, ZERO_INDEX
    if k == ops.size and i == a.size and j == b.size:
        verdict = RIGHT
    place[0], place[1], place[2], place[3], place[4] = verdict, k, i, j, done
    return verdict
