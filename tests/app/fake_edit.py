"""A slow edit distance kernel that says all that the real one says: attempts, skips, the path."""

from __future__ import annotations

from collections.abc import Generator
from itertools import groupby
from typing import ClassVar

import numpy as np

from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.edit_result import BandAttempt, EditResult, Skip, SkipReason
from wavediff.core.jobs.events import Event, Planned, StepDone
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.kernels.pairwise.edit.run import keep as keep  # borders for the cells of a step
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob

HERE = __name__
FAR = 1 << 30


class Edit:
    """How the fake behaves; ``reset`` before each test."""

    first_k = 1
    block = 4
    jobs: ClassVar[list[EditJob]] = []

    @classmethod
    def reset(cls) -> None:
        cls.first_k, cls.block, cls.jobs = 1, 4, []


def run(job: EditJob) -> Generator[Event, None, EditResult]:
    """Twin of a kernel module's ``run``: strips equal ends, doubles its band until that is proven."""
    Edit.jobs.append(job)
    a, b = (one.tobytes().upper() if job.fold_case else one.tobytes() for one in (job.a, job.b))
    n, m = len(a), len(b)
    head = 0
    while head < min(n, m) and a[head] == b[head]:
        head += 1
    inner_a, inner_b = a[head:], b[head:]
    rows, cols = len(inner_a), len(inner_b)
    grid = BlockGrid(rows, cols, Edit.block, Edit.block, head, head)
    k = job.threshold if job.threshold is not None else max(rows, cols) if job.band is BandMode.NONE else Edit.first_k
    strategy = "full" if job.band is BandMode.NONE else "band"
    bands: list[BandAttempt] = []
    while True:
        slack = max(0, k - abs(rows - cols)) // 2
        low, high = min(0, cols - rows) - slack, max(0, cols - rows) + slack
        table = distances(inner_a, inner_b, low, high)
        block_map = np.full(grid.shape, BlockState.OUTSIDE_BAND, np.uint8)
        inside = [(i, j) for i in range(rows) for j in range(cols) if low <= j - i <= high]
        for i, j in inside:
            block_map[i // Edit.block, j // Edit.block] = BlockState.DONE
        if job.band is BandMode.SUDO and block_map.size:
            block_map[-1, 0] = BlockState.MONOTONE
        yield Planned(job.id, grid, block_map, strategy, f"enough for {k} edits", len(inside), low, high, k)
        yield StepDone(job.id, "blocks", int((block_map == BlockState.DONE).sum()), len(inside), 0.001)
        bands.append(BandAttempt(k, low, high, table[rows][cols], len(inside)))
        if bands[-1].proven or job.band is BandMode.FIXED:
            break
        k *= 2
    outside = n * m - rows * cols
    skips = [Skip(SkipReason.ENDS, 0, outside, outside * 1e-6)] if outside else []
    left = rows * cols - len(inside)
    if left:
        skips.append(Skip(SkipReason.BAND, int((block_map == BlockState.OUTSIDE_BAND).sum()), left, left * 1e-6))
    found = bands[-1]
    path = None if job.path is TracebackMethod.NONE else walk(table, inner_a, inner_b, head)
    return EditResult(
        job_id=job.id,
        distance=found.distance,
        exact=found.proven,
        alignment=path,
        strategy=strategy,
        reason=f"enough for {k} edits",
        n_cells=n * m,
        cells=sum(each.cells for each in bands),
        skips=tuple(skips),
        bands=tuple(bands),
        device="cpu",
        kernel_seconds=0.001,
        wall_seconds=0.002,
    )


def distances(a: bytes, b: bytes, low: int, high: int) -> list[list[int]]:
    """Return the table of distances of prefixes, paths kept to cells ``low <= column - row <= high``."""
    table = [[FAR] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        for j in range(max(0, i + low - 1), min(len(b), i + high + 1) + 1):
            best = 0 if i == j == 0 else FAR
            if i:
                best = min(best, table[i - 1][j] + 1)
            if j:
                best = min(best, table[i][j - 1] + 1)
            if i and j:
                best = min(best, table[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
            table[i][j] = best
    return table


def walk(table: list[list[int]], a: bytes, b: bytes, head: int) -> Alignment:
    i, j = len(a), len(b)
    ops = []
    while i or j:
        here = table[i][j]
        if i and j and table[i - 1][j - 1] + (a[i - 1] != b[j - 1]) == here:
            i, j = i - 1, j - 1
            ops.append(Op.EQUAL if a[i] == b[j] else Op.MISMATCH)
        elif i and table[i - 1][j] + 1 == here:
            i -= 1
            ops.append(Op.DELETION)
        else:
            j -= 1
            ops.append(Op.INSERTION)
    runs = [(op, len(list(group))) for op, group in groupby([Op.EQUAL] * head + ops[::-1])]
    return Alignment(np.array([op for op, _ in runs], np.uint8), np.array([length for _, length in runs], np.int64))
