"""The pair A and B, its comparison, and the shared cursor."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from wavediff.core.base.numbers import count, number
from wavediff.core.export import comparison, given
from wavediff.core.export.recipe import Recipe, recipe_of
from wavediff.core.jobs.given_alignment import GivenAlignment
from wavediff.core.methods import method_of
from wavediff.core.methods.base import Method
from wavediff.core.sequences.common_characters import keeps_uracil, with_common_characters, without_u_is_t
from wavediff.core.sequences.letter_rules import Ambiguity, CaseRule, UracilRule
from wavediff.core.sequences.orientation import FORWARD, Orientation
from wavediff.core.sequences.sequence import Alphabet, Sequence, circle_by_file


@dataclass(frozen=True, slots=True)
class MatrixPosition:
    """Cell of the matrix, 0-based: after ``a0`` letters of A and ``b0`` of B.

    One is None in a gap; both if the pointer is not over a letter.
    """

    a0: int | None = None
    b0: int | None = None


NOWHERE = MatrixPosition()


@dataclass(frozen=True, slots=True)
class CaretPlace:
    """Cell of the caret: after ``a0`` letters of A and ``b0`` of B; ``gap``: the side that has no letter there."""

    a0: int
    b0: int
    gap: Side | None = None

    @property
    def position(self) -> MatrixPosition:
        return MatrixPosition(None if self.gap is Side.A else self.a0, None if self.gap is Side.B else self.b0)


class SharedCursor(QObject):
    """Position of pointer and caret, shared by all views.

    Signals:
        moved: the new ``MatrixPosition`` of the pointer, only if it differs.
        caret_moved: the new ``CaretPlace`` or None, only if it differs.
    """

    moved = Signal(object)
    caret_moved = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.position = NOWHERE
        self.elsewhere = ""  # where the pointer is over letters of other sequences
        self.caret: CaretPlace | None = None  # stays when the pointer leaves

    def move(self, a0: int | None, b0: int | None, elsewhere: str = "") -> None:
        """Point at letters ``a0`` of A and ``b0`` of B (0-based); None: none, or ``elsewhere``."""
        position = MatrixPosition(a0, b0)
        if (position, elsewhere) != (self.position, self.elsewhere):
            self.position, self.elsewhere = position, elsewhere
            self.moved.emit(position)

    def clear(self) -> None:
        self.move(None, None)

    def set_caret(self, place: CaretPlace | None) -> None:
        if place != self.caret:
            self.caret = place
            self.caret_moved.emit(place)

    def forget(self) -> None:
        self.clear()
        self.set_caret(None)


class Side(StrEnum):
    """A: the reference (rows, downwards). B: the query (columns, across)."""

    A = "A"
    B = "B"

    @property
    def other(self) -> Side:
        return Side.B if self is Side.A else Side.A


class Pair(QObject):
    """A and B as compared (either may be missing); B may differ in orientation from its file.

    Attributes:
        uracil: whether U is T in nucleotides.

    Signals:
        changed: a sequence was replaced, both were swapped, or the orientation of B changed.
        answered: an answer was added or removed: ``shown`` may differ.
    """

    changed = Signal()
    answered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.uracil = UracilRule.AUTO
        self._read: dict[Side, Sequence] = {}  # as it came, before A and B got their characters in common
        self._sequences: dict[Side, Sequence | None] = {Side.A: None, Side.B: None}
        self._answered: dict[Side, Sequence] = {}  # as the answer has them, where that is another way

    def __getitem__(self, side: Side) -> Sequence | None:
        return self._sequences[side]

    @property
    def complete(self) -> tuple[Sequence, Sequence] | None:
        a, b = self._sequences[Side.A], self._sequences[Side.B]
        return (a, b) if a is not None and b is not None else None

    @property
    def first_empty(self) -> Side | None:
        return next((side for side in Side if self._sequences[side] is None), None)

    @property
    def folds_case(self) -> bool:
        """True if case is ignored by default, by both alphabets; missing sequences do not count."""
        return all(each is None or each.alphabet.folds_case for each in self._sequences.values())

    def original(self, side: Side) -> Sequence | None:
        sequence = self._sequences[side]
        return None if sequence is None else sequence.original

    @property
    def orientation(self) -> Orientation:
        b = self._sequences[Side.B]
        return FORWARD if b is None else b.orientation

    @property
    def circular_by_file(self) -> bool:
        """True if the file of B declares a circle, and A is such a molecule too."""
        both = self.complete
        return both is not None and circle_by_file(both[1], both[0])

    def show(self, a: Sequence | None, b: Sequence | None) -> None:
        """Set A and B as an answer has them (rotated circle, reverse strand); None: reset."""
        self._answered = {side: sequence for side, sequence in zip(Side, (a, b), strict=True) if sequence is not None}
        self.answered.emit()

    def shown(self, side: Side) -> Sequence | None:
        """Return the sequence of a side as the answer has it; without an answer as it is compared."""
        now, answered = self._sequences[side], self._answered.get(side)
        return now if now is None or answered is None or answered.original is not now.original else answered

    def letters_at(self, a_place: int | None, b_place: int | None) -> tuple[int | None, int | None]:
        """Convert positions in the files (0-based) to letters as shown; None stays None."""
        a, b = self.shown(Side.A), self.shown(Side.B)
        return (
            a_place if a_place is None or a is None else a.index(a_place),
            b_place if b_place is None or b is None else b.index(b_place),
        )

    def places_of(self, a0: int | None, b0: int | None) -> tuple[int | None, int | None]:
        """Convert letters as shown to positions in the files; inverse of ``letters_at``."""
        a, b = self.shown(Side.A), self.shown(Side.B)
        return a0 if a0 is None or a is None else a.place(a0), b0 if b0 is None or b is None else b.place(b0)

    def orient(self, orientation: Orientation) -> None:
        """Orient B; only DNA can differ from its file."""
        b = self._sequences[Side.B]
        if b is not None and b.orientation != orientation:
            self._sequences[Side.B] = b.original.oriented(orientation)
            self.changed.emit()

    def replace(self, new: Mapping[Side, Sequence | None]) -> None:
        """Replace sequences (None: remove); the others are reset to their files."""
        self._read = {side: read for side, read in {**self._read, **new}.items() if read is not None}
        self._sequences = {side: self._read.get(side) for side in Side}
        if self.complete is not None:
            common = with_common_characters(self._read[Side.A], self._read[Side.B], self.uracil)
            self._sequences.update(zip(Side, common, strict=True))
        self.changed.emit()

    @property
    def keeps_uracil(self) -> bool:
        both = self.complete
        return both is not None and keeps_uracil(both[0].original, both[1].original)

    def choose_uracil(self, rule: UracilRule) -> None:
        """Set whether U is compared as T; the orientation of B is kept."""
        self.uracil = rule
        both, orientation = self.complete, self.orientation
        if both is not None:
            a, b = (without_u_is_t(sequence.original) for sequence in both)
            a, b = with_common_characters(a, b, rule)
            self._sequences = {Side.A: a, Side.B: b.oriented(orientation)}
            self.changed.emit()

    def swap(self, orientation: Orientation = FORWARD) -> None:
        """Swap A and B; B gets ``orientation``."""
        a, b = self._sequences[Side.A], self._sequences[Side.B]
        self._sequences = {
            Side.A: None if b is None else b.original,
            Side.B: None if a is None else a.oriented(orientation),
        }
        self._read = {side.other: each for side, each in self._read.items()}
        self.changed.emit()


def named(sequences: Iterable[Sequence]) -> list[str]:
    """Return record names; equal ones are replaced by distinguishing paths."""
    those = list(sequences)
    names, files = list(map(own_name, those)), [each.source.replace(os.sep, "/").split("/") for each in those]
    for k in range(1, max(map(len, files), default=0) + 1):
        if len({*names}) == len(names) or len({*map("/".join, files)}) < len(files):
            break
        names = ["/".join(file[-k:]) for file in files]
    return names


def own_name(sequence: Sequence) -> str:
    """Return the record name; for a text its file name with the suffix."""
    file = os.path.basename(sequence.source)
    is_file = sequence.alphabet is Alphabet.TEXT and sequence.format == "plain" and file.startswith(sequence.name)
    return file if is_file else sequence.name


class GivenFile(NamedTuple):
    """Alignment file of another program, and a record number; 0: select by the names of A and B."""

    path: str
    number: int = 0

    @property
    def words(self) -> dict[str, str]:
        return {"alignment": self.path, **({"record_alignment": str(self.number)} if self.number else {})}

    @classmethod
    def of(cls, words: Mapping[str, str]) -> GivenFile | None:
        path, number = words.get("alignment", ""), words.get("record_alignment", "")
        return cls(os.path.abspath(path), int(number) if re.fullmatch("[0-9]{1,9}", number) else 0) if path else None


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Result of a run with its own pair, so results and pairs are never mixed.

    Attributes:
        job, result: of ``wavediff.core.jobs`` or ``wavediff.core.methods``.
        a, b: the compared sequences; ``fold_case``: case ignored.
        options: of the method that differ from the defaults, as typed on the command line, by id.
        given, file: an alignment of another program, shown in addition.
        ambiguity: treatment of ambiguity codes in statistics, if the result has none.
    """

    job: Any
    a: Sequence
    b: Sequence
    fold_case: bool
    result: Any
    options: Mapping[str, str] = field(default_factory=dict)
    given: GivenAlignment | None = None
    file: GivenFile | None = None
    ambiguity: Ambiguity = Ambiguity.MISSING

    def answer(self, **more: Any) -> comparison.Comparison:
        """Return the result as a ``Comparison`` of the output formats; ``more``: additional fields."""
        return comparison.Comparison(
            self.a, self.b, self.method, self.fold_case, getattr(self.job, "threads", 0), self.result,
            options=self.options, given=self.given, **more,
        )  # fmt: skip

    @property
    def recipe(self) -> Recipe:
        """Recipe that recreates a picture of the comparison; slow for long sequences."""
        loci = getattr(self.result, "loci", None)  # of B as in its file, whichever strand is shown
        file = None if self.given is None and self.result is not None else self.file
        a, b = self.a, self.b if loci is None else self.b.original
        if file is not None and os.path.abspath(a.source) == file.path:  # one file with both, found by their names
            a, b = (replace(one, source="", format="FASTA") for one in (a, b))
        rule = getattr(self.result, "ambiguity", self.ambiguity)
        options = {
            "method": self.method.id, **self.options, **({} if file is None else file.words),
            "case": CaseRule.of(self.fold_case),
            "ambiguity": None if rule is Ambiguity.MISSING else rule,
        }  # fmt: skip
        return recipe_of("compare", (a, b), options)

    @property
    def headline(self) -> str:
        return self.method.headline(self.result, len(self.a), len(self.b))

    @property
    def remarks(self) -> list[str]:
        """Details of the answer: the lengths, and what the method remarks on the result."""
        n, m = self.method.sizes(self.result, len(self.a), len(self.b))
        unit = self.method.unit
        sizes = f"in {count(n, unit, f'{unit}s')}" if n == m else f"in {number(n)} and {number(m)} {unit}s"
        return [sizes, *self.method.remarks(self.result)]

    @property
    def full_text(self) -> str:
        turned = self.b.orientation.text(len(self.b))
        full_text = " · ".join((self.headline, *self.remarks, *([f"B: {turned}"] if turned else ())))
        if self.given is None:
            return full_text
        costs = given.table(self.answer(), self.given.alignment)
        theirs = "; ".join(f"{what} {ours} and {theirs}" for what, ours, theirs in costs)
        return f"{full_text}\nOurs and theirs ({self.given.text}): {theirs}"

    @property
    def method(self) -> Method:
        """Method of the job, regardless of the current choice."""
        return method_of(self.job)
