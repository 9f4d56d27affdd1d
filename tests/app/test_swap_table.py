"""Kim, Na and Sim's table of a small pair: its numbers, its look-ups, what is seen of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.compare.distance_table import MAX_TABLE_LETTERS, CellRole, DistanceTable, SwapTableModel
from app.compare.distance_table_view import SwapTableView
from app.window.main_window import MainWindow
from app.window.session import Session
from tests.app.fakes import fasta
from tests.core.pairs import letters, random_letters
from tests.core.swaps import swapped
from tests.oracles import swap_edit as oracle

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "kim_fig1.json").read_text())


def test_it_is_the_table_of_the_paper() -> None:
    table = DistanceTable(*(letters(GOLDEN[name].encode()) for name in "xy"))
    for row, known in zip(table.h, GOLDEN["h"], strict=True):
        assert row[: len(known)].tolist() == known
    cell = GOLDEN["cell"]
    seen = table.look_up(cell["i"], cell["j"])
    assert (seen.p, seen.dy) == (cell["p"], cell["q"])
    assert {chr(letter): row for letter, row in seen.dx.items()} == {"a": 3, "b": 4, "c": 0}


def test_it_is_the_table_of_the_oracle() -> None:
    rng = np.random.default_rng(9)
    for k in range(60):
        a = random_letters(rng, int(rng.integers(0, 15)), 1 + k % 5)
        b = swapped(rng, a, 3, 1 + k % 5)
        assert np.array_equal(DistanceTable(a, b).h, oracle.table(a.tobytes(), b.tobytes()))


def test_the_example_is_shown_and_explained_cell_by_cell(
    qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path
) -> None:
    view, model = window.view(SwapTableView), window.view(SwapTableView).model
    assert "with swaps" in model.message
    window.show_panel("table")
    with qtbot.waitSignal(session.compared, timeout=60_000):
        view._want_example()
    assert model.message == ""
    assert (model.rowCount(), model.columnCount()) == (7, 7)
    assert model.data(model.index(6, 6)) == "3"
    model.look_at(5, 6)
    first, second = model.explain()
    assert first == "X[5] = c, Y[6] = b · DX: a 3, b 4, c 0 · DY: 4 · p = 4, q = 4"
    assert second == "H[5,6] = min(H[5,5] + 1 = 4; H[4,6] + 1 = 4; H[4,5] + 1 = 4; s = H[3,3] + 0 + 1 + 1 = 3) = 3"
    assert model.part(5, 6) is CellRole.CELL
    assert model.part(3, 3) is CellRole.SWAP
    assert [model.part(*cell) for cell in ((4, 5), (5, 5), (4, 6))] == [CellRole.BESIDE] * 3
    assert model.part(1, 1) is CellRole.NONE
    assert model.on_path(0, 0)
    assert model.on_path(6, 6)
    view.table.setCurrentIndex(model.index(2, 3))
    assert model.cell == (2, 3)
    model.look_at(0, 3)
    assert model.cell == (2, 3), "the first row has nothing to look up"
    assert view.lines[0].text() == model.explain()[0]
    view.grab()
    with qtbot.waitSignal(session.compared, timeout=60_000):
        session.open_paths([fasta(tmp_path / f"{name}.fa", (name, "A" * (MAX_TABLE_LETTERS + 1))) for name in "ab"])
    assert str(MAX_TABLE_LETTERS) in model.message
    assert model.rowCount() == 0


def test_nothing_to_show(qtbot: QtBot) -> None:
    model = SwapTableModel()
    model.look_at(1, 1)
    assert model.explain() == ("", "")
    assert model.part(0, 0) is CellRole.NONE
