"""The differences of an alignment as a table: one line a run of exchanged, inserted or deleted letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from core.base.arrays import Counts
from core.export.comparison import Comparison
from core.export.letter_fields import CHUNK_LETTERS, letters_field
from core.jobs.alignment import CONSUMES_A, CONSUMES_B, LETTER, Alignment, Op
from core.jobs.edit_result import Locus
from core.jobs.swap_result import SWAP, Swaps, mark_swaps
from core.methods.base import of_distance
from core.sequences.sequence import Sequence

LOCI_HEADER = ("number", "strand", "a_start", "a_end", "edits", "one_minus_distance_over_longer")
HEADER = ("number", "op", "length", "a_start", "a_end", "b_start", "b_end", "a_letters", "b_letters")
_LETTERS_OF_OPS = {op: letter.encode() for op, letter in enumerate(LETTER)} | {SWAP: b"S"}
_CHUNK_RUNS = 1 << 13  # of the alignment in a piece: some ms of work


def tsv(found: Comparison) -> Iterator[bytes]:
    """Yield the header and a line for each run of X, I or D, first column first; S for a swap, whatever lies between.

    Where all places of B in A were asked for it has a line for each place instead.

    Positions are 1-based and closed, and those of B are in its file: on the other strand they descend. Where a side has
    no letters its place is empty and lies between two letters: the start is then that of the next letter, the end that
    of the one before. Overhang, where ends are free, is no difference. Letters are UTF-8; blanks and bytes that are no
    text are written ``\\xHH``, characters that cannot be seen ``\\u{HHHH}``, the backslash as ``\\\\``; ``'`` is put
    before letters that begin with one of ``= + - @ '``.
    """
    if found.loci is not None:
        yield from _loci(found.loci, len(found.b))
        return
    a, b = found.a, found.b
    yield ("\t".join(HEADER) + "\n").encode("ascii")
    number, (at_a, at_b) = 0, found.shown.start
    for ops, lengths, letters_a, letters_b in _pieces(found.shown.aligned, found.swaps):
        ends_a, ends_b = at_a + np.cumsum(letters_a), at_b + np.cumsum(letters_b)
        differs = ops != Op.EQUAL
        starts_a, starts_b = ends_a - letters_a, ends_b - letters_b
        places = (one[differs] for one in (ops, lengths, starts_a, ends_a, starts_b, ends_b))
        numbers = np.arange(number, number + np.count_nonzero(differs))
        yield from difference_lines(a, b, (numbers, *places))
        number += numbers.size
        at_a, at_b = int(ends_a[-1]), int(ends_b[-1])


def _loci(loci: tuple[Locus, ...], m: int) -> Iterator[bytes]:
    """Yield the header and a line for each place of B, of ``m`` letters: positions 1-based and closed."""
    yield ("\t".join(LOCI_HEADER) + "\n").encode("ascii")
    for number, one in enumerate(loci, 1):
        place = b"%d\t%c\t%d\t%d" % (number, b"+" if one.strand > 0 else b"-", one.a_start + 1, one.a_end)
        yield place + b"\t%d\t%.6f\n" % (one.edits, of_distance(one.edits, one.a_end - one.a_start, m))


def difference_lines(a: Sequence, b: Sequence, columns: tuple[npt.NDArray[Any], ...]) -> Iterator[bytes]:
    """Yield the lines of some differences.

    Args:
        columns: numbers (from 0), ops, columns, and where letters of A and of B start and end (0-based, half open, as
            compared).
    """
    lines: list[bytes] = []
    starts, ends = b.place(columns[5]) + 1, b.place(columns[6] - 1) + 1
    for number, op, n, a0, a1, b0, b1, start, end in zip(
        *(one.tolist() for one in (*columns, starts, ends)), strict=True
    ):
        places = (a0 + 1, a1, start, end)
        lines.append(b"%d\t%c\t%d\t%d\t%d\t%d\t%d\t" % (number + 1, _LETTERS_OF_OPS[op], n, *places))
        if n <= CHUNK_LETTERS:
            lines += [
                *letters_field(a.letters[a0:a1], a.characters), b"\t",
                *letters_field(b.letters[b0:b1], b.characters), b"\n",
            ]  # fmt: skip
            continue
        yield b"".join(lines)  # a gap of a whole chromosome is streamed as well
        yield from letters_field(a.letters[a0:a1], a.characters)
        yield b"\t"
        yield from letters_field(b.letters[b0:b1], b.characters)
        lines = [b"\n"]
    yield b"".join(lines)


def _pieces(alignment: Alignment, swaps: Swaps | None) -> Iterator[tuple[Any, Counts, Counts, Counts]]:
    """Yield some runs at a time: ops, columns, letters of A and of B."""
    if swaps is not None and len(swaps):
        runs = mark_swaps(alignment, swaps)
        for first in range(0, runs[0].size, _CHUNK_RUNS):
            ops, lengths, in_a, in_b = (one[first : first + _CHUNK_RUNS] for one in runs)
            yield ops, lengths, in_a, in_b
        return
    for first in range(0, alignment.ops.size, _CHUNK_RUNS):
        part, lengths = alignment.ops[first : first + _CHUNK_RUNS], alignment.lengths[first : first + _CHUNK_RUNS]
        yield part, lengths, lengths * CONSUMES_A[part], lengths * CONSUMES_B[part]


def tsv_bytes(found: Comparison) -> int:
    """Return the bytes that the table has at least: a line a difference, and the letters that differ."""
    if found.loci is not None:
        return 0
    alignment = found.shown.aligned
    differs = alignment.ops != Op.EQUAL
    ops, lengths = alignment.ops[differs], alignment.lengths[differs]
    letters = int((lengths * (CONSUMES_A[ops] + CONSUMES_B[ops])).sum())
    return letters + 16 * int(np.count_nonzero(differs))
