"""Kernels of a few lines in place of the real ones, and the session and window around them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from wavediff.core.jobs import Job, KernelModules
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.events import Compiled, Event, Planned, StepDone
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.methods.lcs import LcsJob

HERE = __name__  # what dispatch imports


@dataclass(frozen=True)
class FakeJob(Job):
    """Runs ``steps`` in the worker thread and returns what they return."""

    modules = KernelModules(__name__)

    steps: Callable[[Any], Iterator[Event]]


class Lcs:
    """How the fake LCS kernel behaves; ``reset`` before each test."""

    rows = 8
    seconds = 0.0  # a step
    endless = False
    error: BaseException | None = None
    closed: ClassVar[list[int]] = []
    threads: ClassVar[set[str]] = set()

    @classmethod
    def reset(cls) -> None:
        cls.rows, cls.seconds, cls.endless, cls.error = 8, 0.0, False, None
        cls.closed, cls.threads = [], set()


def run(job: Any) -> Generator[Event, None, Any]:
    """Twin of a kernel module's ``run``."""
    if isinstance(job, FakeJob):
        return (yield from job.steps(job))
    return (yield from _lcs(job))


def _lcs(job: LcsJob) -> Generator[Event, None, LcsResult]:
    Lcs.threads.add(threading.current_thread().name)
    n, m, rows = job.a.size, job.b.size, Lcs.rows
    try:
        yield Compiled(job.id, "blocks", 0.25)
        grid = BlockGrid(n, m, max(1, -(-n // rows)), max(1, m))
        block_map = np.zeros(grid.shape, np.uint8)
        yield Planned(job.id, grid, block_map, "full", "the fake knows no other way", n * m)
        step = 0
        while step < grid.shape[0] or Lcs.endless:
            time.sleep(Lcs.seconds)
            if step < grid.shape[0] and not (Lcs.endless and step == grid.shape[0] - 1):
                block_map[step] = BlockState.DONE
                cells = min(grid.block_rows, n - step * grid.block_rows) * m
                yield StepDone(job.id, "blocks", 1, cells, 0.001)
                step += 1
            else:
                yield StepDone(job.id, "traceback", 1, 0, 0.001)
            if Lcs.error is not None:
                raise Lcs.error
        same = min(n, m)
        ops = [op for op, length in ((Op.EQUAL, same), (Op.DELETION, n - same), (Op.INSERTION, m - same)) if length]
        lengths = [length for length in (same, n - same, m - same) if length]
        return LcsResult(
            job_id=job.id,
            length=same,
            alignment=Alignment(np.array(ops, np.uint8), np.array(lengths, np.int64)),
            strategy="full",
            reason="the fake knows no other way",
            n_cells=n * m,
            cells=n * m,
            device="cpu",
            kernel_seconds=0.001,
            wall_seconds=0.002,
        )
    finally:
        Lcs.closed.append(job.id)


def fasta(path: Path, *records: tuple[str, str]) -> Path:
    path.write_text("".join(f">{name}\n{letters}\n" for name, letters in records), encoding="utf-8")
    return path
