"""Compile time apart from run time: each kernel is called once on next to nothing before it is timed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from time import perf_counter

from core.events import Compiled, Event

_ready: set[Hashable] = set()


def warm_up(job_id: int, kernel: str, key: Hashable, call: Callable[[], object]) -> Generator[Event, None, None]:
    """Call ``call`` unless that was done for ``key`` in this process, and report what it took as compiling."""
    if key in _ready:
        return
    start = perf_counter()
    call()
    _ready.add(key)
    yield Compiled(job_id, kernel, perf_counter() - start)
