"""Kim, Na and Sim's table of the pair that was compared with swaps: whole at first, stepped and explained by cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.compare.distance_table_view import MAX_TABLE_LETTERS, SwapTableView
from app.window.main_window import MainWindow
from app.window.session import Session
from core.teach.swap_trace import SwapTrace
from core.teach.unit import Unit
from tests.app.fakes import fasta

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def view(qtbot: QtBot, window: MainWindow, session: Session) -> SwapTableView:
    """The panel with the paper's example compared."""
    found = window.view(SwapTableView)
    assert found.stage.isHidden()
    assert "with swaps" in found.message.text()
    window.show_panel("table")
    with qtbot.waitSignal(session.compared, timeout=60_000):
        found._want_example()
    qtbot.waitUntil(lambda: not found.stage.isHidden())
    return found


def test_the_example_is_whole_at_first_with_its_script(view: SwapTableView) -> None:
    canvas, player = view.stage.stage.canvas, view.stage.stage.player
    assert player is not None
    assert player.at_end
    grid = player.frame.part.trace.scene(player.frame.unit, player.frame.step).grid
    assert grid is not None
    assert grid.values[-1, -1] == 3
    assert (canvas.path[0], canvas.path[-1]) == ((6, 6), (0, 0))
    costs = [grid.values[cell] for cell in canvas.path]
    assert costs == sorted(costs, reverse=True), "a script costs no less the further it is"
    assert not view.stage.grab().isNull()


def test_each_cell_says_what_it_looks_up_and_is_the_least_of(view: SwapTableView) -> None:
    assert view.stage.stage.canvas.tip((5, 6)) == (
        "H[5, 6]\n"
        "DX: a 3, b 4, c 0 · DY: 4 · p = 4, q = 4\n"
        "H[5,6] = min(H[4,5] + 1 = 4; H[4,6] + 1 = 4; H[5,5] + 1 = 4; H[3,3] + 0 + 1 + 1 = 3) = 3"
    )
    assert "no swap ends here" in view.stage.stage.canvas.tip((1, 1))
    assert "nothing read yet" in view.stage.stage.canvas.tip((0, 3))


def test_it_is_stepped_by_keys_and_by_its_units(qtbot: QtBot, view: SwapTableView) -> None:
    stage, trace = view.stage.stage, view.stage.trace
    assert isinstance(trace, SwapTrace)
    qtbot.keyClick(stage.canvas, Qt.Key.Key_Left)
    assert stage.player is not None
    assert stage.player.frame.step == 35
    assert stage.sentence.text == trace.say(Unit.CELL, 35)
    view.stage.units.choose(Unit.ANTIDIAGONAL)
    view.stage.units.activated.emit(1)
    assert (stage.player.frame.unit, stage.player.frame.step) == (
        Unit.ANTIDIAGONAL,
        trace.same(Unit.CELL, 35, Unit.ANTIDIAGONAL),
    )
    qtbot.keyClick(stage.canvas, Qt.Key.Key_Home)
    assert stage.player.frame.step == 0
    qtbot.keyClick(stage.canvas, Qt.Key.Key_U)
    assert view.stage.units.value is stage.player.frame.unit


def test_a_longer_pair_is_refused_with_what_is_possible(
    qtbot: QtBot, view: SwapTableView, session: Session, tmp_path: Path
) -> None:
    for n, shown in ((MAX_TABLE_LETTERS + 1, False), (MAX_TABLE_LETTERS, True)):
        with qtbot.waitSignal(session.compared, timeout=60_000):
            session.open_paths([fasta(tmp_path / f"{name}{n}.fa", (name, "A" * n)) for name in "ab"])
        assert view.stage.isHidden() is not shown
        assert (str(MAX_TABLE_LETTERS) in view.message.text()) is not shown


def test_nothing_is_computed_while_nobody_looks(
    qtbot: QtBot, view: SwapTableView, window: MainWindow, session: Session, tmp_path: Path
) -> None:
    window.show_panel("timings")
    before = view.stage.trace
    with qtbot.waitSignal(session.compared, timeout=60_000):
        session.open_paths([fasta(tmp_path / f"{name}.fa", (name, "ACGT")) for name in "ab"])
    assert view.stage.trace is before
    window.show_panel("table")
    assert isinstance(view.stage.trace, SwapTrace)
    assert view.stage.trace.table.a == "ACGT"
