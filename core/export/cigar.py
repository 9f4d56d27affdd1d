"""An alignment as a CIGAR: ``=`` and ``X``, I = letters only in the query B, D = only in the reference A."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.export.comparison import Comparison
from wavediff.core.jobs.alignment import LETTER, Alignment

_CHUNK_RUNS = 1 << 17  # runs in a piece: some hundred kB of text, a few ms of work
_LETTERS = np.frombuffer(LETTER.encode(), np.uint8)
_POWERS = 10 ** np.arange(1, 19, dtype=np.int64)


def cigar(alignment: Alignment) -> Iterator[bytes]:
    """Yield the CIGAR of ``alignment`` in pieces of whole runs, its overhang left out; ``*`` for an alignment of
    nothing, as SAM has it."""
    alignment = alignment.aligned
    if not alignment.ops.size:
        yield b"*"
    for first in range(0, alignment.ops.size, _CHUNK_RUNS):
        yield _format(alignment.ops[first : first + _CHUNK_RUNS], alignment.lengths[first : first + _CHUNK_RUNS])


def line(found: Comparison) -> Iterator[bytes]:
    yield from cigar(found.alignment)
    yield b"\n"


def digits(numbers: Counts) -> Counts:
    """Return the decimal digits of each number, which is 0 or more."""
    return np.searchsorted(_POWERS, numbers, side="right") + 1


def _format(ops: np.ndarray, lengths: np.ndarray) -> bytes:
    """Write the decimal digits of all runs at once, last digits first: no Python object a run."""
    n_digits = digits(lengths)
    ends = np.cumsum(n_digits + 1)
    text = np.empty(int(ends[-1]), np.uint8)
    text[ends - 1] = _LETTERS[ops]
    place, rest = ends - 2, lengths.copy()
    for _ in range(int(n_digits.max())):
        text[place] = ord("0") + rest % 10
        place, rest = place - 1, rest // 10
        more = rest > 0
        place, rest = place[more], rest[more]
    return text.tobytes()


def cigar_bytes(found: Comparison) -> int:
    """Return the bytes of the CIGAR; PAF has more, as a line has more bytes than the gaps that it leaves out."""
    alignment = found.alignment.aligned
    return int(digits(alignment.lengths).sum()) + int(alignment.ops.size) or 1
