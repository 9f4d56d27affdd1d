"""The legend under the map: what is on it just now, colour and mark each with its name."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QLineF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.block_map.band_attempts import SKIP_NAMES
from app.ui.block_map.block_map import BlockMapModel
from app.ui.block_map.block_symbols import LEGEND, paint_marks
from app.ui.block_map.skip_style import STATE_SKIPS, edge_pen, paint_skip
from app.ui.theme import Theme
from core.jobs.edit_result import SkipReason
from core.jobs.grid import BlockState

SWATCH_PX = 12  # pixels
ALWAYS = (BlockState.WAITING, BlockState.RUNNING, BlockState.DONE, BlockState.PATH)


class BandLine(StrEnum):
    """Lines of the map that are no blocks."""

    EDGE = "edge of the band"
    EARLIER = "earlier band"


LegendEntry = BlockState | SkipReason | BandLine


def entries_of(model: BlockMapModel) -> tuple[LegendEntry, ...]:
    """Return what the map of ``model`` shows now."""
    found: list[LegendEntry] = list(ALWAYS)
    if model.inner_skip is None:
        found += [
            state for state in (BlockState.OUTSIDE_BAND, BlockState.MONOTONE, BlockState.FAILED) if model.has(state)
        ]
    else:
        found = [BlockState.PATH, model.inner_skip]
    grid = model.grid
    if grid is not None and (grid.n_rows, grid.n_cols) != (model.n, model.m) and SkipReason.ENDS not in found:
        found.append(SkipReason.ENDS)
    banded = [each for each in model.attempts if each.has_band]
    if model.band is not None:
        found.append(BandLine.EDGE)
    if len(banded) > (model.band is not None):
        found.append(BandLine.EARLIER)
    return tuple(found)


def name_of(entry: LegendEntry) -> str:
    """Return what the legend calls ``entry``."""
    if isinstance(entry, BlockState):
        return LEGEND[entry]
    return SKIP_NAMES[entry] if isinstance(entry, SkipReason) else entry.value


class Legend(QWidget):
    """As many lines as the width asks for."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: tuple[LegendEntry, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_entries(ALWAYS)
        theme.changed.connect(self._repaint)

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        return self._entries

    def set_entries(self, entries: tuple[LegendEntry, ...]) -> None:
        if entries != self._entries:
            self._entries = entries
            self.setAccessibleName("Legend: " + ", ".join(name_of(entry) for entry in entries))
            self.updateGeometry()
            self.update()

    @Slot()
    def _repaint(self) -> None:
        self.update()

    def _places(self, whole: int) -> list[tuple[LegendEntry, int, int]]:
        """(entry, left, line) of each entry at width ``whole``."""
        places, left, line = [], 2, 0
        for entry in self._entries:
            width = SWATCH_PX + 5 + self.fontMetrics().horizontalAdvance(name_of(entry))
            if left + width > whole and left > 2:
                left, line = 2, line + 1
            places.append((entry, left, line))
            left += width + 12
        return places

    @property
    def _line_height(self) -> int:
        return self.fontMetrics().height() + 3

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return self._line_height * (1 + (places[-1][2] if places else 0))

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(240, self.width())))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = self._line_height
        for entry, left, line in self._places(self.width()):
            box = QRectF(left + 0.5, line * height + (height - SWATCH_PX) / 2 + 0.5, SWATCH_PX - 1, SWATCH_PX - 1)
            self._paint_entry(painter, entry, box)
            painter.setPen(self._theme.text)
            text = QRectF(left + SWATCH_PX + 5, line * height, self.width(), height)
            painter.drawText(text, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name_of(entry))

    def _paint_entry(self, painter: QPainter, entry: LegendEntry, box: QRectF) -> None:
        if isinstance(entry, BandLine):
            painter.setPen(edge_pen(self._theme, entry is BandLine.EDGE))
            painter.drawLine(QLineF(box.topLeft(), box.bottomRight()))
            return
        painter.setPen(QPen(self._theme.dim, 1))
        skip = entry if isinstance(entry, SkipReason) else STATE_SKIPS.get(entry)
        if skip is not None:
            paint_skip(painter, box, skip, self._theme)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
            return
        if isinstance(entry, BlockState):
            painter.setBrush(QBrush(self._theme.state_color(entry)))
            painter.drawRect(box)
            paint_marks(painter, entry, [box], self._theme)
