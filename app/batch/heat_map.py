"""Heat map of many pairs with its tree, also as a picture."""

from __future__ import annotations

from math import ceil, floor, log10
from os.path import basename
from time import perf_counter

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from wavediff.app.batch.batch_table import SHOWN_CHARACTERS
from wavediff.app.draw.painter import Pixels
from wavediff.app.draw.recording import LINES_RATIO, picture_ratio
from wavediff.app.ui.canvas import ARROWS, Canvas, Wide
from wavediff.app.ui.number_text import grouped, percent, shared_start
from wavediff.app.ui.picture_sheet import DEFAULT_SIZE, Pictured, Sheet, even, light
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.base.numbers import count, localized, number
from wavediff.core.export.batch import BatchAnswer, shares_of
from wavediff.core.export.matrix import Tree, tree_of
from wavediff.core.export.recipe import Recipe, recipe_of
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import run_to_end
from wavediff.core.methods.options import typed
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule

SCALE_DROP_PX, SCALE_SHARE = 14, 0.4  # of the scale below the rows; of the tree's width at most


def draw_tree(painter: QPainter, tree: Tree, box: QRectF, theme: Theme) -> None:
    """Draw the branches over the height of ``box``, and a scale bar below."""
    row, depths = box.height() / tree.n_leaves, tree.depths
    deepest = max(float(depths.max()), 1e-12)
    x = box.left() + box.width() * depths / deepest
    y = np.zeros(depths.size)
    y[tree.order] = box.top() + row * (np.arange(tree.n_leaves) + 0.5)
    branches = []
    for node, children in enumerate(tree.joins, tree.n_leaves):
        places = [float(y[child]) for child, _ in children]
        y[node] = (min(places) + max(places)) / 2
        branches.append(QLineF(x[node], min(places), x[node], max(places)))
        branches += [QLineF(x[node], y[child], x[child], y[child]) for child, _ in children]
    painter.setPen(QPen(theme.dim, 1, Qt.PenStyle.DotLine))
    painter.drawLines([QLineF(x[leaf], y[leaf], box.right(), y[leaf]) for leaf in range(tree.n_leaves)])
    painter.setPen(QPen(theme.text, 1))
    length, below = scale_length(deepest * SCALE_SHARE), box.bottom() + SCALE_DROP_PX
    end = box.left() + box.width() * length / deepest
    ticks = [QLineF(at, below - 3, at, below + 3) for at in (box.left(), end)]
    painter.drawLines([*branches, QLineF(box.left(), below, end, below), *ticks])
    painter.drawText(QPointF(end + 4, below + painter.fontMetrics().ascent() / 2 - 1), localized(f"{length:.2g}"))


