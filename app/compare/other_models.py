"""Alignment models for unaligned letters and for two stacked alignments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavediff.app.compare.alignment_model import (
    GAP,
    NOTHING,
    OVERHANG,
    UNALIGNED,
    AlignmentModel,
    AlignmentRows,
    codes_of,
    places_of,
)
from wavediff.core.base.numbers import number
from wavediff.core.jobs.alignment import Alignment, Op, Swaps
from wavediff.core.jobs.alignment_index import AlignmentIndex, index_of
from wavediff.core.jobs.difference_index import DifferenceIndex
from wavediff.core.jobs.given_alignment import GivenAlignment, stacked
from wavediff.core.sequences.characters import fold_table
from wavediff.core.sequences.letter_text import letter_name
from wavediff.core.sequences.sequence import Sequence


class UnalignedModel(AlignmentModel):
    """Unaligned letters: letter ``i`` of A over letter ``i`` of B in column ``i``, no differences.

    Letters are copied and examined only when shown, so long sequences take no time.

    Args:
        a, b: one may be missing.

    Raises:
        ValueError: no letters.
    """

    aligned = False

    def __init__(self, a: Sequence | None, b: Sequence | None) -> None:
        there = a or b
        if there is None or not len(there):
            raise ValueError("no letters to show")
        self._read = a, b
        a, b = (each if each is not None else _nothing_like(there) for each in (a, b))
        super().__init__(a, b, _letter_under_letter(len(a), len(b)))

    def is_of(self, a: Sequence | None, b: Sequence | None) -> bool:
        return self._read[0] is a and self._read[1] is b

    def rows(self, col0: int, col1: int) -> AlignmentRows:
        rows = super().rows(col0, col1)
        for codes in (rows.a, rows.b):
            codes[codes == GAP] = NOTHING
        return replace(rows, op=np.full_like(rows.op, UNALIGNED))

    def describe(self, col: int) -> str:
        a, b = self.letters_at(col)
        parts = [
            f"{side} {number(sequence.place(at) + 1)} {letter_name(int(sequence.letters[at]), sequence.characters)}"
            for side, sequence, at in (("A", self.a, a), ("B", self.b, b))
            if at is not None
        ]
        return " · ".join([*parts, *["not aligned"] * (len(parts) == 2)])


def _letter_under_letter(n_a: int, n_b: int) -> AlignmentIndex:
    """Return the index of an alignment without differences and with a gap only at the end."""
    common, rest = min(n_a, n_b), abs(n_a - n_b)
    runs = [(Op.EQUAL, common), (Op.DELETION if n_a > n_b else Op.INSERTION, rest)]
    ops, lengths = zip(*((op, n) for op, n in runs if n), strict=True)
    alignment = Alignment(np.array(ops, np.uint8), np.array(lengths))
    return index_of(alignment, np.array([Op.EQUAL], np.uint8), np.array([common + rest]))


def _nothing_like(other: Sequence) -> Sequence:
    return replace(other, letters=other.letters[:0], counts=np.zeros_like(other.counts), name="", notices=())


class StackedModel(AlignmentModel):
    """Two stacked alignments, ours and another program's; steps go through disagreements, or our differences."""

    def __init__(
        self,
        a: Sequence,
        b: Sequence,
        ours: AlignmentIndex,
        given: GivenAlignment,
        fold_case: bool,
        swaps: Swaps | None,
    ) -> None:
        self._both, self._given = stacked(ours.alignment, given.alignment), given
        index, self._steps = self._both.index_of_ours(ours)
        self.own_steps = self._steps.n_differences()
        super().__init__(a, b, index, fold_case, swaps)
        self.step_by(kinds=False)

    @property
    def steps(self) -> DifferenceIndex:
        return self.index if self._by_kinds else self._steps

    def step_by(self, *, kinds: bool) -> None:
        self._by_kinds = kinds or not self.own_steps
        self.words = AlignmentModel.words if self._by_kinds else ("disagreement", "disagreements")

    def rows(self, col0: int, col1: int) -> AlignmentRows:
        rows, theirs = super().rows(col0, col1), self._given.alignment
        (a, _, b), differs = self._both.window(rows.col0, rows.col0 + rows.op.size)
        codes, letters = codes_of(self.b.letters, b), codes_of(self.a.letters, a)
        fold = fold_table(self.fold_case)
        both, start = (codes >= 0) & (letters >= 0), theirs.start
        op = np.where(codes >= 0, Op.INSERTION, np.where(letters >= 0, Op.DELETION, UNALIGNED)).astype(np.uint8)
        op[both] = fold[codes[both]] != fold[letters[both]]
        aligned = theirs.aligned
        for at, first, n in ((a, start[0], aligned.n_a), (b, start[1], aligned.n_b)):
            op[(at >= 0) & ((at < first) | (at >= first + n))] = OVERHANG
        codes[(op == OVERHANG) & (codes == GAP)] = NOTHING
        return replace(rows, theirs=codes, theirs_op=op, theirs_place=places_of(self.b, b), differs=differs)

    def describe(self, col: int) -> str:
        rows = self.rows(col, col + 1)
        if not (said := super().describe(col)) or rows.theirs is None:
            return said
        code, place = int(rows.theirs[0]), int(rows.theirs_place[0])
        theirs = f"theirs B {number(place)} {letter_name(code, self.b.characters)}" if code >= 0 else "theirs a gap"
        return " · ".join((said, theirs, *["disagreement"] * bool(rows.differs.any())))

    def note(self) -> str:
        return f"Theirs: {self._given.text}"
