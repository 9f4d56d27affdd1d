"""Drawing of two texts: numbers, marked lines, folds, moved blocks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from wavediff.app.compare.lines.line_cells import CellLine, LineCells
from wavediff.app.compare.lines.moved_links import draw_links, draw_tags
from wavediff.app.compare.lines.shown_rows import Entry, ShownRows
from wavediff.app.compare.lines.sight import MARK_PX, SMALL_PX, Marked, Sight, sides_of
from wavediff.app.draw.drawing import LEFT, MIDDLE, RIGHT, Align, Box, Drawing, Font, Ink, Pen, hatch
from wavediff.app.draw.scene_style import usual_width
from wavediff.app.ui.pair import Side
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.line_result import LineKind

FOOT_PX, FRAME_PX, HATCH_PX = 3, 2, 6
FOLD_EMS = 0.66  # of a letter in a fold, at most about: what has no room is left out
WIDE, _RUN = 1 << 5, re.compile(rb"(.)\1*", re.DOTALL)  # bit of a letter of several cells; letters of one style
LINE_END, SIGNS = "↵", {ord(" "): "·", ord("\t"): "→"}  # of marked white space
SYNTAX_INKS = (Ink.KEYWORD, Ink.STRING, Ink.DIM)  # of tokens
Tokens = Callable[[Side, int], list[tuple[int, int, Ink]]]


class Face(NamedTuple):
    """Colours of a kind of line: of its symbol and underline, of its background, of marked letters."""

    strong: Ink
    pale: Ink
    ink: Ink


CHANGED = Face(Ink.MISMATCH_STRONG, Ink.MISMATCH_PALE, Ink.MISMATCH_INK)
ADDED = Face(Ink.INSERTION_STRONG, Ink.INSERTION_PALE, Ink.INSERTION_INK)
REMOVED = Face(Ink.DELETION_STRONG, Ink.DELETION_PALE, Ink.DELETION_INK)
ELSEWHERE = Face(Ink.SWAP_STRONG, Ink.SWAP_PALE, Ink.SWAP_INK)
FACES: dict[int, Face] = {
    LineKind.CHANGED: CHANGED,
    LineKind.ADDED: ADDED,
    LineKind.REMOVED: REMOVED,
    LineKind.MOVED_FROM: ELSEWHERE,
    LineKind.MOVED_TO: ELSEWHERE,
}


def face_of(kind: int, entry: Entry) -> Face | None:
    """Return the colours for a kind of row, or None; a changed line alone in its row looks removed or added."""
    if kind == LineKind.CHANGED and entry.side is not None:
        return REMOVED if entry.side is Side.A else ADDED
    return FACES.get(kind)


def draw_lines(
    drawing: Drawing, cells: LineCells, rows: ShownRows, sight: Sight, marked: Marked, tokens: Tokens
) -> None:
    drawing.rect(Box(0, 0, *sight.size), Ink.BASE)
    entries = rows.entries(*sight.places)
    first = max(0, sight.places[0])
    page = _Page(drawing, cells, sight, marked, tokens)
    if not sight.inline:  # a band goes below folds, whose text is as wide as both columns
        draw_links(drawing, rows, sight, marked.moved)
    page.draw_gaps(entries, first)
    for place, entry in enumerate(entries, first):
        page.draw(entry, place)
    page.flush()
    page.draw_frames(entries, first)
    if marked.same:
        at = Box(0, sight.y(rows.n) + sight.row, sight.size.wide, 2 * sight.row)
        drawing.text(at, "No differences", Font(sight.px), Ink.DIM)
    if sight.inline:
        draw_links(drawing, rows, sight, marked.moved)
    draw_tags(drawing, rows, sight, marked.moved)


class _Page:
    """Page that draws backgrounds at once and texts, grouped by font, at the end."""

    def __init__(self, drawing: Drawing, cells: LineCells, sight: Sight, marked: Marked, tokens: Tokens) -> None:
        self._drawing, self._cells, self._sight, self._marked = drawing, cells, sight, marked
        self._rows, self._tokens = cells.rows, tokens
        self._texts: dict[Font, list[tuple[Box, str, Ink, Align]]] = defaultdict(list)
        self._letters = Font(sight.px, mono=True)
        self._bold = Font(sight.px, bold=True, mono=True)

    def flush(self) -> None:
        for font, texts in self._texts.items():
            for box, text, ink, align in texts:
                self._drawing.text(box, text, font, ink, align)

    def draw(self, entry: Entry, place: int) -> None:
        sight, y = self._sight, self._sight.y(place)
        if place == self._marked.place and not entry.is_fold:
            for side in Side:
                self._drawing.rect(Box(sight.left[side], y, sight.number, sight.row), Ink.TINT)
        if entry.is_fold:
            self._draw_fold(entry, y, place == self._marked.place)
            return
        face = face_of(int(self._rows.kind[entry.row]), entry)
        marks = dict(zip(Side, self._cells.marks(entry.row), strict=True))
        alone = sight.inline and entry.side is None
        self._column = sight.column + entry.part * sight.columns
        for side, line in sides_of(entry, self._cells):
            where = Box(sight.left[side], y, sight.number - 6 * sight.scale, sight.row)
            if not entry.part:
                self._texts[Font(sight.small)].append((where, number(line + 1), Ink.DIM, RIGHT))
            if not (alone and side is Side.B and self._rows.a[entry.row] >= 0):
                self._draw_line(side, line, y, face, marks[side])
        if sight.inline and entry.side is not None and face and not entry.part:
            where = Box(sight.mark[Side.A] + 8 * sight.scale, y, 16 * sight.scale, sight.row)
            self._texts[self._bold].append((where, "−" if entry.side is Side.A else "+", face.ink, MIDDLE))
        if self._rows.ignored[entry.row]:
            for side, _ in sides_of(entry, self._cells):
                foot = y + sight.row - 1
                dots = ((sight.text[side], foot), (sight.right[side], foot))
                self._drawing.lines([dots], Pen(Ink.CONTROL, dashed=True))

    def draw_gaps(self, entries: list[Entry], first: int) -> None:
        sight, rows = self._sight, self._rows
        for side, lines in self._cells.lines.items() if not sight.inline else ():
            missing = [not e.is_fold and bool(lines[e.row] < 0 < rows.hunk[e.row]) for e in entries]
            for k, end in _runs(missing):
                left, top = sight.mark[side] + MARK_PX, sight.y(first + k)
                foot = sight.y(first + end)
                self._drawing.lines(
                    hatch(Box(left, top, sight.right[side] - left, foot - top), HATCH_PX), Pen(Ink.HATCH)
                )

    def draw_frames(self, entries: list[Entry], first: int) -> None:
        sight, frames = self._sight, self._marked.frames
        for side in Side if frames and self._marked.letters == Marked().letters else ():
            there = [
                any(begin <= e.row < stop for begin, stop in frames)
                and (sight.inline or self._cells.lines[side][e.row] >= 0)
                for e in entries
            ]
            for k, end in _runs(there) if not (sight.inline and side is Side.B) else ():
                left, top = sight.mark[side] - 2, sight.y(first + k) - 1
                box = Box(left, top, sight.right[side] - left - 1, sight.y(first + end) + 1 - top)
                self._drawing.rect(box, None, Pen(Ink.ACCENT, FRAME_PX), rounded=3)

    def _draw_fold(self, entry: Entry, y: float, current: bool) -> None:
        sight, s = self._sight, self._sight.scale
        box = Box(0, y, sight.size.wide, sight.row)
        self._drawing.rect(box, Ink.TINT if current else Ink.RAISED)
        edges = [((0, at), (box.right, at)) for at in (y, y + sight.row - 1)]
        self._drawing.lines(edges, Pen(Ink.GRID))
        middle = y + sight.row / 2
        tip = ((24 * s, middle - 4 * s), (28 * s, middle), (24 * s, middle + 4 * s))
        self._drawing.lines([tip], Pen(Ink.DIM, 1.5))
        words = count(entry.end - entry.row, "equal line", "equal lines")
        bold = Font(sight.small, bold=True)
        self._texts[bold].append((Box(44 * s, y, 0, sight.row), words, Ink.TEXT, LEFT))
        hidden = {side: each[entry.row : entry.end] for side, each in self._cells.lines.items()}
        places = ", ".join(
            f"{side} {number(int(lines[0]) + 1)}–{number(int(lines[-1]) + 1)}"
            for side, each in hidden.items()
            if (lines := each[each >= 0]).size
        )
        names = self._cells.names(entry.row, entry.end)
        left = (56 + usual_width(words, bold=True) * SMALL_PX) * s
        label = f"{places} · {names}" if names else places
        room = max(1, int((box.right - left) / (FOLD_EMS * sight.small)))
        label = label if len(label) <= room else f"{label[: room - 1]}…"
        self._texts[Font(sight.small)].append((Box(left, y, 0, sight.row), label, Ink.DIM, LEFT))

    def _draw_line(self, side: Side, line: int, y: float, face: Face | None, marks: list[tuple[int, int]]) -> None:
        sight = self._sight
        left, right = sight.mark[side], sight.right[side]
        if face:
            self._drawing.rect(Box(left + MARK_PX, y, right - left - MARK_PX, sight.row), face.pale)
            self._drawing.rect(Box(left, y, MARK_PX, sight.row), face.strong)
        part = self._cells.part(side, line, self._column)
        first, end = self._in_sight(part)
        last = bisect_right(marks, part.first + end, key=itemgetter(0))
        hidden, marks = marks[last:], marks[bisect_left(marks, part.first + first, key=itemgetter(1)) : last]
        strong, ink = (face.strong, face.ink) if face else (Ink.CONTROL, Ink.TEXT)
        for x, to in (self._ends_of(side, line, part, *mark) for mark in marks):
            if to > x:
                self._drawing.rect(Box(x, y + 1, to - x, sight.row - 1), Ink.BASE)
                self._drawing.rect(Box(x, y + sight.row - FOOT_PX, to - x, FOOT_PX), strong)
        self._draw_chosen(side, line, y, part)
        inks = [Ink.TEXT if face else Ink.EQUAL_INK, ink, *SYNTAX_INKS]
        for start, stop, style in self._runs(
            part, marks, [(*t[:2], inks.index(t[2])) for t in self._tokens(side, line)]
        ):
            text = "".join(part.glyphs[start:stop])
            if style == 1 and (not text or text.isspace()):
                begin = self._cells.ends(side, line)[0] + part.first
                signs = self._cells.text(side, begin + start, begin + stop).translate(SIGNS)
                for k, sign in enumerate(signs, start):
                    self._write(side, int(part.columns[k]), y, sign, self._letters, ink)
            elif text and not text.isspace():
                font = self._bold if style == 1 else self._letters
                self._write(side, int(part.columns[start]), y, text, font, inks[style])
        n = self._cells.length(side, line)
        if marks and marks[-1][1] > n and self._is_last(part):
            self._write(side, int(part.columns[-1]), y, LINE_END, self._letters, ink)
        if not sight.wrapped and part.columns[-1] > self._column + sight.columns:
            differs = face and (hidden or (marks and part.column(marks[-1][1]) > self._column + sight.columns))
            font = self._bold if differs else self._letters
            self._write(side, self._column + sight.columns, y, "…", font, ink if differs else Ink.DIM)

    def _write(self, side: Side, column: int, y: float, text: str, font: Font, ink: Ink) -> None:
        where = Box(self._sight.text[side] + (column - self._column) * self._sight.cell, y, 0, self._sight.row)
        self._texts[font].append((where, text, ink, LEFT))

    def _in_sight(self, part: CellLine) -> tuple[int, int]:
        """Return the first visible letter and the end; positions in ``part``."""
        edges = self._column, self._column + self._sight.columns
        ends = [max(0, k - 1) for k in np.searchsorted(part.columns, edges, "right").tolist()]
        if self._sight.wrapped:  # a wide letter across the edge is in the row that it begins in
            across = (part.columns[k : k + 2].tolist() == [x - 1, x + 1] for k, x in zip(ends, edges, strict=True))
            ends = [k + more for k, more in zip(ends, across, strict=True)]
        return ends[0], min(ends[1], len(part.glyphs))

    def _is_last(self, part: CellLine) -> bool:
        left = int(part.columns[-1]) - self._column
        return left <= self._sight.columns and (left > 0 or self._column == 0)

    def _runs(
        self, part: CellLine, marks: list[tuple[int, int]], tokens: list[tuple[int, int, int]]
    ) -> Iterator[tuple[int, int, int]]:
        """Yield first letter, end and style of each visible run; positions in ``part``."""
        n, (first, end) = len(part.glyphs), self._in_sight(part)
        if part.even and not marks and not tokens:
            yield first, end, 0
            return
        styles = bytearray(n)
        for start, stop, style in [*tokens, *((*mark, 1) for mark in marks)]:
            start, stop = (min(max(0, k - part.first), n) for k in (start, stop))
            styles[start:stop] = bytes([style]) * (stop - start)
        if not part.even:  # a wide letter is placed by itself
            for k in np.flatnonzero(np.diff(part.columns) > 1).tolist():
                styles[k] |= WIDE | (k & 1) << 6
        for run in _RUN.finditer(styles, first, end):
            yield run.start(), run.end(), styles[run.start()] & WIDE - 1

    def _draw_chosen(self, side: Side, line: int, y: float, part: CellLine) -> None:
        """Draw the selection, and a frame around the changes of the current hunk."""
        begin, end = self._cells.ends(side, line)
        chosen, start, stop = self._marked.selection
        if chosen is side and start < stop and start <= end and stop > begin:
            x, to = self._ends_of(side, line, part, start - begin, stop - begin)
            if to > x or begin == end:
                self._drawing.rect(Box(x, y, max(to - x, 2.0), self._sight.row), Ink.TINT)
        start, stop = self._marked.letters[side is Side.B]
        if start < stop and start <= end and stop > begin:
            x, to = self._ends_of(side, line, part, start - begin, stop - begin)
            if to > x:
                self._drawing.rect(
                    Box(x - 1, y, to - x + 2, self._sight.row), None, Pen(Ink.ACCENT, FRAME_PX), rounded=3
                )

    def _ends_of(self, side: Side, line: int, part: CellLine, start: int, stop: int) -> tuple[float, float]:
        """Return the x range of letters ``[start, stop)`` of a line, clipped to those that are drawn in its row."""
        n, sight = self._cells.length(side, line), self._sight
        low, high = (part.first + k for k in self._in_sight(part))
        first, end = (part.column(min(max(k, low), high)) - self._column for k in (start, stop))
        first, end = (first, end) if end > 0 else (0, 0)  # the line ends before this row, or what is in sight
        end += stop > n and self._is_last(part)  # its line end
        return sight.text[side] + first * sight.cell, sight.text[side] + end * sight.cell


def _runs(marks: list[bool]) -> Iterator[tuple[int, int]]:
    at = 0
    for there, group in groupby(marks):
        end = at + sum(1 for _ in group)
        if there:
            yield at, end
        at = end
