"""Drive one job to its end. The only place that polls cancellation and reports; no thread, no Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.cancel import CancelToken
from core.dispatch import Device, resolve
from core.events import Event
from core.timing import Stopwatch


def ignore(event: Event) -> None:
    """Stand in for ``report`` where nobody listens."""


def run_job(
    job: Any,
    *,
    device: Device = Device.AUTO,
    report: Callable[[Event], None] = ignore,
    cancel: CancelToken | None = None,
) -> Any:
    """Run ``job`` and return its result; its ``KernelTiming`` are reported last.

    Raises:
        Cancelled: ``cancel`` was set; the kernel's generator has been closed.
        BackendUnavailable: the device asked for cannot run this job.
        WavediffError: whatever the job itself met.
    """
    cancel = cancel or CancelToken()
    chosen, run = resolve(job, device)
    watch = Stopwatch(str(chosen))
    steps = run(job)
    try:
        while True:
            cancel.raise_if_cancelled()
            event = next(steps)
            watch.add(event)
            report(event)
    except StopIteration as stop:
        return stop.value
    finally:
        steps.close()
        for timing in watch.timings(job.id):
            report(timing)
