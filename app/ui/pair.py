"""The two sequences that are compared."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from core.sequences.common_characters import with_common_characters
from core.sequences.sequence import Sequence


class Side(StrEnum):
    """A is the reference and runs down (rows), B is the query and runs across (columns)."""

    A = "A"
    B = "B"

    @property
    def other(self) -> Side:
        return Side.B if self is Side.A else Side.A


class Pair(QObject):
    """A and B, either of which may be missing.

    Signals:
        changed: one or both were replaced, or they were swapped.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read: dict[Side, Sequence] = {}  # as it came, before A and B got their characters in common
        self._sequences: dict[Side, Sequence | None] = {Side.A: None, Side.B: None}

    def __getitem__(self, side: Side) -> Sequence | None:
        return self._sequences[side]

    @property
    def complete(self) -> tuple[Sequence, Sequence] | None:
        """(A, B) when both are there."""
        a, b = self._sequences[Side.A], self._sequences[Side.B]
        return (a, b) if a is not None and b is not None else None

    @property
    def first_empty(self) -> Side | None:
        return next((side for side in Side if self._sequences[side] is None), None)

    @property
    def folds_case(self) -> bool:
        """Return whether case is ignored by default: both alphabets say so, missing ones agree."""
        return all(each is None or each.alphabet.folds_case for each in self._sequences.values())

    def replace(self, new: dict[Side, Sequence]) -> None:
        self._read.update(new)
        self._sequences.update(self._read)
        if self.complete is not None:
            common = with_common_characters(*(self._read[side] for side in Side))
            self._sequences.update(zip(Side, common, strict=True))
        self.changed.emit()

    def swap(self) -> None:
        a, b = self._sequences[Side.A], self._sequences[Side.B]
        self._sequences = {Side.A: b, Side.B: a}
        self._read = {side.other: each for side, each in self._read.items()}
        self.changed.emit()
