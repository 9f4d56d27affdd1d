"""Alignments from other programs, and their combination with ours in common columns."""

from __future__ import annotations

import os
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import InputError, count_noun, printable
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, LETTER, Alignment, Op, paired
from wavediff.core.jobs.alignment_index import AlignmentIndex, index_of
from wavediff.core.jobs.difference_index import NEITHER, DifferenceIndex
from wavediff.core.sequences.characters import FOLDED, fold_table
from wavediff.core.sequences.common_characters import comparable_pair
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.sequence import Sequence

MATCH = 4  # ``M`` of a CIGAR, follows the codes of ``Op``: two letters, equal or not
STRANDS = ("strand of its file", "other strand")
_CHOOSE = "choose one with --record-alignment N"
_LISTED = 5  # records in a message
_UPPER = fold_table(True)
_FOLDED = np.frombuffer(FOLDED, np.uint8)
_CODED = np.where(np.isin(_FOLDED, np.frombuffer(b"ACGT", np.uint8)), _FOLDED, ord("N"))


class Claims(NamedTuple):
    """Sequence letters stated in an alignment file.

    Attributes:
        at: int64, ascending: places relative to the first aligned letter, on the strand of the alignment.
        letters: uint8, one per place. lines: index of the first claim of each line of the file, and the line number.
    """

    at: Counts
    letters: Letters
    lines: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AlignmentRecord:
    """One alignment of a file: A is the target or reference, B the query or read.

    Attributes:
        source, line: file, and its line (from 1). binary: ``line`` is the number of the record, as a BAM has no lines.
        names: of A and B. sizes: letters of both; None if the file has none.
        starts: letters of A, and of B on its strand, before the aligned part. minus: whether B is on its minus strand.
        ops, lengths: uint8 and int64, runs of ``Op`` or ``MATCH``.
        claims: letters of A and of B. coded: they distinguish only A, C, G and T, as in minimap2.
        holds_letters: whether all aligned letters of both are in ``claims``.
    """

    source: str
    line: int
    names: tuple[str, str]
    sizes: tuple[int | None, int | None]
    starts: tuple[int, int]
    minus: bool
    ops: npt.NDArray[np.uint8]
    lengths: Counts
    claims: tuple[Claims | None, Claims | None] = (None, None)
    coded: bool = False
    holds_letters: bool = False
    binary: bool = False

    def taken_for(self, names: tuple[str, str]) -> str:
        """Return the note on a record of sequences that have other ``names``, or an empty string."""
        own, these = (" and ".join(printable(name, 40) for name in some) for some in (self.names, names))
        return "" if self.names == names else f"{own} in this file are used as {these}"

    @property
    def aligned(self) -> tuple[int, int]:
        """Numbers of aligned letters of A and B."""
        one, other = (int(self.lengths[self.ops != gap].sum()) for gap in (Op.INSERTION, Op.DELETION))
        return one, other

    @property
    def places(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """``[start, end)`` of the aligned part of A and of B, on the strands in the file."""
        (a0, b0), (n_a, n_b), size = self.starts, self.aligned, self.sizes[1]
        b0 = size - b0 - n_b if self.minus and size is not None else b0
        return (a0, a0 + n_a), (b0, b0 + n_b)

    @property
    def text(self) -> str:
        parts = zip(self.names, self.places, strict=True)
        one, other = (f"{printable(name, 40)} {start + 1:,}-{end:,}" for name, (start, end) in parts)
        return f"{one} with {other}{' (-)' if self.minus else ''}"

    @property
    def exchanged(self) -> AlignmentRecord:
        """The alignment with A and B exchanged; both on the strands in the file."""
        ops = np.array([Op.EQUAL, Op.MISMATCH, Op.DELETION, Op.INSERTION, MATCH], np.uint8)[self.ops]
        both = {name: getattr(self, name)[::-1] for name in ("names", "sizes", "starts", "claims")}
        return replace(self, ops=ops, **both)

    def error(self, found: str, right: str = "", line: int = 0) -> InputError:
        return InputError(self.source, found, right, **place(line or self.line, self.binary))


def place(number: int, binary: bool) -> dict[str, Any]:
    """Return the arguments of an ``InputError`` at a line of a file, or at a record of a binary one."""
    return {"record": (number, "")} if binary else {"line": number}


class GivenAlignment(NamedTuple):
    """Validated alignment from a file.

    Attributes:
        source: the file. lines: of its records in the file; binary: their numbers.
        names: of A and B in the file. alignment: of all letters; letters beyond the aligned part are overhang.
    """

    source: str
    lines: tuple[int, ...]
    names: tuple[str, str]
    alignment: Alignment
    binary: bool = False

    @property
    def text(self) -> str:
        unit = f"{'record' if self.binary else 'line'}{'s' * (len(self.lines) > 1)}"
        lines = f"{unit} {', '.join(map(str, self.lines[:_LISTED]))}"
        return f"{printable(os.path.basename(self.source))}, {lines}{', …' if len(self.lines) > _LISTED else ''}"


def of_pair(
    records: tuple[AlignmentRecord, ...], names: tuple[str, str] | None, number: int | None = None
) -> tuple[AlignmentRecord, ...]:
    """Return the records for two sequences by ``names``, in either order; a single pair of a file matches any names.

    Args:
        names: None if the file has the sequences. number: of the record, from 1.

    Raises:
        InputError: no such record; the message lists the existing ones.
    """
    named = tuple(one for one in records if one.names == names)
    if not named and number is None and names is not None:
        named = tuple(one.exchanged for one in records if one.names == names[::-1] and not one.minus)
    if number is None and (named or len({one.names for one in records}) == 1):
        return named or records
    if number is not None and 1 <= number <= len(records):
        return (records[number - 1],)
    what = f"no alignment number {number}; there is "
    if number is None:
        what = f"no alignment of {' with '.join(printable(name, 40) for name in names)}; there is " if names else ""
    turned = names is not None and any(one.names == names[::-1] for one in records)
    raise InputError(records[0].source, what + _listed(records), "exchange A and B" if turned else _CHOOSE)


def _listed(records: tuple[AlignmentRecord, ...]) -> str:
    some = "; ".join(f"{k}: {one.text}" for k, one in enumerate(records[:_LISTED], 1))
    return some + ("; …" if len(records) > _LISTED else "")


def checked(records: tuple[AlignmentRecord, ...], a: Sequence, b: Sequence, *, fold_case: bool) -> GivenAlignment:
    """Validate records against ``a`` and ``b`` as compared; return their alignment, with gaps between several records.

    Raises:
        InputError: the records have other letters; the message names the line and the first different letter.
    """
    parts = sorted((_part(one, a, b, fold_case) for one in records), key=lambda part: part[0])
    gap, columns, at = np.array([Op.DELETION, Op.INSERTION], np.uint8), list[npt.NDArray[np.uint8]](), (0, 0)
    for start, column in [*parts, ((len(a), len(b)), gap[:0])]:
        if min(np.subtract(start, at)) < 0:
            raise records[0].error(f"alignments that do not follow each other: {_listed(records)}", _CHOOSE)
        columns += [np.repeat(gap, np.subtract(start, at)), column]
        at = start[0] + int(CONSUMES_A[column].sum()), start[1] + int(CONSUMES_B[column].sum())
    column = np.concatenate(columns)
    head, tail = columns[0].size, column.size - columns[-2].size
    new = np.append(True, column[1:] != column[:-1])[: column.size]
    heads = np.union1d(np.flatnonzero(new), [each for each in (head, tail) if each < column.size])
    overhang = int(np.searchsorted(heads, head)), heads.size - int(np.searchsorted(heads, tail))
    alignment = Alignment(column[heads], np.diff(heads, append=column.size), *overhang)
    first, lines = records[0], tuple(one.line for one in records)
    return GivenAlignment(first.source, lines, first.names, alignment, first.binary)


def _part(
    one: AlignmentRecord, a: Sequence, b: Sequence, fold_case: bool
) -> tuple[tuple[int, int], npt.NDArray[np.uint8]]:
    """Return the first letters (as compared) and the columns of a record."""
    pair, minus, starts = (a, b), b.orientation.strand is Strand.MINUS, list[int]()
    if one.minus != minus:
        raise one.error(f"B is on the {STRANDS[one.minus]}", f"it is compared on the {STRANDS[minus]}")
    table = _UPPER if not (a.alphabet.is_nucleotide and b.alphabet.is_nucleotide) else _CODED if one.coded else _FOLDED
    for k, (side, sequence) in enumerate(zip("AB", pair, strict=True)):
        size, first, n, claims, has = one.sizes[k], one.starts[k], one.aligned[k], one.claims[k], len(sequence)
        if sequence.characters:
            raise one.error(f"{side} has letters beyond ASCII", "alignments of files have letters of ASCII")
        if (size is not None and size != has) or not 0 <= first <= first + n <= has:
            found = f"{side} has {count_noun(max(size or 0, first + n), 'letter')}"
            raise one.error(found, f"{printable(sequence.name, 40)} has {has:,}")
        starts.append(int(_indices(sequence, np.array(first))) if n else first)
        if starts[-1] + n > has:
            raise one.error(
                f"{side} begins inside the aligned letters", "'--topology linear' begins where its file does"
            )
        if claims is not None:
            _check_letters(one, side, sequence, claims, first, table)
    column = np.repeat(one.ops, one.lengths)
    both = (column != Op.INSERTION) & (column != Op.DELETION)
    at = tuple(each + start for each, start in zip(paired(column), starts, strict=True))
    letters = [sequence.letters[there] for sequence, there in zip(pair, at, strict=True)]
    compared, fold = comparable_pair(a, b, fold_case), fold_table(fold_case)
    equal, said = fold[compared[0][at[0]]] == fold[compared[1][at[1]]], column[both]
    wrong = np.where(said == Op.EQUAL, table[letters[0]] != table[letters[1]], (said == Op.MISMATCH) & equal)
    if wrong.any():
        k = int(wrong.argmax())
        places = [
            f"{side} {sequence.place(int(there[k])) + 1:,} ({printable(chr(found[k]))})"
            for side, sequence, there, found in zip("AB", pair, at, letters, strict=True)
        ]
        raise one.error(f"'{LETTER[said[k]]}' for {' and '.join(places)}", f"'{'X='[said[k]]}' would be right")
    column[both] = np.where(equal, Op.EQUAL, Op.MISMATCH)
    return (starts[0], starts[1]), column


def _indices(sequence: Sequence, at: Counts) -> Counts:
    """Return the indices, as compared, of the letters at positions ``at`` of the strand."""
    how = sequence.orientation
    return (at - how.shift) % len(sequence) if how.turned else at


def _check_letters(
    one: AlignmentRecord, side: str, sequence: Sequence, claims: Claims, first: int, table: Letters
) -> None:
    at = claims.at + first
    if at.size and not 0 <= int(at[0]) <= int(at[-1]) < len(sequence):
        raise one.error(f"letter {int(at[-1]) + 1:,} of {side}", f"{sequence.name} has {len(sequence):,}")
    index = _indices(sequence, at)
    wrong = table[claims.letters] != table[sequence.letters[index]]
    if wrong.any():
        k = int(wrong.argmax())
        line = claims.lines[bisect_right(claims.lines, k, key=lambda each: each[0]) - 1][1]
        has, claim = (printable(chr(each[at])) for each, at in ((sequence.letters, index[k]), (claims.letters, k)))
        found = f"'{claim}' for letter {sequence.place(int(index[k])) + 1:,} of {side}"
        raise one.error(found, f"{printable(sequence.name, 40)} has '{has}' there", line)


class Stacked(NamedTuple):
    """Two alignments in common columns: one per letter of A; insertions of both at the same place share columns.

    Attributes:
        starts: int64, shape (k + 1,): first column of each segment; the last one is the number of columns.
        firsts: int64, shape (3, k): first letter of A, of B in ours, of B in theirs; -1: a gap.
        counts: int64, shape (3, k): letters of each in the segment, followed by a gap.
        differs: bool, shape (k,): ours and theirs have different letters of B, inside the aligned part of theirs.
    """

    starts: Counts
    firsts: Counts
    counts: Counts
    differs: npt.NDArray[np.bool_]

    @property
    def n_different(self) -> int:
        """Number of columns that differ."""
        return int(np.diff(self.starts)[self.differs].sum())

    def blocks(self, size: int) -> list[int]:
        """Return the first column of each block of ``size`` columns with differences."""
        first, last = self.starts[:-1][self.differs] // size, (self.starts[1:][self.differs] - 1) // size
        spans = zip(first.tolist(), last.tolist(), strict=True)
        return sorted({block * size for one, end in spans for block in range(one, end + 1)})

    def window(self, col0: int, col1: int) -> tuple[Counts, npt.NDArray[np.bool_]]:
        """Return the letters of A, of B in ours and of B in theirs in ``[col0, col1)`` (-1: gap), shape (3, n), and
        whether each column differs.
        """
        columns = np.arange(col0, min(col1, int(self.starts[-1])))
        segment = np.searchsorted(self.starts, columns, "right") - 1
        inside = columns - self.starts[segment]
        firsts = self.firsts[:, segment]
        return np.where((firsts >= 0) & (inside < self.counts[:, segment]), firsts + inside, -1), self.differs[segment]

    def index_of_ours(self, ours: AlignmentIndex) -> tuple[AlignmentIndex, DifferenceIndex]:
        """Return two indexes over these columns: of our alignment, and with the columns that differ as mismatches."""
        starts, lengths = self.starts[:-1], np.diff(self.starts)
        own = np.where(self.firsts[0] >= 0, lengths, self.counts[1])  # columns of ours in each segment
        before, without = np.cumsum(own) - own, own < lengths
        gaps = [(starts + own)[without], self.starts[1:][without]]  # where only theirs has letters, and behind

        def runs_of(ops: npt.NDArray[np.uint8], columns: Counts) -> tuple[npt.NDArray[np.uint8], Counts, Counts]:
            """Return codes, columns and numbers of our runs, with the columns only theirs has."""
            firsts = np.cumsum(columns) - columns
            segment = np.searchsorted(before, firsts, "right") - 1
            edges = np.unique(np.concatenate([starts[segment] + firsts - before[segment], *gaps, self.starts[-1:]]))
            segment = np.searchsorted(starts, edges[:-1], "right") - 1
            inside = edges[:-1] - starts[segment]
            run = np.searchsorted(firsts, before[segment] + inside, "right") - 1
            codes = np.where(inside < own[segment], ops[run] if ops.size else NEITHER, NEITHER).astype(np.uint8)
            return codes, np.diff(edges), run

        alignment = ours.alignment
        ops, columns, runs = runs_of(alignment.ops, alignment.lengths)
        head, tail = (
            int((runs < edge).sum()) for edge in (alignment.head_runs, alignment.ops.size - alignment.tail_runs)
        )
        new = np.flatnonzero(np.append(True, self.differs[1:] != self.differs[:-1]))
        kinds, together = self.differs[new] * np.uint8(Op.MISMATCH), np.add.reduceat(lengths, new)
        codes, wide, _ = runs_of(ours.run_ops, ours.run_columns)
        both = index_of(Alignment(ops, columns, head, ops.size - tail), codes, wide)
        every = Alignment(np.zeros(1, np.uint8), self.starts[-1:])
        return both, index_of(every, kinds, together)


def stacked(ours: Alignment, theirs: Alignment) -> Stacked:
    """Combine two alignments; the time depends on the number of runs.

    >>> both = stacked(Alignment([0, 2, 0], [2, 1, 1]), Alignment([0, 2, 0], [1, 1, 2]))
    >>> both.n_different, both.window(0, 5)[0].tolist()
    (3, [[0, -1, 1, -1, 2], [0, -1, 1, 2, 3], [0, 1, 2, -1, 3]])
    """
    places = [_places(one) for one in (ours, theirs)]
    edges = np.unique(np.concatenate([[0, ours.n_a], *(starts for one in places for starts in (one[0][0], one[1][0]))]))
    edges = edges.astype(np.int64)
    k = edges.size
    firsts, counts = np.full((3, 2 * k), -1), np.zeros((3, 2 * k), np.int64)  # insertions, then letters of A, each
    firsts[0, 1::2], counts[:, 1::2] = edges, np.diff(edges, append=edges[-1])
    for row, ((a0, b0, gap), (before, b, n)) in enumerate(places, 1):
        at = np.searchsorted(edges, before)
        firsts[row, 2 * at], counts[row, 2 * at] = b, n
        if a0.size:
            run = np.searchsorted(a0, edges, "right") - 1
            firsts[row, 1::2] = np.where(gap[run] > 0, -1, b0[run] + edges - a0[run])
    differs = (firsts[1] != firsts[2]) | (counts[1] != counts[2])
    start, end = theirs.start[0], theirs.start[0] + theirs.aligned.n_a
    differs[1::2] &= (edges >= start) & (edges < end)
    differs[::2] &= (edges >= start + (theirs.head_runs > 0)) & (edges <= end - (theirs.tail_runs > 0))
    lengths = counts.max(axis=0)
    kept = lengths > 0
    starts = np.append(0, np.cumsum(lengths[kept]))
    return Stacked(starts, firsts[:, kept], counts[:, kept], differs[kept])


def _places(aligned: Alignment) -> tuple[tuple[Counts, Counts, Counts], tuple[Counts, Counts, Counts]]:
    """Return the runs with letters of A (first letters of A and B, gap flag) and the insertions (next letter of A,
    first letter of B, length).
    """
    in_a, in_b = aligned.lengths * CONSUMES_A[aligned.ops], aligned.lengths * CONSUMES_B[aligned.ops]
    a0, b0, inserted = np.cumsum(in_a) - in_a, np.cumsum(in_b) - in_b, aligned.ops == Op.INSERTION
    gap = (aligned.ops == Op.DELETION).astype(np.int64)
    return (a0[~inserted], b0[~inserted], gap[~inserted]), (a0[inserted], b0[inserted], aligned.lengths[inserted])
