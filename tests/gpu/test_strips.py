"""Strips against independent libraries: word, lane, strip, group, panel and slice edges."""

from __future__ import annotations

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq, Levenshtein

from core.bits import dense_code
from gpu.layout import Tiles
from gpu.strips import Signs, StripMatrix


def _codes(a, b):
    code = dense_code(np.bincount(a, minlength=256), np.bincount(b, minlength=256), False)
    return code.table[a], code.table[b], code.n_shared


def _random(rng, n, m, sigma):
    return rng.integers(0, sigma, n, np.uint8), rng.integers(0, sigma, m, np.uint8)


def _expected(signs, a, b):
    known = LCSseq.similarity if signs is Signs.LCS else Levenshtein.distance
    return known(a.tobytes(), b.tobytes())


def _answer(matrix, part=0):
    return matrix.length(part) if matrix.signs is Signs.LCS else matrix.distance(part)


def _check(card, signs, a, b, **options):
    rows, columns, n_shared = _codes(a, b)
    matrix = StripMatrix(card, [(rows, columns)], n_shared, signs, **options)
    done = sum(event.cells for event in matrix.compute(1) if hasattr(event, "cells"))
    assert _answer(matrix) == _expected(signs, a, b)
    assert done == matrix.n_cells
    return matrix


@pytest.mark.parametrize("signs", Signs)
@pytest.mark.parametrize("n", [1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2049])
@pytest.mark.parametrize("m", [1, 7, 8, 9, 255, 256, 257])
def test_sizes_round_every_edge(card, signs, n, m):
    rng = np.random.default_rng(n * 1000 + m)
    _check(card, signs, *_random(rng, n, m, 4), words=1)


@pytest.mark.parametrize("signs", Signs)
@pytest.mark.parametrize("words", [1, 2, 4])
@pytest.mark.parametrize("sigma", [1, 2, 7, 8, 20, 256])
def test_words_of_a_lane_and_sizes_of_an_alphabet(card, signs, words, sigma):
    rng = np.random.default_rng(words * 1000 + sigma)
    _check(card, signs, *_random(rng, 3000, 517, sigma), words=words)


@pytest.mark.gpu
@pytest.mark.parametrize("signs", Signs)
@pytest.mark.parametrize("words", [8, 16, 32])
@pytest.mark.parametrize("sigma", [4, 20])
def test_tall_strips(cuda_card, signs, words, sigma):
    rng = np.random.default_rng(words)
    _check(cuda_card, signs, *_random(rng, 70_001, 9_003, sigma), words=words)


@pytest.mark.parametrize("signs", Signs)
def test_letters_that_only_one_of_them_has(card, signs):
    rng = np.random.default_rng(3)
    _check(card, signs, rng.integers(0, 6, 1500, np.uint8), rng.integers(3, 9, 700, np.uint8), words=1)


@pytest.mark.parametrize("signs", Signs)
@pytest.mark.parametrize("panel", [1, 40, 64, 100])
def test_panels_use_mailboxes_again(card, signs, panel):
    rng = np.random.default_rng(panel)
    _check(card, signs, *_random(rng, 5000, 1501, 4), words=1, panel=panel, warps=2)


@pytest.mark.parametrize("signs", Signs)
@pytest.mark.parametrize("seconds", [0.0, 1e-4])
def test_a_launch_goes_on_where_the_last_one_stopped(card, signs, seconds):
    rng = np.random.default_rng(5)
    _check(card, signs, *_random(rng, 3000, 1500, 4), words=1, panel=64, slice_seconds=seconds)


@pytest.mark.parametrize("signs", Signs)
def test_rectangles_share_a_launch(card, signs):
    rng = np.random.default_rng(6)
    pairs = [_random(rng, n, m, 4) for n, m in ((1000, 900), (2500, 33), (7, 1500), (2048, 2048))]
    matrix = StripMatrix(card, pairs, 4, signs, words=1, panel=64)
    list(matrix.compute(1))
    for part, (a, b) in enumerate(pairs):
        assert _answer(matrix, part) == _expected(signs, a, b)


@pytest.mark.parametrize("signs", Signs)
@pytest.mark.parametrize(("n", "m", "low", "high"), [(3000, 3100, -300, 400), (5000, 4000, -1500, 500)])
def test_a_band_wide_enough_holds_the_answer(card, signs, n, m, low, high):
    rng = np.random.default_rng(n)
    a = rng.integers(0, 4, max(n, m), np.uint8)
    b = a[:m].copy()
    b[::50] ^= 1
    matrix = _check(card, signs, a[:n], b, words=1, band=(low, high), tiles=Tiles(16, 8), panel=100)
    assert matrix.n_cells < n * m


@pytest.mark.gpu
@pytest.mark.parametrize("signs", Signs)
def test_many_random_pairs(cuda_card, signs):
    rng = np.random.default_rng(8)
    for _ in range(50):
        pairs = [_random(rng, *rng.integers(1, 300, 2), 4) for _ in range(100)]
        matrix = StripMatrix(cuda_card, pairs, 4, signs, words=1)
        list(matrix.compute(1))
        for part, (a, b) in enumerate(pairs):
            assert _answer(matrix, part) == _expected(signs, a, b)
