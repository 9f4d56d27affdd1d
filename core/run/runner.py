"""Runs one job to its end: polls cancellation and reports events; no thread, no Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wavediff.core.base.errors import Cancelled, DeviceDefect, DeviceTooSmall
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import DeviceChosen, Event, EventTotals, NoticeRaised, pass_on, run_to_end
from wavediff.core.record.playback import RunLog
from wavediff.core.run.dispatch import DeviceChoice, fallback_notice, gpu_failure, record_measurement, resolve
from wavediff.core.run.graphics_cards import graphics_cards
from wavediff.core.run.rates import memory_warning
from wavediff.core.sequences.letter_rules import LetterRule

Report = Callable[[Event], None]


def ignore_event(event: Event) -> None:
    """No-op event callback."""


def run_job(
    job: Any, *, device: Device = Device.AUTO, report: Report = ignore_event, cancel: CancelToken | None = None
) -> Any:
    """Run ``job`` and return its result; ``Recorded`` and ``KernelTiming`` are reported last.

    A job that fails on a graphics card restarts on the CPU with a ``NoticeRaised``, also if the GPU was requested; its
    result names the device.

    Raises:
        Cancelled: ``cancel`` was set; the kernel's generator has been closed.
        BackendUnavailable: the requested device cannot run this job.
        DeviceError: the graphics card failed with a card-only job.
        WavediffError: of the job itself.
    """
    cancel = cancel or CancelToken()
    choice = resolve(job, device)
    try:
        return _drive(job, choice, report, cancel)
    except Cancelled:
        raise
    except Exception as error:
        failure = gpu_failure(error) if choice.device is Device.GPU else None
        if failure is None or (isinstance(failure, DeviceDefect) and job.cpu_obstacle is not None):
            raise
        if job.cpu_obstacle is not None:
            raise failure from None
    cancel.raise_if_cancelled()
    # The error, and its frames with arrays on the card, is released by now.
    graphics_cards().release()
    report(NoticeRaised(job.id, fallback_notice(failure)))
    choice = resolve(job, Device.CPU)
    reason = failure.args[0] if isinstance(failure, DeviceTooSmall) else "the GPU failed"
    return _drive(job, choice._replace(why=reason), report, cancel)


def _drive(job: Any, choice: DeviceChoice, report: Report, cancel: CancelToken) -> Any:
    watch = EventTotals(str(choice.device))
    log = None if report is ignore_event else RunLog(str(choice.device))
    if choice.free and log is not None:
        report(DeviceChosen(job.id, str(choice.device), choice.reason))
    steps = choice.begin(job)
    try:
        large = memory_warning(job) if choice.device is Device.CPU else None
        if large is not None:
            report(large)
        while True:
            cancel.raise_if_cancelled()
            event = next(steps)
            if event.job_id == job.id:  # a race also shows what its kernels' jobs tell
                watch.add(event)
                if log is not None:
                    log.add(event)
            report(event)
    except StopIteration as stop:
        cells, seconds = watch.total(job.timed_kernel)
        # Cells of a band have another speed than those of a matrix, on which the choice is based.
        banded = getattr(stop.value, "strategy", "") == "band"
        record_measurement(job, choice.device, 0 if banded else cells, seconds)
        return _with_codes(job, stop.value, cancel)
    finally:
        steps.close()
        if log is not None:
            report(log.recorded(job.id))
            for timing in watch.timings(job.id):
                report(timing)


def _with_codes(job: Any, result: Any, cancel: CancelToken) -> Any:
    if getattr(job, "codes", LetterRule.LITERAL) is LetterRule.LITERAL or result.alignment is None:
        return result
    from wavediff.core.jobs.code_columns import columns_of

    steps = pass_on(columns_of(job, result), lambda _: cancel.raise_if_cancelled())
    return replace(result, codes=run_to_end(steps))
