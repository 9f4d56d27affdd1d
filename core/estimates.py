"""What memory a job will take beside the sequences that are there: for a person to know before it begins.

The figures are those by which kernels refuse; what a path takes depends on how alike two sequences are, which nobody
knows before.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.bwt_jobs import BwtJob, BwtMethod, IndexJob, InverseBwtJob
from core.events import Foreseen
from core.jobs import BatchJob, EditJob, LcsJob, PathMethod, SearchJob, SwapEditJob
from core.machine import available_memory, cores

CODED_BYTES = 3.25  # for each letter of both sequences of a comparison: codes, packed letters, seeds
LARGE_BYTES = 10**9  # what is more is told of, or
LARGE_SHARE = 0.1  # of what is free
SMALL_BYTES = 1 << 28  # that nobody needs to know of, whatever is free


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bytes that a job takes at its worst moment, on the CPU; from ``least`` for letters that are all alike to ``most``
    for such as have nothing in common."""

    least: int
    most: int


def foreseen(job: object) -> Foreseen | None:
    """Return what is worth to be told of the memory of ``job`` before it begins, if anything is."""
    found = estimate(job)
    if found is None or found.most <= SMALL_BYTES:
        return None
    free = available_memory()
    if found.most <= min(LARGE_BYTES, LARGE_SHARE * free):
        return None
    return Foreseen(getattr(job, "id", 0), found.least, found.most, free)


def estimate(job: object) -> Estimate | None:
    """Return what ``job`` takes on the CPU, None where nothing is known; its module must be loaded already."""
    if isinstance(job, LcsJob | EditJob):
        return _compared(job)
    needed = _needed(job)
    return None if needed is None else Estimate(needed, needed)


def _compared(job: LcsJob | EditJob) -> Estimate:
    n, m = int(job.a.size), int(job.b.size)
    coded = int(CODED_BYTES * (n + m))
    if job.path is not PathMethod.BLOCKS or not n or not m:
        return Estimate(coded, coded)
    from core.kernels.blocks.shape import kept_bytes

    signs = 1 if isinstance(job, LcsJob) else 2
    return Estimate(coded, coded + kept_bytes(n, m, job.threads or cores(), signs))


def _needed(job: object) -> int | None:
    if isinstance(job, SwapEditJob):
        from core.kernels.swap_edit import matrix

        n, m = int(job.a.size), int(job.b.size)
        kept = job.path is not PathMethod.NONE
        return 2 * (n + m) + (matrix.memory(n, m, kept=kept, threads=job.threads or cores()) if n and m else 0)
    if isinstance(job, BatchJob):
        from core.kernels.batch import plan

        return plan.memory(job, job.threads or cores())
    if isinstance(job, SearchJob):
        from core.kernels.search.plan import table_bytes

        return table_bytes([len(one.letters) for one in job.patterns], 1 + job.both_strands)
    from core.kernels.bwt import memory

    if isinstance(job, BwtJob):
        return memory.needed(int(job.text.size), memory.of_sorting(job.method is BwtMethod.TERNARY, job.suffixes))
    if isinstance(job, IndexJob):
        return memory.needed(job.length, memory.of_index(job.method is BwtMethod.TERNARY))
    if isinstance(job, InverseBwtJob):
        return memory.needed(int(job.last.size), memory.INVERSE)
    return None
