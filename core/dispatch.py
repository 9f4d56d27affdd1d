"""Which implementation runs a job: the table of kernels, and the choice between devices."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any, cast

from core.bwt_jobs import BwtJob, FindJob, IndexJob, InverseBwtJob, LoadBwtJob, RowsJob, TextJob
from core.errors import BackendUnavailable
from core.events import Event
from core.jobs import (
    BatchJob,
    EditJob,
    LcsJob,
    LcsKernel,
    ParseJob,
    ReadJob,
    ReadPatternsJob,
    SearchJob,
    SwapEditJob,
)
from core.lasting import load

Run = Callable[[Any], Generator[Event, None, Any]]


class Device(StrEnum):
    AUTO = "auto"
    CPU = "cpu"
    GPU = "gpu"


@dataclass(frozen=True, slots=True)
class Kernel:
    """Modules that export ``run(job)``; None where there is no such twin."""

    cpu: str
    gpu: str | None


# One line a job. Modules are named as strings and imported when first used: neither numba nor cupy
# is loaded before the first paint. The two of a line have the same name, signature and results.
KERNELS: dict[type, Kernel] = {
    ReadJob: Kernel(cpu="core.reading.run", gpu=None),
    ParseJob: Kernel(cpu="core.reading.paste", gpu=None),
    ReadPatternsJob: Kernel(cpu="core.reading.patterns", gpu=None),
    LcsJob: Kernel(cpu="core.kernels.lcs.run", gpu=None),
    EditJob: Kernel(cpu="core.kernels.edit.run", gpu=None),
    SearchJob: Kernel(cpu="core.kernels.search.run", gpu=None),
    SwapEditJob: Kernel(cpu="core.kernels.swap_edit.run", gpu=None),
    TextJob: Kernel(cpu="core.kernels.bwt.text", gpu=None),
    BwtJob: Kernel(cpu="core.kernels.bwt.run", gpu=None),
    InverseBwtJob: Kernel(cpu="core.kernels.bwt.inverse", gpu=None),
    IndexJob: Kernel(cpu="core.kernels.bwt.index", gpu=None),
    FindJob: Kernel(cpu="core.kernels.bwt.find", gpu=None),
    RowsJob: Kernel(cpu="core.kernels.bwt.locate", gpu=None),
    LoadBwtJob: Kernel(cpu="core.reading.bwt", gpu=None),
    BatchJob: Kernel(cpu="core.kernels.batch.run", gpu=None),
}


def why_no_gpu(job_type: type = LcsJob) -> str | None:
    """Return in one sentence why the GPU cannot run this kind of job, or None when it can."""
    kernel = KERNELS[job_type]
    if kernel.gpu is None:
        return "no GPU kernel for this method in this version"
    return cast("str | None", import_module("gpu.device").why_not())


def preload(job_type: type) -> None:
    """Import what runs jobs of ``job_type`` on the CPU; takes 0.3 s of one thread, with a compiler in it."""
    load(KERNELS[job_type].cpu)


def resolve(job: object, wanted: Device = Device.AUTO) -> tuple[Device, Run]:
    """Return the device that will run ``job``, and its ``run`` function.

    Raises:
        BackendUnavailable: the device asked for cannot run this job; the text says why.
    """
    kernel = KERNELS[type(job)]
    if getattr(job, "kernel", None) is LcsKernel.PAPER:
        if wanted is Device.CPU:
            raise BackendUnavailable(
                "CPU: the kernel of paper 1 runs on graphics cards only; the default kernel runs on both"
            )
        wanted = Device.GPU
    if wanted is Device.AUTO:
        wanted = Device.CPU if kernel.gpu is None or why_no_gpu(type(job)) else Device.GPU
    if wanted is Device.GPU:
        reason = why_no_gpu(type(job))
        if reason is not None or kernel.gpu is None:
            raise BackendUnavailable(f"GPU: {reason}")
        return wanted, cast(Run, load(kernel.gpu).run)
    return wanted, cast(Run, load(kernel.cpu).run)
