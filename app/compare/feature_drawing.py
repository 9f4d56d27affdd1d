"""Features as bars with names, arrows and joined parts: a pure function of bars, window and size."""

from __future__ import annotations

from wavediff.app.compare.strip_levels import Window
from wavediff.app.compare.tracks.bars import N_ROWS, Bars
from wavediff.app.draw.drawing import MIDDLE, Box, Drawing, Font, Ink, Pen
from wavediff.app.draw.painter import em_width

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
    """Return fill and edge of a feature by its type, as GenBank, GFF3 or UniProt call it."""
    if kind in _CODING:
        return Ink.CODING, Ink.CODING_EDGE
    if kind in _RNA or kind.endswith("RNA"):
        return Ink.RNA, Ink.RNA_EDGE
    return (Ink.SITE, Ink.SITE_EDGE) if kind in _SITES else (Ink.OTHER, Ink.OTHER_EDGE)


def draw_bars(drawing: Drawing, box: Box, window: Window, bars: Bars, rows: int, caret: int, font_px: float) -> int:
    """Draw the bars of a window that are in the first ``rows`` rows; return how many others there are.

    Args:
        caret: bars at this column are those of now.
    """
    which = bars.touching(window.first, window.end)
    shown = which[bars.rows[which] < min(rows, N_ROWS)]
    for bar in shown.tolist():
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
    return int(which.size - shown.size)


def _across(box: Box, window: Window, low: int, end: int) -> tuple[float, float]:
    left, right = (box.x + box.wide * min(max(window.share(col), 0.0), 1.0) for col in (low, end))
    return left, right


def draw_part(drawing: Drawing, part: Box, arrow: tuple[bool, bool], fill: Ink, pen: Pen) -> None:
    """Draw a part, with an arrow's head at the left or right end."""
    if part.wide < MIN_ARROW_PX or not any(arrow):
        drawing.rect(part, fill, pen if part.wide > 2 * MIN_BAR_PX else None)
        return
    left, right = (part.x + HEAD_PX * arrow[0], part.right - HEAD_PX * arrow[1])
    tips = [(part.right, part.middle.y)] if arrow[1] else [], [(part.x, part.middle.y)] if arrow[0] else []
    corners = [(left, part.y), (right, part.y), *tips[0], (right, part.foot), (left, part.foot), *tips[1]]
    drawing.shape(corners, fill)
    drawing.lines([[*corners, corners[0]]], pen)
