"""Cells of tables and words: ground, number, mark and arrows; thousands of them as one picture made of tiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPolygonF

from wavediff.app.ui.stage.scene_style import Style, sized
from wavediff.core.teach.optimal_paths import DIAGONAL, LEFT, SWAP, UP
from wavediff.core.teach.scene import Mark

ARROWS_CELL_PX = 26  # a smaller cell has no arrows
NUMBER_SHARE, DIGIT_EMS = 0.45, 0.62  # size of a number, of its cell's; width of a digit, of the number's size
DOT_SHARE, SIGN_SHARE = 0.07, 0.12  # of a cell
FRAME_SHARE, RING_PX, HATCH_SHARE = 0.055, 2, 0.25
MAX_TILES = 4096  # that are kept of a style and size
UNKNOWN = 15  # state of a cell beside the marks: nothing is written in it yet
PICKED = 14  # chosen as an answer
STATE_BITS, ARROW_BITS = 4, 4
ON_PATH = 1 << (STATE_BITS + ARROW_BITS)
VALUE_SHIFT = STATE_BITS + ARROW_BITS + 1
VALUE_OFFSET = 1 << 31  # values may be negative

Codes = npt.NDArray[np.int64]
Pixels = npt.NDArray[np.uint32]


def coded(values: npt.NDArray[np.int32], states: npt.NDArray[np.uint8]) -> Codes:
    """Return what tells cells that look alike: ``value, on path, arrows, state`` in one number each."""
    found: Codes = (values.astype(np.int64) + VALUE_OFFSET) << VALUE_SHIFT | states
    found[states == UNKNOWN] = UNKNOWN
    return found


@dataclass(frozen=True, slots=True)
class CellLook:
    """Size of cells and of what is written in them; ``text``: of a value."""

    cell: float
    number_px: float
    text: Callable[[int], str] = str


def number_px(cell: float, most_letters: int, style: Style) -> float:
    """Return the size at which numbers of so many letters fit into a cell."""
    return min(style.at_least(NUMBER_SHARE * cell), 0.92 * cell / (DIGIT_EMS * max(1, most_letters)))


def paint_cell(painter: QPainter, box: QRectF, code: int, look: CellLook, style: Style) -> None:
    """Paint one cell; all states are told by a sign too, never by colour alone."""
    state = code & (1 << STATE_BITS) - 1
    theme = style.theme
    painter.setPen(QPen(theme.grid, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if state == UNKNOWN:
        painter.fillRect(box, theme.base)
        painter.drawRect(box.adjusted(0.5, 0.5, 0.5, 0.5))
        return
    mark = Mark.NEW if state == PICKED else Mark(state)
    on_path = bool(code & ON_PATH) and mark is Mark.PLAIN
    painter.fillRect(box, style.path_fill if on_path else style.fill(mark))
    painter.drawRect(box.adjusted(0.5, 0.5, 0.5, 0.5))
    _paint_sign(painter, box, mark, style)
    if state == PICKED or mark is Mark.SKIPPED:
        return
    if look.cell >= ARROWS_CELL_PX:
        _paint_arrows(painter, box, code >> STATE_BITS & (1 << ARROW_BITS) - 1, style)
    painter.setPen(theme.dim if mark is Mark.FAINT else theme.text)
    painter.setFont(sized(look.number_px, bold=on_path or mark in (Mark.NEW, Mark.ON)))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, look.text((code >> VALUE_SHIFT) - VALUE_OFFSET))


def _paint_sign(painter: QPainter, box: QRectF, mark: Mark, style: Style) -> None:
    theme, size = style.theme, box.width()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    sign = SIGN_SHARE * size
    if mark is Mark.NEW:
        thick = max(2.0, FRAME_SHARE * size)
        painter.setPen(QPen(theme.accent, thick))
        painter.drawRect(box.adjusted(thick / 2 + 1, thick / 2 + 1, -thick / 2, -thick / 2))
    elif mark is Mark.WINNER:
        painter.setPen(QPen(theme.text, RING_PX))
        painter.drawRect(box.adjusted(3, 3, -2, -2))
    elif mark is Mark.CITED:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.text)
        radius = max(1.0, DOT_SHARE * size)
        painter.drawEllipse(QPointF(box.right() - 2.5 * radius, box.bottom() - 2.5 * radius), radius, radius)
    elif mark is Mark.SKIPPED:
        painter.setPen(QPen(theme.hatch, 1))
        step = max(4.0, HATCH_SHARE * size)
        painter.setClipRect(box)
        painter.drawLines([
            QLineF(box.left() + k * step, box.bottom(), box.left() + k * step + size, box.top())
            for k in range(-int(size / step) - 1, int(size / step) + 1)
        ])  # fmt: skip
        painter.setClipping(False)
    elif mark in (Mark.RISING, Mark.FALLING):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.text)
        up = sign if mark is Mark.RISING else -sign
        middle = QPointF(box.right() - 1.8 * sign, box.top() + 1.8 * sign)
        painter.drawPolygon(
            QPolygonF([middle + QPointF(-sign, up / 2), middle + QPointF(sign, up / 2), middle - QPointF(0, up)])
        )
    elif mark is Mark.ON:
        painter.fillRect(QRectF(box.left() + 3, box.bottom() - 4, size - 5, 3), theme.text)


def _paint_arrows(painter: QPainter, box: QRectF, arrows: int, style: Style) -> None:
    """Short arrows at the sides that a cell may come from; a swap's has two strokes."""
    if not arrows:
        return
    long, head = 0.17 * box.width(), 0.08 * box.width()
    corner, top = box.topLeft() + QPointF(3, 3), QPointF(box.center().x(), box.top() + 2)
    left = QPointF(box.left() + 2, box.center().y())
    lines: list[QLineF] = []
    if arrows & (DIAGONAL | SWAP):
        lines += [QLineF(corner, corner + QPointF(long, long)), QLineF(corner, corner + QPointF(1.4 * head, 0)),
                  QLineF(corner, corner + QPointF(0, 1.4 * head))]  # fmt: skip
    if arrows & SWAP:
        off = QPointF(0.09 * box.width(), 0)
        lines.append(QLineF(corner + off, corner + off + QPointF(long, long)))
    if arrows & UP:
        lines += [QLineF(top, top + QPointF(0, long)), QLineF(top, top + QPointF(-head, head)),
                  QLineF(top, top + QPointF(head, head))]  # fmt: skip
    if arrows & LEFT:
        lines += [QLineF(left, left + QPointF(long, 0)), QLineF(left, left + QPointF(head, -head)),
                  QLineF(left, left + QPointF(head, head))]  # fmt: skip
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(style.theme.dim, max(1.0, box.width() / 40)))
    painter.drawLines(lines)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


