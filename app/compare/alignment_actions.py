"""Actions of the alignment view, and the texts that they copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from wavediff.app.compare.alignment_model import GAP, MATCH_MARKS, NOTHING, AlignmentModel, AlignmentRows, Codes
from wavediff.app.compare.cell_styles import Colouring
from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import number
from wavediff.core.jobs.alignment import LETTER
from wavediff.core.jobs.difference_index import NEITHER
from wavediff.core.sequences.characters import character_of, decoded, is_shown
from wavediff.core.sequences.sequence import Sequence

LINE_LETTERS = 60  # letters on a line of FASTA and of CLUSTAL, as both are written by convention
NAME_WIDTH = 16
# A clipboard is held in memory two or three times, in two programs; making more than this would also stop
# the window for longer than a blink.
MAX_COLUMNS = 1_000_000


class CopyFormat(StrEnum):
    FASTA = "Aligned FASTA pair"
    CLUSTAL = "CLUSTAL"
    CIGAR = "CIGAR (=, X, I, D)"
    PLAIN_A = "Letters of A"
    PLAIN_B = "Letters of B"
    COORDINATES = "Coordinates"


# What letters can be copied as that only stand over each other.
WITHOUT_ALIGNMENT = (CopyFormat.PLAIN_A, CopyFormat.PLAIN_B)


class TooMuch(ValueError):
    """The selection is too large for the clipboard; the message has both sizes."""


def copy_text(model: AlignmentModel, col0: int, col1: int, kind: CopyFormat) -> str:
    """Return columns ``[col0, col1)`` of ``model`` as text.

    Gaps are ``-``, positions are 1-based and closed. Invalid bytes are Latin-1 among plain letters; formats with lines
    have ``?`` for invisible characters.

    Raises:
        TooMuch: more than ``MAX_COLUMNS`` columns (coordinates have no limit).
    """
    col0, col1 = max(0, col0), min(col1, model.n_columns)
    if kind is CopyFormat.COORDINATES:
        return coordinates(model, col0, col1)
    if col1 - col0 > MAX_COLUMNS:
        raise TooMuch(f"{number(col1 - col0)} columns are too many to copy; at most {number(MAX_COLUMNS)}")
    if kind is CopyFormat.CIGAR:
        ops, lengths = model.index.runs(col0, col1)
        return "".join(
            f"{n}{LETTER[op]}" for op, n in zip(ops.tolist(), lengths.tolist(), strict=True) if op != NEITHER
        )
    return _WRITERS[kind](model, model.rows(col0, col1))


def coordinates(model: AlignmentModel, col0: int, col1: int) -> str:
    """Return e.g. ``columns 1-120 · A mt:1-118 · B chrM:1-119``; a side without letters has no range."""
    before, after = model.index.letters_before(col0), model.index.letters_before(col1)
    parts = [f"columns {col0 + 1}-{col1}"]
    for side, sequence, first, last in zip("AB", (model.a, model.b), before, after, strict=True):
        ahead = sequence.place(first - 1) + 1
        where = f"{sequence.place(first) + 1}-{sequence.place(last - 1) + 1}" if last > first else f"gap after {ahead}"
        parts.append(f"{side} {_name(sequence)}:{where}")
    return "\t".join(parts)


def _rows(model: AlignmentModel, rows: AlignmentRows) -> list[tuple[str, Codes, Counts]]:
    ours = [(_name(model.a), rows.a, rows.a_place), (_name(model.b), rows.b, rows.b_place)]
    theirs = [] if rows.theirs is None else [(f"{_name(model.b)}_theirs", rows.theirs, rows.theirs_place)]
    return ours + theirs


def _fasta(model: AlignmentModel, rows: AlignmentRows) -> str:
    return "".join(
        f">{name}{_range(places)}\n{_folded(_row(codes, model.a.characters))}"
        for name, codes, places in _rows(model, rows)
    )


def _clustal(model: AlignmentModel, rows: AlignmentRows) -> str:
    names = [name[:NAME_WIDTH] for name, *_ in _rows(model, rows)]
    names[:2] = ["A_" + names[0], "B_" + names[1]] if names[0] == names[1] else names[:2]
    width = max(map(len, names)) + 6
    texts = [_row(codes, model.a.characters) for _, codes, _ in _rows(model, rows)]
    stars = np.where(MATCH_MARKS[rows.op] == ord("|"), ord("*"), ord(" ")).astype(np.uint8).tobytes().decode()
    passed = [0] * len(texts)
    blocks = []
    for i in range(0, len(texts[0]), LINE_LETTERS):
        lines = []
        for k, row in enumerate(texts):
            part = row[i : i + LINE_LETTERS]
            passed[k] += len(part) - part.count("-")
            lines.append(f"{names[k]:<{width}}{part} {passed[k]}\n")
        lines.append(f"{'':<{width}}{stars[i : i + LINE_LETTERS]}\n")
        blocks.append("".join(lines))
    return "CLUSTAL alignment by Wavediff\n\n\n" + "\n".join(blocks)


_WRITERS: dict[CopyFormat, Callable[[AlignmentModel, AlignmentRows], str]] = {
    CopyFormat.FASTA: _fasta,
    CopyFormat.CLUSTAL: _clustal,
    CopyFormat.PLAIN_A: lambda model, rows: _plain(rows.a, model.a.characters),
    CopyFormat.PLAIN_B: lambda model, rows: _plain(rows.b, model.b.characters),
}


def _plain(codes: Codes, characters: str) -> str:
    letters = codes[codes >= 0]
    return decoded(letters, characters) if characters else letters.astype(np.uint8).tobytes().decode("latin-1")


def _row(codes: Codes, characters: str) -> str:
    texts = {code: _in_a_line(code, characters) for code in set(codes.tolist())}
    return "".join(map(texts.__getitem__, codes.tolist()))


def _in_a_line(code: int, characters: str) -> str:
    if code in (GAP, NOTHING):
        return "-"
    letter = character_of(code, characters)
    return letter if letter and is_shown(letter) else "?"


def _range(places: Counts) -> str:
    letters = places[places > 0]
    return f":{letters[0]}-{letters[-1]}" if letters.size else ""


def _folded(row: str) -> str:
    return "".join(f"{row[i : i + LINE_LETTERS]}\n" for i in range(0, len(row), LINE_LETTERS))


def _name(sequence: Sequence) -> str:
    return printable("_".join(sequence.name.split())) or "unnamed"


@dataclass(frozen=True, slots=True)
class AlignmentAction:
    """Action of the alignment view; ``short`` is its button label.

    With ``everywhere`` its keys work in the whole window, except while a field is edited; otherwise while the view has
    the focus, because other views copy with the same key.
    """

    id: str
    text: str
    short: str
    keys: tuple[str, ...] = ()
    checkable: bool = False
    everywhere: bool = False


ENTRIES = (
    AlignmentAction("first_difference", "First difference", "First", ("Alt+Home",), everywhere=True),
    AlignmentAction(
        "previous_difference", "Previous difference", "Previous", ("Alt+Up", "F7", "Shift+N"), everywhere=True
    ),
    AlignmentAction("next_difference", "Next difference", "Next", ("Alt+Down", "F8", "N"), everywhere=True),
    AlignmentAction("last_difference", "Last difference", "Last", ("Alt+End",), everywhere=True),
    AlignmentAction("go_back", "Back", "←", ("Alt+Left",), everywhere=True),
    AlignmentAction("go_forward", "Forward", "→", ("Alt+Right",), everywhere=True),
    AlignmentAction("focus_go_to", "Go to…", "Go to", ("Ctrl+L",), everywhere=True),
    AlignmentAction("copy", "Copy as aligned FASTA", "Copy", ("Ctrl+C",)),
    AlignmentAction("select_all", "Select all", "All", ("Ctrl+A",)),
    AlignmentAction("set_wrapped", "Wrap lines", "Wrap", (), True),
    AlignmentAction("set_b_ruler", "Ruler of B", "Ruler", (), True),
    AlignmentAction("set_strip_folded", "Fold the zoom strip", "Fold", ("F9",), True, True),
    AlignmentAction("smaller", "Smaller letters", "A−"),
    AlignmentAction("larger", "Larger letters", "A+"),
)


def build_actions(
    owner: QWidget, slots: Mapping[str, Callable[..., object]], entries: Iterable[AlignmentAction] = ENTRIES
) -> dict[str, QAction]:
    """Return an action for each entry, connected to the slot with its id."""
    actions = {}
    for entry in entries:
        action = QAction(entry.text, owner, iconText=entry.short, checkable=entry.checkable)
        action.setObjectName(entry.id)
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        context = Qt.ShortcutContext
        action.setShortcutContext(context.WindowShortcut if entry.everywhere else context.WidgetWithChildrenShortcut)
        native = QKeySequence.SequenceFormat.NativeText
        keys = [shown for key in entry.keys if (shown := QKeySequence(key).toString(native))]
        action.setToolTip(f"{entry.text.rstrip('…')} ({', '.join(keys)})" if keys else entry.text)
        (action.toggled if entry.checkable else action.triggered).connect(slots[entry.id])
        owner.addAction(action)
        actions[entry.id] = action
    return actions


def copy_menu(owner: QWidget) -> QMenu:
    """Return the menu ``Copy as``; its actions call ``owner.copy_as`` with their format."""
    menu = QMenu("Copy as", owner)
    for kind in CopyFormat:
        action = menu.addAction(kind.value)
        action.setData(kind.value)
    return menu


def options_menu(owner: QWidget, actions: dict[str, QAction], menus: Iterable[QMenu]) -> QMenu:
    menu = QMenu("View options", owner)
    for id_ in ("set_wrapped", "set_b_ruler", "larger", "smaller"):
        menu.addAction(actions[id_])
    for each in menus:
        menu.addMenu(each)
    return menu


def colour_menu(owner: QWidget, chosen: Callable[[], Colouring]) -> QMenu:
    """Return the menu of base colourings; on opening, the result of ``chosen`` is checked."""
    menu = QMenu("Base colours", owner)
    group = QActionGroup(menu)
    for kind in Colouring:
        action = menu.addAction(kind.value)
        action.setData(kind.value)
        action.setCheckable(True)
        action.setChecked(kind is chosen())
        group.addAction(action)

    def check() -> None:
        for action in menu.actions():
            action.setChecked(action.data() == chosen().value)

    menu.aboutToShow.connect(check)
    return menu
