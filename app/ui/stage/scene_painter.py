"""The one painter of scenes: for the screen, and for pictures in pixels and in lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from wavediff.app.ui.stage.cell_painter import (
    ARROWS_CELL_PX,
    ON_PATH,
    PICKED,
    STATE_BITS,
    UNKNOWN,
    CellLook,
    CellTiles,
    coded,
    number_px,
    paint_cell,
)
from wavediff.app.ui.stage.parts_painter import paint_across, paint_lanes, paint_sheet
from wavediff.app.ui.stage.scene_layout import (
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
from wavediff.app.ui.stage.scene_style import Preset, Style, em_width, sized
from wavediff.core.teach.optimal_paths import Candidate, Cell
from wavediff.core.teach.scene import Bits, Cited, Grid, Lanes, Mark, Scene, Sheet

SHADES = 16  # of the values of cells too small for a number
CELLS_ONE_BY_ONE = 16  # more are made of tiles, where the picture is one of pixels
HEAVY_PX, PATH_SHARE = 2, 0.09


@dataclass(frozen=True, slots=True)
class Extras:
    """Additions of who looks at a scene.

    Attributes:
        picked: cells that were clicked as an answer. picked_row: the same of a sheet's rows. path: cells of an
            optimal path, from its end. tinted: cells on any of them are. hover: a cell and what it may come from.
    """

    picked: frozenset[Cell] = frozenset()
    picked_row: int | None = None
    path: Sequence[Cell] = ()
    tinted: bool = False
    hover: tuple[Cell, Sequence[Candidate]] | None = None


@dataclass(slots=True)
class TileStore:
    """Tiles of the sizes painted last."""

    kept: dict[tuple[CellLook, Style, float, bool], CellTiles] = field(default_factory=dict)

    def tiles(self, look: CellLook, style: Style, ratio: float) -> CellTiles:
        """Return the tiles of a size."""
        key = (look, style, ratio, style.theme.dark)
        if key not in self.kept:
            if len(self.kept) > 8:  # sizes: while a window is made larger each is seen once
                self.kept.clear()
            self.kept[key] = CellTiles(look, style, ratio)
        return self.kept[key]


@dataclass(frozen=True, slots=True)
class ScenePainter:
    """Paints a scene.

    Args:
        painter: that paints. layout: of all scenes of the unit, with colours and sizes.
        at: where the layout's (0, 0) is. room: what is seen; nothing is painted beyond it.
        tiles: for pictures of pixels; None: everything is drawn as lines and text. open_: while something is asked,
            what a step reads is not shown.
    """

    painter: QPainter
    layout: Layout
    at: QPointF
    room: QRectF
    tiles: TileStore | None = None

    @property
    def style(self) -> Style:
        """Colours and sizes."""
        return self.layout.style

    def paint(self, scene: Scene, step: int, extras: Extras = Extras(), *, asked: bool = False) -> None:
        """Paint all parts; ``asked``: while something is asked, the cells that a step reads are not shown."""
        first = scene.grid
        beside: Grid | None = None
        for place, part in enumerate(scene.parts):
            box, corner = self.layout.boxes[place].translated(self.at), self.layout.corners[place] + self.at
            if isinstance(part, Grid):
                beside = part
                here = part is first
                cited = scene.cited if here and not asked else ()
                self._paint_grid(part, step, corner, cited, extras if here else Extras())
            elif isinstance(part, Bits) and part.down:
                self._paint_words(part, beside, box, corner)
            elif isinstance(part, Bits):
                paint_across(self.painter, part, box, self.layout.cell, self.style)
            elif isinstance(part, Sheet):
                row = extras.picked_row if part is next(x for x in scene.parts if isinstance(x, Sheet)) else None
                paint_sheet(self.painter, part, box, self.layout.cell, self.style, row)
            elif isinstance(part, Lanes):
                paint_lanes(self.painter, part, box, self.layout.cell, self.style)

    # Grids

    def cell_box(self, corner: QPointF, row: float, col: float) -> QRectF:
        """Return the place of a cell of a grid whose cell (0, 0) begins at ``corner``."""
        size = self.layout.cell
        return QRectF(corner.x() + col * size, corner.y() + row * size, size, size)

    def _seen(self, grid: Grid, corner: QPointF) -> tuple[slice, slice]:
        """Return the rows and columns of which something is in the room."""
        size, (rows, cols) = self.layout.cell, grid.values.shape
        top, left = (self.room.top() - corner.y()) // size, (self.room.left() - corner.x()) // size
        foot, right = (self.room.bottom() - corner.y()) // size + 1, (self.room.right() - corner.x()) // size + 1
        return slice(max(0, int(top)), min(rows, int(foot))), slice(max(0, int(left)), min(cols, int(right)))

    def _paint_grid(self, grid: Grid, step: int, corner: QPointF, cited: Sequence[Cited], extras: Extras) -> None:
        rows, cols = self._seen(grid, corner)
        if rows.start >= rows.stop or cols.start >= cols.stop:
            return
        states = _states(grid, step, cited, extras, rows, cols)
        readable = self.layout.cell >= self.style.readable_cell_px
        if not readable:
            self._paint_shades(grid, states, corner, rows, cols, tinted=extras.tinted)
        else:
            codes = coded(grid.values[rows, cols], states)
            known = states < PICKED
            if grid.arrows is not None and self.layout.cell >= ARROWS_CELL_PX:
                codes[known] |= grid.arrows.bits[rows, cols][known].astype(np.int64) << STATE_BITS
            if grid.arrows is not None and extras.tinted:
                codes[grid.arrows.on_path[rows, cols] & known] |= ON_PATH
            most = max(len(str(int(grid.values.max(initial=0)))), len(str(int(grid.values.min(initial=0)))))
            at = self.cell_box(corner, rows.start, cols.start).topLeft()
            self._paint_codes(codes, at, CellLook(self.layout.cell, number_px(self.layout.cell, most, self.style)))
            self._frame(grid, corner)
        self._paint_over(grid, corner, extras)
        if max(map(len, grid.left), default=0) > 1 and not readable:  # names, of which some say what the others are
            self._paint_names(grid, corner, rows)
        elif readable or self.style.preset is not Preset.PROJECTOR:
            self._paint_letters(grid, corner, rows, cols, states)

    def _paint_codes(self, codes: npt.NDArray[np.int64], at: QPointF, look: CellLook) -> None:
        if self.tiles is not None and codes.size > CELLS_ONE_BY_ONE:
            device = self.painter.device()
            self.tiles.tiles(look, self.style, device.devicePixelRatioF()).draw(self.painter, at, codes)
            return
        size = self.layout.cell
        for row, line in enumerate(codes.tolist()):
            for col, code in enumerate(line):
                box = QRectF(at.x() + col * size, at.y() + row * size, size, size)
                paint_cell(self.painter, box, code, look, self.style)

    def _paint_shades(
        self, grid: Grid, states: npt.NDArray[np.uint8], corner: QPointF, rows: slice, cols: slice, *, tinted: bool
    ) -> None:
        """Paint a pixel a cell, made larger: a shade by its value, its state's colour where it has one."""
        style, theme = self.style, self.style.theme
        least, most = int(grid.values.min()), int(grid.values.max())
        shades = [_mixed(theme.raised, theme.dim, k / (SHADES - 1)).rgb() for k in range(SHADES)]
        width = max(1, -(-(most - least + 1) // SHADES))  # values that share a shade
        fill = np.array(shades, np.uint32)[(grid.values[rows, cols] - least) // width]
        if tinted and grid.arrows is not None:
            fill[grid.arrows.on_path[rows, cols]] = style.path_fill.rgb()
        by_state = np.zeros(1 << STATE_BITS, np.uint32)
        for mark in Mark:
            by_state[mark] = (theme.accent if mark is Mark.NEW else style.fill(mark)).rgb()
        by_state[PICKED], by_state[UNKNOWN] = theme.accent.rgb(), theme.base.rgb()
        fill = np.where(states == Mark.PLAIN, fill, by_state[states])
        self._draw_pixels(fill, self.cell_box(corner, rows.start, cols.start).topLeft())
        self._frame(grid, corner)

    def _frame(self, grid: Grid, corner: QPointF) -> None:
        """Draw a line around a table, whose cells have lines above and on their left."""
        rows, cols = grid.values.shape
        small = self.layout.cell < self.style.readable_cell_px
        self.painter.setPen(QPen(self.style.theme.control if small else self.style.theme.grid, 1))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        area = QRectF(corner, QSizeF(cols, rows) * self.layout.cell)
        self.painter.drawRect(area.adjusted(0.5, 0.5, 0.5, 0.5))

    def _draw_pixels(self, fill: npt.NDArray[np.uint32], at: QPointF) -> None:
        """Draw a pixel a cell, each as large as a cell."""
        height, width = fill.shape
        image = QImage(fill.data.cast("B"), width, height, 4 * width, QImage.Format.Format_RGB32)
        self.painter.drawImage(QRectF(at, QSizeF(width, height) * self.layout.cell), image)

    def _paint_letters(
        self, grid: Grid, corner: QPointF, rows: slice, cols: slice, states: npt.NDArray[np.uint8]
    ) -> None:
        """Rulers that stay in sight while a table is moved; beside cells smaller than a letter, those of the step."""
        painter, size, room = self.painter, self.layout.cell, self.room
        px, high = letter_px(size, self.style), grid_top(size, self.style)
        new, every = states == Mark.NEW, has_all_letters(size, self.style)
        top = max(corner.y() - high, room.top())
        if top > corner.y() - high:
            painter.fillRect(QRectF(room.left(), top, room.width(), high), self.style.theme.base)
        painter.setPen(self.style.theme.text)
        letters = sized(px, bold=True)
        painter.setFont(letters)
        shift, broad = grid.values.shape[1] - len(grid.top), max(size, px)
        for col in _lettered(cols, new.any(axis=0), every):
            if col < shift:
                continue
            letter = grid.top[col - shift]
            wide = em_width(letter, bold=True)
            if wide * px > 0.92 * broad:
                painter.setFont(sized(0.92 * broad / wide, bold=True))
            box = QRectF(corner.x() + col * size - (broad - size) / 2, top, broad, high)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)
            if wide * px > 0.92 * broad:
                painter.setFont(letters)
        wide = grid_left((0, 0, max((em_width(one, bold=True) for one in grid.left), default=0.0)), size, self.style)
        left = max(corner.x() - wide, room.left())
        if left > corner.x() - wide:
            painter.fillRect(QRectF(left, corner.y(), wide, room.bottom() - corner.y()), self.style.theme.base)
        painter.setFont(letters)
        shift = grid.values.shape[0] - len(grid.left)
        for row in _lettered(rows, new.any(axis=1), every):
            if row >= shift:
                box = QRectF(left, corner.y() + row * size - (broad - size) / 2, wide, broad)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, grid.left[row - shift])

    def _paint_names(self, grid: Grid, corner: QPointF, rows: slice) -> None:
        """Names of some rows of cells that are too small for all."""
        size, px = self.layout.cell, letter_px(self.layout.cell, self.style)
        self.painter.setPen(self.style.theme.text)
        self.painter.setFont(sized(px, bold=True))
        each = max(1, round(2 * LINE_ROOM * px / size))
        shift = grid.values.shape[0] - len(grid.left)
        for row in range(shift, rows.stop, each):
            box = QRectF(0, corner.y() + row * size, corner.x() - 0.4 * px, LINE_ROOM * px)
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
            self.painter.drawText(box, flags, grid.left[row - shift])

    def _paint_over(self, grid: Grid, corner: QPointF, extras: Extras) -> None:
        """Lines of blocks, boxes, lines, a path, candidates."""
        painter, theme, size = self.painter, self.style.theme, self.layout.cell
        rows, cols = grid.values.shape
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if grid.block is not None:
            painter.setPen(QPen(theme.control, HEAVY_PX))
            down, across = rows - len(grid.left), cols - len(grid.top)
            lines = [
                QLineF(self.cell_box(corner, row, across).topLeft(), self.cell_box(corner, row, cols).topLeft())
                for row in (range(down, rows + 1, grid.block[0]) if grid.block[0] else ())
            ]
            lines += [
                QLineF(self.cell_box(corner, down, col).topLeft(), self.cell_box(corner, rows, col).topLeft())
                for col in (range(across, cols + 1, grid.block[1]) if grid.block[1] else ())
            ]
            painter.drawLines(lines)
        for box in grid.boxes:
            area = QRectF(self.cell_box(corner, box.row, box.col).topLeft(), self.cell_box(
                corner, box.row + box.rows, box.col + box.cols).topLeft())  # fmt: skip
            ink = theme.accent if box.mark is Mark.NEW else theme.dim if box.mark is Mark.FAINT else theme.text
            dashed = Qt.PenStyle.DashLine if box.mark in (Mark.FAINT, Mark.SKIPPED) else Qt.PenStyle.SolidLine
            painter.setPen(QPen(ink, HEAVY_PX + (box.mark in (Mark.NEW, Mark.ON)), dashed))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
            if box.label:
                painter.setFont(sized(self.style.at_least(max(0.8 * self.style.text_px, 0.25 * size)), bold=True))
                painter.drawText(area.adjusted(4, 2, -4, -2), Qt.AlignmentFlag.AlignTop, box.label)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line in grid.lines:
            dashed = Qt.PenStyle.DashLine if line.kind == "edge" else Qt.PenStyle.SolidLine
            painter.setPen(QPen(theme.band if line.kind == "edge" else theme.accent, max(2.0, size / 14), dashed))
            points = [self.cell_box(corner, *point).topLeft() for point in line.points]
            painter.drawPolyline(QPolygonF(points))
            if line.kind == "carry" and len(points) > 1:
                self._paint_head(points[-2], points[-1])
        if extras.path:
            colour = QColor(theme.accent)
            colour.setAlphaF(0.55)
            painter.setPen(QPen(colour, max(2.0, size * PATH_SHARE)))
            painter.drawPolyline(QPolygonF([self.cell_box(corner, *cell).center() for cell in extras.path]))
        if extras.hover is not None:
            self._paint_candidates(corner, *extras.hover)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_head(self, before: QPointF, tip: QPointF) -> None:
        """Paint the head of an arrow."""
        along = QLineF(tip, before)
        along.setLength(max(5.0, 0.2 * self.layout.cell))
        for angle in (25, -25):
            side = QLineF(along)
            side.setAngle(along.angle() + angle)
            self.painter.drawLine(side)

    def _paint_candidates(self, corner: QPointF, cell: Cell, candidates: Sequence[Candidate]) -> None:
        """Paint what each of them would give, in a plate on it: the winner framed, the losers struck."""
        painter, theme, size = self.painter, self.style.theme, self.layout.cell
        to = self.cell_box(corner, *cell)
        painter.setPen(QPen(theme.accent, 2))
        painter.drawRect(to)
        for one in candidates:
            source = self.cell_box(corner, one.row, one.col)
            colour = QColor(theme.accent if one.wins else theme.dim)
            painter.setPen(QPen(colour, 2 if one.wins else 1))
            line = QLineF(source.center(), to.center())
            line.setLength(max(1.0, line.length() - size / 4))
            painter.drawLine(line)
            self._paint_head(line.p1(), line.p2())
        px = max(self.style.text_px, 0.34 * size)
        painter.setFont(sized(px, bold=True))
        for one in candidates:
            text = str(one.value)
            source = self.cell_box(corner, one.row, one.col)
            plate = QRectF(0, 0, (em_width(text, bold=True) + 0.7) * px, 1.25 * px)
            plate.moveCenter(source.center())
            painter.fillRect(plate, theme.base)
            painter.setPen(QPen(theme.text if one.wins else theme.dim, 2 if one.wins else 1))
            painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)
            if one.wins:
                painter.drawRect(plate)
            else:
                painter.drawLine(QLineF(plate.left() + 2, plate.center().y(), plate.right() - 2, plate.center().y()))

    # Words

    def _paint_words(self, part: Bits, grid: Grid | None, box: QRectF, corner: QPointF) -> None:
        """Bit i stands beside row i of the table, so that a word is seen to be its column."""
        painter, style, size = self.painter, self.style, self.layout.cell
        length = max((len(word) for _, word in part.rows), default=0)
        shift = 0 if grid is None else grid.values.shape[0] - length
        wide = word_px((len(part.rows), length, max(em_width(name) for name, _ in part.rows)), size, style)
        px, lines = name_px(size, style), name_lines(size, style)
        top = corner.y() + shift * size
        look = CellLook(size, number_px(size, 1, style))
        for place, (name, word) in enumerate(part.rows):
            x = box.left() + place * wide
            # Names are wider than a word: the next one stands lower.
            above = top - LINE_ROOM * px * (lines - place % lines)
            if word.strip():
                painter.setFont(sized(px))
                painter.setPen(style.theme.dim)
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
                painter.drawText(QRectF(x, above, wide, LINE_ROOM * px), flags, name)
            marks = part.marks[place] if part.marks else ("n" if place == len(part.rows) - 1 else ".") * len(word)
            states = np.array([bit_state(bit, mark) for bit, mark in zip(word, marks, strict=True)], np.uint8)
            values = np.array([bit == "1" for bit in word], np.int32)
            at = QPointF(x + (wide - size) / 2, top)
            first = max(0, int((self.room.top() - top) // size))
            seen = slice(first, max(first, int((self.room.bottom() - top) // size) + 1))
            values, states, at = values[seen, None], states[seen, None], at + QPointF(0, first * size)
            if not values.size or not word.strip():
                continue
            if size >= style.readable_cell_px:
                self._paint_codes(coded(values, states), at, look)
            else:
                ink, paper = style.theme.text.rgb(), style.theme.raised.rgb()
                self._draw_pixels(np.where(values == 1, np.uint32(ink), np.uint32(paper)), at)


def _states(
    grid: Grid, step: int, cited: Sequence[Cited], extras: Extras, rows: slice, cols: slice
) -> npt.NDArray[np.uint8]:
    """Return the state of each cell that is seen: its ``Mark``, UNKNOWN or PICKED."""
    rank = grid.rank[rows, cols]
    states = np.where(rank > step, np.uint8(UNKNOWN), np.uint8(Mark.PLAIN))
    if step > 0:
        states[rank == step] = Mark.NEW
    if grid.marks is not None:
        marks = grid.marks[rows, cols]
        told = (marks != Mark.PLAIN) & ((rank <= step) | (marks == Mark.SKIPPED))
        states[told] = marks[told]
    others = [(row, col, Mark.WINNER if wins else Mark.CITED) for row, col, wins in cited]
    for row, col, state in (*others, *((row, col, PICKED) for row, col in extras.picked)):
        if rows.start <= row < rows.stop and cols.start <= col < cols.stop:
            states[row - rows.start, col - cols.start] = state
    return states


def _lettered(seen: slice, new: npt.NDArray[np.bool_], fits: bool) -> Sequence[int]:
    """Return the rows or columns that have a letter beside them: all, or where these are too narrow the new one."""
    at = np.flatnonzero(new) + seen.start
    return range(seen.start, seen.stop) if fits else at.tolist() if at.size == 1 else ()


def bit_state(bit: str, mark: str) -> int:
    """Return how a bit of ``Bits`` looks: its ``Mark``, or UNKNOWN."""
    if bit == " ":
        return UNKNOWN
    return {"n": Mark.NEW, "d": Mark.FAINT}.get(mark, Mark.PLAIN)


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    """Return a colour between two."""
    red, green, blue = (
        a + (b - a) * share
        for a, b in ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    )
    return QColor(round(red), round(green), round(blue))
