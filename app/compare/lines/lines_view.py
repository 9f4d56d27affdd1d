"""View of two texts by lines with its controls, and its picture."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QActionGroup, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from wavediff.app.compare.alignment_actions import AlignmentAction, build_actions
from wavediff.app.compare.lines.line_cells import LineCells, unaligned_cells
from wavediff.app.compare.lines.lines_canvas import LinesCanvas
from wavediff.app.compare.lines.lines_input import InteractiveLines
from wavediff.app.compare.lines.overview import NARROW_PX, WIDTH_PX, Overview
from wavediff.app.compare.lines.shown_rows import Folding, ShownRows
from wavediff.app.compare.lines.sight import FONT_PX, Marked, parse_line
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.chooser import Chooser, Segments
from wavediff.app.ui.layouts import in_column, in_row, with_empty_page
from wavediff.app.ui.pair import Comparison, Side
from wavediff.app.ui.picture_sheet import Pictured, Sheet, light, pair_title
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.line_result import LineResult
from wavediff.core.jobs.line_view import LineView, line_view
from wavediff.core.sequences.sequence import Sequence

BAR_PX, MARGIN_PX = 32, 8
NARROW_VIEW_PX = 1000  # of width, below which the overview is narrow
MAX_COPIED_LETTERS = 10_000_000
SYNCHRONOUS_LETTERS = 1 << 22  # of texts whose lines are found while the user waits
TAB_WIDTHS, MAX_TAB_WIDTH = (2, 3, 4, 8), 16
ENTRIES = (
    AlignmentAction("set_inline", "Inline", "Inline", ("Ctrl+I",), checkable=True, everywhere=True),
    AlignmentAction("set_folds_open", "Open all folds", "Folds", checkable=True),
    AlignmentAction("set_line_colours", "Syntax colours", "Colours", checkable=True),
    AlignmentAction("set_lines_wrapped", "Wrap long lines", "Wrap", checkable=True),
    AlignmentAction("copy_lines", "Copy", "Copy", ("Ctrl+C",)),
    AlignmentAction("select_all_lines", "Select all", "All", ("Ctrl+A",)),
)
Found = tuple[LineCells, Marked, LineView | None]
NOTHING = "Nothing is selected: drag over the lines, or press Ctrl+A"


class LinesView(QWidget):
    """Shows a comparison by lines, or two uncompared texts.

    Attributes:
        bar: of options above the lines. side: widgets next to them, the overview first.
        actions_by_id: its actions, for menus. options_menu: display options.

    Signals:
        line_changed: (Side, line from 0) of the current row. noticed: a sentence for the status bar.
        state_changed: display options changed.
    """

    line_changed = Signal(object)
    noticed = Signal(str)
    state_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName("Lines")
        self.result: LineResult | None = None
        self.view: LineView | None = None
        self.canvas = InteractiveLines(theme)
        self.overview = Overview(theme, self.canvas)
        self.tab_width = 4
        setters = self.set_inline, self.set_folds_open, self.set_coloured, self.set_wrapped
        slots, ids = (*setters, self.copy, self.canvas.select_all), [entry.id for entry in ENTRIES]
        self.actions_by_id = build_actions(self, dict(zip(ids, slots, strict=True)), ENTRIES)
        for id_ in ("set_line_colours", "set_lines_wrapped"):
            self._check(id_, True)
        self.options_menu = self._options()
        self.views = Segments[bool]("View", theme)
        self.views.add(False, "Side by side", "Lines of A next to those of B (Ctrl+I)")
        self.views.add(True, "Inline", "Lines of A above those of B (Ctrl+I)")
        self.views.choose(False)
        self.views.chosen.connect(self.set_inline)
        bar = QWidget(self)
        bar.setFixedHeight(BAR_PX)
        self.folds = Chooser[bool]("Equal lines")
        self.folds.add(False, "Fold equal lines")
        self.folds.add(True, "Show all lines")
        self.folds.activated.connect(lambda _row: self.set_folds_open(self.folds.value))
        self.bar = in_row(self.views, 1, self.folds, on=bar, margin=(MARGIN_PX, 0, MARGIN_PX, 0), gap=MARGIN_PX)
        self._heading = QLabel("Overview", self)
        column = QWidget(self)
        self.side = in_column(self._heading, (self.overview, 1), on=column, margin=(MARGIN_PX, 0, MARGIN_PX, 4), gap=8)
        full = QWidget(self)
        in_column(bar, (in_row((self.canvas, 1), column, gap=0), 1), on=full, margin=0, gap=0)
        self._empty, self._pages = with_empty_page(full, self)
        self.setFocusProxy(self.canvas)
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.canvas.addActions(list(self.actions_by_id.values()))
        self.canvas.line_changed.connect(self.line_changed)
        self.canvas.folding_changed.connect(self._folding_changed)
        self._reader = BackgroundTask("lines", self, self._show_found)
        self.clear("Nothing compared yet")

    # What is shown

    @property
    def message(self) -> str:
        return self._empty.text() if self._pages.currentIndex() == 0 else ""

    def show_result(self, a: Sequence, b: Sequence, result: LineResult) -> None:
        """Show hunks, folds and marks; the reading position in the same texts is kept."""
        self.result = result
        self.view = view = line_view(result, a, b)
        marked = Marked(moved=result.moved, same=not view.n_hunks)
        self._find(a, b, lambda: (LineCells(a, b, result.rows, view.marks), marked, view))

    def show_lines(self, a: Sequence | None, b: Sequence | None) -> None:
        """Show uncompared lines, paired by number."""
        self.result = self.view = None
        self._find(a, b, lambda: (unaligned_cells(a, b), Marked(aligned=False), None))

    def _find(self, a: Sequence | None, b: Sequence | None, make: Callable[[], Found]) -> None:
        """Show the result of ``make``; long texts are laid out in another thread first."""
        self._reader.stop()
        if sum(map(len, filter(None, (a, b)))) <= SYNCHRONOUS_LETTERS:
            self._show(*make())
            return
        if self.canvas.cells is None or self.canvas.cells.sequences != {Side.A: a, Side.B: b}:
            self._show_message("Finding the lines…")
        self._reader.start(lambda _cancel: _laid_out(make()))

    @Slot(object)
    def _show_found(self, answer: Found) -> None:
        self._pages.setCurrentIndex(1)
        columns, tab_width = self.canvas.columns_of(answer[0]), self.tab_width
        if answer[0].columns == columns:
            self._show(*answer)
        else:
            self._reader.start(lambda _cancel: _laid_out(answer, columns, tab_width))

    def clear(self, message: str) -> None:
        self._reader.stop()
        self.result = self.view = None
        self._show_message(message)

    def _show_message(self, message: str) -> None:
        self.canvas.show_lines(None, Marked())
        self._empty.setText(message)
        self._pages.setCurrentIndex(0)

    def set_stale(self, text: str) -> None:
        """Grey out the view with ``text``; empty: current again."""
        if self.canvas.dimmed != bool(text):
            self.canvas.dimmed = bool(text)
            self.canvas.viewport().update()

    def _show(self, cells: LineCells, marked: Marked, view: LineView | None = None) -> None:
        cells.set_tab_width(self.tab_width)
        self.canvas.show_lines(cells, marked, view)
        self._pages.setCurrentIndex(1)

    # Places

    def go_to(self, side: Side, line: int) -> None:
        """Go to a line (0-based) and open its fold."""
        self.canvas.go_to_line(side, line)

    def go_to_letter(self, side: Side, letter: int) -> None:
        """Go to the line of a letter (0-based)."""
        if (cells := self.canvas.cells) is not None:
            line = int(np.searchsorted(cells.starts[side][:-1], letter, "right")) - 1
            self.canvas.go_to_line(side, line, letter - int(cells.starts[side][line]))

    # How it is shown

    inline, coloured, wrapped = (property(attrgetter(f"canvas.{name}")) for name in ("inline", "coloured", "wrapped"))

    @Slot(bool)
    def set_inline(self, inline: bool) -> None:
        self.canvas.look(inline=inline)
        self._check("set_inline", inline)
        self.views.choose(inline)

    @property
    def folds_open(self) -> bool:
        return self.canvas.folding.all_open

    @Slot(bool)
    def set_folds_open(self, opened: bool) -> None:
        self.canvas.look(folding=Folding(all_open=opened))

    @Slot(bool)
    def set_coloured(self, coloured: bool) -> None:
        self.canvas.look(coloured=coloured)
        self._check("set_line_colours", coloured)

    @Slot(bool)
    def set_wrapped(self, wrapped: bool) -> None:
        self.canvas.look(wrapped=wrapped)
        self._check("set_lines_wrapped", wrapped)

    def set_tab_width(self, cells: int) -> None:
        self.tab_width = cells = min(max(cells, 1), MAX_TAB_WIDTH)
        if self.canvas.cells is not None:
            self.canvas.cells.set_tab_width(cells)
            self.canvas.look()
        for action in self._tabs.actions():
            action.setChecked(action.data() == cells)
        self.state_changed.emit()

    @property
    def font_size(self) -> int:
        return self.canvas.font_px

    def set_font_size(self, px: int) -> None:
        self.canvas.set_font_px(px)
        self.state_changed.emit()

    def zoom(self, steps: int) -> None:
        self.set_font_size(self.font_size + steps)

    def usual_size(self) -> None:
        self.set_font_size(FONT_PX)

    # Copying

    @Slot()
    def copy(self) -> None:
        side, first, end = self.canvas.marked.selection
        if end - first > MAX_COPIED_LETTERS:
            most = number(MAX_COPIED_LETTERS)
            self.noticed.emit(f"Not copied: {number(end - first)} letters are too many; at most {most}")
            return
        text = self.canvas.selected_text()
        if text:
            QGuiApplication.clipboard().setText(text)
        lines = len(text.removesuffix("\n").split("\n"))
        self.noticed.emit(f"Copied {count(lines, 'line', 'lines')} of {side}" if text else NOTHING)

    # Inside

    def _options(self) -> QMenu:
        menu = QMenu("View options", self)
        names = ("set_inline", "set_folds_open", "set_line_colours", "set_lines_wrapped")
        menu.addActions([self.actions_by_id[id_] for id_ in names])
        menu.addAction("Larger letters", lambda: self.zoom(1))
        menu.addAction("Smaller letters", lambda: self.zoom(-1))
        tabs = menu.addMenu("Tab width")
        self._tabs = QActionGroup(tabs)
        for width in TAB_WIDTHS:
            action = self._tabs.addAction(tabs.addAction(number(width)))
            action.setData(width)
            action.setCheckable(True)
            action.setChecked(width == self.tab_width)
        self._tabs.triggered.connect(lambda action: self.set_tab_width(action.data()))
        return menu

    def _check(self, id_: str, on: bool) -> None:
        with QSignalBlocker(action := self.actions_by_id[id_]):
            action.setChecked(on)
        self.state_changed.emit()

    @Slot()
    def _folding_changed(self) -> None:
        self._check("set_folds_open", self.folds_open)
        self.folds.choose(self.folds_open)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW_VIEW_PX
        self._heading.setHidden(narrow)
        self.overview.setFixedWidth(NARROW_PX if narrow else WIDTH_PX)
        margin = 0 if narrow else MARGIN_PX
        self.side.setContentsMargins(margin, 0, margin, margin // 2)


def _laid_out(answer: Found, columns: int = 0, tab_width: int = 1) -> Found:
    cells, marked, _ = answer
    cells.set_tab_width(tab_width)
    ShownRows(cells.rows, aligned=marked.aligned, heights=cells.heights(columns))
    return answer


CLOSED = Folding()
SIZE = (1280, 1000)  # pixels, at most


def lines_picture(
    outcome: Comparison,
    *,
    at: str = "",
    layout: str = "side",
    folding: Folding = CLOSED,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of the lines of A and B from a position on.

    Args:
        at: see ``parse_line``; empty: the first row. layout: ``side`` or ``inline``. folding: which folds are open.
        size: pixels; None: automatic.

    Raises:
        WavediffError: no such place, or no comparison by lines or words.
    """
    if outcome.method.of_letters:
        raise WavediffError("--view lines needs --method lines or words")
    theme, a, b, result = light(), outcome.a, outcome.b, outcome.result
    view = line_view(result, a, b)
    canvas = LinesCanvas(theme)
    canvas.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
    for bars in (canvas.setVerticalScrollBarPolicy, canvas.setHorizontalScrollBarPolicy):
        bars(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    sheet = Sheet(theme, pair_title(outcome, "Lines"), canvas, (), QSize(*(size or SIZE)), outcome.full_text)
    canvas.show_lines(LineCells(a, b, result.rows, view.marks), Marked(moved=result.moved, same=not view.n_hunks))
    canvas.look(inline=layout == "inline", folding=folding)
    assert canvas.shown is not None
    try:
        side, line = parse_line(at, result.rows) if at else (Side.A, -1)
    except ValueError as error:
        raise WavediffError(f"--at {at}: {error}") from error
    place = canvas.shown.place(int(canvas.shown.row_of[side][line]), side) if at else 0
    canvas.mark(place=-1)
    needed = (canvas.shown.n - place) * canvas.sight.row + (0 if view.n_hunks else 3 * canvas.sight.row)
    spare = canvas.height() - min(needed, canvas.height() // canvas.sight.row * canvas.sight.row)
    if size is None:
        sheet.fit((0, spare))
    canvas.verticalScrollBar().setMaximum(place * canvas.sight.row)
    canvas.scroll_to_place(place)
    canvas.find_colours()
    return Pictured(sheet)
