"""Selection of the device and the module for a job."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple, Protocol, cast

from wavediff.core.base.errors import (
    BackendUnavailable,
    DeviceDefect,
    DeviceError,
    DeviceOutOfMemory,
    DeviceTooSmall,
    SelfCheckFailed,
    WavediffError,
    capitalized,
    count_noun,
    error_location,
)
from wavediff.core.base.numbers import duration
from wavediff.core.jit import background_compile, compile_cache
from wavediff.core.jit.gc_control import import_frozen
from wavediff.core.jit.warmup import variant
from wavediff.core.jobs import Job, KernelModules, ShortKernel
from wavediff.core.jobs.choices import Device, gpu_unused
from wavediff.core.jobs.events import REHEARSAL, Event, run_to_end
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import PairJob
from wavediff.core.run import rates
from wavediff.core.run.graphics_cards import graphics_cards
from wavediff.core.system.machine import cores

Run = Callable[[Any], Generator[Event, None, Any]]
OneCall = Callable[[Any, Any, bool, bool, bool], tuple[int, Any, Any]]  # see ``core/kernels/pairwise/short_pair.py``


class Runnable(Protocol):
    """Anything a device can run: a job, a class of jobs, or the batches of a method."""

    @property
    def modules(self) -> KernelModules: ...


class DeviceChoice(NamedTuple):
    """Selected device and kernel, with the reason.

    Attributes:
        run: function of the chosen module, called with the job.
        why: the text of ``reason``, or a function that returns it.
        free: whether CPU and GPU could be chosen, i.e. whether a GPU kernel exists for this kind of job.
    """

    device: Device
    run: Run
    why: str | Callable[[], str]
    free: bool = False

    @property
    def reason(self) -> str:
        """Return the reason for the device as a clause."""
        return self.why if isinstance(self.why, str) else self.why()

    def begin(self, job: Job) -> Generator[Event, None, Any]:
        """Return the generator of ``job``, not started.

        Raises:
            DeviceTooSmall: unsupported letters, or too many.
        """
        long = job.card_limit_reason if self.device is Device.GPU else None
        if long is not None:
            raise DeviceTooSmall(long)
        return self.run(job)


def gpu_obstacle(kind: Runnable = METHODS[0].job_type) -> str | None:
    """Return why the GPU cannot run this kind of job, or None; may wait for the driver."""
    if kind.modules.gpu is None:
        return "no GPU kernel for this method in this version"
    return graphics_cards().obstacle()


def require_device(kind: Runnable, wanted: Device) -> None:
    """Raise an error if the device cannot run this kind of job, before reading input; may wait for the driver.

    Raises:
        BackendUnavailable: with the reason.
    """
    if wanted is Device.GPU and (lack := gpu_obstacle(kind)) is not None:
        raise BackendUnavailable(gpu_unused(lack))


def preload(job_type: type[Job]) -> None:
    import_frozen(job_type.modules.cpu)


_ASKED_FOR = "asked for"
_COMPILER = "llvmlite"  # links cached kernels
LOAD_LETTERS = 1 << 15  # letters of short jobs computed uncompiled in the time of loading kernels
COMPILE_LETTERS = 1 << 24  # the same if kernels must be compiled first
_uncompiled_letters = 0
_one_calls: dict[ShortKernel, OneCall | int] = {}  # letters of the pairs before it was loaded


def runs_uncompiled(job: Job) -> bool:
    """Return whether plain Python finishes ``job`` before its kernels are compiled."""
    kernel = job.modules.uncompiled
    if kernel is None or not job.is_short:
        return False
    if _COMPILER not in sys.modules:
        return not _pays(kernel, _uncompiled_letters)
    letters = cast(PairJob, job).a
    missing = [name for name in kernel.compiled if not background_compile.is_available(str(variant(name, letters)))]
    return bool(missing)  # each is compiled for the next pair


def _pays(kernel: ShortKernel, n_letters: int) -> bool:
    # Whether they are kept is not looked up before it matters.
    return n_letters > (LOAD_LETTERS if n_letters > LOAD_LETTERS and _is_kept(kernel) else COMPILE_LETTERS)


@cache
def _is_kept(kernel: ShortKernel) -> bool:
    return compile_cache.ready().issuperset(kernel.compiled)


def _cpu_run(job: Job, *, compiled: bool) -> Run:
    global _uncompiled_letters
    kernel = job.modules.uncompiled
    if compiled or kernel is None or not runs_uncompiled(job):
        return cast(Run, import_frozen(job.modules.cpu).run)
    _uncompiled_letters += job.n_letters
    return cast(Run, getattr(import_frozen(kernel.module), kernel.function))


def in_one_call(kernel: ShortKernel, n_letters: int) -> OneCall | None:
    """Return the kernel's function if the letters of earlier calls repay loading it, else None; count ``n_letters``."""
    one_call = _one_calls.get(kernel, 0)
    if isinstance(one_call, int):
        _one_calls[kernel] = one_call + n_letters
        if not _pays(kernel, one_call):
            return None
        module = import_frozen(kernel.module)
        run_to_end(module.make_ready(REHEARSAL))
        one_call = _one_calls[kernel] = cast(OneCall, getattr(module, kernel.function))
    return one_call


