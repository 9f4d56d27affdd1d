"""What is brought for walks before they ask is what they would fetch."""

import numpy as np
import pytest

from wavediff.core.jobs.events import Step
from wavediff.gpu.pairwise.strips.memory import TileBorders
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import GPU_GROUP_COLUMNS, DeltaBits, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix
from wavediff.gpu.pairwise.traceback import border_fetch
from wavediff.gpu.pairwise.traceback.border_fetch import Corridor


@pytest.fixture(params=[(3000, 2700), (2048, 5000), (5000, 900)])
def kept(request, card):
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, 4, n, np.uint8) for n in request.param)
    matrix = StripMatrix(card, [(a, b)], StaggeredRows(4, 1), DeltaBits.EDIT, tiles=TileSpacing(8, 2))
    list(matrix.compute(Step(1)))
    return TileBorders(matrix), matrix, card


def test_it_has_the_borders_beside_the_straight_way(kept):
    kept, matrix, card = kept
    n, m = matrix.layout.sizes[0]
    found = Corridor(kept, n, m)
    for strips in range(1, matrix.layout.n_strips + 1):
        found.bring(card, strips)
        assert found.rows == min(n, strips * matrix.layout.height)
    window = found.window
    v, h = kept.window(card, 0, window.first // kept.width, window.v.shape[2])
    assert np.array_equal(window.v, v)
    assert np.array_equal(window.h, h)
    for i in range(1, n + 1, 17):
        assert found.has(i, max(1, i * m // n))
    assert not found.has(0, 1)
    assert not found.has(n, 0)


def test_it_waits_until_what_it_brings_is_computed(kept):
    kept, matrix, _ = kept
    n, m = matrix.layout.sizes[0]
    found = Corridor(kept, n, m)
    last = np.minimum(found.window.first + found.window.v.shape[2] * kept.width, m)
    reached = -(-last // GPU_GROUP_COLUMNS)
    assert found.computed(reached) == matrix.layout.n_strips
    for strip in range(matrix.layout.n_strips):
        missing = reached.copy()
        missing[strip] -= 1
        assert found.computed(missing) == strip


def test_it_is_told_what_is_worth_a_transfer(kept, monkeypatch):
    monkeypatch.setattr(border_fetch, "MIN_STRIPS", 2)
    kept, matrix, card = kept
    found, n = Corridor(kept, *matrix.layout.sizes[0]), matrix.layout.n_strips
    assert not found.is_worth(1)
    assert found.is_worth(2)
    found.bring(card, n - 1)
    assert found.is_worth(n)
    found.bring(card, n)
    assert not found.is_worth(n)


def test_it_does_without_where_the_host_has_no_room(kept, monkeypatch):
    kept, matrix, _ = kept
    assert Corridor.fits(kept, *matrix.layout.sizes[0])
    room = sum(array.nbytes for array in Corridor(kept, *matrix.layout.sizes[0]).window[:2])
    monkeypatch.setattr(border_fetch, "MAX_HOST_BYTES", room)
    assert Corridor.fits(kept, *matrix.layout.sizes[0])
    monkeypatch.setattr(border_fetch, "MAX_HOST_BYTES", room - 1)
    assert not Corridor.fits(kept, *matrix.layout.sizes[0])
