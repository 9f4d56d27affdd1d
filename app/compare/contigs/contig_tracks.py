"""Drawing of contigs along A (arrows, coverage, gaps) as a pure function of positions, window and size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QFontMetricsF

from wavediff.app.compare.lines.lines_drawing import ADDED, CHANGED
from wavediff.app.compare.strip_drawing import LEFT_PX, RIGHT_PX
from wavediff.app.compare.strip_levels import Window
from wavediff.app.compare.strip_words import draw_part
from wavediff.app.draw.drawing import LEFT, MIDDLE, RIGHT, Box, Drawing, Font, Ink, Pen, Point, Size
from wavediff.app.draw.painter import em_width, sized
from wavediff.app.ui.block_map.map_ticks import tick_step, ticks
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import number
from wavediff.core.jobs.contigs import ContigsResult, Placement

RULER_PX, A_PX, BETWEEN_PX, TRACK_PX, ARROW_PX, COVERAGE_PX, GAPS_PX = 20, 10, 8, 24, 18, 28, 30
MAX_TRACKS, MAX_DEPTH = 4, 4
MIN_GAP_PX, GAP_HIGH_PX, NARROW_PX, BESIDE_NUMBER_PX, FONT_PX = 3, 10, 4, 12, 11
STRANDS = ADDED, CHANGED  # colours of an arrow
NUMBERS = Font(FONT_PX)
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ContigTracks:
    """Placed contigs, sorted by first letter on A.

    Attributes:
        n: letters of A. placed: contigs along A. gaps: int64, first letter and end of each, shape (gaps, 2).
        contigs, starts, ends: int64, index in ``placed`` and range of each part; two parts across the origin of a
            circle.
        tracks: track of each part, from 0; neighbours differ. minus: whether each of ``placed`` is on the minus strand.
        until: running maximum of ``ends``.
        edges, depths: int64, number of contigs that cover A from each edge to the next.
    """

    n: int
    placed: tuple[Placement, ...]
    gaps: Counts
    contigs: Counts
    starts: Counts
    ends: Counts
    tracks: npt.NDArray[np.int8]
    minus: npt.NDArray[np.bool_]
    until: Counts
    edges: Counts
    depths: Counts

    @classmethod
    def of(cls, result: ContigsResult) -> ContigTracks:
        n, placed = result.n, tuple(result.placed)
        contigs, starts, ends = _linear(n, [(one.a[0].at, one.a[-1].at) for one in placed]).T
        order = np.argsort(starts, kind="stable")
        contigs, starts, ends = contigs[order], starts[order], ends[order]
        edges = np.unique(np.concatenate((starts, ends, [0, n])))
        depths = np.searchsorted(starts, edges, "right") - np.searchsorted(np.sort(ends), edges, "right")
        minus = np.array([one.minus for one in placed], np.bool_)
        until = np.maximum.accumulate(ends)
        gaps = np.sort(_linear(n, result.gaps)[:, 1:], 0)
        return cls(n, placed, gaps, contigs, starts, ends, _tracks(starts, ends), minus, until, edges, depths)

    @property
    def height(self) -> int:
        return self._coverage_top + COVERAGE_PX + GAPS_PX

    @property
    def _coverage_top(self) -> int:
        return _TRACKS_TOP + TRACK_PX * max(2, int(self.tracks.max(initial=0)) + 1) + BETWEEN_PX

    def touching(self, first: float, end: float) -> Counts:
        """Return the indices of the parts that overlap ``[first, end)``."""
        low, high = np.searchsorted(self.until, first, "right"), np.searchsorted(self.starts, end)
        near: Counts = low + np.flatnonzero(self.ends[low:high] > first)
        return near

    def at(self, x: float, y: float, wide: float, window: Window) -> int | None:
        """Return the contig at a point, or at most two pixels next to it."""
        letters = window.span / max(1.0, wide - LEFT_PX - RIGHT_PX)
        place = window.first + (x - LEFT_PX) * letters
        near = self.touching(place - 2 * letters, place + 2 * letters)
        near = near[self.tracks[near] == (y - _TRACKS_TOP) // TRACK_PX]
        off = np.maximum(self.starts[near] - place, place - self.ends[near])
        return int(self.contigs[near[off.argmin()]]) if near.size else None


_TRACKS_TOP = RULER_PX + A_PX + BETWEEN_PX


def _linear(n: int, places: Iterable[tuple[int, int]]) -> Counts:
    """Return number, start and end of each place, shape (places, 3); one across the origin gives two."""
    cut = [
        (k, *part)
        for k, (low, high) in enumerate(places)
        for part in ((low, min(high, n)), (0, high - n))
        if part[1] > 0
    ]
    return np.array(cut, np.int64).reshape(-1, 3)


def _tracks(starts: Counts, ends: Counts) -> npt.NDArray[np.int8]:
    """Assign a free track to each contig, different from that of the previous contig."""
    free, last, tracks = [0] * MAX_TRACKS, 1, np.zeros(starts.size, np.int8)
    for k, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        others = [1 - last if last < 2 else 0, *(track for track in range(2, MAX_TRACKS) if track != last)]
        last = next((track for track in others if free[track] <= start), min(others, key=free.__getitem__))
        tracks[k], free[last] = last, max(end, free[last])
    return tracks


def draw_contigs(drawing: Drawing, size: Size, tracks: ContigTracks, window: Window, current: int) -> None:
    """Draw the rows of a window; ``current``: index along A of the current contig; -1: none."""
    room = Box(LEFT_PX, 0, max(1.0, size.wide - LEFT_PX - RIGHT_PX), size.high)
    _draw_a(drawing, room, tracks, window, current)
    _draw_arrows(drawing, room, tracks, window, current)
    gaps = _gaps(tracks, window, room.wide)
    _draw_coverage(drawing, room, tracks, window, gaps)
    _draw_gaps(drawing, room, tracks, window, gaps)


def _draw_a(drawing: Drawing, room: Box, tracks: ContigTracks, window: Window, current: int) -> None:
    scale = room.wide / window.span
    step = tick_step(tracks.n, scale, QFontMetricsF(sized(FONT_PX)))
    for middle, text in ticks(window.first, window.end, tracks.n, step):
        x = room.x + scale * (middle - window.first)
        half = em_width(text) * FONT_PX / 2
        if room.x <= x - half and x + half <= room.right + RIGHT_PX:
            drawing.text(Box(x - half, 0, 2 * half, RULER_PX - 6), text, NUMBERS, Ink.DIM)
        drawing.rect(Box(x, RULER_PX - 5, 1, 4), Ink.CONTROL)
    bar = Box(room.x, RULER_PX, room.wide, A_PX)
    _label(drawing, bar, "A")
    drawing.rect(bar, Ink.DONE)
    own = np.flatnonzero(tracks.contigs == current)
    parts = _parts(bar, window, tracks.starts[own], tracks.ends[own], MIN_GAP_PX)
    for at in range(own.size):
        drawing.rect(parts.box(at), Ink.ACCENT)


def _draw_arrows(drawing: Drawing, room: Box, tracks: ContigTracks, window: Window, current: int) -> None:
    _label(drawing, Box(room.x, _TRACKS_TOP, room.wide, TRACK_PX), "Contigs")
    which = tracks.touching(window.first, window.end)
    if which.size > room.wide:  # of those that begin at one pixel the first
        pixels = np.round((tracks.starts[which] - window.first) * room.wide / window.span).astype(np.int64)
        first = np.full((int(pixels.max()) + 1 - min(0, int(pixels.min()))) * MAX_TRACKS, -1)
        first[((pixels - min(0, int(pixels.min()))) * MAX_TRACKS + tracks.tracks[which])[::-1]] = which[::-1]
        which = first[first >= 0]
    row, contigs = Box(room.x, _TRACKS_TOP + (TRACK_PX - ARROW_PX) / 2, room.wide, ARROW_PX), tracks.contigs[which]
    parts, on = _parts(row, window, tracks.starts[which], tracks.ends[which], 1), tracks.tracks[which]
    narrow, minus = parts.wide <= NARROW_PX, tracks.minus[contigs]
    for at in np.flatnonzero(~narrow | (contigs == current)).tolist():
        box, k, turned = parts.box(at).moved(Point(0, TRACK_PX * int(on[at]))), int(which[at]), bool(minus[at])
        if contigs[at] == current:
            drawing.rect(box.inset(-2, -2, -2, -2), None, Pen(Ink.ACCENT, 2), rounded=3)
        if narrow[at]:
            continue
        face = STRANDS[turned]
        heads = turned and tracks.starts[k] >= window.first, not turned and tracks.ends[k] <= window.end
        draw_part(drawing, box, heads, face.pale, Pen(face.strong))
        text = number(tracks.placed[int(contigs[at])].number)
        if em_width(text, bold=True) * FONT_PX + BESIDE_NUMBER_PX <= box.wide:
            drawing.text(box, text, Font(FONT_PX, bold=True), face.ink)
    for strand, face in enumerate(STRANDS):
        for track in range(MAX_TRACKS):
            some = parts.of(narrow & (minus == strand) & (on == track), TRACK_PX * track)
            _stripes(drawing, some, face.strong, 2)


def _draw_coverage(drawing: Drawing, room: Box, tracks: ContigTracks, window: Window, gaps: Counts) -> None:
    top, most = tracks._coverage_top, int(tracks.depths.max(initial=0))
    levels = min(max(2, most), MAX_DEPTH)
    high, foot = (COVERAGE_PX - 6) / levels, top + COVERAGE_PX
    _label(drawing, Box(room.x, top, room.wide, COVERAGE_PX), "Coverage")
    for level in (1, levels):
        more = "+" * (level < most and level == levels)
        drawing.rect(Box(room.x, foot - level * high, room.wide, 1), Ink.GRID)
        drawing.text(Box(room.x - 24, foot - level * high - 6, 18, 12), number(level) + more, NUMBERS, Ink.DIM, RIGHT)
    first, end = window.pixels(max(1, round(room.wide)))
    at = np.stack((np.searchsorted(tracks.edges, first, "right") - 1, np.searchsorted(tracks.edges, end)), 1)
    depths = np.minimum(np.maximum.reduceat(np.append(tracks.depths, 0), at.ravel())[::2], levels)
    cuts = np.flatnonzero(np.diff(depths, prepend=-1, append=-1)).tolist()
    for left, right in pairwise(cuts):
        depth = int(depths[left])
        part = Box(room.x + left, foot - depth * high, right - left, depth * high)
        drawing.rect(part, Ink.DONE)
        if depth > 1:
            drawing.rect(Box(part.x, part.y, part.wide, (depth - 1) * high), Ink.INSERTION_STRONG)
    once = Box(room.x, foot - high + 1, room.wide, high)
    _stripes(drawing, _parts(once, window, gaps[:, 0], gaps[:, 1], MIN_GAP_PX), Ink.BASE, MIN_GAP_PX)
    drawing.rect(Box(room.x, foot, room.wide, 1), Ink.CONTROL)


def _draw_gaps(drawing: Drawing, room: Box, tracks: ContigTracks, window: Window, gaps: Counts) -> None:
    row = Box(room.x, tracks._coverage_top + COVERAGE_PX + BETWEEN_PX, room.wide, GAP_HIGH_PX)
    _label(drawing, row, "Gaps")
    drawing.rect(Box(row.x, row.middle.y, row.wide, 1), Ink.GRID)
    free = 0.0
    parts = _parts(row, window, gaps[:, 0], gaps[:, 1], MIN_GAP_PX)
    _stripes(drawing, parts, Ink.DELETION_STRONG, MIN_GAP_PX)
    middles, sizes = parts.left + parts.wide / 2, gaps[:, 1] - gaps[:, 0]
    for middle, size in zip(middles.tolist(), sizes.tolist(), strict=True):
        if middle <= free:
            continue
        text = number(size)
        half = em_width(text) * FONT_PX / 2
        if free < middle - half and middle + half < room.right + RIGHT_PX:
            drawing.text(Box(middle - half, row.foot, 2 * half, 12), text, NUMBERS, Ink.DIM, MIDDLE)
            free = middle + half + 4


def _gaps(tracks: ContigTracks, window: Window, wide: float) -> Counts:
    """Return the gaps in a window, shape (gaps, 2); of those at the same pixel only the longest."""
    gaps = tracks.gaps
    gaps = gaps[(gaps[:, 1] > window.first) & (gaps[:, 0] < window.end)]
    pixels, sizes = ((gaps[:, 0] - window.first) * wide / window.span).astype(np.int64), gaps[:, 1] - gaps[:, 0]
    starts = np.flatnonzero(np.diff(pixels, prepend=-1 << 62))
    if not starts.size:
        return gaps
    longest = np.flatnonzero(sizes == np.repeat(np.maximum.reduceat(sizes, starts), np.diff(starts, append=sizes.size)))
    return gaps[longest[np.flatnonzero(np.diff(pixels[longest], prepend=-1 << 62))]]


class _Parts(NamedTuple):
    """Boxes in a row: float64, shape (boxes,), left edges and widths in pixels."""

    row: Box
    left: Floats
    wide: Floats

    def box(self, at: int) -> Box:
        return Box(float(self.left[at]), self.row.y, float(self.wide[at]), self.row.high)

    def of(self, some: npt.NDArray[np.bool_], down: float) -> _Parts:
        """Return the boxes of the mask ``some``, moved ``down`` pixels down."""
        return _Parts(self.row.moved(Point(0, down)), self.left[some], self.wide[some])


def _parts(row: Box, window: Window, starts: Counts, ends: Counts, least: float) -> _Parts:
    """Return the boxes of intervals of A in a row, at least ``least`` pixels wide."""
    left, right = (np.clip((side - window.first) / window.span, 0, 1) * row.wide + row.x for side in (starts, ends))
    wide = np.maximum(least, right - left)
    return _Parts(row, np.minimum(left, row.right - wide), wide)


def _stripes(drawing: Drawing, parts: _Parts, ink: Ink, thick: float) -> None:
    """Draw boxes at least ``thick`` pixels wide; overlapping boxes of minimum width are merged for speed."""
    row, thin = parts.row, parts.wide <= thick
    middles = np.sort((parts.left + parts.wide / 2)[thin])
    runs = np.flatnonzero(np.diff(middles, prepend=-np.inf) > thick)
    left = np.concatenate((parts.left[~thin], middles[runs] - thick / 2))
    right = np.concatenate(
        ((parts.left + parts.wide)[~thin], middles[np.append(runs, middles.size)[1:] - 1] + thick / 2)
    )
    for low, high in zip(left.tolist(), right.tolist(), strict=True):
        drawing.rect(Box(low, row.y, high - low, row.high), ink)


def _label(drawing: Drawing, row: Box, text: str) -> None:
    drawing.text(Box(8, row.y, row.x - 36, row.high), text, Font(FONT_PX, bold=len(text) == 1), Ink.DIM, LEFT)
