"""Counterpart of ``run`` for text in memory (clipboard, dropped selection)."""

from __future__ import annotations

from collections.abc import Generator

from wavediff.core.jobs.events import Event, Progress
from wavediff.core.jobs.read import ParseJob
from wavediff.core.reading.files import READ_BYTES
from wavediff.core.reading.load import Load
from wavediff.core.reading.run import run_text


def run(job: ParseJob) -> Generator[Event, None, Load]:
    """Yield ``Progress`` after each chunk and return the ``Load``.

    Raises:
        InputError: the text cannot be used.
        NotEnoughMemory: what is compressed in it is larger than the memory that is free.
    """
    pieces = 0
    load = None
    for load in run_text(job.text, job.source, job.read_as, job.alphabet, job.encoding, job.or_text):
        if load is None:
            pieces += 1
            yield Progress(job.id, "read", min(pieces * READ_BYTES, len(job.text)), len(job.text))
    assert load is not None
    return load
