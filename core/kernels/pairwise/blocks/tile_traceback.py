"""Traceback through tiles with stored borders: a tile is recomputed as machine words, then traced.

For devices that store borders of small tiles (``wavediff.gpu.pairwise.strips.strip_matrix``): row bits before every few
columns, and the bits passed down after every few rows. Columns are recomputed word by word by the steps of Kawanami and
Fujimoto, and of Myers, from the borders. The traceback is that of
``wavediff.core.kernels.pairwise.blocks.cell_traceback``.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit_callee, jit_with
from wavediff.core.jit.simd import LANES, WORD
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.blocks.cell_traceback import (
    TRACE_SLACK_BYTES,
    staggered,
    trace_cells,
    trace_matches,
)
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS
from wavediff.core.kernels.pairwise.edit import lane_columns as edit_lanes
from wavediff.core.kernels.pairwise.edit import word_columns as edit_words
from wavediff.core.kernels.pairwise.lcs import lane_columns as lcs_lanes
from wavediff.core.kernels.pairwise.lcs import word_columns as lcs_words
from wavediff.core.kernels.traceback.left_align import normalized_prefix
from wavediff.core.kernels.traceback.runs_from_trace import runs_of_trace_at

INSERTION, DELETION = int(Op.INSERTION), int(Op.DELETION)
ONE = np.uint64(1)


class TileWindow(NamedTuple):
    """Stored borders of some adjacent strips and their tiles.

    Attributes:
        v: uint64, shape (strips, parts, tiles, signs, words of a part's rows): rows before each tile's first column;
            the rows of a strip are split into parts.
        h: uint8, shape (strips, parts, panes, rows of tiles of a part, bytes of a pane, signs): bits passed down by the
            last row of a tile, one per column, first column in the highest bit, last sign first; the columns are split
            into panes.
        above: uint8, shape (bytes, signs): the bits of the row above the first strip, from ``first_above``.
        lo, hi: int64, shape (strips,): computed columns of each strip. above_hi: of the strip above the first.
        first: int64, shape (strips,): column of each strip's first tile and first byte; ``lo`` plus a multiple of
            ``width``. first_above: column of the first byte of ``above``.
        top: first row of the first strip. height: rows of a strip; rows, width: of a tile.
        enters: 1: ``h`` has the bits of the row above each part before the part's own; 0: they are at the end of the
            part above.
    """

    v: Words
    h: Letters
    above: Letters
    lo: Counts
    hi: Counts
    above_hi: int
    first: Counts
    first_above: int
    top: int
    height: int
    rows: int
    width: int
    enters: int


@jit_callee
def _bits(stream, first, limit, otherwise, out):  # type: ignore[no-untyped-def]
    """Write the bits from column ``first`` (a multiple of 8) to ``out``; ``otherwise`` from ``limit`` on."""
    n = max(0, min(out.size, limit - first))
    for k in range(n // 8):  # whole bytes, as vectors can take them
        byte = np.uint64(stream[(first >> 3) + k])
        for x in range(8):
            out[8 * k + x] = byte >> np.uint64(7 - x) & ONE
    for c in range(n // 8 * 8, n):
        out[c] = np.uint64(stream[(first + c) >> 3] >> (7 - (c & 7)) & 1)
    out[n:] = otherwise


@jit_callee
def _entering(delta_bits, window, s, tile, sign, left, out):  # type: ignore[no-untyped-def]
    """Write the carries into tile row ``tile`` of strip s from column ``left``."""
    # Where nothing was computed: no growth, or one edit more a column.
    nothing = ONE if len(delta_bits) == EDIT_SIGNS and sign == 0 else np.uint64(0)
    last = len(delta_bits) - 1
    if tile == 0 and s == 0 and not window.enters:
        first = window.first_above
        _bits(window.above[:, last - sign], left - first, window.above_hi - first, nothing, out)
        return
    _, parts, _, rows, size, _ = window.h.shape
    row = tile - 1 + window.enters
    high = left + out.size
    if row < 0:
        s, row = s - 1, parts * rows - 1
        high = window.hi[s]
    first = window.first[s]
    pane = min((left - first) // (8 * size), window.h.shape[2] - 1)
    first += pane * 8 * size
    stream = window.h[s, row // rows, pane, row % rows, :, last - sign]
    _bits(stream, left - first, high - first, nothing, out)


@jit_callee
def _fill(delta_bits, a, b, window, s, tile, top, i, left, j, masks, words):  # type: ignore[no-untyped-def]
    """Compute rows ``top`` to i and columns ``left`` to j of a tile, logging the bits for the traceback.

    Returns:
        Start of the logged bits; see ``trace_cells``.
    """
    n_words = (i - top + WORD - 1) // WORD
    place = n_words, 1
    at = (left - window.first[s]) // window.width
    first_word = (top - window.top - s * window.height) // WORD
    part, first_word = first_word // window.v.shape[4], first_word % window.v.shape[4]
    v = np.empty(n_words, np.uint64)
    vn = np.zeros(n_words, np.uint64)
    for w in range(n_words):
        v[w] = window.v[s, part, at, 0, first_word + w]
        if len(delta_bits) == EDIT_SIGNS:
            vn[w] = window.v[s, part, at, 1, first_word + w]
    for r in range(i - top):
        masks[a[top + r], r // WORD] |= ONE << np.uint64(r % WORD)
    ups = np.empty(j - left, np.uint64)
    _entering(delta_bits, window, s, tile, 0, left, ups)
    codes = b[left:j]
    wide = masks.shape[1] == LANES and n_words > 1
    if wide:
        place, rows = (LANES, LANES + 1), staggered(codes, masks.shape[0] - 1)
    if len(delta_bits) == EDIT_SIGNS:
        downs = np.empty(j - left, np.uint64)
        _entering(delta_bits, window, s, tile, 1, left, downs)
        if wide:
            edit_lanes.columns_logged(masks, rows, v, vn, ups, downs, words[0], words[1])
        else:
            edit_words.columns_logged(masks, codes, v, vn, ups, downs, words[0], words[1])
    elif wide:
        lcs_lanes.columns_logged(masks, rows, v, ups, words[0])
    else:
        lcs_words.columns_logged(masks, codes, v, ups, words[0])
    return place


def scratch(n_delta_bits: int, rows: int, width: int) -> tuple[Words, Words]:
    """Allocate zeroed scratch memory of ``trace_tiles`` for tiles of this size."""
    return np.zeros((257, -(-rows // WORD)), np.uint64), np.zeros((n_delta_bits, _tile_words(rows, width)), np.uint64)


def scratch_bytes(n_delta_bits: int, rows: int, width: int) -> int:
    """Return the size of ``scratch`` in bytes, without constant parts."""
    return 8 * n_delta_bits * _tile_words(rows, width)


def _tile_words(rows: int, width: int) -> int:
    return max(-(-rows // WORD), LANES) * (width + LANES)


@jit_with(error_model="numpy")
def trace_tiles(
    delta_bits: Any,
    a: Letters,
    b: Letters,
    window: TileWindow,
    i: int,
    j: int,
    common: int,
    spacing: int,
    known: Counts,
    number: int,
    halt: Letters,
    masks: Words,
    words: Words,
    met: Letters,
    marks: Counts,
) -> tuple[int, int, int, int, int, int]:
    """Trace from node (i, j) until it leaves the window or meets another traceback.

    Args:
        common: equal letters at the front; the walk may end there.
        spacing: rows from line to line.
        known: int64, shape (lines, walks): column where each walk first reached each line; -1: not yet. Shared with
            other threads.
        number: of this walk. It is entered at a line only if no other walk is there, so walks never wait for each
            other.
        halt: uint8, shape (1,): nonzero: end at the next line.
        masks, words: see ``scratch``; masks are restored.
        met: output of trace codes, see ``wavediff.core.kernels.traceback.runs_from_trace.runs_of_trace``; longer than
            two tiles' edges.
        marks: int64, shape (lines and one, 3): for each line reached: line, column, trace codes so far.

    Returns:
        (i, j, trace codes, cells, lines, the walk met at the last line; -1: none).
    """
    k, cells, lines, room = 0, 0, 0, met.size - 2 * (window.rows + window.width) - TRACE_SLACK_BYTES
    end = max(common, window.top)
    while i > end and j > common and k < room:
        s = (i - 1 - window.top) // window.height
        strip_top = window.top + s * window.height
        low, high = window.lo[s], min(window.hi[s], b.size)
        line = (i - 1) // spacing
        if j > high:  # nothing was computed here: the strip above ended further left
            met[k] = INSERTION
            k, j = k + 1, j - 1
        elif j <= low:
            met[k] = DELETION
            k, i = k + 1, i - 1
        elif j <= window.first[s] or (j - 1 - window.first[s]) // window.width >= window.v.shape[2]:
            break  # the tile was not fetched
        else:
            tile = (i - 1 - strip_top) // window.rows
            top = strip_top + tile * window.rows
            left = (j - 1 - window.first[s]) // window.width * window.width + window.first[s]
            upper, edge = max(top, end, line * spacing), max(left, low, common)
            i, j, k = trace_matches(a, b, i, j, upper, edge, met, k)
            if i > upper and j > edge:
                place = _fill(delta_bits, a, b, window, s, tile, top, i, left, j, masks, words)
                cells += (i - top) * (j - left)
                last = i
                i, j, k = trace_cells(delta_bits, b, masks, i, j, upper, edge, words, top, left, place, met, k)
                for r in range(last - top):
                    masks[a[top + r], r // WORD] = np.uint64(0)
        if i == line * spacing and j > common:
            marks[lines, 0], marks[lines, 1], marks[lines, 2] = line, j, k
            lines += 1
            for other in range(known.shape[1]):
                if known[line, other] == j:
                    return i, j, k, cells, lines, other
            known[line, number] = j
            if halt[0]:
                break
    return i, j, k, cells, lines, -1


def name(n_delta_bits: int) -> str:
    """Return the name of the kernel for a number of signs, used across processes."""
    return "edit tiles" if n_delta_bits == EDIT_SIGNS else "tiles"


def make_ready(step: Step, n_delta_bits: int) -> Generator[Event, None, None]:
    """Compile (or load) the traceback."""
    delta_bits, codes, zeros = (0,) * n_delta_bits, np.zeros(1, np.uint8), np.zeros(1, np.int64)
    v, h = np.zeros((1, 1, 1, n_delta_bits, 1), np.uint64), np.zeros((1, 1, 1, 1, 1, n_delta_bits), np.uint8)
    window = TileWindow(v, h, h[0, 0, 0, 0], zeros, zeros + 1, 0, zeros, 0, 0, 64, 64, 8, 0)

    def rehearse() -> None:
        masks, words = scratch(n_delta_bits, 64, 8)
        known, met, marks = np.full((1, 1), -1), np.empty(512, np.uint8), np.empty((2, 3), np.int64)
        trace_tiles(
            delta_bits, codes, codes + np.uint8(1), window, 1, 1, 0, 64, known, 0, codes, masks, words, met, marks
        )
        runs_of_trace_at(met[:0], known[0, :0], met, known[0], marks)
        normalized_prefix(codes, codes, 0, met[:0], known[0, :0], 1, 1)

    yield from warm_up(step, "traceback", name(n_delta_bits), rehearse)
