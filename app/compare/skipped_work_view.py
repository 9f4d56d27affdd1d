"""The skip ledger as a table; the look of each reason on the map is its icon here."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from app.compare.skipped_work import REASON_ROLE, SkippedWorkModel
from app.ui.block_map.skip_style import paint_skip
from app.ui.delegate import ThemedDelegate
from app.ui.figures_table import FiguresTable
from app.ui.reported import reported
from app.ui.theme import Theme
from core.jobs.grid import BlockState

SWATCH_PX = 12


class SwatchDelegate(ThemedDelegate):
    """A square with the colour and hatch of the map before the name of each reason."""

    @reported
    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.text = "      " + option.text

    @reported
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        model = index.model()
        kind = model.lines[index.row()].kind if isinstance(model, SkippedWorkModel) else ""
        reason = index.data(REASON_ROLE)
        if reason is None and kind != "computed":
            return
        area = option.rect
        box = QRectF(area.left() + 5.5, area.center().y() - SWATCH_PX / 2 + 0.5, SWATCH_PX, SWATCH_PX)
        if reason is not None:
            paint_skip(painter, box, reason, self._theme)
        else:
            painter.fillRect(box, self._theme.state_color(BlockState.DONE))
        painter.setPen(QPen(self._theme.dim, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)


class LedgerView(FiguresTable):
    """Above the table stands the way that was taken, and why."""

    def __init__(self, model: SkippedWorkModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(model, model, "Skip ledger", 0, theme, parent)
        self._ledger = model
        self.table.setItemDelegateForColumn(0, SwatchDelegate(theme, self.table))
        model.modelReset.connect(self._show_line)
        self._show_line()

    @Slot()
    def _show_line(self) -> None:
        self.say(self._ledger.note or "Nothing compared yet")
