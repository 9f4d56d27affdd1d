"""Strips against independent libraries: word, lane, strip, group, panel and slice edges."""

from types import SimpleNamespace

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq, Levenshtein

from wavediff.core.jit.bits import dense_code
from wavediff.core.jobs.events import Step
from wavediff.gpu.pairwise.strips.sliced import BitSlicedRows, planes_of
from wavediff.gpu.pairwise.strips.staggered import MAX_TABLE_BYTES, StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix


def _codes(a, b):
    code = dense_code(np.bincount(a, minlength=256), np.bincount(b, minlength=256), False)
    return code.table[a], code.table[b], code.n_shared


def _random(rng, n, m, sigma):
    return rng.integers(0, sigma, n, np.uint8), rng.integers(0, sigma, m, np.uint8)


def _expected(delta_bits, a, b):
    known = LCSseq.similarity if delta_bits is DeltaBits.LCS else Levenshtein.distance
    return known(a.tobytes(), b.tobytes())


def _answer(matrix, part=0):
    return matrix.length(part) if matrix.delta_bits is DeltaBits.LCS else matrix.distance(part)


def _check(card, delta_bits, a, b, words, sliced=False, **options):
    rows, columns, n_shared = _codes(a, b)
    form = (
        BitSlicedRows(n_shared, words, planes_of(n_shared, rows, columns)) if sliced else StaggeredRows(n_shared, words)
    )
    matrix = StripMatrix(card, [(rows, columns)], form, delta_bits, **options)
    done = sum(event.cells for event in matrix.compute(Step(1)) if hasattr(event, "cells"))
    assert _answer(matrix) == _expected(delta_bits, a, b)
    assert done == matrix.n_cells
    return matrix


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("n", [1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2049])
@pytest.mark.parametrize("m", [1, 7, 8, 9, 255, 256, 257])
def test_sizes_round_every_edge(card, delta_bits, n, m):
    rng = np.random.default_rng(n * 1000 + m)
    _check(card, delta_bits, *_random(rng, n, m, 4), words=1)


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("words", [1, 2, 4])
@pytest.mark.parametrize("sigma", [1, 2, 7, 8, 20, 256])
def test_words_of_a_lane_and_sizes_of_an_alphabet(card, delta_bits, words, sigma):
    rng = np.random.default_rng(words * 1000 + sigma)
    _check(card, delta_bits, *_random(rng, 3000, 517, sigma), words=words)


@pytest.mark.parametrize("n", [1, 31, 33, 1023, 1024, 1025, 3072, 3073])
@pytest.mark.parametrize("m", [1, 8, 31, 32, 33, 1279, 1280, 1281])
def test_slices_of_sizes_round_every_edge(card, n, m):
    rng = np.random.default_rng(n * 1000 + m)
    _check(card, DeltaBits.EDIT, *_random(rng, n, m, 4), words=3, sliced=True)


@pytest.mark.parametrize("words", [1, 2, 5])
@pytest.mark.parametrize("sigma", [1, 2, 3, 5, 8])
def test_slices_of_few_letters(card, words, sigma):
    rng = np.random.default_rng(words * 1000 + sigma)
    _check(card, DeltaBits.EDIT, *_random(rng, 3000, 2517, sigma), words=words, sliced=True)


@pytest.mark.parametrize("seconds", [0.0, 1e-4])
@pytest.mark.parametrize("panel", [12, 64, 100])
def test_slices_go_on_where_the_last_launch_or_panel_stopped(card, panel, seconds):
    rng = np.random.default_rng(panel)
    options = {"panel": panel, "slice_seconds": seconds, "warps": 2}
    _check(card, DeltaBits.EDIT, *_random(rng, 5000, 1701, 4), words=1, sliced=True, **options)


