"""The statistics panel: figures by definition, for both methods, for alignments of any length."""

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QScrollBar, QTableView

from tests.app.alignments import from_cigar, random_pair, sequence
from wavediff.app.compare.difference_list import Listing
from wavediff.app.compare.letters_picture import differences_picture, listed_of
from wavediff.app.compare.statistics_model import COLUMNS, SYNC_RUNS, StatisticsModel, shown
from wavediff.app.draw.recording import widget_parts
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.table_view import FiguresTable
from wavediff.app.window.pictures.view_pictures import figures_picture
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.edit_result import EditResult
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.methods.statistics import Measure


@pytest.fixture
def model(qtbot):
    model = StatisticsModel()
    yield model
    model.close()


def edited(alignment, distance, a="A" * 10, b="A" * 10):
    first, second = sequence(a), sequence(b)
    job = EditJob(a=first.letters, b=second.letters)
    result = EditResult(
        job_id=job.id, distance=distance, exact=True, alignment=alignment, strategy="full", reason="", n_cells=100,
        cells=100, skips=(), bands=(), device="cpu", kernel_seconds=0, wall_seconds=0,
    )  # fmt: skip
    return Comparison(job, first, second, True, result)


def values(model):
    return {row.key: row.value for row in model.rows}


def test_each_figure_has_its_value_and_its_definition(model):
    model.show(edited(from_cigar((4, "="), (1, "X"), (3, "="), (2, "D"), (2, "I")), 5))
    found = values(model)
    assert found["distance"] == 5
    assert (found["matches"], found["mismatches"], found["insertions"], found["deletions"]) == (7, 1, 2, 2)
    assert (found["gap_opens"], found["columns"], found["longest_match"]) == (2, 12, 4)
    assert found["matches_over_columns"] == pytest.approx(7 / 12)
    assert found["gap_compressed"] == pytest.approx(7 / 10)
    assert found["one_minus_distance_over_longer"] == pytest.approx(0.5)
    assert found["two_matches_over_lengths"] == pytest.approx(0.7)
    for row in range(model.rowCount()):
        name, value, definition = (model.data(model.index(row, col)) for col in range(len(COLUMNS)))
        assert name
        assert value != "–"
        assert len(definition) > 10
        assert model.data(model.index(row, 0), Qt.ItemDataRole.ToolTipRole) == definition
        assert model.data(model.index(row, 0), Qt.ItemDataRole.DecorationRole) is None
    assert model.note == "A 10 letters, B 10 letters; case ignored"


def test_without_a_path_what_needs_one_is_not_made_up(model):
    model.show(edited(None, 5))
    found = values(model)
    assert (found["distance"], found["matches"], found["gap_opens"]) == (5, None, None)
    assert found["one_minus_distance_over_longer"] == 0.5
    assert "traceback not computed" in model.note
    assert "matches\t\t" in model.tsv()


def test_the_lcs_has_figures_too_but_no_edit_distance(model):
    a, b = sequence("ACGT"), sequence("AGT")
    job = LcsJob(a=a.letters, b=b.letters)
    result = LcsResult(
        job_id=job.id, length=3, alignment=from_cigar((1, "="), (1, "D"), (2, "=")), strategy="full", reason="",
        n_cells=12, cells=12, device="cpu", kernel_seconds=0, wall_seconds=0,
    )  # fmt: skip
    model.show(Comparison(job, a, b, False, result))
    found = values(model)
    assert (found["lcs"], found["deletions"], found["one_minus_distance_over_longer"]) == (3, 1, None)
    assert found["two_matches_over_lengths"] == pytest.approx(6 / 7)


def test_a_long_alignment_is_counted_beside_the_window(qtbot, model):
    a, b, alignment = random_pair(SYNC_RUNS + 50)
    outcome = Comparison(edited(None, 0).job, a, b, False, edited(alignment, 123).result)
    with qtbot.waitSignal(model.modelReset, check_params_cb=None):
        model.show(outcome)
    assert "Counting" in model.note
    assert model.rowCount() == 0
    qtbot.waitUntil(lambda: model.rowCount() > 0)
    assert values(model)["columns"] == alignment.n_columns
    assert "Counting" not in model.note


