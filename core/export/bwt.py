"""A transform as a file of its own kind (``wavediff.core.jobs.bwt_format``), its columns, and what was found in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import printable
from wavediff.core.jobs.bwt_format import FOLDED, MAGIC, MAX_NAME_BYTES, SAMPLED, VERSION, Header, crc32
from wavediff.core.jobs.bwt_index import BwtIndex, FindResult, SavedBwt
from wavediff.core.jobs.bwt_result import BwtResult, InverseBwtResult
from wavediff.core.jobs.compression import CompressionResult
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.sequences.sequence import Sequence

PIECE_BYTES = 1 << 22  # bytes
PIECE_LINES = 1 << 16
PIECE_ROWS = 1 << 14


@dataclass(frozen=True, slots=True)
class BwtAnswer:
    """A transform and what it was made of.

    Attributes:
        sequences: one, or two that were joined by ``separator``.
        compression: None where it was not asked for.
    """

    sequences: tuple[Sequence, ...]
    result: BwtResult
    saved: SavedBwt
    separator: int | None
    timings: tuple[KernelTiming, ...]
    compression: CompressionResult | None = None


@dataclass(frozen=True, slots=True)
class InverseAnswer:
    """The text of a transform that was read from the file ``source``."""

    source: str
    primary: int
    result: InverseBwtResult
    timings: tuple[KernelTiming, ...]


@dataclass(frozen=True, slots=True)
class IndexAnswer:
    """A transform that can be searched."""

    index: BwtIndex

    @property
    def saved(self) -> SavedBwt:
        return self.index.saved()


@dataclass(frozen=True, slots=True)
class FindAnswer(IndexAnswer):
    """Patterns that were looked up in an index.

    Attributes:
        located: positions were asked for, and not counts alone.
        length: letters of the text; positions are those of letters too.
        sizes: letters of each pattern.
    """

    patterns: tuple[bytes, ...]
    result: FindResult
    located: bool
    timings: tuple[KernelTiming, ...]
    length: int
    sizes: tuple[int, ...]


def index(answer: BwtAnswer | IndexAnswer) -> Iterator[bytes]:
    """Yield the transform as a file of its own kind."""
    return bwt_file(answer.saved)


def column(answer: BwtAnswer | IndexAnswer) -> Iterator[bytes]:
    """Yield the last column, ``$`` left out."""
    return last_column(answer.saved.last)


def suffixes(answer: BwtAnswer) -> Iterator[bytes]:
    """Yield where each row begins in the text, 0-based, a line each; the first is that of ``$``, n."""
    suffixes = answer.result.suffixes
    assert suffixes is not None, "asked for before the job began"
    for start in range(0, suffixes.size, PIECE_LINES):
        yield "".join(f"{place}\n" for place in suffixes[start : start + PIECE_LINES].tolist()).encode()


def text(answer: InverseAnswer) -> Iterator[bytes]:
    """Yield the text that a transform was made of."""
    return last_column(answer.result.text)


def bwt_file(saved: SavedBwt) -> Iterator[bytes]:
    """Yield the file of ``saved``, with its samples where it has some."""
    name = saved.name.encode("utf-8", "surrogateescape")[:MAX_NAME_BYTES]
    sections = [np.frombuffer(name, np.uint8), saved.last]
    if saved.marks is not None and saved.samples is not None:
        sections += [_bytes(saved.marks, "<u8"), _bytes(saved.samples, "<i4")]
    checksums = [0, 0, 0, 0]
    for number, section in enumerate(sections):
        for piece in last_column(section):
            checksums[number] = crc32(piece, checksums[number])
    yield Header(
        MAGIC,
        VERSION,
        FOLDED * saved.fold_case + SAMPLED * (saved.samples is not None),
        int(saved.last.size),
        saved.primary,
        saved.n_runs,
        saved.every if saved.samples is not None else 0,
        len(name),
        *checksums,
    ).pack()
    for section in sections:
        yield from last_column(section)


def last_column(letters: Letters) -> Iterator[bytes]:
    """Yield the letters as they are, ``$`` left out."""
    for start in range(0, letters.size, PIECE_BYTES):
        yield letters[start : start + PIECE_BYTES].tobytes()


def _bytes(array: npt.NDArray[Any], kind: str) -> Letters:
    return np.ascontiguousarray(array, kind).view(np.uint8)


def positions_tsv(answer: FindAnswer) -> Iterator[bytes]:
    """Yield a line for each position: name of the sequence, pattern, start and end as a person counts them."""
    yield b"sequence\tpattern\tstart\tend\n"
    name = _field(answer.index.name)
    for number, (pattern, size) in enumerate(zip(answer.patterns, answer.sizes, strict=True)):
        places, shown = answer.result.positions_of(number), _field(printable(os.fsdecode(pattern)))
        for start in range(0, places.size, PIECE_ROWS):
            some = places[start : start + PIECE_ROWS].tolist()
            yield "".join(f"{name}\t{shown}\t{p + 1}\t{p + size}\n" for p in some).encode("utf-8", "replace")


def _field(text: str) -> str:
    return "".join(c if c.isprintable() and c != "\t" else "_" for c in text) or "*"
