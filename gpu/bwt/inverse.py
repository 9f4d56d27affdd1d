"""The inverse transform on the card as a job."""

from __future__ import annotations

from collections.abc import Generator

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.bwt import InverseBwtJob
from wavediff.core.jobs.bwt_result import InverseBwtResult
from wavediff.core.jobs.event_streams import EventTotals
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.inverse.run import result_of
from wavediff.gpu.bwt.bwt_launches import LaunchQueue
from wavediff.gpu.bwt.inverse_chains import invert_on_card
from wavediff.gpu.card.interface import Card


def run_on(card: Card, job: InverseBwtJob) -> Generator[Event, None, InverseBwtResult]:
    """Compute ``job`` on this card; see ``wavediff.core.jobs.bwt_result.InverseBwtResult``.

    Raises:
        DeviceOutOfMemory: the rows cannot be held on the card.
        NoTransform: ``last`` and ``primary`` are those of no text.
    """
    work = EventTotals()
    text = yield from work.watch(_steps(LaunchQueue(card, job.step, "upload"), job))
    return result_of(job, text, "gpu", work)


def _steps(steps: LaunchQueue, job: InverseBwtJob) -> Generator[Event, None, Letters]:
    if not job.last.size:
        return job.last
    last = yield from steps.upload(job.last)
    steps.kernel = "inverse"
    text = yield from invert_on_card(steps, last, job.primary)
    letters: Letters = yield from steps.download(text)
    return letters
