"""A band by O(ND) against jobs that compute blocks: the same answer and the very same alignment.

The bodies are those of ``tests.gpu.test_diagonals`` too.
"""

from itertools import count

import numpy as np
import pytest

from tests.core.pairs import mutate, random_letters
from tests.core.running import watched
from wavediff.core.jit.bits import common_prefix
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Planned, Step, StepDone, run_to_end
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS, LCS_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition import cpu_band
from wavediff.core.kernels.pairwise.diagonal_transition.cpu_band import CpuDiagonalBand
from wavediff.core.kernels.pairwise.edit.run import run as run_edit
from wavediff.core.kernels.pairwise.lcs.run import run as run_lcs
from wavediff.core.kernels.pairwise.look_again import Original
from wavediff.core.kernels.traceback.assemble import assemble_alignment
from wavediff.core.methods.base import Ties, TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy

PAIRS = [(900, 90, 4), (2500, 200, 4), (1500, 40, 20), (3000, 150, 2), (300, 30, 256), (33, 8, 3), (2, 1, 2)]
ALL = 1 << 20


def pair_of(seed, n, edits, sigma):
    rng = np.random.default_rng(seed)
    a = random_letters(rng, n, sigma)
    _, codes = np.unique(np.concatenate([a, b := mutate(rng, a, edits, sigma)]), return_inverse=True)
    codes = codes.astype(np.uint8)
    return codes[:n], codes[n : n + b.size]


def expected(n_delta_bits, a, b):
    """Return (length or distance, cost of the path, alignment)."""
    if n_delta_bits == LCS_SIGNS:
        lcs = run_to_end(run_lcs(LcsJob(a=a, b=b, strategy=Strategy.FULL, ties=Ties.LEFT_MOST)))
        return lcs.length, a.size + b.size - 2 * lcs.length, lcs.alignment
    edit = run_to_end(run_edit(EditJob(a=a, b=b, band=BandMode.NONE, ties=Ties.LEFT_MOST)))
    return edit.distance, edit.distance, edit.alignment


def check_any_band(make, n_delta_bits, pair):
    """``make`` returns a matrix of two sequences in a band that is not given up."""
    a, b = pair_of(1, *pair)
    value, cost, alignment = expected(n_delta_bits, a, b)
    shift = b.size - a.size
    slack = max(cost - abs(shift), 0) // 2
    for band in ((-ALL, ALL), (min(0, shift) - slack, max(0, shift) + slack)):
        matrix = make(a, b, band)
        steps = [event for event in matrix.solve(Step(1), None) if isinstance(event, StepDone)]
        assert matrix.value() == value
        assert sum(event.cells for event in steps) == matrix.n_cells
        assert set(np.unique(matrix.block_map).tolist()) <= {BlockState.DONE, BlockState.OUTSIDE_BAND}
        pieces = []
        list(matrix.trace(Step(1), pieces))
        found = run_to_end(assemble_alignment(Step(1), pieces, a, b, int(common_prefix(a, b)), 0))
        assert np.array_equal(found.ops, alignment.ops)
        assert np.array_equal(found.lengths, alignment.lengths)
        assert (matrix.block_map == BlockState.PATH).any() or cost == 0


def check_edges(make, n_delta_bits, kept=True):
    """``make`` returns a matrix of two sequences in a band that is not given up.

    Bands that hold the best path and little more: near their edges points are looked at again, all of them in some run.
    ``kept``: all of them.
    """
    for seed in range(60):
        rng = np.random.default_rng(seed)
        a = rng.integers(0, 2, 200, np.uint8)
        b = np.delete(a, rng.integers(0, a.size, 30))
        b = np.insert(b, rng.integers(0, b.size, 30), rng.integers(0, 2, 30, np.uint8))
        value, _, alignment = expected(n_delta_bits, a, b)
        matrix = make(a, b, diagonals_of(alignment))
        list(matrix.solve(Step(1), None))
        again = run_to_end(matrix.recheck(Step(1), Original(a, b, False), 1e6))
        if kept or again is not None:
            assert (matrix.value(), again.value, again.fault) == (value, value, ""), seed
            assert again.share > 0


def diagonals_of(alignment):
    """Return the lowest and the highest diagonal of a path."""
    steps = np.zeros(int(max(Op)) + 1, np.int64)
    steps[[Op.INSERTION, Op.DELETION]] = 1, -1
    place = np.cumsum(steps[alignment.ops] * alignment.lengths)
    return min(0, int(place.min())), max(0, int(place.max()))


