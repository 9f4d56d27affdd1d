"""Threads that compute blocks of a matrix or pairs of a batch, with events.

The record's clock starts with an attempt and is compared with ``time.perf_counter``.

It is separate from ``wavediff.core.jit.clock``, so that a change of a record recompiles no kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter

from wavediff.core.base.arrays import Counts
from wavediff.core.jit.atomics import store_release
from wavediff.core.jit.clock import BITS_PER_TICK, SINCE, now, tick_bits
from wavediff.core.jit.decorators import jit_no_nrt
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.run_record import RunRecord, thread_spans
from wavediff.core.system.thread_loop import Piece, run_threads


def begin_ticks(record: RunRecord, shared: Counts, n_cells: int) -> None:
    """Start the clock ticks of an attempt.

    Args:
        shared: int64, the counters that its threads share. n_cells: cells to compute.
    """
    record.start, shared[SINCE], shared[BITS_PER_TICK] = perf_counter(), now(), tick_bits(n_cells)


def fit_ticks(record: RunRecord, shared: Counts) -> None:
    """Calibrate the duration of a tick; more precise the longer the attempt runs."""
    ticks = (now() - int(shared[SINCE])) >> int(shared[BITS_PER_TICK])
    record.seconds_per_tick = (perf_counter() - record.start) / max(1, ticks)


@jit_no_nrt
def stop(shared: Counts) -> None:
    """Request that all threads return from ``advance`` after their current block, by ``shared[1]``."""
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
    halt: Callable[[], None] | None = None,
) -> Generator[Event, None, None]:
    """Compute every block of a matrix; yields a ``StepDone`` every few milliseconds.

    Args:
        shared: int64, the counters of its threads: see ``stop`` and ``wavediff.core.jit.clock``.
        cells: int64, computed by each thread. n_cells: total, or the equivalent in time.
        advance, finished: see ``wavediff.core.system.thread_loop.run_threads``. halt: its ``stop``, for threads that do
            not read ``shared``.
    """
    since, n_reported = perf_counter(), 0
    begin_ticks(record, shared, n_cells)
    for calls in run_threads(advance, finished, halt or partial(stop, shared), cells.size):
        now, total = perf_counter(), int(cells.sum())
        fit_ticks(record, shared)
        yield step.took(kernel, now - since, calls, total - n_reported)
        # While the caller is busy the threads work on, but one thread is the caller's own.
        since, n_reported = now if cells.size > 1 else perf_counter(), total


def compute_pairs(
    step: Step,
    shared: Counts,
    cells: Counts,
    done: Counts,
    n_pairs: int,
    advance: Callable[[int, int], int],
    finished: Callable[[int], bool],
) -> Generator[Event, None, None]:
    """Compute all pairs of a batch; yields the progress every few milliseconds.

    Args:
        done: int64, completed pairs of each thread. n_pairs: all pairs. The other arguments: see ``compute_blocks``.
    """
    since, n_reported, ended = perf_counter(), 0, 0
    pieces: list[Piece] = []
    for _ in run_threads(advance, finished, partial(stop, shared), cells.size, pieces):
        now, total, pairs = perf_counter(), int(cells.sum()), int(done.sum())
        yield step.took("pairs", now - since, pairs - ended, total - n_reported, thread_spans("pairs", pieces))
        yield step.progress("comparing", pairs, n_pairs, "pairs")
        since, n_reported, ended = now if cells.size > 1 else perf_counter(), total, pairs