def resolve(job: Job, wanted: Device = Device.AUTO, *, compiled: bool = False) -> DeviceChoice:
    """Return the device for ``job`` and its ``run`` function.

    Args:
        compiled: use compiled kernels, even if they must be compiled first, to measure their speed.

    Raises:
        BackendUnavailable: the requested device cannot run this job, with the reason.
    """
    if job.cluster is not None:  # its workers choose their devices
        run = partial(import_module("wavediff.core.run.cluster.run").run, device=wanted)
        return DeviceChoice(Device.CPU, run, _ASKED_FOR)
    why: str | Callable[[], str] = _ASKED_FOR
    gpu = job.modules.gpu
    unfit = job.cpu_obstacle
    if unfit is not None:
        if wanted is Device.CPU:
            raise BackendUnavailable(f"CPU: {unfit}")
        wanted = Device.GPU
    confined = None if wanted is Device.CPU else job.gpu_obstacle
    if wanted is Device.GPU:
        if confined is not None:
            raise BackendUnavailable(gpu_unused(confined))
        require_device(job, wanted)
    elif wanted is Device.AUTO and confined is not None:
        why = confined
    elif wanted is Device.AUTO and gpu is not None:
        wanted, why = _choose_by_cost(job)
    if wanted is Device.GPU and gpu is not None:
        return DeviceChoice(wanted, partial(_run_on_card, import_frozen(gpu)), _with_cards(job, cast(str, why)), True)
    return DeviceChoice(Device.CPU, _cpu_run(job, compiled=compiled), why, gpu is not None)


def _run_on_card(kernel: Any, job: Job) -> Generator[Event, None, Any]:
    cards = graphics_cards()
    others = (cards.others,) if rates.cards_of(job, cards.describe()) > 1 else ()
    return (yield from kernel.run_on(cards.card(), job, *others))


def _with_cards(job: Job, reason: str) -> str:
    card = graphics_cards().describe()
    if card is None or len(card.devices) == 1:
        return reason
    n, why = len(card.devices), job.single_card_reason
    if why is not None:
        return f"{reason}; one of {n:,} cards runs it: {why}"
    return f"{reason}; {n:,} cards {job.several_cards}"


def estimated_seconds(job: Job, wanted: Device = Device.AUTO) -> float:
    """Return the estimated seconds for ``job`` with compiled kernels, without querying any driver."""
    if job.modules.gpu is not None and (wanted is Device.GPU or job.cpu_obstacle is not None):
        return rates.gpu_seconds(job) + rates.start_seconds(job, awake="cupy" in sys.modules)
    return job.passes * rates.cpu_seconds(job)