def check_given_up(make, n_delta_bits):
    """``make`` returns a matrix of two sequences that is given up after so many edits."""
    a, b = pair_of(2, 3000, 600, 4)
    value, cost, _ = expected(n_delta_bits, a, b)
    matrix = make(a, b, cost // 4)
    list(matrix.solve(Step(1), None))
    bound = a.size + b.size - 2 * matrix.value() if n_delta_bits == LCS_SIGNS else matrix.value()
    assert cost < bound <= a.size + b.size
    assert matrix.value() != value


@pytest.fixture(params=[1, 7, 64])
def steps(request, monkeypatch):
    monkeypatch.setattr(cpu_band, "MIN_CHECKPOINT_COSTS", request.param)


@pytest.mark.parametrize("n_delta_bits", [LCS_SIGNS, EDIT_SIGNS])
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_any_band_that_holds_the_best_path(steps, n_delta_bits, pair):
    check_any_band(
        lambda a, b, band: CpuDiagonalBand(a, b, n_delta_bits, band, path=True, most=ALL), n_delta_bits, pair
    )


@pytest.mark.parametrize("n_delta_bits", [LCS_SIGNS, EDIT_SIGNS])
def test_points_near_the_edges_of_a_band_come_out_alike_again(steps, n_delta_bits):
    check_edges(lambda a, b, band: CpuDiagonalBand(a, b, n_delta_bits, band, path=True, most=ALL), n_delta_bits)


@pytest.mark.parametrize("n_delta_bits", [LCS_SIGNS, EDIT_SIGNS])
def test_what_takes_many_more_edits_is_given_up_with_an_upper_bound(steps, n_delta_bits):
    check_given_up(
        lambda a, b, most: CpuDiagonalBand(a, b, n_delta_bits, (-ALL, ALL), path=False, most=most), n_delta_bits
    )


@pytest.mark.parametrize("n_delta_bits", [LCS_SIGNS, EDIT_SIGNS])
def test_rows_that_do_not_fit_32_bits_are_kept_in_64(n_delta_bits, monkeypatch):
    monkeypatch.setattr(cpu_band, "MAX_ROWS", 1)
    check_any_band(
        lambda a, b, band: CpuDiagonalBand(a, b, n_delta_bits, band, path=True, most=ALL), n_delta_bits, PAIRS[1]
    )


def test_fronts_lie_further_apart_where_memory_is_short(monkeypatch):
    monkeypatch.setattr(cpu_band, "UNCHECKED_BYTES", 1 << 14)
    monkeypatch.setattr(cpu_band, "available_memory", lambda: 0)
    assert cpu_band.edits_that_fit(1000, 128) < 1000 < cpu_band.edits_that_fit(1000, 256)
    costs, points = [], cpu_band.FurthestPoints
    monkeypatch.setattr(cpu_band, "FurthestPoints", lambda *each: costs.append(each[0]) or points(*each))
    a = random_letters(np.random.default_rng(1), 6000, 4)
    b = np.where(np.arange(a.size) % 10, a, a ^ 1)
    list(CpuDiagonalBand(a, b, EDIT_SIGNS, (-500, 499), path=True, most=1000).solve(Step(1), None))
    assert costs == [0, 256, 512]
    check_any_band(
        lambda a, b, band: CpuDiagonalBand(a, b, EDIT_SIGNS, band, path=True, most=ALL), EDIT_SIGNS, PAIRS[1]
    )


@pytest.mark.parametrize("method", ["lcs", "edit"])
@pytest.mark.parametrize("asked", [{}, {"block_rows": 512}])
def test_jobs_take_it_where_it_is_faster_than_blocks_of_no_size_that_was_asked_for(method, asked, monkeypatch):
    """Two million letters with one in four thousand changed."""
    monkeypatch.setattr("wavediff.core.kernels.pairwise.lcs.run.LcsStrategy.max_probe_edits", 0)
    monkeypatch.setattr("wavediff.core.kernels.pairwise.edit.strategy.EditStrategy.max_probe_edits", 0)
    rng = np.random.default_rng(4)
    a = rng.integers(0, 4, 2 << 20, np.uint8)
    at = rng.integers(0, a.size, 500)
    b = a.copy()
    b[at] = (b[at] + 1) % 4
    n_changed = np.unique(at).size
    kind = LcsJob if method == "lcs" else EditJob
    run = run_lcs if method == "lcs" else run_edit
    events, result = watched(run(kind(a=a, b=b, path=TracebackMethod.NONE, **asked)))
    assert any("furthest points" in each.reason for each in events if isinstance(each, Planned)) == (not asked)
    if method == "lcs":
        assert result.length >= a.size - n_changed
    else:
        assert result.distance <= n_changed


@pytest.mark.parametrize("n_delta_bits", [LCS_SIGNS, EDIT_SIGNS])
def test_thousands_of_fronts_between_two_reports(n_delta_bits, monkeypatch):
    """Those of a few diagonals take no time."""
    monkeypatch.setattr(cpu_band, "MIN_CHECKPOINT_COSTS", 1)
    looks = count()
    monkeypatch.setattr(cpu_band, "perf_counter", lambda: float(next(looks) > 1500))
    rng = np.random.default_rng(5)
    a = rng.integers(0, 4, 30_000, np.uint8)
    b = a.copy()
    at = rng.integers(0, a.size, 3000)
    b[at] = (b[at] + 1) % 4
    matrix = CpuDiagonalBand(a, b, n_delta_bits, (-2, 2), path=False, most=ALL)
    assert len(list(matrix.solve(Step(1), None))) == 2
    assert next(looks) > 1500
    assert matrix.value() > 1500


@pytest.mark.parametrize("n_delta_bits", [LCS_SIGNS, EDIT_SIGNS])
def test_what_is_all_alike_is_looked_at_now_and_then(n_delta_bits, monkeypatch):
    """Every diagonal of the band slides along all of it."""
    monkeypatch.setattr(cpu_band, "SLICE_SECONDS", 0.0)
    a = np.zeros(40_000, np.uint8)
    a[::9000] = 1
    b = np.delete(a, [3000, 7000, 12_000])

    def reports(letters):
        monkeypatch.setattr(cpu_band, "SLICE_LETTERS", letters)
        matrix = CpuDiagonalBand(a, b, n_delta_bits, (-40, 40), path=True, most=ALL)
        events, pieces = list(matrix.solve(Step(1), None)), []
        list(matrix.trace(Step(1), pieces))
        return (
            len(events),
            matrix.value(),
            run_to_end(assemble_alignment(Step(1), pieces, a, b, int(common_prefix(a, b)), 0)),
        )

    (few, value, whole), (many, other, again) = reports(1 << 30), reports(1000)
    assert many > few
    assert value == other == expected(n_delta_bits, a, b)[0]
    assert np.array_equal(whole.lengths, again.lengths)


@pytest.mark.parametrize("method", ["lcs", "edit"])
@pytest.mark.parametrize("fold_case", [False, True])
@pytest.mark.parametrize(("edits", "way"), [(40, "diagonals"), (1600, "band")])
def test_a_likely_path_is_proven_by_what_it_costs(method, fold_case, edits, way):
    """By the letters as they are where that is little, else by a band for so many edits; or by the whole matrix."""
    rng = np.random.default_rng(6)
    codes = random_letters(rng, 70_000, 4)
    other = np.delete(mutate(rng, codes, edits, 4), slice(30_000, 30_030))
    letters = np.frombuffer(b"ACGTacgt", np.uint8)
    a, b = (letters[(one >> 6) + 4 * rng.integers(0, 2, one.size) * fold_case] for one in (codes, other))
    kind, run, every = LcsJob, run_lcs, {"strategy": Strategy.FULL}
    if method == "edit":
        kind, run, every = EditJob, run_edit, {"band": BandMode.NONE}
    expected = run_to_end(run(kind(a=a, b=b, fold_case=fold_case, **every)))
    found = run_to_end(run(kind(a=a, b=b, fold_case=fold_case)))
    number = run_to_end(run(kind(a=a, b=b, fold_case=fold_case, path=TracebackMethod.NONE)))
    assert found.strategy == number.strategy == way
    score = "length" if method == "lcs" else "distance"
    assert getattr(found, score) == getattr(number, score) == getattr(expected, score)
    assert np.array_equal(found.alignment.ops, expected.alignment.ops)
    assert np.array_equal(found.alignment.lengths, expected.alignment.lengths)
