"""The race in the window: who runs, lanes and clocks, the verdict, what is copied and saved, how it stops."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from tests.app import fakes
from tests.app.fakes import Lcs
from tests.app.parts import button, open_texts
from tests.app.test_cut_texts import texts
from tests.clock import check_within, longest, moment
from wavediff.app.race.race_lane_view import RaceLane, clock_text
from wavediff.app.race.race_session import NOT_ASKED
from wavediff.app.race.race_table import BAR_COLUMN, COLUMNS, RaceTable
from wavediff.app.race.race_view import RaceView, race_recipe
from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.legend import ROW_PX, Legend
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.table_view import BARS_ROLE
from wavediff.app.ui.theme import Scheme
from wavediff.app.window.panels.arrangement import Mode
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.export.registry import RACE, of_id
from wavediff.core.jobs import KernelModules
from wavediff.core.jobs.events import Compiled, Planned, Progress, StepDone
from wavediff.core.jobs.grid import BlockGrid
from wavediff.core.methods import EDIT, LCS, SWAP
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.methods.race_result import RaceEntryResult, Stage

Pair = tuple[Path, Path]
HERE = __name__
spoiled: set[Strategy] = set()


def run(job):
    """The fake LCS, but for ways that are to be wrong."""
    result = yield from fakes.run(job)
    if job.strategy in spoiled:
        return replace(result, length=result.length + 1)
    return result


@pytest.fixture
def ready(session, qtbot, pair, monkeypatch):
    """A session with a pair that was compared, on a machine without a graphics card."""
    spoiled.clear()
    monkeypatch.setattr(LcsJob, "modules", KernelModules(cpu=HERE, gpu=None))
    qtbot.expect(session.compared, session.open_paths, pair)
    qtbot.expect(session.race.changed, session.race.ask)
    return session.race


def raced(qtbot, race):
    with qtbot.waitSignal(race.finished, check_params_cb=lambda outcome: outcome is not None):
        race.run()
    return race.outcome


@pytest.mark.parametrize("path", [True, False])
def test_the_recipe_is_that_of_the_race_whatever_is_chosen_now(qtbot, ready, path):
    ready.set_up(path=path)
    outcome = raced(qtbot, ready)
    ready.set_up(path=not path)
    assert ("--no-alignment" in race_recipe(outcome).words) is not path


@pytest.fixture
def view(window, ready):
    window.actions_by_id["race"].trigger()
    return window.view(RaceView)


def test_a_panel_that_comes_to_the_front_asks_for_a_card(qtbot, window):
    """Not only the entry of the menu does: a click on its tab, or a picture that is opened."""
    race = window.session.race
    window.bring_up("race")
    qtbot.waitUntil(lambda: race.no_gpu != NOT_ASKED)


def test_kernels_that_cannot_run_are_greyed_with_their_reason(view, ready):
    boxes = view.choices.boxes
    assert {id_ for id_, box in boxes.items() if not box.isEnabled()} == {
        "gpu",
        "gpu-full",
        "hirschberg-gpu",
        "kawanami",
    }
    assert "Cannot race: GPU not used: no GPU kernel for this method" in boxes["kawanami"].accessibleDescription()
    assert "GPU not used: no GPU kernel for this method" in view.choices.lack.text
    assert ready.chosen == ("cpu", "cpu-full", "hirschberg")
    button(view, "With the alignment").click()
    assert not boxes["hirschberg"].isEnabled()
    assert "no alignment is requested" in view.choices.lack.text
    assert ready.chosen == ("cpu", "cpu-full")


def test_it_begins_with_the_method_of_the_window_until_another_is_chosen(session):
    race = session.race
    assert race.method is LCS  # that of the session here
    session.choose(method=EDIT.id)
    assert race.method is EDIT
    race.set_up(path=False)
    session.choose(method=LCS.id)
    assert race.method is LCS, "how often, and whether with the path, says nothing of the method"
    race.set_up(method=EDIT)
    session.choose(method=SWAP.id)
    assert race.method is EDIT


def test_lanes_fill_and_the_verdict_is_told(view, qtbot, ready, theme):
    ready.set_up(rounds=2)
    outcome = raced(qtbot, ready)
    assert [lane.map.phase for lane in ready.lanes[:3]] == [Phase.DONE] * 3
    assert [shown.isVisible() for shown in view.lanes] == [True, True, True, False]
    assert {len(leg.seconds) for leg in outcome.result.legs} == {2}
    assert view.verdict.text() == "All 3 agree: longest common subsequence 10, identical alignments"
    assert view.model.rowCount() == 3
    bars = view.model.data(view.model.index(0, BAR_COLUMN), BARS_ROLE)
    assert [stage for stage, _ in bars] == list(Stage)
    assert sum(share for _, share in bars) == pytest.approx(1.0)
    assert all(lane.map.fraction == 1 for lane in ready.lanes[:3])
    assert "rounds: " in ready.lanes[0].tip
    assert clock_text(ready.lanes[0].seconds) == "2.0 ms"
    view.grab()
    theme.set_scheme(Scheme.DARK)
    view.grab()


def test_a_result_of_other_options_is_marked(view, qtbot, session, ready):
    raced(qtbot, ready)
    verdict = view.verdict.text()
    assert "race again" not in verdict
    assert view.table.isEnabled()
    for change, back in (
        (lambda: ready.set_up(method=EDIT), lambda: ready.set_up(method=LCS)),
        (lambda: ready.choose("cpu-full", False), lambda: ready.choose("cpu-full", True)),
        (lambda: ready.set_up(path=False), lambda: ready.set_up(path=True)),
        (lambda: session.choose(fold_case=not session.fold_case), lambda: session.choose(fold_case=None)),
    ):
        change()
        assert view.verdict.text() == f"{verdict}\nOptions have changed: race again"
        assert not view.table.isEnabled()
        back()
        assert view.verdict.text() == verdict
        assert view.table.isEnabled()
    ready.set_up(rounds=2)
    raced(qtbot, ready)
    assert "race again" not in view.verdict.text()
    assert view.verdict.geometry().bottom() < min(one.mapTo(view, QPoint()).y() for one in view.lanes[:3])


def test_no_share_of_a_matrix_is_above_all_of_it(qtbot):
    table = RaceTable()
    table.set_rows([RaceEntryResult("cpu", "CPU", "cpu", answer=3, seconds=(0.1,), n_cells=1000, cells=1010)])
    assert table.index(0, COLUMNS.index("Computed")).data() == "100 %"
    assert "1,010 cells computed" in table.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_the_speed_of_a_tiny_race_is_not_rounded_to_0(view, qtbot, ready):
    outcome = raced(qtbot, ready)
    legs = tuple(replace(leg, n_cells=42, seconds=(0.002, 0.003)) for leg in outcome.result.legs)
    view.model.set_rows(legs)
    column = COLUMNS.index("GCUPS")
    assert {view.model.index(row, column).data() for row in range(len(legs))} == {"0.000021"}
    ready.lanes[0].end(legs[0])
    assert "0.000021 GCUPS" in ready.lanes[0].text


def test_answers_that_differ_stand_out(view, qtbot, ready, theme):
    spoiled.add(Strategy.FULL)
    outcome = raced(qtbot, ready)
    assert not outcome.result.agree
    assert view.verdict.text().startswith("THE ANSWERS DIFFER")
    assert view.verdict.autoFillBackground()
    assert view.verdict.palette().color(view.verdict.backgroundRole()) == theme.error


def test_a_kernel_that_fails_is_told_in_its_lane(view, qtbot, ready):
    Lcs.error = NotEnoughMemory("needs 9 GB, 1 GB is free")
    ready.choose("cpu-full", False)
    raced(qtbot, ready)
    assert ready.lanes[0].map.phase is Phase.FAILED
    assert ready.lanes[0].text == "Failed: needs 9 GB, 1 GB is free"
    assert view.model.data(view.model.index(0, 2)) == "failed"
    assert view.verdict.text() == "No kernel came to an answer"


@pytest.mark.timed
def test_stop_answers_at_once_and_keeps_the_picture(view, window, qtbot, ready):
    Lcs.endless, Lcs.seconds = True, 0.005
    ready.run()
    qtbot.waitUntil(lambda: ready.lanes[0].map.done_cells > 0)
    assert window.actions_by_id["stop"].isEnabled()
    assert ready.lanes[0].map.phase is Phase.RUNNING
    start = moment()
    window.actions_by_id["stop"].trigger()
    assert not ready.running
    check_within(longest([start, moment()]), 1)  # at once: nothing is waited for
    assert ready.status == "Stopped after 0 of 9 runs"
    assert ready.lanes[0].text.startswith("Stopped at")
    assert ready.lanes[1].text == "Waits for its turn"
    qtbot.waitUntil(lambda: len(Lcs.closed) == 2)  # the comparison, and the kernel that was stopped
    assert ready.lanes[0].map.block_map.any()
    Lcs.endless = False
    assert raced(qtbot, ready).result.agree


def test_what_holds_a_race_up_is_said_in_it_and_can_be_stopped(session, qtbot, ready, view):
    qtbot.waitUntil(view.run_button.isVisible)
    assert not view.instead_button.isVisible()
    Lcs.endless, Lcs.seconds = True, 0.005
    session.run()
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    assert "Stop the running comparison first" in view.verdict.text()
    assert view.instead_button.isVisible()
    session.stop()
    assert not view.instead_button.isVisible()
    assert "Timing disturbed" not in view.verdict.text()
    session.run()
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    Lcs.endless = False
    with qtbot.waitSignal(ready.finished, check_params_cb=lambda outcome: outcome is not None):
        qtbot.mouseClick(view.instead_button, Qt.MouseButton.LeftButton)
    assert not session.running
    assert not view.instead_button.isVisible()
    assert view.verdict.text() == ready.outcome.result.verdict()


def test_it_runs_alone(session, qtbot, ready, notices):
    Lcs.endless, Lcs.seconds = True, 0.005
    session.run()
    ready.run()
    assert not ready.running
    assert "Stop the running comparison first" in ready.status
    assert not notices  # it stands in the race itself
    session.stop()
    ready.run()
    assert ready.running
    session.run()  # who compares wants that
    assert not ready.running
    session.stop()


def test_what_else_begins_meanwhile_is_told_and_kept(session, qtbot, ready, notices, view):
    def compare_many_pairs():
        if ready.lanes[0].map.phase is Phase.RUNNING and not begun:
            begun.append(True)
            session.many.slot.job = object()
            session.many.changed.emit()
            session.many.slot.job = None

    begun = []
    ready.changed.connect(compare_many_pairs)
    ready.run()
    qtbot.waitUntil(lambda: bool(begun))
    assert notices[-1].level is Severity.WARNING
    assert "Timing disturbed" in notices[-1].text
    qtbot.waitUntil(lambda: ready.outcome is not None)
    assert ready.outcome is not None
    assert json.loads(b"".join(of_id(RACE, "json").chunks(ready.outcome)))["other_load"] is True
    assert "Timing disturbed" in view.verdict.text()


def test_another_pair_has_another_race(session, qtbot, ready, view):
    raced(qtbot, ready)
    qtbot.expect(session.compared, session.swap)
    assert ready.outcome is None
    assert view.model.rowCount() == 0
    assert not any(shown.isVisible() for shown in view.lanes)


def test_four_at_most_and_each_method_its_own(ready, view, notices):
    ready.choose("default", True)
    assert len(ready.chosen) == 4
    ready.no_gpu = None
    ready.choose("gpu", True)
    assert "Up to 4" in notices[-1].text
    assert "gpu" not in ready.chosen
    ready.set_up(method=EDIT)
    assert "sudo" in view.choices.boxes
    assert "hirschberg" not in view.choices.boxes
    assert "cpu" in ready.chosen
    ready.set_up(method=LCS)
    assert "default" in ready.chosen


def test_without_a_pair_there_is_no_race(session, notices):
    session.race.run()
    assert not session.race.running
    assert "needs a pair" in notices[-1].text


def test_copied_and_saved(view, qtbot, ready, tmp_path):
    raced(qtbot, ready)
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert [line.split("\t")[0] for line in copied.splitlines()] == ["kernel", "cpu", "cpu-full", "hirschberg"]
    qtbot.expect(view.noticed, view.save, tmp_path / "race.tsv", of_id(RACE, "tsv"))
    assert (tmp_path / "race.tsv").read_text() == copied
    qtbot.expect(view.noticed, view.save, tmp_path / "race.json", of_id(RACE, "json"))
    found = json.loads((tmp_path / "race.json").read_text())
    assert found["agree"] is True
    assert found["kernels"][1]["answer"] == 10
    assert {"sha256", "name"} <= set(found["a"])
    with qtbot.waitSignal(view.noticed) as said:
        view.save(tmp_path, of_id(RACE, "tsv"))
    assert said.args[0].level is Severity.ERROR


def test_the_keyboard_starts_it_and_lanes_fit_the_room(view, qtbot, ready):
    with qtbot.waitSignal(ready.finished, check_params_cb=lambda outcome: outcome is not None):
        qtbot.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    track = view.lanes[0].parentWidget().layout()
    scrolled = view.parentWidget().parentWidget()
    scrolled.setParent(None)  # out of its panel, which has a size of its own
    qtbot.addWidget(scrolled)
    scrolled.show()
    scrolled.resize(900, 700)
    assert [track.getItemPosition(track.indexOf(one))[:2] for one in view.lanes[:3]] == [(0, 0), (0, 1), (0, 2)]
    assert not view.table.isColumnHidden(1)
    scrolled.resize(400, 700)
    assert view.table.isColumnHidden(1)
    assert view.table.columnWidth(BAR_COLUMN) >= 60
    assert [track.getItemPosition(track.indexOf(one))[:2] for one in view.lanes[:3]] == [(0, 0), (0, 1), (1, 0)]


def test_the_clock_stands_still_while_compiling(qtbot, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("wavediff.app.race.race_lane_view.perf_counter", lambda: now[0])
    lane = RaceLane()
    lane.map.n = lane.map.m = 8
    lane.begin(5, 0)
    now[0] += 1
    lane.apply(Progress(5, "compile blocks", 2, 4, "steps"))
    now[0] += 3
    assert lane.seconds == pytest.approx(1)
    lane.apply(Compiled(5, "blocks", 3.0))
    now[0] += 2
    lane.apply(Compiled(5, "traceback", 0.5))
    assert lane.seconds == pytest.approx(2.5)
    lane.apply(StepDone(6, "blocks", 1, 4, 1.0))
    assert lane.map.done_cells == 0, "an event of another job"
    grid = BlockGrid(8, 8, 8, 8)
    lane.apply(Planned(5, grid, np.zeros(grid.shape, np.uint8), "full", "", 64))
    assert lane.text == "Comparing…"
    lane.stop()
    assert lane.seconds == pytest.approx(2.5)
    assert clock_text(75.25) == "1:15.2"
    assert [clock_text(each) for each in (0.0, 0.00048, 0.0005)] == ["0.000 s", "0.5 ms", "0.5 ms"]


def test_no_header_and_no_figure_of_the_table_is_cut_at_any_width(qtbot, view, ready):
    raced(qtbot, ready)
    table, cut = view.table, list[tuple[int, str]]()
    header, metrics = table.horizontalHeader(), table.fontMetrics()
    view.window().resize(1600, 900)
    for width in range(240, 1240, 20):
        view.setFixedWidth(width)
        view.window().grab()
        for column in range(header.count()):
            if table.isColumnHidden(column):
                continue
            title = view.model.headerData(column, Qt.Orientation.Horizontal)
            needed = header.sectionSizeFromContents(column).width()
            texts = [view.model.cell(row, column, Qt.ItemDataRole.DisplayRole) for row in range(view.model.rowCount())]
            needed = max([needed, *(metrics.horizontalAdvance(text) + 6 for text in texts * (column < BAR_COLUMN))])
            right = header.sectionViewportPosition(column) + header.sectionSize(column)
            if header.sectionSize(column) < needed or right > table.viewport().width():
                cut.append((width, title))
    assert not cut


@pytest.fixture
def beside_cells(window, ready, view, qtbot):
    """The race in the narrow panel beside the cells of a small pair."""
    window.resize(1280, 800)
    qtbot.expect(ready.changed, open_texts, window.session, "kitten", "sitting")
    qtbot.waitUntil(lambda: window.arrangement.mode is Mode.SMALL_PAIR and not window.turns.busy)
    window.show_panel("race")
    qtbot.waitUntil(lambda: view.isVisible() and not window.tabs.lacking and not window.arrangement.settling.isActive())
    return view


def test_a_race_in_a_narrow_panel_moves_no_tab_and_hides_no_letters(qtbot, window, ready, beside_cells):
    def places():
        QApplication.processEvents()
        return window.tabs.bar.mapTo(window, QPoint()), window.alignment.height()

    before = places()
    with qtbot.waitSignal(ready.finished, check_params_cb=lambda outcome: outcome is not None):
        qtbot.mouseClick(beside_cells.run_button, Qt.MouseButton.LeftButton)
    assert window.tabs.lacking, "the lanes have no room: they are scrolled"
    assert places() == before
    window.tabs.show_panel("differences")
    assert places() == before


def test_all_stages_of_the_key_are_seen_in_a_narrow_panel(qtbot, window, beside_cells):
    legend = next(one for one in beside_cells.findChildren(Legend) if one.accessibleName().startswith("Stages"))
    assert legend.height() >= legend.heightForWidth(legend.width()) > ROW_PX
    seen = {text: y for text, _, y in texts(legend)}
    assert set(seen) == set(Stage)
    assert max(seen.values()) < legend.height()
