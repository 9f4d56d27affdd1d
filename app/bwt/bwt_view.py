"""View of a transform, and the popover of its compression."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QLabel, QPushButton, QWidget

from wavediff.app.bwt.bwt_find import FindPanel, RowLinks
from wavediff.app.bwt.bwt_rows_model import BwtRows
from wavediff.app.bwt.bwt_rows_view import RowsCanvas
from wavediff.app.bwt.bwt_session import BwtSession
from wavediff.app.bwt.indexed_text import IndexedText, Source
from wavediff.app.bwt.row_steps import RowSteps
from wavediff.app.ui.buttons import Popover
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import FittingSplitter, FlowLayout, in_column
from wavediff.app.ui.notices import Severity, error_text
from wavediff.app.ui.pair import SharedCursor, Side
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.save_dialog import ALL_FILES, ask_file, ask_save, filter_of
from wavediff.app.ui.table_view import BARS_ROLE, COPY_KEY, BarDelegate, Table, TableView
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import duration, number, percent
from wavediff.core.export.bwt import IndexAnswer
from wavediff.core.export.registry import INDEX, Format
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.jobs.compression import CompressionResult, Step

WIDTH_PX, BAR_PX, BAR_HEIGHT_PX = 620, 120, 8
SHARE = 3  # column of the bars


class CompressionTable(Table):
    columns = ("Written as", "Bytes", "Bits per letter", "Of eight bits")
    left = frozenset({0, SHARE})
    rows: tuple[Step, ...]
    _length = 0

    def show(self, result: CompressionResult | None) -> None:
        self._length = 0 if result is None else result.length
        self.set_rows(() if result is None else result.steps)

    def share(self, row: int) -> float:
        """Return the size in a row as a fraction of eight bits per letter."""
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
    """Paint a bar for a fraction of eight bits per letter; at most as wide as ``box``."""
    top = box.center().y() - BAR_HEIGHT_PX / 2
    painter.fillRect(QRectF(box.left(), top, min(1.0, share) * box.width(), BAR_HEIGHT_PX), theme.accent)


class CompressionPopover(Popover):
    """Popover that computes the figures when opened; closing cancels, as zlib is slow for long texts."""

    def __init__(self, transform: BwtSession, theme: Theme, parent: QWidget) -> None:
        super().__init__("Compression", WIDTH_PX, theme, parent)
        self._transform = transform
        self.model = CompressionTable(self)
        self.table = TableView(self.model, "Compression", self)
        self.table.setItemDelegateForColumn(SHARE, BarDelegate(theme, self, paint_share))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.stretch(0)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(SHARE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(SHARE, BAR_PX)
        self.line = QLabel(self, wordWrap=True)
        self.column.addWidget(self.table)
        self.column.addWidget(self.line)
        transform.compressed.connect(self._on_result)
        transform.not_compressed.connect(self._fail)
        self.closed.connect(transform.stop_compressing)

    def open_under(self, anchor: QWidget) -> None:
        self._fill(None, "Compressing the text with zlib and bzip2…")
        self._transform.compress()
        super().open_under(anchor)

    @Slot(object)
    def _on_result(self, result: CompressionResult) -> None:
        text = (
            f"{number(result.length)} letters, and {number(result.n_symbols)} symbols after run-length coding. "
            f"Entropy is the lower bound for codes of single symbols; {duration(result.wall_seconds)}"
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


METHODS = (
    (BwtMethod.AUTO, "Default", "The fastest method for the text"),
    (
        BwtMethod.TERNARY,
        "Ternary",
        "The ternary quicksort of Yamanaka, Ino and Hagihara, on the CPU, with ranks for long repeats",
    ),
    (BwtMethod.YAMANAKA, "Yamanaka", "Their published kernels, one letter per level, for comparison; GPU only"),
)


class BwtView(PanelView):
    """Signals: jumped: letters of A and B (0-based, one of them None) to show."""

    keys = (("Arrows · Page Up/Down · Home/End", "Choose a row"), COPY_KEY)
    jumped = Signal(object, object)

    def __init__(self, transform: BwtSession, theme: Theme, cursor: SharedCursor) -> None:
        super().__init__()
        self._transform = transform
        self.rows: BwtRows | None = None
        self.canvas = RowsCanvas(theme)
        self.search = FindPanel(transform)
        self.links = RowLinks(transform, self.canvas, cursor)
        self.links.setParent(self)  # its timer ends with the view
        self.compression = CompressionPopover(transform, theme, self)
        self.source = Chooser[Source]("Text to transform", self)
        self.method = Chooser[BwtMethod]("Sorting method", self)
        self.device = Chooser[Device]("Sorting device", self)
        self.status, self.steps = ElidedLabel(parent=self), RowSteps()
        names = "Transform", "Stop", "Open…", "Save…", "Compression…"
        self._run, self._stop, self._open, self._save, self._compress = (QPushButton(text, self) for text in names)
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        for source in Source:
            self.source.add(source, source.value)
        for method, name, tip in METHODS:
            self.method.add(method, name, tip)
        self.method.setToolTip("Sorting method; all give the same transform")
        for device, name in ((Device.AUTO, "Auto"), (Device.CPU, "CPU"), (Device.GPU, "GPU")):
            self.device.add(device, name)
        self.device.setToolTip("Device for sorting; Auto chooses the one likely to finish first")
        self.source.setToolTip("A, B, both joined by an unused letter, or a saved transform")
        self._run.setToolTip("Sort the rotations of the text and $, which is smaller than every letter")
        self._open.setToolTip("Open a saved transform and search in it; you can also drop it on the window")
        self._save.setToolTip("Save the index, or only the last column")
        self._compress.setToolTip(
            "Bits per letter after move-to-front and run lengths of the last column, compared with zlib and bzip2"
        )
        choosers = (self.source, self.method, self.device)
        first = FlowLayout(*choosers, self._run, self._stop, self._open, self._save, self._compress)
        above = QWidget(self)
        in_column(self.steps, (self.canvas, 1), on=above, margin=0, gap=3)
        both = FittingSplitter(above, self.search, (3, 2), (1, 1))
        in_column(first, self.status, (both, 1), on=self, margin=(6, 4, 6, 4), gap=4)

    def _connect(self) -> None:
        transform = self._transform
        self.source.activated.connect(self._choose)
        self._open.clicked.connect(self.ask_and_load)
        self.method.activated.connect(self._choose_sorting)
        self.device.activated.connect(self._choose_sorting)
        self._run.clicked.connect(self._transform_again)
        self._stop.clicked.connect(transform.stop)
        self._save.clicked.connect(self.ask_and_save)
        self._compress.clicked.connect(lambda: self.compression.open_under(self._compress))
        self.steps.walked.connect(self.canvas.go_to)
        self.steps.laid.connect(self.canvas.refresh)
        transform.changed.connect(self._refresh)
        transform.built.connect(self._show_text)
        self.search.interval.connect(self._mark)
        self.search.jumped.connect(self.links.jump)
        self.links.jumped.connect(self.jumped)
        self.canvas.clicked.connect(self.letters_wanted)
        self.search.jumped.connect(self.letters_wanted)

    def opened(self) -> None:
        """Transform if not done, and focus the pattern."""
        if self._transform.current is None and not self._transform.running:
            self._transform.run()
        self.search.focus()

    @Slot()
    def _choose(self) -> None:
        if self.source.value is Source.FILE:
            self.ask_and_load()
        else:
            self._transform.choose(self.source.value)

    @Slot()
    def _transform_again(self) -> None:
        if self._transform.source is Source.FILE:
            self.ask_and_load()
        else:
            self._transform.run()

    def _show_source(self) -> None:
        self.source.choose(self._transform.source)

    @Slot()
    def _choose_sorting(self) -> None:
        self._transform.choose_sorting(self.method.value, self.device.value)

    @Slot()
    def _refresh(self) -> None:
        transform = self._transform
        explained = "Primary row: the row of the text itself. Runs: equal letters in a row in the last column."
        status = " · ".join(filter(None, (transform.status, transform.outdated)))
        self.status.set_text(status, "\n".join((status, explained)))
        self._show_source()
        self._stop.setEnabled(transform.running)
        self._save.setEnabled(transform.current is not None and not self.writing)
        self._compress.setEnabled(transform.current is not None)

    @Slot(object)
    def _show_text(self, indexed: IndexedText | None) -> None:
        self.rows = BwtRows(indexed) if indexed is not None else None
        self.links.show_rows(self.rows)
        self.canvas.show_rows(self.rows)
        self.steps.show_rows(self.rows)

    @Slot(int, int)
    def _mark(self, low: int, high: int) -> None:
        self.canvas.mark_hits(low, high)
        if high > low and self.rows is not None and self.rows.is_sorted and high - low < self.rows.n_rows:
            self.canvas.go_to(low)

    @Slot()
    def ask_and_load(self) -> None:
        kinds = ";;".join((filter_of(INDEX[0]), ALL_FILES))
        if name := ask_file(self, "Open a saved transform", kinds):
            self._transform.load(Path(name))
        self._show_source()

    @Slot()
    def ask_and_save(self) -> None:
        ask_save(self, "Save the transform", INDEX, "transform.bwt", self.save)

    def save(self, path: Path, kind: Format) -> None:
        current, pair = self._transform.current, self._transform.pair
        if current is None:
            self.tell("There is nothing to save")
        elif current.characters:
            text = "Not saved: files of transforms hold bytes only. For this text use “wavediff bwt FILE”"
            self.tell(text, Severity.ERROR)
        else:
            inputs = [each.source for side in Side if (each := pair[side]) is not None and each.source]
            said = f"Saved {printable(path.name)}"
            self.write(kind, path, IndexAnswer(current.index), said, inputs)

    def show_writing(self) -> None:
        self._refresh()
