"""Bands without a widget: edges, labels, verdicts, the ledger, and what the wavefront's model keeps of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app import fake_edit
from tests.app.alignments import sequence
from tests.app.fake_edit import Edit
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.compare.skipped_work import COLUMNS, EXPLAINED, SkippedWorkModel
from wavediff.app.ui.block_map.band_attempts import Band, can_slide, verdict
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.pair import Comparison
from wavediff.core.jobs.edit_result import EditResult, SkipReason
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.common_options import AUTO_BLOCKS
from wavediff.core.methods.edit import EDIT, SUDO_BLOCKS, BandMode, EditJob


def compared(a, b, **changes):
    """Run the fake kernel and return its outcome and its plans."""
    first, second = sequence(a), sequence(b)
    job = EditJob(a=first.letters, b=second.letters, **changes)
    steps, plans = fake_edit.run(job), []
    while True:
        try:
            event = next(steps)
        except StopIteration as stop:
            return Comparison(job, first, second, False, stop.value), plans
        if isinstance(event, Planned):
            plans.append(event)


def result(**changes):
    fields = {
        "job_id": 1, "distance": 37, "exact": True, "alignment": None, "strategy": "band", "reason": "because",
        "n_cells": 10_000, "cells": 3000, "skips": (), "bands": (), "device": "cpu",
        "kernel_seconds": 0.1, "wall_seconds": 0.2,
    }  # fmt: skip
    return EditResult(**(fields | changes))


@given(st.integers(1, 30), st.integers(1, 30), st.integers(-35, 35), st.integers(0, 20))
def test_edges_lie_between_the_cells_inside_and_those_outside(n, m, low, width):
    attempt = Band(BlockGrid(n, m, 4, 4, 3, 5), low, low + width)
    for row0, col0, row1, col1 in attempt.edges():
        diagonal = (col0 - 5) - (row0 - 3)
        assert diagonal == (col1 - 5) - (row1 - 3)  # a diagonal of the matrix
        assert diagonal in {low - 1, low + width + 1}
        assert 3 <= row0 < row1 <= 3 + n
        assert 5 <= col0 < col1 <= 5 + m
        assert not attempt.holds(int(row0), int(col0))
        assert attempt.holds(int(row0) + (1 if diagonal > low else -1), int(col0))
    inside = [(i, j) for i in range(n) for j in range(m) if low <= j - i <= low + width]
    assert all(attempt.holds(i + 3, j + 5) for i, j in inside)


def test_a_band_wider_than_the_matrix_has_no_edge_in_it():
    assert Band(BlockGrid(10, 12, 4, 4), -20, 20).edges() == []
    assert len(Band(BlockGrid(10, 12, 4, 4), -20, 3).edges()) == 1


def test_a_verdict_says_plainly_when_it_is_only_a_bound():
    assert verdict(result(), None) == "37 edits, exact"
    assert verdict(result(distance=1), 4) == "1 edit, exact: this band is wide enough"
    assert verdict(result(exact=False), 12).startswith("Upper bound only: at most 37 edits")
    assert verdict(result(exact=False), None) == "Upper bound only: at most 37 edits"


def test_only_small_matrices_follow_the_slider():
    assert can_slide(3000, 3000)
    assert not can_slide(3163, 3163)
    assert not can_slide(0, 100)


@given(st.text("ACGT", min_size=1, max_size=30), st.text("ACGT", min_size=1, max_size=30), st.sampled_from(BandMode))
def test_the_ledger_adds_up_to_the_whole_matrix(a, b, band):
    outcome, plans = compared(a, b, band=band, threshold=2 if band is BandMode.FIXED else None)
    model = SkippedWorkModel()
    model.show(outcome, plans[-1].grid)
    lines = {line.kind: line for line in model.rows if line.kind != "skipped"}
    skipped = [line for line in model.rows if line.kind == "skipped"]
    assert sum(line.cells for line in skipped) + lines["computed"].cells == len(a) * len(b) == lines["total"].cells
    assert lines["total"].seconds == pytest.approx(sum(line.seconds or 0 for line in skipped))
    if lines["computed"].blocks is not None:
        assert sum(line.blocks or 0 for line in skipped) + lines["computed"].blocks == plans[-1].grid.n_blocks
    assert lines["computed_in_all"].cells == outcome.result.cells
    rows = [row.split("\t") for row in model.tsv().splitlines()]
    assert len(rows) == len(model.rows) + 1
    assert {len(row) for row in rows} == {6}
    assert sum(int(row[3]) for row in rows[1:] if row[0] in {"skipped", "computed"}) == len(a) * len(b)


def test_the_ledger_is_shown_with_reasons_and_shares(qtbot):
    Edit.reset()
    outcome, plans = compared("ACGT" * 8 + "A" * 30, "ACGT" * 8 + "A" * 10 + "C" + "A" * 19)
    model = SkippedWorkModel()
    model.show(outcome, plans[-1].grid)
    shown = [[model.data(model.index(row, col)) for col in range(len(COLUMNS))] for row in range(model.rowCount())]
    assert [row[0] for row in shown] == [
        "Equal start or end", "Outside the band", "Computed", "Whole matrix", "Computed in total"
    ]  # fmt: skip
    assert shown[0][1] == "–"
    assert shown[3][2:4] == ["3,844", "100 %"]
    assert set(EXPLAINED) == set(SkipReason)
    model.show(None)
    assert model.rowCount() == 0


def test_the_model_has_the_band_of_the_last_attempt_and_forgets_those_before(qtbot):
    model = BlockMapModel()
    grid = BlockGrid(100, 80, 10, 10)
    model.start(1, 100, 80)
    for k in (4, 8):
        model.apply(Planned(1, grid, np.zeros(grid.shape, np.uint8), "band", "", 1, -k, k, k))
        assert model.band == Band(grid, -k, k)
    model.apply(Planned(1, grid, np.zeros(grid.shape, np.uint8), "full", "", 1))
    assert model.band is None
    model.start(2, 100, 80)
    assert model.plan is None
    model.apply(Planned(1, grid, np.zeros(grid.shape, np.uint8), "band", "", 1, -1, 1, 1))  # late
    assert model.plan is None


def test_a_job_that_follows_the_slider_keeps_the_picture_until_it_has_planned(qtbot):
    model = BlockMapModel()
    grid = BlockGrid(100, 80, 10, 10)
    model.start(1, 100, 80)
    model.apply(Planned(1, grid, np.full(grid.shape, BlockState.DONE, np.uint8), "band", "", 1, -1, 1, 1))
    model.end(Phase.DONE)
    with qtbot.assertNotEmitted(model.planned):
        model.start(2, 100, 80, keep_picture=True)
    assert (model.block_map == BlockState.DONE).all()
    assert model.fraction == 0
    model.apply(Planned(2, grid, np.zeros(grid.shape, np.uint8), "band", "", 1, -2, 2, 2))
    assert not model.block_map.any()


def test_the_job_is_what_was_chosen():
    a, b = sequence("A" * 5000), sequence("C" * 5000)
    edit = JobOptions("edit")
    job = edit.with_options(band=BandMode.FIXED, threshold=7).job(a, b, fold_case=False)
    assert (job.band, job.threshold) == (BandMode.FIXED, 7)
    job = edit.with_options(band=BandMode.SUDO, threshold=7, blocks=SUDO_BLOCKS).job(a, b, fold_case=True)
    assert (job.band, job.threshold, job.block_rows, job.block_cols, job.fold_case) == (
        BandMode.SUDO,
        None,
        128,
        1280,
        True,
    )
    job = edit.with_options(traceback=TracebackMethod.HIRSCHBERG).job(a, b, fold_case=False)
    assert job.path is TracebackMethod.BLOCKS  # Hirschberg's was the choice for the LCS
    tiny = sequence("ACGT")
    job = edit.with_options(blocks=AUTO_BLOCKS).job(tiny, tiny, fold_case=False)
    assert (job.block_rows, job.block_cols) == (0, 0)
    assert (
        JobOptions("lcs").with_options(traceback=TracebackMethod.NONE).job(a, b, fold_case=False).path
        is TracebackMethod.NONE
    )


def test_the_line_says_exact_or_upper_bound():
    assert EDIT.headline(result(), 100, 50) == "37 edits · 63.0 % identical"
    assert EDIT.remarks(result()) == ["exact"]
    bound = result(exact=False)
    assert EDIT.headline(bound, 100, 50) == "At most 37 edits · 63.0 % identical"
    assert EDIT.remarks(bound) == ["upper bound: the band was too narrow to prove it"]


def test_what_is_computed_more_than_once_is_no_share_of_the_matrix():
    Edit.reset()
    outcome, plans = compared("A" * 4, "C" * 4)  # bands for 1, 2 and 4 edits
    model = SkippedWorkModel()
    model.show(outcome, plans[-1].grid)
    times = sum(plan.cells for plan in plans) / 16
    assert [model.data(model.index(row, 3)) for row in range(model.rowCount())][-2:] == [
        "100 %",
        f"{times:.1f} times the matrix",
    ]
    assert 1 < times < 2
