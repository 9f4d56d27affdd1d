"""Replay of the last run in the map: by itself, by Space and the transport, forgotten by the next run."""

import shutil

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox

from tests import kept
from tests.app.fakes import fasta
from tests.app.real_kernels import fake_kernels
from tests.gpu.host_card import HostCard
from tests.journeys.hands import turn_wheel
from tests.stored_runs import stored_run
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.lanes_picture import GAP_PX, ROW_PX, shown_shares
from wavediff.app.compare.replay import N_STEPS, NORMAL, REPLAY_SECONDS, SPEEDS, _short
from wavediff.app.ui.pair import Side
from wavediff.app.window.frame.dialogs import Preferences
from wavediff.app.window.frame.ignore_bar import PositionLabel
from wavediff.core.base.numbers import duration, number
from wavediff.core.jobs import card_limits
from wavediff.core.jobs.grid import BlockState
from wavediff.core.system.machine import cores

__all__ = ["fake_kernels"]


@pytest.fixture
def view(qtbot, window, session, tmp_path):
    """The panel after a run of several strips, which is not replayed by itself."""
    found = window.view(ComputationView)
    found.replay.by_itself = False
    compare(qtbot, window, session, tmp_path)
    qtbot.waitUntil(lambda: found.replay.available, timeout=10_000)
    return found


def compare(qtbot, window, session, folder):
    """Compare two random sequences in a window that shows the map, and wait for the answer."""
    window.resize(1280, 800)
    rng = np.random.default_rng(5)
    letters = ("".join("ACGT"[x] for x in rng.integers(0, 4, 30_000)) for _ in range(2))
    files = [fasta(folder / f"{name}.fa", (name, text)) for name, text in zip("ab", letters, strict=True)]
    qtbot.expect(session.compared, session.open_paths, files, None)


def test_a_zoomed_map_plays_as_a_whole_and_goes_back_to_its_part(qtbot, view):
    canvas = view.canvas
    qtbot.waitUntil(lambda: canvas.path is not None, timeout=10_000)
    canvas.zoom(16, canvas.frame.point(20_000, 20_000))
    part = canvas.frame
    assert not part.fits
    for end in (lambda: view.replay.seek(N_STEPS), lambda: qtbot.keyClick(canvas, Qt.Key.Key_Escape)):
        qtbot.keyClick(canvas, Qt.Key.Key_Space)
        assert canvas.frame.fits
        end()
        assert canvas.frame == part
        qtbot.waitUntil(lambda: not view.replay.playing)
    view.replay.seek(N_STEPS // 2)
    assert canvas.frame == part  # a moment is no play
    view.replay.seek(N_STEPS)
    view.replay.play(True)
    canvas.zoom(4, canvas.frame.point(20_000, 20_000))
    chosen = canvas.frame
    view.replay.seek(N_STEPS)
    assert canvas.frame == chosen


def states(view):
    return set(np.unique(view.model.block_map).tolist())


def test_a_run_is_played_again_by_space(qtbot, view):
    qtbot.waitUntil(lambda: view.canvas.path is not None, timeout=10_000)
    assert not view.transport.isHidden()
    assert view.replay.at == N_STEPS
    qtbot.keyClick(view.canvas, Qt.Key.Key_Space)
    assert view.replay.playing
    assert view.replay.at == 0
    assert states(view) == {BlockState.WAITING}
    assert view.canvas.path is None  # it was not known then
    qtbot.waitUntil(lambda: view.replay.at > 5, timeout=10_000)
    assert BlockState.DONE in states(view) | {BlockState.DONE}
    qtbot.keyClick(view.canvas, Qt.Key.Key_Space)
    at = view.replay.at
    assert not view.replay.playing
    view.replay.change_speed(3)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not view.replay.playing, timeout=20_000)
    assert view.replay.at == N_STEPS > at
    assert BlockState.PATH in states(view)
    assert view.canvas.path is not None


