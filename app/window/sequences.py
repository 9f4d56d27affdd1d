"""The two panes on top: what A and B are, and where files are dropped."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from app.ui.icons import icon
from app.ui.labels import ElidedLabel
from app.ui.number_text import grouped, percent
from app.ui.pair import Pair, Side
from app.ui.progress_line import ProgressLine
from app.ui.theme import Theme
from app.window.composition import CompositionBar, composition_text
from app.window.read_as import ReadAsButton
from app.window.sequence_loader import ReadItem
from core.sequences.read_as import ReadAs
from core.sequences.sequence import Alphabet, Sequence

ROLES = {Side.A: "A · reference · rows", Side.B: "B · query · columns"}


class SequencePane(QWidget):
    """One sequence: name, length, alphabet, composition, source and what the reader noticed.

    Signals:
        open_wanted, paste_wanted: its ``Side``; a button was pressed.
        notices_wanted: its ``Side``; the reader's notices shall be shown in full.
        reading_wanted: its ``Side``, a ``ReadAs`` and an ``Alphabet`` or None; it shall be read again as these.
    """

    open_wanted = Signal(object)
    paste_wanted = Signal(object)
    notices_wanted = Signal(object)
    reading_wanted = Signal(object, object, object)

    def __init__(self, side: Side, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.side = side
        self._theme = theme
        self._target = False
        self._name = ElidedLabel(parent=self)
        font = QFont(self.font())
        font.setBold(True)
        self._name.setFont(font)
        self._facts = ElidedLabel(parent=self)
        self._numbers = ElidedLabel(parent=self)
        self._bar = CompositionBar(theme, self)
        self._progress = ProgressLine(self)
        self._progress.setFixedHeight(6)
        self._open = self._button("Open a file as " + side, self._ask_open)
        self._paste = self._button("Paste as " + side, self._ask_paste)
        self._notices = self._button("What the reader noticed", self._ask_notices)
        self._notices.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._read_as = ReadAsButton(side, self)
        self._read_as.chosen.connect(self._ask_reading)
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self._name, 1)
        for each in (self._notices, self._open, self._paste):
            head.addWidget(each)
        facts = QHBoxLayout()  # beside what it can change
        facts.setSpacing(2)
        facts.addWidget(self._facts, 1)
        facts.addWidget(self._read_as)
        layout = QGridLayout(self)
        layout.setContentsMargins(48, 5, 8, 7)
        layout.setVerticalSpacing(3)
        layout.addLayout(head, 0, 0)
        layout.addLayout(facts, 1, 0)
        layout.addWidget(self._bar, 2, 0)
        layout.addWidget(self._numbers, 3, 0)
        layout.addWidget(self._progress, 4, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.show_sequence(None)
        self.show_loading(False)

    def show_sequence(self, sequence: Sequence | None, want: ReadItem | None = None) -> None:
        """Show ``sequence`` and how it was read, which can be changed where ``want`` would give it again."""
        self._bar.show_sequence(sequence)
        self._bar.setVisible(sequence is not None and len(sequence) > 0)
        self._numbers.set_text(composition_text(sequence))
        self._read_as.setVisible(sequence is not None and want is not None)
        if sequence is not None and want is not None:
            self._read_as.show_choice(sequence, want)
        if sequence is None:
            self._name.set_text("Drop a sequence here")
            self._facts.set_text("or open a file (Ctrl+O), or paste (Ctrl+V)")
            self._notices.hide()
            self.setAccessibleName(f"{ROLES[self.side]}: empty")
            return
        name = sequence.name or "(no name)"
        full = f"{name} {sequence.description}".strip()
        self._name.set_text(full, full)
        unit = "letter" if len(sequence) == 1 else "letters"
        as_bytes = sequence.format == "bytes" and sequence.alphabet is Alphabet.TEXT
        kind = "bytes" if as_bytes else str(sequence.alphabet)
        facts = [f"{grouped(len(sequence))} {unit}", kind, os.path.basename(sequence.source)]
        if sequence.record > 1:
            facts.append(f"record {grouped(sequence.record)}")
        self._facts.set_text("  ·  ".join(fact for fact in facts if fact), sequence.source)
        count = len(sequence.notices)
        self._notices.setVisible(count > 0)
        self._notices.setText(f"! {count} notice" + ("s" if count != 1 else ""))
        self.setAccessibleName(f"{ROLES[self.side]}: {self._name.text}, {self._facts.text}")

    def show_loading(self, busy: bool, stage: str = "", done: int = 0, total: int = 0) -> None:
        """Show how far the reading is."""
        self._progress.setVisible(busy)
        if busy:
            share = min(1.0, done / total) if total else None  # a share, since a file may be longer than Qt counts
            self._progress.show_share(share)
            far = f" {percent(share)}" if share is not None else ""
            self._numbers.set_text(f"{stage.capitalize() or 'Reading'}…{far}")

    def set_target(self, target: bool) -> None:
        """Mark the pane that a drop would go to now."""
        if target != self._target:
            self._target = target
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, 5 * self.fontMetrics().height() + 16)

    def _button(self, tip: str, slot: object) -> QToolButton:
        button = QToolButton(self)
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(slot)
        return button

    @Slot()
    def _ask_open(self) -> None:
        self.open_wanted.emit(self.side)

    @Slot()
    def _ask_paste(self) -> None:
        self.paste_wanted.emit(self.side)

    @Slot(object, object)
    def _ask_reading(self, read_as: ReadAs, alphabet: Alphabet | None) -> None:
        self.reading_wanted.emit(self.side, read_as, alphabet)

    @Slot()
    def _ask_notices(self) -> None:
        self.notices_wanted.emit(self.side)

    @Slot()
    def _restyle(self) -> None:
        self._open.setIcon(icon("open", self._theme))
        self._paste.setIcon(icon("paste", self._theme))
        for label in (self._facts, self._numbers):
            palette = label.palette()
            palette.setColor(label.foregroundRole(), self._theme.dim)
            label.setPalette(palette)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        marked = self._target or self.hasFocus()
        pen = QPen(theme.accent if marked else theme.grid, 2 if self._target else 1)
        painter.setPen(pen)
        painter.setBrush(theme.raised)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        badge = QRectF(11, 10, 26, 26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.accent)
        painter.drawRoundedRect(badge, 5, 5)
        font = QFont(self.font())
        font.setBold(True)
        font.setPixelSize(15)
        painter.setFont(font)
        painter.setPen(theme.ink_on(theme.accent))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, self.side.value)
        self._paint_direction(painter)

    def _paint_direction(self, painter: QPainter) -> None:
        """Under the badge: A runs down the matrix, B across."""
        painter.setPen(QPen(self._theme.dim, 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        if self.side is Side.A:
            lines = ((24, 42, 24, 58), (24, 58, 20, 54), (24, 58, 28, 54))
        else:
            lines = ((16, 50, 32, 50), (32, 50, 28, 46), (32, 50, 28, 54))
        for x0, y0, x1, y1 in lines:
            painter.drawLine(x0, y0, x1, y1)


class SequencesView(QWidget):
    """Both panes and the button that swaps them.

    Args:
        want: what was asked for where a side came from.
    """

    def __init__(
        self, pair: Pair, want: Callable[[Side], ReadItem | None], theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._pair, self._want = pair, want
        self._theme = theme
        self.panes = {side: SequencePane(side, theme, self) for side in Side}
        self.swap = QToolButton(self)
        self.swap.setAutoRaise(True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.panes[Side.A], 1)
        layout.addWidget(self.swap)
        layout.addWidget(self.panes[Side.B], 1)
        pair.changed.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        for side, pane in self.panes.items():
            pane.show_sequence(self._pair[side], self._want(side))

    def show_loading(self, busy: frozenset[Side], stage: str, done: int, total: int) -> None:
        for side, pane in self.panes.items():
            pane.show_loading(side in busy, stage, done, total)
            if side not in busy:
                pane.show_sequence(self._pair[side], self._want(side))

    def side_at(self, global_pos: QPoint) -> Side | None:
        """Return the pane under a point of the screen."""
        for side, pane in self.panes.items():
            if pane.isVisible() and pane.rect().contains(pane.mapFromGlobal(global_pos)):
                return side
        return None

    def focused(self) -> Side | None:
        return next((side for side, pane in self.panes.items() if pane.hasFocus()), None)

    def set_target(self, side: Side | None) -> None:
        for each, pane in self.panes.items():
            pane.set_target(each is side)
