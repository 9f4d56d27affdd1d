"""The zoom strip over the letters: clicks, handles and keys lead to what it shows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from wavediff.app.compare.strip_drawing import LEFT_PX, TICK_PX, StripDrawing
from wavediff.app.compare.strip_words import describe_columns, ends_of
from wavediff.app.compare.tracks.track import first_span
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.column_counts import longest_run

GRIP_PX = 12  # width where a handle can be grabbed
CLICK_PX = 3  # a mouse that moves less only clicks
WHEEL_UNITS = 200  # of a wheel's angle that halve or double a level; a notch is 120


class ZoomStrip(StripDrawing):
    """See ``StripDrawing``; with the mouse and the keys.

    Signals:
        start_wanted: the column to begin with (object: it may not fit 32 bits).
        caret_wanted: the column to go to with the caret.
    """

    start_wanted = Signal(object)
    caret_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Zoom strip")
        self.setMouseTracking(True)
        self._whole_columns = 1
        self._grip: tuple[int, float, float, float] | None = None  # level, column last, start wanted, x at first
        self._describe_keys()

    def set_index(self, index: AlignmentIndex | None) -> None:
        self._grip = None
        super().set_index(index)

    def set_window(self, col0: int, col1: int, n_whole: int) -> None:
        """Show columns ``[col0, col1)`` as those in sight, of which so many are not cut: a key moves by these."""
        if self._index is not None:
            self._whole_columns = max(1, n_whole)
            self.levels.follow(col0, col1)
            self._describe_keys()
            self.update()

    # Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        level, at = self._level_at(event.position()), event.position()
        if event.button() != Qt.MouseButton.LeftButton or level is None:
            return
        self._level = level
        if self._grips(level, at):
            self._grip = level, self._column(level, at.x()), self.levels.letters.first, at.x()
        else:
            self._seek_difference(level, at)
            self._grip = level, self._column(level, at.x()), self.levels.letters.first, at.x() - 2 * CLICK_PX

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._grip is not None and abs(at.x() - self._grip[3]) > CLICK_PX:
            level, before, start, _ = self._grip
            col = self._column(level, at.x())
            self._grip = level, col, start + col - before, -2.0 * CLICK_PX
            self.levels.shift(level + 1, col - before)
            self._begin_at(self._grip[2])
        level_there = self._level_at(at)
        over = level_there is not None and self._grips(level_there, at)
        self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        grip, self._grip = self._grip, None
        if grip is not None and abs(event.position().x() - grip[3]) <= CLICK_PX:
            self._seek_difference(grip[0], event.position())

    def wheelEvent(self, event: QWheelEvent) -> None:
        level = self._level_at(event.position(), below=True)
        turned = event.angleDelta()
        if level is None or turned.isNull():
            event.ignore()
            return
        if turned.x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            part = -(turned.x() or turned.y()) / 120 / 10
            self.levels.shift(level, part * self.levels.windows[level].span)
        else:
            self.levels.zoom(level, 2 ** (-turned.y() / WHEEL_UNITS), self._column(level, event.position().x()))
        self.update()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if self._index is None or not self.levels.windows or not plain or not self._key(Qt.Key(event.key())):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def words_at(self, at: QPointF) -> str:
        """Return what is behind the pixel at a point of the strip, in words."""
        level = self._level_at(at)
        if self._index is None or level is None:
            return ""
        first, end = self._columns_at(level, at.x(), 0)
        return describe_columns(self._index, first, end, self._tracks)

    # Inside

    def _key(self, key: Qt.Key) -> bool:
        """Do what a key is for; return whether it is for anything."""
        level = self._level = min(self._level, len(self.levels.windows) - 1)
        inner = self.levels.inner(level)
        start = self.levels.letters.first
        width = self._whole_columns if inner is self.levels.letters else max(1.0, inner.span)
        to = {
            Qt.Key.Key_Left: start - width,
            Qt.Key.Key_Right: start + width,
            Qt.Key.Key_PageUp: start - 10 * width,
            Qt.Key.Key_PageDown: start + 10 * width,
            Qt.Key.Key_Home: 0.0,
            Qt.Key.Key_End: float(self.levels.n_columns),
        }
        if key in to:
            self._begin_at(to[key])
            return True
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            window = self.levels.windows[level]
            at = inner.middle if window.first <= inner.middle <= window.end else window.middle
            self.levels.zoom(level, 2.0 if key == Qt.Key.Key_Minus else 0.5, at)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and len(self.levels.windows) > 1:
            step = 1 if key == Qt.Key.Key_Down else -1
            self._level = min(max(0, level + step), len(self.levels.windows) - 1)
        else:
            return False
        self._describe_keys()
        self.update()
        return True

    def _describe_keys(self) -> None:
        """Tell a screen reader what the letters show, and the keys."""
        keys = "Left and right move by a window, plus and minus zoom, Home and End go to the ends, up and down choose."
        if self._index is not None:
            first, last = ends_of(self._index, self.levels.letters)
            keys = f"Letters {first} to {last} of A are in sight. {keys}"
        self.setAccessibleDescription(keys)

    def _level_at(self, at: QPointF, below: bool = False) -> int | None:
        """Return the level at a point; ``below``: also where the point is under its lanes."""
        if not self.levels.windows:
            return None
        level = min(max(0, int(at.y()) // self._pitch()), len(self.levels.windows) - 1)
        return level if below or at.y() <= self.area(level).bottom() else None

    def _grips(self, level: int, at: QPointF) -> bool:
        handle = self.handle(level)
        slack = max(0.0, (GRIP_PX - handle.width()) / 2)
        return not handle.isEmpty() and handle.adjusted(-slack, 0, slack, 0).contains(at)

    def _column(self, level: int, x: float) -> float:
        window = self.levels.windows[level]
        return window.first + min(max(0.0, (x - LEFT_PX) / self._span()), 1.0) * window.span

    def _columns_at(self, level: int, x: float, around: int) -> tuple[int, int]:
        """Return the columns behind the pixel at ``x``, and ``around`` so many beside it."""
        first, end = self.levels.windows[level].pixels(self._span())
        at = min(max(0, int(x) - LEFT_PX), first.size - 1)
        return int(first[max(0, at - around)]), int(end[min(at + around, first.size - 1)])

    def _seek_difference(self, level: int, at: QPointF) -> None:
        """Go to the longest difference, or the first span, of the lane under the pointer; else to the column."""
        assert self._index is not None
        lanes = self.lanes
        top = self.area(level).top() + TICK_PX
        row = int((at.y() - top) / ((self._lanes_height() - TICK_PX) / len(lanes)))
        lane = lanes[min(row, len(lanes) - 1)] if at.y() >= top else None
        columns = self._columns_at(level, at.x(), 1)
        if lane is not None and lane.track is not None:
            found = first_span(self._index, self._tracks[lane.track], *columns)
        else:
            kinds = tuple(one.kind for one in lanes if one.track is None) if lane is None else (lane.kind,)
            found = longest_run(self._index, *columns, kinds)
        col = self._column(level, at.x()) if found is None else found
        self.caret_wanted.emit(min(max(0, int(col)), self._index.n_columns - 1))

    def _begin_at(self, col: float) -> None:
        if self.levels.n_columns:
            self.start_wanted.emit(min(max(0, int(col)), self.levels.n_columns - 1))
