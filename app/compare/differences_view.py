"""Panel of differences, or of line hunks: one row each, sortable, next to letters or lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QSpinBox, QWidget

from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.difference_list import IN_A, IN_B, NUMBER, DifferenceList, ListedParts, Listing
from wavediff.app.compare.differences_model import DifferencesTable, Listed, dress, fit_columns, kind_of, show_effects
from wavediff.app.compare.pair_view import PairView
from wavediff.app.ui.background_task import BackgroundTask, Turns, on
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row, with_empty_page
from wavediff.app.ui.long_table import LongTableView
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.save_dialog import ask_save, file_stem
from wavediff.app.ui.table_view import COPY_KEY
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import printable
from wavediff.core.export.registry import Format
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.difference_index import Kinds, usual_kinds

SYNCHRONOUS_SORT = 1 << 17  # differences that are sorted while the person waits
CURRENT_PLACE = 2  # row in sight, from 0, that the difference at the caret is kept at


class DifferencesView(PanelView):
    """List whose current row follows the caret of the letters (or the current hunk), and moves it.

    Signals:
        arranged: the rows are in the requested order.
        asked_changed: the requested ``Listing``, by a click or a key.
    """

    keys = (
        ("Arrows · Page Up/Down · Home/End", "Select a difference and show its letters"),
        ("Shift+arrows", "Select several rows"),
        ("Enter", "Go to the letters"),
        COPY_KEY,
    )
    arranged = Signal()
    asked_changed = Signal(object)

    def __init__(self, alignment: PairView, turns: Turns, theme: Theme) -> None:
        super().__init__()
        self._alignment, self._turns, self._theme = alignment, turns, theme
        self._stale = ""
        self._hidden = False  # the list, in the place of which stands what is waited for
        self._leads = False  # the caret goes where a row was chosen
        self._pending: Listed | None = None  # that is being sorted
        self._of_pair, self._follows = Listing(), False  # the controls are set by it
        self._of_kinds = dict[DifferenceList, Listing]()  # listings that are no choice of the pair
        self.model = DifferencesTable()
        self.status = ElidedLabel(parent=self)
        self.least, self.save_button = QSpinBox(self), QPushButton("Save list…", self)  # Tab goes in this order
        self.table = LongTableView(self.model, "List of differences", several=True)
        self._sorter = BackgroundTask("sort-differences", self, self._sorted, self._not_written)
        self._build()
        header = self.table.rows.horizontalHeader()
        on(self._ask, header.sortIndicatorChanged, self.least.valueChanged, alignment.stepper.kinds_changed)
        self.table.moved.connect(self._step)
        self.table.clicked.connect(self._jump)
        self.table.chosen.connect(self._go_to_letters)
        self.save_button.clicked.connect(self.ask_and_save)
        alignment.model_changed.connect(self._take_soon)
        alignment.canvas.caret_moved.connect(self._follow)
        alignment.annotator.effects_found.connect(self._arrange)
        for steps in (alignment.hunks, alignment.blocks, alignment.contigs):
            steps.listed.connect(self._show_listed)
            steps.moved.connect(self._follow)
        theme.changed.connect(self.table.rows.viewport().update)
        self.say_waiting("")
        self._show_listed()

    def _build(self) -> None:
        dress(self.table, self.model, self._theme)
        self.least.setMinimum(1)
        self.least.setGroupSeparatorShown(True)
        self.least.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.least.setAccessibleName("Length from")
        self.least.setKeyboardTracking(False)
        label = QLabel("Length from", self)
        label.setBuddy(self.least)
        top = in_row((self.status, 1), label, self.least, self.save_button, margin=(8, 2, 8, 2), gap=8)
        full = QWidget(self)
        in_column(top, (self.table, 1), on=full, margin=0, gap=0)
        self._empty, self._pages = with_empty_page(full, self, 16)

    def opened(self) -> None:
        self.table.setFocus()

    @property
    def message(self) -> str:
        return self._empty.text() if self._pages.currentIndex() == 0 else ""

    def say_waiting(self, text: str, *, instead: bool = False) -> None:
        """Set the text for an empty list; with ``instead`` show it in place of any list. Empty: the default text."""
        self._hidden = instead
        if (listed := self._alignment.listed) is None or instead or not kind_of(listed).none(listed):
            self._empty.setText(text or "The differences appear here as soon as two sequences are compared.")
        self._show_page()

    @Slot()
    def _show_page(self) -> None:
        listed = self._alignment.listed
        there = listed is not None and not kind_of(listed).none(listed)
        self._pages.setCurrentIndex(int(there and not (self._hidden and kind_of(listed).usual is None)))

    def set_stale(self, text: str) -> None:
        if text != self._stale:
            self._stale = text
            self.table.setEnabled(not text)
            self.show_writing()

    # Rows

    @Slot(object)
    def _take_soon(self, model: AlignmentModel | None) -> None:
        if model is None:
            self._show_listed()
        elif self._alignment.of_letters:
            self._turns.put(self._show_listed)

    @Slot()
    def _show_listed(self) -> None:
        listed = self._alignment.listed
        if listed is None:
            self._sorter.stop()
            self.writer.stop()
            self._pending = None
            self.model.show(None)
            self._show_page()
            return
        kind = kind_of(listed)
        if kind is not self.model.kind:
            self.model.show(listed)
        fit_columns(self.table.rows, listed)
        self.save_button.setText(kind.save_text)
        self.save_button.setToolTip(kind.save_tip)
        self.least.setToolTip(kind.tip)
        self.table.rows.setAccessibleName(f"List of {kind.words[1]}")
        if none := kind.none(listed):
            self._empty.setText(none)
        self._show_page()
        self._show_wanted(listed)
        self._arrange()

    def want(self, asked: Listing) -> None:
        self._of_pair = asked

    @property
    def _wanted(self) -> Listing:
        usual = (kind := kind_of(self._alignment.listed)).usual
        return self._of_pair if usual is None else self._of_kinds.get(kind, usual)

    def _show_wanted(self, listed: Listed) -> None:
        wanted, self._follows = self._wanted, True
        if isinstance(listed, ListedDifferences):
            self._alignment.stepper.show_kinds(
                usual_kinds(listed.index) if wanted.kinds == Kinds.COUNTED else wanted.kinds
            )
        self.least.setMaximum(min(kind_of(listed).longest(listed), 2**31 - 1))
        self.least.setValue(wanted.least)
        order = Qt.SortOrder.DescendingOrder if wanted.descending else Qt.SortOrder.AscendingOrder
        self.table.rows.horizontalHeader().setSortIndicator(wanted.column, order)
        self._follows = False

    @Slot()
    def _ask(self) -> None:
        listed, header = self._alignment.listed, self.table.rows.horizontalHeader()
        if listed is None or self._follows:
            return
        kinds, descending = self._alignment.stepper.kinds, header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
        if not isinstance(listed, ListedDifferences):
            kinds = self._wanted.kinds  # of letters
        elif not listed.index.n_differences(kinds ^ usual_kinds(listed.index)):
            kinds = Kinds.COUNTED
        before, wanted = self._wanted, Listing(header.sortIndicatorSection(), descending, self.least.value(), kinds)
        if (kind := kind_of(listed)).usual is not None:
            self._of_kinds[kind] = wanted
            self._arrange()
            return
        self._of_pair = wanted
        if not isinstance(listed, ListedDifferences) and self._wanted == before:
            return  # other kinds: the hunks tell of them
        self.asked_changed.emit(self._wanted)
        self._arrange()

    @property
    def asked(self) -> Listing:
        """Current filter and order, and the first visible row."""
        seen = self.model.n_rows > self.model.height()
        first = int(self.model.numbers(range(self.model.top, self.model.top + 1))[0]) + 1 if seen else 0
        return replace(self._wanted, first=first)

    @Slot()
    def _arrange(self) -> None:
        listed = self._alignment.listed
        if listed is None:
            return
        column, descending, least = self._wanted.column, self._wanted.descending, self._wanted.least
        arranged = partial(kind_of(listed).arranged, listed, self._wanted)
        self._sorter.stop()
        self._pending = listed
        self.model.show_sorted(column, descending)
        if len(listed) <= SYNCHRONOUS_SORT or (column in (NUMBER, IN_A, IN_B) and least <= 1 and not descending):
            self._sorted(arranged())
        else:
            self._sorter.start(arranged)
            self.show_writing()

    @Slot(object)
    def _sorted(self, listed: Listed) -> None:
        if self._pending is None:
            return
        self._pending = None
        show_effects(self.table.rows, listed)
        self.model.show(listed)
        self._follow()
        if self.table.rows.horizontalHeader().sortIndicatorSection() in self.model.kind.at_top:
            self.model.look(0, self.table.height_in_rows())  # the longest is wanted, not the place of the caret
        self.show_writing()
        self.arranged.emit()

    def show_writing(self) -> None:
        listed = self.model.listed
        parts = [self._stale, "" if listed is None else kind_of(listed).shown(listed)]
        parts += ["sorting…"] * self._sorter.running + ["saving…"] * self.writing
        self.status.set_text(" · ".join(filter(None, parts)))
        ready = self.model.n_rows > 0 and not self.model.kind.grows(listed)
        self.save_button.setEnabled(ready and not self.writing and not self._sorter.running)

    # The caret

    @Slot()
    def _follow(self) -> None:
        """Select the row of the difference at the caret, or of the current hunk."""
        listed, col = self.model.listed, self._alignment.canvas.caret
        if listed is None or self._leads or self._pending is not None or not self._is_shown(listed):
            return
        if not isinstance(listed, ListedDifferences):
            current = self._alignment.steps.current
            self.table.show_current(self.model.row_of(current - 1) if current else -1, CURRENT_PLACE)
            return
        here = listed.index.difference_at(col, listed.kinds)
        row = self.model.row_of(here.number) if here is not None else -1
        self.table.show_current(row, CURRENT_PLACE)
        if here is None and listed.order is None:
            near = listed.index.differences_until(col, listed.kinds)
            self.model.look(max(0, near - CURRENT_PLACE), self.table.height_in_rows())

    def _is_shown(self, listed: Listed) -> bool:
        now = self._alignment.listed
        return now is not None and now.index is listed.index

    @Slot(object)
    def _step(self, row: int) -> None:
        self._lead(row, self._alignment.navigation.show_place)

    @Slot(object)
    def _jump(self, row: int) -> None:
        self._lead(row, self._alignment.navigation.jump)

    def _lead(self, row: int, move: Callable[[int], None]) -> None:
        listed = self.model.listed
        if listed is not None and self._is_shown(listed) and 0 <= row < self.model.n_rows:
            self._leads = True
            if not isinstance(listed, ListedDifferences):
                self._alignment.steps.choose(int(listed.order[row]) + 1)
            else:
                move(int(self.model.rows_of(range(row, row + 1)).col0[0]))
            self._leads = False

    @Slot(object)
    def _go_to_letters(self, row: int) -> None:
        self._jump(row)
        if self._alignment.enter():
            return
        self.letters_wanted.emit()
        self._alignment.front.setFocus(Qt.FocusReason.OtherFocusReason)

    # Saving

    @Slot()
    def ask_and_save(self) -> None:
        listed = self.model.listed
        if listed is not None:
            kind, what = kind_of(listed), kind_of(listed).words[1]
            suggested = f"{file_stem(*kind.names(listed))}.{what}{kind.formats[0].endings[0]}"
            ask_save(self, f"Save the list of {what}", kind.formats, suggested, self.save)

    def save(self, path: Path, kind: Format) -> None:
        listed = self.model.listed
        if listed is not None:
            self.write_by(partial(_save, kind, path, listed), f"Saved {printable(path.name)}")


def _save(kind: Format, path: Path, listed: Any, cancel: CancelToken) -> None:
    kind.require_fit(listed.a, listed.b)
    answer = listed.index if isinstance(listed, ListedParts) else listed
    kind.save(path, answer, cancel, [each.source for each in (listed.a, listed.b) if each.source])
