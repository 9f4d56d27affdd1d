"""Alignments made elsewhere: as their file has them, and checked against the letters of two sequences."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import InputError, count_noun, printable
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, LETTER, Alignment, Op, paired
from wavediff.core.sequences.characters import U_TO_T, fold_table
from wavediff.core.sequences.common_characters import comparable_pair
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.sequence import Sequence

MATCH = 4  # ``M`` of a CIGAR, follows the codes of ``Op``: two letters, equal or not
STRANDS = ("strand of its file", "other strand")
_CHOOSE = "choose one with --record-alignment N"
_LISTED = 5  # records in a message
_UPPER = fold_table(True)
_FOLDED = np.frombuffer(U_TO_T, np.uint8)[_UPPER]
_CODED = np.where(np.isin(_FOLDED, np.frombuffer(b"ACGT", np.uint8)), _FOLDED, ord("N"))


class Claims(NamedTuple):
    """Letters that a file gives for one sequence.

    Attributes:
        at: int64, rising: places from the first aligned letter on, on the strand of the alignment.
        letters: uint8, as many. lines: index of the first claim in each line of the file, and that line.
    """

    at: Counts
    letters: Letters
    lines: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AlignmentRecord:
    """One alignment of a file: A is the target or reference, B the query or read.

    Attributes:
        source, line: file, and the line in it from 1 on; of a BAM that of its text.
        names: of A and B. sizes: letters of both; None where the file has none.
        starts: letters of A, and of B on its strand, before the aligned part. minus: whether B is on its other strand.
        ops, lengths: uint8 and int64, runs of ``Op`` or ``MATCH``.
        claims: letters of A and of B. coded: only A, C, G and T are told apart in them, as by minimap2.
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

    @property
    def aligned(self) -> tuple[int, int]:
        """Letters of A and of B that are aligned."""
        one, other = (int(self.lengths[self.ops != gap].sum()) for gap in (Op.INSERTION, Op.DELETION))
        return one, other

    @property
    def places(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """``[start, end)`` of the aligned part of A and of B, on the strands of their files."""
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
        """The alignment of B with A; both are on the strands of their files."""
        ops = np.array([Op.EQUAL, Op.MISMATCH, Op.DELETION, Op.INSERTION, MATCH], np.uint8)[self.ops]
        both = {name: getattr(self, name)[::-1] for name in ("names", "sizes", "starts", "claims")}
        return replace(self, ops=ops, **both)

    def error(self, found: str, right: str = "", line: int = 0) -> InputError:
        return InputError(self.source, found, right, line=line or self.line)


class GivenAlignment(NamedTuple):
    """An alignment of a file, checked.

    Attributes:
        source: the file. lines: of it, with the records that it was made of.
        names: of A and B there. alignment: of all letters; those beyond the aligned part are overhang.
    """

    source: str
    lines: tuple[int, ...]
    names: tuple[str, str]
    alignment: Alignment

    @property
    def text(self) -> str:
        """File and lines."""
        lines = f"line{'s' * (len(self.lines) > 1)} {', '.join(map(str, self.lines[:_LISTED]))}"
        return f"{printable(self.source)}, {lines}{', …' if len(self.lines) > _LISTED else ''}"


def of_pair(
    records: tuple[AlignmentRecord, ...], names: tuple[str, str] | None, number: int | None = None
) -> tuple[AlignmentRecord, ...]:
    """Return the records of two sequences by their ``names``, in either order; the only ones of a file whatever their
    names.

    Args:
        names: None where the file has the sequences too. number: of the record that is meant, from 1 on.

    Raises:
        InputError: there is none; the message lists those there are.
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
    """Return the alignment of ``a`` with ``b`` as compared of one record, or of several with the gaps between them.

    Raises:
        InputError: it is none of these letters; the message names the line and the first letter that differs.
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
    return GivenAlignment(records[0].source, tuple(one.line for one in records), records[0].names, alignment)


def _part(
    one: AlignmentRecord, a: Sequence, b: Sequence, fold_case: bool
) -> tuple[tuple[int, int], npt.NDArray[np.uint8]]:
    """Return the first letters of a record, as compared, and its columns."""
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
    """Return which letters, as compared, stand at places ``at`` of the strand."""
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
