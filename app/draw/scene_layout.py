"""Layout of the parts of a scene: the arrangement with the largest cells, the same for all steps of a unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, zip_longest
from typing import Any

from wavediff.app.draw.drawing import Box, Point, Size
from wavediff.app.draw.scene_style import LEAST_LETTER_PX, LETTER_PX, LETTERED_CELL_PX, Preset, Style
from wavediff.core.teach.scene import Bits, Grid, Part, Scene, Sheet, Shown
from wavediff.core.teach.unit import Unit

SAMPLED_STEPS = 24  # of a unit, whose scenes are measured before the first is shown
LETTER_SHARE, NAME_SHARE, SHEET_SHARE = 0.5, 0.3, 0.36  # of a cell: letters next to it, names of words, texts of sheets
WORD_CELLS, LINE_ROOM = 1.7, 1.5  # width of a word, in cells; height of a line of text, in sizes of its font
NAME_GAP_PX = 8  # between names of words in a line
LETTER_ROOM = 1.3  # height of the letters above a grid, in sizes of their font
BIT_SHARE, HEAD_SHARE = 0.62, 0.95  # of a bit of a word across: size of its text, room for its name
GAP_CELLS, PAD_EMS = 0.7, 0.8  # between parts; next to a text in a sheet
LANE_EMS = 28  # least width of lanes, in sizes of their text
SMALLER_TEXTS = 0.85, 0.7, 0.55  # of their wanted size, where all parts do not fit otherwise; the last in a hall alone
NARROW_PAD = 0.4  # next to a text in sheets, which come closer before their texts are smaller
HALVINGS = 12  # of the range in which the size of a cell is sought
MOST_ARRANGED = 6  # items of which every arrangement is tried: 32


@dataclass(frozen=True, slots=True)
class Extent:
    """Space that a part needs; the maximum of each of ``numbers`` over several steps is enough for all of these steps.

    Grid: rows, columns, widths in em of the letters on the left. Bits: words, bits with their gaps, em of a name and
    of a head. Sheet: lines above, rows, em of each column. Lanes: lanes, em of a name.
    """

    kind: type
    down: bool
    numbers: tuple[float, ...]

    def with_(self, other: Extent) -> Extent:
        both = zip_longest(self.numbers, other.numbers, fillvalue=0.0)
        return Extent(self.kind, self.down, tuple(max(pair) for pair in both))


def extent(part: Part, style: Style) -> Extent:
    if isinstance(part, Grid):
        rows, cols = part.values.shape
        return Extent(Grid, False, (rows, cols, _widest(style, part.left, bold=True)))
    if isinstance(part, Bits):
        length = max((len(word) for _, word in part.rows), default=0)
        gaps = (length - 1) // part.groups if part.groups else 0
        named = _widest(style, (name for name, _ in part.rows))
        return Extent(Bits, part.down, (len(part.rows), length + gaps / 2, named, _widest(style, part.heads)))
    if isinstance(part, Sheet):
        lines = [part.heads, *part.rows]
        columns = [_widest(style, texts, mono=part.mono) for texts in zip_longest(*lines, fillvalue="")]
        title = style.em_width(part.title, bold=True)
        if sum(columns) + style.pad * len(columns) < title:  # a title is no narrower than its sheet
            columns = [title / max(1, len(columns)) for _ in columns]
        above = bool(part.title) + any(part.heads)
        return Extent(Sheet, False, (float(above), len(part.rows), *columns))
    return Extent(type(part), False, (len(part.names), _widest(style, part.names)))


def _widest(style: Style, texts: Iterable[str], *, bold: bool = False, mono: bool = False) -> float:
    return max((style.em_width(text, bold=bold, mono=mono) for text in texts), default=0.0)


def extents(scenes: Iterable[Scene], style: Style) -> tuple[Extent, ...]:
    """Return the space needed by the parts of scenes of one unit, by position."""
    widest: list[Extent] = []
    for scene in scenes:
        for place, part in enumerate(scene.parts):
            size = extent(part, style)
            if place == len(widest):
                widest.append(size)
            elif widest[place].kind is size.kind:
                widest[place] = widest[place].with_(size)
    return tuple(widest)


def unit_extents(shown: Shown, unit: Unit, step: int, style: Style) -> tuple[Extent, ...]:
    """Return the space needed by the scenes of a unit, from a sample of steps including ``step``."""
    last = shown.steps(unit)
    steps = sorted({step, *(round(last * part / (SAMPLED_STEPS - 1)) for part in range(SAMPLED_STEPS))})
    return extents((shown.scene(unit, k) for k in steps), style)


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions of the parts of a scene.

    Attributes:
        cell: side of a cell, logical pixels. boxes: box of each part, relative to the corner of the whole.
        corners: position of cell (0, 0) of each ``Grid``, and of row 0 of the grid of each vertical ``Bits``.
        size: of the whole. style: colours and sizes, perhaps with smaller texts.
    """

    cell: float
    style: Style
    boxes: tuple[Box, ...]
    corners: tuple[Point, ...]
    size: Size


