"""A transform as a file of its own kind (``core.results.bwt_format``), its last column, the order of its suffixes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Letters
from core.results.bwt import Places
from core.results.bwt_format import FOLDED, MAGIC, MOST_NAME, SAMPLED, VERSION, Header, crc32
from core.results.bwt_index import SavedBwt

PIECE = 1 << 22  # bytes
LINES = 1 << 16


def bwt_file(saved: SavedBwt) -> Iterator[bytes]:
    """Yield the file of ``saved``, with its samples where it has some."""
    name = saved.name.encode("utf-8", "surrogateescape")[:MOST_NAME]
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
    for start in range(0, letters.size, PIECE):
        yield letters[start : start + PIECE].tobytes()


def suffix_order(suffixes: Places) -> Iterator[bytes]:
    """Yield where each row begins in the text, 0-based, a line each; the first is that of ``$``, n."""
    for start in range(0, suffixes.size, LINES):
        yield "".join(f"{place}\n" for place in suffixes[start : start + LINES].tolist()).encode()


def _bytes(array: npt.NDArray[Any], kind: str) -> Letters:
    return np.ascontiguousarray(array, kind).view(np.uint8)
