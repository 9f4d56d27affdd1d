"""A band by O(ND) against jobs that compute blocks: the same answer and the very same alignment.

The bodies are those of ``tests.gpu.test_diagonals`` too.
"""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from core.bits import common_prefix
from core.events import Planned, StepDone
from core.grid import BlockState
from core.jobs import Band, EditJob, LcsJob, PathMethod, Way
from core.kernels.blocks.method import EDIT_SIGNS, LCS_SIGNS
from core.kernels.diagonals import cpu
from core.kernels.diagonals.cpu import CpuDiagonals
from core.kernels.edit.run import run as run_edit
from core.kernels.lcs.run import run as run_lcs
from core.kernels.steps import returned
from core.traceback.whole import from_walk
from tests.core.pairs import mutated, random_letters

PAIRS = [(900, 90, 4), (2500, 200, 4), (1500, 40, 20), (3000, 150, 2), (300, 30, 256), (33, 8, 3), (2, 1, 2)]
ALL = 1 << 20


def pair_of(seed, n, edits, sigma):
    rng = np.random.default_rng(seed)
    a = random_letters(rng, n, sigma)
    _, codes = np.unique(np.concatenate([a, b := mutated(rng, a, edits, sigma)]), return_inverse=True)
    codes = codes.astype(np.uint8)
    return codes[:n], codes[n : n + b.size]


def expected(n_signs, a, b):
    """Return (length or distance, cost of the path, alignment)."""
    if n_signs == LCS_SIGNS:
        lcs = returned(run_lcs(LcsJob(a=a, b=b, way=Way.FULL)))
        return lcs.length, a.size + b.size - 2 * lcs.length, lcs.alignment
    edit = returned(run_edit(EditJob(a=a, b=b, band=Band.NONE)))
    return edit.distance, edit.distance, edit.alignment


def check_any_band(make, n_signs, pair):
    """``make`` returns a matrix of two sequences in a band that is not given up."""
    a, b = pair_of(1, *pair)
    value, cost, alignment = expected(n_signs, a, b)
    shift = b.size - a.size
    slack = max(cost - abs(shift), 0) // 2
    for band in ((-ALL, ALL), (min(0, shift) - slack, max(0, shift) + slack)):
        matrix = make(a, b, band)
        steps = [event for event in matrix.solve(1, None) if isinstance(event, StepDone)]
        assert matrix.value() == value
        assert sum(event.cells for event in steps) == matrix.n_cells
        assert set(np.unique(matrix.board).tolist()) <= {BlockState.DONE, BlockState.OUTSIDE_BAND}
        pieces = []
        list(matrix.trace(1, pieces))
        found = returned(from_walk(1, pieces, a, b, int(common_prefix(a, b)), 0))
        assert np.array_equal(found.ops, alignment.ops)
        assert np.array_equal(found.lengths, alignment.lengths)
        assert (matrix.board == BlockState.PATH).any() or cost == 0


