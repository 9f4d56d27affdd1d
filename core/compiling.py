"""The child that fills the cache of compiled kernels: ``python -m core.compiling`` (see ``core.compile_ahead``).

It runs small jobs that need every kernel in every variant, so that whatever a real job needs is compiled.
Each line it writes is a JSON object: ``ready``, the kernels that are in the cache now, and ``total``, how many
there will be. Names that come in on standard input are compiled next; the end of the input ends the process.
"""

from __future__ import annotations

import contextlib
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
from core.compile_ahead import ALL, RELAX
from core.dispatch import KERNELS
from core.events import Compiled, Event
from core.runner import run_job

if TYPE_CHECKING:
    from core.kernels.rehearsal import Rehearsal


def rehearsals() -> list[Rehearsal]:
    """Return those of every method that is compiled, the most wanted first."""
    found: list[Rehearsal] = []
    folders = dict.fromkeys(kernel.cpu.rpartition(".")[0] for kernel in KERNELS.values())
    for folder in folders:  # several jobs may share one
        module = f"{folder}.rehearsals"
        if folder.startswith("core.kernels.") and find_spec(module) is not None:
            found += import_module(module).rehearsals()
    return sorted(found, key=lambda one: one.rank)


class Queue:
    """What is still to do; wishes come first."""

    def __init__(self, items: list[Rehearsal]) -> None:
        self.total = len({name for item in items for name in item.names})
        self._items = deque(items)
        self._wishes: deque[str] = deque()

    def wish(self, name: str) -> None:
        self._wishes.append(name)

    def __iter__(self) -> Iterator[Rehearsal]:
        while self._items:
            while self._wishes:
                name = self._wishes.popleft()
                wanted = next((item for item in self._items if name in item.names), None)
                if wanted is not None:
                    self._items.remove(wanted)
                    self._items.appendleft(wanted)
                    break
            yield self._items.popleft()


def _listen(queue: Queue) -> None:
    """Take wishes; without anybody to send them the process has no purpose.

    What is compiled by then is sealed: an index that changed after its last seal would not be trusted, and all
    variants that it names would be lost.
    """
    for line in sys.stdin:
        if line.strip() == RELAX:
            with contextlib.suppress(AttributeError, OSError):
                # On Linux nice() is for the thread that calls it; the one that compiles is the first, known by our pid.
                os.setpriority(os.PRIO_PROCESS, os.getpid(), 19)
        else:
            queue.wish(line.strip())
    compile_cache.seal()
    os._exit(0)  # from this thread: the other one may be compiling for seconds


def main() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the terminal is for our parent, who then ends us
    compile_cache.prepare()
    queue = Queue(rehearsals())
    threading.Thread(target=_listen, args=(queue,), daemon=True).start()
    for item in queue:
        _perform(item, queue)
    _tell(queue, ALL)
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
