"""Concurrent generators on several cards, one thread each, merged into one event stream."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from concurrent.futures import wait
from queue import SimpleQueue
from time import perf_counter
from typing import TypeVar

from wavediff.core.jobs.events import Event, StepDone
from wavediff.core.system.thread_loop import thread_pool

T = TypeVar("T")
MAX_THREADS = 64  # cards of all jobs together


def side_by_side(streams: Sequence[Generator[Event, None, T]]) -> Generator[Event, None, list[T]]:
    """Yield the events of all ``streams`` as they arrive; return their results in the order of ``streams``.

    Concurrent time on cards counts once: the seconds of a step are at most those since the previous step.

    If a stream fails, or the iterator is closed, the other streams end after their current step.

    Raises:
        The exception of a failed stream.
    """
    if len(streams) == 1:
        return [(yield from streams[0])]
    events: SimpleQueue[Event | None] = SimpleQueue()
    stopped = threading.Event()

    def drive(stream: Generator[Event, None, T]) -> list[T]:
        try:
            while not stopped.is_set():
                events.put(next(stream))
        except StopIteration as end:
            return [end.value]
        except BaseException:
            stopped.set()
            raise
        finally:
            stream.close()
            events.put(None)
        return []

    running = [thread_pool("card", MAX_THREADS).submit(drive, stream) for stream in streams]
    try:
        left, now = len(running), perf_counter()
        while left:
            event = events.get()
            if event is None:
                left -= 1
            elif isinstance(event, StepDone):
                since, now = now, perf_counter()
                yield event._replace(seconds=min(event.seconds, now - since))
            else:
                yield event
    finally:
        stopped.set()
        wait(running)
    results: list[T] = []
    while running:  # no frame of another card's error keeps a reference to this card's arrays
        results += running.pop(0).result()
    return results
