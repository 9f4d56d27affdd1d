"""The Burrows-Wheeler transform: rows, the levels of sorting, the walk back, and backward search."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.errand import Errand
from app.models.bwt_rows import BwtRows
from app.models.bwt_walk import Walk
from app.models.cursor import Cursor, Position
from app.models.figures import grouped
from app.notices import Level, Notice, one_line
from app.theme import Theme
from app.transform import Source, Transform, Transformed
from app.views.bwt_find import FindPanel
from app.views.bwt_rows import RowsCanvas, letter_text
from app.views.labels import ElidedLabel
from core.dispatch import Device
from core.errors import Cancelled, WavediffError
from core.results.bwt_index import RowsResult

STEPS = {
    "|◀": ("start", "To the start: row 0, which begins with $"),
    "◀": ("back", "One letter back"),
    "▶": ("forward", "Read the letter of the last column and go to the row that begins with it (LF)"),
    "▶|": ("finish", "To the end: the whole text is read"),
}
FILES = ("Index to be searched again (*.bwt)", "Last column alone, $ left out (*.txt)")


class BwtView(QWidget):
    """Signals:
    jumped: letters of A and B (0-based, one of them None) that should be shown.
    noticed: a ``Notice`` about an export.
    """

    jumped = Signal(object, object)
    noticed = Signal(object)

    def __init__(self, transform: Transform, theme: Theme, cursor: Cursor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._transform, self._cursor = transform, cursor
        self.rows: BwtRows | None = None
        self.walk: Walk | None = None
        self._saver = Errand("save-transform", self)
        self.canvas = RowsCanvas(theme, self)
        self.search = FindPanel(transform, self)
        self.source, self.device = QComboBox(self), QComboBox(self)
        self.level = QSlider(Qt.Orientation.Horizontal, self)
        self.status, self.text = ElidedLabel(parent=self), ElidedLabel(parent=self)
        self._level_text = QLabel(self)
        self._run, self._stop, self._save = (QPushButton(text, self) for text in ("Transform", "Stop", "Save…"))
        self.steps = {name: QToolButton(self) for name, _ in STEPS.values()}
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        for source in Source:
            self.source.addItem(str(source), source)
        for device, name in ((Device.AUTO, "Auto"), (Device.CPU, "CPU"), (Device.GPU, "GPU")):
            self.device.addItem(name, device)
        self.device.setAccessibleName("Where the text is sorted")
        self.device.setToolTip("Where the text is sorted; Auto takes what is likely to be done first")
        self.source.setAccessibleName("What is transformed")
        self.source.setToolTip("A, B, or both joined by a letter that neither has")
        self._run.setToolTip("Sort the rotations of the text and $, which is smaller than every letter")
        self._save.setToolTip("Save the index, or the last column alone")
        self.level.setAccessibleName("Level of the ternary quicksort")
        self.level.setToolTip("Less (<), equal (=), greater (>) than the pivot, level by level, as in paper 4")
        self.level.setPageStep(1)
        first, second = QHBoxLayout(), QHBoxLayout()
        for widget in (self.source, self.device, self._run, self._stop, self._save):
            first.addWidget(widget)
        first.addStretch(1)
        for sign, (name, tip) in STEPS.items():
            self.steps[name].setText(sign)
            self.steps[name].setToolTip(tip)
            self.steps[name].setAccessibleName(tip)
            second.addWidget(self.steps[name])
        second.addWidget(self.text, 2)
        second.addWidget(self._level_text)
        second.addWidget(self.level, 1)
        above = QWidget(self)
        column = QVBoxLayout(above)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(self.canvas, 1)
        column.addLayout(second)
        splitter = QSplitter(Qt.Orientation.Vertical, self)
        splitter.addWidget(above)
        splitter.addWidget(self.search)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 4)
        layout.setSpacing(4)
        layout.addLayout(first)
        layout.addWidget(self.status)
        layout.addWidget(splitter, 1)

    def _connect(self) -> None:
        transform = self._transform
        self.source.activated.connect(self._choose)
        self.device.activated.connect(self._choose_device)
        self._run.clicked.connect(transform.run)
        self._stop.clicked.connect(transform.stop)
        self._save.clicked.connect(self.ask_and_save)
        self._saver.done.connect(self._saved)
        self._saver.failed.connect(self._not_saved)
        self.level.valueChanged.connect(self._show_level)
        for name in self.steps:
            self.steps[name].clicked.connect(getattr(self, f"_walk_{name}"))
        transform.changed.connect(self._refresh)
        transform.built.connect(self._take)
        transform.located.connect(self._located)
        self.canvas.wanted.connect(transform.locate)
        self.canvas.pointed.connect(self._point)
        self.canvas.chosen.connect(self._chosen)
        self.search.interval.connect(self._mark)
        self.search.jumped.connect(self._jump)
        self._cursor.moved.connect(self._follow)

    def begin(self) -> None:
        """Transform if nothing was yet, and be ready for a pattern."""
        if self._transform.current is None and not self._transform.running:
            self._transform.run()
        self.search.focus()

    @Slot()
    def _choose(self) -> None:
        self._transform.choose(self.source.currentData())

    @Slot()
    def _choose_device(self) -> None:
        self._transform.choose_device(Device(self.device.currentData()))

    @Slot()
    def _refresh(self) -> None:
        transform = self._transform
        self.status.set_text(transform.status)
        self._stop.setEnabled(transform.running)
        self._save.setEnabled(transform.current is not None and not self._saver.busy)

    @Slot(object)
    def _take(self, shown: Transformed | None) -> None:
        self.rows = BwtRows(shown) if shown is not None else None
        self.walk = Walk(self.rows) if self.rows is not None else None
        n_levels = self.rows.n_levels if self.rows is not None else 0
        self.level.setRange(0, n_levels)
        self.level.setValue(n_levels)
        self.level.setVisible(n_levels > 0)
        self._level_text.setVisible(n_levels > 0)
        self.canvas.show_rows(self.rows)
        self._show_level(n_levels)

    @Slot(int)
    def _show_level(self, number: int) -> None:
        rows = self.rows
        if rows is None:
            self._show_walk()
            return
        last = number == self.level.maximum()
        # After the last level the rows are sorted, and the columns have ranks.
        rows.show_level(self.level.maximum() + 1 if last else number)
        name = "sorted" if last else "as in the text" if number == 0 else f"level {number}"
        if rows.level is not None and rows.level.by_rank:
            name += ", by rank"
        self._level_text.setText(f"Sorting: {name} of {self.level.maximum()}" if not last else "Sorted")
        self.canvas.refresh()
        self._show_walk()

    def _show_walk(self) -> None:
        walk = self.walk
        ready = walk is not None and self.rows is not None and self.rows.is_sorted
        for name, button in self.steps.items():
            button.setEnabled(ready and (name != "finish" or (self.rows is not None and self.rows.is_small)))
        if walk is None or not ready:
            self.text.set_text("")
            return
        if len(walk.visited) == 1:
            self.text.set_text("Walk back with ▶: row 0 begins with $")
            return
        letters = "".join(letter_text(code) for code in walk.text)
        more = "…" if len(walk.letters) > len(letters) else ""
        end = " — the whole text" if walk.at_end else ""
        self.text.set_text(f"{grouped(len(walk.letters))} letters: {letters}{more}$ · row {grouped(walk.row)}{end}")

    @Slot()
    def _walk_start(self) -> None:
        if self.walk is not None:
            self.walk.restart()
            self._walked()

    @Slot()
    def _walk_back(self) -> None:
        if self.walk is not None and self.walk.back():
            self._walked()

    @Slot()
    def _walk_forward(self) -> None:
        if self.walk is not None:
            self.walk.forward()
            self._walked()

    @Slot()
    def _walk_finish(self) -> None:
        if self.walk is not None:
            self.walk.finish()
            self._walked()

    def _walked(self) -> None:
        if self.walk is not None:
            self.canvas.go_to(self.walk.row)
            self._show_walk()

    @Slot(object)
    def _located(self, result: RowsResult) -> None:
        if self.rows is not None:
            self.rows.take(result)
            self.canvas.viewport().update()

    @Slot(object)
    def _point(self, position: int | None) -> None:
        shown = self._transform.current
        if position is None or shown is None:
            self._cursor.clear()
        else:
            self._cursor.move(*shown.place(position))

    @Slot(object)
    def _follow(self, position: Position) -> None:
        """Choose the row of the letter that another view points at, where every row is known."""
        shown, rows = self._transform.current, self.rows
        if shown is None or rows is None or not rows.is_small or not rows.is_sorted or self.canvas.underMouse():
            return
        place = position.a0 if shown.source is not Source.B else position.b0
        if place is None and shown.source is Source.BOTH and position.b0 is not None:
            place = position.b0 + shown.start_b
        if place is not None:
            self.canvas.go_to(rows.row_of(place))

    @Slot(int)
    def _chosen(self, row: int) -> None:
        if self.rows is not None and self._transform.current is not None:
            position = int(self.rows.window(row, 1).positions[0])
            if position >= 0:
                self._jump(position)

    @Slot(int, int)
    def _mark(self, low: int, high: int) -> None:
        self.canvas.mark_hits(low, high)
        if high > low and self.rows is not None and self.rows.is_sorted and high - low < self.rows.n_rows:
            self.canvas.go_to(low)

    @Slot(int)
    def _jump(self, position: int) -> None:
        if self._transform.current is not None:
            self.jumped.emit(*self._transform.current.place(position))

    @Slot()
    def ask_and_save(self) -> None:
        """Ask for a name and write the index, or the last column."""
        name, kind = QFileDialog.getSaveFileName(self, "Save the transform", "", ";;".join(FILES))
        if name:
            self.save(Path(name), column_only=kind == FILES[1])

    def save(self, path: Path, *, column_only: bool) -> None:
        """Write the index, or the last column alone; the outcome is said by ``noticed``."""
        self._saver.start(self._transform.saving(path, column_only=column_only))
        self._refresh()

    @Slot(object)
    def _saved(self, text: str) -> None:
        self.noticed.emit(Notice(Level.INFO, text))
        self._refresh()

    @Slot(object)
    def _not_saved(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            text = str(error) if isinstance(error, WavediffError) else one_line(error)
            self.noticed.emit(Notice(Level.ERROR, text))
        self._refresh()
