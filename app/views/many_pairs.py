"""Many pairs at once: files, choices, the table of distances and the heat map."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.many_pairs import METHOD_NAMES, PAIRS_NAMES, ManyOutcome, ManyPairs
from app.models.figures import grouped
from app.models.pairs_table import MOST_PAIRS, PairsTable
from app.notices import Level, Notice
from app.theme import Theme
from app.views.heat_map import HeatMap
from app.views.labels import ElidedLabel
from core.errors import ExportError, printable
from core.export import batch
from core.export.atomic import write_atomic
from core.machine import cores
from core.pool import BatchMethod, Pairs

FILES = "Sequences (*.fa *.fasta *.fna *.ffn *.faa *.frn *.fas *.fq *.fastq *.gz *.bgz *.zst *.xz *.bz2);;All files (*)"


class ManyPairsView(QWidget):
    """Signals:
    pair_wanted: a ``Load``, its record (0-based), another one and its record, and the ``BatchMethod`` they were
        compared by: to be seen as an alignment.
    noticed: a ``Notice`` about an export.
    """

    pair_wanted = Signal(object, int, object, int, object)
    noticed = Signal(object)

    def __init__(self, session: ManyPairs, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.model = PairsTable(self)
        self.table = QTableView(self)
        self.map = HeatMap(theme, self)
        self.filter = QLineEdit(self)
        self.status = ElidedLabel(parent=self)
        self._files = ElidedLabel(middle=True, parent=self)
        self._open, self._stop, self._save = (QPushButton(text, self) for text in ("Files…", "Stop", "Save…"))
        self._method, self._pairs = QComboBox(self), QComboBox(self)
        self._progress = QProgressBar(self)
        self._build()
        self._open.clicked.connect(self.ask_files)
        self._stop.clicked.connect(session.stop)
        self._save.clicked.connect(self.ask_and_save)
        self._method.activated.connect(self._choose)
        self._pairs.activated.connect(self._choose)
        self.filter.textChanged.connect(self._filter)
        self.table.activated.connect(self._activated)
        self.table.clicked.connect(self._activated)
        self.map.chosen.connect(self._chosen)
        self.map.hovered.connect(self._show_status)
        session.changed.connect(self.refresh)
        session.finished.connect(self._show_outcome)
        self.refresh()

    def _build(self) -> None:
        for box, names, label in (
            (self._method, METHOD_NAMES, "What is computed of each pair"),
            (self._pairs, PAIRS_NAMES, "Which pairs are compared"),
        ):
            for value, name in names.items():
                box.addItem(name, value)
            box.setAccessibleName(label)
            box.setToolTip(label)
        self._open.setToolTip("One file, whose records are compared with each other, or two")
        self._save.setToolTip("Save all pairs as TSV or JSON")
        self.filter.setPlaceholderText("Filter by name")
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName("Filter of the pairs")
        self.filter.setMinimumWidth(60)
        self._progress.setRange(0, 1000)
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(5)
        table = self.table
        table.setModel(self.model)
        table.setAccessibleName("Distances of the pairs")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(36)
        widest = ("9,999", "", "9,999", "", "Length A", "Length B", "With swaps", "Identity")
        for column, text in enumerate(widest):
            if text:  # names get what the numbers leave
                table.setColumnWidth(column, self.fontMetrics().horizontalAdvance(text) + 24)
            else:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        table.setSortingEnabled(True)
        first, second = QHBoxLayout(), QHBoxLayout()
        for widget in (self._open, self._method, self._pairs, self._stop):
            first.addWidget(widget)
        first.addStretch(1)
        second.addWidget(self._files, 1)
        second.addWidget(QLabel("Filter", self))
        second.addWidget(self.filter, 1)
        second.addWidget(self._save)
        both = QSplitter(Qt.Orientation.Vertical, self)
        both.addWidget(self.map)
        both.addWidget(table)
        both.setStretchFactor(0, 3)
        both.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(4)
        layout.addLayout(first)
        layout.addLayout(second)
        layout.addWidget(self._progress)
        layout.addWidget(both, 1)
        layout.addWidget(self.status)
        self.setFocusProxy(table)

    @Slot()
    def refresh(self) -> None:
        """Take over what the session has chosen, and how far it is."""
        session = self._session
        self._method.setCurrentIndex(self._method.findData(session.method))
        self._pairs.setCurrentIndex(self._pairs.findData(session.pairs))
        self._stop.setEnabled(session.running)
        self._save.setEnabled(session.outcome is not None)
        self._progress.setRange(0, 0 if session.running and not session.share else 1000)
        self._progress.setValue(round(1000 * session.share))
        names = [f"{printable(load.source)} ({grouped(load.n_records)})" for load in session.loads]
        self._files.set_text(" · ".join(names))
        self._show_status("")

    @Slot()
    def ask_files(self) -> None:
        found, _ = QFileDialog.getOpenFileNames(self, "One file of many records, or two", "", FILES)
        if found:
            self._session.open([Path(name) for name in found])

    @Slot()
    def ask_and_save(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, "Save all pairs", "distances.tsv", "TSV (*.tsv);;JSON (*.json)")
        if path:
            self.save(Path(path))

    def save(self, path: Path) -> None:
        """Write all pairs, as JSON where the name ends so, else as TSV; the outcome is said by ``noticed``."""
        outcome = self._session.outcome
        if outcome is None:
            return
        a, b, result = outcome.a, outcome.b, outcome.result
        if path.suffix.lower() == ".json":
            chunks = batch.document(a, b, result, fold_case=outcome.fold_case, threads=cores())
        else:
            chunks = batch.tsv(a, b, result)
        try:
            write_atomic(path, chunks)
        except ExportError as error:
            self.noticed.emit(Notice(Level.ERROR, str(error)))
        else:
            self.noticed.emit(Notice(Level.INFO, f"{grouped(result.n_pairs)} pairs saved in {printable(str(path))}"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.table.currentIndex().isValid():
            self._activated(self.table.currentIndex())
        else:
            super().keyPressEvent(event)

    @Slot()
    def _choose(self) -> None:
        self._session.choose(BatchMethod(self._method.currentData()), Pairs(self._pairs.currentData()))

    @Slot(str)
    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self._show_status("")

    @Slot(object)
    def _show_outcome(self, outcome: ManyOutcome | None) -> None:
        self.model.show(outcome)
        self.map.show_outcome(outcome)
        self.refresh()

    @Slot(str)
    def _show_status(self, text: str) -> None:
        shown = self.model.rowCount()
        hidden = f" · {grouped(shown)} shown" if shown < self.model.n_pairs else ""
        if self.model.too_many:
            hidden = f" · too many for the table, which takes {grouped(MOST_PAIRS)}: save them"
        self.status.set_text(text or self._session.status + hidden)

    @Slot(QModelIndex)
    def _activated(self, index: QModelIndex) -> None:
        self._chosen(*self.model.pair(index.row()))

    @Slot(int, int)
    def _chosen(self, a: int, b: int) -> None:
        outcome = self._session.outcome
        if outcome is not None:
            self.pair_wanted.emit(outcome.a, a, outcome.b, b, outcome.result.method)
