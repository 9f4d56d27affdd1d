"""Ctrl+C copies the selected rows of every table of the window as TSV, and all rows where none is selected."""

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

from tests.app.fakes import fasta
from tests.app.parts import open_texts
from tests.app.real_kernels import fake_kernels, window
from tests.app.test_earlier_runs import A, B
from wavediff.app.batch.batch_view import BatchView
from wavediff.app.bwt.bwt_view import BwtView
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.skipped_work import LedgerView
from wavediff.app.race.race_view import RaceView
from wavediff.app.search.search_view import SearchView
from wavediff.app.ui import table_view
from wavediff.app.ui.input_dialogs import RecordPicker
from wavediff.app.ui.table_view import TableView
from wavediff.app.window.panels.panels import PANELS

__all__ = ["fake_kernels", "window"]

LISTED = {  # accessible names of all tables of the window: one that is new belongs here, and is tried
    "List of differences", "Statistics", "Timings of the kernels", "Skipped work", "Hits", "Hits of each pattern",
    "Compression", "Row interval after each pattern letter, last one first", "Positions of the pattern",
    "Distances of the pairs", "Times of the race",
}  # fmt: skip
KEYS = Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def filled(qtbot, window, tmp_path):
    """A window in which all tables have rows."""
    session = window.session
    session.choose(method="edit")
    qtbot.expect(session.compared, open_texts, session, A, B)
    search, bwt = window.view(SearchView), window.view(BwtView)
    search.wish.editor.setPlainText("ACGT\nGATT")
    qtbot.expect(session.search.finished, search.run)
    session.transform.run()
    qtbot.waitUntil(lambda: session.transform.current is not None)
    bwt.search.pattern.setText("ACG")
    qtbot.expect(session.transform.compressed, session.transform.compress)
    qtbot.waitUntil(lambda: bwt.search.hits.height() > 0)
    many = fasta(tmp_path / "many.fa", *((f"r{k}", A[k : k + 60]) for k in range(4)))
    with qtbot.waitSignal(session.many.finished, check_params_cb=lambda outcome: outcome is not None):
        session.many.open([many])
    qtbot.waitUntil(lambda: not session.busy)
    session.race.run()
    qtbot.waitUntil(lambda: window.view(RaceView).model.n_rows > 0 and not session.race.running)
    qtbot.waitUntil(lambda: not window.turns.busy)
    return window


def copied(table):
    """Return the lines that the key copies, sent to the table itself: not all tables are in sight at a time."""
    QGuiApplication.clipboard().clear()
    table.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, *KEYS))
    return QGuiApplication.clipboard().text().splitlines()


def test_every_table_copies_the_selected_rows(qtbot, filled):
    tables = {table.accessibleName(): table for table in filled.findChildren(TableView)}
    assert set(tables) == LISTED, "a table that is new belongs into this test"
    for name, table in tables.items():
        view, model = getattr(table, "_owner", None), table.model()
        assert model.n_rows > 0, name
        if view is not None:  # its selection also has rows out of sight
            view.show_current(-1, 0)
            every = copied(table)
            view.show_current(0, 0)
        else:
            table.clearSelection()
            every = copied(table)
            row = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            table.selectionModel().select(model.index(0, 0), row)
        assert len(every) == model.n_rows + 1, name
        one = copied(table)
        assert one == every[:2], name
        assert len({line.count("\t") for line in every}) == 1, name


def test_figures_are_copied_as_plain_numbers(qtbot, filled):
    pairs = filled.view(BatchView)
    pairs.table.selectRow(1)
    pairs.table.selectionModel().select(
        pairs.model.index(3, 0), QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    )
    head, first, second = (line.split("\t") for line in copied(pairs.table))
    assert head[:6] == ["number_a", "a", "number_b", "b", "length_a", "length_b"]
    assert (first[1], second[1]) == ("r0", "r1")
    counts = filled.view(SearchView).counts
    counts.clearSelection()
    assert copied(counts)[0] == "Pattern\tLetters\tHits"


def test_a_click_in_skipped_work_leaves_the_keys_there(qtbot, filled):
    filled.activateWindow()
    filled.show_panel("skipped")
    view = filled.view(LedgerView)
    view.table.setFocus()
    row = view.table.visualRect(view.table.model().index(0, 0)).center()
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert filled.focusWidget() is view.table
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(filled.focusWidget(), *KEYS)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 2


def test_too_many_rows_are_not_copied(filled, monkeypatch):
    monkeypatch.setattr(table_view, "MAX_COPIED_ROWS", 1)
    view, said = filled.view(DifferencesView), []
    view.noticed.connect(said.append)
    view.table.show_current(-1, 0)
    assert copied(view.table.rows) == []
    assert said[-1].text.endswith("rows are too many to copy: save the list instead")
    view.table.show_current(0, 0)
    assert len(copied(view.table.rows)) == 2
    assert said[-1].text == "1 row copied as TSV"


def test_every_panel_with_a_table_names_the_key(window):
    for panel in PANELS:
        view = window.views[panel.id]
        if view.findChildren(TableView):
            assert table_view.COPY_KEY in view.keys, panel.id


def test_records_to_choose_from_are_copied_too(qtbot, window, tmp_path):
    many = fasta(tmp_path / "many.fa", *((f"r{k}", A[: 1_200 + k]) for k in range(3)))
    window.session.open_paths([many])
    qtbot.waitUntil(lambda: window.findChild(RecordPicker) is not None)
    picker = window.findChild(RecordPicker)
    assert copied(picker.table) == ["#\tName\tLength\tDescription", "1\tr0\t1200\t"]
    picker.reject()


def test_an_empty_table_leaves_the_clipboard(window):
    QGuiApplication.clipboard().setText("kept")
    table = window.view(LedgerView).table
    table.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, *KEYS))
    assert QGuiApplication.clipboard().text() == "kept"
