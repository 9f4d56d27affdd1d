"""A band on the card by O(ND) against jobs on the CPU: the same answer and the very same alignment."""

from __future__ import annotations

import numpy as np
import pytest

from core.bits import common_prefix
from core.errors import SelfCheckFailed
from core.events import Planned, StepDone
from core.jobs import EditJob, LcsJob, PathMethod
from core.kernels.edit.run import run as run_edit
from core.kernels.engine import Pace
from core.kernels.lcs.run import run as run_lcs
from core.kernels.steps import returned
from core.traceback.whole import from_walk
from gpu.diagonals.matrix import DiagonalMatrix
from gpu.edit.run import GpuEdit
from gpu.lcs.run import GpuLcs
from gpu.strips.layout import Signs
from tests.core.pairs import mutated, random_letters

PAIRS = [(900, 90, 4), (2500, 200, 4), (1500, 40, 20), (3000, 150, 2), (300, 30, 256), (33, 8, 3), (2, 1, 2)]
ALL = 1 << 20


@pytest.fixture(params=[(1, 8, 1), (2, 16, 2)], ids=str)
def small(request, monkeypatch):
    """Few diagonals a block and few costs a launch, so that small pairs need many of both."""
    for name, value in zip(("EACH", "STEPS", "WARPS"), request.param, strict=True):
        monkeypatch.setattr(f"gpu.diagonals.matrix.{name}", value)


def _pair(seed, n, edits, sigma):
    rng = np.random.default_rng(seed)
    a = random_letters(rng, n, sigma)
    _, codes = np.unique(np.concatenate([a, b := mutated(rng, a, edits, sigma)]), return_inverse=True)
    codes = codes.astype(np.uint8)
    return codes[:n], codes[n : n + b.size]


def _expected(signs, a, b):
    """Return (length or distance, cost of the path, alignment)."""
    if signs is Signs.LCS:
        lcs = returned(run_lcs(LcsJob(a=a, b=b)))
        return lcs.length, a.size + b.size - 2 * lcs.length, lcs.alignment
    edit = returned(run_edit(EditJob(a=a, b=b)))
    return edit.distance, edit.distance, edit.alignment


def _matrix(card, signs, a, b, band, edits=ALL, path=True):
    n_codes = int(max(a.max(), b.max())) + 1
    return DiagonalMatrix(card, a, b, n_codes, signs, band, path=path, edits=edits)


@pytest.mark.parametrize("signs", Signs)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_any_band_that_holds_the_best_path(card, small, signs, pair):
    a, b = _pair(1, *pair)
    value, cost, alignment = _expected(signs, a, b)
    shift = b.size - a.size
    slack = max(cost - abs(shift), 0) // 2
    for band in ((-ALL, ALL), (min(0, shift) - slack, max(0, shift) + slack)):
        matrix = _matrix(card, signs, a, b, band)
        steps = [event for event in matrix.solve(1, None) if isinstance(event, StepDone)]
        assert matrix.value() == value
        assert sum(event.cells for event in steps) == matrix.n_cells
        pieces = []
        list(matrix.trace(1, pieces))
        found = returned(from_walk(1, pieces, a, b, int(common_prefix(a, b)), 0))
        assert np.array_equal(found.ops, alignment.ops)
        assert np.array_equal(found.lengths, alignment.lengths)


@pytest.mark.parametrize("signs", Signs)
def test_what_takes_many_more_edits_is_given_up_with_an_upper_bound(card, small, signs, monkeypatch):
    monkeypatch.setattr("gpu.diagonals.matrix.SLICE", 0.0)  # a look at it after every launch
    a, b = _pair(2, 3000, 600, 4)
    value, cost, _ = _expected(signs, a, b)
    matrix = _matrix(card, signs, a, b, (-ALL, ALL), edits=cost // 4, path=False)
    list(matrix.solve(1, None))
    bound = a.size + b.size - 2 * matrix.value() if signs is Signs.LCS else matrix.value()
    assert cost < bound <= a.size + b.size
    assert matrix.value() != value


def _samples(matrix):
    return sum(one.calls for one in matrix.solve(1, None) if isinstance(one, StepDone) and one.kernel == "sample")


@pytest.mark.parametrize("path", [False, True])
@pytest.mark.parametrize("signs", Signs)
@pytest.mark.parametrize("pair", PAIRS[:4], ids=str)
def test_each_run_has_a_sample_and_all_of_them_agree(card, small, always_sampled, signs, pair, path, monkeypatch):
    monkeypatch.setattr("gpu.diagonals.matrix.SLICE", 0.0)
    for seed in range(3):
        a, b = _pair(seed, *pair)
        assert _samples(_matrix(card, signs, a, b, (-ALL, ALL), path=path)) > 1


@pytest.mark.parametrize("signs", Signs)
def test_a_short_run_has_one_sample(card, no_samples, signs):
    a, b = _pair(4, 3000, 150, 4)
    assert _samples(_matrix(card, signs, a, b, (-ALL, ALL), path=False)) == 1


@pytest.mark.parametrize("signs", Signs)
def test_a_card_that_follows_other_letters_is_found_out(card, signs, monkeypatch):
    upload = DiagonalMatrix._upload

    def spoiled(self, pack, codes):
        return card.upload(card.download(upload(self, pack, codes)) ^ np.uint32(0x1111 * (codes is self._a)))

    monkeypatch.setattr(DiagonalMatrix, "_upload", spoiled)
    a, b = _pair(4, 3000, 150, 4)

    def run_often():
        for _ in range(20):  # a short run has one sample, and one point in seven comes out alike by chance
            _samples(_matrix(card, signs, a, b, (-ALL, ALL), path=False))

    with pytest.raises(SelfCheckFailed, match=r"furthest row on diagonal [+-]\d+ at cost \d+ came out"):
        run_often()


class _Eager:
    """A band is looked for however small the matrix is."""

    def pace(self, core):
        return Pace(rate=1e18, small_cells=0, instant_cells=0)


class EagerLcs(_Eager, GpuLcs): ...


class EagerEdit(_Eager, GpuEdit): ...


@pytest.mark.parametrize("path", [PathMethod.BLOCKS, PathMethod.NONE])
@pytest.mark.parametrize("method", ["lcs", "edit"])
def test_jobs_take_it_where_seeds_say_that_few_letters_are_changed(card, method, path, monkeypatch):
    monkeypatch.setattr("gpu.diagonals.matrix.ROW", 1.0)
    a, b = _pair(3, 9000, 300, 4)
    run, engine, job = (
        (run_lcs, EagerLcs, LcsJob(a=a, b=b, path=path))
        if method == "lcs"
        else (run_edit, EagerEdit, EditJob(a=a, b=b, path=path))
    )
    planned = []
    steps = run(job, engine(card))
    try:
        while True:
            event = next(steps)
            planned += [event.reason] if isinstance(event, Planned) else []
    except StopIteration as end:
        found = end.value
    expected = returned(run(job))
    assert any("furthest points" in reason for reason in planned)
    assert (found.way, found.device) == ("band", "gpu")
    if method == "lcs":
        assert found.length == expected.length
    else:
        assert (found.distance, found.exact) == (expected.distance, True)
    if path is PathMethod.BLOCKS:
        assert np.array_equal(found.alignment.ops, expected.alignment.ops)
        assert np.array_equal(found.alignment.lengths, expected.alignment.lengths)
