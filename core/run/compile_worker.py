"""Child process that fills the kernel cache: the hidden command ``compile-kernels [--asked] LANE``.

See ``wavediff.core.jit.background_compile`` for lanes. It runs small jobs that use every variant of every kernel. Each
output line is a JSON object: ``ready``, the cached kernels. Kernels named on standard input are compiled next; with
``--asked`` only these. The process ends when its standard input ends.

``build`` compiles the kernels of a package in the same way.
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
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wavediff.core.base.errors import BackendUnavailable
from wavediff.core.jit import compile_cache
from wavediff.core.jit.background_compile import ALL, LOWER_PRIORITY, KernelSet
from wavediff.core.jit.gc_control import gc_paused_and_frozen
from wavediff.core.jobs.bwt import BwtJob
from wavediff.core.jobs.events import Compiled, Event
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.jobs.search import SearchJob
from wavediff.core.methods import METHODS
from wavediff.core.run.dispatch import Runnable
from wavediff.core.run.runner import run_job
from wavediff.core.screening.shared_kmers import ScreenJob
from wavediff.core.system import cpu_levels

if TYPE_CHECKING:
    from wavediff.core.jit.warmup_job import WarmupJob


FIRST_IDLE_SECONDS = 5.0  # seconds without unrequested jobs: a first job has to find out what it needs
# Objects, and collections of the young, to the next one: a compiler keeps most of what it makes.
GC_THRESHOLDS = 100_000, 50, 1000
IDLE_SECONDS = 0.3  # after a compilation: the waiting process may request more


def all_warmup_jobs(lane: KernelSet = KernelSet.EVERYTHING, *, card: bool | None = None) -> list[WarmupJob]:
    """Return the warm-up jobs of all methods compiled in ``lane``, most urgent first.

    Args:
        card: include CPU kernels used with a graphics card; None: if a card is usable.
    """
    card = find_spec("cupy") is not None if card is None else card
    jobs = [warmup_job for module in _warmup_modules() for warmup_job in module.warmup_jobs()]
    jobs = [job for job in jobs if lane.holds(job.names[0]) and (card or not job.card)]
    return sorted(jobs, key=lambda job: job.rank)


def jobs_on_request(lane: KernelSet = KernelSet.EVERYTHING) -> list[WarmupJob]:
    """Return the warm-up jobs for letters wider than a byte (texts with very many distinct characters)."""
    wide = [module for module in _warmup_modules() if "codes" in signature(module.warmup_jobs).parameters]
    jobs = [warmup_job for module in wide for warmup_job in module.warmup_jobs(np.uint16)]
    return [job for job in jobs if lane.holds(job.names[0]) and not job.card]


def _warmup_modules() -> Iterator[Any]:
    batches = (method.batch for method in METHODS if method.batch is not None)
    kinds: tuple[Runnable, ...] = (
        *(method.job_type for method in METHODS),
        *batches,
        SearchJob,
        BwtJob,
        ScreenJob,
        RearrangedJob,
    )
    for folder in dict.fromkeys(kind.modules.cpu.rpartition(".")[0] for kind in kinds):  # several may share one
        module = f"{folder}.warmup_jobs"
        if find_spec(module) is not None:
            yield import_module(module)


class CompileQueue:
    """Queue of warm-up jobs. Requested jobs come first; with ``asked`` only requested jobs are returned.

    Args:
        on_request: further jobs, which are returned only on request.
    """

    def __init__(self, items: list[WarmupJob], *, asked: bool = False, on_request: Iterable[WarmupJob] = ()) -> None:
        self._items, self._on_request = deque(items), list(on_request)
        self._names = {name for item in (*items, *self._on_request) for name in item.names}
        self._wishes: deque[str] = deque()
        self._asked = asked
        self._relaxed = False
        self._more = threading.Condition()

    def wish(self, name: str) -> None:
        with self._more:
            self._wishes.append(name)
            self._more.notify()

    def relax(self) -> None:
        """Stop pausing between jobs to wait for requests; without effect with ``asked``."""
        with self._more:
            self._relaxed = True
            self._more.notify()

    def __iter__(self) -> Iterator[WarmupJob]:
        wait: float | None = None if self._asked else FIRST_IDLE_SECONDS
        while self._items:
            with self._more:
                self._more.wait_for(lambda: self._wishes or (self._relaxed and not self._asked), wait)
                wanted = self._wished()
            if wanted is not None:
                yield wanted
                wait = None if self._asked else IDLE_SECONDS
            elif not self._asked:
                yield self._items.popleft()
                wait = 0.0

    def _wished(self) -> WarmupJob | None:
        while self._wishes:
            name = self._wishes.popleft()
            for items in (self._items, self._on_request):
                for item in items:
                    if name in item.names:
                        items.remove(item)
                        return item
            if self._asked and name not in self._names:
                self._items.clear()  # the end: waiting processes compile it themselves
        return None


def _listen(queue: CompileQueue) -> None:
    for line in sys.stdin:
        if line.strip() == LOWER_PRIORITY:
            queue.relax()
            with contextlib.suppress(AttributeError, OSError):
                # On Linux nice() is for the thread that calls it; the one that compiles is the first, known by our pid.
                os.setpriority(os.PRIO_PROCESS, os.getpid(), 19)
        else:
            queue.wish(line.strip())
    os._exit(0)  # from this thread: the other one may be compiling for seconds


def serve(lane: KernelSet, *, asked: bool) -> int:
    """Compile the kernels of ``lane`` (with ``asked`` requests only), report them, and return the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the terminal is for our parent, who then ends us
    compile_cache.prepare()
    with gc_paused_and_frozen():
        queue = CompileQueue(all_warmup_jobs(lane), asked=asked, on_request=jobs_on_request(lane))
    gc.set_threshold(*GC_THRESHOLDS)
    threading.Thread(target=_listen, args=(queue,), daemon=True).start()

    def report(event: Event) -> None:
        if isinstance(event, Compiled):
            _report_ready()

    for item in queue:
        _perform(item, report)
    if not asked:
        compile_cache.mark_ready(f"{ALL} {lane}")
        _report_ready(f"{ALL} {lane}")
    return 0


