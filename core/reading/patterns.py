"""Job that reads a pattern file; its syntax is in ``wavediff.core.sequences.pattern_list``."""

from __future__ import annotations

from collections.abc import Generator
from itertools import chain

from wavediff.core.base.errors import InputError
from wavediff.core.base.notices import Notice
from wavediff.core.jobs.events import Event, Progress
from wavediff.core.jobs.read import ReadPatternsJob
from wavediff.core.reading.decompress import opened, peek
from wavediff.core.reading.files import RegularFile, size_text
from wavediff.core.reading.formats import foreign
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.run import HEAD_BYTES
from wavediff.core.sequences.pattern_list import Pattern, read_list
from wavediff.core.system.machine import available_memory

MAX_FILE_BYTES = 1 << 28  # bytes: a list of millions of patterns


def run(job: ReadPatternsJob) -> Generator[Event, None, tuple[Pattern, ...]]:
    """Read ``job.path``; yield ``Progress`` after each chunk.

    Raises:
        InputError: the file cannot be used, or a pattern is empty; the message names its line.
    """
    with RegularFile(job.path) as file:
        notices: list[Notice] = []
        _, inner = opened(file.pieces(), file.raw, file.source, file.size, available_memory() * 9 // 10, notices)
        head, inner = peek(inner, HEAD_BYTES)
        if (name := foreign(head)) is not None:
            raise InputError(file.source, f"this is {name}", "one pattern a line, or FASTA, is expected")
        pieces: list[bytes] = []
        size = 0
        for piece in chain(TextPieces(inner, file.source)):
            pieces.append(piece)
            size += len(piece)
            if size > MAX_FILE_BYTES:
                raise InputError(file.source, f"more than {size_text(MAX_FILE_BYTES)} of patterns", "split the list")
            yield Progress(job.id, "read", min(file.raw.tell(), file.size), file.size)
        file.require_unchanged()
    return read_list(b"".join(pieces), file.source)