def test_a_short_run_is_played_once_by_itself_after_its_answer(qtbot, window, session, tmp_path):
    view = window.view(ComputationView)
    compare(qtbot, window, session, tmp_path)
    qtbot.waitUntil(lambda: view.replay.playing, timeout=10_000)
    assert view.facts.facts[0].name == "Matrix"  # those of the answer
    assert window.alignment.model is not None
    assert view.canvas.path is None
    qtbot.waitUntil(lambda: not view.replay.playing, timeout=10_000)
    assert view.replay.at == N_STEPS
    assert view.canvas.path is not None
    qtbot.keyClick(view.canvas, Qt.Key.Key_Space)
    slowly = _short(SPEEDS[NORMAL] * view.model.recorded_seconds / REPLAY_SECONDS)
    assert view.transport.speed.currentText() == slowly  # for who asks


def test_the_speeds_of_a_replay_that_nobody_asked_for_are_those_after_it(qtbot, window, session, tmp_path):
    view = window.view(ComputationView)
    speed = view.transport.speed
    seen = []
    view.replay.moved.connect(lambda _share: seen.append((view.replay.playing, speed.currentText(), speed.toolTip())))
    compare(qtbot, window, session, tmp_path)
    qtbot.waitUntil(lambda: view.replay.playing, timeout=10_000)
    qtbot.waitUntil(lambda: not view.replay.playing, timeout=10_000)
    during, after = ({each[1:] for each in seen if each[0] is playing} for playing in (True, False))
    assert len(during) == 1
    assert during <= after
    assert f"takes {duration(REPLAY_SECONDS)}, {speed.currentText()} the speed of the run" in speed.toolTip()


def test_a_speed_chosen_while_a_run_is_played_by_itself_stays(qtbot, window, session, tmp_path):
    view = window.view(ComputationView)
    speed = view.transport.speed
    compare(qtbot, window, session, tmp_path)
    qtbot.waitUntil(lambda: view.replay.playing, timeout=10_000)
    slowest = speed.itemText(0)
    for _ in SPEEDS:
        qtbot.keyClick(view.canvas, Qt.Key.Key_S)
    assert view.replay.playing
    assert speed.currentText() == slowest
    view.replay.play(False)
    view.replay.play(True)
    assert speed.currentText() == slowest
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert speed.currentText() == slowest


@pytest.mark.parametrize("way", ["key", "click", "wheel"])
def test_any_input_ends_a_replay_that_nobody_asked_for(qtbot, window, session, tmp_path, way):
    view = window.view(ComputationView)
    compare(qtbot, window, session, tmp_path)
    qtbot.waitUntil(lambda: view.replay.playing, timeout=10_000)
    letters = window.alignment.canvas
    if way == "key":
        qtbot.keyClick(letters, Qt.Key.Key_Right)
    elif way == "click":
        qtbot.mouseClick(letters, Qt.MouseButton.LeftButton)
    else:
        turn_wheel(view.canvas, 1, Qt.KeyboardModifier.NoModifier)
    assert not view.replay.playing
    assert view.replay.at == N_STEPS
    assert view.canvas.path is not None


def test_who_presses_space_on_the_map_takes_the_replay_over(qtbot, window, session, tmp_path):
    view = window.view(ComputationView)
    compare(qtbot, window, session, tmp_path)
    qtbot.waitUntil(lambda: view.replay.playing and view.replay.at > 0, timeout=10_000)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Space)
    assert not view.replay.playing
    assert 0 < view.replay.at < N_STEPS
    qtbot.mouseClick(view.transport.buttons["end"], Qt.MouseButton.LeftButton)
    assert view.replay.at == N_STEPS


def test_a_preference_and_the_system_keep_the_map_still(qtbot, window, session, tmp_path, monkeypatch):
    view = window.view(ComputationView)
    dialog = Preferences(window.theme, session, view.replay, tmp_path, window)
    qtbot.addWidget(dialog)
    box = dialog.findChild(QCheckBox)
    assert box.isChecked()
    box.click()
    compare(qtbot, window, session, tmp_path)
    qtbot.waitUntil(lambda: view.canvas.path is not None, timeout=10_000)
    assert not view.replay.playing
    window.close()
    assert not window.settings.replay_short_runs
    box.click()
    view.replay.play_by_itself()
    assert not view.replay.playing  # it is not seen
    window.show()
    monkeypatch.setattr("wavediff.app.compare.replay.less_motion", lambda: True)
    view.replay.play_by_itself()
    assert not view.replay.playing
    monkeypatch.undo()
    view.replay.play_by_itself()
    assert view.replay.playing