def scale_length(most: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten up to ``most``.

    >>> [scale_length(most) for most in (0.0199, 0.05, 1.0)]
    [0.01, 0.05, 1.0]
    """
    power = floor(log10(most) + 1e-9)
    return float(f"{max(k for k in (1, 2, 5) if k * 10.0**power <= most * (1 + 1e-9))}e{power}")


Levels = npt.NDArray[np.uint16]
MARGIN, SCALE_HEIGHT, SCALE_GAP = 22, 26, 8  # logical pixels
LEAST_HEIGHT_PX = 180  # of a map in the panel, which scrolls below it
TREE_SHARE, NAME_SHARE, GAP_PX = 0.18, 0.42, 6  # of the width; of branches, of names at most
SHORT_BAR_PX = 24.0  # of a scale between long words
MAX_CELLS_SIDE = 1 << 10  # cells a side that are drawn one by one; of more, each pixel shows the closest of its pairs
LEVELS = (1 << 16) - 1  # of identity: fine enough where all are alike
SLICE_SECONDS = 0.008  # what is computed between two looks at the events of the window


class HeatMap(Canvas):
    """Rows: records of A, columns: records of B, in file order or in the order of the tree next to the rows.

    Attributes:
        tree: the displayed tree, or None. most_stretched: maximum ratio of a cell's sides, except in long thin tables.

    Signals:
        hovered: description of the cell under the pointer, or an empty string.
        chosen: records (0-based) of A and B of the clicked cell.
    """

    hovered = Signal(str)
    chosen = Signal(int, int)

    def __init__(self, theme: Theme) -> None:
        focus = Qt.FocusPolicy.StrongFocus
        super().__init__(theme, "Heat map of distances", mouseTracking=True, focusPolicy=focus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._outcome: BatchAnswer | None = None
        self.tree: Tree | None = None
        self.most_stretched = 3.0
        self._rows = self._cols = np.arange(0)  # records in the order shown
        self.levels: Levels = np.empty((0, 0), np.uint16)  # identity of each cell
        self._factor = 1
        self._low = 0  # lowest level but for those of a record with itself
        self._next = 0  # row of cells to compute
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._fill_next)
        self._image = QImage()
        self._pixels = np.empty((0, 0), np.uint32)
        self._cell: tuple[int, int] | None = None
        theme.changed.connect(self._restyle)

    @property
    def message(self) -> str:
        """Text in place of the heat map, or an empty string."""
        if self._outcome is None:
            return "Nothing compared yet"
        if self._outcome.result.pairs is Pairing.ONE_TO_ONE:
            return "The map needs all against all pairs"
        return "No pairs" if not self.levels.size else "Drawing…" if self.busy else ""

    @property
    def busy(self) -> bool:
        return bool(self._next < self.levels.shape[0])

    def show_outcome(self, outcome: BatchAnswer | None, tree: Tree | None = None) -> None:
        """Show ``outcome`` in the order of ``tree``; large tables are drawn row by row."""
        self._outcome, self._cell, self.tree = outcome, None, tree
        self.levels, self._next, self._low = np.empty((0, 0), np.uint16), 0, LEVELS - 1
        self._timer.stop()
        if outcome is not None and outcome.result.pairs is Pairing.ALL_TO_ALL and outcome.result.values.size:
            self._rows, self._cols = map(np.arange, outcome.result.values.shape)
            if tree is not None:
                self._rows = self._cols = tree.order
            self._factor = -(-max(outcome.result.values.shape) // MAX_CELLS_SIDE)
            rows, cols = (-(-n // self._factor) for n in outcome.result.values.shape)
            self.levels = np.zeros((rows, cols), np.uint16)
            self._timer.start()
            self._fill_next()
        self._restyle()

    @Slot()
    def _fill_next(self) -> None:
        outcome, until = self._outcome, perf_counter() + SLICE_SECONDS
        if outcome is None or not self.busy:
            self._timer.stop()
            return
        f, edges = self._factor, np.arange(0, self._cols.size, self._factor)
        while self.busy and perf_counter() < until:
            i = self._next
            closest = _identity(outcome, self._rows[i * f : (i + 1) * f], self._cols)
            row = np.maximum.reduceat(closest.max(axis=0), edges)
            self.levels[i] = np.floor(row * LEVELS)
            others = np.delete(self.levels[i], i) if outcome.result.own else self.levels[i]
            self._low = min(self._low, int(others.min(initial=LEVELS)))
            self._next += 1
        if not self.busy:
            self._timer.stop()
            self._restyle()

    def finish(self) -> None:
        while self.busy:
            self._fill_next()

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Return the records at ``point``; of several in a pixel the most similar pair."""
        area, outcome = self.area(), self._outcome
        if outcome is None or not self.levels.size or not area.contains(point):
            return None
        rows, cols = self.levels.shape
        i = min(int((point.y() - area.top()) / area.height() * rows), rows - 1)
        j = min(int((point.x() - area.left()) / area.width() * cols), cols - 1)
        f = self._factor
        row, col = self._rows[i * f : (i + 1) * f], self._cols[j * f : (j + 1) * f]
        part = _identity(outcome, row, col)
        x, y = np.unravel_index(int(part.argmax()), part.shape)
        return int(row[x]), int(col[y])

    def describe(self, cell: tuple[int, int] | None) -> str:
        if cell is None or self._outcome is None:
            return ""
        i, j = cell
        outcome = self._outcome
        share = float(_identity(outcome, np.array([i]), np.array([j]))[0, 0])
        names = f"A {printable(outcome.a.name(i), 60)} · B {printable(outcome.b.name(j), 60)}"
        alike = f"{percent(share)} alike"
        return f"{names} · {grouped(outcome.result.values[i, j].item())} · {alike}"

    def sizes(self) -> tuple[Wide, Wide]:
        return (360, 380), (0, LEAST_HEIGHT_PX)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.cell_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        self.setFocus()
        if cell is not None and event.button() is Qt.MouseButton.LeftButton:
            self._point(cell)
            self.chosen.emit(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = ARROWS.get(Qt.Key(event.key()))
        if self._outcome is None or not self.levels.size:
            super().keyPressEvent(event)
        elif step is not None:
            to = [k + by for k, by in zip(self._place(self._cell), step, strict=True)] if self._cell else (0, 0)
            i, j = (min(max(k, 0), records.size - 1) for k, records in zip(to, (self._rows, self._cols), strict=True))
            self._point((int(self._rows[i]), int(self._cols[j])))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._cell is not None:
            self.chosen.emit(*self._cell)
        else:
            super().keyPressEvent(event)

    def paint(self, painter: QPainter) -> None:
        if self.message:
            painter.setPen(self._theme.dim)
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.message)
            return
        area = self.area()
        painter.drawImage(area, _sharp(self._image, area.size() * min(picture_ratio(), LINES_RATIO)))
        painter.setPen(QPen(self._theme.dim, 1))
        painter.drawRect(area)
        painter.drawText(QPointF(area.left(), area.top() - 6), "B, columns →")
        names, metrics = self._names, painter.fontMetrics()
        room = area.left() - GAP_PX - self._beside[1]
        if self.tree is not None:
            draw_tree(painter, self.tree, QRectF(MARGIN, area.top(), room - MARGIN, area.height()), self._theme)
        painter.setPen(self._theme.text)
        for k, name in enumerate(names):
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(area.left() - 2 * GAP_PX - room))
            y = area.top() + (k + 0.5) * area.height() / len(names) + metrics.ascent() / 2 - 1
            painter.drawText(QPointF(room + GAP_PX, y), text)
        painter.save()
        painter.translate(MARGIN - 5 - painter.fontMetrics().ascent(), area.top())
        painter.rotate(90)
        painter.drawText(QPointF(0, 0), "A, rows →")
        painter.restore()
        self._draw_scale(painter, area)
        if self._cell is not None:
            rows, cols = self.levels.shape
            i, j = (k // self._factor for k in self._place(self._cell))
            box = QRectF(
                area.left() + j * area.width() / cols, area.top() + i * area.height() / rows,
                max(3.0, area.width() / cols), max(3.0, area.height() / rows),
            )  # fmt: skip
            painter.setPen(QPen(self._theme.band, 2))
            painter.drawRect(box)

    def _draw_scale(self, painter: QPainter, area: QRectF) -> None:
        low, high, wide = percent(self._low / LEVELS), percent(1), painter.fontMetrics().horizontalAdvance
        of = f"closest of {number(self._factor)} × {number(self._factor)} pairs"
        wordings = [f"{high}; a cell shows the {of}", f"{high}; {of}"] * (self._factor > 1) + [f"{high} alike", high]
        beside = wide(low) + 3 * SCALE_GAP
        text = next((one for one in wordings if beside + SHORT_BAR_PX + wide(one) <= self.width()), high)
        words = beside + wide(text)
        begin = max(0.0, min(area.left(), self.width() - words - SHORT_BAR_PX))  # below the names where words are long
        first = begin + wide(low) + SCALE_GAP
        room = min(area.right() - first, 160.0, self.width() - begin - words)
        bar = QRectF(first, area.bottom() + 10, max(SHORT_BAR_PX, room), 8)
        pixels = self._colours(64)
        painter.drawImage(bar, QImage(pixels.data.cast("B"), 64, 1, 256, QImage.Format.Format_RGB32))
        painter.setPen(self._theme.dim)
        painter.drawText(QPointF(begin, bar.bottom() + 1), low)
        painter.drawText(QPointF(bar.right() + SCALE_GAP, bar.bottom() + 1), text)

    def area(self) -> QRectF:
        """Return the largest area for cells stretched up to ``most_stretched``; long thin tables fill all space."""
        rows, cols = self.levels.shape if self.levels.size else (1, 1)
        room = QRectF(self.rect()).adjusted(MARGIN + sum(self._beside), MARGIN, -6, -SCALE_HEIGHT)
        wide, high = max(room.width() / cols, 0.01), max(room.height() / rows, 0.01)
        if min(cols, rows) * min(wide, high) < 24:  # a long thin table would be a line: its cells are stretched
            return room
        most = self.most_stretched
        return QRectF(room.left(), room.top(), cols * min(wide, most * high), rows * min(high, most * wide))

    @property
    def _names(self) -> list[str]:
        """Row names, without a long common prefix; empty if rows are too low."""
        high = self.height() - MARGIN - SCALE_HEIGHT
        if self._outcome is None or self._factor > 1 or high < self._rows.size * self.fontMetrics().ascent():
            return []
        names = [printable(self._outcome.a.name(k), SHOWN_CHARACTERS) for k in self._rows.tolist()]
        begin = len(shared_start(names))
        too_long = self._widest(names) > self.width() * NAME_SHARE and 1 < begin < min(map(len, names))
        return [printable(f"…{name[begin:]}" if too_long else name, 60) for name in names]

    def _widest(self, names: list[str]) -> float:
        return max(map(self.fontMetrics().horizontalAdvance, names), default=-2 * GAP_PX) + 2 * GAP_PX

    @property
    def _beside(self) -> tuple[float, float]:
        branches = self.width() * TREE_SHARE if self.tree is not None else 0
        return branches, min(self._widest(self._names), self.width() * NAME_SHARE)

    @property
    def needed_width(self) -> int:
        """Width in pixels at which cells are square, at the current height."""
        return ceil(self.area().right()) + 6

    def _place(self, cell: tuple[int, int]) -> tuple[int, int]:
        return int(np.flatnonzero(self._rows == cell[0])[0]), int(np.flatnonzero(self._cols == cell[1])[0])

    def _point(self, cell: tuple[int, int] | None) -> None:
        if cell != self._cell:
            self._cell = cell
            text = self.describe(cell)
            self.setAccessibleDescription(text)
            self.hovered.emit(text)
            self.update()

    def _colours(self, n: int) -> Pixels:
        from wavediff.app.draw.plot import colour_table  # takes a while: not before there is a map

        return colour_table([self._theme.base, self._theme.accent, self._theme.text], n, (0.0, 0.65, 1.0))

    @Slot()
    def _restyle(self) -> None:
        if self.levels.size and not self.busy:
            table = self._colours(LEVELS - self._low + 1)
            self._pixels = table[np.maximum(self.levels, self._low) - self._low]
            rows, cols = self._pixels.shape
            self._image = QImage(self._pixels.data.cast("B"), cols, rows, 4 * cols, QImage.Format.Format_RGB32)
        self.update()


def _sharp(cells: QImage, pixels: QSizeF) -> QImage:
    """Return the cells scaled to whole pixels, as viewers would blur them; unscaled without ``pixels``."""
    if pixels.width() <= cells.width() or pixels.height() <= cells.height():
        return cells
    return cells.scaled(pixels.toSize())


def _identity(outcome: BatchAnswer, rows: Counts, cols: Counts) -> npt.NDArray[np.float64]:
    rows, cols = np.ix_(rows, cols)
    return shares_of(outcome.result, rows, cols, outcome.a.lengths[rows], outcome.b.lengths[cols])


LEAST_WIDTH_PX = 560  # so that title and scale have room


def heat_picture(outcome: BatchAnswer, size: tuple[int, int] | None = None, tree: Tree | None = None) -> Pictured:
    """Return the picture of a heat map; ``size``: pixels, None: by the cells; ``tree``: built here if None.

    Raises:
        WavediffError: too many or too few pairs for a map.
    """
    theme = light()
    heat = HeatMap(theme)
    heat.most_stretched = 1.0
    heat.show_outcome(outcome, run_to_end(tree_of(outcome)) if tree is None and outcome.tree else tree)
    heat.finish()
    if heat.message:
        raise WavediffError(f"no heat map: {heat.message.lower()}; it needs --pairs all-to-all")
    files, method = (outcome.a, outcome.b)[: 1 if outcome.result.own else 2], outcome.result.method
    names = " × ".join(printable(basename(file.source)) for file in files)
    text = count(outcome.result.n_pairs, "pair", "pairs")
    sheet = Sheet(theme, f"{names}: {method.long_name}", heat, (), even(size or DEFAULT_SIZE), text)
    if size is None:
        sheet.fit((max(0, heat.width() - heat.needed_width), 0), LEAST_WIDTH_PX)
    return Pictured(sheet)


def heat_recipe(outcome: BatchAnswer) -> Recipe:
    method, letters = outcome.result.method, outcome.letters
    offered = () if method.batch is None else method.batch.options
    asked = {
        "method": method.id, "pairs": outcome.result.pairs, "case": CaseRule.of(outcome.fold_case),
        "letters": None if letters is UracilRule.AUTO else letters, "tree": outcome.tree,
        **typed(offered, outcome.options),
    }  # fmt: skip
    return recipe_of("batch", outcome.files, asked)
