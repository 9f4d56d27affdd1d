"""Backward search: a pattern, the rows after each of its letters, and every place where it is."""

from __future__ import annotations

import os

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.bwt.bwt_hits import PositionsModel, TraceModel
from app.bwt.bwt_session import MAX_HITS, BwtSession
from app.bwt.indexed_text import IndexedText
from app.ui.labels import ElidedLabel
from app.ui.number_text import duration
from app.ui.table_view import TableView
from core.jobs.bwt_index import FindResult
from core.translate import tr, tr_n

TYPING_DELAY_MS = 120  # milliseconds without a key after which is searched


class FindPanel(QWidget):
    """Signals:
    interval: first row and row after the last that begin with the pattern; 0, 0 when there are none.
    jumped: a position in the text.
    """

    interval = Signal(int, int)
    jumped = Signal(int)

    def __init__(self, transform: BwtSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._transform = transform
        self._shown: IndexedText | None = None
        self.pattern = QLineEdit(self)
        self.answer = ElidedLabel(parent=self)
        self.trace, self.hits = TraceModel(self), PositionsModel(self)
        self._table, self._places = TableView(self), TableView(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPING_DELAY_MS)
        self._timer.timeout.connect(self._search)
        self._build()
        self.pattern.textChanged.connect(self._timer.start)
        self._places.activated.connect(self._jump)
        self._places.clicked.connect(self._jump)
        transform.built.connect(self._take)
        transform.found.connect(self._found)

    def _build(self) -> None:
        self.pattern.setPlaceholderText(tr("Find by backward search"))
        self.pattern.setAccessibleName(tr("Pattern for the backward search"))
        self.pattern.setClearButtonEnabled(True)
        self.pattern.setMaxLength(10_000)
        self._table.setModel(self.trace)
        self._table.setAccessibleName(tr("Rows after each letter of the pattern, from its end"))
        for table in (self._table, self._places):
            table.verticalHeader().hide()
            table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 5)
            table.setShowGrid(False)
            table.setWordWrap(False)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        header = self._table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self._places.setModel(self.hits)
        self._places.setAccessibleName(tr("Places of the pattern"))
        # A list lays every line out first, for two seconds where there are a million; a table knows where each is.
        self._places.horizontalHeader().hide()
        self._places.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        layout, first, second = QVBoxLayout(self), QHBoxLayout(), QHBoxLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        first.addWidget(self.pattern, 2)
        first.addWidget(self.answer, 3)
        second.addWidget(self._table, 3)
        second.addWidget(self._places, 1)
        layout.addLayout(first)
        layout.addLayout(second, 1)

    @Slot(object)
    def _take(self, shown: IndexedText | None) -> None:
        self._shown = shown

    @Slot()
    def _search(self) -> None:
        self._transform.search(os.fsencode(self.pattern.text()))

    @Slot(object)
    def _found(self, result: FindResult | None) -> None:
        self.trace.show(self._transform.pattern, result)
        self._table.scrollToBottom()
        self.hits.show(self._shown, result)
        if result is None:
            self.answer.set_text("")
            self.interval.emit(0, 0)
            return
        count = int(result.counts[0])
        found = tr_n("Found once", "Found {n} times", count) if count else tr("Found nowhere")
        if count > MAX_HITS:
            found = tr("{found}, {n} of them listed", found=found, n=MAX_HITS)
        self.answer.set_text(f"{found} · {duration(result.wall_seconds)}")
        self.interval.emit(int(result.lows[0]), int(result.highs[0]))

    @Slot(QModelIndex)
    def _jump(self, index: QModelIndex) -> None:
        self.jumped.emit(self.hits.position(index.row()))

    def focus(self) -> None:
        self.pattern.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.pattern.selectAll()
