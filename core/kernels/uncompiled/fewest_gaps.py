"""Fewest gaps among alignments of one cost, as ``wavediff.core.kernels.traceback.fewest_gaps`` has it; for short pairs,
whose windows are all solved exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.results import TieBreak
from wavediff.core.kernels.traceback.tie_rules import (
    FLANK,
    LONG_EQUAL,
    SURELY_ALIKE,
    Settled,
    in_one_piece,
    is_like_shuffled,
)
from wavediff.core.kernels.uncompiled.bit_vectors import (
    DELETION,
    EQUAL,
    INSERTION,
    MISMATCH,
    Run,
    append_run,
    in_order,
    least_cost_steps,
)
from wavediff.core.methods.base import Ties

NEVER = 1 << 29
# How the best way to a node ends, and whether a gap that ends there was longer.
FROM_PAIR, FROM_DELETION, DELETION_GOES_ON, INSERTION_GOES_ON = 1, 2, 4, 8


class Window(NamedTuple):
    """Runs ``first`` to ``end`` - 1 of a path, and letters of the equal runs before and behind them.

    Attributes:
        a, b: letters before it, those of ``head`` not counted.
    """

    first: int
    end: int
    a: int
    b: int
    head: int
    tail: int


def fewest_gaps(path: list[Run], a: Letters, b: Letters, prefix: int, *, paired: bool) -> Settled:
    """Return an alignment of least cost with as few gap openings as its windows allow.

    Args:
        a, b: letters as they are compared. paired: a D and an I of one gap are a substitution (an LCS).
    """
    cost, n_openings = count_edits(path, paired)
    gaps = sum(op >= INSERTION for op, _ in path)
    if gaps < 2:
        return Settled(alignment(path), TieBreak(Ties.FEWEST_GAPS))
    if gaps > 2 and cost == abs(a.size - b.size):
        whole = in_one_piece(a, b)
        if whole is not None:
            return Settled(whole, TieBreak(Ties.FEWEST_GAPS, windows=1))
    if cost - abs(a.size - b.size) > SURELY_ALIKE * min(a.size, b.size):
        letters, counts = np.unique(a, return_counts=True)
        same = sum(int(n) * int((b == letter).sum()) for letter, n in zip(letters, counts, strict=True))
        if is_like_shuffled(a.size, b.size, cost, same, paired=paired):
            return Settled(alignment(path), TieBreak(Ties.FEWEST_GAPS, unrelated=True))
    x, y = a.tolist(), b.tolist()
    windows = find_windows(path, paired)
    ties = TieBreak(Ties.FEWEST_GAPS, windows=len(windows))
    solved = [(window, solve(window, path, x, y, paired)) for window in windows]
    if not any(runs for _, runs in solved):
        return Settled(alignment(path), ties)
    better = in_order(x, y, prefix, spliced(path, solved)[::-1])
    found_cost, found_openings = count_edits(better, paired)
    if found_cost != cost or found_openings > n_openings:
        raise SelfCheckFailed(f"fewer gaps changed what the alignment of {a.size:,} and {b.size:,} letters costs")
    return Settled(alignment(better), ties)


def alignment(runs: list[Run]) -> Alignment:
    return Alignment(np.array([op for op, _ in runs], np.uint8), np.array([n for _, n in runs], np.int64))


def count_edits(runs: Sequence[Run], paired: bool) -> tuple[int, int]:
    """Return the edits and the gap openings of runs."""
    edits = openings = deleted = inserted = 0
    for op, n in (*runs, (EQUAL, 0)):
        edits += n * (op != EQUAL)
        if op >= INSERTION:
            deleted, inserted = deleted + n * (op == DELETION), inserted + n * (op == INSERTION)
            openings += not paired
            continue
        openings += paired and deleted != inserted
        deleted = inserted = 0
    return edits, openings


def find_windows(path: list[Run], paired: bool) -> list[Window]:
    """Return the windows that open more gaps than they have to."""
    windows: list[Window] = []
    first = i = j = down = right = opened = 0
    for k, (op, n) in enumerate((*path, (EQUAL, LONG_EQUAL))):
        in_path = k < len(path)
        if op != EQUAL or n < LONG_EQUAL:
            down, right = down + n * (op != INSERTION), right + n * (op != DELETION)
            follows = k > 0 and path[k - 1][0] >= INSERTION
            substitution = k + 1 < len(path) and path[k + 1][0] >= INSERTION and path[k + 1][1] == n
            opened += op >= INSERTION and not (paired and (follows or substitution))
            continue
        if opened > (down != right):
            head = FLANK if first else 0
            windows.append(Window(first, k, i - head, j - head, head, FLANK if in_path else 0))
        i, j, first = i + down + n, j + right + n, k + 1
        down = right = opened = 0
    return windows


def spliced(path: list[Run], solved: list[tuple[Window, list[Run]]]) -> list[Run]:
    """Return the runs with those of windows in their place."""
    out: list[Run] = []
    k = head = 0  # runs taken, and letters of the next that a window has
    for window, runs in (*((window, runs) for window, runs in solved if runs), (None, [])):
        end = len(path) if window is None else window.first
        for at in range(k, end):
            op, n = path[at]
            n -= head if at == k else 0
            append_run(out, op, n - (window.head if window is not None and at == end - 1 else 0))
        for run in runs:
            append_run(out, *run)
        if window is not None:
            k, head = window.end, window.tail
    return out


def solve(window: Window, path: list[Run], a: list[int], b: list[int], paired: bool) -> list[Run]:
    """Return runs with fewer gap openings, first column first; none where there are none.

    Raises:
        SelfCheckFailed: the window can be had for less.
    """
    runs = path[window.first : window.end]
    cost, openings = count_edits(runs, paired)
    ends = window.head + window.tail
    x = a[window.a : window.a + ends + sum(n for op, n in runs if op != INSERTION)]
    y = b[window.b : window.b + ends + sum(n for op, n in runs if op != DELETION)]
    n, gap_a, gap_b = min(len(x), len(y)), max(len(x) - len(y), 0), max(len(y) - len(x), 0)
    at, wrong = best_split(x, y, n, gap_a, gap_b)
    single = wrong * (2 if paired else 1) + gap_a + gap_b
    if single == cost and (len(x) != len(y)) < openings:
        return single_gap(x, y, n, gap_a, gap_b, at, paired)
    # From the end on, so that the walk back goes from the last letter to the first.
    steps = least_cost_steps(x[::-1], y[::-1], paired=paired)
    if min(single, steps.cost) < cost:
        raise SelfCheckFailed("a stretch of the alignment can be had for less; the result was thrown away")
    nodes, fewest = count_openings(len(x), len(y), steps)
    return walk_back(x[::-1], y[::-1], nodes, paired) if fewest < openings else []


def best_split(x: list[int], y: list[int], n: int, gap_a: int, gap_b: int) -> tuple[int, int]:
    """Return where a single gap costs the fewest substitutions, first of all where it is left-most, and these."""
    before = [p != q for p, q in zip(x[:n], y[:n], strict=True)]
    behind = [p != q for p, q in zip(x[gap_a:], y[gap_b:], strict=True)]
    wrong = sum(behind)
    best = 0, wrong
    for k in range(n):
        wrong += before[k] - behind[k]
        if wrong < best[1]:
            best = k + 1, wrong
    return best


def single_gap(x: list[int], y: list[int], n: int, gap_a: int, gap_b: int, at: int, paired: bool) -> list[Run]:
    runs: list[Run] = []
    deleted = inserted = i = j = 0
    for k in range(n + 1):
        if k == at:
            deleted, inserted, i, j = deleted + gap_a, inserted + gap_b, gap_a, gap_b
        equal = k < n and x[i + k] == y[j + k]
        if k < n and paired and not equal:
            deleted, inserted = deleted + 1, inserted + 1
            continue
        append_run(runs, DELETION, deleted)
        append_run(runs, INSERTION, inserted)
        deleted = inserted = 0
        if k < n:
            append_run(runs, EQUAL if equal else MISMATCH, 1)
    return runs


def count_openings(
    rows: int, cols: int, steps: tuple[int, list[int], list[int], list[int]]
) -> tuple[list[dict[int, int]], int]:
    """Follow the steps of least cost from the last row and column to node (0, 0), by gap openings (Gotoh 1982).

    Returns:
        (by row and column how the best way to each node ends, the fewest gap openings).
    """
    _, delete, insert, pair = steps
    nodes: list[dict[int, int]] = [{} for _ in range(rows + 1)]
    by_pair, by_deletion = {cols: 0}, dict[int, tuple[int, int]]()
    least = 0
    for row in range(rows, -1, -1):
        deletes, inserts, pairs, ends = delete[row], insert[row], pair[row], nodes[row]
        next_pair: dict[int, int] = {}
        next_deletion: dict[int, tuple[int, int]] = {}
        waiting = sorted({*by_pair, *by_deletion})
        entered, column, inserted, opened = False, -1, NEVER, NEVER
        while waiting or entered:
            column = column - 1 if entered else waiting[-1]
            if waiting and waiting[-1] == column:
                waiting.pop()
            by = by_pair.get(column, NEVER)
            begun, kept = by_deletion.get(column, (NEVER, NEVER))
            down, right = min(kept, begun), min(inserted, opened)
            least = min(by, down, right)
            ends[column] = (
                FROM_PAIR * (by == least)
                | FROM_DELETION * (down == least)
                | DELETION_GOES_ON * (kept < begun)
                | INSERTION_GOES_ON * (inserted < opened)
            )
            if deletes >> column & 1:
                next_deletion[column] = least + 1, down
            if pairs >> column & 1:
                next_pair[column - 1] = least
            entered = bool(inserts >> column & 1)
            inserted, opened = (right, least + 1) if entered else (NEVER, NEVER)
        by_pair, by_deletion = next_pair, next_deletion
    return nodes, least


def walk_back(x: list[int], y: list[int], nodes: list[dict[int, int]], paired: bool) -> list[Run]:
    """Return the runs from node (0, 0) back, first column of the window first; ``x``, ``y``: from the last letter."""
    runs: list[Run] = []
    p = q = deleted = inserted = 0
    gap = EQUAL
    while p < len(x) or q < len(y):
        ends = nodes[p][q]
        if gap == EQUAL and not ends & FROM_PAIR:
            gap = DELETION if ends & FROM_DELETION else INSERTION
        if gap == DELETION:
            p, deleted = p + 1, deleted + 1
            gap = DELETION if ends & DELETION_GOES_ON else EQUAL
            continue
        if gap == INSERTION:
            q, inserted = q + 1, inserted + 1
            gap = INSERTION if ends & INSERTION_GOES_ON else EQUAL
            continue
        equal = x[p] == y[q]
        p, q = p + 1, q + 1
        if paired and not equal:
            deleted, inserted = deleted + 1, inserted + 1
            continue
        append_run(runs, INSERTION, inserted)
        append_run(runs, DELETION, deleted)
        deleted = inserted = 0
        append_run(runs, EQUAL if equal else MISMATCH, 1)
    append_run(runs, INSERTION, inserted)
    append_run(runs, DELETION, deleted)
    return runs[::-1]
