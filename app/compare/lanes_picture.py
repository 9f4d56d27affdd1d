"""Timeline of a run: one row per thread shaded by its load, phases on top, current time as a line."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from wavediff.app.ui.canvas import Canvas, Wide
from wavediff.app.ui.kernel_names import stage_name
from wavediff.app.ui.number_text import percent
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import duration, number
from wavediff.core.record.playback import Lane, Playback, Seconds, Wait

MAX_LANES = 8  # that are shown one by one; of more the busiest ones, and what all of them did together
ROW_PX, GAP_PX = 18, 2
NAME_PX, SHARE_PX = 96, 44  # left of the picture, and right of it
LEVELS = 256
NAME_ROOM_PX = 8  # next to the name of a stage, which else is not written


def shown_lanes(times: Playback) -> list[tuple[Lane, int | None]]:
    """Return the displayed lanes, each with its number in the record; None: the mean of all lanes."""
    lanes = [] if times.record.interpolated else times.lanes
    if len(lanes) <= MAX_LANES:
        return [(lane, k) for k, lane in enumerate(lanes)]
    busiest = sorted(sorted(range(len(lanes)), key=lambda k: -lanes[k].busy)[: MAX_LANES - 1])
    busy = sum(lane.busy for lane in lanes) / len(lanes)
    together = Lane("", sum(lane.n_places for lane in lanes), busy, Wait("", 0.0, 0.0))
    return [*((lanes[k], k) for k in busiest), (together, None)]


def shown_shares(times: Playback, n: int) -> Seconds:
    """Return the load of each displayed lane in ``n`` equal intervals, shape (lanes, n)."""
    shares = times.shares(np.linspace(*times.axis, n + 1))
    rows = [shares.mean(0) if k is None else shares[k] for _, k in shown_lanes(times)]
    return np.array(rows).reshape(len(rows), n)


class LanesPicture(Canvas):
    """Shows the times of a run, if any.

    Signals:
        sought: time of a click or drag, seconds since the start of the attempt.
    """

    sought = Signal(float)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.times: Playback | None = None
        self._moment = 0.0
        self._shares = np.zeros((0, 0))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self._refresh)
        self.show_times(None)

    def show_times(self, times: Playback | None) -> None:
        self.times = times
        self.setVisible(times is not None and bool(self._names()))
        shares = ", ".join(f"{name} {share}" for name, share in self._names() if share)
        self.setAccessibleName(f"Lanes: {shares}" if shares else "Lanes")
        self._refresh()
        self.updateGeometry()

    def show_moment(self, seconds: float) -> None:
        """Draw the replay time at ``seconds`` since the start of the attempt."""
        if seconds != self._moment:
            for each in (self._moment, seconds):
                x = self._x(each)
                self.update(QRectF(x - 3, 0, 6, self.height()).toAlignedRect())
            self._moment = seconds

    def sizes(self) -> tuple[Wide, Wide]:
        high = len(self._names()) * (ROW_PX + GAP_PX)
        return (240, high), (NAME_PX + SHARE_PX + 40, high)

    def _names(self) -> list[tuple[str, str]]:
        times = self.times
        if times is None:
            return []
        rows = [("stages", "")] if times.stages else []
        for lane, place in shown_lanes(times):
            name = f"all {number(len(times.record.names))}" if place is None else lane.name
            rows.append((name, percent(lane.busy)))
        return rows

    @property
    def _room(self) -> QRect:
        return QRect(NAME_PX, 0, max(1, self.width() - NAME_PX - SHARE_PX), self.height())

    def _x(self, seconds: float) -> float:
        times, room = self.times, self._room
        first, last = (0.0, 0.0) if times is None else times.axis
        return room.left() + (seconds - first) / (last - first) * room.width() if first < last else float(room.left())

    def _seconds(self, x: float) -> float:
        times, room = self.times, self._room
        if times is None:
            return 0.0
        share = min(max((x - room.left()) / room.width(), 0.0), 1.0)
        first, last = times.axis
        return first + share * (last - first)

    # What the user does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and event.position().x() >= NAME_PX:
            self.sought.emit(self._seconds(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.sought.emit(self._seconds(event.position().x()))

    def tip_at(self, at: QPointF) -> str:
        times, seconds = self.times, self._seconds(at.x())
        row = int(at.y() // (ROW_PX + GAP_PX))
        if times is None or row >= len(self._names()):
            return ""
        if times.stages and row == 0:
            here = [span for span in times.stages if span.began <= seconds <= span.ended]
            return "\n".join(f"{stage_name(span.name)}: {duration(span.seconds)}" for span in here)
        pixel = min(max(int(at.x()) - self._room.left(), 0), self._shares.shape[1] - 1)
        name, whole = self._names()[row]
        here_share = percent(float(self._shares[row - bool(times.stages), pixel]))
        return f"{name}: busy for {here_share} here, for {whole} in all"

    # What is painted

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        if self.times is not None:
            self._shares = shown_shares(self.times, self._room.width())
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.times is not None:
            self.paint(QPainter(self))  # on that of the panel

    def paint(self, painter: QPainter) -> None:
        x = self._x(self._moment)
        self._paint_all(painter)
        painter.setPen(QPen(self._theme.text, 2))
        painter.drawLine(QLineF(x, 0, x, self.height()))

    def _paint_all(self, painter: QPainter) -> None:
        times, theme, room = self.times, self._theme, self._room
        assert times is not None
        painter.setFont(theme.small_font)
        for row, (name, share) in enumerate(self._names()):
            line = QRect(0, row * (ROW_PX + GAP_PX), self.width(), ROW_PX)
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.setPen(theme.dim)
            painter.drawText(
                line.adjusted(0, 0, NAME_PX - 8 - self.width(), 0), middle | Qt.AlignmentFlag.AlignLeft, name
            )
            painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, share)
            place = QRect(room.left(), line.top(), room.width(), ROW_PX)
            if row == 0 and times.stages:
                self._paint_stages(painter, place)
            else:
                self._paint_lane(painter, place, row - bool(times.stages))

    def _paint_lane(self, painter: QPainter, place: QRect, row: int) -> None:
        from wavediff.app.draw.plot import colour_table

        levels = (self._shares[row] * (LEVELS - 1)).astype(np.intp)
        pixels = colour_table((self._theme.waiting, self._theme.accent), LEVELS)[levels]
        image = QImage(pixels.data, pixels.size, 1, 4 * pixels.size, QImage.Format.Format_RGB32)
        painter.drawImage(place, image)

    def _paint_stages(self, painter: QPainter, place: QRect) -> None:
        assert self.times is not None
        names = list(dict.fromkeys(span.name for span in self.times.stages))
        painter.fillRect(place, self._theme.waiting)
        for span in self.times.stages:
            left = max(self._x(span.began), float(place.left()))
            right = min(self._x(span.ended), place.left() + float(place.width()))
            if right < place.left() or left > place.right():
                continue
            box = QRectF(left, place.top(), max(1.0, right - left), place.height())
            painter.fillRect(box, (self._theme.tint, self._theme.done)[names.index(span.name) % 2])
            text = stage_name(span.name)
            if painter.fontMetrics().horizontalAdvance(text) + NAME_ROOM_PX < box.width():
                painter.setPen(self._theme.text)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
