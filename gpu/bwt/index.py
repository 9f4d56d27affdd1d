"""Search index: the text is sorted on the card, ranks and samples are computed on the CPU."""

from __future__ import annotations

from collections.abc import Generator

from wavediff.core.jobs.bwt import IndexJob
from wavediff.core.jobs.bwt_result import BwtIndex
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.index.build import run_with
from wavediff.gpu.bwt.run import transformed
from wavediff.gpu.card.cuda import Card


def run_on(card: Card, job: IndexJob) -> Generator[Event, None, BwtIndex]:
    """Compute ``job`` on this card; see ``wavediff.core.jobs.bwt_result.BwtIndex``.

    Raises:
        DeviceOutOfMemory: the sorting or the check exceeds the card's memory.
        SelfCheckFailed: the inverse of the transform is not the text.
        NoTransform: no text has this last column.
    """
    return (yield from run_with(job, lambda sort: transformed(card, sort)))
