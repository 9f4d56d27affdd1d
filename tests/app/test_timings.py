"""Timings: live rows, the final ones, TSV and JSON."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester

from wavediff.app.compare.timings_model import COLUMNS, TimingsModel, TimingsView
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.table_view import BARS_ROLE
from wavediff.core.jobs.events import Compiled, KernelTiming, StepDone

BLOCKS = KernelTiming(7, "blocks", "cpu", 36, 5_000_000_000_000, 10.0, 0.5)
CHECK = KernelTiming(7, "=check", "cpu", 1, 0, 0.25, 0.0)


@pytest.fixture
def model(qtbot):
    model = TimingsModel()
    model.tester = QAbstractItemModelTester(model)  # warns of a broken model
    model.start(7, "cpu")
    return model


def test_rows_grow_while_the_job_runs_and_end_as_the_runner_has_them(qtbot, model):
    model.apply(Compiled(7, "blocks", 0.5))
    for _ in range(1000):
        model.apply(StepDone(7, "blocks", 1, 1000, 0.001))
    model.apply(StepDone(8, "blocks", 1, 1000, 0.001))  # another job's
    qtbot.waitUntil(lambda: model.rowCount() == 1)
    assert model.rows[0].calls == 1000
    assert model.rows[0].compile_seconds == 0.5
    for timing in (BLOCKS, CHECK):
        model.apply(timing)
    model.flush()
    assert model.rows == (BLOCKS, CHECK)
    model.start(9, "cpu")
    assert model.rows == ()


def test_all_bars_are_drawn_anew_where_one_has_grown(model):
    changed = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row(), last.column())))
    for timing in (CHECK, BLOCKS):
        model.apply(timing)
        model.flush()
    assert (0, model.rowCount() - 1, 7) in changed


def test_cells_beyond_32_bits_are_shown_in_full(qtbot, model):
    model.apply(BLOCKS)
    model.flush()
    shown = dict(zip(COLUMNS, (model.data(model.index(0, col)) for col in range(len(COLUMNS))), strict=True))
    assert shown["Cells"] == "5,000,000,000,000"
    assert shown["GCUPS"] == "500"
    assert model.data(model.index(0, 7), BARS_ROLE) == (1.0, 1.0)


def test_time_between_kernels_has_no_calls_and_the_bars_name_their_scale(model):
    model.apply(CHECK._replace(calls=0))
    model.flush()
    assert (model.data(model.index(0, 2)), model.data(model.index(0, 4))) == ("–", "0.250")
    assert "own scale" in model.headerData(7, Qt.Orientation.Horizontal)


def test_a_slow_kernel_has_a_speed_too(model):
    model.apply(BLOCKS._replace(cells=3_701_775, seconds=0.0824))
    model.flush()
    assert model.data(model.index(0, 6)) == "0.045"


def test_tsv_is_for_programs_and_starts_no_formula(model):
    model.apply(BLOCKS)
    model.apply(CHECK)
    model.flush()
    assert model.tsv() == (
        "kernel\tdevice\tcalls\tcells\tseconds\tcompile_seconds\tgcups\n"
        "blocks\tcpu\t36\t5000000000000\t10\t0.5\t500\n"
        "'=check\tcpu\t1\t0\t0.25\t0\t0\n"
    )


def test_copy_and_save(qtbot, model, theme, tmp_path):
    model.apply(BLOCKS)
    model.flush()
    view = TimingsView(model, theme)
    qtbot.addWidget(view)
    said = []
    view.noticed.connect(said.append)
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == model.tsv()
    path = tmp_path / "t.json"
    qtbot.expect(view.noticed, view.save, path)
    assert json.loads(path.read_bytes())["timings"] == [
        {
            "kernel": "blocks", "device": "cpu", "calls": 36, "cells": 5_000_000_000_000,
            "seconds": 10.0, "compile_seconds": 0.5, "gcups": 500.0,
        }
    ]  # fmt: skip
    qtbot.expect(view.noticed, view.save, tmp_path)
    assert [notice.level for notice in said] == [Severity.INFO, Severity.INFO, Severity.ERROR]
    assert "folder" in said[-1].text


def test_nothing_can_be_copied_before_there_is_anything(qtbot, model, theme):
    view = TimingsView(model, theme)
    qtbot.addWidget(view)
    assert not view.copy_button.isEnabled()
    model.apply(BLOCKS)
    model.flush()
    assert view.copy_button.isEnabled()


def test_the_bars_take_the_room_that_is_left(qtbot, model, theme):
    view = TimingsView(model, theme)
    qtbot.addWidget(view)
    view.resize(1000, 200)
    with qtbot.waitExposed(view):
        view.show()
    for timing in (CHECK, BLOCKS):
        model.apply(timing)
        model.flush()
    header = view.table.horizontalHeader()
    qtbot.waitUntil(lambda: header.length() == view.table.viewport().width())
    hint = view.table.sizeHintForIndex(model.index(1, 3)).width()
    assert view.table.columnWidth(3) >= hint
