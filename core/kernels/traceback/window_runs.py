"""Counts of the runs of a path, and windows with a single gap; without vectors, see
``wavediff.core.kernels.uncompiled.run``."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops
from wavediff.core.jit.decorators import jit_callee_no_nrt, jit_no_nrt
from wavediff.core.kernels.traceback.left_align import DELETION, EQUAL, INSERTION, MISMATCH, ZERO, append_run

SPLIT_LETTERS = np.int64(64)  # between two looks whether a single gap can still be as cheap
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
    """Return in one call the figures that determine whether a path can be improved.

    Args:
        a, b: codes of the whole sequences. ops, lengths: runs of the path.
        alike: equal pairs are not counted up to this number of edits, less the difference of the lengths, per letter of
            the shorter sequence.
        counts: int64, shape (2, codes), zeros.

    Returns:
        (runs of insertions or deletions, edits, pairs of equal letters of A and B; -1: not counted, or under 2 runs).
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
        paired: a D and an I of one gap form a substitution, and open no gap.
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
def best_split(a, b, i, j, n, deleted, inserted, most):  # type: ignore[no-untyped-def]
    """Return the position of a single gap with the fewest substitutions, leftmost first.

    Args:
        i, j: letters of A and of B before the window. n: letters of its shorter side.
        deleted, inserted: letters of the gap; one is 0. most: maximum substitutions to count.

    Returns:
        (letters of the shorter side before the gap, substitutions); a number above ``most`` if there are more.
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
def write_single_gap(a, b, i, j, n, deleted, inserted, at, paired, ops, lengths, out):  # type: ignore[no-untyped-def]
    """Write the runs of a window with a single gap, see ``best_split``; return their number."""
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
