"""The inverse transform as a job."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from core.arrays import Letters, freeze
from core.bwt_jobs import InverseBwtJob
from core.events import Event
from core.kernels.bwt import memory
from core.kernels.bwt.invert import ALONE, invert
from core.kernels.bwt.pace import Pace
from core.kernels.bwt.work import Work
from core.kernels.warm import warm_up
from core.machine import cores
from core.results.bwt import InverseBwtResult


def run(job: InverseBwtJob) -> Generator[Event, None, InverseBwtResult]:
    """Compute ``job``; see ``core.results.bwt.InverseBwtResult``.

    Raises:
        NotEnoughMemory: the rows cannot be held.
        NoTransform: ``last`` and ``primary`` are those of no text.
    """
    memory.check_memory(job.last.size, memory.INVERSE, "the inverse", "close other programs")
    work = Work()
    text = yield from work.watch(_steps(job))
    return result_of(job, text, "cpu", work)


def result_of(job: InverseBwtJob, text: Letters, device: str, work: Work) -> InverseBwtResult:
    """Return what was found, with its times."""
    return InverseBwtResult(
        job_id=job.id,
        text=text,
        device=device,
        kernel_seconds=work.kernel_seconds,
        wall_seconds=work.wall_seconds,
    )


def _steps(job: InverseBwtJob) -> Generator[Event, None, Letters]:
    yield from make_ready(job.id)
    pace = Pace(job.id, "inverse")
    text = yield from invert(job.last, job.primary, pace, job.threads or cores())
    yield from pace.turn()
    return text


def make_ready(job_id: int) -> Generator[Event, None, None]:
    """Compile (or load) what every inverse needs."""

    def walk_all() -> None:
        for n_letters in (2, 20):  # four letters at a time, and two; the last column of such a cycle is its own
            letters = np.repeat(np.arange(n_letters, dtype=np.uint8), ALONE // n_letters + 1)
            for last in (letters, letters[:n_letters]):
                for _ in invert(freeze(last), last.size, Pace(job_id, "inverse"), 1):
                    pass

    yield from warm_up(job_id, "inverse", "inverse", walk_all)
