"""The inverse transform as a job."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from wavediff.core.base.arrays import Letters, freeze
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.bwt import InverseBwtJob
from wavediff.core.jobs.bwt_result import InverseBwtResult
from wavediff.core.jobs.events import Event, EventTotals, Step, run_to_end
from wavediff.core.kernels.bwt import memory_check
from wavediff.core.kernels.bwt.clock import Clock
from wavediff.core.kernels.bwt.inverse.invert import SINGLE_CHAIN_ROWS, invert
from wavediff.core.system.machine import cores


def run(job: InverseBwtJob) -> Generator[Event, None, InverseBwtResult]:
    """Compute ``job``; see ``wavediff.core.jobs.bwt_result.InverseBwtResult``.

    Raises:
        NotEnoughMemory: the rows exceed memory.
        NoTransform: no text has this ``last`` and ``primary``.
    """
    n = job.n_letters
    memory_check.check_memory(n, memory_check.inverse_bytes(n), "the inverse", "close other programs")
    work = EventTotals()
    text = yield from work.watch(_steps(job))
    return result_of(job, text, "cpu", work)


def result_of(job: InverseBwtJob, text: Letters, device: str, work: EventTotals) -> InverseBwtResult:
    """Return the result with its times."""
    return InverseBwtResult(text=text, **work.fields(job.id, device))


def _steps(job: InverseBwtJob) -> Generator[Event, None, Letters]:
    clock = Clock(job.id)
    yield from make_ready(clock)
    return (yield from clock.phase("inverse", invert(job.last, job.primary, clock, job.threads or cores())))


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile (or load) the kernels of every inverse."""

    def walk_all() -> None:
        for n_letters in (2, 20):  # four letters at a time, and two; the last column of such a cycle is its own
            few = np.arange(n_letters, dtype=np.uint8)
            for last in (np.repeat(few, SINGLE_CHAIN_ROWS // n_letters + 1), few):
                run_to_end(invert(freeze(last), last.size, Clock(0), 1))

    yield from warm_up(step, "inverse", "inverse", walk_all)


def memory(job: InverseBwtJob) -> int:
    """Return the memory of ``job`` in bytes, without its letters."""
    return memory_check.needed_bytes(job.n_letters, memory_check.inverse_bytes(job.n_letters))
