"""Rows of a transform: first and last column with ranks, rotations, runs and positions.

Only visible rows are requested and drawn; the scroll bar counts rows, so a hundred million fit.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea

from wavediff.app.bwt.bwt_rows_model import CONTINUED, DOLLAR, FIRST_POINT, UNKNOWN, BwtRows, RowWindow
from wavediff.app.ui.glyphs import letter_font
from wavediff.app.ui.number_text import grouped
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.bwt_result import RowsResult, TernaryPart
from wavediff.core.sequences.characters import FIRST_CODE
from wavediff.core.sequences.letter_text import SUBSTITUTE, glyph

FONT_PX = 13
PART_MARKS = {TernaryPart.LESS: "<", TernaryPart.EQUAL: "=", TernaryPart.GREATER: ">"}
BARE_LETTER_WIDTHS = 2  # letters' widths of one without its rank
SCROLL_DELAY_MS = 60  # milliseconds without scrolling after which positions are asked for
_FILL_ALPHA = 70  # of 255: fills lie under text


def letter_text(code: int, characters: str) -> str:
    """Return a letter as one character; invisible ones and continuation bytes as a middle dot."""
    if code == DOLLAR:
        return "$"
    if code == CONTINUED:
        return SUBSTITUTE
    if code >= FIRST_POINT:
        return glyph(FIRST_CODE, chr(code - FIRST_POINT))
    return "␣" if code == 0x20 else glyph(code, characters)


class RowsCanvas(QAbstractScrollArea):
    """Signals: pointed: text position of the row under the pointer, or None. chosen: a row that was clicked or reached
    by keys. clicked: a row was clicked. wanted: rows (int64) whose positions are needed.
    """

    pointed = Signal(object)
    chosen = Signal(int)
    clicked = Signal()
    wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: BwtRows | None = None
        self.current = UNKNOWN  # while none is chosen
        self._hits = (0, 0)
        self._font = letter_font(FONT_PX)
        metrics = QFontMetricsF(self._font)
        self._cell = max(1, round(metrics.horizontalAdvance("W")) + 1)
        self._height = round(metrics.height()) + 3
        self._settle = QTimer(self, singleShot=True, interval=SCROLL_DELAY_MS)
        self._settle.timeout.connect(self._ask)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Rows of the Burrows-Wheeler transform")
        self.verticalScrollBar().valueChanged.connect(self.refresh)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)
        theme.changed.connect(self.viewport().update)

    @property
    def top(self) -> int:
        return self.verticalScrollBar().value()

    @property
    def located(self) -> RowsResult | None:
        """Visible rows with their positions, as far as requested."""
        return None if self._rows is None else self._rows.located

    def show_rows(self, rows: BwtRows | None) -> None:
        self._rows, self.current, self._hits = rows, UNKNOWN, (0, 0)
        self._lay_out()
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)
        self.refresh()

    def refresh(self) -> None:
        self.viewport().update()
        self._settle.start()

    def mark_hits(self, low: int, high: int) -> None:
        self._hits = low, high
        self.viewport().update()

    def go_to(self, row: int) -> None:
        if self._rows is None or not 0 <= row < self._rows.n_rows:
            return
        self.current = row
        bar, seen = self.verticalScrollBar(), max(1, self._n_seen() - 1)
        if not bar.value() <= row < bar.value() + seen:
            bar.setValue(max(0, row - seen // 2))
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(430, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        self.refresh()

    @property
    def needed_height(self) -> int:
        return self._height * (1 + (self._rows.n_rows if self._rows is not None else 0)) + 2

    @property
    def needed_width(self) -> int:
        _, ranked, run = self._widths()
        return self._rotation_rect().right() + 1 + ranked + run

    def _n_seen(self) -> int:
        return max(1, (self.viewport().height() - self._height) // self._height + 1)

    def _lay_out(self) -> None:
        n = self._rows.n_rows if self._rows is not None else 0
        bar = self.verticalScrollBar()
        seen = max(1, self._n_seen() - 1)
        bar.setRange(0, max(0, n - seen))
        bar.setPageStep(seen)
        bar.setSingleStep(1)
        width = self._rotation_rect().width() // self._cell
        small = self._rows is not None and self._rows.is_small
        self.horizontalScrollBar().setRange(0, max(0, n - 2 - width) if small else 0)
        self.horizontalScrollBar().setPageStep(max(1, width))

    def _widths(self) -> tuple[int, int, int]:
        n = self._rows.n_rows if self._rows is not None else 1
        digits = max(3, len(grouped(n)))  # as wide as the heads
        number, ranked, run = (digits + 1) * self._cell, (digits + 2) * self._cell, 9 * self._cell
        if 2 * (number + self._cell + ranked) + run > self.viewport().width():
            ranked = BARE_LETTER_WIDTHS * self._cell  # in a narrow panel a rank is what can be missed
        return number, ranked, run

    def _rotation_rect(self) -> QRect:
        number, ranked, run = self._widths()
        left = 2 * number + 2 * self._cell + ranked
        width = max(0, self.viewport().width() - left - ranked - run)
        if self._rows is not None:  # the last column stands next to a short rotation
            width = min(width, max(9, self._rows.n_rows - 1) * self._cell)
        return QRect(left, 0, width, self.viewport().height())

    @Slot()
    def _ask(self) -> None:
        if self._rows is not None:
            rows = self._rows.unknown(self.verticalScrollBar().value(), self._n_seen())
            if rows is not None:
                self.wanted.emit(rows)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._theme.base)
        painter.setFont(self._font)
        if self._rows is None:
            return
        self._paint_head(painter)
        window = self._rows.window(self.verticalScrollBar().value(), self._n_seen())
        for k in range(len(window)):
            self._paint_row(painter, window, k, (k + 1) * self._height)

    def _paint_head(self, painter: QPainter) -> None:
        number, ranked, run = self._widths()
        middle = self._rotation_rect()
        painter.setPen(self._theme.dim)
        metrics = QFontMetricsF(self._font)
        right, left = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignLeft
        for x, width, text, side in (
            (0, number, "row", right),
            (number, number, "at", right),
            (2 * number + 2 * self._cell, ranked, "F", left),
            (middle.left(), middle.width(), "rotation", left),
            (middle.right() + 1, ranked, "L", left),
            (middle.right() + 1 + ranked, run, "run", left),
        ):
            seen = text if metrics.horizontalAdvance(text) <= width else ""  # of a narrow panel: no piece of a word
            painter.drawText(QRect(x, 0, width, self._height), int(side | Qt.AlignmentFlag.AlignVCenter), seen)
        painter.setPen(self._theme.grid)
        painter.drawLine(0, self._height - 1, self.viewport().width(), self._height - 1)

    def _paint_row(self, painter: QPainter, window: RowWindow, k: int, top: int) -> None:
        rows = self._rows
        assert rows is not None
        row, theme = window.start + k, self._theme
        number, ranked, run = self._widths()
        line = QRect(0, top, self.viewport().width(), self._height)
        part = rows.part_of(row)
        if part is not None:
            painter.fillRect(line, self._part_fill(part[0]))
        if self._hits[0] <= row < self._hits[1] and rows.is_sorted:
            painter.fillRect(line, _faint(theme.accent))
        if rows.is_sorted and row == rows.shown.index.primary:
            painter.fillRect(QRect(0, top, number, self._height), _faint(theme.warning, 255))
        centre = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(theme.dim)
        painter.drawText(QRect(0, top, number, self._height), int(Qt.AlignmentFlag.AlignRight | centre), grouped(row))
        position = int(window.positions[k])
        if position != UNKNOWN:
            place = QRect(number, top, number, self._height)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignRight | centre), grouped(rows.shown.letter(position) + 1))
        x = 2 * number + self._cell
        if part is not None:
            painter.setPen(theme.text)
            painter.drawText(
                QRect(x - self._cell // 2, top, self._cell, self._height), int(centre), PART_MARKS[part[0]]
            )
        middle = self._rotation_rect()
        self._paint_letter(painter, x + self._cell, top, ranked, int(window.firsts[k]), int(window.first_ranks[k]))
        if position != UNKNOWN:
            self._paint_rotation(painter, middle, top, position, part[1] if part is not None else UNKNOWN)
        x = middle.right() + 1
        self._paint_letter(painter, x, top, ranked, int(window.lasts[k]), int(window.last_ranks[k]))
        if window.runs[k] > 1:
            painter.setPen(theme.dim)
            text = f"×{'>' if window.capped[k] else ''}{grouped(int(window.runs[k]))}"
            painter.drawText(QRect(x + ranked, top, run, self._height), int(centre), text)
        if row == self.current:
            painter.setPen(theme.accent)
            painter.drawRect(line.adjusted(0, 0, -1, -1))

    @property
    def _characters(self) -> str:
        return self._rows.shown.characters if self._rows is not None else ""

    def _paint_letter(self, painter: QPainter, x: int, top: int, width: int, code: int, rank: int) -> None:
        letter = letter_text(code, self._characters)
        is_base = self._rows is not None and self._rows.has_bases and letter.upper() in "ACGTU"
        fill = self._theme.base_color(letter) if is_base else self._theme.grid
        cell = QRect(x, top + 1, self._cell + 2, self._height - 2)
        painter.fillRect(cell, fill)
        painter.setPen(self._theme.ink_on(fill))
        painter.drawText(cell, int(Qt.AlignmentFlag.AlignCenter), letter)
        if rank > 0 and code != DOLLAR and width > BARE_LETTER_WIDTHS * self._cell:
            painter.setPen(self._theme.dim)
            place = QRect(x + self._cell + 4, top, width - self._cell - 4, self._height)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), grouped(rank))

    def _paint_rotation(self, painter: QPainter, middle: QRect, top: int, position: int, depth: int) -> None:
        rows = self._rows
        assert rows is not None
        skipped = self.horizontalScrollBar().value() + 1
        count = min(middle.width() // self._cell, rows.n_rows - 1 - skipped)
        if count <= 0:
            return
        painter.setPen(self._theme.text)
        for j, code in enumerate(rows.rotation(position, skipped, count).tolist()):
            cell = QRect(middle.left() + j * self._cell, top, self._cell, self._height)
            if skipped + j == depth and rows.level is not None and not rows.level.by_rank:
                painter.fillRect(cell.adjusted(0, 1, 0, -1), _faint(self._theme.accent, 110))
            painter.drawText(cell, int(Qt.AlignmentFlag.AlignCenter), letter_text(code, self._characters))

    def _part_fill(self, part: TernaryPart) -> QColor:
        theme = self._theme
        return _faint(
            {TernaryPart.LESS: theme.insertion, TernaryPart.EQUAL: theme.equal, TernaryPart.GREATER: theme.mismatch}[
                part
            ]
        )

    def _row_at(self, y: float) -> int:
        row = self.verticalScrollBar().value() + int(y) // self._height - 1
        inside = self._rows is not None and int(y) >= self._height and row < self._rows.n_rows
        return row if inside else UNKNOWN

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position().y())
        if self._rows is None or row == UNKNOWN:
            self.pointed.emit(None)
            return
        position = int(self._rows.window(row, 1).positions[0])
        self.pointed.emit(position if position != UNKNOWN else None)

    def leaveEvent(self, _event: object) -> None:
        self.pointed.emit(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position().y())
        if row != UNKNOWN:
            self._choose(row)
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key
        if self._rows is None:
            super().keyPressEvent(event)
            return
        page, last = self._n_seen() - 1, self._rows.n_rows - 1
        steps = {key.Key_Up: -1, key.Key_Down: 1, key.Key_PageUp: -page, key.Key_PageDown: page}
        pressed = Qt.Key(event.key())
        if pressed in steps:
            self._choose(int(np.clip(max(self.current, 0) + steps[pressed], 0, last)))
        elif pressed in (key.Key_Home, key.Key_End):
            self._choose(0 if pressed == key.Key_Home else last)
        else:
            super().keyPressEvent(event)

    def _choose(self, row: int) -> None:
        self.go_to(row)
        self.chosen.emit(row)


def _faint(color: QColor, alpha: int = _FILL_ALPHA) -> QColor:
    out = QColor(color)
    out.setAlpha(alpha)
    return out