@pytest.mark.parametrize("letters", [(0, 4, 1, 4), (0, 4, 0, 3), (0, 4, 2, 6), (0, 2, 2, 4)])
def test_slices_tell_letters_that_only_one_has_from_each_other(card, letters):
    rng = np.random.default_rng(4)
    a_low, a_high, b_low, b_high = letters
    a, b = rng.integers(a_low, a_high, 1500, np.uint8), rng.integers(b_low, b_high, 1300, np.uint8)
    _check(card, DeltaBits.EDIT, a, b, words=1, sliced=True)


def test_slices_of_rectangles_share_a_launch(card):
    rng = np.random.default_rng(6)
    pairs = [_random(rng, n, m, 4) for n, m in ((1000, 900), (2500, 33), (7, 1500), (2048, 2048))]
    matrix = StripMatrix(card, pairs, BitSlicedRows(4, 1, 2), DeltaBits.EDIT, panel=64)
    list(matrix.compute(Step(1)))
    for part, (a, b) in enumerate(pairs):
        assert _answer(matrix, part) == _expected(DeltaBits.EDIT, a, b)
        assert matrix.profile(part)[-1] == _answer(matrix, part)


@pytest.mark.gpu
@pytest.mark.parametrize("words", [8, 16, 24, 32])
@pytest.mark.parametrize("sigma", [4, 6])
def test_tall_slices(cuda_card, words, sigma):
    rng = np.random.default_rng(words)
    _check(cuda_card, DeltaBits.EDIT, *_random(rng, 70_001, 9_003, sigma), words=words, sliced=True)


@pytest.mark.gpu
@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("words", [8, 16, 32])
@pytest.mark.parametrize("sigma", [4, 20])
def test_tall_strips(cuda_card, delta_bits, words, sigma):
    rng = np.random.default_rng(words)
    _check(cuda_card, delta_bits, *_random(rng, 70_001, 9_003, sigma), words=words)


@pytest.mark.parametrize("delta_bits", DeltaBits)
def test_letters_that_only_one_of_them_has(card, delta_bits):
    rng = np.random.default_rng(3)
    _check(card, delta_bits, rng.integers(0, 6, 1500, np.uint8), rng.integers(3, 9, 700, np.uint8), words=1)


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("panel", [1, 40, 64, 100])
def test_panels_use_mailboxes_again(card, delta_bits, panel):
    rng = np.random.default_rng(panel)
    _check(card, delta_bits, *_random(rng, 5000, 1501, 4), words=1, panel=panel, warps=2)


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("seconds", [0.0, 1e-4])
def test_a_launch_goes_on_where_the_last_one_stopped(card, delta_bits, seconds):
    rng = np.random.default_rng(5)
    _check(card, delta_bits, *_random(rng, 3000, 1500, 4), words=1, panel=64, slice_seconds=seconds)


