"""Job that reads one file in chunks: ``wavediff.core.run.dispatch`` calls ``run`` for a ``ReadJob``."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from wavediff.core.base.errors import InputError, TransformFile
from wavediff.core.base.file_names import Named, split_name
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.jobs import Job
from wavediff.core.jobs.bwt_format import MAGIC
from wavediff.core.jobs.events import Event, Progress, pass_on
from wavediff.core.jobs.read import PASTED, ReadJob
from wavediff.core.reading.annotations import annotated, annotations_beside
from wavediff.core.reading.decompress import opened, peek
from wavediff.core.reading.fasta import Fasta
from wavediff.core.reading.fastq import read_fastq
from wavediff.core.reading.files import READ_BYTES, RegularFile, is_pipe, source_of, spooled
from wavediff.core.reading.flat_files import is_flat_file, read_flat_file
from wavediff.core.reading.formats import ALIGNMENTS, GFF, SEQUENCE_FORMATS, TRACE, Reading, foreign, is_fastq, is_prose
from wavediff.core.reading.letters import BUFFER_BYTES, Counter, LetterBuffer, freeze_base
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.load import Load, Loading
from wavediff.core.reading.numbered import is_numbered, read_numbered
from wavediff.core.reading.pick import part_of
from wavediff.core.reading.plain import Plain
from wavediff.core.reading.snapgene import is_snapgene, read_snapgene
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet


def read_exact(pieces: Iterator[bytes], how: Reading) -> Loading:
    """Return the ``Load``; yield after each chunk. The file may be empty."""
    letters, counter, counts = LetterBuffer(how.size), Counter(), np.zeros(256, np.int64)
    for piece in pieces:
        letters.append(piece)
        counts += counter.count(piece)
        yield
    whole = letters.assemble()
    return Load(
        source=how.source,
        format="bytes",
        letters=freeze_base(whole),
        starts=np.array([0, whole.size]),
        headers=b"\n",
        header_starts=np.array([0, 1]),
        counts={0: counts},
        alphabet=how.alphabet or Alphabet.TEXT,
        fallback=how.fallback,
    )


class Reader(NamedTuple):
    """Reader for a format.

    Attributes:
        fits: whether a text begins like this format.
        read: see ``read_fastq``.
        read_as: the user's choice that forces this format; None: there is no such choice.
        known: choices under which ``fits`` decides.
        binary: ``read`` takes bytes instead of lines of text.
    """

    fits: Callable[[bytes], bool]
    read: Callable[[Iterator[bytes], TextPieces, Reading, list[Notice]], Loading]
    read_as: ReadAs | None = None
    known: tuple[ReadAs, ...] = (ReadAs.AUTO,)
    binary: bool = False


READERS = (  # the first that fits
    Reader(is_fastq, read_fastq, ReadAs.FASTQ),
    Reader(is_numbered, read_numbered, known=(ReadAs.AUTO, ReadAs.FASTA)),
    Reader(is_flat_file, read_flat_file),
    Reader(is_snapgene, read_snapgene, binary=True),
)


def reader_of(head: bytes, read_as: ReadAs) -> Reader | None:
    """Return the reader for a text with this start; None for FASTA and plain text, which share one."""
    for reader in READERS:
        if read_as is reader.read_as or (read_as in reader.known and reader.fits(head)):
            return reader
    return None


HEAD_BYTES = 1 << 12
"""Bytes that must be there before the format is judged, unless the file has fewer."""

MAX_WORD_BYTES = 24  # of a text that is called as it is

_SUFFIXES = (".gz", ".bgz", ".xz", ".zst", ".bz2", ".zip")


def run(job: ReadJob) -> Generator[Event, None, Load]:
    """Read ``job.path``; yield ``Progress`` (bytes of the file) after each chunk of some milliseconds.

    A pipe is read into memory first.

    Raises:
        InputError: see ``wavediff.core.reading``.
        NotEnoughMemory: the file, or its decompressed content, exceeds free memory.
    """
    named = split_name(job.path)
    if is_pipe(named.file):
        return (yield from _read_pipe(job, named))
    with RegularFile(named.file) as file:
        how = Reading(
            file.source, file.size, _stem(Path(named.file)), job.read_as, job.alphabet, job.counted, job.encoding,
            job.or_text,
        )  # fmt: skip
        steps = read_pieces(file.pieces, file.raw, how)
        load = yield from pass_on(steps, lambda _: Progress(job.id, "read", min(file.raw.tell(), file.size), file.size))
        file.require_unchanged()
    load = yield from _with_features(job, load, Path(named.file))
    return part_of(replace(load, encoding=job.encoding, read_as=job.read_as), named.part, os.fspath(job.path))


def _with_features(job: ReadJob, load: Load, path: Path) -> Generator[Event, None, Load]:
    has_none = load.format not in ("FASTA", "plain") or load.alphabet is Alphabet.TEXT
    features = job.features or (None if has_none else annotations_beside(path, _stem(path)))
    if not features:
        return load
    try:
        found = yield from pass_on(annotated(load, features), lambda _: Progress(job.id, "read", 0, 0))
    except InputError as error:
        if job.features:
            raise
        return replace(load, notices=(*load.notices, Notice(NoticeKind.FEATURES, f"features are not read: {error}")))
    return load if job.features and not found.annotated else found


def _read_pipe(job: ReadJob, named: Named) -> Generator[Event, None, Load]:
    source, data = source_of(named.file), (yield from read_pipe(job, named.file))
    steps = run_text(data, source, job.read_as, job.alphabet, job.encoding, job.or_text)
    load = yield from pass_on(steps, lambda _: Progress(job.id, "read", len(data), 0))
    return part_of(replace(load, encoding=job.encoding, read_as=job.read_as), named.part, f"{source}:{named.part}")


def read_pipe(job: Job, name: str) -> Generator[Event, None, bytes]:
    """Return the content of a pipe; yield ``Progress`` after each chunk. Errors: see ``spooled``."""
    pieces, size = list[bytes](), 0
    for piece in spooled(name):
        pieces.append(piece)
        size += len(piece)
        yield Progress(job.id, "read", size, 0)
    return b"".join(pieces)


def run_text(
    text: bytes | str,
    source: str = PASTED,
    read_as: ReadAs = ReadAs.AUTO,
    alphabet: Alphabet | None = None,
    encoding: str = "",
    or_text: bool = False,
) -> Loading:
    """Parse text in memory by the rules of a file; yield after each chunk.

    Raises:
        InputError, NotEnoughMemory: as ``run``.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    name = _own_name(data) or source.strip("<>")
    how = Reading(source, len(data), name, read_as, alphabet, encoding=encoding, or_text=or_text)

    def pieces() -> Iterator[bytes]:
        return (data[start : start + READ_BYTES] for start in range(0, len(data), READ_BYTES))

    return read_pieces(pieces, io.BytesIO(data), how)


