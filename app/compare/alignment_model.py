"""Model of the alignment view without Qt widgets: letters, match row, rulers, descriptions."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wavediff.app.compare.tracks import Tracks
from wavediff.app.compare.tracks.codons import AMINO_ACID, AROUND, BAR, NUMBER, START, Look, Sight, looks, sight
from wavediff.app.ui.pair import CaretPlace, Side
from wavediff.core.base.arrays import Letters
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.alignment import APART, Op, Swaps
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.difference_index import OP_OF_KIND, DifferenceIndex, Kinds
from wavediff.core.jobs.features.effects import Effects, effects_refused
from wavediff.core.sequences.ambiguity import common_rule, has_codes, missing_letter
from wavediff.core.sequences.characters import character_of
from wavediff.core.sequences.letter_text import SUBSTITUTE, glyph, letter_name
from wavediff.core.sequences.orientation import FORWARD
from wavediff.core.sequences.sequence import Sequence

GAP = -1  # code of a gap; those of letters are 0 and more
NOTHING = -2  # code of a cell beyond the end of a sequence that is not aligned
UNALIGNED = 6  # follows the codes of ``Op``, ``SWAP`` and ``APART``: a column in which nothing was compared
OVERHANG = 7  # a column of letters beyond the aligned part, where ends are free
MATCH_MARKS = np.frombuffer(b"|.      ", np.uint8)  # by ``AlignmentRows.op``
KIND_NAMES = {
    Kinds.MISMATCH: "substitution",
    Kinds.INSERTION: "insertion",
    Kinds.DELETION: "deletion",
    Kinds.SWAP: "swap",
    Kinds.APART: "unknown (N)",
}
MAX_FEATURES = 3  # named at a column
MARKED_LETTERS = 1 << 16  # of a difference, at most, among which those that were not read are counted
OP_NAMES = {OP_OF_KIND[kind]: name for kind, name in KIND_NAMES.items()}

Codes = npt.NDArray[np.int32]
Sights = dict[Side, Sight]


def kind_text(a: Sequence, b: Sequence, op: int, in_a: slice, in_b: slice) -> str:
    """Describe the kind of a difference; inserted or deleted unknown residues are counted.

    Args:
        in_a, in_b: letters of the difference in ``a`` and in ``b``.
    """
    name, rule = OP_NAMES[op], common_rule(a, b)
    letters_a, letters_b = a.letters[in_a], b.letters[in_b]
    if not has_codes(rule, a, b) or max(letters_a.size, letters_b.size) > MARKED_LETTERS:
        return name
    letter = missing_letter(rule)
    codes = np.frombuffer((letter + letter.lower()).encode("ascii"), np.uint8)
    if op == APART:
        known = ~(np.isin(letters_a, codes) | np.isin(letters_b, codes))
        return "compatible code" if known.any() else f"unknown ({letter})"
    gap = np.concatenate([letters_a, letters_b] if op in (Op.INSERTION, Op.DELETION) else [letters_a[:0]])
    n = int(np.count_nonzero(np.isin(gap, codes)))
    return f"{name}, {number(n)} {letter}" if n else name


@dataclass(frozen=True, slots=True)
class AlignmentRows:
    """Range of columns, ready to draw.

    Attributes:
        col0: the first column, 0-based.
        op: uint8, shape (n,): an ``Op`` per column, ``SWAP`` in all columns of a swap, ``APART``, ``UNALIGNED`` or
            ``OVERHANG``.
        a, b: int32, shape (n,): the code of the letter, ``GAP`` or ``NOTHING``.
        a_place, b_place: int64, shape (n,): 1-based place of the letter in its file, 0 in a gap.
        theirs, theirs_op, theirs_place: the same for B in an alignment of another program.
        differs: bool, whether the two alignments disagree in a column.
    """

    col0: int
    op: npt.NDArray[np.uint8]
    a: Codes
    b: Codes
    a_place: npt.NDArray[np.int64]
    b_place: npt.NDArray[np.int64]
    theirs: Codes | None = None
    theirs_op: npt.NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))
    theirs_place: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    differs: npt.NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))


class AlignmentModel:
    """Two sequences and their indexed alignment; immutable except for data found later, so it can be shared.

    Attributes:
        tracks: e.g. features, set after the model is shown. effects: on proteins; None: unknown, or no features.
        words: noun of a step, singular and plural.
        own_steps: number of steps that are not differences, in subclasses.

    Raises:
        ValueError: the alignment does not consume exactly these sequences.
    """

    words = "difference", "differences"
    own_steps = 0
    aligned = True  # False where letters only stand over each other
    effects: Effects | None = None

    def __init__(
        self, a: Sequence, b: Sequence, index: AlignmentIndex, fold_case: bool = False, swaps: Swaps | None = None
    ) -> None:
        if (index.n_a, index.n_b) != (len(a), len(b)):
            raise ValueError(
                f"the alignment is one of {index.n_a:,} and {index.n_b:,} letters, "
                f"the sequences have {len(a):,} and {len(b):,}"
            )
        self.a, self.b, self.index, self.fold_case, self.swaps = a, b, index, fold_case, swaps
        self.tracks = Tracks()

    @property
    def effects_text(self) -> str:
        """Summary of the effects, or why there are none; empty without features."""
        effects = self.effects
        return effects_refused(self.a, self.b, self.index) if effects is None else effects.sentence

    @property
    def steps(self) -> DifferenceIndex:
        """Differences for stepping; the one at the caret is framed."""
        return self.index

    def step_by(self, *, kinds: bool) -> None:
        """Step through differences if ``kinds``, else through the steps that a subclass has instead."""

    @property
    def n_columns(self) -> int:
        return self.index.n_columns

    def is_of(self, a: Sequence | None, b: Sequence | None) -> bool:
        return self.a is a and self.b is b

    def rows(self, col0: int, col1: int) -> AlignmentRows:
        """Return columns ``[col0, col1)``, clipped to the alignment."""
        window = self.index.window(col0, col1)
        col0 = max(0, col0)
        op = self.index.ops_at(col0, col0 + window.op.size)
        a, b = codes_of(self.a.letters, window.a), codes_of(self.b.letters, window.b)
        first, last = self.index.aligned_columns
        if col0 < first or col0 + op.size > last:
            columns = np.arange(col0, col0 + op.size)
            beyond = (columns < first) | (columns >= last)
            op[beyond] = OVERHANG
            for codes in (a, b):
                codes[beyond & (codes == GAP)] = NOTHING
        return AlignmentRows(col0, op, a, b, places_of(self.a, window.a), places_of(self.b, window.b))

    def codons(self, col0: int, col1: int) -> tuple[Sights, dict[Side, list[Codes]]]:
        """Return the codons in columns ``[col0, col1)``, and codes of their cells; see ``codons.looks``."""
        if not self.tracks.coding:
            return {}, {}
        before = min(AROUND, col0)
        window = self.index.window(col0 - before, col1 + AROUND)
        some = slice(before, before + max(0, min(col1, self.n_columns) - col0))
        letters = {Side.A: window.a, Side.B: window.b}
        sights = {side: sight(one, letters[side], col0 - before) for side, one in self.tracks.coding.items()}
        alone = {Side.A: Look.ONLY_A, Side.B: Look.ONLY_B}
        codes = {side: looks(one, sights.get(side.other), alone[side]) for side, one in sights.items()}
        return (
            {side: one.within(some) for side, one in sights.items()},
            {side: [row[some] for row in rows] for side, rows in codes.items()},
        )

    def letters_at(self, col: int) -> tuple[int | None, int | None]:
        """Return the 0-based letters of A and B in column ``col``; None for a gap or no such column."""
        window = self.index.window(col, col + 1) if col >= 0 else self.index.window(0, 0)
        if not window.op.size:
            return None, None
        a, b = int(window.a[0]), int(window.b[0])
        return (None if a < 0 else a), (None if b < 0 else b)

    def describe(self, col: int) -> str:
        """Return a one-line description of column ``col``: 1-based positions, letters, difference."""
        rows = self.rows(col, col + 1)
        if col < 0 or not rows.op.size:
            return ""
        before = self.index.letters_before(col)
        parts = [
            f"{name} {number(place)} {letter_name(int(code), self.a.characters)}"
            if place
            else f"{name} gap {gap_text(sequence, passed)}"
            for name, sequence, place, code, passed in (
                ("A", self.a, int(rows.a_place[0]), rows.a[0], before[0]),
                ("B", self.b, int(rows.b_place[0]), rows.b[0], before[1]),
            )
        ]
        what = self._swap_at(*self.letters_at(col)) or self._kind_at(col)
        return " · ".join((f"Column {number(col + 1)}", *parts, what, *self._features_at(col)))

    def _features_at(self, col: int) -> list[str]:
        """Return e.g. ``A: CDS S +, codon 501 N`` for each sequence with features in a column."""
        sights, texts = self.codons(col, col + 1)[0], []
        for side, bars in self.tracks.bars.items():
            codons = {}
            for row in sights[side].rows if side in sights else ():
                if row[START, 0] >= 0:
                    owner = int(sights[side].bars.columns.owners[row[BAR, 0]])
                    codons[owner] = f", codon {number(int(row[NUMBER, 0]) + 1)} {chr(row[AMINO_ACID, 0])}"
            every = bars.touching(col, col + 1).tolist()
            names = [bars.called(bar) + codons.get(int(bars.columns.owners[bar]), "") for bar in every[:MAX_FEATURES]]
            names += [f"+{number(len(every) - MAX_FEATURES)}"] * (len(every) > MAX_FEATURES)
            texts += [f"{side}: {', '.join(names)}"] * bool(names)
        return texts

    def _kind_at(self, col: int) -> str:
        """Return the difference that contains column ``col``, e.g. ``insertion, 14 letters``."""
        here, (first, last) = self.index.difference_at(col), self.index.aligned_columns
        if not first <= col < last:
            return "overhang, no edit"
        if here is None:
            return "equal"
        (a0, b0), (a1, b1) = (self.index.letters_before(each) for each in (here.col0, here.col1))
        kind = kind_text(self.a, self.b, here.op, slice(a0, a1), slice(b0, b1))
        return f"{kind}, {count(here.columns, 'letter', 'letters')}"

    def swaps_at(self, col0: int, col1: int) -> list[tuple[int, int]]:
        """Return first and last column of each swap that overlaps ``[col0, col1)``."""
        if self.swaps is None or not len(self.swaps) or col0 >= col1:
            return []
        a0, _ = self.index.letters_before(col0)
        a1, _ = self.index.letters_before(col1)
        first = int(np.searchsorted(self.swaps.a_last, a0))
        last = int(np.searchsorted(self.swaps.a_first, a1))
        # A swap with letters of B between may lie round a page that has no letter of A.
        first, last = max(0, first - 1), min(len(self.swaps), last + 1)
        columns = [
            (self.index.column_of_a(int(self.swaps.a_first[k])), self.index.column_of_a(int(self.swaps.a_last[k])))
            for k in range(first, last)
        ]
        return [(x, y) for x, y in columns if y >= col0 and x < col1]

    def _swap_at(self, a: int | None, b: int | None) -> str:
        """Describe the swap that contains letters a and b; empty if there is none."""
        if self.swaps is None or a is None or b is None:
            return ""
        k = int(np.searchsorted(self.swaps.a_last, a))
        if k == len(self.swaps) or (a, b) not in (
            (int(self.swaps.a_first[k]), int(self.swaps.b_first[k])),
            (int(self.swaps.a_last[k]), int(self.swaps.b_last[k])),
        ):
            return ""
        first = a == self.swaps.a_first[k]
        other_a = int((self.swaps.a_last if first else self.swaps.a_first)[k])
        other_b = int((self.swaps.b_last if first else self.swaps.b_first)[k])
        of_b, other_of_b = (self.b.place(each) + 1 for each in (b, other_b))
        return f"swapped: A {number(a + 1)} is B {number(other_of_b)}, A {number(other_a + 1)} is B {number(of_b)}"

    def is_cell(self, col: int) -> bool:
        """Return whether column ``col`` is one cell of the matrix: aligned letters, or at most one letter."""
        return self.aligned or None in self.letters_at(col)

    def place(self, col: int) -> CaretPlace:
        """Return the cell of the existing column ``col``."""
        a0, b0 = self.letters_at(col)
        before = self.index.letters_before(col)
        return CaretPlace(*before, Side.A if a0 is None else Side.B if b0 is None else None)

    def note(self) -> str:
        """Return a note on letters without their own glyph, or an empty string."""
        a, b = _without_glyph(self.a), _without_glyph(self.b)
        if not a and not b:
            return ""
        return f"{SUBSTITUTE} stands for characters without a glyph: {number(a)} in A, {number(b)} in B"


def _without_glyph(sequence: Sequence) -> int:
    n, characters = 0, sequence.characters
    for code in map(int, np.flatnonzero(sequence.counts)):
        without = glyph(code, characters) == SUBSTITUTE != character_of(code, characters)
        n += int(sequence.counts[code]) * without
    return n


def gap_text(sequence: Sequence, passed: int) -> str:
    """Return the position of a gap after ``passed`` letters in file coordinates, e.g. ``after 12``."""
    if passed or sequence.orientation == FORWARD:
        return f"after {number(sequence.place(passed - 1) + 1)}"
    return f"before {number(sequence.place(0) + 1)}"


def places_of(sequence: Sequence, index: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.where(index >= 0, sequence.place(index) + 1, 0)


def codes_of(letters: Letters, index: npt.NDArray[np.int64]) -> Codes:
    codes = np.full(index.size, GAP, np.int32)
    present = index >= 0
    where = index[present]
    if where.size:  # the letters of a window are neighbours: a slice, no gather
        codes[present] = letters[where[0] : where[-1] + 1]
    return codes
