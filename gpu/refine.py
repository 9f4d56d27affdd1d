"""Finer borders for the tiles that a walk comes by: their coarse ones are computed again on the card, side by side.

Borders of a whole matrix in fine tiles would not fit on a card, or take longer to keep than to compute again; the walk
needs those of a few tiles in a thousand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.arrays import Letters, Words
from core.kernels.steps import returned
from gpu.arguments import filled
from gpu.layout import COLUMNS, LANES, Layout, Tiles
from gpu.staggered import Staggered
from gpu.strips import StripMatrix

FINE = 256  # rows and columns of a fine tile
STRIP = LANES * 32  # rows of a strip of one word a lane


def can_refine(matrix: StripMatrix) -> bool:
    """Return whether finer tiles than those of ``matrix`` are worth it, and a warp can take one of them."""
    rows, width = coarse_size(matrix)
    if matrix.layout.band is not None or rows % STRIP or rows * width <= 4 * FINE * FINE:
        return False
    return _form(matrix).fits(matrix.signs, matrix.card)


def coarse_size(matrix: StripMatrix) -> tuple[int, int]:
    """Return rows and columns of the tiles whose borders ``matrix`` kept."""
    assert matrix.tiles is not None, "nothing was kept"
    return matrix.tiles.lanes * 32 * matrix.form.words, matrix.tiles.groups * COLUMNS


def fine_size(matrix: StripMatrix) -> tuple[int, int]:
    """Return rows and columns of the tiles whose borders ``refine`` brings."""
    fine = _finer(matrix)
    return fine.lanes * 32 * _form(matrix).words, fine.groups * COLUMNS


def _form(matrix: StripMatrix) -> Staggered:
    """Return how a warp has the rows of a coarse tile."""
    return Staggered(matrix.form.n_shared, coarse_size(matrix)[0] // STRIP)


def _finer(matrix: StripMatrix) -> Tiles:
    width = coarse_size(matrix)[1]
    return Tiles(min(width, FINE) // COLUMNS, max(1, FINE // (32 * _form(matrix).words)))


def refine(matrix: StripMatrix, strips: slice, at: slice) -> tuple[Words, Letters]:
    """Return borders in fine tiles of the coarse tiles ``at`` of some strips, as ``tiles.Window`` has them.

    Returns:
        v: uint64, shape (strips, fine tiles, signs, words of a strip's rows).
        h: uint8, shape (strips, rows of fine tiles, signs, groups).
    """
    card, layout, signs = matrix.card, matrix.layout, matrix.signs
    form, tiles, (rows, width) = _form(matrix), _finer(matrix), coarse_size(matrix)
    groups = width // COLUMNS
    a, b = matrix.pairs[0]
    a = a[strips.start * layout.height : strips.stop * layout.height]
    b = b[at.start * groups * COLUMNS : at.stop * groups * COLUMNS]
    n_strips, n_tiles, tile_rows = strips.stop - strips.start, at.stop - at.start, layout.height // rows
    window = Layout(((n_strips * layout.height, int(b.size)),), form.words)
    inputs = returned(form.upload(card, window, [(a, b)], 0))
    n, fine_tiles, fine_rows = n_strips * tile_rows * n_tiles, groups // tiles.groups, LANES // tiles.lanes
    kept_v = card.zeros((n, fine_tiles, form.kept(signs)), np.uint32)
    kept_h = card.zeros((n, fine_rows, int(signs), groups), np.uint8)
    mail = card.zeros(groups, np.uint32)
    struct = filled(
        card,
        {"tables": inputs[0], "columns": inputs[1], "mail": mail, "kept_v": kept_v, "kept_h": kept_h},
        kept_v_stride=fine_tiles * form.kept(signs),
        kept_h_stride=fine_rows * int(signs) * groups,
        kept_width=groups,
        table_rows=form.table_rows,
        keep_groups=tiles.groups,
        keep_lanes=tiles.lanes,
    )
    coarse_rows = matrix.kept_on_card(strips, at)
    macros = {"METHOD": int(signs), "WORDS": form.words, "COLUMNS": COLUMNS, "KEEP": 1, **form.macros}
    card.launch(
        card.kernel("refine.cu", "refine", **macros), n, LANES, form.shared,
        struct, coarse_rows, matrix.kept_h, np.int64(matrix.kept_h_stride), np.int32(layout.width),
        np.int32(strips.start), np.int64(at.start * groups), np.int32(tile_rows), np.int32(n_tiles), np.int32(groups),
        np.int32(b.size),
    )  # fmt: skip
    v = _in_order(card.download(kept_v), (n_strips, tile_rows, n_tiles, fine_tiles, int(signs), -1), (0, 2, 3, 4, 1, 5))
    h = _in_order(
        card.download(kept_h), (n_strips, tile_rows, n_tiles, fine_rows, int(signs), groups), (0, 1, 3, 4, 2, 5)
    )
    return (
        v.reshape(n_strips, n_tiles * fine_tiles, int(signs), -1).view(np.uint64),
        h.reshape(n_strips, tile_rows * fine_rows, int(signs), -1),
    )


def _in_order(array: Any, shape: tuple[int, ...], axes: tuple[int, ...]) -> Any:
    return np.ascontiguousarray(array.reshape(shape).transpose(axes))
