"""Keyboard, wheel and mouse of the lines canvas: navigation, folding, selection."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QFrame

from wavediff.app.compare.lines.lines_canvas import LinesCanvas
from wavediff.app.compare.lines.moved_links import tags
from wavediff.app.compare.lines.shown_rows import Folding
from wavediff.app.compare.lines.sight import sides_of
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Counts

WHEEL_UNITS, WHEEL_COLUMNS, KEY_COLUMNS = 120, 8, 8  # a notch of a wheel, and how far it and a key go sideways
AUTO_SCROLL_MS = 30


class InteractiveLines(LinesCanvas):
    """The canvas with input; a selection belongs to one text, also across hidden lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.viewport().setMouseTracking(True)
        self._drag_from: int | None = None  # letter of the text of ``_side``
        self._anchor: tuple[int, int] | None = None  # letters from which Shift and a key select
        self._last_point = QPointF()
        self._wheel_rest = 0.0
        self._auto_scroll = QTimer(self, interval=AUTO_SCROLL_MS)
        self._auto_scroll.timeout.connect(self._drag_on)

    def select_all(self) -> None:
        if self.cells is not None:
            self.mark(selection=(self._side, 0, int(self._starts()[-1])))

    def selected_text(self) -> str:
        side, first, end = self.marked.selection
        return self.cells.text(side, first, end) if self.cells is not None and first < end else ""

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        if self.shown is None or alt or not self._pressed(event.key(), event.modifiers()):
            super(QFrame, self).keyPressEvent(event)  # a scroll area would keep the arrows

    def _pressed(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Handle a key; return whether it has a function."""
        assert self.shown is not None
        keys, entry, place, across = Qt.Key, self.entry, self.marked.place, self.horizontalScrollBar()
        page = max(1, int(self.sight.size.high) // self.sight.row - 1)
        enter, closes = (keys.Key_Return, keys.Key_Enter), () if across.value() else (keys.Key_Left,)
        moves: dict[int, int] = {
            keys.Key_Up: place - 1,
            keys.Key_Down: place + 1,
            keys.Key_PageUp: place - page,
            keys.Key_PageDown: place + page,
            keys.Key_Home: 0,
            keys.Key_End: self.shown.n - 1,
        }
        if key in moves:
            self._go_by_key(moves[key], bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
        elif key in enter and modifiers & Qt.KeyboardModifier.ControlModifier:
            self.look(folding=Folding(all_open=not self.folding.all_open))
        elif entry is not None and key in ((*enter, keys.Key_Right) if entry.is_fold else closes):
            self.toggle_fold(entry.row)
        elif key in (keys.Key_Left, keys.Key_Right):
            across.setValue(across.value() + (KEY_COLUMNS if key == keys.Key_Right else -KEY_COLUMNS))
        else:
            return False
        return True

    def _go_by_key(self, place: int, extend: bool) -> None:
        """Make an entry current; ``extend``: select the lines from the previous entry on."""
        before, chosen = self._span(), (self._side, 0, 0)
        self.go_to_place(place)
        self._anchor = (self._anchor or before) if extend else None
        if self._anchor is not None and (now := self._span()) is not None:
            chosen = self._side, min(self._anchor[0], now[0]), max(self._anchor[1], now[1])
        self.mark(selection=chosen)

    def _span(self) -> tuple[int, int] | None:
        if (entry := self.entry) is None or self.shown is None:
            return None
        first, end = np.searchsorted(self.shown.row_of[self._side], (entry.row, entry.end))
        return int(self._starts()[first]), int(self._starts()[end])

    def _starts(self) -> Counts:
        assert self.cells is not None
        return self.cells.starts[self._side]

    # Wheel and mouse

    def wheelEvent(self, event: QWheelEvent) -> None:
        angle, across = event.angleDelta().y() or event.angleDelta().x(), self.horizontalScrollBar()
        zooms = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        sideways = event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not event.angleDelta().y()
        if not (zooms or sideways):
            self.verticalScrollBar().event(event)
            return
        self._wheel_rest += angle / WHEEL_UNITS * (1 if zooms else WHEEL_COLUMNS)
        steps = int(self._wheel_rest)
        self._wheel_rest -= steps
        if zooms:
            self.set_font_px(self.font_px + steps)
        else:
            across.setValue(across.value() - steps)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        place = int((point.y() + self.sight.top) // self.sight.row)
        entries = self.shown.entries(place, place + 1) if self.shown is not None else []
        if event.button() != Qt.MouseButton.LeftButton or self.shown is None or not entries:
            super().mousePressEvent(event)
            return
        for tag in tags(self.shown, self.sight, self.marked.moved):
            if tag.box.has(point.x(), point.y()):
                self.go_to_line(tag.side, tag.line)
                return
        if entries[0].is_fold:
            self.toggle_fold(entries[0].row)
            return
        assert self.cells is not None
        before, self._last_point = self._side, point
        there = [side for side, _ in sides_of(entries[0], self.cells)] or [Side.B]
        clicked = Side.B if point.x() >= self.sight.left[Side.B] - self.sight.channel / 2 else Side.A
        self._side = there[-1] if self.sight.inline else clicked
        extend = event.modifiers() & Qt.KeyboardModifier.ShiftModifier and before is self._side
        if not extend or self._drag_from is None:
            self._drag_from = self._letter_at(point)
        self._anchor = None
        self._set_place(place, letter=self._letter_at(point))
        self._drag_on()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._last_point = point = event.position()
        if event.buttons() & Qt.MouseButton.LeftButton:
            inside = self.viewport().rect().contains(point.toPoint())
            self._auto_scroll.stop() if inside else self._auto_scroll.start()
            self._drag_on()
        elif self.shown is not None:
            place = int((point.y() + self.sight.top) // self.sight.row)
            hand = any(e.is_fold for e in self.shown.entries(place, place + 1)) or any(
                tag.box.has(point.x(), point.y()) for tag in tags(self.shown, self.sight, self.marked.moved)
            )
            shapes = Qt.CursorShape
            self.viewport().setCursor(shapes.PointingHandCursor if hand else shapes.IBeamCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._auto_scroll.stop()
        super().mouseReleaseEvent(event)

    @Slot()
    def _drag_on(self) -> None:
        """Extend the selection to the pointer; outside of the canvas scroll towards it."""
        if self._drag_from is None or self.cells is None:
            return
        beyond = min(0.0, self._last_point.y()) + max(0.0, self._last_point.y() - self.viewport().height())
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + int(beyond))
        first, end = sorted((self._drag_from, self._letter_at(self._last_point)))
        self.mark(selection=(self._side, first, end))

    def _letter_at(self, point: QPointF) -> int:
        assert self.shown is not None
        assert self.cells is not None
        sight = self.sight
        place = min(max(int((point.y() + sight.top) // sight.row), 0), self.shown.n - 1)
        entry = self.shown.entries(place, place + 1)[0]
        lines = dict(sides_of(entry, self.cells))
        if self._side not in lines or entry.is_fold:  # where its next line begins
            return int(self._starts()[np.searchsorted(self.shown.row_of[self._side], entry.row)])
        skipped = sight.column + entry.part * sight.columns
        column = skipped + (point.x() - sight.text[self._side]) / sight.cell
        part = self.cells.part(self._side, lines[self._side], skipped)
        first, end = self.cells.ends(self._side, lines[self._side])
        return min(first + part.letter(column), end)
