"""Two sequences as they are, letter under letter: what the letters show until there is an alignment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavediff.app.compare.alignment_model import GAP, NOTHING, UNALIGNED, AlignmentModel, AlignmentRows
from wavediff.core.base.numbers import number
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.alignment_index import AlignmentIndex, index_of
from wavediff.core.sequences.letter_text import letter_name
from wavediff.core.sequences.sequence import Sequence


class UnalignedModel(AlignmentModel):
    """Letter ``i`` of A over letter ``i`` of B, in column ``i``; nothing differs, for nothing was compared.

    No letter is copied or looked at before it is shown, so sequences of any length cost nothing.

    Args:
        a, b: one of them may be missing.

    Raises:
        ValueError: there is no letter at all.
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
    """Return the index of an alignment without a gap but the one at the end, in which no column differs."""
    common, rest = min(n_a, n_b), abs(n_a - n_b)
    runs = [(Op.EQUAL, common), (Op.DELETION if n_a > n_b else Op.INSERTION, rest)]
    ops, lengths = zip(*((op, n) for op, n in runs if n), strict=True)
    alignment = Alignment(np.array(ops, np.uint8), np.array(lengths))
    return index_of(alignment, np.array([Op.EQUAL], np.uint8), np.array([common + rest]))


def _nothing_like(other: Sequence) -> Sequence:
    return replace(other, letters=other.letters[:0], counts=np.zeros_like(other.counts), name="", notices=())
