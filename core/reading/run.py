"""Read one file, a piece at a time, as a job: ``run`` is what ``core.dispatch`` starts for a ``ReadJob``."""

from __future__ import annotations

import io
from collections.abc import Generator, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError, TransformFile
from core.events import Event, Progress
from core.jobs import ReadJob
from core.machine import available_memory
from core.reading.fasta import Fasta
from core.reading.fastq import read_fastq
from core.reading.files import PIECE, RegularFile
from core.reading.formats import foreign, is_fastq
from core.reading.inflate import opened, peek
from core.reading.letters import CHUNK
from core.reading.lines import Lines
from core.reading.load import Load
from core.reading.plain import Plain
from core.results.bwt_format import MAGIC

HEAD = 1 << 12
"""Bytes that must be there before the format is judged, unless the file has fewer."""

_SUFFIXES = (".gz", ".bgz", ".xz", ".zst", ".bz2", ".zip")


def run(job: ReadJob) -> Generator[Event, None, Load]:
    """Read ``job.path``; yield ``Progress`` (bytes of the file) after each piece of some milliseconds.

    Raises:
        InputError: see ``core.reading`` for what is refused.
        NotEnoughMemory: the file, or what is compressed in it, is larger than the memory that is free.
    """
    with RegularFile(job.path) as file:
        steps = read_pieces(file.pieces(), file.raw, file.source, file.size, _stem(job.path))
        for load in steps:
            if load is None:
                yield Progress(job.id, "read", min(file.raw.tell(), file.size), file.size)
        file.require_unchanged()
    assert load is not None
    return load


def run_text(text: bytes | str, source: str = "<pasted>") -> Iterator[Load | None]:
    """Yield None after each piece of text that is in memory, and the ``Load`` last; the rules are those of a file.

    Raises:
        InputError, NotEnoughMemory: as ``run``.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    pieces = (data[start : start + PIECE] for start in range(0, len(data), PIECE))
    yield from read_pieces(pieces, io.BytesIO(data), source, len(data), source.strip("<>"))


def _stem(path: Path) -> str:
    name = path.name
    for suffix in _SUFFIXES:
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
    return Path(name).stem if name else path.name


def read_pieces(pieces: Iterator[bytes], raw: BinaryIO, source: str, size: int, fallback: str) -> Iterator[Load | None]:
    """Yield None after each piece of work, and the ``Load`` last.

    Args:
        pieces: the bytes, cut anywhere.
        raw: the same bytes as a file that can seek, for zip.
        size: number of these bytes.
        fallback: name of a record that has none.

    Raises:
        InputError, NotEnoughMemory: as ``run``.
    """
    notices: list[str] = []
    containers, inner = opened(pieces, raw, source, available_memory() * 9 // 10, notices)
    head, inner = peek(inner, HEAD)
    if head.startswith(MAGIC):
        raise TransformFile(source)
    if (name := foreign(head)) is not None:
        raise InputError(source, f"this is {name}", "FASTA, FASTQ or plain text is expected")
    lines = Lines(inner, source)
    head, texts = peek(iter(lines))
    if (name := foreign(head)) is not None:  # what was UTF-16 is known only now
        raise InputError(source, f"this is {name}", "FASTA, FASTQ or plain text is expected")
    if containers:
        size = CHUNK  # the letters may be many more than the bytes of the file
    start = head.lstrip()
    if start.startswith(b"@") and is_fastq(head):
        yield from read_fastq(texts, lines, source, size, notices, fallback)
    elif start.startswith(b">"):
        yield from _fasta(texts, lines, source, size, notices, fallback)
    else:
        yield from _plain(texts, lines, source, size, notices, fallback)


def _fasta(
    texts: Iterator[bytes], lines: Lines, source: str, size: int, notices: list[str], fallback: str, at: int = 0
) -> Iterator[Load | None]:
    fasta = Fasta(source, lines, size)
    for piece in texts:
        fasta.feed(piece, at)
        at = 0
        yield None
    yield from fasta.finish([*notices, *lines.notices], fallback)


def _plain(
    texts: Iterator[bytes], lines: Lines, source: str, size: int, notices: list[str], fallback: str
) -> Iterator[Load | None]:
    plain = Plain(source, lines, size)
    for piece in texts:
        at = plain.feed(piece)
        if at is not None:
            # The place of this piece is still the one that ``lines`` tells.
            notices.append(plain.comments)
            yield from _fasta(chain([piece], texts), lines, source, size, notices, fallback, at)
            return
        yield None
    yield from plain.finish([*notices, *lines.notices], fallback)
