"""The list of differences: every one a row, sorted by any column, beside the letters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QSpinBox, QStackedLayout, QWidget

from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.differences_model import DifferencesTable, shown_of
from wavediff.app.compare.differences_order import CHANGE, IN_A, IN_B, KIND, LENGTH, NUMBER, Listing, Order, arranged
from wavediff.app.compare.differences_rows import dress, fit_columns
from wavediff.app.compare.lines.hunks_list import HunksList
from wavediff.app.compare.pair_view import PairView
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.long_table import LongTableView
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.save_dialog import ask_save, file_stem
from wavediff.app.ui.theme import Theme
from wavediff.app.ui.turns import Turns
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, number
from wavediff.core.export.registry import DIFFERENCES, Format
from wavediff.core.export.tsv import ListedDifferences, listed_tsv
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.difference_index import EACH_KIND, Kinds, usual_kinds

SYNCHRONOUS_SORT = 1 << 17  # differences that are sorted while the person waits
CURRENT_PLACE = 2  # row in sight, from 0, that the difference at the caret is kept at
MAX_COPIED_ROWS = 100_000
NO_HUNKS = "No differences: all lines of A and B are the same."


class DifferencesView(PanelView):
    """Follows the caret of the letters, and moves it.

    Signals:
        arranged: the rows are in the order that was asked for.
        asked_changed: the ``Listing`` that is asked for now, by a click or a key.
    """

    keys = (
        ("Arrows · Page Up/Down · Home/End", "Another difference, shown in the letters"),
        ("Shift+arrows", "Select several rows"),
        ("Enter", "Go to the letters"),
        ("Ctrl+C", "Copy the selected rows as TSV"),
    )
    arranged = Signal()
    asked_changed = Signal(object)

    def __init__(self, alignment: PairView, turns: Turns, theme: Theme) -> None:
        super().__init__()
        self._alignment, self._turns, self._theme = alignment, turns, theme
        self._stale = ""
        self._hidden = False  # the list, in the place of which stands what is waited for
        self._leads = False  # the caret goes where a row was chosen
        self._pending: ListedDifferences | None = None  # that is being sorted
        self._wanted, self._follows = Listing(), False  # of the pair; the controls are set by it
        self.model = DifferencesTable(theme, self)
        self.status = ElidedLabel(parent=self)
        self.least, self.save_button = QSpinBox(self), QPushButton("Save list…", self)  # Tab goes in this order
        self.table = LongTableView(self.model, "List of differences", several=True)
        self._sorter = BackgroundTask("sort-differences", self)
        self._build()
        self._sorter.finished.connect(self._sorted)
        self._sorter.failed.connect(self._not_written)
        self.table.rows.horizontalHeader().sortIndicatorChanged.connect(self._ask)
        self.least.valueChanged.connect(self._ask)
        self.table.moved.connect(self._step)
        self.table.clicked.connect(self._jump)
        self.table.chosen.connect(self._go_to_letters)
        self.table.copy_wanted.connect(self.copy)
        self.save_button.clicked.connect(self.ask_and_save)
        alignment.model_changed.connect(self._take_soon)
        alignment.canvas.caret_moved.connect(self._follow)
        alignment.stepper.kinds_changed.connect(self._ask)
        theme.changed.connect(self.table.rows.viewport().update)
        self.say_waiting("")
        self._set_model(alignment.model)

    def _build(self) -> None:
        dress(self.table, self.model, self._theme)
        self.least.setMinimum(1)
        self.least.setGroupSeparatorShown(True)
        self.least.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.least.setAccessibleName("Length from")
        self.least.setKeyboardTracking(False)
        self.least.setToolTip("Only differences of at least so many letters")
        self.save_button.setToolTip("Save the rows as they are listed, as TSV")
        label = QLabel("Length from", self)
        label.setBuddy(self.least)
        top = in_row((self.status, 1), label, self.least, self.save_button, margin=(8, 2, 8, 2), gap=8)
        full = QWidget(self)
        in_column(top, (self.table, 1), on=full, margin=0, gap=0)
        self._empty = QLabel(self, textFormat=Qt.TextFormat.PlainText, alignment=Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setMargin(16)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(full)
        self.hunks = HunksList(self._alignment.hunks, self._theme)
        self._pages.addWidget(self.hunks)
        self._alignment.hunks.listed.connect(self._show_page)
        self.hunks.table.chosen.connect(self._go_to_lines)

    def opened(self) -> None:
        (self.hunks if self._alignment.by_lines else self.table).setFocus()

    @property
    def message(self) -> str:
        """Text in place of the list; empty while there is one."""
        return self._empty.text() if self._pages.currentIndex() == 0 else ""

    def say_waiting(self, text: str, *, instead: bool = False) -> None:
        """Say what is waited for where there is no list, or ``instead`` of it; empty for what is always true."""
        self._hidden = instead
        model = self._alignment.model
        if model is None or instead or model.index.n_differences():
            self._empty.setText(text or "The differences appear here as soon as two sequences are compared.")
        self._show_page()

    @Slot()
    def _show_page(self) -> None:
        model, view = self._alignment.model, self._alignment.hunks.view
        if self._alignment.by_lines and view is not None and not self._hidden:
            self._empty.setText(NO_HUNKS)
            self._pages.setCurrentIndex(2 if view.n_hunks else 0)
            return
        listed = model is not None and model.index.n_differences() > 0
        self._pages.setCurrentIndex(int(listed and not self._hidden))

    def set_stale(self, text: str) -> None:
        if text != self._stale:
            self._stale = text
            self.table.setEnabled(not text)
            self.hunks.setEnabled(not text)
            self.show_writing()

    # Rows

    @Slot(object)
    def _take_soon(self, model: AlignmentModel | None) -> None:
        if model is None:
            self._set_model(None)
        else:
            self._turns.put(self._take_newest)

    @Slot()
    def _take_newest(self) -> None:
        if self._alignment.model is not None:
            self._set_model(self._alignment.model)

    def _set_model(self, model: AlignmentModel | None) -> None:
        if model is None:
            self._sorter.stop()
            self.stop_writing()
            self._pending = None
            self.model.show(None)
            self._show_page()
            return
        fit_columns(self.table.rows, model)
        if not model.index.n_differences():
            whole = model.index.aligned_columns == (0, model.n_columns)
            same, part = "No differences: A and B are the same.", "No differences in the part that is aligned."
            self._empty.setText(same if whole else part)
        self._show_page()
        self._show_wanted(model)
        self._arrange()

    def want(self, asked: Listing) -> None:
        """List the differences of the pair so, by whatever methods it is compared."""
        self._wanted = asked

    def _show_wanted(self, model: AlignmentModel) -> None:
        wanted, self._follows = self._wanted, True
        kinds = usual_kinds(model.index) if wanted.kinds == Kinds.COUNTED else wanted.kinds
        if not self._alignment.by_lines:
            self._alignment.stepper.show_kinds(kinds)
        self.least.setMaximum(min(model.n_columns, 2**31 - 1))
        self.least.setValue(wanted.least)
        order = Qt.SortOrder.DescendingOrder if wanted.descending else Qt.SortOrder.AscendingOrder
        self.table.rows.horizontalHeader().setSortIndicator(wanted.column, order)
        self._follows = False

    @Slot()
    def _ask(self) -> None:
        model, header = self._alignment.model, self.table.rows.horizontalHeader()
        if model is None or self._follows or self._alignment.by_lines:
            return
        kinds, descending = self._alignment.stepper.kinds, header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
        if _same_rows(model.index, kinds, usual_kinds(model.index)):
            kinds = Kinds.COUNTED
        self._wanted = Listing(header.sortIndicatorSection(), descending, self.least.value(), kinds)
        self.asked_changed.emit(self._wanted)
        self._arrange()

    @property
    def asked(self) -> Listing:
        """Rows that are listed, from the first row in sight on."""
        seen = self.model.n_rows > self.model.height()
        first = int(self.model.rows_of(range(self.model.top, self.model.top + 1)).number[0]) + 1 if seen else 0
        return replace(self._wanted, first=first)

    @Slot()
    def _arrange(self) -> None:
        """Put the rows into the order, and leave those out, that is asked for now."""
        model = self._alignment.model
        if model is None:
            return
        column, descending, least = self._wanted.column, self._wanted.descending, self._wanted.least
        listed = ListedDifferences(model.a, model.b, model.index, self._alignment.stepper.kinds)
        self._sorter.stop()
        self._pending = listed
        self.model.show_sorted(column, descending)
        if len(listed) <= SYNCHRONOUS_SORT or (column in (NUMBER, IN_A, IN_B) and least <= 1 and not descending):
            self._sorted(arranged(listed, column, descending, least))
        else:
            self._sorter.start(lambda cancel: arranged(listed, column, descending, least, cancel))
            self.show_writing()

    @Slot(object)
    def _sorted(self, order: Order | None) -> None:
        one = self._pending
        if one is None:
            return
        self._pending = None
        self.model.show(ListedDifferences(one.a, one.b, one.index, one.kinds, order))
        self._follow(self._alignment.canvas.caret)
        if self.table.rows.horizontalHeader().sortIndicatorSection() in (KIND, LENGTH, CHANGE):
            self.model.look(0, self.table.height_in_rows())  # the longest is wanted, not the place of the caret
        self.show_writing()
        self.arranged.emit()

    def show_writing(self) -> None:
        listed = self.model.listed
        parts = [self._stale, "" if listed is None else shown_of(listed)]
        parts += ["sorting…"] * self._sorter.running + ["saving…"] * self.writing
        self.status.set_text(" · ".join(filter(None, parts)))
        self.save_button.setEnabled(self.model.n_rows > 0 and not self.writing and not self._sorter.running)

    # The caret

    @Slot(object)
    def _follow(self, col: int) -> None:
        """Make the difference at the caret the current row."""
        listed = self.model.listed
        if listed is None or self._leads or self._pending is not None or listed.index is not self._index():
            return
        here = listed.index.difference_at(col, listed.kinds)
        row = self.model.row_of(here.number) if here is not None else -1
        self.table.show_current(row, CURRENT_PLACE)
        if here is None and listed.order is None:
            near = listed.index.differences_until(col, listed.kinds)
            self.model.look(max(0, near - CURRENT_PLACE), self.table.height_in_rows())

    def _index(self) -> object:
        return self._alignment.model.index if self._alignment.model is not None else None

    @Slot(object)
    def _step(self, row: int) -> None:
        self._lead(row, self._alignment.navigation.show_place)

    @Slot(object)
    def _jump(self, row: int) -> None:
        self._lead(row, self._alignment.navigation.jump)

    def _lead(self, row: int, move: Callable[[int], None]) -> None:
        listed = self.model.listed
        if listed is not None and listed.index is self._index() and 0 <= row < self.model.n_rows:
            self._leads = True
            move(int(self.model.rows_of(range(row, row + 1)).col0[0]))
            self._leads = False

    @Slot(object)
    def _go_to_letters(self, row: int) -> None:
        self._jump(row)
        self.letters_wanted.emit()
        self._alignment.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _go_to_lines(self) -> None:
        self.letters_wanted.emit()
        self._alignment.front.setFocus(Qt.FocusReason.OtherFocusReason)

    # Copying and saving

    @Slot()
    def copy(self) -> None:
        """Put the selected rows on the clipboard as TSV."""
        listed, some = self.model.listed, self.table.selected
        if listed is None or not some:
            self.tell("No row is selected: click one, or press an arrow key")
            return
        if len(some) > MAX_COPIED_ROWS:
            self.tell(f"{number(len(some))} rows are too many to copy: save the list instead")
            return
        order = self.model.rows_of(some).number.astype("uint32")
        chosen = ListedDifferences(listed.a, listed.b, listed.index, listed.kinds, order)
        QGuiApplication.clipboard().setText(b"".join(listed_tsv(chosen)).decode("utf-8"))
        self.tell(f"{count(len(some), 'row', 'rows')} copied as TSV")

    @Slot()
    def ask_and_save(self) -> None:
        listed = self.model.listed
        if listed is not None:
            suggested = f"{file_stem(listed.a.name, listed.b.name)}.differences.tsv"
            ask_save(self, "Save the list of differences", DIFFERENCES, suggested, self.save)

    def save(self, path: Path, kind: Format) -> None:
        """Write the rows as they are listed."""
        listed = self.model.listed
        if listed is not None:
            inputs = [each.source for each in (listed.a, listed.b) if each.source]
            self.write(kind, path, listed, f"Saved {printable(path.name)}", inputs)


def _same_rows(index: AlignmentIndex, one: Kinds, other: Kinds) -> bool:
    return all(not index.n_differences(kind) for kind in EACH_KIND if kind & (one ^ other))
