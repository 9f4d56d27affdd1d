"""Multithreaded execution of compiled code, in pieces short enough to cancel.

Plain threads run ``nogil`` code, because Numba's ``parallel=True`` aborts the process on its workqueue layer if two
threads enter it. A piece is a few milliseconds of blocks, so Python code runs some hundred times a second for any input
size, and a stop waits for one block at most.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from time import perf_counter
from typing import NamedTuple

from wavediff.core.system.machine import lower_thread_priority

SLICE_SECONDS = 0.008  # seconds of work between two returns to Python
MAX_BUDGET_GROWTH = 8  # maximum growth of the budget between pieces, as the time per unit is unknown at first
REPORT_SECONDS = 0.016  # seconds between two reports
IDLE_SECONDS = 0.0002  # seconds that a thread sleeps while it waits for another thread's block
MAX_POOL_THREADS = 1024  # threads of all jobs together; a job with fewer threads than requested is only slower


class Piece(NamedTuple):
    """Units of work done by a thread in one call of ``advance``; times of ``time.perf_counter``."""

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
        advance: does up to ``budget`` units of work and returns the number done; 0: no work is ready now.
        finished: returns whether a thread has no work left.
        stop: makes every ``advance`` return soon; called if the iterator is closed early.
        pieces: output: units and times of each call, some hundred a second; the caller removes entries.

    Yields:
        Units done since the last yield, about every ``REPORT_SECONDS`` seconds.

    Raises:
        Exceptions of ``advance``, in the iterating thread.
    """
    if threads == 1:
        yield from _inline(advance, finished, pieces)
        return
    done = [0] * threads
    halted = threading.Event()  # a stopped ``advance`` has no work, but is not finished

    def over(me: int) -> bool:
        return halted.is_set() or finished(me)

    def work(me: int) -> None:
        try:
            for units in _pieces(advance, over, me, pieces):
                done[me] += units
        except BaseException:  # the future passes it to the caller
            halted.set()
            stop()
            raise

    running = [thread_pool("pieces", MAX_POOL_THREADS).submit(work, me) for me in range(threads)]
    try:
        reported = 0
        while wait(running, REPORT_SECONDS).not_done:
            total = sum(done)
            if total > reported:
                yield total - reported
                reported = total
        if sum(done) > reported:
            yield sum(done) - reported
    finally:
        halted.set()
        stop()
        wait(running)
    for thread in running:
        thread.result()


def _pieces(
    advance: Callable[[int, int], int], finished: Callable[[int], bool], me: int, pieces: list[Piece] | None
) -> Iterator[int]:
    budget = 2  # of one, another call would find that nothing is left
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
    """Return the pool of ``n`` threads shared by all jobs with this ``task``; its threads yield to window drawing."""
    return ThreadPoolExecutor(n, thread_name_prefix=task, initializer=lower_thread_priority)
