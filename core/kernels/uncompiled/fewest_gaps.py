"""Resolution of ties for short pairs by the kernels' Python functions, and windows by Python integers."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from types import FunctionType
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters, Runs
from wavediff.core.jit.decorators import Kernel
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.traceback import window_runs as window
from wavediff.core.kernels.traceback.fewest_gaps import Kernels, Solver
from wavediff.core.kernels.traceback.left_align import ANYWHERE, left_align
from wavediff.core.kernels.traceback.path_windows import find_windows, splice_windows
from wavediff.core.kernels.uncompiled.bit_vectors import (
    DELETION,
    EQUAL,
    INSERTION,
    MISMATCH,
    Run,
    Steps,
    append_run,
    least_cost_steps,
)

NEVER = 1 << 29
# How the best way to a node ends, and whether a gap that ends there was longer.
FROM_PAIR, FROM_DELETION, DELETION_GOES_ON, INSERTION_GOES_ON = 1, 2, 4, 8


def in_python(kernel: Kernel) -> Any:
    """Return the Python function of ``kernel``, calling Python functions only."""
    code, known = kernel.py_func.__code__, kernel.py_func.__globals__
    kernels = {name: known[name] for name in code.co_names if isinstance(known.get(name), Kernel)}
    return FunctionType(code, known | {name: in_python(called) for name, called in kernels.items()})


COUNT_EDITS, BEST_SPLIT = in_python(window.count_edits), in_python(window.best_split)
WRITE_SINGLE_GAP, LEFT_ALIGN = in_python(window.write_single_gap), in_python(left_align)


def assemble_alignment(
    step: Step, pieces: list[Runs], a: Letters, b: Letters, prefix: int, *_: int
) -> Generator[Event, None, Alignment]:
    """Join the pieces of a traceback, see ``wavediff.core.kernels.traceback.assemble``."""
    start, (ops, lengths) = perf_counter(), pieces[0]
    out, sizes = np.empty(2 * ops.size + 6, np.uint8), np.empty(2 * ops.size + 6, np.int64)
    place = np.array([0, 0, a.size, b.size, 0, 0, 0])
    LEFT_ALIGN(a, b, prefix, ops, lengths, True, *ANYWHERE, out, sizes, place, a.size + b.size + 2 * ops.size + 4)
    yield step.done("traceback", start, 0)
    return Alignment(out[: place[-1]][::-1].copy(), sizes[: place[-1]][::-1].copy())


class WindowSolver(Solver):
    """Solves windows sequentially; see ``wavediff.core.kernels.traceback.window_solver``."""

    def solve(self, step: Step, _threads: int) -> Generator[Event, None, None]:
        start = perf_counter()
        for fields, answer in zip(self._windows.tolist(), self.answers, strict=True):
            answer[window.RUNS], answer[window.CHEAPER] = self._solve(*fields[: window.WINDOW_FIELDS])
        yield step.done("ties", start, 0)

    def _solve(self, first: int, end: int, before_a: int, before_b: int, head: int, tail: int, out: int) -> Run:
        """Write runs with fewer gap openings; return their number (0: unchanged), and the cost reduction."""
        a, b, paired = self._a, self._b, self._paired
        ops, lengths = self._runs.ops[first:end], self._runs.lengths[first:end]
        cost, openings = COUNT_EDITS(ops, lengths, paired)
        x, y = (
            some[before : before + head + tail + int(lengths[ops != gap].sum())].tolist()
            for some, before, gap in ((a, before_a, INSERTION), (b, before_b, DELETION))
        )
        n, gap_a, gap_b = min(len(x), len(y)), max(len(x) - len(y), 0), max(len(y) - len(x), 0)
        at, wrong = BEST_SPLIT(a, b, before_a, before_b, n, gap_a, gap_b, cost)
        single = int(wrong) * (2 if paired else 1) + gap_a + gap_b
        if single == cost and (len(x) != len(y)) < openings:
            place = before_a, before_b, n, gap_a, gap_b, at, paired
            return WRITE_SINGLE_GAP(a, b, *place, self._ops, self._lengths, out), 0
        # From the end on, so that the walk back goes from the last letter to the first.
        steps = least_cost_steps(x[::-1], y[::-1], paired=paired)
        cheaper = min(single, steps.cost) - cost
        if cheaper:
            return 0, cheaper
        nodes, fewest = count_openings(len(x), len(y), steps)
        runs = walk_back(x[::-1], y[::-1], nodes, paired) if fewest < openings else []
        for k, run in enumerate(runs, out):
            self._ops[k], self._lengths[k] = run
        return len(runs), 0


def count_openings(rows: int, cols: int, steps: Steps) -> tuple[list[dict[int, int]], int]:
    """Propagate gap openings along optimal steps from the end to node (0, 0) (Gotoh 1982).

    Returns:
        (last operation of the best path to each node, by row and column; the fewest gap openings).
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
    """Return the runs from node (0, 0) in column order; ``x``, ``y``: reversed letters."""
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


IN_PYTHON = Kernels(
    in_python(window.survey_path), in_python(find_windows), in_python(splice_windows), COUNT_EDITS, WindowSolver,
    assemble_alignment,
)  # fmt: skip
