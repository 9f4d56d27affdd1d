"""Columns of a tile kept by vectors, staggered, against the same word by word."""

import numpy as np
import pytest
from numba import njit

from wavediff.core.jit.simd import BITS, LANES, WORD
from wavediff.core.kernels.pairwise.blocks.cell_traceback import staggered
from wavediff.core.kernels.pairwise.blocks.tile_traceback import scratch
from wavediff.core.kernels.pairwise.edit import lane_columns as edit_lanes
from wavediff.core.kernels.pairwise.edit import word_columns as edit_words
from wavediff.core.kernels.pairwise.lcs import lane_columns as lcs_lanes
from wavediff.core.kernels.pairwise.lcs import word_columns as lcs_words

SIZES = [1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 500]


@njit
def lcs_by_words(masks, codes, v, ups, seen):
    lcs_words.columns_logged(masks, codes, v, ups, seen)


@njit
def lcs_by_lanes(masks, codes, v, ups, seen):
    lcs_lanes.columns_logged(masks, staggered(codes, masks.shape[0] - 1), v, ups, seen)


@njit
def edit_by_words(masks, codes, v, vn, ups, downs, seen, zeros):
    edit_words.columns_logged(masks, codes, v, vn, ups, downs, seen, zeros)


@njit
def edit_by_lanes(masks, codes, v, vn, ups, downs, seen, zeros):
    edit_lanes.columns_logged(masks, staggered(codes, masks.shape[0] - 1), v, vn, ups, downs, seen, zeros)


def _tile(rng, n_words, columns):
    """Return match words, codes of columns, and what enters: any rows and carries that there can be."""
    masks, words = scratch(2, BITS, columns)
    letters = rng.choice([0, 1, 255], n_words * WORD)
    for r, letter in enumerate(letters.tolist()):
        masks[letter, r // WORD] |= np.uint64(1 << r % WORD)
    codes = rng.choice(np.array([0, 1, 7, 255], np.uint8), columns)
    up = rng.integers(0, 2, columns).astype(np.uint64)
    down = rng.integers(0, 2, columns).astype(np.uint64) & (up ^ np.uint64(1))
    v = rng.integers(0, 1 << 64, n_words, np.uint64)
    vn = rng.integers(0, 1 << 64, n_words, np.uint64) & ~v
    return masks, words, codes, up, down, v, vn


def _by_column(staggered, n_words, columns):
    return np.array([staggered[(j + w) * LANES + w] for j in range(columns) for w in range(n_words)])


@pytest.mark.parametrize("n_words", range(1, LANES + 1))
def test_lcs(n_words):
    for columns in SIZES:
        masks, words, codes, up, _, v, _ = _tile(np.random.default_rng(columns), n_words, columns)
        after = v.copy()
        lcs_by_lanes(masks, codes, after, up.copy(), words[0])
        expected = np.empty(n_words * columns, np.uint64)
        lcs_by_words(masks[:, :n_words].copy(), codes, v, up, expected)
        assert (_by_column(words[0], n_words, columns) == expected).all()
        assert (after == v).all()


@pytest.mark.parametrize("n_words", range(1, LANES + 1))
def test_edit(n_words):
    for columns in SIZES:
        masks, words, codes, up, down, v, vn = _tile(np.random.default_rng(columns), n_words, columns)
        after, after_n = v.copy(), vn.copy()
        edit_by_lanes(masks, codes, after, after_n, up.copy(), down.copy(), words[0], words[1])
        expected = np.empty((2, n_words * columns), np.uint64)
        edit_by_words(masks[:, :n_words].copy(), codes, v, vn, up, down, *expected)
        assert (after == v).all()
        assert (after_n == vn).all()
        for found, wanted in zip(words, expected, strict=True):
            assert (_by_column(found, n_words, columns) == wanted).all()
