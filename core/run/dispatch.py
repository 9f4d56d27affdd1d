"""Dispatch of jobs: the table of kernels, and the choice between devices."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple, cast

from wavediff.core.base.errors import (
    BackendUnavailable,
    DeviceDefect,
    DeviceError,
    DeviceOutOfMemory,
    DeviceTooSmall,
    SelfCheckFailed,
    WavediffError,
    error_location,
)
from wavediff.core.jit.gc_control import import_frozen
from wavediff.core.jobs.bwt import (
    BwtJob,
    BwtTextJob,
    FindJob,
    IndexJob,
    InverseBwtJob,
    LoadBwtJob,
    LocateRowsJob,
    RowsOfPositionsJob,
)
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.jobs.compression import CompressionJob
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.read import ParseJob, ReadJob, ReadPatternsJob
from wavediff.core.jobs.search import SearchJob
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import KernelModules, PairJob, TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.options import Choice as Chooser
from wavediff.core.methods.options import Option, accepted
from wavediff.core.methods.race_job import RaceJob
from wavediff.core.methods.second import ProofJob, RowsJob
from wavediff.core.methods.window_job import WindowJob
from wavediff.core.run import rates
from wavediff.core.screening.jobs import ChanceJob, OrientJob, PairScreenJob, PartsJob
from wavediff.core.screening.shared_kmers import ScreenJob
from wavediff.core.system.machine import GraphicsCard, cores
from wavediff.gpu.card import sharing

Run = Callable[[Any], Generator[Event, None, Any]]


class DeviceChoice(NamedTuple):
    """Device and kernel that run a job, and why.

    Attributes:
        run: what the module chosen has, to be called with the job.
        why: ``reason``, or what makes it for who asks.
        free: whether there was a choice at all: a GPU kernel for this kind of job.
    """

    device: Device
    run: Run
    why: str | Callable[[], str]
    free: bool = False

    @property
    def reason(self) -> str:
        """Return why that device, a part of a sentence for a person."""
        return self.why if isinstance(self.why, str) else self.why()

    def begin(self, job: Any) -> Generator[Event, None, Any]:
        """Return the steps of ``job``, not begun.

        Raises:
            DeviceTooSmall: it is too long for the kernels of a card.
        """
        long = rates.length_limit_reason(job) if self.device is Device.GPU else None
        if long is not None:
            raise DeviceTooSmall(long)
        return self.run(job)


# One line a job. Modules are named as strings and imported when first used: neither numba nor cupy
# is loaded before the first paint. The two of a line have the same name, signature and results.
KERNELS: dict[rates.Kind, KernelModules] = {
    ReadJob: KernelModules("wavediff.core.reading.run"),
    ParseJob: KernelModules("wavediff.core.reading.paste"),
    ReadPatternsJob: KernelModules("wavediff.core.reading.patterns"),
    **{one.job_type: one.kernel for one in METHODS},
    **{one: one.batch.kernel for one in METHODS if one.batch is not None},
    SearchJob: KernelModules(cpu="wavediff.core.kernels.search.run", gpu="wavediff.gpu.search.run"),
    BwtTextJob: KernelModules("wavediff.core.kernels.bwt.text_run"),
    BwtJob: KernelModules(cpu="wavediff.core.kernels.bwt.run", gpu="wavediff.gpu.bwt.run"),
    InverseBwtJob: KernelModules(cpu="wavediff.core.kernels.bwt.inverse_run", gpu="wavediff.gpu.bwt.inverse"),
    IndexJob: KernelModules(cpu="wavediff.core.kernels.bwt.index", gpu="wavediff.gpu.bwt.index"),
    FindJob: KernelModules("wavediff.core.kernels.bwt.backward_search"),
    LocateRowsJob: KernelModules("wavediff.core.kernels.bwt.locate_rows"),
    RowsOfPositionsJob: KernelModules("wavediff.core.kernels.bwt.rows_of_positions"),
    LoadBwtJob: KernelModules("wavediff.core.reading.bwt"),
    CompressionJob: KernelModules("wavediff.core.kernels.bwt.compression"),
    RaceJob: KernelModules("wavediff.core.run.race_run"),
    ScreenJob: KernelModules("wavediff.core.screening.run"),
    OrientJob: KernelModules("wavediff.core.screening.orient"),
    PartsJob: KernelModules("wavediff.core.screening.parts_run"),
    PairScreenJob: KernelModules("wavediff.core.screening.pair_run"),
    RowsJob: KernelModules("wavediff.core.kernels.pairwise.recompute"),
    ProofJob: KernelModules("wavediff.core.run.prove"),
    ChanceJob: KernelModules("wavediff.core.run.chance"),
    WindowJob: KernelModules("wavediff.core.kernels.window"),
}


def gpu_obstacle(kind: rates.Kind = METHODS[0].job_type) -> str | None:
    """Return in one sentence why the GPU cannot run this kind of job, or None when it can; may wait for a driver."""
    if KERNELS[kind].gpu is None:
        return "no GPU kernel for this method in this version"
    return cast("str | None", _gpu().obstacle())


def graphics_card() -> GraphicsCard | None:
    """Return the card that computes, or would if it had not failed; None where there is none. May wait for a driver."""
    return cast("GraphicsCard | None", _gpu().describe())


def wake_gpu() -> None:
    """Begin to wake the graphics card, for who asks for it by name: it is there sooner, and nobody waits here."""
    _gpu().wake()


def require_device(kind: rates.Kind, wanted: Device) -> None:
    """Refuse a device that runs no job of this kind, before anything is read for one; may wait for a driver.

    Raises:
        BackendUnavailable: the text says why.
    """
    if wanted is Device.GPU and (lack := gpu_obstacle(kind)) is not None:
        raise BackendUnavailable(f"GPU: {lack}")


def preload(job_type: type) -> None:
    """Import what runs jobs of ``job_type`` on the CPU; takes 0.3 s of one thread, with a compiler in it."""
    import_frozen(KERNELS[job_type].cpu)


def _gpu_only(options: Iterable[Option]) -> list[tuple[str, Any, str]]:
    """Return the values that only graphics cards can do: id of the option, value, why."""
    choosers = [one for one in options if isinstance(one, Chooser)]
    return [(one.id, value.value, value.gpu_only) for one in choosers for value in one.values if value.gpu_only]


GPU_ONLY = {one.job_type: _gpu_only(one.options) for one in METHODS}


def why_no_cpu(job: object) -> str | None:
    """Return why the CPU cannot do this job, None where it can; some published kernels are for cards only."""
    if isinstance(job, BatchJob):
        chosen = accepted(job.batch.options, job.options)
        return next((why for id_, value, why in _gpu_only(job.batch.options) if chosen[id_] is value), None)
    if getattr(job, "method", None) is BwtMethod.YAMANAKA:
        return "the kernel of Yamanaka, Ino and Hagihara runs on graphics cards only; the default kernel runs on both"
    return next((why for id_, value, why in GPU_ONLY.get(type(job), ()) if getattr(job, id_, None) is value), None)


def has_cpu_kernel(job: object) -> bool:
    """Return whether the CPU could do this job too."""
    return why_no_cpu(job) is None


def cpu_only_reason(job: object) -> str | None:
    """Return in one sentence why this job of a method with a GPU kernel is for the CPU alone; None where it is not."""
    method = getattr(job, "method", None)
    if method in (BwtMethod.TERNARY, BwtMethod.SAIS, BwtMethod.PACKED):
        return f"{method!s} sorting runs on the CPU only; auto runs on both"
    saved = getattr(job, "saved", None)
    if saved is not None and saved.samples is not None:
        return "a saved index needs no sorting, and the rest of it runs on the CPU only"
    return None


_ASKED_FOR = "asked for"


def resolve(job: object, wanted: Device = Device.AUTO) -> DeviceChoice:
    """Return the device that will run ``job``, and its ``run`` function.

    Raises:
        BackendUnavailable: the device asked for cannot run this job; the text says why.
    """
    if getattr(job, "cluster", None) is not None:  # its workers choose their devices
        run = partial(import_module("wavediff.core.run.cluster.run").run, device=wanted)
        return DeviceChoice(Device.CPU, run, _ASKED_FOR)
    kind = rates.kind_of(job)
    why: str | Callable[[], str] = _ASKED_FOR
    kernel = KERNELS[kind]
    unfit = why_no_cpu(job)
    if unfit is not None:
        if wanted is Device.CPU:
            raise BackendUnavailable(f"CPU: {unfit}")
        wanted = Device.GPU
    confined = None if wanted is Device.CPU else cpu_only_reason(job)
    if wanted is Device.GPU:
        if confined is not None:
            raise BackendUnavailable(f"GPU: {confined}")
        require_device(kind, wanted)
    elif wanted is Device.AUTO and confined is not None:
        why = confined
    elif wanted is Device.AUTO and kernel.gpu is not None:
        wanted, why = _choose_by_cost(job)
    if wanted is Device.GPU and kernel.gpu is not None:
        run = partial(_run_on_card, import_frozen(kernel.gpu))
        return DeviceChoice(wanted, run, _with_cards(job, cast(str, why)), True)
    return DeviceChoice(Device.CPU, cast(Run, import_frozen(kernel.cpu).run), why, kernel.gpu is not None)


def _run_on_card(kernel: Any, job: Any) -> Generator[Event, None, Any]:
    others = (_gpu().others,) if rates.cards_of(job, graphics_card()) > 1 else ()
    return (yield from kernel.run_on(_gpu().card(), job, *others))


def _with_cards(job: Any, reason: str) -> str:
    """Return a reason for the GPU with how many cards do the job; nothing is added where there is one."""
    card = graphics_card()
    if card is None or len(card.devices) == 1:
        return reason
    n, why = len(card.devices), sharing.why_one(job)
    if why is not None:
        return f"{reason}; one of {n:,} cards does it: {why}"
    if isinstance(job, BatchJob | SearchJob):
        return f"{reason}; {n:,} cards share it"
    return f"{reason}; {n:,} cards share it unless a band does"


def estimated_seconds(job: Any, wanted: Device = Device.AUTO) -> float:
    """Return about how long ``job`` will take once its kernels are compiled, without asking any driver."""
    kind = rates.kind_of(job)
    if KERNELS[kind].gpu is not None and (wanted is Device.GPU or not has_cpu_kernel(job)):
        return rates.gpu_seconds(job) + rates.start_seconds(kind, awake="cupy" in sys.modules)
    twice = 2 if getattr(job, "path", None) is TracebackMethod.HIRSCHBERG else 1  # cells are computed again and again
    return twice * rates.cpu_seconds(job)


def _choose_by_cost(job: Any) -> tuple[Device, str | Callable[[], str]]:
    """Choose by size first, so that a small job neither imports CuPy nor wakes a card."""
    kind = rates.kind_of(job)
    known = kind in rates.RATES
    long = rates.length_limit_reason(job)
    if long is not None:
        return Device.CPU, long
    on_cpu = rates.cpu_seconds(job) if known else 0.0
    if known and (
        on_cpu <= rates.GPU_JOB_SECONDS
        or on_cpu <= rates.gpu_seconds(job) + rates.start_seconds(kind, awake="cupy" in sys.modules)
    ):
        return Device.CPU, partial(_speed_reason, job, on_cpu)
    # A driver may take seconds to wake a card: no longer than the CPU would take altogether.
    lack = _gpu().obstacle(on_cpu) if known else gpu_obstacle(kind)
    card = graphics_card() if lack is None else None
    if card is None:
        return Device.CPU, f"no GPU: {lack}"
    if not known:
        return Device.GPU, f"{card.name} can run it"
    on_gpu = rates.gpu_seconds(job, card) + rates.start_seconds(kind, awake=True)
    if on_cpu <= on_gpu:
        return Device.CPU, partial(_speed_reason, job, on_cpu, on_gpu, card.name)
    try:
        free, needed = int(_gpu().free_memory()), rates.gpu_bytes(job)
    except (DeviceError, BackendUnavailable) as error:
        return Device.CPU, f"no GPU: {error!s}"
    if needed > free:
        return Device.CPU, f"the GPU needs {needed / 1e9:.1f} GB, {free / 1e9:.1f} GB are free"
    n_cores = job.threads or cores()
    there = f"{n_cores:,} core" if n_cores == 1 else f"{n_cores:,} cores"
    here, cpu = rates.duration(on_gpu), rates.duration(on_cpu)
    return Device.GPU, f"about {here} on {card.name}, {cpu} on {there}"


def _speed_reason(job: Any, on_cpu: float, on_gpu: float = 0.0, gpu: str = "") -> str:
    """Return that the CPU is faster; of a graphics card something is said only where there is one."""
    if isinstance(job, rates.Transformed):
        n = rates.letters(job)
        size = f"{n:,} letter" if n == 1 else f"{n:,} letters"
    elif isinstance(job, SearchJob):
        patterns, n = len(job.patterns), int(job.text.size)
        size = f"{patterns:,} pattern in {n:,} letters" if patterns == 1 else f"{patterns:,} patterns in {n:,} letters"
    elif isinstance(job, BatchJob):
        size = f"{job.n_pairs:,} pair" if job.n_pairs == 1 else f"{job.n_pairs:,} pairs"
    else:
        size = f"{int(job.a.size):,} × {int(job.b.size):,}"
    if not gpu:
        return f"faster for this size ({size}): {rates.duration(on_cpu)}"
    there, card = rates.duration(on_cpu), rates.duration(on_gpu)
    return f"faster for this size ({size}): {there}, {card} on {gpu}"


_KERNEL_NAMES: dict[type, str] = {BatchJob: "pairs", SearchJob: "scan"}


def kernel_of(job: object) -> str:
    """Return the name of the kernel whose steps tell of a job's cells."""
    return _KERNEL_NAMES.get(type(job), "blocks")


