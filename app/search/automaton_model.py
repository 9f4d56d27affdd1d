"""The bits of Kusudo, Ino and Hagihara's automaton, letter by letter: what the state panel shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.search.search_session import SearchScope
from app.ui.reported import reported
from core.errors import printable
from core.sequences.characters import decoded
from core.sequences.cyclic_layout import ACCEPT_BIT, BITS, CyclicWord, cyclic_words
from core.sequences.letter_rules import LetterRule
from core.sequences.matching import pattern_set
from core.translate import number, tr, tr_n, tr_noop

Index = QModelIndex | QPersistentModelIndex
MAX_TEXT_LETTERS = 2_000  # letters that can be stepped through
BIT_ROLE = int(Qt.ItemDataRole.UserRole) + 1  # Kind of a cell
PARTS = ("S ≪ q", "B", "S")  # the three rows of the present step; the steps before follow below
_ALL = (1 << BITS) - 1


class BitKind(Enum):
    OFF = tr_noop("not reached")
    ON = tr_noop("reached")
    DUMMY = tr_noop("dummy: always reached")
    ACCEPTING = tr_noop("accepting, not reached")
    HIT = tr_noop("accepting, reached: the pattern ends here")


@dataclass(frozen=True, slots=True)
class AutomatonRun:
    """A word and what it went through; ``states[k]`` is S after k letters."""

    word: CyclicWord
    names: tuple[str, ...]
    letters: bytes
    states: tuple[int, ...]
    characters: str = ""


def steps_of(searched_: SearchScope) -> list[AutomatonRun]:
    """Return the steps of each word over the first sequence that was searched.

    Raises:
        InputError: a pattern cannot be searched for.
    """
    wish, sequence = searched_.wish, searched_.sequences[0]
    found = pattern_set(
        wish.patterns,
        LetterRule.of(sequence.alphabet),
        fold_case=sequence.alphabet.folds_case,
        both_strands=wish.both_strands,
        errors=0,
    )
    letters = sequence.letters[:MAX_TEXT_LETTERS].tobytes()
    made = []
    for word in cyclic_words(found):
        names = []
        for k in word.members:
            strand = {1: "", 0: "", -1: " (−)"}[int(found.strand[k])]
            names.append(printable(wish.patterns[int(found.pattern[k])].name, 24) + strand)
        states = word.start, *word.follow(letters)
        made.append(AutomatonRun(word, tuple(names), letters, states, sequence.characters))
    return made


def why_not(searched_: SearchScope | None) -> str:
    """Return why there is nothing to step through, or nothing."""
    if searched_ is None:
        return tr("Search for something first")
    if len(searched_.sequences[0]) > MAX_TEXT_LETTERS:
        return tr("The states are shown for sequences of up to {n} letters", n=MAX_TEXT_LETTERS)
    if searched_.wish.errors:
        return tr("This automaton finds exact hits only: allow no errors to see its states")
    return ""


class StepsModel(QAbstractTableModel):
    """One column a bit, the highest first; the rows of the present step, then those before, the latest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: AutomatonRun | None = None
        self._at = 0

    @property
    def steps(self) -> AutomatonRun | None:
        return self._steps

    @property
    def at(self) -> int:
        """Letters that were taken."""
        return self._at

    def show(self, steps: AutomatonRun | None) -> None:
        self.beginResetModel()
        self._steps, self._at = steps, 0
        self.endResetModel()

    def go(self, at: int) -> None:
        """Show the states after ``at`` letters."""
        if self._steps is not None:
            self.beginResetModel()
            self._at = max(0, min(at, len(self._steps.letters)))
            self.endResetModel()

    def ends(self) -> list[str]:
        """Return the patterns that end at the present letter."""
        if self._steps is None or not self._at:
            return []
        word, state = self._steps.word, self._steps.states[self._at]
        return [name for k, name in enumerate(self._steps.names) if not state >> (ACCEPT_BIT + k) & 1 and k < word.q]

    def _row(self, row: int) -> tuple[int, int]:
        """Return the bits of a row, and the letters taken by then."""
        assert self._steps is not None
        states, word = self._steps.states, self._steps.word
        if row == 0:
            before = states[self._at - 1] if self._at else word.start
            return ((before << word.q) & _ALL, self._at) if self._at else (word.start, 0)
        if row == 1:
            return (word.table[self._steps.letters[self._at - 1]], self._at) if self._at else (0, 0)
        at = self._at - (row - 2)
        return states[at], at

    def kind(self, row: int, column: int) -> BitKind:
        """Return what a cell shows."""
        assert self._steps is not None
        bit = ACCEPT_BIT + self._steps.word.q - 1 - column
        bits, _ = self._row(row)
        reached = not bits >> bit & 1
        _, matched = self._steps.word.state(bit)
        if matched <= 0:
            return BitKind.DUMMY
        if bit >= ACCEPT_BIT and row >= 2:
            return BitKind.HIT if reached else BitKind.ACCEPTING
        return BitKind.ON if reached else BitKind.OFF

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self._steps is None else 3 + self._at

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid() or self._steps is None:
            return 0
        return ACCEPT_BIT + self._steps.word.q - self._steps.word.lowest

    @reported
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        steps = self._steps
        if steps is None or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if orientation is Qt.Orientation.Horizontal:
            pattern, matched = steps.word.state(ACCEPT_BIT + steps.word.q - 1 - section)
            if role == Qt.ItemDataRole.ToolTipRole:
                bit = ACCEPT_BIT + steps.word.q - 1 - section
                what = tr_n("{n} letter matched", "{n} letters matched", matched) if matched > 0 else tr("dummy bit")
                return tr("bit {bit}: {pattern}, {what}", bit=bit, pattern=steps.names[pattern], what=what)
            return f"{pattern + 1}\n{matched if matched > 0 else '–'}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return None
        _, at = self._row(section)
        letter = printable(decoded(steps.letters[at - 1 : at], steps.characters)) if at else ""
        place = f"{number(at)} {letter}"
        return {0: PARTS[0], 1: f"B[{letter}]" if at else "B", 2: f"{PARTS[2]}  {place}"}.get(section, place)

    @reported
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._steps is None:
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            if row == 1 and not self._at:
                return ""
            bit = ACCEPT_BIT + self._steps.word.q - 1 - column
            return str(self._row(row)[0] >> bit & 1)
        if role == BIT_ROLE:
            return self.kind(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr(self.kind(row, column).value)
        return int(Qt.AlignmentFlag.AlignCenter) if role == Qt.ItemDataRole.TextAlignmentRole else None
