"""Drawing of a dot plot: density, runs or letters, depending on the zoom."""

from __future__ import annotations

from math import ceil, floor, log2

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from wavediff.app.compare.dots.dot_tiles import DotTiles
from wavediff.app.draw.drawing import LEFT, RIGHT, Box, Drawing, Font, Ink, Mix, Pen, Point
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import printable
from wavediff.core.screening.dot_index import A_START, B_START, FLAGS, LENGTH, MINUS, SHADES, Runs
from wavediff.core.screening.nucleotides import NO_CODE, nucleotide_codes
from wavediff.core.sequences.sequence import Records
from wavediff.core.sequences.spans import Spans

INKS = (Ink.INSERTION_STRONG, Ink.MISMATCH_STRONG)  # of the plus and of the minus strand
MAX_LINES = 2_000  # runs in sight that are drawn one by one
CELL_PX = 12.0  # pixels of a letter from which on each pair of letters has a sign
DOT_PX, THICK_PX = 1.6, 4.0  # of a run, from far and close by
RAMP, STEEP = 0.35, 4.0  # opacity of the fewest dots; how much less than these others have where they are paler
PALE, HALF = 0.5, 0.6  # opacity of signs
HALF_RUN = 5  # letters of a run whose signs are filled half
TRACK_PX = 5.0
BORDER_PX, MIN_NAME_PX, NAME_PX, NAME_GAP_PX = 3.0, 40.0, 11.0, 4.0  # of records: between lines, room of a name
Features = tuple[Spans | None, Spans | None]  # of A and of B
NO_FEATURES: Features = (None, None)


def palette(ramp: float) -> list[Mix]:
    """Return the colours of tile shades; ``ramp``: see ``opacity``."""
    shares = [opacity(ramp, shade / SHADES) for shade in range(1, SHADES + 1)]
    return [(Ink.BASE, Ink.BASE, 0.0), *((Ink.BASE, ink, share) for ink in INKS for share in shares)]


def opacity(ramp: float, share: float) -> float:
    """Return the opacity of dots, 0 to 1.

    Args:
        ramp: opacity at density 0; below ``RAMP`` all densities except the highest are paler too.
        share: density, relative to the highest, 0 to 1.
    """
    return ramp + (1 - ramp) * float(share ** (1 + STEEP * max(0.0, 1 - ramp / RAMP)))


def level_of(frame: BlockMapFrame, finer: int = 0) -> tuple[int, tuple[int, int], tuple[int, int]]:
    """Return the level with cells of one to two pixels (smaller by ``finer``), and its visible rows and columns."""
    level = max(0, ceil(-log2(frame.scale)) - finer)
    return level, *cells_in_sight(frame, level)


def cells_in_sight(frame: BlockMapFrame, level: int = 0) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the visible rows and columns of a level, half-open."""
    sides = _sides(frame.seen.intersected(frame.matrix))
    rows, cols = ((floor(low) >> level, (ceil(high) - 1 >> level) + 1) for low, high in sides)
    return rows, cols


def draw_density(drawing: Drawing, frame: BlockMapFrame, tiles: DotTiles, colours: list[Mix], finer: int = 0) -> None:
    level, rows, cols = level_of(frame, finer)
    if rows[0] < rows[1] and cols[0] < cols[1]:
        at = frame.point(cols[0] << level, rows[0] << level)
        shades = tiles.region(level, rows, cols)
        if finer:  # dots as large as those of coarser cells, with finer edges
            for _ in range(2):
                padded = np.pad(shades.T, ((1, 1), (0, 0)))
                shades = np.maximum(np.maximum(padded[:-2], padded[1:-1]), padded[2:])
        drawing.pixels(Point(at.x(), at.y()), frame.scale * (1 << level), shades, colours)


def draw_runs(drawing: Drawing, frame: BlockMapFrame, runs: Runs, ramp: float) -> None:
    """Draw runs as lines, shorter than a pixel as dots; opacity shows the covered fraction of a pixel's diagonal."""
    near = frame.letters(frame.room.adjusted(-9, -9, 9, 9))
    (row, row_end), (col, col_end) = _sides(near)
    a, b, length = (runs[:, each].astype(np.float64) for each in (A_START, B_START, LENGTH))
    minus = (runs[:, FLAGS] & MINUS).astype(np.bool_)
    low = np.maximum(np.maximum(0, row - a), np.where(minus, b + length - col_end, col - b))
    high = np.minimum(np.minimum(length, row_end - a), np.where(minus, b + length - col, col_end - b))
    pixel = max(1.0, 1 / frame.scale)  # letters
    shades = np.ceil(4 * np.minimum(1, np.log1p(length) / np.log1p(pixel))).astype(np.int64)
    spare = np.maximum(0, DOT_PX / frame.scale - (high - low)) / 2 * (low < high)
    low, high = low - spare, high + spare
    turn = np.where(minus, -1.0, 1.0)
    start = b + np.where(minus, length, 0)
    ends = [frame.room.x() + (start + turn * t - frame.left) * frame.scale for t in (low, high)]
    sides = [frame.room.y() + (a + t - frame.top) * frame.scale for t in (low, high)]
    lines = np.stack([np.stack([x, y], 1) for x, y in zip(ends, sides, strict=True)], 1)
    thick = max(DOT_PX, min(THICK_PX, frame.scale / 2))
    for strand, ink in enumerate(INKS):
        for shade in range(1, 5):
            some = lines[(minus == strand) & (shades == shade) & (low < high)]
            if len(some):
                drawing.lines(some.tolist(), Pen(ink, thick, opacity=opacity(ramp, shade / 4), flat=True))


