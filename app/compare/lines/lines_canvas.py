"""Canvas for the lines of two texts: visible rows, current row, folds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from wavediff.app.compare.lines.line_cells import LineCells
from wavediff.app.compare.lines.lines_drawing import draw_lines
from wavediff.app.compare.lines.shown_rows import Entry, Folding, ShownRows
from wavediff.app.compare.lines.sight import FONT_PX, Marked, Sight, sides_of
from wavediff.app.compare.lines.syntax import Highlighter, Token
from wavediff.app.draw.drawing import Size
from wavediff.app.draw.painter import QtDrawing, em_width
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number
from wavediff.core.jobs.line_result import KIND_NAMES
from wavediff.core.jobs.line_view import LineView

MIN_FONT_PX, MAX_FONT_PX = 9, 40
LEAD_ROWS = 2  # above a line that is gone to


class LinesCanvas(QAbstractScrollArea):
    """Canvas for the lines of two texts. One entry (a line or a fold) is current.

    Attributes:
        view: of the compared lines. letter: text position of the current entry. wrapped: long lines take several rows.

    Signals:
        scrolled: the visible lines changed.
        line_changed: line of the current entry, (Side, line from 0). folding_changed: a fold was opened or closed.
    """

    scrolled = Signal()
    line_changed = Signal(object)
    folding_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Lines of A and B")
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setCornerWidget(QWidget(self))
        self.verticalScrollBar().setAccessibleName("Rows")
        self.horizontalScrollBar().setAccessibleName("Columns of the lines")
        self._theme = theme
        self.cells: LineCells | None = None
        self.shown: ShownRows | None = None
        self.inline, self.coloured, self.folding = False, True, Folding()
        self.font_px, self.dimmed = FONT_PX, False
        self.marked = Marked()
        self._side, self.letter = Side.A, 0  # of the current entry
        self.view: LineView | None = None
        self.wrapped = True
        self._highlighters: dict[Side, Highlighter] = {}
        self._widest = self._laid_out = 0
        theme.changed.connect(self.viewport().update)

    # What is shown

    def show_lines(self, cells: LineCells | None, marked: Marked, view: LineView | None = None) -> None:
        """Show other lines from the start; for the same texts keep the position."""
        stays = self.cells is not None and cells is not None and cells.sequences == self.cells.sequences
        top = self.top_line if stays else None
        self.cells, self.marked, self.view = cells, marked, view
        self.folding = self.folding if stays else Folding(all_open=self.folding.all_open)
        for each in self._highlighters.values():
            each.deleteLater()
        self._highlighters = {side: Highlighter(cells, side, self) for side in Side} if cells is not None else {}
        for each in self._highlighters.values():
            each.reached.connect(self.viewport().update)
        self._widest = 0
        self._lay_out()
        place = 0
        if top is not None and self.shown is not None and top[1] < self.shown.row_of[top[0]].size:
            place = self.shown.place(int(self.shown.row_of[top[0]][top[1]]), top[0])
        self._set_place(place, tell=False)
        self.scroll_to_place(place)

    @property
    def sight(self) -> Sight:
        return self._sight_of(self.cells)

    def _sight_of(self, cells: LineCells | None) -> Sight:
        size, bar = self.viewport().size(), self.verticalScrollBar()
        starts = cells.starts.values() if cells is not None else ()
        return Sight(
            Size(size.width(), size.height()),
            self.font_px,
            em_width("0" * 64, mono=True) / 64 * self.font_px,
            len(number(max((each.size - 1 for each in starts), default=0))),
            self.inline,
            bar.value(),
            0 if self.wrapped else self.horizontalScrollBar().value(),
            self.wrapped,
            0 if bar.isVisible() else bar.sizeHint().width(),
        )

    def columns_of(self, cells: LineCells | None) -> int:
        """Return the width in cells at which lines are wrapped; 0: lines are not wrapped."""
        return self._sight_of(cells).columns if self.wrapped else 0

    @property
    def rows_in_sight(self) -> tuple[int, int]:
        """The first visible row, and the end (exclusive)."""
        entries = self.shown.entries(*self.sight.places) if self.shown is not None else []
        return min((e.row for e in entries), default=0), max((e.end for e in entries), default=0)

    @property
    def top_line(self) -> tuple[Side, int] | None:
        """The first visible line; None at the very top."""
        top = self._top_entry()
        return None if top is None or self.cells is None else next(sides_of(top, self.cells), None)

    @property
    def entry(self) -> Entry | None:
        entries = self.shown.entries(self.marked.place, self.marked.place + 1) if self.shown is not None else []
        return entries[0] if entries else None

    def look(self, **changes: Any) -> None:
        """Set attributes of the canvas, such as ``wrapped``; the first visible row stays."""
        top = self._top_entry()
        for name, value in changes.items():
            setattr(self, name, value)
        self._lay_out(top)
        if "folding" in changes:
            self.folding_changed.emit()

    def set_font_px(self, px: int) -> None:
        self.look(font_px=min(max(MIN_FONT_PX, px), MAX_FONT_PX))

    def mark(self, **changes: Any) -> None:
        self.marked = replace(self.marked, **changes)
        self.viewport().update()

    # Places

    def go_to_line(self, side: Side, line: int, letter: int = 0) -> None:
        """Make a line current (third row from the top), show a letter of it, and open its fold."""
        if self.cells is None or self.shown is None or not self.shown.row_of[side].size:
            return
        line = min(max(line, 0), self.shown.row_of[side].size - 1)
        row = int(self.shown.row_of[side][line])
        entry = self.shown.entries(place := self.shown.place(row, side), place + 1)[0]
        if entry.is_fold:
            self.look(folding=self.folding.toggled(entry.row))
            place = self.shown.place(row, side)
        self._side = side
        place += self._show_letter(side, line, letter)
        self.go_to_place(place)
        self.scroll_to_place(place - LEAD_ROWS)

    def go_to_hunk(self, hunk: int) -> None:
        """Frame a hunk (from 1; 0: none), and scroll to its first change unless all is visible."""
        self._mark_hunk(hunk)
        if self.shown is None or self.cells is None or not self.marked.frames:
            return
        (row, end), inside, letter = self.marked.frames[0], False, 0
        for side, line in sides_of(Entry(row, end), self.cells):
            (start, stop), begin = self.marked.letters[side is Side.B], int(self.cells.starts[side][line])
            inside = start < stop
            spans = [(start - begin, stop - begin)] if inside else self.cells.marks(row)[side is Side.B]
            if spans:
                letter = max(0, spans[0][0])
                break
        first = self.shown.place(row, side) + self._show_letter(side, line, letter)
        top, foot = (first, first + 1) if inside else (self.shown.place(row), self.shown.end(end - 1))
        self._set_place(first, tell=False)
        if self.sight.y(top) < 0 or self.sight.y(foot) > self.viewport().height():
            self.scroll_to_place(first - LEAD_ROWS)

    def _show_letter(self, side: Side, line: int, letter: int) -> int:
        """Return the part of a wrapped line with a letter; else scroll sideways to show it."""
        assert self.cells is not None
        column, sight, across = self.cells.column(side, line, letter), self.sight, self.horizontalScrollBar()
        if self.wrapped:
            return column // sight.columns
        if not across.value() <= column < across.value() + sight.columns:
            self._widest = max(self._widest, self.cells.width(side, line))
            self._set_bars()
            across.setValue(max(0, column - sight.columns // 2) if column >= sight.columns else 0)
        return 0

    def _mark_hunk(self, hunk: int) -> None:
        if self.view is None or not 0 < hunk <= self.view.n_hunks:
            self.mark(hunk=0, frames=(), letters=Marked().letters)
        else:
            self.mark(hunk=hunk, frames=self.view.hunk(hunk).places, letters=self.view.letters(hunk))

    def go_to_place(self, place: int) -> None:
        if self.shown is None or not self.shown.n:
            return
        place = min(max(place, 0), self.shown.n - 1)
        self._set_place(place)
        sight, bar = self.sight, self.verticalScrollBar()
        lowest = int((place + 1) * sight.row - sight.size.high)
        bar.setValue(min(max(bar.value(), lowest), place * sight.row))

    def scroll_to_place(self, place: int) -> None:
        self.verticalScrollBar().setValue(max(0, place) * self.sight.row)

    def centre_row(self, row: int) -> None:
        if self.shown is not None and self.shown.n:
            place = self.shown.place(min(max(row, 0), self.shown.rows.kind.size - 1))
            self.scroll_to_place(place - int(self.sight.size.high) // self.sight.row // 2)

    def toggle_fold(self, row: int) -> None:
        if self.shown is not None and (fold := self.shown.fold_at(row)) is not None:
            self.look(folding=self.folding.toggled(fold))
            self.go_to_place(self.shown.place(row))

    def _set_place(self, place: int, tell: bool = True, letter: int | None = None) -> None:
        self.mark(place=place)
        entry = self.entry
        if entry is None or self.cells is None or self.shown is None:
            return
        self.setAccessibleDescription(self._describe(entry))
        if (lines := dict(sides_of(entry, self.cells))) and tell:
            side = self._side if self._side in lines else self._side.other
            begin = self.cells.ends(side, lines[side])[0] + entry.part * self.sight.columns
            self.letter = begin if letter is None or side is not self._side else letter
            hunk = self.view.at(side is Side.B, self.letter)[0] if self.view is not None else 0
            if hunk and hunk != self.marked.hunk:
                self._mark_hunk(hunk)
            self.line_changed.emit((side, lines[side]))

    def _describe(self, entry: Entry) -> str:
        assert self.cells is not None
        if entry.is_fold:
            return f"{number(entry.end - entry.row)} equal lines, folded"
        lines = list(sides_of(entry, self.cells))
        kind = KIND_NAMES[self.cells.rows.kind[entry.row]] if self.marked.aligned else ""
        where = ", ".join(f"line {number(line + 1)} of {side}" for side, line in lines)
        texts = dict.fromkeys("".join(self.cells.part(side, line, 0).glyphs).strip() for side, line in lines)
        return ", ".join(filter(None, (where, kind))) + f": {'; '.join(texts)}"

    # Layout

    def _top_entry(self) -> Entry | None:
        place = -(-int(self.sight.top) // self.sight.row)
        entries = self.shown.entries(place, place + 1) if self.shown is not None and place else []
        return entries[0] if entries else None

    def _lay_out(self, top: Entry | None = None) -> None:
        """Update the layout with the entry ``top`` in the first row; the current line stays."""
        current = self.entry
        self.shown = None
        if self.cells is not None:
            aligned = self.marked.aligned
            folding = self.folding if aligned else Folding(all_open=True)
            self._laid_out = self.columns_of(self.cells)
            self.shown = ShownRows(self.cells.rows, self.inline, folding, aligned, self.cells.heights(self._laid_out))
        self._set_bars()
        if self.shown is not None and current is not None and current.row < self.shown.rows.kind.size:
            self._set_place(self.shown.place(current.row, current.side), tell=False)
        if self.shown is not None and top is not None:
            self.scroll_to_place(self.shown.place(top.row, top.side))
        self.viewport().update()
        self.scrolled.emit()

    def _set_bars(self) -> None:
        sight, bar, across = self.sight, self.verticalScrollBar(), self.horizontalScrollBar()
        high = self.shown.n * sight.row if self.shown is not None else 0
        bar.setRange(0, max(0, high + sight.row - int(sight.size.high)) if high > sight.size.high else 0)
        bar.setPageStep(int(sight.size.high))
        bar.setSingleStep(sight.row)
        across.setRange(0, 0 if self.wrapped else max(0, self._widest + 1 - sight.columns))
        across.setPageStep(sight.columns)

    def _measure(self, cells: LineCells, shown: ShownRows) -> None:
        """Extend the horizontal range to the widest line seen."""
        if self.wrapped:
            return
        seen = (e for e in shown.entries(*self.sight.places) if not e.is_fold)
        widest = max((cells.width(*one) for e in seen for one in sides_of(e, cells)), default=0)
        if widest > self._widest:
            self._widest = widest
            self._set_bars()

    # Qt

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        if self.cells is None or self.shown is None:
            painter.fillRect(self.viewport().rect(), self._theme.base)
            return
        self._measure(self.cells, self.shown)
        draw_lines(QtDrawing(painter, self._theme), self.cells, self.shown, self.sight, self.marked, self._tokens)
        if self.dimmed:
            painter.fillRect(self.viewport().rect(), self._theme.veil)

    def _tokens(self, side: Side, line: int) -> list[Token]:
        return self._highlighters[side].tokens(line) if self.coloured else []

    def find_colours(self) -> None:
        """Find the syntax colours of all visible lines now."""
        assert self.cells is not None
        assert self.shown is not None
        for entry in self.shown.entries(*self.sight.places):
            for one in () if entry.is_fold else sides_of(entry, self.cells):
                self._tokens(*one)
        for each in self._highlighters.values():
            each.finish()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._laid_out != self.columns_of(self.cells):
            self._lay_out(self._top_entry())
        self._set_bars()
        self.scrolled.emit()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()
        self.scrolled.emit()
