"""The inverse transform on the card as a job."""

from __future__ import annotations

from collections.abc import Generator

from core.arrays import Letters
from core.bwt_jobs import InverseBwtJob
from core.events import Event
from core.kernels.bwt.inverse import result_of
from core.kernels.bwt.work import Work
from core.results.bwt import InverseBwtResult
from gpu.bwt.steps import Steps
from gpu.bwt.walk import walk
from gpu.card.interface import Card


def run(job: InverseBwtJob) -> Generator[Event, None, InverseBwtResult]:
    """Compute ``job``; see ``core.results.bwt.InverseBwtResult``.

    Raises:
        DeviceOutOfMemory: the rows cannot be held on the card.
        NoTransform: ``last`` and ``primary`` are those of no text.
    """
    from gpu.device import card

    return (yield from run_on(card(), job))


def run_on(card: Card, job: InverseBwtJob) -> Generator[Event, None, InverseBwtResult]:
    """Compute ``job`` on this card."""
    work = Work()
    text = yield from work.watch(_steps(Steps(card, job.id, "upload"), job))
    return result_of(job, text, "gpu", work)


def _steps(steps: Steps, job: InverseBwtJob) -> Generator[Event, None, Letters]:
    if not job.last.size:
        return job.last
    last = yield from steps.upload(job.last)
    steps.kernel = "inverse"
    text = yield from walk(steps, last, job.primary)
    letters: Letters = yield from steps.download(text)
    return letters