def draw_cells(drawing: Drawing, frame: BlockMapFrame, a: Letters, b: Letters, k: int) -> None:
    """Draw a dot for equal letters and a stroke for complementary ones, filled inside a run.

    Args:
        a, b: all letters as compared. k: minimum length of a run with completely filled cells.
    """
    codes, ((row, row_end), (col, col_end)) = nucleotide_codes(), cells_in_sight(frame)
    top, left = max(0, row - k), max(0, col - k)
    rows, cols = codes[a[top : row_end + k]], codes[b[left : col_end + k]]
    at = slice(row - top, row_end - top), slice(col - left, col_end - left)
    for strand, ink in enumerate(INKS):
        others = 3 - cols.astype(np.int64) if strand else cols
        runs = run_lengths((rows[:, None] == others) & (rows < NO_CODE)[:, None], minus=bool(strand))[at]
        for low, high, half in ((1, HALF_RUN, 0.0), (HALF_RUN, k, HALF), (k, 1 << 62, 1.0)):
            y, x = np.nonzero((runs >= low) & (runs < high))
            middle = np.stack([x + col + 0.5, y + row + 0.5], 1)
            across = np.array([0.35, 0.0] if half else [0.2, -0.2] if strand else [0.08, 0.0])
            thick = frame.scale * 0.7 if half else 1.2 if strand else frame.scale * 0.16
            lines = np.stack([middle - across, middle + across], 1) - (frame.left, frame.top)
            lines = lines * frame.scale + (frame.room.x(), frame.room.y())
            if len(lines):
                drawing.lines(lines.tolist(), Pen(ink, thick, opacity=half or PALE, flat=True))


def run_lengths(equal: npt.NDArray[np.bool_], *, minus: bool) -> Counts:
    """Return for each true cell the length of its diagonal (or anti-diagonal) run; 0 for others.

    Args:
        equal: shape (rows, cols).
    """
    flipped = equal[:, ::-1] if minus else equal
    ways = [flipped, flipped[::-1, ::-1]]
    counts = [np.zeros((equal.shape[0] + 1, equal.shape[1] + 1), np.int64) for _ in ways]
    for way, count in zip(ways, counts, strict=True):
        for row, here in enumerate(way):
            count[row + 1, 1:] = (count[row, :-1] + 1) * here
    both = counts[0][1:, 1:] + counts[1][1:, 1:][::-1, ::-1] - flipped
    return both[:, ::-1] if minus else both


def draw_features(drawing: Drawing, frame: BlockMapFrame, features: Features) -> None:
    """Draw the features of A (left) and B (top) along the sides."""
    room, corner = frame.box(frame.seen.intersected(frame.matrix)), frame.place(QPointF())
    firsts = corner.y(), corner.x()
    for down, (low, high), first, spans in zip((True, False), _sides(room), firsts, features, strict=True):
        if spans is not None:
            edges = ((low + np.arange(ceil(high - low) + 1)) / frame.scale + first).astype(np.int64)
            covered = spans.covered(edges[:-1], np.maximum(edges[1:], edges[:-1] + 1)) > 0
            for start, stop in np.flatnonzero(np.diff(covered, prepend=False, append=False)).reshape(-1, 2).tolist():
                along, across = low + start, stop - start
                box = Box(room.left(), along, TRACK_PX, across) if down else Box(along, room.top(), across, TRACK_PX)
                drawing.rect(box, Ink.CODING_EDGE)


def draw_records(
    drawing: Drawing, frame: BlockMapFrame, records: tuple[Records | None, ...], metrics: QFontMetricsF
) -> None:
    """Draw lines between records, at least ``BORDER_PX`` apart, and names of A (left) and B (top).

    Args:
        records: of A and of B; None: a single record. metrics: of the font of ``NAME_PX``.
    """
    seen = frame.seen.intersected(frame.matrix)
    room, origin, high = frame.box(seen), frame.point(0, 0), metrics.height()
    for down, side, (low, end), borders in zip((True, False), _sides(room), _sides(seen), records, strict=True):
        if borders is None:
            continue
        first = int(np.searchsorted(borders.ends, low, "right"))
        last = int(np.searchsorted(borders.starts, end))
        edges = (origin.y() if down else origin.x()) + (borders.ends[first : last - 1] + 0.5) * frame.scale
        kept = np.unique(edges // BORDER_PX, return_index=True)[1]
        ends = (room.left(), room.right() - 1) if down else (room.top(), room.bottom() - 1)
        lines = [[(each, at) if down else (at, each) for each in ends] for at in edges[kept].tolist()]
        if lines:
            drawing.lines(lines, Pen(Ink.CONTROL, 1, flat=True))
        sides = np.concatenate([side[:1], edges, side[1:]])
        for at in np.flatnonzero(np.diff(sides) >= (high if down else MIN_NAME_PX)).tolist():
            start, stop = sides[at : at + 2].tolist()
            wide = (room.width() if down else stop - start) - 2 * NAME_GAP_PX
            name = metrics.elidedText(printable(borders.name(first + at)), Qt.TextElideMode.ElideMiddle, wide)
            x, y = (room.left() + NAME_GAP_PX, stop - high - 3) if down else (start + NAME_GAP_PX, room.top())
            drawing.text(Box(x, y, wide, high), name, Font(NAME_PX), Ink.DIM, LEFT if down else RIGHT)


def _sides(box: QRectF) -> tuple[tuple[float, float], tuple[float, float]]:
    return (box.top(), box.bottom()), (box.left(), box.right())
