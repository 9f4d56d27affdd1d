"""Estimates of time and memory for jobs."""

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
NEVER_WARN_BYTES = 1 << 28  # never worth a warning


class MemoryEstimate(NamedTuple):
    """Peak CPU memory of a job in bytes: ``least`` for equal sequences, ``most`` for unrelated ones."""

    least: int
    most: int


def memory_warning(job: Job) -> MemoryForecast | None:
    """Return the memory forecast of ``job`` if it deserves a warning, else None."""
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
    """Return the CPU memory of ``job``, or None if unknown; its module must be loaded."""
    memory = getattr(import_module(job.modules.cpu), "memory", None)
    if memory is None:
        return None
    needed = memory(job)
    return MemoryEstimate(*needed) if isinstance(needed, tuple) else MemoryEstimate(needed, needed)


def lean_traceback(job: PairJob | None) -> tuple[Value, int] | None:
    """Return a traceback option that at least halves the memory of ``job``, and that memory in bytes, or None.

    Hirschberg's recursion, which finds the alignment, is tried before no traceback.
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
KERNEL_LOAD_SECONDS = 0.5  # seconds to load the kernels of a method onto the card, once per process
DRIVER_WAKE_SECONDS = 1.0  # seconds to import CuPy and to wake the driver
MIN_MEASURED_CELLS = 1 << 30  # cells; smaller runs measure the overhead, not the kernel
CHAIN_SECONDS, CHAIN_POWER = 5e-3, 0.38
"""Maximum threads of a matrix with dependent blocks: (seconds on one core / ``CHAIN_SECONDS``) ** ``CHAIN_POWER``.
Fitted, as the curves of cards are, to pairs of 30,000 to 1,000,000 letters at 15 % and at random, edit distance
and LCS, on 16 cores of an Intel Xeon and an NVIDIA H200 (BENCHMARKS.md, Choice of the device)."""
_TABLED_CARD = 132 * 1.98e9  # multiprocessors times clock rate

_lock = threading.Lock()
_measured: dict[tuple[Any, str], float] = {}  # (kind of job, device) -> measured rate divided by the tabled rate


def cpu_seconds(job: Job) -> float:
    """Return the estimated seconds of ``job`` on its CPU cores; the neglected fixed cost is below 0.1 ms."""
    return job.cpu_cells / _cpu_rate(job, job.cpu_cells)


def gpu_seconds(job: Job, card: GraphicsCard | None = None) -> float:
    """Return the estimated seconds of ``job`` on ``card`` (None: the fastest known card), without compilation."""
    n = job.n_cells
    return job.on_card(max(GPU_JOB_SECONDS, n / _gpu_rate(job, n, card) / cards_of(job, card)))


def cards_of(job: Job, card: GraphicsCard | None) -> int:
    """Return the number of cards like ``card`` that share a job."""
    n = 1 if card is None else len(card.devices)
    return n if n > 1 and job.single_card_reason is None else 1


def start_seconds(job: Job, *, awake: bool) -> float:
    """Return the start-up seconds before the first such job on the card; ``awake``: CuPy is imported."""
    with _lock:
        loaded = (job.kind, "gpu") in _measured
    return 0.0 if loaded else KERNEL_LOAD_SECONDS + (0.0 if awake else DRIVER_WAKE_SECONDS)


def record_rate(job: Job, device: str, n_cells: float, seconds: float, card: GraphicsCard | None = None) -> None:
    """Record that ``n_cells`` of ``job`` took ``seconds`` in its kernels on ``device`` (``cpu`` or ``gpu``)."""
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
    # Smaller matrices fill a card with fewer processors; its lower speed shows for large ones.
    rate = min(_at(curve, n_cells), curve[-1][1] * share)
    return rate * _measured.get((job.kind, "gpu"), 1.0)


def _at(curve: tuple[tuple[float, float], ...], x: float) -> float:
    """Interpolate on logarithmic axes; constant beyond both ends."""
    for (x0, y0), (x1, y1) in pairwise(curve):
        if x < x1:
            part = max(0.0, log(max(x, 1.0) / x0) / log(x1 / x0))
            return exp(log(y0) + part * log(y1 / y0))
    return curve[-1][1]
