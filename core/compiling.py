"""The child that fills the cache of compiled kernels: ``python -m core.compiling [asked] LANE``.

See ``core.compile_ahead``, for lanes too. It runs small jobs that need every kernel in every variant, so that whatever
a real job needs is compiled. Each line it writes is a JSON object: ``ready``, the kernels that are in the cache now,
and ``total``, how many there will be. Names that come in on standard input are compiled next, with ``asked`` these
only; the end of the input ends the process.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from core import compile_cache
from core.compile_ahead import ALL, ASKED, RELAX, Lane
from core.dispatch import KERNELS
from core.events import Compiled, Event
from core.lasting import lasting
from core.runner import run_job

if TYPE_CHECKING:
    from core.kernels.rehearsal import Rehearsal


FIRST = 5.0  # seconds that nothing is begun that was not asked for: a first job has to find out what it needs
SELDOM = 100_000, 50, 1000  # objects, and collections of the young, to the next: a compiler keeps most of what it makes
PATIENCE = 0.3  # the same after something was: whoever waited may ask again


def rehearsals(lane: Lane = Lane.EVERYTHING) -> list[Rehearsal]:
    """Return those of every method that is compiled in ``lane``, the most wanted first."""
    found: list[Rehearsal] = []
    folders = dict.fromkeys(kernel.cpu.rpartition(".")[0] for kernel in KERNELS.values())
    for folder in folders:  # several jobs may share one
        module = f"{folder}.rehearsals"
        if folder.startswith("core.kernels.") and find_spec(module) is not None:
            found += import_module(module).rehearsals()
    return sorted((one for one in found if lane.holds(one.names[0])), key=lambda one: one.rank)


class Queue:
    """What is still to do; wishes come first, and with ``asked`` nothing but wishes."""

    def __init__(self, items: list[Rehearsal], *, asked: bool = False) -> None:
        self.total = len({name for item in items for name in item.names})
        self._items = deque(items)
        self._wishes: deque[str] = deque()
        self._asked = asked
        self._relaxed = False
        self._more = threading.Condition()

    def wish(self, name: str) -> None:
        with self._more:
            self._wishes.append(name)
            self._more.notify()

    def relax(self) -> None:
        """Nobody is going to wish for anything now."""
        with self._more:
            self._relaxed = True
            self._more.notify()

    def __iter__(self) -> Iterator[Rehearsal]:
        wait: float | None = None if self._asked else FIRST
        while self._items:
            with self._more:
                self._more.wait_for(lambda: self._wishes or (self._relaxed and not self._asked), wait)
                wanted = self._wished()
            if wanted is not None:
                self._items.remove(wanted)
                yield wanted
                wait = None if self._asked else PATIENCE
            elif not self._asked:
                yield self._items.popleft()
                wait = 0.0

    def _wished(self) -> Rehearsal | None:
        while self._wishes:
            name = self._wishes.popleft()
            for item in self._items:
                if name in item.names:
                    return item
        return None


def _listen(queue: Queue) -> None:
    """Take wishes; without anybody to send them the process has no purpose.

    What is compiled by then is sealed: an index that changed after its last seal would not be trusted, and all
    variants that it names would be lost.
    """
    for line in sys.stdin:
        if line.strip() == RELAX:
            queue.relax()
            with contextlib.suppress(AttributeError, OSError):
                # On Linux nice() is for the thread that calls it; the one that compiles is the first, known by our pid.
                os.setpriority(os.PRIO_PROCESS, os.getpid(), 19)
        else:
            queue.wish(line.strip())
    compile_cache.seal()
    os._exit(0)  # from this thread: the other one may be compiling for seconds


def main() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the terminal is for our parent, who then ends us
    compile_cache.prepare(cleaned=True)  # what is not sealed yet is the work of our parent or of another child
    lane = Lane(sys.argv[-1])
    with lasting():
        queue = Queue(rehearsals(lane), asked=ASKED in sys.argv)
    gc.set_threshold(*SELDOM)
    threading.Thread(target=_listen, args=(queue,), daemon=True).start()
    for item in queue:
        _perform(item, queue)
    _tell(queue, f"{ALL} {lane}")
    return 0


def _perform(item: Rehearsal, queue: Queue) -> None:
    def report(event: Event) -> None:
        if isinstance(event, Compiled):
            _tell(queue)

    if item.steps is None:
        run_job(item.job, report=report)
    else:
        for event in item.steps():
            report(event)


def _tell(queue: Queue, *more: str) -> None:
    ready = {*import_module("core.kernels.warm").ready_names(), *more}
    compile_cache.seal(ready)
    sys.stdout.write(json.dumps({"ready": sorted(ready), "total": queue.total}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
