"""Compression of the text that is shown: what each step makes of it, beside zlib and bzip2."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QLabel, QWidget

from wavediff.app.bwt.bwt_session import BwtSession
from wavediff.app.ui.buttons import Popover
from wavediff.app.ui.notices import error_text
from wavediff.app.ui.table_view import BARS_ROLE, BarDelegate, Table, TableView
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import duration, number, percent
from wavediff.core.jobs.compression import CompressionResult, Step

WIDTH_PX, BAR_PX, BAR_HEIGHT_PX = 620, 120, 8
SHARE = 3  # column of the bars


class CompressionTable(Table):
    columns = ("Written as", "Bytes", "Bits a letter", "Of eight bits")
    left = frozenset({0, SHARE})
    rows: tuple[Step, ...]
    _length = 0

    def show(self, result: CompressionResult | None) -> None:
        self._length = 0 if result is None else result.length
        self.set_rows(() if result is None else result.steps)

    def share(self, row: int) -> float:
        """Return which part of eight bits a letter takes."""
        return self.rows[row].bits / max(1, 8 * self._length)

    def cell(self, row: int, column: int, role: int) -> Any:
        step = self.rows[row]
        if role == Qt.ItemDataRole.ToolTipRole:
            return step.definition
        if role == BARS_ROLE:
            return self.share(row)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == SHARE:
            return percent(self.share(row))
        if role != Qt.ItemDataRole.DisplayRole or column == SHARE:
            return None
        bits = step.bits / max(1, self._length)
        return (step.name, number(math.ceil(step.bits / 8)), number(bits, 3))[column]


def paint_share(painter: QPainter, box: QRectF, theme: Theme, share: float) -> None:
    """Paint the share of eight bits; a bar that is longer ends in the column's edge."""
    top = box.center().y() - BAR_HEIGHT_PX / 2
    painter.fillRect(QRectF(box.left(), top, min(1.0, share) * box.width(), BAR_HEIGHT_PX), theme.accent)


class CompressionPopover(Popover):
    """Asks for the figures when it opens; zlib takes its time for a long text, and closing stops it."""

    def __init__(self, transform: BwtSession, theme: Theme, parent: QWidget) -> None:
        super().__init__("Compression", WIDTH_PX, theme, parent)
        self._transform = transform
        self.model = CompressionTable(self)
        self.table = TableView(self.model, "Compression", self)
        self.table.setItemDelegateForColumn(SHARE, BarDelegate(theme, self, paint_share))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(SHARE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(SHARE, BAR_PX)
        self.line = QLabel(self, wordWrap=True)
        self.column.addWidget(self.table)
        self.column.addWidget(self.line)
        transform.compressed.connect(self._on_result)
        transform.not_compressed.connect(self._fail)
        self.closed.connect(transform.stop_compressing)

    def open_under(self, anchor: QWidget) -> None:
        self._fill(None, "Writing the text with zlib and bzip2…")
        self._transform.compress()
        super().open_under(anchor)

    @Slot(object)
    def _on_result(self, result: CompressionResult) -> None:
        text = (
            f"{number(result.length)} letters, and {number(result.n_symbols)} symbols once runs are written as "
            f"lengths. No code of single symbols is shorter than their entropy; {duration(result.wall_seconds)}"
        )
        indexed = self._transform.current
        if indexed is not None and indexed.characters:
            text += "\nLetters beyond ASCII count as one byte each, here and for zlib and bzip2"
        self._fill(result, text)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._fill(None, error_text(error))

    def _fill(self, result: CompressionResult | None, line: str) -> None:
        self.model.show(result)
        self.line.setText(line)
        rows = self.table.verticalHeader().defaultSectionSize() * max(1, self.model.height())
        self.table.setFixedHeight(self.table.horizontalHeader().sizeHint().height() + rows + 4)
        self.fit()
