"""Drawings as SVG elements, deduplicated over all frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.app.draw.drawing import (
    MIDDLE,
    Align,
    Box,
    Codes,
    Drawing,
    Font,
    Ink,
    Look,
    Mix,
    Pen,
    Point,
    Points,
    Shades,
    named_colours,
)

BASELINE_EMS = (0.95, 0.35)  # of a text at the top of its box, below the top; in the middle, below the middle
DASHES = "6 4"
ANCHORS = ("start", "middle", "end")  # "middle" is the usual one, which an element of all others names
GAP, VALUES = "~", re.compile(r'(?<= [xyd]=")[^"]*|(?<=width=")[^"]*|(?<="#c)\d+|(?<=id="c)\d+|(?<=>)[^<]+(?=</text>)')
EMPTY = "<g/>"  # element 0
FONTS = "Verdana, 'DejaVu Sans', system-ui, sans-serif"  # as wide as ``scene_style.WIDTHS``
MONO_FONTS = "ui-monospace, 'DejaVu Sans Mono', monospace"
Ids = npt.NDArray[np.int64]


class Svg:
    """Drawing that appends SVG elements to a pool.

    Args:
        colour: returns the SVG colour of an ink. mono: fixed-width fonts.

    Attributes:
        pool: elements. symbols: targets of ``use`` elements. size: bytes of both.
    """

    def __init__(self, colour: Callable[[Ink], str], mono: str = MONO_FONTS) -> None:
        self.pool, self.symbols, self.size = [EMPTY], list[str](), 0
        self._colour, self._mono = colour, mono
        self._places = {EMPTY: 0}
        self._symbol_of: dict[tuple[Look, float, int], str] = {}
        self._tables: dict[tuple[object, ...], tuple[Codes, Ids]] = {}
        self._texts: dict[tuple[object, ...], str] = {}
        self._drawn: list[list[int] | Ids] = []

    def take(self) -> Ids:
        """Return the pool indices of the elements drawn since the last call."""
        drawn, self._drawn = self._drawn, []
        return np.concatenate([np.zeros(0, np.int64), *(np.asarray(ids, np.int64) for ids in drawn)])

    def text_of(self, ids: Ids) -> str:
        return "".join(self.pool[place] for place in ids.tolist())

    def place(self, element: str) -> int:
        """Return the pool index of an element."""
        if element not in self._places:
            self._places[element] = len(self.pool)
            self.pool.append(element)
            self.size += len(element)
        return self._places[element]

    def _add(self, element: str) -> None:
        if not (self._drawn and isinstance(ids := self._drawn[-1], list)):
            self._drawn.append(ids := [])
        ids.append(self.place(element))

    def _stroke(self, pen: Pen | None) -> str:
        if pen is None:
            return ""
        dashes = f' stroke-dasharray="{DASHES}"' if pen.dashed else ""
        pale = f' stroke-opacity="{pen.opacity}"' if pen.opacity < 1 else ""
        return f' stroke="{self._colour(pen.ink)}" stroke-width="{_n(pen.thick)}"{dashes}{pale}'

    def rect(
        self, box: Box, fill: Ink | None = None, pen: Pen | None = None, rounded: float = 0.0, opacity: float = 1.0
    ) -> None:
        inside = "none" if fill is None else self._colour(fill)
        # Neighbours of one colour have no seam.
        corners = f' rx="{_n(rounded)}"' if rounded else "" if pen else ' shape-rendering="crispEdges"'
        pale = f' fill-opacity="{_n(opacity)}"' if opacity < 1 else ""
        self._add(f'<rect{_area(box)}{corners} fill="{inside}"{pale}{self._stroke(pen)}/>')

    def text(self, box: Box, text: str, font: Font, ink: Ink = Ink.TEXT, align: Align = MIDDLE) -> None:
        key = (box, text, font, ink, align)
        if text and key not in self._texts:
            self._texts[key] = self._text(*key)
        if text:
            self._add(self._texts[key])

    def _text(self, box: Box, text: str, font: Font, ink: Ink, align: Align) -> str:
        x, y = box.x + box.wide * align.across / 2, box.y + box.high * align.down / 2
        look = "" if align.across == 1 else f' text-anchor="{ANCHORS[align.across]}"'
        look += ' font-weight="bold"' if font.bold else ""
        look += f' font-family="{self._mono}"' if font.mono else ""
        look += "" if ink is Ink.TEXT else f' fill="{self._colour(ink)}"'
        words = re.sub(r"^ +|  +", lambda spaces: "\u00a0" * len(spaces[0]), " ".join(text.split("\n")))
        baseline = y + BASELINE_EMS[align.down] * font.px
        return f'<text x="{_n(x)}" y="{_n(baseline)}" font-size="{_n(font.px)}"{look}>{escape(words)}</text>'

    def lines(self, lines: Iterable[Points], pen: Pen) -> None:
        path = "".join("M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in line) for line in lines)
        self._add(f'<path d="{path}" fill="none"{self._stroke(pen)}/>')

    def shape(self, points: Points, fill: Ink, opacity: float = 1.0) -> None:
        path = "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
        pale = f' fill-opacity="{opacity}"' if opacity < 1 else ""
        self._add(f'<path d="M{path}z" fill="{self._colour(fill)}"{pale}/>')

    def cells(self, at: Point, cell: float, codes: Codes, look: Look) -> None:
        key, flat, (_, cols) = (at, cell, codes.shape, look), codes.ravel(), codes.shape
        before, kept = self._tables.get(key, (np.full(flat.size, -1), np.zeros(flat.size, np.int64)))
        ids = kept.copy()
        for place in np.flatnonzero(flat != before).tolist():  # of two steps in a row few cells differ
            x, y = at.x + place % cols * cell, at.y + place // cols * cell
            symbol = self._symbol(look, cell, int(flat[place]))
            ids[place] = self.place(f'<use href="#{symbol}" x="{_n(x)}" y="{_n(y)}"/>')
        self._tables[key] = flat.copy(), ids
        self._drawn.append(ids)

    def _symbol(self, look: Look, cell: float, code: int) -> str:
        key = look, cell, code
        if key not in self._symbol_of:
            self._symbol_of[key] = name = f"c{len(self.symbols)}"
            alone = Svg(self._colour, self._mono)
            look.draw(alone, Box(0, 0, cell, cell), code)
            self.symbols.append(f'<g id="{name}">{alone.text_of(alone.take())}</g>')
            self.size += len(self.symbols[-1])
        return self._symbol_of[key]

    def pixels(self, at: Point, cell: float, colours: Shades, palette: Sequence[Mix]) -> None:
        self.cells(at, cell, colours.astype(np.int64), _MixedLook(tuple(palette)))


@dataclass(frozen=True, slots=True)
class _MixedLook:
    """Cells of one colour each."""

    palette: tuple[Mix, ...]

    def draw(self, drawing: Drawing, box: Box, code: int) -> None:
        low, high, share = self.palette[code]
        assert isinstance(drawing, Svg)
        drawing.rect(box, low)
        if share:
            drawing.rect(box, high, opacity=share)


def svg_file(
    draw: Callable[[Drawing], object],
    size: tuple[float, float],
    wide_mm: float,
    metadata: Mapping[str, str],
    fonts: tuple[str, str],
) -> str:
    """Return a drawing as an SVG file in the light colours.

    Args:
        size: logical pixels. wide_mm: on paper. metadata: by name, ``Title`` and more.
        fonts: proportional and fixed width.
    """
    colours, (wide, high) = named_colours(dark=False), size
    svg = Svg(lambda ink: colours[ink], escape(fonts[1]))
    draw(svg)
    desc = "\n".join(f"{name}: {text}" for name, text in metadata.items() if name != "Title")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" '
        f'width="{wide_mm:.2f}mm" height="{wide_mm * high / wide:.2f}mm" viewBox="0 0 {_n(wide)} {_n(high)}" '
        f'text-anchor="middle" font-family="{escape(fonts[0])}" fill="{colours[Ink.TEXT]}">\n'
        f"<title>{escape(metadata['Title'])}</title>\n<desc>{escape(desc)}</desc>\n"
        f"<defs>{''.join(svg.symbols)}</defs>\n{svg.text_of(svg.take())}\n</svg>\n"
    )


def packed(elements: Iterable[str]) -> dict[str, Any]:
    """Compress elements as distinct ``forms`` and a ``pool``: one line per element with its form and parameters.

    >>> packed(['<use href="#c1" x="5" y="7"/>', '<use href="#c2" x="5" y="8"/>'])
    {'forms': ['<use href="#c~" x="~" y="~"/>'], 'pool': '0~1~5~7\\n0~2~5~8'}
    """
    forms: dict[str, int] = {}
    pool = []
    for element in elements:
        element = element.replace(GAP, f"&#{ord(GAP)};")
        values = VALUES.findall(element)
        form = forms.setdefault(VALUES.sub(GAP, element), len(forms))
        pool.append(GAP.join([str(form), *values]))
    return {"forms": list(forms), "pool": "\n".join(pool)}


def _n(value: float) -> str:
    return f"{round(value, 1):g}"


def _area(box: Box) -> str:
    return f' x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(max(0, box.wide))}" height="{_n(max(0, box.high))}"'
