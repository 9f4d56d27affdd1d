"""Differences of an alignment as a table: one line per run of substituted, inserted or deleted letters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavediff.core.export import hunks, words
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.letter_fields import CHUNK_LETTERS, letters_field, text_field
from wavediff.core.jobs.alignment import APART, CONSUMES_A, CONSUMES_B, LETTER, SWAP, Op
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.difference_rows import DifferenceRows, all_rows, rows_of
from wavediff.core.jobs.edit_result import Locus
from wavediff.core.jobs.features.effects import Effects
from wavediff.core.methods.base import LINE, of_distance
from wavediff.core.sequences.sequence import Sequence

LOCI_HEADER = ("number", "strand", "a_start", "a_end", "edits", "one_minus_distance_over_longer")
HEADER = ("number", "op", "length", "a_start", "a_end", "b_start", "b_end", "a_letters", "b_letters")
EFFECT = "effect"  # one more column where there are features
_LETTERS_OF_OPS = {op: letter.encode() for op, letter in enumerate(LETTER)} | {SWAP: b"S", APART: b"N"}
_CHUNK_ROWS = 1 << 12  # of the table in a piece: some ms of work


def tsv(comparison: Comparison) -> Iterator[bytes]:
    """Yield a header and one line per run of X, I or D in column order; a swap is one line (S).

    N is a substitution that is not counted: one letter stands for any residue (``N``, in proteins ``X``), or
    ``Ambiguity.COMPATIBLE`` excludes the pair.

    If all places of B in A were requested, the table has a line for each place instead.

    Positions are 1-based, closed, and count in the files: on the minus strand those of B descend. An empty range lies
    between two letters: its start is the next letter, its end the preceding one. Overhang is no difference. Letters
    are UTF-8; blanks and bytes that are not text are written ``\\xHH``, invisible characters ``\\u{HHHH}``, the
    backslash as ``\\\\``; letters that begin with one of ``= + - @ '`` get a preceding ``'``.

    With features in A or B the last column has the effects on them, see ``wavediff.core.jobs.features.proteins``.

    A comparison by lines has hunks instead, see ``wavediff.core.export.hunks``, and one by words has changes, see
    ``wavediff.core.export.words``.
    """
    if not comparison.method.of_letters:
        yield from (hunks if comparison.method.unit == LINE else words).tsv(comparison)
        return
    if comparison.loci is not None:
        yield from _loci(comparison.loci, len(comparison.b))
        return
    yield from listed_tsv(
        ListedDifferences(comparison.a, comparison.b, comparison.index, Kinds.ANY, effects=comparison.effects)
    )


def _loci(loci: tuple[Locus, ...], m: int) -> Iterator[bytes]:
    yield ("\t".join(LOCI_HEADER) + "\n").encode("ascii")
    for number, locus in enumerate(loci, 1):
        place = b"%d\t%c\t%d\t%d" % (number, b"+" if locus.strand > 0 else b"-", locus.a_start + 1, locus.a_end)
        yield place + b"\t%d\t%.6f\n" % (locus.edits, of_distance(locus.edits, locus.a_end - locus.a_start, m))


def _lines(differences: ListedDifferences, rows: DifferenceRows, some: slice) -> Iterator[bytes]:
    a, b = differences.a, differences.b
    columns = [one[some] for one in (rows.number, rows.op, rows.columns, rows.a0, rows.a1, rows.b0, rows.b1)]
    lines: list[bytes] = []
    places = (a.place(rows.a0[some]), a.place(rows.a1[some] - 1), b.place(rows.b0[some]), b.place(rows.b1[some] - 1))
    for number, op, n, a0, a1, b0, b1, *ends in zip(*(column.tolist() for column in (*columns, *places)), strict=True):
        lines.append(b"%d\t%c\t%d\t%d\t%d\t%d\t%d\t" % (number + 1, _LETTERS_OF_OPS[op], n, *(end + 1 for end in ends)))
        line_end = b"\n"
        if differences.effects is not None:
            line_end = b"\t%b\n" % text_field(differences.effects.text(a0, a1, b0, b1))
        if n <= CHUNK_LETTERS:
            lines += [
                *letters_field(a.letters[a0:a1], a.characters), b"\t",
                *letters_field(b.letters[b0:b1], b.characters), line_end,
            ]  # fmt: skip
            continue
        yield b"".join(lines)  # a gap of a whole chromosome is streamed as well
        yield from letters_field(a.letters[a0:a1], a.characters)
        yield b"\t"
        yield from letters_field(b.letters[b0:b1], b.characters)
        lines = [line_end]
    yield b"".join(lines)


def tsv_bytes(comparison: Comparison) -> int:
    """Return the minimum size of the table in bytes: one line per difference, and its letters."""
    if comparison.loci is not None:
        return 0
    alignment = comparison.shown.aligned
    differs = alignment.ops != Op.EQUAL
    ops, lengths = alignment.ops[differs], alignment.lengths[differs]
    letters = int((lengths * (CONSUMES_A[ops] + CONSUMES_B[ops])).sum())
    return letters + 16 * int(np.count_nonzero(differs))


_PIECE_ROWS = 1 << 12  # rows made at a time: some ms of work


@dataclass(frozen=True, slots=True, eq=False)
class ListedDifferences:
    """Differences of A and B in display order.

    Attributes:
        kinds: kinds of differences that are counted.
        order: uint32, number (from 0) of each listed difference; None: all, in order.
        effects: of the differences; None without features.
    """

    a: Sequence
    b: Sequence
    index: AlignmentIndex
    kinds: Kinds
    order: npt.NDArray[np.uint32] | None = None
    effects: Effects | None = None

    def __len__(self) -> int:
        return self.index.n_differences(self.kinds) if self.order is None else int(self.order.size)


def listed_tsv(listed: ListedDifferences | hunks.ListedHunks) -> Iterator[bytes]:
    """Yield a header and one line per difference, or the lines of each hunk, as ``tsv`` does.

    The number of a difference counts the chosen kinds, in the order of the sequences.
    """
    if isinstance(listed, hunks.ListedHunks):
        yield from hunks.listed_tsv(listed)
        return
    yield ("\t".join((*HEADER, *[EFFECT] * (listed.effects is not None))) + "\n").encode("ascii")
    for rows in _pieces(listed):
        for first in range(0, len(rows), _CHUNK_ROWS):
            yield from _lines(listed, rows, slice(first, first + _CHUNK_ROWS))


def _pieces(differences: ListedDifferences) -> Iterator[DifferenceRows]:
    if differences.order is None:
        yield from all_rows(differences.index, differences.kinds)
        return
    for first in range(0, differences.order.size, _PIECE_ROWS):
        numbers = differences.order[first : first + _PIECE_ROWS].astype(np.int64)
        yield rows_of(differences.index, numbers, differences.kinds)