def _choose_by_cost(job: Job) -> tuple[Device, str | Callable[[], str]]:
    """Pick the device by size first; small jobs never import CuPy."""
    known = job.rates is not None
    on_cpu = rates.cpu_seconds(job) if known else 0.0
    if known and (
        on_cpu <= rates.GPU_JOB_SECONDS
        or on_cpu <= rates.gpu_seconds(job) + rates.start_seconds(job, awake="cupy" in sys.modules)
    ):
        return Device.CPU, partial(_speed_reason, job, on_cpu)
    # A driver may take seconds to wake a card: wait no longer than the CPU would need for the job.
    cards = graphics_cards()
    lack = cards.obstacle(on_cpu) if known else cards.obstacle()
    card = cards.describe() if lack is None else None
    if card is None:
        return Device.CPU, gpu_unused(str(lack))
    if (limit := job.card_limit_reason) is not None:
        return Device.CPU, limit
    if not known:
        return Device.GPU, f"{card.name} can run it"
    on_gpu = rates.gpu_seconds(job, card) + rates.start_seconds(job, awake=True)
    if on_cpu <= on_gpu:
        return Device.CPU, partial(_speed_reason, job, on_cpu, on_gpu, card.name)
    try:
        free, needed = int(cards.free_memory()), job.card_bytes
    except (DeviceError, BackendUnavailable) as error:
        return Device.CPU, gpu_unused(str(error))
    if needed > free:
        return Device.CPU, f"the GPU needs {needed / 1e9:.1f} GB, {free / 1e9:.1f} GB are free"
    there = count_noun(job.threads or cores(), "core")
    return Device.GPU, f"about {duration(on_gpu)} on {card.name}, {duration(on_cpu)} on {there}"


def _speed_reason(job: Job, on_cpu: float, on_gpu: float = 0.0, gpu: str = "") -> str:
    text = f"faster for this size ({job.size}): {duration(on_cpu)}"
    return f"{text}, {duration(on_gpu)} on {gpu}" if gpu else text


def record_measurement(job: Job, device: Device, cells: int, seconds: float) -> None:
    """Record the kernel time of a finished job, to refine later choices."""
    if job.cluster is not None or job.modules.gpu is None or job.rates is None:
        return  # not measured on this computer, or there is no choice
    if job.cpu_obstacle is None:  # a paper's kernel does not show the speed of ours
        rates.record_rate(job, device, cells, seconds, graphics_cards().describe() if device is Device.GPU else None)


def gpu_failure(error: Exception) -> DeviceError | None:
    """Return the GPU error of a job; None for errors that would occur on the CPU too.

    The process stops using the card, unless the job was only too large or its GPU program has a defect.
    """
    failure = graphics_cards().translated(error)
    if isinstance(error, SelfCheckFailed):
        failure = DeviceError(f"it computed a wrong result: {error}")
    elif failure is None and isinstance(error, MemoryError):
        failure = DeviceTooSmall("the main memory is too small for this job on the GPU")
    elif failure is None and not isinstance(error, WavediffError):
        failure = DeviceDefect(error_location(error))
    if failure is not None and not isinstance(failure, DeviceOutOfMemory | DeviceDefect):
        graphics_cards().mark_failed(str(failure))
    return failure


def fallback_notice(failure: DeviceError) -> str:
    """Return the notice that a job continues on the CPU, with the reason."""
    if isinstance(failure, DeviceDefect):
        return f"The GPU program has a bug ({failure}); the CPU runs this job"
    if isinstance(failure, DeviceTooSmall):
        return f"{capitalized(str(failure))}; the CPU runs it"
    if isinstance(failure, DeviceOutOfMemory):
        return f"Too little GPU memory for this job ({failure}); the CPU runs it"
    return f"The GPU failed ({failure}) and is not used again until the program is restarted; the CPU runs this job"
