"""Threads that compute the blocks of a matrix, or the pairs of a batch, told of as events."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.atomics import store_release
from wavediff.core.jit.decorators import jit_no_nrt
from wavediff.core.jit.record_clock import begin_ticks, fit_ticks
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.run_record import RunRecord, thread_spans
from wavediff.core.system.thread_loop import Piece, run_threads


@jit_no_nrt
def stop(shared: Counts) -> None:
    """Tell every thread inside an ``advance`` to return after the block it is at: it looks at ``shared[1]``."""
    store_release(shared, 1, 1)


def compute_blocks(
    step: Step,
    kernel: str,
    record: RunRecord,
    shared: Counts,
    cells: Counts,
    n_cells: int,
    advance: Callable[[int, int], int],
    finished: Callable[[int], bool],
) -> Generator[Event, None, None]:
    """Compute every block of a matrix; yields a ``StepDone`` every few milliseconds.

    Args:
        shared: int64, the counters of its threads: see ``stop`` and ``wavediff.core.jit.clock``.
        cells: int64, computed by each thread. n_cells: that there are, or what takes as long.
        advance, finished: see ``wavediff.core.system.thread_loop.run_threads``.
    """
    since, told = perf_counter(), 0
    begin_ticks(record, shared, n_cells)
    for calls in run_threads(advance, finished, partial(stop, shared), cells.size):
        now, total = perf_counter(), int(cells.sum())
        fit_ticks(record, shared)
        yield step.took(kernel, now - since, calls, total - told)
        # While the caller is busy the threads work on, but one thread is the caller's own.
        since, told = now if cells.size > 1 else perf_counter(), total


def compute_pairs(
    step: Step,
    shared: Counts,
    cells: Counts,
    done: Counts,
    n_pairs: int,
    advance: Callable[[int, int], int],
    finished: Callable[[int], bool],
) -> Generator[Event, None, None]:
    """Compute every pair of a batch; yields how far that is every few milliseconds.

    Args:
        done: int64, pairs that each thread has ended. n_pairs: that there are. The others as of ``compute_blocks``.
    """
    since, told, ended = perf_counter(), 0, 0
    pieces: list[Piece] = []
    for _ in run_threads(advance, finished, partial(stop, shared), cells.size, pieces):
        now, total, pairs = perf_counter(), int(cells.sum()), int(done.sum())
        yield step.took("pairs", now - since, pairs - ended, total - told, thread_spans("pairs", pieces))
        yield step.progress("comparing", pairs, n_pairs, "pairs")
        since, told, ended = now if cells.size > 1 else perf_counter(), total, pairs
