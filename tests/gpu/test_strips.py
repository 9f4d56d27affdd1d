"""Strips against independent libraries: word, lane, strip, group, panel and slice edges."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq, Levenshtein

from tests.depth import one_of
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


WORDS = (1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2049)


def cases():
    """Yield (bits of a difference, letters of A, of B, of the alphabet, options of ``_check``)."""
    for bits in DeltaBits:
        yield from ((bits, n, m, 4, {"words": 1}) for n in WORDS for m in (1, 7, 8, 9, 255, 256, 257))
        yield from ((bits, 3000, 517, sigma, {"words": k}) for k in (1, 2, 4) for sigma in (1, 2, 7, 8, 20, 256))
        # Panels use mailboxes again; a launch goes on where the last one stopped.
        yield from ((bits, 5000, 1501, 4, {"words": 1, "panel": panel, "warps": 2}) for panel in (1, 40, 64, 100))
        yield from ((bits, 3000, 1500, 4, {"words": 1, "panel": 64, "slice_seconds": end}) for end in (0.0, 1e-4))
    bits, sliced, rows = DeltaBits.EDIT, {"sliced": True}, (1, 31, 33, 1023, 1024, 1025, 3072, 3073)
    yield from ((bits, n, m, 4, sliced | {"words": 3}) for n in rows for m in (1, 8, 31, 32, 33, 1279, 1280, 1281))
    yield from ((bits, 3000, 2517, sigma, sliced | {"words": k}) for k in (1, 2, 5) for sigma in (1, 2, 3, 5, 8))
    for panel, end in product((12, 64, 100), (0.0, 1e-4)):
        yield bits, 5000, 1701, 4, sliced | {"words": 1, "panel": panel, "slice_seconds": end, "warps": 2}


@pytest.mark.parametrize("case", one_of(4, cases()), ids=str)
def test_any_size_alphabet_panel_and_slice(card, case):
    bits, n, m, sigma, options = case
    _check(card, bits, *_random(np.random.default_rng(n * 1000 + m), n, m, sigma), **options)


@pytest.mark.parametrize(
    ("form", "bits"), [(BitSlicedRows(4, 1, 2), DeltaBits.EDIT), *((StaggeredRows(4, 1), bits) for bits in DeltaBits)]
)
def test_rectangles_share_a_launch(card, form, bits):
    rng = np.random.default_rng(6)
    pairs = [_random(rng, n, m, 4) for n, m in ((1000, 900), (2500, 33), (7, 1500), (2048, 2048))]
    matrix = StripMatrix(card, pairs, form, bits, panel=64)
    list(matrix.compute(Step(1)))
    for part, (a, b) in enumerate(pairs):
        assert _answer(matrix, part) == _expected(bits, a, b)
        assert bits is DeltaBits.LCS or matrix.profile(part)[-1] == _answer(matrix, part)


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("bits", "words", "sigma", "sliced"),
    [
        *((DeltaBits.EDIT, words, sigma, True) for words in (8, 16, 24, 32) for sigma in (4, 6)),
        *((bits, words, sigma, False) for bits in DeltaBits for words in (8, 16, 32) for sigma in (4, 20)),
    ],
)
def test_tall_strips(cuda_card, bits, words, sigma, sliced):
    rng = np.random.default_rng(words)
    _check(cuda_card, bits, *_random(rng, 70_001, 9_003, sigma), words=words, sliced=sliced)


ONLY_SLICED = [(DeltaBits.EDIT, True, *letters) for letters in ((0, 4, 1, 4), (0, 4, 0, 3), (0, 4, 2, 6), (0, 2, 2, 4))]


@pytest.mark.parametrize(
    ("bits", "sliced", "a_low", "a_high", "b_low", "b_high"),
    [*((bits, False, 0, 6, 3, 9) for bits in DeltaBits), *ONLY_SLICED],
)
def test_letters_that_only_one_has_are_told_apart(card, bits, sliced, a_low, a_high, b_low, b_high):
    rng = np.random.default_rng(4)
    a, b = rng.integers(a_low, a_high, 1500, np.uint8), rng.integers(b_low, b_high, 1300, np.uint8)
    _check(card, bits, a, b, words=1, sliced=sliced)


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
    sibling = card.sibling()
    for _ in range(5):  # the thread that looks may get no turn in time
        matrix = StripMatrix(card, [(a, b)], form, delta_bits, tiles=tiles, slice_seconds=60.0)
        told = []

        def look(reached, matrix=matrix, told=told):
            told.append((reached, sibling.download(matrix.kept_h), sibling.download(matrix.kept_v)))

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
