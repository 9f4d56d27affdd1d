"""Search panel: patterns, counts, overview, table of hits; the selected hit is shown in the alignment."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QPushButton, QStackedWidget, QTabBar

from wavediff.app.search.automaton_view import StepsView
from wavediff.app.search.hits_model import HitsTable, PatternCounts, arranged, found, ranks
from wavediff.app.search.hits_view import HitsStrip, HitsTableView
from wavediff.app.search.search_form import SearchForm
from wavediff.app.search.search_session import Search, SearchScope
from wavediff.app.ui.background_task import BackgroundTask, on
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.labels import ElidedLabel, ProgressLine
from wavediff.app.ui.layouts import FittingSplitter, FlowLayout, as_one_widget, in_column
from wavediff.app.ui.pair import CaretPlace, Side
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.save_dialog import ask_save
from wavediff.app.ui.table_view import COPY_KEY, TableView
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import InputError, printable
from wavediff.core.base.numbers import count, number
from wavediff.core.export.registry import HITS, Format
from wavediff.core.jobs.hits import Hits

_SYNCHRONOUS_SORT_HITS = 1 << 18  # that are sorted while the user waits
_NAME_SORT_FACTOR = 16  # that names of patterns take longer
FILTER_PX = 132  # of width: the row stands next to the tabs


class SearchView(PanelView):
    """Signals: place_wanted: a ``Side``, start and end (0-based) of a hit, to show in the alignment. spans_changed: the
    hits, ``Spans`` by ``Side``.
    """

    keys = (
        ("Ctrl+Enter", "Search for the patterns"),
        ("Arrows · Page Up/Down · Home/End · Enter", "Choose a hit · show it in the alignment"),
        ("← · → among the states", "One letter back, on"),
        COPY_KEY,
    )
    spans_changed = Signal(object)
    place_wanted = Signal(object, object, object)

    def __init__(self, search: Search, devices: DeviceModel, theme: Theme) -> None:
        super().__init__()
        self._search = search
        self.wish = SearchForm(search, devices)
        self.model, self.patterns = HitsTable(), PatternCounts()
        self.hits = HitsTableView(self.model)
        self.counts = TableView(self.patterns, "Hits of each pattern", self, striped=True)
        self.strip = HitsStrip(theme)
        self.states = StepsView(theme)
        self.status = ElidedLabel(parent=self)
        self.filter = QLineEdit(self)
        self.stop_button, self.save_button = QPushButton("Stop", self), QPushButton("Save…", self)
        self.all_button = QPushButton("All", self)
        self._progress = ProgressLine(self)
        self._only: int | None = None  # the one pattern that is shown
        search.form = lambda: self.wish.asked
        self._arranger = BackgroundTask("arrange-hits", self, self._arranged, self._not_written)
        self._build()
        self._connect()
        self.refresh()

    def _build(self) -> None:
        self.filter.setPlaceholderText("Filter by pattern")
        self.filter.setFixedWidth(FILTER_PX)
        self.all_button.setAccessibleName("All patterns")
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName("Filter of the hits")
        self.save_button.setToolTip("Save all hits as TSV or BED")
        self.all_button.setToolTip("Show the hits of all patterns again")
        self._progress.setFixedHeight(5)
        counts = self.counts
        counts.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        counts.setMinimumHeight(2 * self.fontMetrics().height() + 18)  # heading and a row: a low panel shows hits too
        counts.stretch(0, whole=True)
        header = counts.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        counts.setSortingEnabled(True)
        both = FittingSplitter(counts, self.hits, (1, 3), (2, 5))
        layout = in_column(self.wish, self._progress, self.status, self.strip, on=self, margin=4, gap=4)
        tabs, pages = QTabBar(self), QStackedWidget(self)
        of_hits = as_one_widget(self.filter, self.all_button, self.stop_button, self.save_button)
        for part, title in ((both, "Hits"), (self.states, "States")):
            pages.addWidget(part)
            tabs.addTab(title)
        tabs.currentChanged.connect(pages.setCurrentIndex)
        tabs.currentChanged.connect(lambda at: of_hits.setVisible(at == 0))
        layout.addLayout(FlowLayout(tabs, last=(of_hits,)))  # next to the tabs: a low panel has room for more hits
        layout.addWidget(pages, 1)
        self.setFocusProxy(self.wish)

    def _connect(self) -> None:
        search = self._search
        on(self.refresh, search.changed, self.wish.changed)
        search.started.connect(self._start)
        search.found.connect(self._add)
        search.finished.connect(self._finish)
        self.wish.submitted.connect(self.run)
        self.stop_button.clicked.connect(search.stop)
        self.save_button.clicked.connect(self.ask_and_save)
        self.all_button.clicked.connect(self._show_all)
        on(self._arrange, self.filter.textChanged, self.hits.rows.horizontalHeader().sortIndicatorChanged)
        self.counts.clicked.connect(self._choose_pattern)
        on(self._choose_hit, self.hits.chosen, self.hits.clicked)
        self.strip.place_wanted.connect(self._go_near)

    @Slot()
    def run(self) -> None:
        try:
            wish = self.wish.wish()
        except InputError as error:
            self._search.refuse(error)
            return
        self._search.run(wish)

    @Slot()
    def refresh(self) -> None:
        search = self._search
        self.stop_button.setEnabled(search.running)
        self.save_button.setEnabled(self.patterns.complete and not self.writing)
        self._progress.show_share(None if search.running and not search.share else search.share)
        n_rows = self.model.n_rows
        n = self.model.n_hits
        hidden = f"{number(n_rows)} of {number(n)} shown" if n_rows < n else ""
        so_far = f"{count(n, 'hit', 'hits')} so far" if search.running and n else ""
        waits = "sorting…" if self._arranger.running else "saving…" if self.writing else ""
        said = search.status, so_far, hidden, waits, search.outdated
        self.status.set_text(" · ".join(filter(None, said)), search.details)

    @Slot(object)
    def _start(self, searched: SearchScope | None) -> None:
        self._arranger.stop()
        self._only = None
        self.model.clear(searched)
        self.hits.fit_columns()
        self.patterns.show(searched.wish.patterns if searched is not None else ())
        self.strip.clear(searched)
        self.spans_changed.emit(self.strip.spans())
        self.states.show_search(searched)
        self.refresh()

    @Slot(object)
    def _add(self, hits: Hits) -> None:
        self.model.add(hits)
        self.patterns.add(hits)
        self.strip.add(hits)
        self.spans_changed.emit(self.strip.spans())

    @Slot(object)
    def _finish(self, parts: tuple[Hits, ...]) -> None:
        if self.model.searched is None:
            return
        self.patterns.finish()
        self.model.replace(parts)
        self._arrange()
        if self.model.n_hits:
            self.scroll_to(self.hits)

    # Sorting and filtering

    @Slot()
    def _arrange(self) -> None:
        searched = self.model.searched
        if searched is None or not self.patterns.complete:
            return
        header = self.hits.rows.horizontalHeader()
        column = header.sortIndicatorSection() if header.isSortIndicatorShown() else -1
        descending = header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
        patterns = searched.wish.patterns
        call = partial(arranged, self.model.parts, column, descending, self._kept(searched), partial(ranks, patterns))
        if max(self.model.n_hits, _NAME_SORT_FACTOR * len(patterns)) <= _SYNCHRONOUS_SORT_HITS:
            self._arranged(call())
        else:
            self._arranger.start(lambda _cancel: call())
            self.refresh()

    def _kept(self, searched: SearchScope) -> np.typing.NDArray[np.bool_] | None:
        wanted = self.filter.text().casefold()
        if not wanted and self._only is None:
            return None
        names = (pattern.name.casefold() for pattern in searched.wish.patterns)
        kept = np.array([wanted in name for name in names], np.bool_)
        if self._only is not None:
            kept &= np.arange(kept.size) == self._only
        return kept

    @Slot(object)
    def _arranged(self, answer: tuple[Hits, np.typing.NDArray[np.int64] | None]) -> None:
        self.model.arrange(*answer)
        self.refresh()

    @Slot(QModelIndex)
    def _choose_pattern(self, index: QModelIndex) -> None:
        self._only = self.patterns.pattern(index.row())
        self._arrange()

    @Slot()
    def _show_all(self) -> None:
        self._only = None
        self.counts.clearSelection()
        self.filter.clear()
        self._arrange()

    # Places

    @Slot(object)
    def _choose_hit(self, row: int) -> None:
        searched = self.model.searched
        if searched is None or not 0 <= row < self.model.n_rows:
            return
        record, start, end = self.model.place(row)
        self.strip.mark(int(searched.records.starts[record]) + start)
        last = min(end, len(searched.sequences[record]))  # across the origin only its first part can be selected
        self.place_wanted.emit(searched.sides[record], start, last)
        self.letters_wanted.emit()

    @Slot(object)
    def _go_near(self, position: int) -> None:
        if self.model.n_rows:
            self.hits.select(self.model.row_at(position))
            self._choose_hit(self.hits.current)

    @Slot(object)
    def follow_caret(self, caret: CaretPlace | None) -> None:
        searched = self.model.searched
        if caret is None or searched is None or not self.patterns.complete:
            return
        for record, side in enumerate(searched.sides):
            a_place, b_place = self._search.pair.places_of(caret.position.a0, caret.position.b0)
            letter = a_place if side is Side.A else b_place
            if letter is None:
                continue
            row = self.model.row_over(int(searched.records.starts[record]) + letter, self.hits.current)
            if row is not None:
                self.hits.select(row)
                return

    # Saving

    @Slot()
    def ask_and_save(self) -> None:
        ask_save(self, "Save all hits", HITS, "hits.tsv", self.save)

    def save(self, path: Path, kind: Format) -> None:
        searched = self.model.searched
        if searched is None or not self.patterns.complete:
            return
        said = f"{count(self.model.n_hits, 'hit', 'hits')} saved in {printable(str(path))}"
        self.write(kind, path, found(searched, self.model.hits), said)

    def show_writing(self) -> None:
        self.refresh()
