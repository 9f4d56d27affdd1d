"""Schedules and times of a run: golden numbers, an order the recurrence allows, shares of pixels, what is shown."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent

from tests.app.real_kernels import fake_kernels
from tests.stored_runs import stored_run
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.lanes_picture import MAX_LANES, shown_lanes, shown_shares
from wavediff.app.compare.schedules import RULES, WORKERS, SchedulesView, as_run, speed_ups
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.base.errors import Cancelled
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import STAGES, RunRecord, Span, thread_lanes
from wavediff.core.record.playback import Playback
from wavediff.core.teach.schedule import MAX_PLACES, Rule

__all__ = ["fake_kernels"]


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
    assert np.allclose(Playback(run).durations[done], Playback(real.record).durations[done], atol=1e-6)


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
    real, schedules = view.model, view.run_panel.schedules
    view.run_panel.fold.click()
    qtbot.waitUntil(lambda: not schedules.isHidden(), timeout=10_000)
    schedules.open.click()
    qtbot.waitUntil(lambda: schedules.plot is not None, timeout=30_000)
    assert "Queue" in schedules.plot.accessibleName()
    assert not schedules.grab().isNull()
    at, none = QPointF(80, 80), QPoint()
    wheel = QWheelEvent(
        at, at, none, QPoint(0, -120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QCoreApplication.sendEvent(schedules.plot.viewport(), wheel)
    assert not wheel.isAccepted(), "the panel scrolls"
    for n in (2, 8):
        schedules._workers.choose(n)
        qtbot.expect(schedules.found, qtbot.mouseClick, schedules._play, Qt.MouseButton.LeftButton)
        assert view.model is not real
        assert view.replay.playing
        assert f"{n} workers" in view.tools.title.text()
        assert len(view.model.record.names) == n
        assert schedules.plot is not None
    assert view.model.block_map.shape == real.block_map.shape


def made(rng, lanes, places):
    """A record of lanes that each do one place after another, with waits."""
    began, ended = np.zeros((1, places), np.uint32), np.zeros((1, places), np.uint32)
    by = rng.integers(0, lanes, (1, places)).astype(np.uint8)
    now = np.ones(lanes, np.uint32)
    for k in range(places):
        lane = by[0, k]
        began[0, k] = now[lane] + rng.integers(0, 40)
        ended[0, k] = began[0, k] + rng.integers(0, 50)
        now[lane] = ended[0, k]
    return RunRecord(began, ended, by, thread_lanes(lanes), seconds_per_tick=1e-3)


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 30), st.integers(1, 40))
def test_shares_are_the_time_at_places(seed, lanes, places, n):
    rng = np.random.default_rng(seed)
    record = made(rng, lanes, places)
    edges = np.linspace(-0.01, record.seconds + rng.uniform(0, 0.05), n + 1)
    slow = np.zeros((lanes, n))
    for began, ended, by in zip(record.began[0], record.ended[0], record.by[0], strict=True):
        first, last = (float(began) - 1) * 1e-3, (float(ended) - 1) * 1e-3
        for k in range(n):
            slow[by, k] += max(0.0, min(last, edges[k + 1]) - max(first, edges[k])) / (edges[k + 1] - edges[k])
    assert np.allclose(Playback(record).shares(edges), slow, atol=1e-6)


def test_of_many_lanes_the_busiest_are_shown_and_all_together():
    record = made(np.random.default_rng(1), 20, 400)
    times = Playback(record)
    busy, shown = sorted((lane.busy for lane in times.lanes), reverse=True), shown_lanes(times)
    assert len(shown) == MAX_LANES
    assert sorted((lane.busy for lane, number in shown if number is not None), reverse=True) == busy[:7]
    shares = shown_shares(times, 50)
    assert shares.shape == (MAX_LANES, 50)
    assert np.allclose(shares[-1].mean(), np.mean(busy), atol=0.02)


def test_the_axis_has_all_stages_and_all_blocks():
    record = made(np.random.default_rng(2), 2, 50)
    spans = (Span("encode", STAGES, -0.5, -0.1), Span("blocks", STAGES, 0.0, 0.2), Span("x", "thread 1", -9.0, 9.0))
    times = Playback(record, spans)
    # All of the preparation would leave no room for the blocks.
    assert times.axis == (-record.seconds / 4, record.seconds)
    assert Playback(record, (Span("check", STAGES, 0.0, record.seconds + 1e-3),)).axis[1] == record.seconds + 1e-3
    assert [span.name for span in times.stages] == ["encode", "blocks"]
    assert times.slowest(1)[0].seconds == (record.ended - record.began).max() * record.seconds_per_tick
