"""Mouse and keyboard input of the zoom strip."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from wavediff.app.compare.strip_drawing import LEFT_PX, TICK_PX, StripDrawing
from wavediff.app.compare.strip_words import describe_columns, ends_of, feature_words
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.column_counts import longest_run

GRIP_PX = 12  # width where a handle can be grabbed
CLICK_PX = 3  # a mouse that moves less only clicks
WHEEL_UNITS = 200  # of a wheel's angle that halve or double a level; a notch is 120


class ZoomStrip(StripDrawing):
    """``StripDrawing`` with mouse and keyboard input.

    Signals:
        start_wanted: the first visible column (object: it may not fit 32 bits).
        caret_wanted: the new column of the caret.
        extent_wanted: first column of a feature, its end, and its side.
    """

    start_wanted = Signal(object)
    caret_wanted = Signal(object)
    extent_wanted = Signal(object, object, object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Zoom strip")
        self.setMouseTracking(True)
        self._whole_columns = 1
        self._grip: tuple[int, float, float, float] | None = None  # level, column last, start wanted, x at first
        self._describe_keys()

    def set_index(self, index: AlignmentIndex | None) -> None:
        self._grip = None
        super().set_index(index)

    def set_window(self, col0: int, col1: int, n_whole: int) -> None:
        """Set the visible columns ``[col0, col1)``; ``n_whole``: completely visible ones, by which keys move."""
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

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole feature under the pointer."""
        level = self._level_at(event.position())
        feature = None if level is None else self._feature_at(level, event.position())
        if feature is None or level is None:
            self.mousePressEvent(event)
            return
        side, bar = feature
        first, end = self.features.bars[side].extent(bar)
        self.extent_wanted.emit(first, end, side)
        self.levels.show(level, first, end)
        self.update()

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

    def tip_at(self, at: QPointF) -> str:
        level = self._level_at(at)
        if self._index is None or level is None:
            return ""
        if (feature := self._feature_at(level, at)) is not None:
            return feature_words(self.features.bars[feature[0]], *feature)
        first, end = self._columns_at(level, at.x(), 0)
        return describe_columns(self._index, first, end, self._tracks.lanes)

    # Inside

    def _key(self, key: Qt.Key) -> bool:
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
        keys = "Left and right move by a window, plus and minus zoom, Home and End go to the ends, up and down choose."
        if self._index is not None:
            first, last = ends_of(self._index, self.levels.letters)
            keys = f"Letters {first} to {last} of A are visible. {keys}"
        self.setAccessibleDescription(keys)

    def _level_at(self, at: QPointF, below: bool = False) -> int | None:
        """Return the level at a point; ``below``: also below its lanes."""
        if not self.levels.windows:
            return None
        tops = [self.area(level).top() for level in range(len(self.levels.windows))]
        level = max((each for each, top in enumerate(tops) if top <= at.y()), default=0)
        return level if below or at.y() <= self.area(level).bottom() else None

    def _grips(self, level: int, at: QPointF) -> bool:
        handle = self.handle(level)
        slack = max(0.0, (GRIP_PX - handle.width()) / 2)
        return not handle.isEmpty() and handle.adjusted(-slack, 0, slack, 0).contains(at)

    def _column(self, level: int, x: float) -> float:
        window = self.levels.windows[level]
        return window.first + min(max(0.0, (x - LEFT_PX) / self._span()), 1.0) * window.span

    def _columns_at(self, level: int, x: float, around: int) -> tuple[int, int]:
        first, end = self.levels.windows[level].pixels(self._span())
        at = min(max(0, int(x) - LEFT_PX), first.size - 1)
        return int(first[max(0, at - around)]), int(end[min(at + around, first.size - 1)])

    def _feature_at(self, level: int, at: QPointF) -> tuple[Side, int] | None:
        bars = {
            side: self.features.at(side, self.rows_area(level, side), self.levels.windows[level], at)
            for side in self.features.bars
            if self.has_bars(level)
        }
        return next(((side, bar) for side, bar in bars.items() if bar is not None), None)

    def _seek_difference(self, level: int, at: QPointF) -> None:
        """Go to the feature, longest difference or first span in the lane under the pointer, else to the column."""
        assert self._index is not None
        if (feature := self._feature_at(level, at)) is not None:
            bars = self.features.bars[feature[0]]
            first, end = bars.extent(feature[1])
            self.caret_wanted.emit(end - 1 if bars.strand(feature[1]) < 0 else first)
            return
        lanes, area = self.lanes_of(level), self.lanes_area(level)
        top = area.top() + TICK_PX
        row = int((at.y() - top) / ((area.height() - TICK_PX) / len(lanes)))
        lane = lanes[min(row, len(lanes) - 1)] if top <= at.y() <= area.bottom() else None
        columns = self._columns_at(level, at.x(), 1)
        if lane is not None and lane.track is not None:
            lanes_of = self._tracks.lanes[lane.track].values()
            starts = (spans.starts[which[0]] for spans in lanes_of if (which := spans.touching(*columns)).size)
            column = min(map(int, starts), default=None)
        else:
            kinds = tuple(one.kind for one in lanes if one.track is None) if lane is None else (lane.kind,)
            column = longest_run(self._index, *columns, kinds)
        col = self._column(level, at.x()) if column is None else column
        self.caret_wanted.emit(min(max(0, int(col)), self._index.n_columns - 1))

    def _begin_at(self, col: float) -> None:
        if self.levels.n_columns:
            self.start_wanted.emit(min(max(0, int(col)), self.levels.n_columns - 1))