@pytest.mark.parametrize("delta_bits", DeltaBits)
def test_rectangles_share_a_launch(card, delta_bits):
    rng = np.random.default_rng(6)
    pairs = [_random(rng, n, m, 4) for n, m in ((1000, 900), (2500, 33), (7, 1500), (2048, 2048))]
    matrix = StripMatrix(card, pairs, StaggeredRows(4, 1), delta_bits, panel=64)
    list(matrix.compute(Step(1)))
    for part, (a, b) in enumerate(pairs):
        assert _answer(matrix, part) == _expected(delta_bits, a, b)


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("n", [1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2100])
@pytest.mark.parametrize("m", [2, 9, 700, 3000])
def test_halves_meet_where_the_whole_is_best(card, delta_bits, n, m):
    a, b = _random(np.random.default_rng(n * 10 + m), n, m, 3)
    halves = [(a, b[: m // 2]), (a[::-1].copy(), b[m // 2 :][::-1].copy())]
    matrix = StripMatrix(card, halves, StaggeredRows(3, 1), delta_bits)
    list(matrix.compute(Step(1)))
    assert matrix.met() == _expected(delta_bits, a, b)


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("across", [True, False])
def test_halves_meet_at_an_edge(card, delta_bits, across):
    """All of one sequence against the half of the other that is like it."""
    a, other = _random(np.random.default_rng(9), 1200, 1200, 4)
    b = np.concatenate([a, other] if across else [other, a])
    halves = [(a, b[:1200]), (a[::-1].copy(), b[1200:][::-1].copy())]
    matrix = StripMatrix(card, halves, StaggeredRows(4, 1), delta_bits)
    list(matrix.compute(Step(1)))
    assert matrix.met() == _expected(delta_bits, a, b) == 1200


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("n_shared", [1, 4, 20, 256])
def test_match_words_are_within_reach_of_an_offset(delta_bits, n_shared):
    vast = SimpleNamespace(shared_bytes=1 << 20, processors=1)
    form = StaggeredRows.chosen(n_shared, 1 << 24, 1.0, delta_bits, vast)
    assert form.shared <= MAX_TABLE_BYTES
    assert form.fits(delta_bits, vast)
    twice = StaggeredRows(n_shared, 2 * form.words)
    assert not twice.fits(delta_bits, vast)


def test_few_columns_have_fewer_strips():
    """Strips wait for each other, the longer the more of them there are."""
    card = SimpleNamespace(shared_bytes=227 << 10, processors=132)
    flat, tall = (StaggeredRows.chosen(4, 1 << 17, ratio, DeltaBits.EDIT, card) for ratio in (1.0, 0.5))
    assert (flat.words, tall.words) == (1, 2)


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize(("n", "m", "low", "high"), [(3000, 3100, -300, 400), (5000, 4000, -1500, 500)])
def test_a_band_wide_enough_holds_the_answer(card, delta_bits, n, m, low, high):
    rng = np.random.default_rng(n)
    a = rng.integers(0, 4, max(n, m), np.uint8)
    b = a[:m].copy()
    b[::50] ^= 1
    matrix = _check(card, delta_bits, a[:n], b, words=1, band=(low, high), tiles=TileSpacing(16, 8), panel=100)
    assert matrix.n_cells < n * m


@pytest.mark.parametrize(
    ("delta_bits", "sliced"), [(DeltaBits.LCS, False), (DeltaBits.EDIT, False), (DeltaBits.EDIT, True)]
)
def test_what_is_told_while_a_launch_runs_is_there_for_good(card, delta_bits, sliced):
    """A walk begins by it while the kernel goes on."""
    rng = np.random.default_rng(7)
    words, m = (16, 30_000) if sliced else (2, 40_000)
    m *= 1 if card.processors == 1 else 10
    a, b = _random(rng, 2 * words * 1024, m, 4)
    form = BitSlicedRows(4, words, 2) if sliced else StaggeredRows(4, words)
    tiles = TileSpacing(32, 8)
    beside = card.beside()
    for _ in range(5):  # the thread that looks may get no turn in time
        matrix = StripMatrix(card, [(a, b)], form, delta_bits, tiles=tiles, slice_seconds=60.0)
        told = []

        def look(reached, matrix=matrix, told=told):
            told.append((reached, beside.download(matrix.kept_h), beside.download(matrix.kept_v)))

        for _ in matrix.compute(Step(1), look):
            pass
        assert _answer(matrix) == _expected(delta_bits, a, b)
        if any(0 < reached[0] < matrix.layout.hi[0] for reached, _, _ in told):
            break
    else:
        pytest.fail("not once looked at while the first strip was under way")
    kept_h, kept_v = card.download(matrix.kept_h), card.download(matrix.kept_v)
    for reached, h, v in told:
        for s, groups in enumerate(reached.tolist()):
            assert np.array_equal(h[s, :, :groups], kept_h[s, :, :groups])
            tile = -(-groups // tiles.groups)  # a tile has its rows when its first group is computed
            assert np.array_equal(v[s, :tile], kept_v[s, :tile])
