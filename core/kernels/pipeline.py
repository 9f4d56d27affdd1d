"""Run the compiled part of a job on several threads, in pieces short enough to stop between.

Plain threads running ``nogil`` code: Numba's own ``parallel=True`` aborts the process on its workqueue
layer when two threads enter it. A piece is a few milliseconds of blocks, so Python is touched some
hundred times a second whatever the size of the input, and a stop waits for one block at most.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from time import perf_counter

from core.machine import give_way

PIECE = 0.008  # seconds of work between two looks at Python
REPORT = 0.016  # seconds between two reports
IDLE = 0.0002  # seconds a thread rests that waits for another thread's block


def drive(
    advance: Callable[[int, int], int], finished: Callable[[int], bool], stop: Callable[[], None], threads: int
) -> Generator[int, None, None]:
    """Call ``advance(thread, budget)`` on ``threads`` threads until each is finished.

    Args:
        advance: does up to ``budget`` units of work and returns how many; 0 means: nothing ready now.
        finished: whether nothing is left for a thread.
        stop: makes every ``advance`` return soon; called when the iterator is closed early.

    Yields:
        Units done since the last yield, every ``REPORT`` seconds or so.

    Raises:
        Whatever ``advance`` raised, in the thread that iterates.
    """
    if threads == 1:
        yield from _inline(advance, finished)
        return
    done = [0] * threads
    errors: list[BaseException] = []
    halted = threading.Event()  # a stopped advance has nothing left to do, but is not finished either

    def over(me: int) -> bool:
        return halted.is_set() or finished(me)

    def work(me: int) -> None:
        give_way()  # a window that has as many cores as there are threads here must still be drawn at once
        try:
            for units in _pieces(advance, over, me):
                done[me] += units
        except BaseException as error:  # handed over and raised where it can be caught
            errors.append(error)
            halted.set()
            stop()

    pool = [threading.Thread(target=work, args=(me,), name=f"wavediff-{me}", daemon=True) for me in range(threads)]
    try:
        for thread in pool:
            thread.start()
        told = 0
        for thread in pool:
            while thread.is_alive():
                thread.join(REPORT)
                total = sum(done)
                if total > told:
                    yield total - told
                    told = total
        if sum(done) > told:
            yield sum(done) - told
    finally:
        halted.set()
        stop()
        for thread in pool:
            thread.join()
    if errors:
        raise errors[0]


def _pieces(advance: Callable[[int, int], int], finished: Callable[[int], bool], me: int) -> Iterator[int]:
    budget = 1
    while not finished(me):
        start = perf_counter()
        units = advance(me, budget)
        seconds = perf_counter() - start
        if units:
            budget = max(1, min(2 * budget, int(units * PIECE / max(seconds, 1e-9))))
            yield units
        elif not finished(me):
            threading.Event().wait(IDLE)


def _inline(advance: Callable[[int, int], int], finished: Callable[[int], bool]) -> Iterator[int]:
    units, since = 0, perf_counter()
    for piece in _pieces(advance, finished, 0):
        units += piece
        if perf_counter() - since >= REPORT:
            yield units
            units, since = 0, perf_counter()
    if units:
        yield units
