"""Aligned pair as FASTA: two gapped rows of equal length, 60 columns per line, streamed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import printable
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.letter_fields import CAN_HOLD, require_letters
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Alignment
from wavediff.core.sequences.characters import is_shown, utf8_pieces
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.sequence import Sequence

LINE_LETTERS = 60
_CHUNK_COLUMNS = LINE_LETTERS << 14  # columns in a piece
_GAP = ord("-")
# Letters that a reader would drop, take for a gap or for the next record.
_UNSUITABLE = " ->"


def fasta(comparison: Comparison) -> Iterator[bytes]:
    """Yield the record of A, then of B; the header of B states its strand and rotation."""
    for sequence, consumes in ((comparison.a, CONSUMES_A), (comparison.b, CONSUMES_B)):
        title = " ".join(f"{sequence.name} {sequence.description} {_orientation(sequence)}".split())
        yield f">{printable(title)}\n".encode("utf-8", "backslashreplace")
        for piece in _row(sequence.letters, comparison.alignment, consumes.astype(bool)):
            yield from utf8_pieces(piece, sequence.characters)


def check(*sequences: Sequence) -> None:
    """Raise an error for sequences that aligned FASTA cannot hold, before any computation.

    Raises:
        ExportError: letters that a reader would drop, or read as a gap or the next record.
    """
    for sequence in sequences:
        require_letters(sequence, fits, "an aligned FASTA", CAN_HOLD)


def fits(character: str) -> bool:
    """Return whether readers of aligned FASTA accept a character as a letter."""
    return bool(character) and character not in _UNSUITABLE and is_shown(character)


def _orientation(sequence: Sequence) -> str:
    how = ["reverse complement"] * (sequence.orientation.strand is Strand.MINUS)
    how += [f"from {sequence.place(0) + 1}"] * sequence.orientation.turned
    return f"[{', '.join(how)}]" if how else ""


def _row(letters: Letters, alignment: Alignment, consumes: npt.NDArray[np.bool_]) -> Iterator[Letters]:
    taken = 0
    for ops in columns(alignment, _CHUNK_COLUMNS):
        filled = consumes[ops]
        n = int(np.count_nonzero(filled))
        lines = -(-ops.size // LINE_LETTERS)
        text = np.full((lines, LINE_LETTERS + 1), ord("\n"), letters.dtype)
        row = np.full(lines * LINE_LETTERS, _GAP, letters.dtype)
        row[: ops.size][filled] = letters[taken : taken + n]
        text[:, :LINE_LETTERS] = row.reshape(lines, LINE_LETTERS)
        taken += n
        # Only the last piece ends within a line.
        end = ops.size + lines - 1
        yield np.append(text.reshape(-1)[:end], text[0, -1:])


def columns(alignment: Alignment, size: int) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield the operation of each column in chunks of ``size`` columns."""
    run, used = 0, 0  # the run that the next column is of, and how much of it is used up
    n_runs = alignment.ops.size
    window = 1024
    while run < n_runs:
        lengths = alignment.lengths[run : run + window].copy()
        lengths[0] -= used
        ends = np.cumsum(lengths)
        if ends[-1] < size and run + window < n_runs:
            window *= 2  # as many runs as a piece needs, however short they are
            continue
        last = int(np.searchsorted(ends, size))  # the run in which the piece ends
        if last >= lengths.size:
            yield np.repeat(alignment.ops[run : run + lengths.size], lengths)
            return
        before = int(ends[last - 1]) if last else 0
        lengths[last] = size - before
        yield np.repeat(alignment.ops[run : run + last + 1], lengths[: last + 1])
        used = size - before + (used if last == 0 else 0)
        run += last
        if used == alignment.lengths[run]:
            run, used = run + 1, 0


def fasta_bytes(comparison: Comparison) -> int:
    """Return the size of both gapped rows in bytes, without headers."""
    columns = comparison.alignment.n_columns
    return 2 * (columns + -(-columns // LINE_LETTERS))
