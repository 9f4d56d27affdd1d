"""Drawing of table and word cells: background, number, mark, arrows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavediff.app.draw.drawing import Box, Codes, Drawing, Font, Ink, Pen, Points, hatch
from wavediff.app.draw.scene_style import FILLS, PATH_FILL, Style
from wavediff.core.teach.questions import DIAGONAL, LEFT, SWAP, UP
from wavediff.core.teach.scene import Mark

ARROWS_CELL_PX = 26  # a smaller cell has no arrows
NUMBER_SHARE, DIGIT_EMS = 0.45, 0.62  # size of a number, of its cell's; width of a digit, of the number's size
DOT_SHARE, SIGN_SHARE = 0.07, 0.12  # of a cell
FRAME_SHARE, RING_PX, HATCH_SHARE = 0.055, 2, 0.25
UNKNOWN = 15  # state of a cell next to the marks: nothing is written in it yet
PICKED = 14  # chosen as an answer
STATE_BITS, ARROW_BITS = 4, 4
ON_PATH = 1 << (STATE_BITS + ARROW_BITS)
VALUE_SHIFT = STATE_BITS + ARROW_BITS + 1
VALUE_OFFSET = 1 << 31  # values may be negative


def coded(values: npt.NDArray[np.int32], states: npt.NDArray[np.uint8]) -> Codes:
    """Return a style code per cell from its value and state; the path and arrow bits are 0."""
    codes: Codes = (values.astype(np.int64) + VALUE_OFFSET) << VALUE_SHIFT | states
    codes[states == UNKNOWN] = UNKNOWN
    return codes


def number_px(cell: float, most_letters: int, style: Style) -> float:
    """Return the font size at which numbers of ``most_letters`` digits fit into a cell."""
    return min(style.at_least(NUMBER_SHARE * cell), 0.92 * cell / (DIGIT_EMS * max(1, most_letters)))


@dataclass(frozen=True, slots=True)
class CellLook:
    """Renderer of ``coded`` cells with numbers in one font size."""

    number_px: float

    def draw(self, drawing: Drawing, box: Box, code: int) -> None:
        state, edge = code & (1 << STATE_BITS) - 1, Box(box.x + 0.5, box.y + 0.5, box.wide, box.high)
        if state == UNKNOWN:
            drawing.rect(box, Ink.BASE)
            drawing.rect(edge, pen=Pen(Ink.GRID))
            return
        mark = Mark.NEW if state == PICKED else Mark(state)
        on_path = bool(code & ON_PATH) and mark is Mark.PLAIN
        drawing.rect(box, PATH_FILL if on_path else FILLS[mark])
        drawing.rect(edge, pen=Pen(Ink.GRID))
        _draw_sign(drawing, box, mark)
        if state == PICKED or mark is Mark.SKIPPED:
            return
        if box.wide >= ARROWS_CELL_PX:
            _draw_arrows(drawing, box, code >> STATE_BITS & (1 << ARROW_BITS) - 1)
        text, bold = str((code >> VALUE_SHIFT) - VALUE_OFFSET), on_path or mark in (Mark.NEW, Mark.ON)
        drawing.text(box, text, Font(self.number_px, bold), Ink.DIM if mark is Mark.FAINT else Ink.TEXT)


def _draw_sign(drawing: Drawing, box: Box, mark: Mark) -> None:
    size, sign = box.wide, SIGN_SHARE * box.wide
    if mark is Mark.NEW:
        thick = max(2.0, FRAME_SHARE * size)
        drawing.rect(box.inset(thick / 2 + 1, thick / 2 + 1, thick / 2, thick / 2), None, Pen(Ink.ACCENT, thick))
    elif mark is Mark.WINNER:
        drawing.rect(box.inset(3, 3, 2, 2), None, Pen(Ink.TEXT, RING_PX))
    elif mark is Mark.CITED:
        radius = max(1.0, DOT_SHARE * size)
        dot = Box(box.right - 3.5 * radius, box.foot - 3.5 * radius, 2 * radius, 2 * radius)
        drawing.rect(dot, Ink.TEXT, rounded=radius)
    elif mark is Mark.SKIPPED:
        drawing.lines(hatch(box, max(4.0, HATCH_SHARE * size)), Pen(Ink.HATCH))
    elif mark in (Mark.RISING, Mark.FALLING):
        up = sign if mark is Mark.RISING else -sign
        x, y = box.right - 1.8 * sign, box.y + 1.8 * sign
        drawing.shape(((x - sign, y + up / 2), (x + sign, y + up / 2), (x, y - up)), Ink.TEXT)
    elif mark is Mark.ON:
        drawing.rect(Box(box.x + 3, box.foot - 4, size - 5, 3), Ink.TEXT)


def _draw_arrows(drawing: Drawing, box: Box, arrows: int) -> None:
    """Draw short arrows from the predecessors of a cell; for a swap with two strokes."""
    if not arrows:
        return
    long, head = 0.17 * box.wide, 0.08 * box.wide
    lines: list[Points] = []
    if arrows & (DIAGONAL | SWAP):
        x, y = box.x + 3, box.y + 3
        lines += [((x, y), (x + long, y + long)), ((x + 1.4 * head, y), (x, y), (x, y + 1.4 * head))]
    if arrows & SWAP:
        off = box.x + 3 + 0.09 * box.wide
        lines.append(((off, box.y + 3), (off + long, box.y + 3 + long)))
    if arrows & UP:
        x, y = box.middle.x, box.y + 2
        lines += [((x, y), (x, y + long)), ((x - head, y + head), (x, y), (x + head, y + head))]
    if arrows & LEFT:
        x, y = box.x + 2, box.middle.y
        lines += [((x, y), (x + long, y)), ((x + head, y - head), (x, y), (x + head, y + head))]
    drawing.lines(lines, Pen(Ink.DIM, max(1.0, box.wide / 40)))
