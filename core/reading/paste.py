"""Twin of ``run`` for text that is already in memory: the clipboard, a dropped selection."""

from __future__ import annotations

from collections.abc import Generator

from core.events import Event, Progress
from core.jobs import ParseJob
from core.reading import Load, parse


def run(job: ParseJob) -> Generator[Event, None, Load]:
    """Yield one ``Progress`` and return the ``Load``.

    Raises:
        InputError: the text cannot be used.
    """
    yield Progress(job.id, "reading", 0, len(job.text), "letters")
    return parse(job.text, job.source)
