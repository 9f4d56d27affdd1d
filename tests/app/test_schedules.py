"""Schedules on the blocks of a run: golden numbers, an order that the recurrence allows, and what the view shows."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.stored_runs import stored_run
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.schedules import RULES, WORKERS, as_run, durations, speed_ups
from wavediff.app.compare.schedules_view import SchedulesView
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.base.errors import Cancelled
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import RunRecord, thread_lanes
from wavediff.core.teach.schedule import MAX_PLACES, Rule


@pytest.fixture
def fake_kernels():
    """Let the real ones compute."""


def plan(rows=5, cols=8):
    """Blocks that took a second each, one after the other."""
    began = 1 + 1000 * np.arange(rows * cols, dtype=np.uint32).reshape(rows, cols)
    record = RunRecord(began, began + np.uint32(1000), np.zeros((rows, cols), np.uint8), thread_lanes(1), 0.0, 1e-3)
    states = np.full((rows, cols), BlockState.DONE, np.uint8)
    return Planned(1, BlockGrid(rows * 10, cols * 10, 10, 10), states, "full", "so", rows * cols * 100, record=record)


def test_the_rules_gain_what_the_paper_says():
    record = plan().record
    assert record is not None
    found = speed_ups(record, CancelToken())
    two = WORKERS.index(2)
    assert found.of[Rule.QUEUE][two] == pytest.approx(40 / 21)  # Sudo and Shinohara, Fig. 1
    assert found.of[Rule.CALLS][two] == pytest.approx(40 / 24)
    assert all(gains[0] == pytest.approx(1) for gains in found.of.values())
    assert found.real == (1, pytest.approx(1, rel=1e-3))


@pytest.mark.parametrize("rule", RULES)
def test_a_schedule_can_be_replayed_in_an_order_that_the_recurrence_allows(rule):
    real = plan()
    real.record.ended[4, 7] = 0  # a run that was stopped
    run = as_run(real, 3, rule).attempts[0].record
    assert run.ended[4, 7] == 0
    assert len(run.names) == 3
    done = run.ended > 0
    below, right = done[1:] & done[:-1], done[:, 1:] & done[:, :-1]
    assert (run.began[1:][below] >= run.ended[:-1][below]).all()
    assert (run.began[:, 1:][right] >= run.ended[:, :-1][right]).all()
    assert np.allclose(durations(run)[done], durations(real.record)[done], atol=1e-6)


def test_nobody_waits_for_schedules_of_a_run_before():
    token, record = CancelToken(), plan().record
    assert record is not None
    token.cancel()
    with pytest.raises(Cancelled):
        speed_ups(record, token)


def test_too_many_blocks_are_refused_with_the_number(qtbot):
    view = SchedulesView(Theme(Scheme.LIGHT))
    qtbot.addWidget(view)
    view.show_run(plan(1, MAX_PLACES + 1))
    assert not view.open.isEnabled()
    assert "65,536" in view.words.text()
    view.show_run(plan())
    assert view.open.isEnabled()


def test_the_plot_is_shown_and_a_schedule_played_and_others_after_it(qtbot, window, session, tmp_path):
    window.resize(1280, 800)
    view = window.view(ComputationView)
    qtbot.expect(session.records.found, session.open_paths, [stored_run(tmp_path)], None)
    real, schedules = view._model, view.run_panel.schedules
    qtbot.waitUntil(lambda: not schedules.isHidden(), timeout=10_000)
    schedules.open.click()
    qtbot.waitUntil(lambda: not schedules.plot.isHidden(), timeout=30_000)
    assert "Queue" in schedules.plot.accessibleName()
    assert not schedules.grab().isNull()
    for n in (2, 8):
        schedules._workers.choose(n)
        qtbot.expect(schedules.found, qtbot.mouseClick, schedules._play, Qt.MouseButton.LeftButton)
        assert view._model is not real
        assert view.replay.playing
        assert f"{n} workers" in view.tools.title.text()
        assert len(view._model.record.names) == n
        assert not schedules.plot.isHidden()
    assert view._model.block_map.shape == real.block_map.shape
