"""Read a file of patterns as a job; what a list of patterns is says ``core.patterns.given``."""

from __future__ import annotations

from collections.abc import Generator
from itertools import chain

from core.errors import InputError
from core.events import Event, Progress
from core.jobs import ReadPatternsJob
from core.machine import available_memory
from core.patterns.given import Pattern, read_list
from core.reading.files import RegularFile, size_text
from core.reading.formats import foreign
from core.reading.inflate import opened, peek
from core.reading.lines import Lines
from core.reading.run import HEAD

LARGEST = 1 << 28  # bytes: a list of millions of patterns


def run(job: ReadPatternsJob) -> Generator[Event, None, tuple[Pattern, ...]]:
    """Read ``job.path``; yield ``Progress`` after each piece.

    Raises:
        InputError: the file cannot be used, or a pattern is empty; the message names its line.
    """
    with RegularFile(job.path) as file:
        notices: list[str] = []
        _, inner = opened(file.pieces(), file.raw, file.source, file.size, available_memory() * 9 // 10, notices)
        head, inner = peek(inner, HEAD)
        if (name := foreign(head)) is not None:
            raise InputError(file.source, f"this is {name}", "one pattern a line, or FASTA, is expected")
        pieces: list[bytes] = []
        size = 0
        for piece in chain(Lines(inner, file.source)):
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST:
                raise InputError(file.source, f"more than {size_text(LARGEST)} of patterns", "split the list")
            yield Progress(job.id, "read", min(file.raw.tell(), file.size), file.size)
        file.require_unchanged()
    return read_list(b"".join(pieces), file.source)
