"""Colours and sizes in which scenes are painted: on a desk, in a small panel, in a hall, on paper."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QGuiApplication

from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.alignment import Op
from wavediff.core.teach.scene import Mark

EM_PX = 100  # size at which texts are measured once
READABLE_CELL_PX = 12  # a smaller cell is a shade
LETTERED_CELL_PX = 6  # beside smaller cells only what is new has its letter
LETTER_PX, LEAST_LETTER_PX = 10, 7  # beside small cells
HALL_TEXT_PX, HALL_CELL_PX = 24, 40  # 18 pt at 96 dpi: in a hall no text is smaller; a smaller cell is a shade


class Preset(Enum):
    """Sizes; ``value``: least size of a text and of a cell and largest cell, logical pixels at 1,080 lines."""

    DESK = (13, 1, 54)
    PANEL = (13, 22, 54)
    PROJECTOR = (26, 1, 112)
    PAPER = (12, 1, 40)


@dataclass(frozen=True, slots=True)
class Style:
    """Colours of a theme and sizes of a preset.

    Attributes:
        scale: of the preset's sizes: of a picture, or of a screen of more lines than 1,080.
    """

    theme: Theme
    preset: Preset
    scale: float = 1.0

    @property
    def text_px(self) -> float:
        return self.preset.value[0] * self.scale

    @property
    def least_cell_px(self) -> float:
        return self.preset.value[1] * self.scale

    @property
    def most_cell_px(self) -> float:
        return self.preset.value[2] * self.scale

    @property
    def readable_cell_px(self) -> float:
        """Size of the smallest cell that a number is written in."""
        return HALL_CELL_PX * self.scale if self.preset is Preset.PROJECTOR else READABLE_CELL_PX

    @property
    def least_text_px(self) -> float:
        """Size of the smallest text, whatever it stands beside; 0: as it comes."""
        return HALL_TEXT_PX * self.scale if self.preset is Preset.PROJECTOR else 0.0

    def at_least(self, px: float) -> float:
        """Return the size of a text that is wanted to be so large."""
        return max(px, self.least_text_px)

    def fill(self, mark: Mark) -> QColor:
        """Return the ground of a cell that is known."""
        theme = self.theme
        return {
            Mark.NEW: theme.tint,
            Mark.CITED: theme.kind(Op.MISMATCH).pale,
            Mark.WINNER: theme.kind(Op.MISMATCH).pale,
            Mark.SKIPPED: theme.outside,
            Mark.RISING: theme.kind(Op.MISMATCH).pale,
            Mark.FALLING: theme.kind(Op.INSERTION).pale,
            Mark.ON: theme.kind(Op.DELETION).pale,
            Mark.FAINT: theme.base,
        }.get(mark, theme.raised)

    @property
    def path_fill(self) -> QColor:
        """Return the ground of cells on an optimal path."""
        return self.theme.kind(Op.INSERTION).pale


def sized(px: float, *, bold: bool = False, mono: bool = False) -> QFont:
    """Return the program's font, or that of fixed width, at a size in logical pixels."""
    fixed = QFontDatabase.SystemFont.FixedFont
    font = QFontDatabase.systemFont(fixed) if mono else QFont(QGuiApplication.font())
    font.setPixelSize(max(1, round(px)))
    font.setBold(bold)
    return font


@lru_cache(maxsize=4096)
def em_width(text: str, *, bold: bool = False, mono: bool = False) -> float:
    """Return the width of a text as a share of its font's size."""
    return QFontMetricsF(sized(EM_PX, bold=bold, mono=mono)).horizontalAdvance(text) / EM_PX
