"""Drawing of blocks as ribbons from A (top) to B (bottom); inverted ones are twisted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QFontMetricsF

from wavediff.app.compare.blocks.block_rows import SIGNS
from wavediff.app.compare.lines.lines_drawing import ADDED, CHANGED, ELSEWHERE, REMOVED, Face
from wavediff.app.compare.strip_levels import Window
from wavediff.app.compare.strip_words import draw_part
from wavediff.app.draw.drawing import LEFT, Box, Drawing, Font, Ink, Pen
from wavediff.app.draw.scene_style import usual_width
from wavediff.app.ui.block_map.map_ticks import tick_step, ticks
from wavediff.app.ui.legend import kind_of
from wavediff.core.base.numbers import number
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.jobs.alignment import APART, SWAP, Op
from wavediff.core.jobs.rearranged import CollinearBlock

RULER_PX, BAR_PX, GUTTER_PX, END_PX, TICK_PX = 20, 12, 32, 24, 4
LEAST_PX, MOST_PX = 112, 240  # of height
FILLED, CURRENT = 0.22, 0.41  # opacity of ribbons
MANY, FEW_POINTS, POINTS = 500, 8, 24  # blocks from which on ribbons have fewer points a side
LABEL_PX, NAME_PX, APART_PX = 11, 13, 4  # of text; between two numbers with their frames
FAR_PX = 1e5
A, B = 0, 1
ONCE_MORE = Face(Ink.APART_STRONG, Ink.APART_PALE, Ink.APART_INK)
FACES = {Op.MISMATCH: CHANGED, Op.INSERTION: ADDED, Op.DELETION: REMOVED, SWAP: ELSEWHERE, APART: ONCE_MORE}


class Ribbons(NamedTuple):
    """Ribbons of an answer in a box; ``window``: visible letters of A and B, None: all."""

    answer: RearrangedAnswer
    box: Box
    window: Window | None = None

    @property
    def letters(self) -> Window:
        """Visible letters of A and B, perhaps beyond the end of one."""
        return self.window or Window(0, longest(self.answer))

    @property
    def scale(self) -> float:
        return (self.box.wide - GUTTER_PX - END_PX) / self.letters.span

    def x(self, place: float) -> float:
        """Return the x coordinate of a border, clamped to a range that painters handle."""
        left = self.bar(A).x
        return left + min(max((place - self.letters.first) * self.scale, -FAR_PX), FAR_PX)

    def bar(self, axis: int) -> Box:
        y = self.box.y + RULER_PX if axis == A else self.box.foot - RULER_PX - BAR_PX
        return Box(self.box.x + GUTTER_PX, y, self.box.wide - GUTTER_PX - END_PX, BAR_PX)

    def ends(self, block: CollinearBlock, axis: int) -> tuple[float, float]:
        """Return left and right end of a block in A or B, at least a pixel apart if it has letters."""
        left, right = (self.x(border.at) for border in block.on(axis))
        return left, max(right, left + 1) if block.size[axis] else right

    def sees(self, block: CollinearBlock, axis: int) -> bool:
        """Return whether any part of a block is visible in the bar of A or B."""
        (left, right), bar = self.ends(block, axis), self.bar(axis)
        return right >= bar.x and left <= bar.right

    def sides(self, block: CollinearBlock, share: float) -> tuple[float, float]:
        """Return the x coordinates of a ribbon's sides at a fraction of its height; first that of A's first letter."""
        (a0, a1), (b0, b1) = self.ends(block, A), self.ends(block, B)
        if block.minus:
            b0, b1 = b1, b0
        eased = share * share * (3 - 2 * share)
        return a0 + (b0 - a0) * eased, a1 + (b1 - a1) * eased

    def at(self, x: float, y: float) -> int:
        """Return the number (from 1; 0: none) of the narrowest block at a point."""
        a, b, best, width = self.bar(A), self.bar(B), 0, float("inf")
        if not a.x - 1 <= x <= a.right + 1:
            return best
        for k, block in enumerate(self.answer.blocks, 1):
            if a.foot < y < b.y and block.result is not None:
                sides = self.sides(block, (y - a.foot) / (b.y - a.foot))
            elif (axis := B if y >= b.y else A if y <= a.foot else None) is not None and block.size[axis]:
                sides = self.ends(block, axis)
            else:
                continue
            left, right = sorted(sides)
            if left - 1 <= x <= right + 1 and right - left < width:
                best, width = k, right - left
        return best


def longest(answer: RearrangedAnswer) -> int:
    return max(len(answer.a), len(answer.b), 1)


def face_of(block: CollinearBlock) -> Face:
    """Return the colours of the kind of a block, as in the legend."""
    return FACES[kind_of(SIGNS[block.kind])]


def draw_ribbons(drawing: Drawing, ribbons: Ribbons, current: int, metrics: QFontMetricsF) -> None:
    """Draw rulers, bars and ribbons.

    Args:
        current: number of the current block, from 1; 0: none. metrics: font metrics of the rulers' numbers.
    """
    blocks = list(enumerate(ribbons.answer.blocks, 1))
    order = sorted(blocks, key=lambda each: each[0] == current)
    n_points = FEW_POINTS if len(order) > MANY else POINTS
    for k, block in order:
        if block.result is not None and (ribbons.sees(block, A) or ribbons.sees(block, B)):
            _draw_ribbon(drawing, ribbons, block, k == current, n_points)
    for axis in (A, B):
        for k, block in order:
            if block.size[axis] and block.copy_in != ("B", "A")[axis] and ribbons.sees(block, axis):
                _draw_bar(drawing, ribbons, block, axis, k == current)
    whole, bar = ribbons.box, ribbons.bar(A)
    if ribbons.window is not None:  # what goes on next to the room of the letters
        for x, right in ((whole.x, bar.x), (bar.right, whole.right)):
            drawing.rect(Box(x, whole.y, right - x, whole.high), Ink.BASE)
    for axis in (A, B):
        _draw_ruler(drawing, ribbons, axis, metrics)
    taken = list[Box]()
    for k, block in reversed(order):
        box = None if block.result is None else _label(ribbons, block, k)
        if box is None or not bar.x <= box.middle.x <= bar.right:
            continue
        if not any(one.x < box.right and box.x < one.right for one in taken):
            taken.append(box.inset(-APART_PX, 0, -APART_PX, 0))
            pen = Pen(Ink.ACCENT, 2) if k == current else Pen(face_of(block).strong)
            drawing.rect(box, Ink.BASE, pen, rounded=box.high / 2)
            drawing.text(box, number(k), Font(LABEL_PX, bold=True), face_of(block).ink)


def _draw_ribbon(drawing: Drawing, ribbons: Ribbons, block: CollinearBlock, current: bool, n_points: int) -> None:
    top, foot = ribbons.bar(A).foot, ribbons.bar(B).y
    shares = np.linspace(0, 1, n_points).tolist()
    points = [(*ribbons.sides(block, share), top + share * (foot - top)) for share in shares]
    one, other = [(x, y) for x, _, y in points], [(x, y) for _, x, y in points]
    face = face_of(block)
    drawing.shape([*one, *reversed(other)], face.strong, CURRENT if current else FILLED)
    drawing.lines([one, other], Pen(Ink.ACCENT, 2) if current else Pen(face.strong))


def _draw_bar(drawing: Drawing, ribbons: Ribbons, block: CollinearBlock, axis: int, current: bool) -> None:
    """Draw a block of one sequence: an arrow, or a box if the other sequence lacks it."""
    bar, (left, right), face = ribbons.bar(axis), ribbons.ends(block, axis), face_of(block)
    if block.result is None:
        drawing.rect(Box(left, bar.y, right - left, bar.high), face.pale, Pen(face.strong))
    else:
        backwards = axis == B and block.minus
        part = Box(left, bar.y, right - left, bar.high)
        draw_part(drawing, part, (backwards, not backwards), face.strong, Pen(face.strong))
    if current:
        drawing.rect(Box(left, bar.y - 1, right - left, bar.high + 2), None, Pen(Ink.ACCENT, 2))


def _draw_ruler(drawing: Drawing, ribbons: Ribbons, axis: int, metrics: QFontMetricsF) -> None:
    bar, sequence = ribbons.bar(axis), (ribbons.answer.a, ribbons.answer.b)[axis]
    total = len(sequence)
    drawing.text(Box(ribbons.box.x + 8, bar.y, GUTTER_PX, bar.high), "AB"[axis], Font(NAME_PX, bold=True), align=LEFT)
    step = tick_step(total, ribbons.scale, metrics)
    seen = ribbons.letters
    for middle, text in ticks(seen.first, min(seen.end, total), total, step, sequence.orientation):
        x, y = ribbons.x(middle), bar.y - TICK_PX if axis == A else bar.foot
        drawing.lines([((x, y), (x, y + TICK_PX))], Pen(Ink.CONTROL))
        high = RULER_PX - TICK_PX
        drawing.text(Box(x - 50, y - high if axis == A else y + TICK_PX, 100, high), text, Font(LABEL_PX), Ink.DIM)


def _label(ribbons: Ribbons, block: CollinearBlock, k: int) -> Box:
    wide, high = LABEL_PX * usual_width(number(k), bold=True) + 9, LABEL_PX + 5.0
    x, y = sum(ribbons.sides(block, 0.5)) / 2, ribbons.box.middle.y
    return Box(x - wide / 2, y - high / 2, wide, high)
