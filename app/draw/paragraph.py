"""Paragraphs: text broken into lines at blanks."""

from __future__ import annotations

from wavediff.app.draw.drawing import LEFT, Align, Box, Drawing, Font
from wavediff.app.draw.scene_style import Style

LINE_EMS = 1.2  # from one line to the next


def lines_of(text: str, font: Font, wide: float, style: Style) -> list[str]:
    """Return the lines of a text; one word that is wider than ``wide`` is a line of its own.

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
    """Draw a text from the top of a box on; what has no room in it is drawn below."""
    high = LINE_EMS * font.px
    for place, line in enumerate(lines_of(text, font, box.wide, style)):
        drawing.text(Box(box.x, box.y + place * high, box.wide, high), line, font, align=align)