class CellTiles:
    """Pictures of cells that look alike, painted once and put together: 10,000 cells take some milliseconds.

    Args:
        look, style: of the cells. ratio: device pixels a logical pixel.
    """

    def __init__(self, look: CellLook, style: Style, ratio: float) -> None:
        self._look, self._style, self._ratio = look, style, ratio
        self._px = max(1, round(look.cell * ratio))
        self._codes = np.zeros(0, np.int64)  # sorted; tile k of ``_tiles`` is that of code k
        self._tiles = np.zeros((self._px, 0, self._px), np.uint32)

    def draw(self, painter: QPainter, at: QPointF, codes: Codes) -> None:
        """Draw cells from ``at`` on; ``codes``: shape (rows, cols), see ``coded``."""
        px, (rows, cols) = self._px, codes.shape
        if codes.size == 0:
            return
        if self._codes.size > MAX_TILES:
            self._codes, self._tiles = self._codes[:0], self._tiles[:, :0]
        places = self._places(codes)
        pixels = np.empty((rows, px, cols, px), np.uint32)
        for row, line in enumerate(places):
            np.take(self._tiles, line, axis=1, out=pixels[row], mode="clip")  # "raise" would copy once more
        image = QImage(pixels.data.cast("B"), cols * px, rows * px, 4 * cols * px, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self._ratio)
        painter.drawImage(at, image)

    def _places(self, codes: Codes) -> npt.NDArray[np.intp]:
        if self._codes.size:
            places = np.searchsorted(self._codes, codes)
            places[places == self._codes.size] = 0
            missing = codes[self._codes[places] != codes]
        else:
            missing = codes.ravel()
        if missing.size:
            self._add(missing)
            places = np.searchsorted(self._codes, codes)
        return places

    def _add(self, missing: npt.NDArray[np.int64]) -> None:
        kept = self._codes
        new = np.sort(missing)  # np.unique would import numpy.ma, for 25 ms
        new = new[np.concatenate(([True], new[1:] != new[:-1]))]
        tiles = self._painted(new.tolist())
        order = np.argsort(np.concatenate([kept, new]), kind="stable")
        self._codes = np.concatenate([kept, new])[order]
        self._tiles = np.ascontiguousarray(np.concatenate([self._tiles[:, : kept.size], tiles], axis=1)[:, order])

    def _painted(self, codes: list[int]) -> Pixels:
        """Return tiles, side by side: shape (height, tiles, width)."""
        px, size = self._px, self._px / self._ratio
        image = QImage(len(codes) * px, px, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self._ratio)
        painter = QPainter(image)
        for place, code in enumerate(codes):  # what leaves a tile at its right is painted over by the next one
            paint_cell(painter, QRectF(place * size, 0, size, size), code, self._look, self._style)
        painter.end()
        return np.frombuffer(image.constBits(), np.uint32).reshape(px, len(codes), px).copy()
