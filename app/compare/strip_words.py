"""Features as bars in the zoom strip, and its texts for screen readers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from wavediff.app.compare.strip_levels import Window
from wavediff.app.compare.tracks.bars import N_ROWS, Bars
from wavediff.app.compare.tracks.track import BySide, Track
from wavediff.app.draw.drawing import MIDDLE, Box, Drawing, Font, Ink, Pen
from wavediff.app.draw.painter import QtDrawing, em_width
from wavediff.app.ui.glyphs import as_image
from wavediff.app.ui.lanes import draw_lanes
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, localized, number
from wavediff.core.jobs.alignment import APART, SWAP, Op
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.column_counts import column_counts
from wavediff.core.sequences.spans import CODING

ROW_PX = 18  # height of a row, and what is free of it
FREE_PX = 3
HEAD_PX, MIN_ARROW_PX = 5, 9  # length of an arrow's head; narrower bars have none
MIN_BAR_PX = 2
BESIDE_NAME_PX = 12
PX_OF_A_BAR = 6  # of width; where bars have less, their density is drawn

_RNA = frozenset({"HELIX", "STRAND", "TURN"})
_SITES = frozenset({
    "regulatory", "promoter", "terminator", "enhancer", "RBS", "rep_origin", "oriT", "misc_binding", "protein_bind",
    "primer_bind", "primer", "polyA_site", "stem_loop", "repeat_region", "mobile_element", "variation", "BINDING",
    "ACT_SITE", "SITE", "MOD_RES", "CARBOHYD", "DISULFID", "LIPID", "MOTIF", "DNA_BIND", "ZN_FING", "CROSSLNK",
})  # fmt: skip
_CODING = frozenset({
    "CDS", "gene", "mRNA", "exon", "transcript", "mat_peptide", "sig_peptide", "transit_peptide", "V_segment",
    "CHAIN", "PEPTIDE", "PROPEP", "SIGNAL", "TRANSIT", "DOMAIN",
})  # fmt: skip


def colours_of(kind: str) -> tuple[Ink, Ink]:
    """Return fill and edge colour of a feature by its type in GenBank, GFF3 or UniProt."""
    if kind in _CODING:
        return Ink.CODING, Ink.CODING_EDGE
    if kind in _RNA or kind.endswith("RNA"):
        return Ink.RNA, Ink.RNA_EDGE
    return (Ink.SITE, Ink.SITE_EDGE) if kind in _SITES else (Ink.OTHER, Ink.OTHER_EDGE)


def draw_bars(drawing: Drawing, box: Box, window: Window, bars: Bars, rows: int, caret: int, font_px: float) -> int:
    """Draw the bars of the first ``rows`` rows in a window; return the number of hidden bars.

    Args:
        caret: column of the caret; bars there are highlighted.
    """
    which = bars.touching(window.first, window.end)
    in_rows = which[bars.rows[which] < min(rows, N_ROWS)]
    for bar in in_rows.tolist():
        row = int(bars.rows[bar])
        name, kind, projected = bars.named(bar)
        fill, edge = colours_of(kind)
        here = bool(bars.columns.starts[bar] <= caret < bars.columns.ends[bar])
        ink = Ink.DIM if projected else Ink.TEXT
        fill, ink = (Ink.ACCENT, Ink.BASE) if here else (Ink.BASE if projected else fill, ink)
        top, high = box.y + row * ROW_PX, ROW_PX - FREE_PX
        pen = Pen(edge, 1.0, dashed=projected)
        strand = bars.strand(bar)
        some = slice(int(bars.first[bar]), int(bars.last[bar]))
        parts = sorted(zip(bars.parts.starts[some].tolist(), bars.parts.ends[some].tolist(), strict=True))
        middle, widest = top + high / 2, Box(0, 0, 0, 0)
        places = [_across(box, window, low, end) for low, end in parts]
        if len(places) > 1:
            drawing.lines([((places[0][0], middle), (places[-1][1], middle))], pen)
        for k, (left, right) in enumerate(places):
            if right <= box.x or left >= box.right:
                continue
            starts, ends = parts[k][0] >= window.first, parts[k][1] <= window.end  # else it goes on out of sight
            arrow = starts and strand < 0 and k == 0, ends and strand > 0 and k == len(places) - 1
            part = Box(left, top, max(MIN_BAR_PX, right - left), high)
            draw_part(drawing, part, arrow, fill, pen)
            widest = max(widest, part, key=lambda one: one.wide)
        if em_width(name) * font_px + BESIDE_NAME_PX <= widest.wide:
            drawing.text(widest, name, Font(font_px), ink, MIDDLE)
    return int(which.size - in_rows.size)


def _across(box: Box, window: Window, low: int, end: int) -> tuple[float, float]:
    left, right = (box.x + box.wide * min(max(window.share(col), 0.0), 1.0) for col in (low, end))
    return left, right


def draw_part(drawing: Drawing, part: Box, arrow: tuple[bool, bool], fill: Ink, pen: Pen) -> None:
    """Draw a part with an arrow head at the left or right end."""
    if part.wide < MIN_ARROW_PX or not any(arrow):
        drawing.rect(part, fill, pen if part.wide > 2 * MIN_BAR_PX else None)
        return
    left, right = (part.x + HEAD_PX * arrow[0], part.right - HEAD_PX * arrow[1])
    tips = [(part.right, part.middle.y)] if arrow[1] else [], [(part.x, part.middle.y)] if arrow[0] else []
    corners = [(left, part.y), (right, part.y), *tips[0], (right, part.foot), (left, part.foot), *tips[1]]
    drawing.shape(corners, fill)
    drawing.lines([[*corners, corners[0]]], pen)


MAX_NAMES = 3  # of spans behind a pixel, and parts of one
NOTES = ("product", "note", "Note", "function")  # attributes that say what a feature is
MAX_NOTE = 120


def short_count(n: int) -> str:
    """Return a number of columns as text; from 100,000 on rounded, with the unit k or M.

    >>> [short_count(n) for n in (5_000, 500_000, 50_000_000)]
    ['5,000', '500 k', '50 M']
    """
    if n >= 999_500:
        return f"{localized(f'{n / 1e6:,.0f}' if n >= 999.5e6 else f'{n / 1e6:.3g}')} M"
    return f"{localized(f'{n / 1e3:.3g}')} k" if n >= 100_000 else number(n)


def ends_of(index: AlignmentIndex, window: Window) -> tuple[str, str]:
    """Return the first and last letter of A in a window, 1-based."""
    first, end = int(window.first), int(np.ceil(window.end))
    return (
        number(min(index.letters_before(first)[0] + 1, max(1, index.n_a))),
        number(max(1, index.letters_before(end)[0])),
    )


def describe_columns(index: AlignmentIndex, first: int, end: int, tracks: Mapping[Track, BySide]) -> str:
    """Describe columns ``[first, end)``: position, letters of each kind, spans; one line each."""
    counts = column_counts(index, np.array([first, end]))[:, 0].tolist()
    low, high = ends_of(index, Window(first, end - first))
    lines = [f"A {low} to {high}" if low != high else f"A {low}"]
    if n := counts[Op.MISMATCH]:
        lines.append(count(n, "letter substituted", "letters substituted"))
    if n := counts[Op.INSERTION]:
        lines.append(count(n, "letter inserted", "letters inserted"))
    if n := counts[Op.DELETION]:
        lines.append(count(n, "letter deleted", "letters deleted"))
    if n := counts[SWAP]:
        lines.append(count(n, "letter in swaps", "letters in swaps"))
    if n := counts[APART]:
        lines.append(count(n, "letter unknown, not counted", "letters unknown, not counted"))
    aligned = index.aligned_columns
    if end <= aligned[0] or first >= aligned[1]:
        lines.append("Overhang, no edit")
    elif len(lines) == 1:
        lines.append("No difference here")
    for track, by_side in tracks.items():
        for side, spans in by_side.items():
            features = dict.fromkeys(spans.owned(spans.touching(first, end)).tolist())
            if features:
                names = ", ".join(spans.feature(k).called for k in islice(features, MAX_NAMES) if spans.names)
                text = f"{count(len(features), track.noun, track.nouns)} in {side}"
                lines.append(f"{text}: {names}" if names else text)
    return "\n".join(lines)


def feature_words(bars: Bars, side: Side, bar: int) -> str:
    """Describe a feature: name, type and strand, position, attributes; one line each."""
    feature = bars.spans.feature(int(bars.columns.owners[bar]))
    places = [bars.sequence.stretch(*part) for part in feature.parts]
    parts = [f"{number(start + 1)} to {number(end)}" for start, end in places[:MAX_NAMES]]
    if len(places) > MAX_NAMES:
        parts.append(f"{count(len(places) - MAX_NAMES, 'part', 'parts')} more")
    letters = count(sum(end - start for start, end in feature.parts), "letter", "letters")
    lines = [bars.called(bar), f"{side} {', '.join(parts)} · {letters}"]
    lines += [f"Projected from {side.other}: {side} has no features"] * bars.named(bar)[2]
    lines += [f"Genetic code {feature.table}"] * (feature.type == CODING)
    notes = dict.fromkeys(feature.attributes.get(key, "") for key in NOTES)
    return "\n".join([*lines, *(printable(note, MAX_NOTE) for note in notes if note not in ("", feature.name))])


REACH_PX = 2  # next to a bar that is pointed at
LABEL_PX = 11


class FeatureRows:
    """Rows of feature bars for both sequences: named bars, or a density plot if too many.

    Attributes:
        most: maximum number of rows per sequence; if 1, a sequence with projected features only has none.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.bars: Mapping[Side, Bars] = {}
        self.most = N_ROWS - 1

    def height(self, side: Side) -> int:
        """Return the height of a sequence's rows in logical pixels; 0 without features."""
        rows = self._rows(side)
        return rows * ROW_PX + FREE_PX if rows else 0

    def _rows(self, side: Side) -> int:
        bars = self.bars.get(side)
        if bars is None or (self.most == 1 and not bars.n_own):
            return 0
        return min(self.most, bars.n_rows)

    def draw(self, painter: QPainter, side: Side, area: QRectF, window: Window, caret: int, ratio: float) -> None:
        """Draw the rows of a sequence with their labels."""
        if not self._rows(side):
            return
        bars, theme = self.bars[side], self._theme
        if bars.columns.count(window.first, window.end) > area.width() / PX_OF_A_BAR:
            width, height = round(area.width() * ratio), round((area.height() - FREE_PX) * ratio)
            first, end = window.pixels(width)
            counts = bars.columns.covered(first, end)[None]
            pixels = draw_lanes(counts, end - first, [(theme.done, False)], (height, 1), theme.base, theme.grid)
            painter.drawImage(area.topLeft(), as_image(pixels, ratio))
            hidden = 0
        else:
            painter.save()
            painter.setClipRect(area.adjusted(-1, -1, 1, 1))
            box = Box(area.x(), area.y() + 1, area.width(), area.height())
            drawing = QtDrawing(painter, theme)
            hidden = draw_bars(drawing, box, window, bars, self._rows(side), caret, LABEL_PX)
            painter.restore()
        texts = [f"Features {side}", *([f"+{number(hidden)}"] if hidden else [])]
        painter.setPen(theme.dim)
        painter.setFont(theme.small_font)
        row = QRectF(4, area.top(), area.left() - 12, ROW_PX)
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if self._rows(side) == 1:
            texts = [" ".join(texts)] if not hidden else [f"{side} {texts[1]}"]
        for text in texts:
            painter.drawText(row, flags, text)
            row.translate(0, ROW_PX)

    def at(self, side: Side, area: QRectF, window: Window, point: QPointF) -> int | None:
        """Return the bar at a point; None without one or in a density plot."""
        if not self._rows(side) or not area.contains(point):
            return None
        bars, row = self.bars[side], int((point.y() - area.top() - 1) // ROW_PX)
        if bars.columns.count(window.first, window.end) > area.width() / PX_OF_A_BAR:
            return None
        scale = window.span / area.width()
        col = window.first + (point.x() - area.left()) * scale
        near = bars.touching(col - REACH_PX * scale, col + REACH_PX * scale)
        near = near[bars.rows[near] == row]
        apart = np.maximum(bars.columns.starts[near] - col, col - bars.columns.ends[near])
        return int(near[np.argmin(apart)]) if near.size else None
