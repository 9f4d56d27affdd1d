"""Running of one job for a script, with progress callback and cancellation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, KernelTiming, Planned, Progress, Recorded, StepDone
from wavediff.core.jobs.time_left import PLANNED
from wavediff.core.run.runner import run_job

Progressed = Callable[[float, str], object]  # the share that is done, 0 to 1, and the stage; a true answer cancels


def require_one_of(name: str, value: object, offered: Iterable[str]) -> None:
    if value not in (values := [str(each) for each in offered]):
        raise WavediffError(f"{name}={value!r}: {', '.join(values[:-1])} or {values[-1]} is expected")


def require_threads(threads: object) -> None:
    if not isinstance(threads, int) or threads < 0:
        raise WavediffError(f"threads={threads!r}: expected a whole number; 0 means all cores")


def run(
    job: Any,
    *,
    device: str = "auto",
    progress: Progressed | None = None,
    cancel: CancelToken | None = None,
    record: list[Recorded | KernelTiming] | None = None,
) -> Any:
    """Run ``job`` and return its result.

    Args:
        device: ``auto``, ``cpu`` or ``gpu``.
        cancel: event that ends the run, set by another thread.
        record: receives the times of the run and of each kernel.

    Raises:
        Cancelled: by ``progress`` or ``cancel``. WavediffError: unknown device, or too many threads.
    """
    require_threads(job.threads)
    require_one_of("device", device, Device)
    token, done, total = cancel or CancelToken(), 0, 0

    def report(event: Event) -> None:
        nonlocal done, total
        if record is not None and isinstance(event, Recorded | KernelTiming):
            record.append(event)
        if progress is None or not isinstance(event, Planned | StepDone | Progress):
            return
        if isinstance(event, Planned):
            done, total, stage = 0, event.cells, event.strategy
        elif isinstance(event, StepDone):
            done, stage = done + event.cells * (event.kernel in PLANNED), event.kernel
        else:
            done, total, stage = event.done, event.total, event.stage
        if progress(min(1.0, done / total) if total else 0.0, stage):
            token.cancel()

    if progress is None and record is None:
        return run_job(job, device=Device(device), cancel=token)
    return run_job(job, device=Device(device), report=report, cancel=token)
