"""Estimate of the memory a job takes beside its sequences: for a person to know before it begins.

The figures are those by which kernels refuse; what a path takes depends on how alike two sequences are, which nobody
knows before.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.jobs.bwt import BwtJob, IndexJob, InverseBwtJob
from core.jobs.choices import BwtMethod
from core.jobs.events import MemoryForecast
from core.jobs.search import SearchJob
from core.methods import method_of
from core.methods.base import PairJob
from core.methods.batch import BatchJob
from core.system.machine import available_memory

WARN_BYTES = 10**9  # what is more is told of, or
WARN_FREE_SHARE = 0.1  # of what is free
NEVER_WARN_BYTES = 1 << 28  # that nobody needs to know of, whatever is free
NEVER_WARN_LETTERS = 1 << 13  # of both sequences of a comparison, which takes far less


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Bytes that a job takes at its worst moment, on the CPU; from ``least`` for letters that are all alike to ``most``
    for such as have nothing in common."""

    least: int
    most: int


def memory_warning(job: object) -> MemoryForecast | None:
    """Return what is worth to be told of the memory of ``job`` before it begins, if anything is."""
    if isinstance(job, PairJob) and job.n_letters <= NEVER_WARN_LETTERS:
        return None
    found = estimate_memory(job)
    if found is None or found.most <= NEVER_WARN_BYTES:
        return None
    free = available_memory()
    if found.most <= min(WARN_BYTES, WARN_FREE_SHARE * free):
        return None
    return MemoryForecast(getattr(job, "id", 0), found.least, found.most, free)


def estimate_memory(job: object) -> MemoryEstimate | None:
    """Return what ``job`` takes on the CPU, None where nothing is known; its module must be loaded already."""
    if isinstance(job, PairJob):
        found = method_of(job).memory(job)
        return None if found is None else MemoryEstimate(*found)
    needed = _job_bytes(job)
    return None if needed is None else MemoryEstimate(needed, needed)


def _job_bytes(job: object) -> int | None:
    if isinstance(job, BatchJob):
        return job.method.batch_memory(job)
    if isinstance(job, SearchJob):
        from core.kernels.search.search_plan import table_bytes

        return table_bytes([len(one.letters) for one in job.patterns], 1 + job.both_strands)
    from core.kernels.bwt import memory_check

    if isinstance(job, BwtJob):
        return memory_check.needed_bytes(
            int(job.text.size), memory_check.sorting_bytes(job.method is BwtMethod.TERNARY, job.suffixes)
        )
    if isinstance(job, IndexJob):
        return memory_check.needed_bytes(job.length, memory_check.index_bytes(job.method is BwtMethod.TERNARY))
    if isinstance(job, InverseBwtJob):
        return memory_check.needed_bytes(int(job.last.size), memory_check.INVERSE_BYTES)
    return None
