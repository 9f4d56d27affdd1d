"""Export of a transform: index file (``wavediff.core.jobs.bwt_format``), columns, search results and JSON."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import printable
from wavediff.core.export import json
from wavediff.core.export.letter_fields import name_field
from wavediff.core.jobs.bwt_format import FOLDED, MAGIC, MAX_NAME_BYTES, SAMPLED, VERSION, Header, crc32
from wavediff.core.jobs.bwt_result import BwtIndex, BwtResult, FindResult, InverseBwtResult, SavedBwt
from wavediff.core.jobs.compression import CompressionResult
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.sequences.sequence import Sequence

PIECE_BYTES = 1 << 22  # bytes
PIECE_LINES = 1 << 16
PIECE_ROWS = 1 << 14


@dataclass(frozen=True, slots=True)
class BwtAnswer:
    """A transform and its input.

    Attributes:
        sequences: one, or two joined by ``separator``.
        compression: None if not requested.
    """

    sequences: tuple[Sequence, ...]
    result: BwtResult
    saved: SavedBwt
    separator: int | None
    timings: tuple[KernelTiming, ...]
    compression: CompressionResult | None = None


@dataclass(frozen=True, slots=True)
class InverseAnswer:
    """Text of the transform read from the file ``source``."""

    source: str
    primary: int
    result: InverseBwtResult
    timings: tuple[KernelTiming, ...]


@dataclass(frozen=True, slots=True)
class IndexAnswer:
    """Searchable transform."""

    index: BwtIndex

    @property
    def saved(self) -> SavedBwt:
        return self.index.saved()


@dataclass(frozen=True, slots=True)
class FindAnswer(IndexAnswer):
    """Patterns found in an index.

    Attributes:
        located: whether positions were requested, not only counts.
        length: number of letters of the text; positions count letters too.
        sizes: number of letters of each pattern.
    """

    patterns: tuple[bytes, ...]
    result: FindResult
    located: bool
    timings: tuple[KernelTiming, ...]
    length: int
    sizes: tuple[int, ...]


def index(answer: BwtAnswer | IndexAnswer) -> Iterator[bytes]:
    """Yield the transform as an index file."""
    return bwt_file(answer.saved)


def column(answer: BwtAnswer | IndexAnswer) -> Iterator[bytes]:
    """Yield the last column without ``$``."""
    return last_column(answer.saved.last)


def suffixes(answer: BwtAnswer) -> Iterator[bytes]:
    """Yield the suffix array, 0-based, one position per line; the first is that of ``$``, n."""
    suffixes = answer.result.suffixes
    assert suffixes is not None, "asked for before the job began"
    for start in range(0, suffixes.size, PIECE_LINES):
        yield "".join(f"{place}\n" for place in suffixes[start : start + PIECE_LINES].tolist()).encode()


def text(answer: InverseAnswer) -> Iterator[bytes]:
    return last_column(answer.result.text)


def bwt_file(saved: SavedBwt) -> Iterator[bytes]:
    """Yield ``saved`` as an index file, with its samples if present."""
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
    """Yield the raw letters without ``$``."""
    for start in range(0, letters.size, PIECE_BYTES):
        yield letters[start : start + PIECE_BYTES].tobytes()


def _bytes(array: npt.NDArray[Any], kind: str) -> Letters:
    return np.ascontiguousarray(array, kind).view(np.uint8)


def positions_tsv(answer: FindAnswer) -> Iterator[bytes]:
    """Yield one line per position: sequence name, pattern, start and end (1-based)."""
    yield b"sequence\tpattern\tstart\tend\n"
    name = name_field(answer.index.name) or "*"
    for number, (pattern, size) in enumerate(zip(answer.patterns, answer.sizes, strict=True)):
        places, label = answer.result.positions_of(number), name_field(printable(os.fsdecode(pattern)))
        for start in range(0, places.size, PIECE_ROWS):
            some = places[start : start + PIECE_ROWS].tolist()
            yield "".join(f"{name}\t{label}\t{p + 1}\t{p + size}\n" for p in some).encode("utf-8", "replace")


def bwt(answer: BwtAnswer) -> list[bytes]:
    """Return the JSON of a transform; ``n_runs``: runs of equal letters among the n stored letters."""
    result = answer.result
    value = {
        "method": "bwt",
        "length": result.length,
        "primary_index": result.primary,
        "n_runs": result.n_runs,
        "mean_run_length": result.mean_run_length,
        "definition": "rotations of T$ sorted, $ smaller than every byte and not stored",
        "last_column_sha256": hashlib.sha256(result.last.data).hexdigest(),
        "compression": _compression(answer.compression),
        "separator": answer.separator,
        "fold_case": answer.saved.fold_case,
        "strategy": result.strategy,
        "reason": result.reason,
        "device": result.device,
        "kernel_seconds": result.kernel_seconds,
        "check_seconds": result.check_seconds,
        "wall_seconds": result.wall_seconds,
        "compile_seconds": sum(timing.compile_seconds for timing in answer.timings),
        "sequences": [json.about(sequence) for sequence in answer.sequences],
        "versions": json.versions(),
    }
    return [json.text("bwt", value)]


def _compression(result: CompressionResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "bytes": {step.id: math.ceil(step.bits / 8) for step in result.steps},
        "bits_per_letter": {step.id: step.bits / max(1, result.length) for step in result.steps},
        "rank_counts": result.ranks.tolist(),
        "n_symbols": result.n_symbols,
    }


def inverse_bwt(answer: InverseAnswer) -> list[bytes]:
    result = answer.result
    value = {
        "method": "bwt-inverse",
        "source": answer.source,
        "length": int(result.text.size),
        "primary_index": answer.primary,
        "sha256": hashlib.sha256(result.text.data).hexdigest(),
        "device": result.device,
        "kernel_seconds": result.kernel_seconds,
        "wall_seconds": result.wall_seconds,
        "versions": json.versions(),
    }
    return [json.text("bwt-inverse", value)]


def found(answer: FindAnswer) -> list[bytes]:
    """Return counts, rows and positions of each pattern, 0-based; bytes above 127 in Python escapes."""
    index, result = answer.index, answer.result
    entries = []
    for number, pattern in enumerate(answer.patterns):
        entry: dict[str, Any] = {
            "pattern": pattern.decode("utf-8", "surrogateescape"),
            "count": int(result.counts[number]),
            "row_interval": [int(result.lows[number]), int(result.highs[number])],
        }
        if answer.located:
            entry["positions"] = result.positions_of(number).tolist()
        entries.append(entry)
    value = {
        "method": "find",
        "name": index.name,
        "length": answer.length,
        "fold_case": index.fold_case,
        "patterns": entries,
        "index_seconds": index.wall_seconds,
        "find_seconds": result.wall_seconds,
        "versions": json.versions(),
    }
    return [json.text("find", value)]
