"""Drawing of lesson scenes for the window, pictures, films and pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from wavediff.app.draw.cells import ARROWS_CELL_PX, ON_PATH, PICKED, STATE_BITS, UNKNOWN, CellLook, coded, number_px
from wavediff.app.draw.drawing import TOP_LEFT, TOP_RIGHT, Box, Drawing, Font, Ink, Mix, Pen, Point, Points, arrow_head
from wavediff.app.draw.scene_layout import (
    LINE_ROOM,
    Layout,
    grid_left,
    grid_top,
    has_all_letters,
    letter_px,
    name_lines,
    name_px,
    word_px,
)
from wavediff.app.draw.scene_parts import BIT_MARKS, draw_across, draw_lanes, draw_sheet
from wavediff.app.draw.scene_style import FILLS, PATH_FILL, Preset, Style
from wavediff.core.sequences.characters import alone
from wavediff.core.teach.questions import Candidate, Cell
from wavediff.core.teach.scene import NEVER, Bits, Cited, Grid, Lanes, Mark, Scene, Sheet

SHADES = 16  # of the values of cells too small for a number
# Colours of cells too small for a number: by value, by state, and of those on an optimal path.
PALETTE: tuple[Mix, ...] = (
    *((Ink.RAISED, Ink.DIM, k / (SHADES - 1)) for k in range(SHADES)),
    *((Ink.ACCENT if mark is Mark.NEW else FILLS[mark],) * 2 + (0.0,) for mark in Mark),
    (PATH_FILL, PATH_FILL, 0.0),
    (Ink.ACCENT, Ink.ACCENT, 0.0),
    (Ink.BASE, Ink.BASE, 0.0),
)
BITS_PALETTE: tuple[Mix, ...] = ((Ink.RAISED, Ink.RAISED, 0.0), (Ink.TEXT, Ink.TEXT, 0.0))
ORIGIN = Point(0, 0)
HEAVY_PX, PATH_SHARE, PATH_OPACITY = 2, 0.09, 0.55


@dataclass(frozen=True, slots=True)
class Extras:
    """Viewer-specific additions to a scene.

    Attributes:
        picked: cells clicked as an answer. picked_row: the same for rows of a sheet. path: cells of an optimal path,
            from its end. tinted: tint cells on any optimal path. hover: a cell and its predecessors.
        taken: cells that a wrong answer used.
    """

    picked: frozenset[Cell] = frozenset()
    picked_row: int | None = None
    path: Sequence[Cell] = ()
    tinted: bool = False
    hover: tuple[Cell, Sequence[Candidate]] | None = None
    taken: tuple[Cell, ...] = ()


def draw_scene(
    drawing: Drawing,
    layout: Layout,
    scene: Scene,
    step: int,
    extras: Extras = Extras(),
    *,
    at: Point = ORIGIN,
    room: Box | None = None,
    asked: bool = False,
    drawn: Callable[[int], object] = int,
) -> None:
    """Draw the parts of a scene.

    Args:
        layout: of all scenes of the unit, with sizes. at: position of its (0, 0).
        room: visible part, by default all; nothing outside is drawn.
        asked: a question is open: hide the cells read by the step, and mark the cell in question.
        drawn: called with the place of each part after drawing.
    """
    room = room or Box(at.x, at.y, layout.size.wide, layout.size.high)
    first, grid, cell, style = scene.grid, None, layout.cell, layout.style
    sheet = next((part for part in scene.parts if isinstance(part, Sheet)), None)
    for place, part in enumerate(scene.parts):
        box, corner = layout.boxes[place].moved(at), layout.corners[place]
        table = _Table(drawing, style, cell, Point(corner.x + at.x, corner.y + at.y), room)
        if isinstance(part, Grid):
            grid = part
            here = part is first
            over = extras if part is scene.taken else replace(extras, taken=())
            table.draw(part, step, scene.cited if here and not asked else (), over if here else Extras())
            if here and asked:
                table.draw_asked(part, step + 1)
        elif isinstance(part, Bits) and part.down:
            table.draw_words(part, grid, box)
        elif isinstance(part, Bits):
            draw_across(drawing, part, box, cell, style)
        elif isinstance(part, Sheet) and not (asked and part.tells):
            picked, taken = (
                (extras.picked_row if part is sheet else None),
                (extras.taken if part is scene.taken else ()),
            )
            asked_cell = scene.asked[1:] if asked and scene.asked is not None and scene.asked[0] == place else None
            draw_sheet(drawing, part, box, cell, style, picked, taken, asked_cell)
        elif isinstance(part, Lanes):
            draw_lanes(drawing, part, box, cell, style)
        drawn(place)


@dataclass(frozen=True, slots=True)
class _Table:
    """Table with cells of ``size`` pixels from ``corner``, clipped to the area."""

    drawing: Drawing
    style: Style
    size: float
    corner: Point
    room: Box

    @property
    def readable(self) -> bool:
        return self.size >= self.style.readable_cell_px

    def point(self, row: float, col: float) -> Point:
        return Point(self.corner.x + col * self.size, self.corner.y + row * self.size)

    def area(self, row: float, col: float, rows: float = 1, cols: float = 1) -> Box:
        return Box(*self.point(row, col), cols * self.size, rows * self.size)

    def seen(self, n_rows: int, n_cols: int) -> tuple[slice, slice]:
        """Return the rows and columns that are at least partly visible."""

        def part(first: float, last: float, corner: float, n: int) -> slice:
            return slice(
                max(0, math.floor((first - corner) / self.size)), min(n, math.floor((last - corner) / self.size) + 1)
            )

        room = self.room
        return part(room.y, room.foot, self.corner.y, n_rows), part(room.x, room.right, self.corner.x, n_cols)

    def draw(self, grid: Grid, step: int, cited: Sequence[Cited], extras: Extras) -> None:
        rows, cols = self.seen(*grid.values.shape)
        if rows.start >= rows.stop or cols.start >= cols.stop:
            return
        states = _states(grid, step, cited, extras, rows, cols)
        values, at = grid.values[rows, cols], self.point(rows.start, cols.start)
        on_path = grid.arrows.on_path[rows, cols] if extras.tinted and grid.arrows is not None else False
        if self.readable:
            codes, known = coded(values, states), states < PICKED
            if grid.arrows is not None and self.size >= ARROWS_CELL_PX:
                codes[known] |= grid.arrows.bits[rows, cols][known].astype(np.int64) << STATE_BITS
            codes[known & on_path] |= ON_PATH
            most = max(len(str(int(grid.values.max(initial=0)))), len(str(int(grid.values.min(initial=0)))))
            self.drawing.cells(at, self.size, codes, CellLook(number_px(self.size, most, self.style)))
        else:
            least = int(grid.values.min())
            width = max(1, -(-(int(grid.values.max()) - least + 1) // SHADES))  # values that share a shade
            shades = np.where(on_path, SHADES + len(Mark), (values - least) // width)
            by_state = np.arange(SHADES, SHADES + 16)
            by_state[PICKED], by_state[UNKNOWN] = SHADES + len(Mark) + 1, SHADES + len(Mark) + 2
            colours = np.where(states == Mark.PLAIN, shades, by_state[states])
            self.drawing.pixels(at, self.size, colours.astype(np.int64), PALETTE)
        whole = self.area(0, 0, *grid.values.shape)  # whose cells have lines above and on their left
        edge = Ink.GRID if self.readable else Ink.CONTROL
        self.drawing.rect(Box(whole.x + 0.5, whole.y + 0.5, whole.wide, whole.high), None, Pen(edge))
        self._draw_over(grid, extras)
        if max(map(len, grid.left), default=0) > 1 and not self.readable:  # some say what the others are
            self._draw_names(grid, rows)
        elif self.readable or self.style.preset is not Preset.PROJECTOR:
            self._draw_letters(grid, rows, cols, states == Mark.NEW)

    def draw_asked(self, grid: Grid, step: int) -> None:
        """Draw a question mark in the cell of a step, if each step computes one."""
        cells, computed = np.argwhere(grid.rank == step), grid.rank[(grid.rank > 0) & (grid.rank != NEVER)]
        if self.readable and len(cells) == 1 and computed.max() == computed.size:
            row, col = map(int, cells[0])
            self.drawing.text(self.area(row, col), "?", Font(number_px(self.size, 1, self.style), True), Ink.ACCENT)

    def _draw_letters(self, grid: Grid, rows: slice, cols: slice, new: npt.NDArray[np.bool_]) -> None:
        """Draw rulers that stay visible while scrolling; for small cells only the letters of the step."""
        size, room, (x0, y0), draw = self.size, self.room, self.corner, self.drawing
        px, high = letter_px(size, self.style), grid_top(size, self.style)
        every, broad = has_all_letters(size, self.style), max(size, px)
        top = max(y0 - high, room.y)
        if top > y0 - high:
            draw.rect(Box(room.x, top, room.wide, high), Ink.BASE)
        shift = grid.values.shape[1] - len(grid.top)
        for col in _lettered(cols, new, 0, every):
            if col >= shift:
                letter = alone(grid.top[col - shift])
                fits = min(px, 0.92 * broad / max(0.01, self.style.em_width(letter, bold=True)))
                draw.text(Box(x0 + col * size - (broad - size) / 2, top, broad, high), letter, Font(fits, True))
        widest = max((self.style.em_width(label, bold=True) for label in grid.left), default=0.0)
        wide = grid_left((0, 0, widest), size, self.style)
        left = max(x0 - wide, room.x)
        if left > x0 - wide:
            draw.rect(Box(left, y0, wide, room.foot - y0), Ink.BASE)
        shift = grid.values.shape[0] - len(grid.left)
        for row in _lettered(rows, new, 1, every):
            if row >= shift:
                box = Box(left, y0 + row * size - (broad - size) / 2, wide, broad)
                draw.text(box, alone(grid.left[row - shift]), Font(px, True))

    def _draw_names(self, grid: Grid, rows: slice) -> None:
        px, (x0, y0) = letter_px(self.size, self.style), self.corner
        each = max(1, round(2 * LINE_ROOM * px / self.size))
        shift = grid.values.shape[0] - len(grid.left)
        for row in range(shift, rows.stop, each):
            box = Box(0, y0 + row * self.size, x0 - 0.4 * px, LINE_ROOM * px)
            self.drawing.text(box, grid.left[row - shift], Font(px, True), align=TOP_RIGHT)

    def _draw_over(self, grid: Grid, extras: Extras) -> None:
        draw, size, point = self.drawing, self.size, self.point
        rows, cols = grid.values.shape
        if grid.block is not None:
            down, across, (high, wide) = rows - len(grid.left), cols - len(grid.top), grid.block
            lines: list[Points] = [
                (point(row, across), point(row, cols)) for row in (range(down, rows + 1, high) if high else ())
            ]
            lines += [(point(down, col), point(rows, col)) for col in (range(across, cols + 1, wide) if wide else ())]
            draw.lines(lines, Pen(Ink.CONTROL, HEAVY_PX))
        for box in grid.boxes:
            area = self.area(box.row, box.col, box.rows, box.cols)
            ink = {Mark.NEW: Ink.ACCENT, Mark.FAINT: Ink.DIM}.get(box.mark, Ink.TEXT)
            dashed = box.mark in (Mark.FAINT, Mark.SKIPPED)
            thick = HEAVY_PX + (box.mark in (Mark.NEW, Mark.ON))
            draw.rect(area.inset(1, 1, 1, 1), None, Pen(ink, thick, dashed))
            if box.label:
                px = self.style.at_least(max(0.8 * self.style.text_px, 0.25 * size))
                draw.text(area.inset(4, 2, 4, 2), box.label, Font(px, True), ink, TOP_LEFT)
        for line in grid.lines:
            edge, points = line.kind == "edge", [point(*corner) for corner in line.points]
            strokes: list[Points] = [points]
            if line.kind == "carry" and len(points) > 1:
                strokes.append(arrow_head(points[-2], points[-1], max(5.0, 0.2 * size)))
            draw.lines(strokes, Pen(Ink.BAND if edge else Ink.ACCENT, max(2.0, size / 14), edge))
        if extras.path:
            cells = [self.area(*cell).middle for cell in extras.path]
            draw.lines([cells], Pen(Ink.ACCENT, max(2.0, size * PATH_SHARE), opacity=PATH_OPACITY))
        if extras.hover is not None:
            self._draw_candidates(*extras.hover)

    def _draw_candidates(self, cell: Cell, candidates: Sequence[Candidate]) -> None:
        """Draw the candidate values in a plate on the cell: the winner framed, the losers struck out."""
        draw, size, to = self.drawing, self.size, self.area(*cell)
        draw.rect(to, None, Pen(Ink.ACCENT, 2))
        for candidate in candidates:
            (x, y), tip = self.area(candidate.row, candidate.col).middle, to.middle
            long = math.dist((x, y), tip)
            share = max(1.0, long - size / 4) / long
            end = (x + (tip.x - x) * share, y + (tip.y - y) * share)
            strokes = [((x, y), end), arrow_head((x, y), end, max(5.0, 0.2 * size))]
            draw.lines(strokes, Pen(Ink.ACCENT, 2) if candidate.wins else Pen(Ink.DIM))
        px = max(self.style.text_px, 0.34 * size)
        for candidate in candidates:
            text, middle = str(candidate.value), self.area(candidate.row, candidate.col).middle
            wide, high = (self.style.em_width(text, bold=True) + 0.7) * px, 1.25 * px
            plate = Box(middle.x - wide / 2, middle.y - high / 2, wide, high)
            ink = Ink.TEXT if candidate.wins else Ink.DIM
            draw.rect(plate, Ink.BASE, Pen(ink, 2) if candidate.wins else None)
            draw.text(plate, text, Font(px, True), ink)
            if not candidate.wins:
                draw.lines([((plate.x + 2, middle.y), (plate.right - 2, middle.y))], Pen(ink))

    def draw_words(self, part: Bits, grid: Grid | None, box: Box) -> None:
        """Draw words with bit i next to row i of the table, so a word is recognizable as its column."""
        style, size = self.style, self.size
        length = max((len(word) for _, word in part.rows), default=0)
        shift = 0 if grid is None else grid.values.shape[0] - length
        wide = word_px((len(part.rows), length, max(style.em_width(name) for name, _ in part.rows)), size, style)
        px, lines = name_px(size, style), name_lines(size, style)
        top = self.corner.y + shift * size
        for place, (name, word) in enumerate(part.rows):
            if not word.strip():
                continue
            x = box.x + place * wide
            above = top - LINE_ROOM * px * (lines - place % lines)  # names are wider than a word: on several lines
            self.drawing.text(Box(x, above, wide, LINE_ROOM * px), name, Font(px), Ink.DIM)
            marks = part.marks[place] if part.marks else ("n" if place == len(part.rows) - 1 else ".") * len(word)
            states = np.array(
                [
                    UNKNOWN if bit == " " else BIT_MARKS.get(mark, Mark.PLAIN)
                    for bit, mark in zip(word, marks, strict=True)
                ],
                np.uint8,
            )
            bits = np.array([bit == "1" for bit in word], np.int32)
            column = _Table(self.drawing, style, size, Point(x + (wide - size) / 2, top), self.room)
            seen, _ = column.seen(len(word), 1)
            if seen.start >= seen.stop:
                continue
            at, bits, states = column.point(seen.start, 0), bits[seen, None], states[seen, None]
            if self.readable:
                self.drawing.cells(at, size, coded(bits, states), CellLook(number_px(size, 1, style)))
            else:
                self.drawing.pixels(at, size, bits.astype(np.int64), BITS_PALETTE)


def _states(
    grid: Grid, step: int, cited: Sequence[Cited], extras: Extras, rows: slice, cols: slice
) -> npt.NDArray[np.uint8]:
    """Return the state of each visible cell: its ``Mark``, UNKNOWN or PICKED."""
    rank = grid.rank[rows, cols]
    states = np.where(rank > step, np.uint8(UNKNOWN), np.uint8(Mark.PLAIN))
    if step > 0:
        states[rank == step] = Mark.NEW
    if grid.marks is not None:
        marks = grid.marks[rows, cols]
        marked = (marks != Mark.PLAIN) & ((rank <= step) | (marks == Mark.SKIPPED))
        states[marked] = marks[marked]
    others = [(row, col, Mark.WINNER if wins else Mark.CITED) for row, col, wins in cited]
    picked, taken = ((*cell, PICKED) for cell in extras.picked), ((*cell, Mark.CITED) for cell in extras.taken)
    for row, col, state in (*others, *picked, *taken):
        if rows.start <= row < rows.stop and cols.start <= col < cols.stop:
            states[row - rows.start, col - cols.start] = state
    return states


def _lettered(seen: slice, new: npt.NDArray[np.bool_], axis: int, fits: bool) -> Sequence[int]:
    """Return the rows or columns with a visible letter: all, or only the new one if too narrow."""
    at = np.flatnonzero(new.any(axis=axis)) + seen.start
    return range(seen.start, seen.stop) if fits else at.tolist() if at.size == 1 else ()
