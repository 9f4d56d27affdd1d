"""Exceptions where Qt asks and must get an answer: they are reported, and nothing is left half done."""

import pkgutil
import sys
from dataclasses import replace
from importlib import import_module
from types import FunctionType, MethodDescriptorType

import pytest
from PySide6.QtCore import QAbstractItemModel, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QStyledItemDelegate, QWidget

from tests.app.fake_edit import Edit
from tests.app.test_band_model import compared
from wavediff import app
from wavediff.app.compare.skipped_work import COLUMNS, SkippedWorkModel
from wavediff.app.compare.timings_model import paint_times
from wavediff.app.race.race_table import paint_stages
from wavediff.app.ui.reported import reported
from wavediff.app.ui.table_view import BarDelegate, FiguresTable, Table
from wavediff.app.window.frame.dialogs import ErrorCatcher
from wavediff.core.methods.edit import BandMode


def ours(package, base):
    for each in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        import_module(each.name)
    found, waiting = [], [base]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("wavediff.app."):
            found.append(kind)
    return sorted(found, key=lambda kind: kind.__qualname__)


MODELS = ours(app, QAbstractItemModel)
DELEGATES = ours(app, QStyledItemDelegate)


class Unreadable:
    """In place of an index or a section: whatever is asked of it raises."""

    def __getattr__(self, name):
        raise ZeroDivisionError(name)


@pytest.fixture
def errors(monkeypatch):
    """What was reported as unforeseen."""
    seen = []
    monkeypatch.setattr(sys, "excepthook", lambda _kind, error, _trace: seen.append(error))
    return seen


def test_the_models_of_the_program_are_found():
    assert {"SkippedWorkModel", "BatchTable", "RecordsModel", "PositionsModel", "TimingsModel"} <= {
        kind.__name__ for kind in MODELS
    }


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
def test_no_model_raises_out_of_data(kind, errors):
    """Made without its parts, so that every way through ``data`` and ``headerData`` fails."""
    model = kind.__new__(kind)  # not ``__init__``
    assert model.data(Unreadable(), Qt.ItemDataRole.DisplayRole) is None
    assert len(errors) == 1
    if "headerData" in vars(kind):
        assert model.headerData(Unreadable(), Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) is None
        assert len(errors) == 2


def test_the_delegates_of_the_program_are_found():
    assert {"BarDelegate", "RowDelegate"} <= {kind.__name__ for kind in DELEGATES}


@pytest.mark.parametrize("kind", DELEGATES, ids=lambda kind: kind.__name__)
def test_no_override_of_a_delegate_raises(kind, errors):
    delegate = kind.__new__(kind)
    overrides = [name for name in ("paint", "sizeHint", "initStyleOption", "createEditor") if name in vars(kind)]
    for name in overrides:
        n_arguments = 3 if name == "paint" else 2
        assert getattr(delegate, name)(*[Unreadable()] * n_arguments) is None
    assert len(errors) == len(overrides)


def test_the_ledger_of_a_pair_with_nothing_skipped_can_be_read(qtbot):
    Edit.reset()
    outcome, plans = compared("kitten", "sitting", band=BandMode.NONE)
    model = SkippedWorkModel()
    model.show(replace(outcome, result=replace(outcome.result, skips=())), plans[-1].grid)
    assert not [line for line in model.rows if line.kind == "skipped"]
    shown = [[model.data(model.index(row, col)) for col in range(len(COLUMNS))] for row in range(model.rowCount())]
    assert [row[0] for row in shown] == ["Computed", "Whole matrix", "Computed in total"]
    assert shown[1][4] == "0.000"
    twice = replace(outcome.result, skips=(), cells=2 * outcome.result.n_cells)  # as a traceback does
    model.show(replace(outcome, result=twice), plans[-1].grid)
    assert [model.data(model.index(2, col)) for col in (0, 3)] == [
        "Computed in total, including repeats", "2.0 times the matrix"
    ]  # fmt: skip


def test_every_override_of_the_program_is_reported():
    """PySide 6.11 ends the process where one raises ``[][1]``, see ``wavediff.app.ui.reported``."""
    bare = [
        f"{kind.__qualname__}.{name}"
        for kind in ours(app, QObject)
        for name, method in vars(kind).items()
        if isinstance(method, FunctionType)
        and not name.startswith("__")
        and any(isinstance(vars(base).get(name), MethodDescriptorType) for base in kind.__mro__)
        and not hasattr(method, "__wrapped__")
    ]
    assert bare == []


class Overrun(QWidget):
    """Raises by compiled code: Python 3.11 then has the text of the error only."""

    def paintEvent(self, _event):  # noqa: N802
        [][1]


def test_an_error_of_compiled_code_under_a_call_from_python_is_reported(qtbot, errors):
    """It ended the process in libshiboken: the picture of the window asks widgets to paint."""
    widget = Overrun()
    qtbot.addWidget(widget)
    widget.grab()
    assert {type(error) for error in errors} == {IndexError}


class Broken(SkippedWorkModel):
    """Has lines, and fails at each."""

    def cell(self, row, column, role):
        raise ZeroDivisionError(f"{row}, {column}, {role}")


@pytest.fixture
def broken(qtbot, theme, errors):
    outcome, plans = compared("ACGT" * 8 + "A" * 30, "ACGT" * 8 + "A" * 10 + "C" + "A" * 19)
    model = Broken()
    model.show(outcome, plans[-1].grid)
    view = FiguresTable(model, "Skipped work", 0, theme)
    view.kept = model
    qtbot.addWidget(view)
    return view


def test_a_model_that_fails_under_a_delegate_is_reported_and_painted_empty(broken, errors):
    """It ended the process: the delegate went on with an option that Qt had not filled."""
    broken.grab()
    assert errors
    assert {type(error) for error in errors} == {ZeroDivisionError}


@pytest.mark.parametrize("draw", [paint_times, paint_stages])
def test_delegates_take_no_answer_for_nothing_to_paint(broken, theme, errors, draw):
    broken.table.setItemDelegateForColumn(0, BarDelegate(theme, broken.table, draw))
    broken.grab()
    assert errors
    assert {type(error) for error in errors} == {ZeroDivisionError}


def test_what_is_reported_is_answered_with_none(errors):
    class Half(Table):
        @reported
        def height(self):
            return 1 // 0

    assert Half().height() is None
    assert isinstance(errors[0], ZeroDivisionError)


@pytest.fixture
def catcher(qtbot):
    catcher = ErrorCatcher()
    yield catcher
    catcher.release()


class Raising(QWidget):
    """Raises in overrides that Qt calls."""

    def paintEvent(self, _event):  # noqa: N802
        raise ZeroDivisionError("paint")


class Failing(QObject):
    rung = Signal()

    @Slot()
    def answer(self):
        raise ZeroDivisionError("slot")


def test_errors_in_overrides_slots_and_destructors_reach_the_catcher(qtbot, catcher, caplog):
    said = []
    catcher.caught.connect(said.append)
    widget, failing = Raising(), Failing()
    qtbot.addWidget(widget)
    failing.rung.connect(failing.answer)
    failing.rung.emit()
    QTimer.singleShot(0, widget.show)
    qtbot.waitUntil(lambda: any("paint" in one for one in said))

    class Ending:
        def __del__(self):
            raise ZeroDivisionError("destructor")

    ending = Ending()
    del ending
    for where in ("slot", "paint", "destructor"):
        assert any(f": {where}" in each for each in said), where
