"""Jobs in tests: on each device, with what they report, stopped on the way."""

from collections.abc import Generator
from typing import Any

import pytest

from tests.core.threads import of_jobs as threads_of_jobs
from wavediff.core.base.errors import Cancelled
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Recorded, StepDone, pass_on, run_to_end
from wavediff.core.run.dispatch import gpu_obstacle
from wavediff.core.run.runner import run_job


def each_device(kind: Any) -> pytest.MarkDecorator:
    """Return the parameter ``device`` for jobs of a kind: the CPU, and the graphics card where there is one."""
    why = gpu_obstacle(kind)
    marks = (pytest.mark.gpu, pytest.mark.skipif(why is not None, reason=f"{why}"))
    return pytest.mark.parametrize("device", [Device.CPU, pytest.param(Device.GPU, marks=marks)], ids=str)


def watched(steps: Generator[Any, None, Any]) -> tuple[list[Any], Any]:
    """Return what a generator yields, and what it returns."""
    seen: list[Any] = []
    return seen, run_to_end(pass_on(steps, seen.append))


def steps_of(events: list[Any], kernel: str = "blocks") -> list[StepDone]:
    return [each for each in events if isinstance(each, StepDone) and each.kernel == kernel]


def stopped(job: Any, kernel: str = "", after: int = 1, **how: Any) -> list[Any]:
    """Stop a job at a report of ``kernel``, any where it has no name; return what it told. No thread of it is left."""
    token, told, met = CancelToken(), list[Any](), list[StepDone]()

    def report(event: Any) -> None:
        told.append(event)
        if isinstance(event, StepDone) and kernel in ("", event.kernel):
            met.append(event)
            if len(met) == after:
                token.cancel()

    with pytest.raises(Cancelled):
        run_job(job, report=report, cancel=token, **how)
    assert not threads_of_jobs()
    return told


def record_of(job: Any, stop_after: int = 0) -> Recorded:
    """Run a job on the CPU, or stop it after so many reports of blocks; return its one record."""
    told: list[Any] = []
    if stop_after:
        told = stopped(job, "blocks", stop_after, device=Device.CPU)
    else:
        run_job(job, device=Device.CPU, report=told.append)
    (found,) = (each for each in told if isinstance(each, Recorded))
    return found
