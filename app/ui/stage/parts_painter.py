"""Parts of a scene that are no tables of numbers: words across, sheets of text, lanes."""

from __future__ import annotations

from itertools import zip_longest

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from wavediff.app.ui.stage.scene_layout import BIT_SHARE, HEAD_SHARE, LINE_ROOM, PAD_EMS, bit_px, sheet_px
from wavediff.app.ui.stage.scene_style import Style, em_width, sized
from wavediff.core.base.numbers import number
from wavediff.core.teach.scene import Bits, Lanes, Mark, Sheet

SIGNS = {
    Mark.NEW: "▸", Mark.CITED: "•", Mark.WINNER: "◉", Mark.SKIPPED: "╱",
    Mark.RISING: "▲", Mark.FALLING: "▼", Mark.ON: "✓",
}  # fmt: skip
TICKS = 4  # of the axis of lanes
MIDDLE, LEFT = Qt.AlignmentFlag.AlignCenter, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def paint_across(painter: QPainter, part: Bits, box: QRectF, cell: float, style: Style) -> None:
    """Paint words one a line, under the names of their bits."""
    px, theme = sheet_px(cell, style), style.theme
    bit = bit_px(cell, style, max(map(em_width, part.heads), default=0.0))
    named = (max((em_width(name) for name, _ in part.rows), default=0.0) + PAD_EMS) * px
    y = box.top()

    def x_of(place: int) -> float:
        gaps = place // part.groups if part.groups else 0
        return box.left() + named + (place + gaps / 2) * bit

    if part.heads:
        painter.setPen(theme.dim)
        for place, head in enumerate(part.heads):
            painter.setFont(sized(min(style.at_least(0.8 * px), HEAD_SHARE * bit / max(0.1, em_width(head)))))
            painter.drawText(QRectF(x_of(place), y, bit, LINE_ROOM * px), MIDDLE, head)
        y += LINE_ROOM * px
    for line, (name, word) in enumerate(part.rows):
        painter.setFont(sized(px))
        painter.setPen(theme.dim)
        painter.drawText(QRectF(box.left(), y, named, bit), LEFT, name)
        marks = part.marks[line] if part.marks else "." * len(word)
        for place, (one, mark) in enumerate(zip_longest(word, marks, fillvalue=".")):
            if one == " ":
                continue
            where = QRectF(x_of(place), y, bit - 1, bit - 1)
            state = {"n": Mark.NEW, "d": Mark.FAINT}.get(mark, Mark.PLAIN)
            painter.fillRect(where, style.fill(state))
            if state is Mark.NEW:
                painter.setPen(QPen(theme.accent, 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(where.adjusted(1, 1, -1, -1))
            painter.setPen(theme.dim if state is Mark.FAINT else theme.text)
            painter.setFont(sized(BIT_SHARE * bit, bold=state is Mark.NEW, mono=True))
            painter.drawText(where, MIDDLE, one)
        y += 1.25 * bit


def sheet_row_at(part: Sheet, box: QRectF, cell: float, style: Style, y: float) -> int | None:
    """Return the row of a sheet at a height, from 0; None beside the rows."""
    line = (y - box.top()) // (LINE_ROOM * sheet_px(cell, style)) - bool(part.title) - any(part.heads)
    return int(line) if 0 <= line < len(part.rows) else None


def paint_sheet(
    painter: QPainter, part: Sheet, box: QRectF, cell: float, style: Style, picked: int | None = None
) -> None:
    """Paint a table of texts; marks have a ground and a sign before the text."""
    px, theme = sheet_px(cell, style), style.theme
    high = LINE_ROOM * px
    columns = [
        (max(em_width(text, mono=part.mono) for text in texts) + 2 * PAD_EMS) * px
        for texts in zip_longest(part.heads, *part.rows, fillvalue="")
    ]
    y = box.top()
    if part.title:
        painter.setFont(sized(px, bold=True))
        painter.setPen(theme.text)
        painter.drawText(QRectF(box.left(), y, box.width(), high), LEFT, part.title)
        y += high
    if any(part.heads):
        painter.setFont(sized(style.at_least(0.9 * px)))
        painter.setPen(theme.dim)
        x = box.left()
        for head, wide in zip(part.heads, columns, strict=False):
            painter.drawText(QRectF(x + PAD_EMS * px, y, wide, high), LEFT, head)
            x += wide
        y += high
        painter.setPen(QPen(theme.control, 1))
        painter.drawLine(QLineF(box.left(), y, box.left() + sum(columns), y))
    for line, texts in enumerate(part.rows):
        x = box.left()
        for place, (text, wide) in enumerate(zip(texts, columns, strict=False)):
            mark = part.marks[line][place] if part.marks else Mark.PLAIN
            where = QRectF(x, y, wide, high)
            if mark not in (Mark.PLAIN, Mark.FAINT):
                painter.fillRect(where.adjusted(1, 1, -1, -1), style.fill(mark))
                painter.setFont(sized(0.55 * px))
                painter.setPen(theme.accent if mark is Mark.NEW else theme.text)
                painter.drawText(QRectF(x, y, PAD_EMS * px, high), MIDDLE, SIGNS[mark])
            painter.setPen(theme.dim if mark is Mark.FAINT else theme.text)
            painter.setFont(sized(px, bold=mark is Mark.NEW, mono=part.mono))
            painter.drawText(QRectF(x + PAD_EMS * px, y, wide, high), LEFT, text)
            x += wide
        if line in part.rules:
            painter.setPen(QPen(theme.control, 2))
            painter.drawLine(QLineF(box.left(), y, box.left() + sum(columns), y))
        if line == picked:
            painter.setPen(QPen(theme.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(box.left(), y, sum(columns), high).adjusted(1, 1, -1, -1))
        y += high


def paint_lanes(painter: QPainter, part: Lanes, box: QRectF, cell: float, style: Style) -> None:
    """Paint bars as far as ``now``, each on its lane, over an axis."""
    px, theme = sheet_px(cell, style), style.theme
    high = LINE_ROOM * px
    named = (max((em_width(name) for name in part.names), default=0.0) + PAD_EMS) * px
    ticks = [number(part.total * tick / TICKS, 0 if part.unit == "steps" else 3) for tick in range(TICKS + 1)]
    tick_px = style.at_least(0.8 * px)
    left = box.left() + named
    wide = box.width() - named - em_width(ticks[-1]) / 2 * tick_px  # the last tick stands in the middle of its text
    scale = wide / max(part.total, 1e-12)
    painter.setFont(sized(px))
    for lane, name in enumerate(part.names):
        y = box.top() + lane * high
        painter.setPen(theme.text)
        painter.drawText(QRectF(box.left(), y, named, high), LEFT, name)
        painter.fillRect(QRectF(left, y + 2, wide, high - 4), theme.raised)
    for place in range(part.began.size):
        began, ended = float(part.began[place]), min(float(part.ended[place]), part.now)
        if began >= part.now:
            continue
        mark = Mark.PLAIN if part.kind is None else Mark(int(part.kind[place]))
        y = box.top() + int(part.lane[place]) * high
        bar = QRectF(left + began * scale, y + 2, max(1.0, (ended - began) * scale - 1), high - 4)
        painter.fillRect(bar, theme.done if mark is Mark.PLAIN else style.fill(mark))
        if mark is Mark.SKIPPED:
            painter.fillRect(bar, Qt.BrushStyle.BDiagPattern)
        elif mark is not Mark.PLAIN:
            painter.setPen(QPen(theme.accent if mark is Mark.NEW else theme.control, 2 if mark is Mark.NEW else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(bar.adjusted(1, 1, -1, -1))
        label_px = style.at_least(0.75 * px)
        if part.label and (em_width(part.label[place]) + 0.2) * label_px < bar.width():
            painter.setFont(sized(label_px))
            painter.setPen(theme.text)
            painter.drawText(bar, MIDDLE, part.label[place])
            painter.setFont(sized(px))
    y = box.top() + len(part.names) * high
    painter.setPen(theme.dim)
    painter.setFont(sized(tick_px))
    for tick, text in enumerate(ticks):
        x = left + wide * tick / TICKS
        painter.drawText(QRectF(x - 4 * px, y, 8 * px, high), MIDDLE, text)