def name_px(cell: float, style: Style) -> float:
    return max(style.text_px, NAME_SHARE * cell)


def sheet_px(cell: float, style: Style) -> float:
    """Return the font size of sheets, horizontal words and lanes."""
    return max(style.text_px, SHEET_SHARE * cell)


def has_all_letters(cell: float, style: Style) -> bool:
    """Return whether every row and column shows its letter; else only the new row and column do."""
    return cell >= LETTERED_CELL_PX * style.scale


def letter_px(cell: float, style: Style) -> float:
    small = LETTER_PX * style.scale
    if has_all_letters(cell, style):
        small = min(small, max(cell, LEAST_LETTER_PX * style.scale))
    return style.at_least(max(LETTER_SHARE * cell, small))


def grid_top(cell: float, style: Style) -> float:
    """Return the height of the letters above a grid."""
    return cell if style.preset is Preset.PROJECTOR else max(cell, LETTER_ROOM * LETTER_PX * style.scale)


def grid_left(numbers: Sequence[float], cell: float, style: Style) -> float:
    """Return the width of the letters left of a grid."""
    px = max(letter_px(cell, style), style.at_least(LETTER_PX * style.scale))
    return max(cell, numbers[2] * px + 0.4 * max(cell, px))


def name_lines(cell: float, style: Style) -> int:
    """Return the number of lines that long word names are spread over."""
    return 2 if cell >= style.readable_cell_px else 3


def word_px(numbers: Sequence[float], cell: float, style: Style) -> float:
    lines = name_lines(cell, style)
    return max(WORD_CELLS * cell, (1.12 * numbers[2] * name_px(cell, style) + NAME_GAP_PX) / lines)


def bit_px(cell: float, style: Style, head: float) -> float:
    """Return the size of a bit of a horizontal word; ``head``: width of the widest bit name in em."""
    least = max(style.least_text_px / BIT_SHARE, style.least_text_px * head / HEAD_SHARE)
    return max(0.62 * cell, sheet_px(cell, style) * 1.1, least)


def sheet_row(part: Sheet, box: Box, cell: float, style: Style, row: int) -> Box:
    high = LINE_ROOM * sheet_px(cell, style)
    return Box(box.x, box.y + (bool(part.title) + any(part.heads) + row) * high, box.wide, high)


def _size(of_part: Extent, cell: float, style: Style) -> Size:
    numbers, text = of_part.numbers, sheet_px(cell, style)
    if of_part.kind is Grid:
        return Size(numbers[1] * cell + grid_left(numbers, cell, style), numbers[0] * cell + grid_top(cell, style) + 2)
    if of_part.kind is Bits and of_part.down:
        return Size(numbers[0] * word_px(numbers, cell, style), numbers[1] * cell + 2 * LINE_ROOM * text)
    if of_part.kind is Bits:
        bit = bit_px(cell, style, numbers[3])
        lines = numbers[0] * 1.25 * bit + (numbers[3] > 0) * LINE_ROOM * text
        return Size((numbers[2] + PAD_EMS) * text + numbers[1] * bit, lines)
    if of_part.kind is Sheet:
        columns = numbers[2:]
        return Size((sum(columns) + 2 * style.pad * len(columns)) * text, (numbers[0] + numbers[1]) * LINE_ROOM * text)
    return Size((numbers[1] + PAD_EMS + LANE_EMS) * text, (numbers[0] + 1) * LINE_ROOM * text)


def _items(parts: Sequence[Extent]) -> list[list[int]]:
    """Group parts that belong together: vertical words with the preceding grid."""
    columns: list[list[int]] = []
    for place, part in enumerate(parts):
        is_joined = part.kind is Bits and part.down and columns and parts[columns[-1][0]].kind is Grid
        if is_joined:
            columns[-1].append(place)
        else:
            columns.append([place])
    return columns