def record_measurement(job: object, device: Device, cells: int, seconds: float) -> None:
    """Take note of what a job that ended took inside its kernels: the next choice knows better."""
    if getattr(job, "cluster", None) is not None:
        return  # it says nothing of this computer
    if device is Device.CPU and isinstance(job, PairJob) and cells < rates.MIN_MEASURED_CELLS:
        return  # nor does a small one of its speed, as those of a card tell that the kernels are there
    if KERNELS[rates.kind_of(job)].gpu is not None and has_cpu_kernel(job):  # a paper's kernel says nothing of ours
        rates.record_rate(job, device, cells, seconds, graphics_card() if device is Device.GPU else None)


def gpu_failure(error: Exception) -> DeviceError | None:
    """Return what ended a job on the GPU, None where the CPU would end it too: what was asked for cannot be done.

    The card is not used again by this process, unless the job was only too large or its program there has a defect.
    """
    failure = cast("DeviceError | None", import_module("wavediff.gpu.card.failures").translated(error))
    if isinstance(error, SelfCheckFailed):
        failure = DeviceError(f"it computed something wrong: {error}")
    elif failure is None and isinstance(error, MemoryError):
        failure = DeviceTooSmall("the memory beside the GPU did not do for this job")
    elif failure is None and not isinstance(error, WavediffError):
        failure = DeviceDefect(error_location(error))
    if failure is not None and not isinstance(failure, DeviceOutOfMemory | DeviceDefect):
        _gpu().mark_failed(str(failure))
    return failure


def fallback_notice(failure: DeviceError) -> str:
    """Return in a sentence that a job goes on with the CPU, and why."""
    if isinstance(failure, DeviceDefect):
        return f"The program for the GPU has a defect ({failure}); the CPU does this job"
    if isinstance(failure, DeviceTooSmall):
        text = str(failure)
        return f"{f'{text[:1].upper()}{text[1:]}'}; the CPU does it"
    if isinstance(failure, DeviceOutOfMemory):
        return f"The GPU has no room for this job ({failure}); the CPU does it"
    return f"The GPU failed ({failure}) and is not used again until the program is restarted; the CPU does this job"


def release_gpu() -> None:
    """Give memory of the card that nothing uses back to the driver."""
    _gpu().release()


def _gpu() -> Any:
    return import_module("wavediff.gpu.card.current_card")
