"""Parallel tasks of a step."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_EXCEPTION, wait
from threading import Event as Flag
from time import perf_counter
from typing import TypeVar

from wavediff.core.jobs.events import Event, Step
from wavediff.core.system.machine import cores
from wavediff.core.system.thread_loop import thread_pool

T = TypeVar("T")
Piece = Callable[[int, int], T]  # of the items from first to last
REPORT_SECONDS = 0.01  # seconds between two reports


def run_parallel(
    step: Step, kernel: str, tasks: Sequence[Callable[[Flag], T]], pool: str = "abreast"
) -> Generator[Event, None, list[T]]:
    """Run tasks on all cores, and return their results.

    Args:
        tasks: poll their argument and end early once it is set. A single task runs in the calling thread and should be
            short: it cannot be stopped.
        pool: of threads; use a separate pool for nested parallel steps.
    """
    since, stop = perf_counter(), Flag()
    if len(tasks) == 1:
        result = tasks[0](stop)
        yield step.done(kernel, since, 0)
        return [result]
    running = [thread_pool(pool, cores()).submit(task, stop) for task in tasks]
    try:
        while (done := wait(running, REPORT_SECONDS, FIRST_EXCEPTION)).not_done:
            yield step.done(kernel, since, 0)
            since = perf_counter()
            for one in done.done:
                one.result()
    finally:
        stop.set()
        wait(running)
    yield step.done(kernel, since, 0)
    return [one.result() for one in running]


def map_ranges(
    step: Step, kernel: str, task: Piece[T], size: int, piece: int, threads: int
) -> Generator[Event, None, list[T]]:
    """Run ``task`` for chunks of ``size`` items; results are unordered."""
    firsts = range(0, size, piece)
    n = min(threads, len(firsts), cores())
    if n > 1:

        def of_thread(k: int) -> Callable[[Flag], list[T]]:
            return lambda stop: [task(at, min(at + piece, size)) for at in firsts[k::n] if not stop.is_set()]

        results = yield from run_parallel(step, kernel, [of_thread(k) for k in range(n)])
        return [one for some in results for one in some]
    since, done = perf_counter(), []
    for at in firsts:
        done.append(task(at, min(at + piece, size)))
        if perf_counter() - since > REPORT_SECONDS:
            yield step.done(kernel, since, 0)
            since = perf_counter()
    yield step.done(kernel, since, 0)
    return done
