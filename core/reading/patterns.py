"""Job that reads a pattern file; its syntax is in ``wavediff.core.sequences.pattern_list``."""

from __future__ import annotations

import io
import os
from collections.abc import Generator, Iterator
from itertools import chain
from typing import BinaryIO

from wavediff.core.base.errors import InputError
from wavediff.core.jobs.events import Event, Progress
from wavediff.core.jobs.read import ReadPatternsJob
from wavediff.core.reading.decompress import opened, peek
from wavediff.core.reading.files import RegularFile, is_pipe, size_text, source_of
from wavediff.core.reading.formats import foreign
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.run import HEAD_BYTES, read_pipe
from wavediff.core.sequences.pattern_list import Pattern, read_list

MAX_FILE_BYTES = 1 << 28  # bytes: a list of millions of patterns


def run(job: ReadPatternsJob) -> Generator[Event, None, tuple[Pattern, ...]]:
    """Read ``job.path``, also a pipe; yield ``Progress`` after each chunk.

    Raises:
        InputError: the file cannot be used, or a pattern is empty; the message names its line.
    """
    name = os.fspath(job.path)
    if is_pipe(name):
        data = yield from read_pipe(job, name)
        return (yield from _parsed(job, iter([data]), io.BytesIO(data), source_of(name), len(data)))
    with RegularFile(job.path) as file:
        patterns = yield from _parsed(job, file.pieces(), file.raw, file.source, file.size)
        file.require_unchanged()
    return patterns


def _parsed(
    job: ReadPatternsJob, read: Iterator[bytes], raw: BinaryIO, source: str, file_size: int
) -> Generator[Event, None, tuple[Pattern, ...]]:
    _, inner = opened(read, raw, source, file_size, [])
    head, inner = peek(inner, HEAD_BYTES)
    if (name := foreign(head)) is not None:
        raise InputError(source, f"this is {name}", "one pattern a line, or FASTA, is expected")
    pieces: list[bytes] = []
    size = 0
    for piece in chain(TextPieces(inner, source)):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_FILE_BYTES:
            raise InputError(source, f"more than {size_text(MAX_FILE_BYTES)} of patterns", "split the list")
        yield Progress(job.id, "read", min(raw.tell(), file_size), file_size)
    return read_list(b"".join(pieces), source)
