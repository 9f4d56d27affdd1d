"""Counterpart of ``run`` for text in memory (clipboard, dropped selection)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import count

from wavediff.core.jobs.events import Event, Progress, pass_on
from wavediff.core.jobs.read import ParseJob
from wavediff.core.reading.files import READ_BYTES
from wavediff.core.reading.load import Load
from wavediff.core.reading.run import run_text


def run(job: ParseJob) -> Generator[Event, None, Load]:
    """Yield ``Progress`` after each chunk and return the ``Load``.

    Raises:
        InputError: invalid text.
        NotEnoughMemory: decompressed content larger than free memory.
    """
    steps, size = run_text(job.text, job.source, job.read_as, job.alphabet, job.encoding, job.or_text), len(job.text)
    read = count(READ_BYTES, READ_BYTES)
    load = yield from pass_on(steps, lambda _: Progress(job.id, "read", min(next(read), size), size))
    return replace(load, read_as=job.read_as)
