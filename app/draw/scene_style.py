"""Sizes in scenes, and paragraphs."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from wavediff.app.draw.drawing import LEFT, Align, Box, Drawing, Font, Ink
from wavediff.core.teach.scene import Mark

READABLE_CELL_PX = 12  # a smaller cell is a shade
LETTERED_CELL_PX = 6  # next to smaller cells only new rows have a letter
LETTER_PX, LEAST_LETTER_PX = 10, 7  # next to small cells
HALL_TEXT_PX, HALL_CELL_PX = 24, 36  # 18 pt at 96 dpi: least text in a hall where all fits; a smaller cell is a shade
# Widths of letters in em, where no font can be measured: those of Verdana and DejaVu Sans, which are wide.
WIDTHS = {
    0.3: "'′ ,.IJijl·", 0.36: "-/:;\\f|", 0.4: "!()[]rt", 0.5: "\"*_`sz–", 0.55: "?Lc", 0.6: "FPTYaekovxy",
    0.7: "ABCRVXZ", 0.77: "DGHNUO", 0.85: "&Qw#+<=>M^~×→←↑↓≤≥¬⊕", 1.0: "%m@W—…",
}  # fmt: skip
WIDTH_OF = {letter: width for width, letters in WIDTHS.items() for letter in letters}
OTHER_WIDTH, WIDE_WIDTH, BOLD_RATIO, MONO_WIDTH = 0.65, 1.0, 1.1, 0.61
FILLS = {
    Mark.NEW: Ink.TINT,
    Mark.CITED: Ink.MISMATCH_PALE,
    Mark.WINNER: Ink.MISMATCH_PALE,
    Mark.SKIPPED: Ink.OUTSIDE,
    Mark.RISING: Ink.MISMATCH_PALE,
    Mark.FALLING: Ink.INSERTION_PALE,
    Mark.ON: Ink.DELETION_PALE,
    Mark.FAINT: Ink.BASE,
    Mark.PLAIN: Ink.RAISED,
}
PATH_FILL = Ink.INSERTION_PALE  # of cells on an optimal path


@lru_cache(maxsize=4096)
def usual_width(text: str, *, bold: bool = False, mono: bool = False) -> float:
    """Return the width of a text in common fonts, as a multiple of the font size."""

    def width(letter: str) -> float:
        if unicodedata.east_asian_width(letter) in "WF":
            return WIDE_WIDTH
        return MONO_WIDTH if mono else WIDTH_OF.get(letter, OTHER_WIDTH) * (BOLD_RATIO if bold else 1)

    return sum(map(width, text))


class Preset(Enum):
    """Size presets; ``value``: minimum text and cell size, maximum cell size, logical pixels at 1,080 lines."""

    DESK = (13, 1, 54)
    PANEL = (13, 22, 54)
    PROJECTOR = (26, 1, 112)
    PAPER = (12, 1, 40)
    PAGE = (18, 7, 54)


@dataclass(frozen=True, slots=True)
class Style:
    """Sizes of a preset.

    Attributes:
        scale: factor of the preset's sizes, for pictures and for screens with more than 1,080 lines.
        em_width: width of a text (``bold``, ``mono``) as a share of its font's size.
        pad: next to a text in a sheet, in em.
    """

    preset: Preset
    scale: float = 1.0
    em_width: Callable[..., float] = usual_width
    pad: float = 0.8

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
        """Minimum cell size for numbers."""
        return HALL_CELL_PX * self.scale if self.preset is Preset.PROJECTOR else READABLE_CELL_PX

    @property
    def least_text_px(self) -> float:
        """Minimum text size; 0: no minimum."""
        return HALL_TEXT_PX * self.scale if self.preset is Preset.PROJECTOR else 0.0

    def at_least(self, px: float) -> float:
        """Return the text size, raised to the minimum."""
        return max(px, self.least_text_px)


LINE_EMS = 1.2  # from one line to the next


def lines_of(text: str, font: Font, wide: float, style: Style) -> list[str]:
    """Wrap a text into lines; a word wider than ``wide`` gets its own line.

    >>> from wavediff.app.draw.scene_style import Preset
    >>> lines_of("what a hall reads", Font(10), 60, Style(Preset.PAPER))
    ['what a hall', 'reads']
    """

    def width(word: str) -> float:
        return style.em_width(word, bold=font.bold, mono=font.mono) * font.px

    lines: list[list[str]] = []
    for part in text.split("\n") if text else ():
        lines.append([])
        used = 0.0
        for word in part.split(" "):
            if lines[-1] and used + width(word) > wide:
                lines.append([])
                used = 0.0
            lines[-1].append(word)
            used += width(word) + width(" ")
    return [" ".join(words) for words in lines]


def paragraph_height(text: str, font: Font, wide: float, style: Style) -> float:
    return len(lines_of(text, font, wide, style)) * LINE_EMS * font.px


def draw_paragraph(drawing: Drawing, box: Box, text: str, font: Font, style: Style, align: Align = LEFT) -> None:
    """Draw a text from the top of a box, overflowing at the bottom."""
    high = LINE_EMS * font.px
    for place, line in enumerate(lines_of(text, font, box.wide, style)):
        drawing.text(Box(box.x, box.y + place * high, box.wide, high), line, font, align=align)
