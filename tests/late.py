"""Late answers: what a thread hands to the window comes up to some seconds later, as on a machine that is busy.

A test that passes with ``WAVEDIFF_LATE_SECONDS=0.5`` counts on no answer being there when another one is.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

VARIABLE = "WAVEDIFF_LATE_SECONDS"


def make_late() -> None:
    """Delay answers of ``BackgroundTask`` and of jobs, each by a time drawn up to the variable; else do nothing."""
    longest_seconds = float(os.environ.get(VARIABLE) or 0)
    if longest_seconds:
        _delay(longest_seconds)


def _delay(longest_seconds: float) -> None:
    from wavediff.app.ui.background_task import BackgroundTask
    from wavediff.app.window.cache_tasks import CacheTasks
    from wavediff.core.run import worker

    def wait(cancel: Any = None) -> None:
        end = time.monotonic() + random.uniform(0, longest_seconds)
        while time.monotonic() < end and not (cancel is not None and cancel.cancelled):
            time.sleep(0.005)

    def late(call: Callable[..., Any], cancel: Any = None, /, *words: Any, **named: Any) -> Any:
        try:
            return call(*words, **named)
        finally:
            wait(cancel)

    def begin(task: BackgroundTask, call: Callable[..., Any]) -> None:
        start(task, lambda cancel: late(call, cancel, cancel))

    def run(job: Any, *, report: Callable[[Any], None], cancel: Any, **named: Any) -> Any:
        told = []

        def tell(event: Any) -> None:
            if not told:  # one event for all: a job has thousands
                wait(cancel)
                told.append(event)
            report(event)

        return late(run_job, cancel, job, report=tell, cancel=cancel, **named)

    def make_ready(tasks: CacheTasks) -> None:
        wait()
        prepare(tasks)

    start, run_job, prepare = BackgroundTask.start, worker.run_job, CacheTasks._prepare
    BackgroundTask.start = begin  # type: ignore[method-assign]
    worker.run_job = run
    worker.gpu_obstacle = partial(late, worker.gpu_obstacle, None)
    CacheTasks._prepare = make_ready  # type: ignore[method-assign]
