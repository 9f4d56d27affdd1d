"""Multithreaded execution of compiled code, in pieces short enough to cancel.

Plain threads running ``nogil`` code: Numba's own ``parallel=True`` aborts the process on its workqueue
layer when two threads enter it. A piece is a few milliseconds of blocks, so Python is touched some
hundred times a second whatever the size of the input, and a stop waits for one block at most.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from time import perf_counter
from typing import NamedTuple

from wavediff.core.system.machine import lower_thread_priority

SLICE_SECONDS = 0.008  # seconds of work between two looks at Python
MAX_BUDGET_GROWTH = 8  # times as much as in the piece before, at most: how long a unit takes is not known at first
REPORT_SECONDS = 0.016  # seconds between two reports
IDLE_SECONDS = 0.0002  # seconds a thread rests that waits for another thread's block
MAX_POOL_THREADS = 1024  # threads of all jobs at once; a job that gets fewer than it asked for is only slower


class Piece(NamedTuple):
    """Units processed by a thread in one call; times of ``time.perf_counter``."""

    thread: int
    began: float
    ended: float
    units: int


def run_threads(
    advance: Callable[[int, int], int],
    finished: Callable[[int], bool],
    stop: Callable[[], None],
    threads: int,
    pieces: list[Piece] | None = None,
) -> Generator[int, None, None]:
    """Call ``advance(thread, budget)`` on ``threads`` threads until each is finished.

    Args:
        advance: does up to ``budget`` units of work and returns how many; 0 means: nothing ready now.
        finished: whether nothing is left for a thread.
        stop: makes every ``advance`` return soon; called when the iterator is closed early.
        pieces: gets what each thread does and when, some hundred a second; whoever reads takes out what was read.

    Yields:
        Units done since the last yield, every ``REPORT_SECONDS`` seconds or so.

    Raises:
        Whatever ``advance`` raised, in the thread that iterates.
    """
    if threads == 1:
        yield from _inline(advance, finished, pieces)
        return
    done = [0] * threads
    halted = threading.Event()  # a stopped advance has nothing left to do, but is not finished either

    def over(me: int) -> bool:
        return halted.is_set() or finished(me)

    def work(me: int) -> None:
        try:
            for units in _pieces(advance, over, me, pieces):
                done[me] += units
        except BaseException:  # the future hands it over to where it can be caught
            halted.set()
            stop()
            raise

    running = [thread_pool("pieces", MAX_POOL_THREADS).submit(work, me) for me in range(threads)]
    try:
        told = 0
        while wait(running, REPORT_SECONDS).not_done:
            total = sum(done)
            if total > told:
                yield total - told
                told = total
        if sum(done) > told:
            yield sum(done) - told
    finally:
        halted.set()
        stop()
        wait(running)
    for thread in running:
        thread.result()


def _pieces(
    advance: Callable[[int, int], int], finished: Callable[[int], bool], me: int, pieces: list[Piece] | None
) -> Iterator[int]:
    budget = 1
    while not finished(me):
        start = perf_counter()
        units = advance(me, budget)
        ended = perf_counter()
        seconds = ended - start
        if units:
            if pieces is not None:
                pieces.append(Piece(me, start, ended, units))
            budget = max(1, min(MAX_BUDGET_GROWTH * budget, int(units * SLICE_SECONDS / max(seconds, 1e-9))))
            yield units
        elif not finished(me):
            threading.Event().wait(IDLE_SECONDS)


def _inline(
    advance: Callable[[int, int], int], finished: Callable[[int], bool], pieces: list[Piece] | None
) -> Iterator[int]:
    units, since = 0, perf_counter()
    for piece in _pieces(advance, finished, 0, pieces):
        units += piece
        if perf_counter() - since >= REPORT_SECONDS:
            yield units
            units, since = 0, perf_counter()
    if units:
        yield units


@cache
def thread_pool(task: str, n: int) -> ThreadPoolExecutor:
    """Return the pool of ``n`` threads shared by all jobs of a task; threads yield to window drawing."""
    return ThreadPoolExecutor(n, thread_name_prefix=task, initializer=lower_thread_priority)
