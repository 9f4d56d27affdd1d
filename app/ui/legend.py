"""Legends, and symbols of the kinds of differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.alignment import APART, LETTER, SWAP, Op

KIND_PX = 16
FOOT_PX = 3
_LETTERS = f"{LETTER}×?M+−2"  # by operation
MOVED, PLUS, MINUS, DUPLICATED = range(len(_LETTERS) - 4, len(_LETTERS))  # signs of blocks, of lines too
_COLOURS = {MOVED: SWAP, PLUS: Op.INSERTION, MINUS: Op.MISMATCH, DUPLICATED: APART}  # whose they have


def kind_of(sign: int) -> int:
    """Return the kind of difference whose colours a symbol has."""
    return _COLOURS.get(sign, sign)


def paint_swatch(painter: QPainter, box: QRectF, op: int, theme: Theme, *, on: bool = True) -> None:
    """Paint the symbol of an ``Op``, ``SWAP``, ``APART`` or block into ``box``; outlined if off."""
    colours = theme.kind(kind_of(op))
    painter.save()
    if on:
        painter.fillRect(box, colours.pale)
        painter.fillRect(QRectF(box.left(), box.bottom() - FOOT_PX, box.width(), FOOT_PX), colours.strong)
    else:
        painter.setPen(QPen(theme.control, 1))
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    font = QFont(painter.font())
    font.setPixelSize(max(1, round(box.height() * 0.66)))
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(colours.ink if on else theme.dim)
    letter = _LETTERS[op]
    painter.drawText(box.adjusted(0, -1, 0, 1 - FOOT_PX), int(Qt.AlignmentFlag.AlignCenter), letter)
    painter.restore()


SWATCH_PX, ROW_PX = 12, 24
TEXT_PX, GAP_PX = 6, 16  # from a sign to its text, from there to the next one


class Sign(NamedTuple):
    """Symbol with its meaning; ``width``: of its box in pixels."""

    paint: Callable[[QPainter, QRectF], object]
    text: str
    width: int = SWATCH_PX


class Legend(QWidget):
    """Args: name: of the legend for screen readers. height: of a symbol in pixels. quiet: dimmed text."""

    def __init__(self, name: str, theme: Theme, *, height: int = SWATCH_PX, quiet: bool = False) -> None:
        super().__init__()
        self._name, self._theme, self._height, self._quiet = name, theme, height, quiet
        self._signs: Sequence[Sign] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)  # more lines than hinted
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    def set_signs(self, signs: Sequence[Sign]) -> None:
        self._signs = signs
        self.setAccessibleName(f"{self._name}: {', '.join(sign.text for sign in signs)}")
        self.updateGeometry()
        self.update()

    def _places(self, whole: int) -> list[tuple[Sign, int, int]]:
        """Return (symbol, left, line) for each entry at width ``whole``."""
        places, left, line, metrics = [], 0, 0, QFontMetrics(self._theme.small_font)
        for sign in self._signs:
            width = sign.width + TEXT_PX + metrics.horizontalAdvance(sign.text)
            if left + width > whole and left:
                left, line = 0, line + 1
            places.append((sign, left, line))
            left += width + GAP_PX
        return places

    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return ROW_PX * (1 + places[-1][2]) if places else 0

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(240, self.width())))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._theme.small_font)  # and not one that a style sheet may have set meanwhile
        for sign, left, line in self._places(self.width()):
            sign.paint(painter, QRectF(left, line * ROW_PX + (ROW_PX - self._height) / 2, sign.width, self._height))
            painter.setPen(self._theme.dim if self._quiet else self._theme.text)
            place = QRectF(left + sign.width + TEXT_PX, line * ROW_PX, self.width(), ROW_PX)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, sign.text)