def _own_name(data: bytes) -> str:
    """Return a short text as its own name, so typed words have names; else empty."""
    word = data.strip() if len(data) <= MAX_WORD_BYTES else b""
    return word.decode() if word.isalnum() else ""


def _stem(path: Path) -> str:
    name = path.name
    for suffix in _SUFFIXES:
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
    return Path(name).stem if name else path.name


def read_pieces(pieces: Callable[[], Iterator[bytes]], raw: BinaryIO, how: Reading) -> Loading:
    """Return the ``Load``; yield after each chunk.

    Args:
        pieces: returns the bytes from the start, in chunks.
        raw: the same bytes as a seekable file object, for zip.

    Raises:
        InputError, NotEnoughMemory: as ``run``.
    """
    try:
        return (yield from _read(pieces(), raw, how))
    except InputError as error:
        if not how.or_text or how.read_as is not ReadAs.AUTO or error.instead != ReadAs.TEXT:
            raise
        refusal = error
    refusal.__traceback__ = refusal.__cause__ = refusal.__context__ = None  # they hold what was read
    notice = Notice(NoticeKind.FORMAT, f"{refusal.found}; read as plain text")
    load = yield from _read(pieces(), raw, how._replace(read_as=ReadAs.TEXT))
    return replace(load, refusal=refusal, notices=(notice, *load.notices))


def _read(pieces: Iterator[bytes], raw: BinaryIO, how: Reading) -> Loading:
    if how.read_as is ReadAs.BYTES:
        return (yield from read_exact(pieces, how))
    notices: list[Notice] = []
    containers, inner = opened(pieces, raw, how.source, how.size, notices)
    head, inner = peek(inner, HEAD_BYTES)
    if head.startswith(MAGIC):
        raise TransformFile(how.source)
    reader = reader_of(head, how.read_as)
    if reader is None:
        _refuse_foreign(head, how)
    lines, texts = TextPieces(inner, how.source, how.encoding), inner
    if reader is None or not reader.binary:
        head, texts = peek(iter(lines))
        reader = reader_of(head, how.read_as)
    if reader is None:
        _refuse_foreign(head, how)  # what was UTF-16 is known only now
    if containers:
        how = how._replace(size=BUFFER_BYTES)  # the letters may be many more than the bytes of the file
    if how.read_as is ReadAs.AUTO and reader is None and is_prose(head):
        how = how._replace(read_as=ReadAs.TEXT)
    read = _plain if reader is None else reader.read
    if reader is None and how.read_as is not ReadAs.TEXT and head.lstrip().startswith(b">"):
        read = _fasta
    return (yield from read(texts, lines, how, notices))


def _refuse_foreign(head: bytes, how: Reading) -> None:
    if how.read_as is ReadAs.AUTO and (name := foreign(head)) is not None:
        # In a text its numbers and blanks would be letters too.
        instead = "" if name in (*SEQUENCE_FORMATS, TRACE) else ReadAs.TEXT if 0 not in head else ReadAs.BYTES
        right = "FASTA, FASTQ, GenBank, EMBL, UniProt, SnapGene or plain text is expected"
        if name == GFF:
            right = "open its FASTA file: this file is read with it if both have the same name and folder"
        if name == TRACE:
            right = "open it in ui.perfetto.dev; here only the record of a run opens"
        if name in ALIGNMENTS:
            right = "compare --alignment reads it beside A and B, and the window where it is dropped on them"
        raise InputError(how.source, f"this is {name}", right, instead=instead)


def _fasta(texts: Iterator[bytes], lines: TextPieces, how: Reading, notices: list[Notice], at: int = 0) -> Loading:
    fasta = Fasta(how.source, lines, how.size)
    for piece in texts:
        fasta.feed(piece, at)
        at = 0
        yield
    return (yield from fasta.finish([*notices, *lines.notices], how.fallback, how.alphabet))


def _plain(texts: Iterator[bytes], lines: TextPieces, how: Reading, notices: list[Notice]) -> Loading:
    counted = how.counted or how.alphabet is not None
    plain = Plain(how.source, lines, how.size, as_text=how.read_as is ReadAs.TEXT, counted=counted)
    for piece in texts:
        at = plain.feed(piece)
        if at is not None:
            # ``lines`` still has the place of this piece.
            notices.append(Notice(NoticeKind.DROPPED, plain.comments))
            return (yield from _fasta(chain([piece], texts), lines, how, notices, at))
        yield
    if how.read_as is ReadAs.FASTA:
        raise InputError(how.source, "no line begins with '>'", "FASTA has one before each sequence")
    return (yield from plain.finish([*notices, *lines.notices], how.fallback, how.alphabet))
