"""Moved blocks: bands between both places, and tags that link them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wavediff.app.compare.lines.shown_rows import ShownRows
from wavediff.app.compare.lines.sight import Sight
from wavediff.app.draw.drawing import Box, Drawing, Font, Ink, Pen, Point, Points
from wavediff.app.draw.scene_style import usual_width
from wavediff.app.ui.pair import Side
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import number

TAG_PX, LINK_PX = 20, 3
CURVE_POINTS = 24  # of each side of a band
FAR_PX = 4000  # beyond the edges: where a band to a place out of sight ends


class Tag(NamedTuple):
    """Tag at a moved block; a click goes to the line in the other text."""

    box: Box
    text: str
    side: Side
    line: int


def tags(rows: ShownRows, sight: Sight, moved: Counts) -> list[Tag]:
    placed = []
    for a, b, n in _blocks_in_sight(rows, sight, moved):
        for side, line, there, word in ((Side.A, a, b, "to"), (Side.B, b, a, "from")):
            text = f"moved {word} {side.other} {number(there + 1)} {'›' if word == 'to' else '‹'}"
            y, foot = _ends(rows, sight, side, line, n)
            wide = usual_width(text, bold=True) * sight.small + 2 * sight.px
            high = TAG_PX * sight.scale
            top = max(y + 2, 2 if sight.inline else min(foot, sight.size.high) - high - 3)
            if y < sight.size.high and foot > 0:
                right = sight.right[side] - (3 * sight.px if sight.inline else 8)
                placed.append(Tag(Box(right - wide, top, wide, high), text, side.other, there))
    return placed


def draw_links(drawing: Drawing, rows: ShownRows, sight: Sight, moved: Counts) -> None:
    for a, b, n in _blocks_in_sight(rows, sight, moved):
        _draw_link(drawing, sight, _ends(rows, sight, Side.A, a, n), _ends(rows, sight, Side.B, b, n))


def draw_tags(drawing: Drawing, rows: ShownRows, sight: Sight, moved: Counts) -> None:
    for tag in tags(rows, sight, moved):
        drawing.rect(tag.box, Ink.BASE, rounded=4)
        drawing.rect(tag.box, None, Pen(Ink.SWAP_STRONG), rounded=4)
        drawing.text(tag.box, tag.text, Font(sight.small, bold=True), Ink.SWAP_INK)


def _blocks_in_sight(shown: ShownRows, sight: Sight, moved: Counts) -> list[tuple[int, int, int]]:
    entries = shown.entries(*sight.places)
    if not entries or not moved.size:
        return []
    first, end = entries[0].row, entries[-1].end
    near = np.zeros(len(moved), bool)
    for k, side in enumerate(Side):
        rows = shown.row_of[side]
        near |= (rows[moved[:, k]] < end) & (rows[moved[:, k] + moved[:, 2] - 1] >= first)
    return [(a, b, n) for a, b, n in moved[near].tolist()]


def _ends(shown: ShownRows, sight: Sight, side: Side, line: int, n: int) -> tuple[float, float]:
    rows = shown.row_of[side]
    places = shown.place(int(rows[line]), side), shown.end(int(rows[line + n - 1]), side)
    top, foot = (min(max(sight.y(place), -FAR_PX), FAR_PX + sight.size.high) for place in places)
    return top, foot


def _draw_link(drawing: Drawing, sight: Sight, a: tuple[float, float], b: tuple[float, float]) -> None:
    if sight.inline:
        right, (one, two) = sight.right[Side.B] - 10, ((y + foot) / 2 for y, foot in (a, b))
        bow = curve(Point(right - 20, one), Point(right - 20, two), 20)
        drawing.lines([bow], Pen(Ink.SWAP_STRONG, LINK_PX))
        drawing.shape(((right - 28, two), (right - 19, two - 5), (right - 19, two + 5)), Ink.SWAP_STRONG)
        return
    left, right = sight.right[Side.A], sight.left[Side.B]
    above = curve(Point(left, a[0]), Point(right, b[0]))
    below = curve(Point(left, a[1]), Point(right, b[1]))
    drawing.shape([*above, *reversed(below)], Ink.SWAP_PALE)
    drawing.lines([above, below], Pen(Ink.SWAP_STRONG))


def curve(start: Point, end: Point, bow: float = 0) -> Points:
    """Return a curve with horizontal ends; ``bow``: how far it extends to the right."""
    points = []
    for k in range(CURVE_POINTS + 1):
        t = k / CURVE_POINTS
        near, ease = 3 * t * (1 - t), t * t * (3 - 2 * t)
        points.append((start.x + (end.x - start.x) * t + bow * near, start.y + (end.y - start.y) * ease))
    return points
