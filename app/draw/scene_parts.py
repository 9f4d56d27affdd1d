"""Drawing of scene parts other than tables: horizontal words, sheets of text, lanes."""

from __future__ import annotations

from collections.abc import Collection
from itertools import zip_longest

import numpy as np

from wavediff.app.draw.drawing import LEFT, Box, Drawing, Font, Ink, Pen, hatch
from wavediff.app.draw.scene_layout import BIT_SHARE, HEAD_SHARE, LINE_ROOM, PAD_EMS, bit_px, sheet_px
from wavediff.app.draw.scene_style import FILLS, Style
from wavediff.core.base.numbers import number
from wavediff.core.teach.questions import Cell
from wavediff.core.teach.scene import Bits, Lanes, Mark, Sheet

SIGNS = {
    Mark.NEW: "▸", Mark.CITED: "•", Mark.WINNER: "◉", Mark.SKIPPED: "╱",
    Mark.RISING: "▲", Mark.FALLING: "▼", Mark.ON: "✓",
}  # fmt: skip
BIT_MARKS = {"n": Mark.NEW, "d": Mark.FAINT}
TICKS, HATCH_PX = 4, 6  # of the axis of lanes; between strokes


def draw_across(drawing: Drawing, part: Bits, box: Box, cell: float, style: Style) -> None:
    """Draw words, one per line, under the names of their bits."""
    px = sheet_px(cell, style)
    bit = bit_px(cell, style, max(map(style.em_width, part.heads), default=0.0))
    named = (max((style.em_width(name) for name, _ in part.rows), default=0.0) + PAD_EMS) * px
    y = box.y

    def x_of(place: int) -> float:
        gaps = place // part.groups if part.groups else 0
        return box.x + named + (place + gaps / 2) * bit

    if part.heads:
        for place, head in enumerate(part.heads):
            head_px = min(style.at_least(0.8 * px), HEAD_SHARE * bit / max(0.1, style.em_width(head)))
            drawing.text(Box(x_of(place), y, bit, LINE_ROOM * px), head, Font(head_px), Ink.DIM)
        y += LINE_ROOM * px
    for line, (name, word) in enumerate(part.rows):
        drawing.text(Box(box.x, y, named, bit), name, Font(px), Ink.DIM, LEFT)
        marks = part.marks[line] if part.marks else "." * len(word)
        for place, (one, mark) in enumerate(zip_longest(word, marks, fillvalue=".")):
            if one == " ":
                continue
            where, state = Box(x_of(place), y, bit - 1, bit - 1), BIT_MARKS.get(mark, Mark.PLAIN)
            drawing.rect(where, FILLS[state])
            if state is Mark.NEW:
                drawing.rect(where.inset(1, 1, 1, 1), None, Pen(Ink.ACCENT, 2))
            ink = Ink.DIM if state is Mark.FAINT else Ink.TEXT
            drawing.text(where, one, Font(BIT_SHARE * bit, state is Mark.NEW, mono=True), ink)
        y += 1.25 * bit