def _placed(parts: Sequence[Extent], columns: Sequence[Sequence[list[int]]], cell: float, style: Style) -> Layout:
    boxes, corners = [Box(0, 0, 0, 0)] * len(parts), [Point(0, 0)] * len(parts)
    x, height, gap = 0.0, 0.0, GAP_CELLS * min(max(cell, style.text_px), style.most_cell_px)
    for column in columns:
        y, width = 0.0, 0.0
        for item in column:
            sizes = [_size(parts[place], cell, style) for place in item]
            names = name_lines(cell, style) * LINE_ROOM * name_px(cell, style) - cell  # of words
            head = max(0.0, names - grid_top(cell, style)) if len(item) > 1 else 0.0
            right, foot, corner = x, y, Point(0, 0)
            for place, size in zip(item, sizes, strict=True):
                if parts[place].kind is Grid:
                    corner = Point(x + grid_left(parts[place].numbers, cell, style), y + head + grid_top(cell, style))
                corners[place] = corner
                boxes[place] = Box(right, y, size.wide, size.high + (head if place == item[0] else 0.0))
                foot = max(foot, boxes[place].foot)
                right += size.wide + gap
            width, y = max(width, right - gap - x), foot + gap
        x, height = x + width + gap, max(height, y - gap)
    return Layout(cell, style, tuple(boxes), tuple(corners), Size(max(0.0, x - gap), max(0.0, height)))


def lay_out(parts: Sequence[Extent], room: Size, style: Style, zoom: float = 1.0) -> Layout:
    """Return the layout that has the largest cells that fit into ``room``; parts are in columns, in their order.

    Args:
        zoom: factor relative to the fitting size.
    """
    room = Size(max(1.0, room.wide), max(1.0, room.high))
    layout = _lay_out(parts, room, style, zoom)
    shares = SMALLER_TEXTS if style.preset is Preset.PROJECTOR else SMALLER_TEXTS[:2]
    if parts and all(part.kind is Sheet for part in parts):
        closer, shares = replace(style, pad=NARROW_PAD), (1.0, *shares)
    else:
        closer = style
    for share in shares:
        if zoom == 1 and not layout.size.fits(room):
            layout = _lay_out(parts, room, replace(closer, scale=share * style.scale), zoom)
    return layout


def stacked(layout: Layout) -> list[Any]:
    """Return width and height of the vertically stacked parts, then each part's offset as ``x y``."""
    moves, wide, y, gap = [], 0.0, 0.0, GAP_CELLS * max(layout.cell, layout.style.text_px)
    for box in layout.boxes:
        moves.append(f"{round(-box.x, 1)} {round(y - box.y, 1)}")
        wide, y = max(wide, box.wide), y + box.high + gap
    return [round(wide, 1), round(max(0.0, y - gap), 1), *moves]


def _lay_out(parts: Sequence[Extent], room: Size, style: Style, zoom: float) -> Layout:
    items = _items(parts)
    best, chosen = (0.0, 0.0), [items]
    for columns in _arrangements(items):
        if best[0] > 1 and not _placed(parts, columns, best[0] + 0.5, style).size.fits(room):
            continue
        cell_px = _largest_cell(parts, columns, room, style)
        if cell_px > best:
            best, chosen = cell_px, columns
    if best[0] <= 1:  # texts alone do not fit: cells take what is left next to them
        size, wide = _placed(parts, chosen, best[0], style).size, room.wide
        room = Size(max(room.wide, size.wide), max(room.high, size.high))
        best = _largest_cell(parts, chosen, room, style)
        limits = [(wide - grid_left(one.numbers, 1.0, style)) / one.numbers[1] for one in parts if one.kind is Grid]
        best = (max(1.0, min(best[0], *limits)), best[1]) if limits else best  # no table is cut beside a long text
    cell = max(best[0], style.least_cell_px) * zoom
    whole = cell >= 12 or style.preset is Preset.PAGE
    return _placed(parts, chosen, float(int(cell)) if whole else cell, style)  # whole pixels: cells of one width


def _arrangements(items: list[list[int]]) -> Iterator[list[list[list[int]]]]:
    """Yield all ways to arrange items into columns in order, side by side first; for many items a subset."""
    n = len(items)
    cuts: Iterable[tuple[int, ...]] = (cut for k in range(n - 1, -1, -1) for cut in combinations(range(1, n), k))
    if n > MOST_ARRANGED:
        cuts = (tuple(range(step, n, step)) for step in range(1, n + 1))
    for cut in cuts:
        yield [items[begin:end] for begin, end in pairwise((0, *cut, n))]


def _largest_cell(
    parts: Sequence[Extent], columns: Sequence[Sequence[list[int]]], room: Size, style: Style
) -> tuple[float, float]:
    """Return the largest cell size that fits, then the excess over the available space."""
    low, high = 1.0, style.most_cell_px
    if _placed(parts, columns, high, style).size.fits(room):
        low = high
    for _ in range(HALVINGS if low < high else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if _placed(parts, columns, middle, style).size.fits(room) else (low, middle)
    size = _placed(parts, columns, low, style).size
    return low, -max(1.0, size.wide / room.wide, size.high / room.high)