def test_figures_of_a_pair_that_is_gone_are_dropped(qtbot, model):
    a, b, alignment = random_pair(SYNC_RUNS + 50)
    model.show(Comparison(edited(None, 0).job, a, b, False, edited(alignment, 123).result))
    model.show(edited(None, 7))
    qtbot.wait(150)
    assert values(model)["distance"] == 7
    model.show(None)
    assert (model.rowCount(), model.note) == (0, "")


def test_what_fails_while_counting_is_said(qtbot, model, monkeypatch):
    """The panel never stays «counting»."""

    def refuse(*_, **__):
        raise MemoryError

    monkeypatch.setattr("wavediff.app.compare.statistics_model.measures", refuse)
    _, _, alignment = random_pair(SYNC_RUNS + 50)
    model.show(edited(alignment, 3))
    qtbot.waitUntil(lambda: "Counting" not in model.note)
    assert model.note == "Statistics not available: MemoryError"


def test_only_equal_sequences_read_as_100_percent():
    def text(value):
        return shown(Measure("x", "x", "x", value, is_share=True))

    assert text(1.0) == "100.00 %"
    assert text(0.99999999) == "99.999999 %"
    assert text(0.5) == "50.00 %"
    assert shown(Measure("x", "x", "x", 1234567)) == "1,234,567"
    assert shown(Measure("x", "x", "x", None)) == "–"


@pytest.mark.parametrize(
    ("value", "text"), [(-3, "-3"), (0.5, "0.5"), (1234567.25, "1,234,567.25"), (-8.5, "-8.5"), (7.0, "7")]
)
def test_numbers_that_are_no_shares_are_read_as_they_are(value, text):
    assert shown(Measure("x", "x", "x", value)) == text


def test_copying_gives_numbers_a_program_reads(qtbot, model, theme):
    view = FiguresTable(model, "Statistics", 2, theme)
    qtbot.addWidget(view)
    assert not view.copy_button.isEnabled()
    model.show(edited(from_cigar((9, "="), (1, "X")), 1))
    view.show()
    qtbot.expect(view.noticed, qtbot.keyClick, view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert lines[0] == ["key", "value", "definition"]
    table = {key: value for key, value, _ in lines[1:]}
    assert (table["matches"], table["matches_over_columns"]) == ("9", "0.9")
    assert not any(cell[:1] in "=+-@" for line in lines for cell in line if cell)  # no formula
    assert np.unique([len(line) for line in lines]).tolist() == [3]
    model.show(None)
    assert view.line.text == "Nothing compared yet"


def test_a_picture_of_figures_has_each_row_and_definition_whole(qtbot):
    rows = tuple(Measure(f"key{k}", f"Figure {k}", "long definition " * (1 + 9 * (k % 3)), k) for k in range(40))
    model = StatisticsModel()
    model.show_apart(rows, "a note")
    sheet = figures_picture(View.STATISTICS, SimpleNamespace(statistics=model), None).sheet
    table = sheet.widget.findChild(QTableView)
    assert table.verticalHeader().count() == 40
    assert table.verticalHeader().length() <= table.viewport().height()
    assert table.horizontalHeader().length() <= table.viewport().width()
    for row in range(40):
        assert table.sizeHintForRow(row) <= table.rowHeight(row)


def test_a_picture_of_many_differences_has_no_scroll_bar(qtbot):
    outcome = edited(from_cigar(*[(1, "="), (1, "X")] * 80), 80, "AC" * 80, "AG" * 80)
    listed = listed_of(outcome, Listing())
    sheet = differences_picture(listed, "answer").sheet
    assert len(listed) == 80
    assert not [one for one, *_ in widget_parts(sheet.widget) if isinstance(one, QScrollBar)]