def build(folder: Path, level: str, say: Callable[[str], None]) -> Path:
    """Compile every kernel for a level of x86-64 (``wavediff.core.system.cpu_levels``) into ``folder``; return its
    path.

    Args:
        say: see ``compile_all``.

    Raises:
        BackendUnavailable: this machine lacks the level (compiled kernels are also run).
        OSError: the folder cannot be created.
    """
    if not cpu_levels.is_supported(level):
        raise BackendUnavailable(f"kernels for {level} are built on a machine that can run them, which this one cannot")
    place = compile_cache.use_folder(folder, level)
    compile_all(say, card=True)
    compile_cache.make_readable()
    return place


def compile_all(say: Callable[[str], None], *, card: bool | None = None) -> None:
    """Compile every kernel missing from the cache.

    Args:
        say: called with a line for each compiled kernel. card: see ``all_warmup_jobs``.
    """
    jobs = all_warmup_jobs(card=card)
    for number, item in enumerate(jobs, 1):

        def report(event: Event, number: int = number) -> None:
            if isinstance(event, Compiled):
                say(f"{number} of {len(jobs)}: {event.kernel}, {event.seconds:.1f} s")

        _perform(item, report)
    for lane in KernelSet:
        compile_cache.mark_ready(f"{ALL} {lane}")


def _perform(item: WarmupJob, report: Callable[[Event], None]) -> None:
    if item.steps is None:
        run_job(item.job, report=report)
    else:
        for event in item.steps():
            report(event)


def _report_ready(*more: str) -> None:
    ready = {*import_module("wavediff.core.jit.warmup").compiled_names(), *more}
    sys.stdout.write(json.dumps({"ready": sorted(ready)}) + "\n")
    sys.stdout.flush()