def draw_sheet(
    drawing: Drawing, part: Sheet, box: Box, cell: float, style: Style, picked: int | None = None,
    taken: Collection[Cell] = (), asked: Cell | None = None,
) -> None:  # fmt: skip
    """Draw a table of texts; marks have a background and a symbol before the text.

    Args:
        picked: framed row. taken: cells that a wrong answer used. asked: cell with a question mark.
    """
    px = sheet_px(cell, style)
    high, pad = LINE_ROOM * px, style.pad * px
    columns = [
        max(style.em_width(text, mono=part.mono) for text in texts) * px + 2 * pad
        for texts in zip_longest(part.heads, *part.rows, fillvalue="")
    ]
    y, right = box.y, box.x + sum(columns)
    if part.title:
        drawing.text(Box(box.x, y, box.wide, high), part.title, Font(px, True), align=LEFT)
        y += high
    if any(part.heads):
        x = box.x
        for head, wide in zip(part.heads, columns, strict=False):
            drawing.text(Box(x + pad, y, wide, high), head, Font(style.at_least(0.9 * px)), Ink.DIM, LEFT)
            x += wide
        y += high
        drawing.lines([((box.x, y), (right, y))], Pen(Ink.CONTROL))
    for line, texts in enumerate(part.rows):
        x = box.x
        for place, (text, wide) in enumerate(zip(texts, columns, strict=False)):
            mark = part.marks[line][place] if part.marks else Mark.PLAIN
            if (line, place) == asked:
                text, mark = "?", Mark.NEW
            elif (line, place) in taken:
                mark = Mark.CITED
            if mark not in (Mark.PLAIN, Mark.FAINT):
                drawing.rect(Box(x, y, wide, high).inset(1, 1, 1, 1), FILLS[mark])
                ink = Ink.ACCENT if mark is Mark.NEW else Ink.TEXT
                drawing.text(Box(x, y, pad, high), SIGNS[mark], Font(0.55 * px), ink)
            ink = Ink.DIM if mark is Mark.FAINT else Ink.TEXT
            drawing.text(Box(x + pad, y, wide, high), text, Font(px, mark is Mark.NEW, part.mono), ink, LEFT)
            x += wide
        if line in part.rules:
            drawing.lines([((box.x, y), (right, y))], Pen(Ink.CONTROL, 2))
        if line == picked:
            drawing.rect(Box(box.x, y, sum(columns), high).inset(1, 1, 1, 1), None, Pen(Ink.ACCENT, 2))
        y += high


def draw_lanes(drawing: Drawing, part: Lanes, box: Box, cell: float, style: Style) -> None:
    """Draw bars up to ``now``, each in its lane over an axis, in order of start."""
    px = sheet_px(cell, style)
    high = LINE_ROOM * px
    named = (max((style.em_width(name) for name in part.names), default=0.0) + PAD_EMS) * px
    ticks = [number(part.total * tick / TICKS, 0 if part.unit == "steps" else 3) for tick in range(TICKS + 1)]
    tick_px, label_px = style.at_least(0.8 * px), style.at_least(0.75 * px)
    left = box.x + named
    wide = box.wide - named - style.em_width(ticks[-1]) / 2 * tick_px  # the last tick is centred on its text
    scale = wide / max(part.total, 1e-12)
    for lane, name in enumerate(part.names):
        y = box.y + lane * high
        drawing.text(Box(box.x, y, named, high), name, Font(px), align=LEFT)
        drawing.rect(Box(left, y + 2, wide, high - 4), Ink.RAISED)
    y = box.y + len(part.names) * high
    for tick, text in enumerate(ticks):
        x = left + wide * tick / TICKS
        drawing.text(Box(x - 4 * px, y, 8 * px, high), text, Font(tick_px), Ink.DIM)
    for place in np.argsort(part.began, kind="stable").tolist():
        began, ended = float(part.began[place]), min(float(part.ended[place]), part.now)
        if began >= part.now:
            break
        mark = Mark.PLAIN if part.kind is None else Mark(int(part.kind[place]))
        y = box.y + int(part.lane[place]) * high
        bar = Box(left + began * scale, y + 2, max(1.0, (ended - began) * scale - 1), high - 4)
        drawing.rect(bar, Ink.DONE if mark is Mark.PLAIN else FILLS[mark])
        if mark is Mark.SKIPPED:
            drawing.lines(hatch(bar, HATCH_PX), Pen(Ink.TEXT))
        elif mark is not Mark.PLAIN:
            drawing.rect(bar.inset(1, 1, 1, 1), None, Pen(Ink.ACCENT, 2) if mark is Mark.NEW else Pen(Ink.CONTROL))
        if part.label and (style.em_width(part.label[place]) + 0.2) * label_px < bar.wide:
            drawing.text(bar, part.label[place], Font(label_px))
