"""Drawing of the zoom strip: density of differences on up to three scales, and the visible part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPicture, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from wavediff.app.compare.strip_levels import MAX_LEVELS, StripLevels, Window
from wavediff.app.compare.strip_words import FeatureRows, ends_of, short_count
from wavediff.app.compare.tracks import Tracks
from wavediff.app.compare.tracks.bars import N_ROWS
from wavediff.app.compare.tracks.track import Track
from wavediff.app.draw.recording import Late, corner_of, picture_ratio, pixel_ratio
from wavediff.app.ui.canvas import Canvas, Wide
from wavediff.app.ui.glyphs import Pixels, as_image, pixel
from wavediff.app.ui.lanes import draw_lanes
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.column_counts import column_counts
from wavediff.core.jobs.difference_index import EACH_KIND, OP_OF_KIND, DifferenceIndex, Kinds


@dataclass(frozen=True, slots=True)
class Lane:
    """Lane of differences, or of a track.

    Attributes:
        kind: kind of differences, as a row of ``column_counts``. track: None for differences.
        off: whether that kind is switched off.
    """

    kind: int
    colour: QColor
    off: bool = False
    track: Track | None = None


def window_counts(index: DifferenceIndex, window: Window, n: int) -> Counts:
    """Return the columns of each kind per pixel of ``window``, shape (6, n)."""
    first, end = window.pixels(n)
    if window.span < n:  # a column is wider than a pixel: neighbours show the same one
        col0 = int(first[0])
        return column_counts(index, np.arange(col0, int(end[-1]) + 1))[:, first - col0]
    return column_counts(index, np.append(first, end[-1]))


LEFT_PX, RIGHT_PX = 96, 16  # logical pixels next to the lanes; the scale stands at the left
LANE_PX = 8  # height of a lane; twice that in a large window
_ALWAYS = Kinds.MISMATCH | Kinds.INSERTION | Kinds.DELETION  # kinds that have a lane in each strip
TICK_PX = 3  # of it, for the ticks above the lanes
BELOW_PX = 24  # under each of several levels: positions of its ends, and the wedge to the next
FOLDED_PX = 8
MIN_HANDLE_PX = 6  # width of a handle as drawn
LARGE_WINDOW = QSize(1800, 900)
SMALL_WINDOW_HEIGHT_PX = 600  # under it one level is all there is room for


class StripDrawing(Canvas):
    """One lane per kind; bar height is the logarithm of the letters per pixel."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.levels = StripLevels()
        self._index: AlignmentIndex | None = None
        self._kinds = Kinds.COUNTED
        self._caret = 0
        self._visited = np.empty(0, np.int64)
        self._tracks, self.features = Tracks(), FeatureRows(theme)
        self._dimmed = self.folded = self._large = self._small = False
        self._level = 0  # that the keys are for
        self._pictures: dict[tuple[int, float], tuple[object, QImage, Pixels]] = {}  # by level and ``picture_ratio``
        theme.changed.connect(self._forget)
        self._resize()

    # What is shown

    def set_index(self, index: AlignmentIndex | None) -> None:
        """Show another alignment, without tracks yet."""
        self._index, self._tracks, self.features.bars = index, Tracks(), {}
        self._level = 0
        self._visited = np.empty(0, np.int64)
        self.levels.reset(index.n_columns if index is not None else 0, self._most())
        self._resize()
        self._forget()

    def set_caret(self, col: int) -> None:
        if col != self._caret:
            self._caret = col
            self.update()

    @Slot(object)
    def set_kinds(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._forget()

    def set_tracks(self, tracks: Tracks) -> None:
        """Show tracks in lanes, and features as bars, in coordinates of the alignment."""
        self._tracks, self.features.bars = tracks, tracks.bars
        self._room_changed()

    @Slot(object)
    def set_visited(self, columns: tuple[int, ...]) -> None:
        self._visited = np.sort(np.array(columns, np.int64))
        self._forget()

    def set_dimmed(self, dimmed: bool) -> None:
        self._dimmed = dimmed
        self.update()

    def set_folded(self, folded: bool) -> None:
        """Fold the strip to one line that still shows every difference."""
        self.folded = folded
        self._room_changed()

    def fit(self, window: QSize) -> None:
        large = window.width() >= LARGE_WINDOW.width() and window.height() >= LARGE_WINDOW.height()
        small = window.height() < SMALL_WINDOW_HEIGHT_PX
        if (large, small) != (self._large, self._small):
            self._large, self._small = large, small
            self._room_changed()

    def lanes_of(self, level: int) -> list[Lane]:
        """Return the lanes of a level, top to bottom: occurring kinds of differences, and tracks not drawn as bars."""
        kinds = [kind for kind in EACH_KIND if kind in _ALWAYS or self._has(kind)]
        lanes = [
            Lane(int(OP_OF_KIND[kind]), self._theme.kind(OP_OF_KIND[kind]).strong, not kind & self._kinds)
            for kind in kinds
        ]
        tracks = [track for track in self._tracks.lanes if not track.is_bars or not self.has_bars(level)]
        return lanes + [Lane(-1, track.colour(self._theme), track=track) for track in tracks]

    def has_bars(self, level: int) -> bool:
        last = level == len(self.levels.windows) - 1
        return last and not self.folded and any(map(self.features.height, self._tracks.bars))

    def area(self, level: int) -> QRectF:
        """Return the area of a level in logical pixels: lanes with ticks, and the features of A and B."""
        lanes = self.lanes_area(level)
        return lanes.united(self.rows_area(level, Side.A)).united(self.rows_area(level, Side.B))

    def lanes_area(self, level: int) -> QRectF:
        """Return the area of the lanes of a level in logical pixels, including ticks."""
        above = self.features.height(Side.A) if self.has_bars(level) else 0
        top = sum(self._lanes_height(each) + self._below() for each in range(level))
        return QRectF(LEFT_PX, top + above, self._span(), self._lanes_height(level))

    def rows_area(self, level: int, side: Side) -> QRectF:
        """Return the area of the features of a sequence; empty without any."""
        lanes, high = self.lanes_area(level), self.features.height(side) if self.has_bars(level) else 0
        return QRectF(LEFT_PX, lanes.top() - high if side is Side.A else lanes.bottom(), lanes.width(), high)

    def handle(self, level: int = -1) -> QRectF:
        """Return the handle of a level (default: the last); empty if hidden or covering everything."""
        if not self.levels.windows:
            return QRectF()
        level %= len(self.levels.windows)
        window, inner, area = self.levels.windows[level], self.levels.inner(level), self.area(level)
        if inner.span >= self.levels.n_columns or inner.end <= window.first or inner.first >= window.end:
            return QRectF()
        left, right = (area.left() + area.width() * window.share(col) for col in (inner.first, inner.end))
        left, right = max(left, area.left()), min(right, area.right())
        if right - left < MIN_HANDLE_PX:
            middle = min(max((left + right) / 2, area.left() + MIN_HANDLE_PX / 2), area.right() - MIN_HANDLE_PX / 2)
            left, right = middle - MIN_HANDLE_PX / 2, middle + MIN_HANDLE_PX / 2
        return QRectF(left, area.top(), right - left, area.height())

    # Qt

    def sizes(self) -> tuple[Wide, Wide]:
        return (400, high := self._height()), (LEFT_PX + RIGHT_PX + 80, high)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.base)
        if not picture_ratio():
            for at, image, _ in self._lanes():
                painter.drawImage(at, image)
            self._draw_shapes(painter)

    def above(self) -> Late:
        """Return a thread-safe painter of the strip, as a ``QPicture`` compresses lanes, and SVG does not clip."""
        shapes, lanes = QPicture(), self._lanes()
        with QPainter(shapes) as drawing:
            self._draw_shapes(drawing)

        def paint(painter: QPainter) -> None:
            for at, image, _ in lanes:
                painter.drawImage(at, image)
            shapes.play(painter)

        return paint

    def prepared(self) -> Iterator[None]:
        """Prepare the lanes of a picture, one level per step."""
        for level in self._levels_drawn():
            self._picture(level)
            yield

    # Inside

    @Slot()
    def _forget(self) -> None:
        self._pictures.clear()
        self.update()

    def _room_changed(self) -> None:
        self.levels.set_most(self._most())
        self.features.most = 1 if self._small else N_ROWS if self._large else N_ROWS - 1
        self._resize()
        self._forget()

    def _resize(self) -> None:
        self.setFixedHeight(self._height())

    def _most(self) -> int:
        return 1 if self.folded or self._small else MAX_LEVELS

    def _has(self, kind: Kinds) -> bool:
        return self._index is not None and self._index.n_differences(kind) > 0

    def _lanes_height(self, level: int) -> int:
        if self.folded:
            return FOLDED_PX
        return LANE_PX * len(self.lanes_of(level)) * (2 if self._large else 1)

    def _below(self) -> int:
        return BELOW_PX if len(self.levels.windows) > 1 else 0

    def _height(self) -> int:
        return round(self.area(max(0, len(self.levels.windows) - 1)).bottom()) + self._below()

    def _span(self) -> int:
        return max(1, self.width() - LEFT_PX - RIGHT_PX)

    # Drawing

    def _levels_drawn(self) -> range:
        wide = self._index is not None and self.width() > LEFT_PX + RIGHT_PX
        return range(len(self.levels.windows) if wide else 0)

    def _lanes(self) -> list[tuple[QPointF, QImage, Pixels]]:
        corner = corner_of(self, self.devicePixelRatioF())
        return [(self.lanes_area(level).topLeft() + corner, *self._picture(level)) for level in self._levels_drawn()]

    def _draw_shapes(self, painter: QPainter) -> None:
        painter.setFont(self._theme.small_font)
        for level in self._levels_drawn():
            self._draw_wedge(painter, level)
            self._draw_level(painter, level)
        if self._dimmed:
            painter.fillRect(self.rect(), self._theme.veil)

    def _draw_level(self, painter: QPainter, level: int) -> None:
        assert self._index is not None
        area, window = self.lanes_area(level), self.levels.windows[level]
        if self.has_bars(level):
            for side in Side:
                rows = self.rows_area(level, side).translated(corner_of(self, self.devicePixelRatioF()))
                self.features.draw(painter, side, rows, window, self._caret, pixel_ratio(self))
        for first, last in zip((0, self._index.n_columns), self._index.aligned_columns, strict=True):
            low, high = (min(max(window.share(col), 0.0), 1.0) for col in sorted((first, last)))
            if high > low:  # overhang
                paint = QRectF(area.left() + low * area.width(), area.top(), (high - low) * area.width(), area.height())
                painter.fillRect(paint, self._theme.window)
        self._draw_numbers(painter, level, area, window)
        if window.first <= self._caret < window.end:
            x = area.left() + area.width() * window.share(self._caret + 0.5)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.accent)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            top = area.top()
            painter.drawPolygon(
                QPolygonF([QPointF(x - TICK_PX, top), QPointF(x + TICK_PX, top), QPointF(x, top + TICK_PX)])
            )
        handle = self.handle(level)
        if not handle.isEmpty():
            fill = QColor(self._theme.accent)
            fill.setAlpha(40)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(fill)
            painter.setPen(QPen(self._theme.accent, 2))
            painter.drawRoundedRect(handle.adjusted(-1, 1, 1, -1), 3, 3)

    def _draw_numbers(self, painter: QPainter, level: int, area: QRectF, window: Window) -> None:
        assert self._index is not None
        if self.folded:
            return
        right, single = int(Qt.AlignmentFlag.AlignRight), len(self.levels.windows) == 1
        label = QRectF(4, area.top(), LEFT_PX - 12, area.height())
        painter.setPen(self._theme.dim)
        ends = ends_of(self._index, window)
        if single and not self.levels.is_whole(level):
            painter.drawText(label, right | int(Qt.AlignmentFlag.AlignVCenter), "\n".join(ends))
        else:
            painter.drawText(label, right | int(Qt.AlignmentFlag.AlignVCenter), short_count(round(window.span)))
            if not self.levels.is_whole(level):
                below = QRectF(area.left(), area.bottom(), area.width(), 16)
                painter.drawText(below, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), ends[0])
                painter.drawText(below, right | int(Qt.AlignmentFlag.AlignVCenter), ends[1])
        if self.hasFocus() and level == min(self._level, len(self.levels.windows) - 1):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.accent, 2))
            painter.drawRoundedRect(label.adjusted(-1, 1, 5, -1), 4, 4)

    def _draw_wedge(self, painter: QPainter, level: int) -> None:
        handle = self.handle(level)
        if level + 1 == len(self.levels.windows) or handle.isEmpty():
            return
        next_area = self.area(level + 1)
        tint = QColor(self._theme.accent)
        tint.setAlpha(46)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint)
        painter.drawPolygon(
            QPolygonF([handle.bottomLeft(), handle.bottomRight(), next_area.topRight(), next_area.topLeft()])
        )

    def _picture(self, level: int) -> tuple[QImage, Pixels]:
        """Return the cached image of the lanes and ticks of a level, with its pixels."""
        assert self._index is not None
        ratio, window = pixel_ratio(self), self.levels.windows[level]
        lanes = self.lanes_of(level)
        width, height = max(1, round(self._span() * ratio)), max(len(lanes), round(self._lanes_height(level) * ratio))
        key, place = (window, width, height), (level, picture_ratio())
        if place not in self._pictures or self._pictures[place][0] != key:
            ticks = round((TICK_PX if not self.folded else 2) * ratio)
            lane = max(1, (height - ticks) // len(lanes))
            foot = 0 if self.folded else max(1, round(ratio))
            pixels = np.full((height, width), pixel(self._theme.base), np.uint32)
            kinds = window_counts(self._index, window, width)
            counts = np.array([self._counted(each, kinds, window.pixels(width)) for each in lanes])
            pixels[height - lane * len(lanes) :] = draw_lanes(
                counts,
                kinds.sum(axis=0),
                [(each.colour, each.off) for each in lanes],
                (lane, foot),
                self._theme.base,
                self._theme.grid,
            )
            pixels[:ticks, self._visited_at(window, width)] = pixel(self._theme.accent)
            self._pictures[place] = key, as_image(pixels, ratio), pixels
        return self._pictures[place][1:]

    def _counted(self, lane: Lane, kinds: Counts, columns: tuple[Counts, Counts]) -> Counts:
        """Return the counts of a lane per pixel: columns of a kind, or columns in spans of both sequences."""
        assert self._index is not None
        counts = kinds[lane.kind] if lane.track is None else np.zeros_like(columns[0])
        for spans in () if lane.track is None else self._tracks.lanes[lane.track].values():
            counts = counts + spans.covered(*columns)
        return counts

    def _visited_at(self, window: Window, width: int) -> Counts:
        low, high = (np.searchsorted(self._visited, columns) for columns in window.pixels(width))
        return np.flatnonzero(high > low)
