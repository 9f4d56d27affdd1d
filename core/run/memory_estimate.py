"""Estimate of the memory a job takes beside its sequences: for a person to know before it begins.

The figures are those by which kernels refuse; what a path takes depends on how alike two sequences are, which nobody
knows before.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.jobs.batch import BatchJob
from core.jobs.bwt import BwtJob, BwtMethod, IndexJob, InverseBwtJob
from core.jobs.events import MemoryForecast
from core.jobs.pair import EditJob, LcsJob, SwapEditJob, TracebackMethod
from core.jobs.search import SearchJob
from core.system.machine import available_memory, cores

ENCODED_BYTES_PER_LETTER = 3.25  # for each letter of both sequences of a comparison: codes, packed letters, seeds
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
    if isinstance(job, LcsJob | EditJob) and job.a.size + job.b.size <= NEVER_WARN_LETTERS:
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
    if isinstance(job, LcsJob | EditJob):
        return _comparison_memory(job)
    needed = _job_bytes(job)
    return None if needed is None else MemoryEstimate(needed, needed)


def _comparison_memory(job: LcsJob | EditJob) -> MemoryEstimate:
    n, m = int(job.a.size), int(job.b.size)
    coded = int(ENCODED_BYTES_PER_LETTER * (n + m))
    if job.path is not TracebackMethod.BLOCKS or not n or not m:
        return MemoryEstimate(coded, coded)
    from core.kernels.pairwise.blocks.block_shape import kept_bytes

    signs = 1 if isinstance(job, LcsJob) else 2
    return MemoryEstimate(coded, coded + kept_bytes(n, m, job.threads or cores(), signs))


def _job_bytes(job: object) -> int | None:
    if isinstance(job, SwapEditJob):
        from core.kernels.swap_edit import swap_matrix

        n, m = int(job.a.size), int(job.b.size)
        kept = job.path is not TracebackMethod.NONE
        return 2 * (n + m) + (swap_matrix.memory(n, m, kept=kept, threads=job.threads or cores()) if n and m else 0)
    if isinstance(job, BatchJob):
        from core.kernels.batch import batch_plan

        return batch_plan.memory(job, job.threads or cores())
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
