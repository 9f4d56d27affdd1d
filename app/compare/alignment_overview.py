"""The strip over the letters: where the differences are in the whole alignment, and where one is in it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFocusEvent, QHelpEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.compare.alignment_density import density, strip_counts
from app.compare.cell_styles import mix
from app.ui.glyphs import Pixels, as_image, pixel, shades
from app.ui.hit_density import HitPlaces, places_along, strength
from app.ui.pair import Side
from app.ui.theme import Theme
from core.jobs.alignment import Op
from core.jobs.alignment_index import AlignmentIndex

HEIGHT_PX = 46  # logical pixels
LABEL_WIDTH_PX = 22
RIGHT_MARGIN_PX = 8
TICK_HEIGHT_PX = 5  # of hits, at the edges
MIN_HANDLE_PX = 10  # a window of 10^-6 of the alignment must still be seen and grabbed


class AlignmentOverview(QWidget):
    """Upwards the letters of A that B has not, downwards those of B that A has not; log scale.

    Ticks at the upper and the lower edge are hits of the last search, in A and in B.

    Signals:
        centre_wanted: the column to bring to the middle (object: it may not fit 32 bits).
    """

    centre_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Overview of all differences")
        self.setAccessibleDescription("Arrow keys move the window of visible letters, Home and End go to the ends.")
        self.setMouseTracking(True)
        self._theme = theme
        self._index: AlignmentIndex | None = None
        self._window = (0, 0)
        self._caret = 0
        self._dimmed = False
        self._grip: float | None = None  # where in the handle it was grabbed, in columns from its middle
        self._image = QImage()
        self._pixels: Pixels | None = None
        self._key: tuple[int, float] | None = None
        self._hits: dict[Side, HitPlaces] = {}
        self._ticks: dict[Side, QImage] | None = None  # None: to be drawn anew
        theme.changed.connect(self._forget)

    def set_index(self, index: AlignmentIndex | None) -> None:
        self._index = index
        self._window = (0, 0)
        self._forget()

    @Slot(object)
    def set_hits(self, hits: dict[Side, HitPlaces]) -> None:
        """Show where hits of a search are."""
        self._hits, self._ticks = hits, None
        self.update()

    def set_window(self, col0: int, col1: int) -> None:
        """Show columns ``[col0, col1)`` as those in sight."""
        if (col0, col1) != self._window:
            self._window = (col0, col1)
            self.update()

    def set_dimmed(self, dimmed: bool) -> None:
        """Grey the strip: it belongs to choices of before."""
        if dimmed != self._dimmed:
            self._dimmed = dimmed
            self.update()

    def set_caret(self, col: int) -> None:
        if col != self._caret:
            self._caret = col
            self.update()

    def handle(self) -> QRectF:
        """Return the handle, logical pixels; empty where all is in sight or there is nothing."""
        total = self._index.n_columns if self._index is not None else 0
        if not total or self._window[1] - self._window[0] >= total:
            return QRectF()
        left, right = (self._x(col) for col in self._window)
        if right - left < MIN_HANDLE_PX:
            middle = min(
                max((left + right) / 2, LABEL_WIDTH_PX + MIN_HANDLE_PX / 2),
                self.width() - RIGHT_MARGIN_PX - MIN_HANDLE_PX / 2,
            )
            left, right = middle - MIN_HANDLE_PX / 2, middle + MIN_HANDLE_PX / 2
        return QRectF(left, 1.5, right - left, HEIGHT_PX - 3)

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.base)
        if self._index is None or not self._index.n_columns or self.width() <= LABEL_WIDTH_PX + RIGHT_MARGIN_PX:
            return
        self._refresh()
        painter.drawImage(QPointF(LABEL_WIDTH_PX, 0), self._image)
        for side, ticks in self._hit_ticks().items():
            painter.drawImage(
                QRectF(
                    LABEL_WIDTH_PX, 0 if side is Side.A else HEIGHT_PX - TICK_HEIGHT_PX, self._span(), TICK_HEIGHT_PX
                ),
                ticks,
            )
        font = self.font()
        font.setPixelSize(11)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(self._theme.dim)
        for name, top in (("A", 0.0), ("B", HEIGHT_PX / 2)):
            painter.drawText(QRectF(0, top, LABEL_WIDTH_PX, HEIGHT_PX / 2), int(Qt.AlignmentFlag.AlignCenter), name)
        caret = self._x(self._caret)
        painter.setPen(QPen(self._theme.text, 1))
        painter.drawLine(QPointF(caret, 0), QPointF(caret, HEIGHT_PX))
        handle = self.handle()
        if not handle.isEmpty():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            fill = QColor(self._theme.accent)
            fill.setAlphaF(0.22)
            painter.setBrush(fill)
            painter.setPen(QPen(self._theme.accent, 2.5 if self.hasFocus() else 1.5))
            painter.drawRoundedRect(handle, 3, 3)
        if self._dimmed:
            painter.fillRect(event.rect(), self._theme.veil)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._index is None:
            return
        at, middle = self._column(event.position().x()), sum(self._window) / 2
        self._grip = at - middle if self.handle().contains(event.position()) else 0.0
        if not self._grip:
            self._centre(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._centre(self._column(event.position().x()) - self._grip)
        over = self.handle().contains(event.position())
        self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._index is None:
            super().keyPressEvent(event)
            return
        middle, width = sum(self._window) / 2, max(1, self._window[1] - self._window[0])
        targets = {
            Qt.Key.Key_Left: middle - width,
            Qt.Key.Key_Right: middle + width,
            Qt.Key.Key_PageUp: middle - 10 * width,
            Qt.Key.Key_PageDown: middle + 10 * width,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: self._index.n_columns,
        }
        target = targets.get(Qt.Key(event.key()))
        if target is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self._centre(target)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._index is not None:
            QToolTip.showText(event.globalPos(), self._describe(event.pos().x()), self)
            return True
        return super().event(event)

    # Inside

    @Slot()
    def _forget(self) -> None:
        self._key = self._ticks = None
        self.update()

    def _span(self) -> int:
        return max(1, self.width() - LABEL_WIDTH_PX - RIGHT_MARGIN_PX)

    def _x(self, col: int) -> float:
        total = self._index.n_columns if self._index is not None else 0
        return LABEL_WIDTH_PX + self._span() * col / total if total else LABEL_WIDTH_PX

    def _column(self, x: float) -> float:
        assert self._index is not None
        return (x - LABEL_WIDTH_PX) / self._span() * self._index.n_columns

    def _centre(self, col: float) -> None:
        if self._index is not None and self._index.n_columns:
            self.centre_wanted.emit(min(max(0, int(col)), self._index.n_columns - 1))

    def _describe(self, x: int) -> str:
        assert self._index is not None
        span, total = self._span(), self._index.n_columns
        at = min(max(0, x - LABEL_WIDTH_PX), span - 1)
        counts = strip_counts(self._index, span)[:, at]
        names = ((Op.MISMATCH, "mismatched"), (Op.INSERTION, "inserted"), (Op.DELETION, "deleted"))
        found = ", ".join(f"{int(counts[op]):,} {name}" for op, name in names if counts[op])
        return f"Columns {at * total // span + 1:,} to {max(1, (at + 1) * total // span):,}: {found or 'all equal'}"

    def _refresh(self) -> None:
        """Draw the strip anew where size, pixel ratio, theme or alignment are others than before."""
        ratio = self.devicePixelRatioF()
        width = max(1, round(self._span() * ratio))
        if self._key == (width, ratio) or self._index is None:
            return
        height = round(HEIGHT_PX * ratio)
        half = height // 2
        line = max(1, round(ratio))
        pixels = np.full((height, width), pixel(self._theme.base), np.uint32)
        pixels[half - line : half + line] = pixel(mix(self._theme.base, self._theme.equal, 0.8))
        counts = strip_counts(self._index, width)
        colors = np.array([pixel(self._color(op)) for op in Op], np.uint32)
        room = half - line - round(2 * ratio)
        distance = np.arange(room)[:, None]
        for gap, target in (
            (Op.DELETION, pixels[half - line - room : half - line][::-1]),
            (Op.INSERTION, pixels[half + line : half + line + room]),
        ):
            part = density(counts, gap)
            bars = np.ceil(part.height * room)
            np.copyto(target, colors[part.worst][None, :], where=distance < bars)
        self._pixels = pixels
        self._image = as_image(pixels, ratio)
        self._key, self._ticks = (width, ratio), None

    def _hit_ticks(self) -> dict[Side, QImage]:
        """Return a row of pixels for each side that has hits."""
        if self._ticks is None and self._index is not None:
            width = max(1, round(self._span() * self.devicePixelRatioF()))
            counts = places_along(self._index, self._hits, width)
            self._ticks = {side: shades(self._theme.text, strength(one)) for side, one in counts.items() if one.any()}
        return self._ticks or {}

    def _color(self, op: Op) -> QColor:
        colors = {
            Op.MISMATCH: self._theme.mismatch,
            Op.INSERTION: self._theme.insertion,
            # A thin yellow bar is not seen on white.
            Op.DELETION: self._theme.deletion if self._theme.dark else self._theme.deletion.darker(150),
        }
        return colors.get(op, self._theme.equal)