def test_blocks_to_come_are_waiting_in_the_legend_of_a_run_that_can_be_replayed(view):
    assert "waiting" in view.legend.accessibleName()
    assert "running" in view.legend.accessibleName()


def test_only_what_has_changed_is_painted_of_a_moment(qtbot, view):
    qtbot.waitUntil(lambda: view.canvas.path is not None, timeout=10_000)
    view.replay.seek(N_STEPS // 2)
    seen = view.canvas.grab().toImage()
    for at in (N_STEPS // 4, N_STEPS // 2 + 1, 0, N_STEPS // 2):
        view.replay.seek(at)
        assert not view.canvas.grab().isNull()
    assert view.canvas.grab().toImage() == seen
    view.canvas.refresh()
    assert view.canvas.grab().toImage() == seen


def test_the_transport_goes_to_any_moment_and_back(qtbot, view):
    final = view.model.block_map.copy()
    done = []
    for at in (N_STEPS // 4, N_STEPS // 2, 3 * N_STEPS // 4):
        view.transport.slider.setValue(at)
        done.append(np.count_nonzero(view.model.block_map == BlockState.DONE))
        assert not view.grab().isNull()
    assert done == sorted(done)
    record = view.model.record
    last = int(record.began.argmax())  # however long a thread was held up
    view.replay.seek_place(*divmod(last, final.shape[1]))
    assert 0 < np.count_nonzero(view.model.block_map == BlockState.DONE) < final.size
    qtbot.mouseClick(view.transport.buttons["start"], Qt.MouseButton.LeftButton)
    assert states(view) == {BlockState.WAITING}
    qtbot.mouseClick(view.transport.buttons["on"], Qt.MouseButton.LeftButton)
    assert view.replay.at > 0
    qtbot.mouseClick(view.transport.buttons["end"], Qt.MouseButton.LeftButton)
    assert np.array_equal(view.model.block_map, final)


def test_threads_say_how_busy_they_were(qtbot, view):
    lanes = view.run_panel.lanes
    qtbot.waitUntil(lambda: not lanes.isHidden(), timeout=10_000)
    assert "thread 1" in lanes.accessibleName()
    assert "%" in lanes.accessibleName()
    assert {"blocks", "traceback"} <= {span.name for span in lanes.times.stages}


def test_a_click_on_the_lanes_goes_to_that_moment(qtbot, view):
    view.run_panel.fold.click()
    lanes = view.run_panel.lanes
    qtbot.waitUntil(lambda: not lanes.isHidden(), timeout=10_000)
    assert not view.grab().isNull()
    times = lanes.times
    assert times is not None
    for share in (0.2, 0.5, 0.8):
        wanted = share * times.record.seconds
        at = QPoint(round(lanes._x(wanted)), lanes.height() - 4)
        qtbot.mouseClick(lanes, Qt.MouseButton.LeftButton, pos=at)
        assert view.replay.at == pytest.approx(share * N_STEPS, abs=N_STEPS / 20)
    qtbot.mouseClick(lanes, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))  # a name is no time
    assert view.replay.at == pytest.approx(0.8 * N_STEPS, abs=N_STEPS / 20)


def test_a_slow_block_is_shown_while_it_was_computed(qtbot, view):
    panel = view.run_panel
    assert panel.summary.text.startswith("Blocks ")
    assert not panel.figures.isVisible()
    panel.fold.click()
    qtbot.waitUntil(lambda: not panel.lanes.isHidden(), timeout=10_000)
    times = panel.lanes.times
    slowest = times.slowest()[0]
    assert f'href="{slowest.row},{slowest.col}"' in panel.figures.text()
    panel.figures.linkActivated.emit(f"{slowest.row},{slowest.col}")
    assert view.model.state_at(slowest.row, slowest.col) == BlockState.RUNNING
    height, width = view.model.block_size
    row, col = view.canvas.cross.a0, view.canvas.cross.b0
    assert row is not None
    assert col is not None
    assert (row // height, col // width) == (slowest.row, slowest.col)


def test_a_run_without_a_record_has_no_transport(qtbot, view, session, pair):
    view.replay.play(True)
    qtbot.expect(session.compared, session.open_paths, list(pair), None)
    qtbot.waitUntil(lambda: not view.replay.available, timeout=10_000)
    assert view.transport.isHidden()
    assert not view.replay.playing
    qtbot.keyClick(view.canvas, Qt.Key.Key_Space)
    assert not view.replay.playing


def test_esc_shows_the_end_and_what_can_be_played_again(qtbot, view):
    qtbot.keyClick(view.canvas, Qt.Key.Key_Space)
    assert view.transport.buttons["play"].text() == "‖"
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert not view.replay.playing
    assert view.replay.at == N_STEPS
    assert view.transport.buttons["play"].text() == "▶"


def test_the_speed_is_chosen_and_is_that_of_the_run_times_a_factor(qtbot, view):
    speed, seconds = view.transport.speed, view.model.recorded_seconds
    texts = [speed.itemText(k) for k in range(speed.count())]
    assert len(texts) == len(SPEEDS)
    for text, times in zip(texts, SPEEDS, strict=True):
        above, _, below = text.removesuffix("×").partition("/")
        factor = float(above.replace(",", "")) / float((below or "1").replace(",", ""))
        assert factor == pytest.approx(times * seconds / REPLAY_SECONDS, rel=0.06)
    assert speed.currentIndex() == NORMAL
    assert speed.toolTip().endswith("F: faster, S: slower")
    for key, index in ((Qt.Key.Key_F, NORMAL + 1), (Qt.Key.Key_S, NORMAL), (Qt.Key.Key_S, NORMAL - 1)):
        qtbot.keyClick(view.canvas, key)
        assert speed.currentIndex() == index
    speed.setCurrentIndex(NORMAL + 2)
    speed.activated.emit(NORMAL + 2)
    view.replay.play(True)
    assert speed.currentIndex() == NORMAL + 2
    view.replay.play(False)


@pytest.mark.parametrize(
    ("factor", "short"),
    [(2.325, "2.3×"), (1.0, "1×"), (64, "64×"), (1 / 970, "1/970×"), (0.00012, "1/8,300×"), (0, "1×")],
)
def test_a_factor_of_real_time_has_two_digits(factor, short):
    assert _short(factor) == short


def test_another_run_ends_a_replay_and_is_shown_whole(qtbot, view, session):
    view.replay.play(True)
    qtbot.expect(session.compared, session.run)
    qtbot.waitUntil(lambda: view.replay.available, timeout=10_000)
    assert not view.replay.playing
    assert view.replay.at == N_STEPS
    assert BlockState.WAITING not in states(view)


def test_a_small_pair_runs_again_in_finer_blocks_and_the_answer_stays(qtbot, view, session, window):
    qtbot.waitUntil(lambda: view.canvas.path is not None, timeout=10_000)
    outcome, final, facts = session.outcome, view.model.block_map.copy(), view.facts.facts
    assert not view.tools.finer.isHidden()
    qtbot.expect(session.finer.found, view.tools.finer.click)
    assert view.model.block_map.size > 4 * final.size
    assert view.replay.playing
    assert "the answer is that of the first run" in view.tools.title.text()
    assert view.tools.finer.isHidden()
    assert [fact.name for fact in view.facts.facts] == ["Time", "Blocks"]
    assert session.outcome is outcome
    view.replay.seek(N_STEPS)
    assert view.canvas.path is not None  # it is the same matrix
    place, names = window.findChild(PositionLabel), list[str]()
    view.canvas.hovered.emit(20_000, 20_000)
    for shown in (view.seen.model, session.wavefront):
        row, col = (number(each + 1) for each in shown.block_at(20_000, 20_000))
        names.append(f"block {row}, {col} (")
    assert names[0] != names[1]
    assert names[0] in place.text(), "the block of the map that is seen"
    qtbot.mouseClick(view.tools.own, Qt.MouseButton.LeftButton)
    assert names[1] in place.text()
    assert np.array_equal(view.model.block_map, final)
    assert view.facts.facts == facts
    assert view.tools.title.text() == ""
    assert view.canvas.path is not None
    assert not view.replay.playing


def test_a_new_run_ends_what_is_shown_instead(qtbot, view, session):
    qtbot.waitUntil(lambda: view.canvas.path is not None, timeout=10_000)
    qtbot.expect(session.finer.found, view.tools.finer.click)
    answers = []
    session.wavefront.planned.connect(lambda: answers.append(view.seen.of))
    qtbot.expect(session.compared, session.run)
    assert set(answers) == {None}  # of a run that has no answer yet
    qtbot.waitUntil(lambda: view.canvas.path is not None, timeout=10_000)
    assert view.model is session.wavefront
    assert view.tools.title.text() == ""


def test_finer_blocks_of_a_run_before_come_too_late(qtbot, view, session):
    qtbot.waitUntil(lambda: view.canvas.path is not None, timeout=10_000)
    before = session.outcome
    assert before is not None
    qtbot.expect(session.compared, session.run)
    qtbot.waitUntil(lambda: view.canvas.path is not None, timeout=10_000)
    qtbot.expect(session.finer.found, session.finer.run, before)
    assert view.model is session.wavefront


def test_a_stored_record_is_shown_and_replayed_without_its_sequences(qtbot, window, session, tmp_path):
    window.resize(1280, 800)
    view = window.view(ComputationView)
    qtbot.expect(session.records.found, session.open_paths, [stored_run(tmp_path)], None)
    assert session.pair[Side.A] is None
    assert view.replay.playing
    assert "run.json" in view.tools.title.text()
    assert "run.json" not in view.figures.way.text  # once
    facts = {fact.name: fact.value for fact in view.facts.facts}
    assert facts["A"] == "stored one, 9,000 letters"
    assert {"Method", "Answer", "Blocks"} <= set(facts)
    assert f"{cores()} cores" in view.tools.title.text()
    record = view.model.record
    view.replay.seek_seconds(float(np.median(record.ended[record.ended > 0])) * record.seconds_per_tick)
    assert states(view) >= {BlockState.DONE, BlockState.WAITING}
    qtbot.waitUntil(lambda: not view.run_panel.lanes.isHidden(), timeout=10_000)
    pointed = []
    view.place_wanted.connect(lambda *at: pointed.append(at))
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton)
    assert not pointed  # no letters are there
    assert view.tools.own.text() == "Close"
    view.tools.own.click()
    assert view.model is session.wavefront
    assert view.transport.isHidden()


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ to build the kernels for the host with")
def test_a_stored_run_of_two_cards_has_a_lane_for_each(qtbot, window, session, tmp_path, monkeypatch):
    monkeypatch.setattr(card_limits, "MIN_PAIR_CELLS", 1)
    window.resize(1280, 800)
    view, folder = window.view(ComputationView), kept.folder("emulation")
    path = stored_run(tmp_path, 5000, [HostCard(folder), HostCard(folder)])
    qtbot.expect(session.records.found, session.open_paths, [path], None)
    lanes = view.run_panel.lanes
    qtbot.waitUntil(lambda: not lanes.isHidden(), timeout=10_000)
    assert lanes.sizeHint().height() == 3 * (ROW_PX + GAP_PX)  # stages too
    shares = shown_shares(lanes.times, 20)
    assert shares.shape == (2, 20)
    assert (shares.max(axis=1) > 0).all()  # each was at work, by what share is for the machine to say
    assert "GPU 0" in lanes.accessibleName()
    assert "GPU 1" in lanes.accessibleName()


def test_a_stored_record_beside_a_pair_gives_way_to_it(qtbot, view, session, tmp_path, notices):
    qtbot.waitUntil(lambda: view.canvas.path is not None, timeout=10_000)
    qtbot.expect(session.records.found, session.open_paths, [stored_run(tmp_path)], None)
    assert view.canvas.path is None
    assert (view.model.n, view.model.m) == (9000, 9000)
    view.tools.own.click()
    assert view.model is session.wavefront
    assert view.canvas.path is not None
    damaged = tmp_path / "damaged.json"
    damaged.write_bytes(stored_run(tmp_path).read_bytes()[:-100])
    session.open_paths([damaged], None)
    qtbot.waitUntil(lambda: any("damaged" in notice.text for notice in notices), timeout=10_000)
    assert view.model is session.wavefront
