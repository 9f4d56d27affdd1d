"""*Many pairs* panel: files, options, table of distances, heat map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QHeaderView, QLineEdit, QPushButton, QWidget

from wavediff.app.batch.batch_session import PAIRS_NAMES, BatchSession
from wavediff.app.batch.batch_table import LENGTH_A, LENGTH_B, MAX_PAIRS, NAME_A, NAME_B, SHARE, BatchTable
from wavediff.app.batch.cluster_row import ClusterRow
from wavediff.app.batch.heat_map import HeatMap
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.devices import DeviceBox, DeviceModel
from wavediff.app.ui.labels import ElidedLabel, ProgressLine
from wavediff.app.ui.layouts import FittingSplitter, FlowLayout, in_column, in_row
from wavediff.app.ui.method_options import OptionParts
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.save_dialog import ask_files, ask_save
from wavediff.app.ui.table_view import COPY_KEY, TableView
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, number
from wavediff.core.export.batch import BatchAnswer
from wavediff.core.export.registry import BATCH, MATRIX, Format
from wavediff.core.jobs.choices import Pairing, TreeMethod
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import Method

TREE_NAMES = {None: "No tree", TreeMethod.NJ: "Tree: neighbour joining", TreeMethod.UPGMA: "Tree: UPGMA"}
LEAST_NAME_PX = 96  # of a column of names, before the lengths give way
BATCHES = {method: method.batch for method in METHODS if method.batch is not None}


class BatchView(PanelView):
    """Signals: pair_wanted: show the alignment of a pair: ``Load`` and record (0-based) of A, those of B, and the
    ``Method``.
    """

    keys = (("Arrows · Enter", "Choose a pair · show its alignment"), COPY_KEY)
    pair_wanted = Signal(object, int, object, int, object)

    def __init__(self, session: BatchSession, devices: DeviceModel, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._wide = 0  # pixels of the columns of numbers
        self.model = BatchTable()
        self.table = TableView(self.model, "Distances of the pairs", self, striped=True)
        self.map = HeatMap(theme)
        self.filter = QLineEdit(self)
        self.cluster = ClusterRow(theme)
        self._cluster_button = QPushButton("Cluster…", self)
        self.status = ElidedLabel(parent=self)
        self._files = ElidedLabel(middle=True, parent=self)
        names = "Files…", "Run", "Stop", "Save…"
        self._open, self._run, self._stop, self._save = (QPushButton(text, self) for text in names)
        self._method = Chooser[Method]("Method for each pair", self)
        self._pairs = Chooser[Pairing]("Pairs to compare", self)
        self._tree = Chooser[TreeMethod | None]("Tree of the records; it orders the map", self)
        self.options = OptionParts(option for batch in BATCHES.values() for option in batch.options)
        self._devices, self.device = devices, DeviceBox(devices)
        self._progress = ProgressLine(self)
        self._build()
        self._open.clicked.connect(self.ask_files)
        self._run.clicked.connect(session.run)
        self._stop.clicked.connect(session.stop)
        self._save.clicked.connect(self.ask_and_save)
        for box in (self._method, self._pairs, self.device):
            box.activated.connect(self._choose)
        self._tree.activated.connect(lambda: session.choose_tree(self._tree.value))
        self.options.chosen.connect(lambda id_, value: self._session.choose(**{id_: value}))
        self.cluster.chosen.connect(lambda cluster: session.choose(cluster=cluster))
        self.filter.textChanged.connect(self._filter)
        self.table.activated.connect(self._activated)
        self.table.clicked.connect(self._activated)
        self.map.chosen.connect(self._chosen)
        self.map.hovered.connect(self._show_status)
        devices.changed.connect(self.refresh)
        session.changed.connect(self.refresh)
        session.finished.connect(self._show_outcome)
        session.tree_changed.connect(self._show_tree)
        self._fit_columns()
        self.refresh()

    def _build(self) -> None:
        methods = {method: batch.name for method, batch in BATCHES.items()}
        entries: tuple[tuple[Chooser[Any], dict[Any, str]], ...] = (
            (self._method, methods), (self._pairs, PAIRS_NAMES), (self._tree, TREE_NAMES),
        )  # fmt: skip
        for box, names in entries:
            for value, name in names.items():
                box.add(value, name)
            box.setToolTip(box.accessibleName())
        self._open.setToolTip("Two files, or all against all records of one or more files")
        self._run.setToolTip("Compare the records of the files again")
        self._save.setToolTip("Save the filtered pairs, or all pairs as a matrix or a tree")
        self.filter.setPlaceholderText("Filter by name")
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName("Filter of the pairs")
        self.filter.setMinimumWidth(60)
        self._progress.setFixedHeight(5)
        self._cluster_button.setCheckable(True)
        self._cluster_button.setToolTip("Compute the pairs on a cluster")
        self._cluster_button.toggled.connect(self.cluster.setVisible)
        self.cluster.hide()
        table = self.table
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names of one family differ at their ends
        header = table.horizontalHeader()
        header.setMinimumSectionSize(36)
        for column in (NAME_A, NAME_B):  # names get what the numbers leave
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        table.viewport().installEventFilter(self)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        table.setSortingEnabled(True)
        parts = (part.widget for part in self.options.parts.values())
        choices = FlowLayout(self._method, self._pairs, self._tree, self.device, *parts, self._cluster_button)
        rows = (in_row(self._open, (self._files, 1), self._run, self._stop, self._save), choices, self.cluster)
        listed = QWidget(self)
        in_column(self.filter, (table, 1), on=listed, margin=0, gap=4)
        both = FittingSplitter(self.map, listed, (3, 2), (1, 2))
        in_column(*rows, self._progress, (both, 1), self.status, on=self, margin=4, gap=4)
        self.setFocusProxy(table)

    @Slot()
    def refresh(self) -> None:
        """Update from the session: options and progress."""
        session = self._session
        self._method.choose(session.method)
        self._pairs.choose(session.pairs)
        self._tree.choose(session.tree_method)
        self._tree.setEnabled(len(session.loads) < 2)
        self.device.choose(session.device)
        self.cluster.show_cluster(session.cluster)
        if session.cluster.address:
            self._cluster_button.setChecked(True)
        self.options.offer(session.offered, session.values)
        self.options.show_lack(self._devices.reason)
        self._run.setEnabled(bool(session.loads) and not session.running)
        self._stop.setEnabled(session.running)
        self.show_writing()
        self._progress.show_share(None if session.running and not session.share else session.share)
        names = [f"{printable(load.source)}: {count(load.n_records, 'record', 'records')}" for load in session.loads]
        self._files.set_text(" · ".join(names))
        self._show_status("")

    def opened(self) -> None:
        super().opened()
        if not self._session.loads and not self._session.running:
            self.ask_files()

    @Slot()
    def ask_files(self) -> None:
        if paths := ask_files(self, "Open files of records"):
            self._session.open(paths)

    @Slot()
    def ask_and_save(self) -> None:
        outcome = self._session.outcome
        formats: tuple[Format, ...] = BATCH
        if self.model.listed is None and outcome is not None and outcome.result.pairs is Pairing.ALL_TO_ALL:
            formats += MATRIX if outcome.result.own else MATRIX[:1]
        title = "Save all pairs" if self.model.listed is None else "Save the pairs shown"
        ask_save(self, title, formats, "distances.tsv", self.save)

    def save(self, path: Path, kind: Format) -> None:
        outcome = self._session.outcome
        if outcome is None:
            return
        listed = self.model.listed
        saved = outcome.result.n_pairs if listed is None else listed[0].size
        said = f"{count(saved, 'pair', 'pairs')} saved in {printable(str(path))}"
        self.write(kind, path, replace(outcome, listed=listed, tree=self._session.tree_method), said)

    def show_writing(self) -> None:
        self._save.setEnabled(self._session.outcome is not None and not self.writing)

    @Slot()
    def _choose(self) -> None:
        self._session.choose(method=self._method.value, pairs=self._pairs.value, device=self.device.value)

    @Slot(str)
    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self._show_status("")

    @Slot(object)
    def _show_outcome(self, outcome: BatchAnswer | None) -> None:
        self.model.show(outcome)
        self._fit_columns()
        self.map.show_outcome(outcome)
        self.refresh()

    @Slot()
    def _show_tree(self) -> None:
        if self.map.tree is not self._session.tree:
            self.map.show_outcome(self._session.outcome, self._session.tree)
        self.refresh()

    def _fit_columns(self) -> None:
        digits, self._wide = self.fontMetrics(), 0
        for column, text in enumerate(self.model.widest()):
            if text:
                head = self.model.headerData(column, Qt.Orientation.Horizontal)
                width = max(digits.horizontalAdvance(text), digits.horizontalAdvance(head)) + 16
                self._wide += width
                self.table.setColumnWidth(column, width)
        self._fit_names()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._fit_names()
        return super().eventFilter(watched, event)

    def _fit_names(self) -> None:
        table, room = self.table, self.table.viewport().width() - 2 * LEAST_NAME_PX
        for column in (LENGTH_A, LENGTH_B):
            table.setColumnHidden(column, room < self._wide)
        numbers = sum(map(table.columnWidth, range(SHARE + 1))) - sum(map(table.columnWidth, (NAME_A, NAME_B)))
        name = self.fontMetrics().horizontalAdvance(self.model.longest) + 16
        self.model.shorten(2 * name > table.viewport().width() - numbers)

    @Slot(str)
    def _show_status(self, text: str) -> None:
        n_rows = self.model.rowCount()
        hidden = f"{number(n_rows)} shown" if n_rows < self.model.n_pairs else ""
        if self.model.too_many:
            hidden = f"not listed: more than {number(MAX_PAIRS)} pairs; save them instead"
        self.status.set_text(text or " · ".join(filter(None, (self._session.status, hidden, self._session.outdated))))

    @Slot(QModelIndex)
    def _activated(self, index: QModelIndex) -> None:
        if len(self.table.selected) < 2:  # several are meant to be copied
            self._chosen(*self.model.pair(index.row()))

    @Slot(int, int)
    def _chosen(self, a: int, b: int) -> None:
        outcome = self._session.outcome
        if outcome is not None:
            self.pair_wanted.emit(outcome.a, a, outcome.b, b, outcome.result.method)
