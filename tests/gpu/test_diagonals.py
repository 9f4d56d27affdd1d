"""A band on the card by O(ND) against jobs on the CPU: the same answer and the very same alignment."""

import numpy as np
import pytest

from tests.core.running import watched
from tests.core.test_diagonals import ALL, PAIRS, check_any_band, check_edges, check_given_up, pair_of
from tests.depth import deeper, one_of, some
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.events import Planned, Step, StepDone, run_to_end
from wavediff.core.kernels.pairwise.edit.run import run as run_edit
from wavediff.core.kernels.pairwise.lcs.run import run as run_lcs
from wavediff.core.kernels.pairwise.matrix import BackendSpeed
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.gpu.pairwise.diagonal_transition.diagonal_band import CardDiagonalBand
from wavediff.gpu.pairwise.edit.run import GpuEdit
from wavediff.gpu.pairwise.lcs.run import GpuLcs
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits


@pytest.fixture(params=[(1, 8, 1), (2, 16, 2)], ids=str)
def small(request, monkeypatch):
    """Few diagonals a block and few costs a launch, so that small pairs need many of both."""
    for name, value in zip(("DIAGONALS_PER_THREAD", "LAUNCH_COSTS", "BLOCK_WARPS"), request.param, strict=True):
        monkeypatch.setattr(f"wavediff.gpu.pairwise.diagonal_transition.diagonal_band.{name}", value)


def _matrix(card, delta_bits, a, b, band, edits=ALL, path=True):
    n_codes = int(max(a.max(), b.max())) + 1
    return CardDiagonalBand(card, a, b, n_codes, delta_bits, band, path=path, edits=edits)


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("pair", one_of(2, PAIRS), ids=str)
def test_any_band_that_holds_the_best_path(card, small, delta_bits, pair):
    check_any_band(lambda a, b, band: _matrix(card, delta_bits, a, b, band), int(delta_bits), pair)


@pytest.mark.parametrize(
    ("delta_bits", "path_and_share"), one_of(2, DeltaBits, [(True, 0.3), (False, 0.3), (False, 0.0)])
)
def test_points_near_the_edges_of_a_band_come_out_alike_again(card, small, delta_bits, path_and_share, monkeypatch):
    """Also those of many launches without a look between them, whose points share their memory."""
    path, share = path_and_share
    monkeypatch.setattr("wavediff.gpu.pairwise.diagonal_transition.diagonal_band.POLL_SECONDS", 1e9)
    monkeypatch.setattr("wavediff.gpu.pairwise.diagonal_transition.diagonal_band.POINT_MEMORY_SHARE", share)
    check_edges(lambda a, b, band: _matrix(card, delta_bits, a, b, band, path=path), int(delta_bits), share > 0)


@pytest.mark.parametrize("delta_bits", DeltaBits)
def test_what_takes_many_more_edits_is_given_up_with_an_upper_bound(card, small, delta_bits, monkeypatch):
    monkeypatch.setattr(
        "wavediff.gpu.pairwise.diagonal_transition.diagonal_band.POLL_SECONDS", 0.0
    )  # a look at it after every launch
    check_given_up(
        lambda a, b, most: _matrix(card, delta_bits, a, b, (-ALL, ALL), edits=most, path=False), int(delta_bits)
    )


def _samples(matrix):
    return sum(
        one.calls for one in matrix.solve(Step(1), None) if isinstance(one, StepDone) and one.kernel == "spot-check"
    )


@deeper
@pytest.mark.parametrize("path", [False, True])
@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("pair", one_of(2, PAIRS[:4]), ids=str)
def test_each_run_has_a_sample_and_all_of_them_agree(card, small, always_sampled, delta_bits, pair, path, monkeypatch):
    monkeypatch.setattr("wavediff.gpu.pairwise.diagonal_transition.diagonal_band.POLL_SECONDS", 0.0)
    for seed in some(3):
        a, b = pair_of(seed, *pair)
        assert _samples(_matrix(card, delta_bits, a, b, (-ALL, ALL), path=path)) > 1


@pytest.mark.parametrize("delta_bits", DeltaBits)
def test_a_short_run_has_one_sample(card, no_samples, delta_bits):
    a, b = pair_of(4, 3000, 150, 4)
    assert _samples(_matrix(card, delta_bits, a, b, (-ALL, ALL), path=False)) == 1


@pytest.mark.parametrize("delta_bits", DeltaBits)
def test_a_card_that_follows_other_letters_is_found_out(card, delta_bits, monkeypatch):
    upload = CardDiagonalBand._upload

    def spoiled(self, pack, codes):
        return card.upload(card.download(upload(self, pack, codes)) ^ np.uint32(0x1111 * (codes is self._a)))

    monkeypatch.setattr(CardDiagonalBand, "_upload", spoiled)
    a, b = pair_of(4, 3000, 150, 4)

    def run_often():
        for _ in range(20):  # a short run has one sample, and one point in seven comes out alike by chance
            _samples(_matrix(card, delta_bits, a, b, (-ALL, ALL), path=False))

    with pytest.raises(SelfCheckFailed, match=r"furthest row on diagonal [+-][\d,]+ at cost [\d,]+ came out"):
        run_often()


class _Eager:
    """A band is looked for however small the matrix is."""

    def speed(self, problem):
        return BackendSpeed(rate=1e18, small_cells=0, no_band_cells=0)


class EagerLcs(_Eager, GpuLcs): ...


class EagerEdit(_Eager, GpuEdit): ...


@pytest.mark.parametrize("path", [TracebackMethod.BLOCKS, TracebackMethod.NONE])
@pytest.mark.parametrize("method", ["lcs", "edit"])
def test_jobs_take_it_where_seeds_say_that_few_letters_are_changed(card, method, path, monkeypatch):
    monkeypatch.setattr("wavediff.gpu.pairwise.diagonal_transition.diagonal_band.STRIP_ROW_SECONDS", 1.0)
    a, b = pair_of(3, 9000, 300, 4)
    run, backend, job = (
        (run_lcs, EagerLcs, LcsJob(a=a, b=b, path=path))
        if method == "lcs"
        else (run_edit, EagerEdit, EditJob(a=a, b=b, path=path))
    )
    events, found = watched(run(job, backend(card)))
    expected = run_to_end(run(job))
    assert any("furthest points" in event.reason for event in events if isinstance(event, Planned))
    assert (found.strategy, found.device) == ("band", "gpu")
    if method == "lcs":
        assert found.length == expected.length
    else:
        assert (found.distance, found.exact) == (expected.distance, True)
    if path is TracebackMethod.BLOCKS:
        assert np.array_equal(found.alignment.ops, expected.alignment.ops)
        assert np.array_equal(found.alignment.lengths, expected.alignment.lengths)
