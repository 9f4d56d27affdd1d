"""Time and memory that jobs take."""

from __future__ import annotations

import threading
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from math import exp, log
from typing import Any, NamedTuple

from wavediff.core.jobs import Job
from wavediff.core.jobs.events import MemoryForecast
from wavediff.core.methods import method_of
from wavediff.core.methods.base import PairJob, TracebackMethod
from wavediff.core.methods.options import Choice, Value
from wavediff.core.system.machine import GraphicsCard, available_memory, cores

WARN_BYTES = 10**9  # what is more is reported, or
WARN_FREE_SHARE = 0.1  # of what is free
NEVER_WARN_BYTES = 1 << 28  # that no one needs to know of, whatever is free


class MemoryEstimate(NamedTuple):
    """Bytes that a job takes at its worst moment, on the CPU; from ``least`` for letters that are all alike to ``most``
    for such as have nothing in common."""

    least: int
    most: int


def memory_warning(job: Job) -> MemoryForecast | None:
    """Return what is worth to be told of the memory of ``job`` before it begins, if anything is."""
    if job.memory_is_small:
        return None
    memory = estimate_memory(job)
    if memory is None or memory.most <= NEVER_WARN_BYTES:
        return None
    free = available_memory()
    if memory.most <= min(WARN_BYTES, WARN_FREE_SHARE * free):
        return None
    return MemoryForecast(job.id, memory.least, memory.most, free)


def estimate_memory(job: Job) -> MemoryEstimate | None:
    """Return what ``job`` takes on the CPU, None where nothing is known; its module must be loaded already."""
    memory = getattr(import_module(job.modules.cpu), "memory", None)
    if memory is None:
        return None
    needed = memory(job)
    return MemoryEstimate(*needed) if isinstance(needed, tuple) else MemoryEstimate(needed, needed)


def lean_traceback(job: PairJob | None) -> tuple[Value, int] | None:
    """Return the traceback with which ``job`` takes at most half the memory, and the bytes; None where none does.

    One that gives an alignment comes first.
    """
    now = None if job is None else estimate_memory(job)
    if job is None or now is None:
        return None
    option = method_of(job).option("traceback")
    for path in (TracebackMethod.HIRSCHBERG, TracebackMethod.NONE):
        entry = option.entry(path) if isinstance(option, Choice) else None
        if entry is not None and path is not job.path:
            memory = estimate_memory(replace(job, path=path))
            if memory is not None and memory.most <= now.most / 2:
                return entry, memory.most
    return None


GPU_JOB_SECONDS = 4e-3  # seconds a job costs on a graphics card regardless of its size: uploads, launches, waiting
KERNEL_LOAD_SECONDS = 0.5  # seconds for the kernels of a method to come to the card, the first time in a process
DRIVER_WAKE_SECONDS = 1.0  # seconds to import CuPy and to wake the driver
MIN_MEASURED_CELLS = 1 << 30  # cells; smaller runs measure the way to the kernel and not the kernel
CHAIN_SECONDS, CHAIN_POWER = 5e-3, 0.38
"""Threads of a matrix whose blocks follow each other: so many times what one core takes over these seconds, to this
power. Fitted, as the curves of cards are, to pairs of 30,000 to 1,000,000 letters at 15 % and at random, edit distance
and LCS, on 16 cores of an Intel Xeon and an NVIDIA H200 (BENCHMARKS.md, Choice of the device)."""
_TABLED_CARD = 132 * 1.98e9  # multiprocessors times their clock

_lock = threading.Lock()
_measured: dict[tuple[Any, str], float] = {}  # (kind of job, device) -> measured rate over the tabled one


def cpu_seconds(job: Job) -> float:
    """Return the seconds on the cores that the job may have; what a job costs whatever its size is under 0.1 ms."""
    return job.cpu_cells / _cpu_rate(job, job.cpu_cells)


def gpu_seconds(job: Job, card: GraphicsCard | None = None) -> float:
    """Return the seconds on ``card``, or on the fastest one known; kernels that are not there yet are not counted."""
    n = job.n_cells
    return job.on_card(max(GPU_JOB_SECONDS, n / _gpu_rate(job, n, card) / cards_of(job, card)))


def cards_of(job: Job, card: GraphicsCard | None) -> int:
    """Return how many cards of the kind of ``card`` have a part in a job."""
    n = 1 if card is None else len(card.devices)
    return n if n > 1 and job.single_card_reason is None else 1


def start_seconds(job: Job, *, awake: bool) -> float:
    """Return what comes before the first such job on the card: ``awake`` once CuPy is imported."""
    with _lock:
        loaded = (job.kind, "gpu") in _measured
    return 0.0 if loaded else KERNEL_LOAD_SECONDS + (0.0 if awake else DRIVER_WAKE_SECONDS)


def record_rate(job: Job, device: str, n_cells: float, seconds: float, card: GraphicsCard | None = None) -> None:
    """Take note that ``n_cells`` of ``job`` took ``seconds`` inside its kernels on ``device`` (``cpu`` or
    ``gpu``)."""
    n_cells = job.rated_cells(n_cells, device)
    if device == "cpu" and n_cells < MIN_MEASURED_CELLS:
        return  # those of a card tell that its kernels are there
    key = job.kind, device
    with _lock:
        old = _measured.setdefault(key, 1.0)
    if n_cells < MIN_MEASURED_CELLS or seconds <= 0:
        return
    on_card = _gpu_rate(job, n_cells, card) * cards_of(job, card)
    tabled = (on_card if device == "gpu" else _cpu_rate(job, n_cells)) / old
    with _lock:
        _measured[key] = n_cells / seconds / tabled


def forget() -> None:
    """Forget what was measured."""
    with _lock:
        _measured.clear()


def _cpu_rate(job: Job, n_cells: float) -> float:
    assert job.rates is not None
    threads: float = job.rated_threads or cores()
    if job.rates.chained:
        alone = n_cells / job.rates.core
        threads = min(threads, max(1.0, (alone / CHAIN_SECONDS) ** CHAIN_POWER))
    return job.rates.core * threads * _measured.get((job.kind, "cpu"), 1.0)


def _gpu_rate(job: Job, n_cells: float, card: GraphicsCard | None) -> float:
    assert job.rates is not None
    share = 1.0 if card is None else card.processors * card.hertz / _TABLED_CARD
    curve = job.rates.card
    # A card with fewer processors is filled by smaller matrices: what it lacks, it lacks at the upper end.
    rate = min(_at(curve, n_cells), curve[-1][1] * share)
    return rate * _measured.get((job.kind, "gpu"), 1.0)


def _at(curve: tuple[tuple[float, float], ...], x: float) -> float:
    """Interpolate between points on logarithmic axes; constant beyond both ends."""
    for (x0, y0), (x1, y1) in pairwise(curve):
        if x < x1:
            part = max(0.0, log(max(x, 1.0) / x0) / log(x1 / x0))
            return exp(log(y0) + part * log(y1 / y0))
    return curve[-1][1]
