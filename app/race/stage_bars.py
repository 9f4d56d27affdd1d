"""Bars of stages, and what their colours and marks mean."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyleOptionViewItem, QWidget

from wavediff.app.race.race_table import STAGES_ROLE
from wavediff.app.ui.delegate import ThemedDelegate
from wavediff.app.ui.reported import reported
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.grid import BlockState
from wavediff.core.methods.race_result import Stage

# Each stage has a pattern besides its colour.
_PATTERNS = {
    Stage.PREPARE: Qt.BrushStyle.Dense6Pattern,
    Stage.TRANSFER: Qt.BrushStyle.HorPattern,
    Stage.TRACEBACK: Qt.BrushStyle.FDiagPattern,
    Stage.VERIFY: Qt.BrushStyle.VerPattern,
    Stage.OTHER: Qt.BrushStyle.BDiagPattern,
}


def paint_stage(painter: QPainter, box: QRectF, stage: Stage, theme: Theme) -> None:
    fill = _colour(stage, theme)
    painter.fillRect(box, fill)
    if stage in _PATTERNS:
        ink = theme.ink_on(fill)
        ink.setAlphaF(0.45)
        painter.fillRect(box, QBrush(ink, _PATTERNS[stage]))


def _colour(stage: Stage, theme: Theme) -> QColor:
    return {
        Stage.PREPARE: theme.equal,
        Stage.TRANSFER: theme.deletion,
        Stage.BLOCKS: theme.accent,
        Stage.TRACEBACK: theme.mismatch,
        Stage.VERIFY: theme.base_color("A"),
        Stage.OTHER: theme.state_color(BlockState.WAITING),
    }[stage]


class StageBars(ThemedDelegate):
    """One bar a row: its stages, one after the other."""

    @reported
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        box = QRectF(option.rect).adjusted(6, 4, -6, -4)
        left = box.left()
        for stage, share in index.data(STAGES_ROLE) or ():
            width = box.width() * share
            if share > 0:
                paint_stage(painter, QRectF(left, box.top(), max(1.0, width), box.height()), stage, self._theme)
            left += width


class StageLegend(QWidget):
    """A mark and a word for each stage, in as many lines as it takes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Stages: {', '.join(Stage)}")
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(300, self._line * self._lines(self.width()))

    def resizeEvent(self, _event: object) -> None:
        self.setFixedHeight(self._line * self._lines(self.width()))

    @property
    def _line(self) -> int:
        return self.fontMetrics().height() + 4

    def _places(self, width: int) -> list[tuple[Stage, int, int]]:
        found, x, line = [], 4, 0
        for stage in Stage:
            wide = 18 + self.fontMetrics().horizontalAdvance(stage) + 14
            if x + wide > width and x > 4:
                x, line = 4, line + 1
            found.append((stage, x, line))
            x += wide
        return found

    def _lines(self, width: int) -> int:
        return self._places(width)[-1][2] + 1

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for stage, x, line in self._places(self.width()):
            top = line * self._line
            side = self._line - 8
            paint_stage(painter, QRectF(x, top + 4, side, side), stage, self._theme)
            painter.setPen(self._theme.text)
            baseline = top + (self._line + self.fontMetrics().ascent() - self.fontMetrics().descent()) // 2
            painter.drawText(x + side + 5, baseline, stage)
        painter.end()