def check_given_up(make, n_signs):
    """``make`` returns a matrix of two sequences that is given up after so many edits."""
    a, b = pair_of(2, 3000, 600, 4)
    value, cost, _ = expected(n_signs, a, b)
    matrix = make(a, b, cost // 4)
    list(matrix.solve(1, None))
    bound = a.size + b.size - 2 * matrix.value() if n_signs == LCS_SIGNS else matrix.value()
    assert cost < bound <= a.size + b.size
    assert matrix.value() != value


@pytest.fixture(params=[1, 7, 64])
def steps(request, monkeypatch):
    monkeypatch.setattr(cpu, "STEPS", request.param)


@pytest.mark.parametrize("n_signs", [LCS_SIGNS, EDIT_SIGNS])
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_any_band_that_holds_the_best_path(steps, n_signs, pair):
    check_any_band(lambda a, b, band: CpuDiagonals(a, b, n_signs, band, path=True, most=ALL), n_signs, pair)


@pytest.mark.parametrize("n_signs", [LCS_SIGNS, EDIT_SIGNS])
def test_what_takes_many_more_edits_is_given_up_with_an_upper_bound(steps, n_signs):
    check_given_up(lambda a, b, most: CpuDiagonals(a, b, n_signs, (-ALL, ALL), path=False, most=most), n_signs)


@pytest.mark.parametrize("n_signs", [LCS_SIGNS, EDIT_SIGNS])
def test_rows_that_do_not_fit_32_bits_are_kept_in_64(n_signs, monkeypatch):
    monkeypatch.setattr(cpu, "MOST_ROWS", 1)
    check_any_band(lambda a, b, band: CpuDiagonals(a, b, n_signs, band, path=True, most=ALL), n_signs, PAIRS[1])


def test_fronts_lie_further_apart_where_memory_is_short(monkeypatch):
    monkeypatch.setattr(cpu, "MODEST", 1 << 12)
    monkeypatch.setattr(cpu, "available_memory", lambda: 0)
    assert cpu.edits_that_fit(1000, 64) < 150 < cpu.edits_that_fit(1000, 512)
    matrix = CpuDiagonals(*pair_of(1, 3000, 150, 4), EDIT_SIGNS, (-500, 499), path=True, most=150)
    assert matrix._steps == 256
    check_any_band(lambda a, b, band: CpuDiagonals(a, b, EDIT_SIGNS, band, path=True, most=ALL), EDIT_SIGNS, PAIRS[1])


@pytest.mark.parametrize("method", ["lcs", "edit"])
@pytest.mark.parametrize("asked", [{}, {"block_rows": 512}])
def test_jobs_take_it_where_it_is_faster_than_blocks_of_no_size_that_was_asked_for(method, asked, monkeypatch):
    """Two million letters with one in four thousand changed."""
    monkeypatch.setattr("core.kernels.lcs.ways.PROBE_MOST", 0)
    monkeypatch.setattr("core.kernels.edit.ways.PROBE_MOST", 0)
    rng = np.random.default_rng(4)
    a = rng.integers(0, 4, 2 << 20, np.uint8)
    at = rng.integers(0, a.size, 500)
    b = a.copy()
    b[at] = (b[at] + 1) % 4
    n_changed = np.unique(at).size
    kind = LcsJob if method == "lcs" else EditJob
    run = run_lcs if method == "lcs" else run_edit
    reasons, result = _planned(run(kind(a=a, b=b, path=PathMethod.NONE, **asked)))
    assert any("furthest points" in reason for reason in reasons) == (not asked)
    if method == "lcs":
        assert result.length >= a.size - n_changed
    else:
        assert result.distance <= n_changed


def _planned(steps):
    reasons = []
    try:
        while True:
            event = next(steps)
            reasons += [event.reason] if isinstance(event, Planned) else []
    except StopIteration as end:
        return reasons, end.value


@pytest.mark.parametrize("n_signs", [LCS_SIGNS, EDIT_SIGNS])
def test_thousands_of_fronts_between_two_reports(n_signs, monkeypatch):
    """Those of a few diagonals take no time."""
    monkeypatch.setattr(cpu, "STEPS", 1)
    looks = count()
    monkeypatch.setattr(cpu, "perf_counter", lambda: float(next(looks) > 1500))
    rng = np.random.default_rng(5)
    a = rng.integers(0, 4, 30_000, np.uint8)
    b = a.copy()
    at = rng.integers(0, a.size, 3000)
    b[at] = (b[at] + 1) % 4
    matrix = CpuDiagonals(a, b, n_signs, (-2, 2), path=False, most=ALL)
    assert len(list(matrix.solve(1, None))) == 2
    assert next(looks) > 1500
    assert matrix.value() > 1500


@pytest.mark.parametrize("n_signs", [LCS_SIGNS, EDIT_SIGNS])
def test_what_is_all_alike_is_looked_at_now_and_then(n_signs, monkeypatch):
    """Every diagonal of the band slides along all of it."""
    monkeypatch.setattr(cpu, "SLICE", 0.0)
    a = np.zeros(40_000, np.uint8)
    a[::9000] = 1
    b = np.delete(a, [3000, 7000, 12_000])

    def reports(letters):
        monkeypatch.setattr(cpu, "LETTERS", letters)
        matrix = CpuDiagonals(a, b, n_signs, (-40, 40), path=True, most=ALL)
        events, pieces = list(matrix.solve(1, None)), []
        list(matrix.trace(1, pieces))
        return len(events), matrix.value(), returned(from_walk(1, pieces, a, b, int(common_prefix(a, b)), 0))

    (few, value, whole), (many, other, again) = reports(1 << 30), reports(1000)
    assert many > few
    assert value == other == expected(n_signs, a, b)[0]
    assert np.array_equal(whole.lengths, again.lengths)
