"""Estimate of the memory a job takes beside its sequences: for a person to know before it begins.

The figures are those by which kernels refuse, from ``memory(job)`` of the module that runs the job; what a path takes
depends on how alike two sequences are, which nobody knows before.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import NamedTuple

from wavediff.core.jobs import Job
from wavediff.core.jobs.events import MemoryForecast
from wavediff.core.methods import method_of
from wavediff.core.methods.base import PairJob, TracebackMethod
from wavediff.core.methods.options import Choice, Value
from wavediff.core.system.machine import available_memory

WARN_BYTES = 10**9  # what is more is told of, or
WARN_FREE_SHARE = 0.1  # of what is free
NEVER_WARN_BYTES = 1 << 28  # that nobody needs to know of, whatever is free


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
