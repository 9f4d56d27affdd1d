"""Choosers give back what was put in, with its type; also after every one in the window was touched."""

from __future__ import annotations

import re
from enum import Enum, StrEnum
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.ui.chooser import Chooser
from app.ui.json_store import JsonStore
from app.window import settings as saved
from app.window.main_window import MainWindow
from app.window.settings import Settings
from app.window_methods import METHODS, JobOptions
from core.jobs.pair import TracebackMethod

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
APP = Path(__file__).parents[2] / "app"


class Fruit(StrEnum):
    APPLE = "apple"
    PEAR = "pear"


def test_a_member_of_an_enum_comes_back_as_it_was(qtbot: QtBot) -> None:
    box: Chooser[Fruit] = Chooser()
    qtbot.addWidget(box)
    for each in Fruit:
        box.add(each, each.value, "<b>tip</b>")
    assert box.value is Fruit.APPLE
    box.choose(Fruit.PEAR)
    assert box.value is Fruit.PEAR
    assert box.currentText() == "pear"
    assert "&lt;b&gt;" in box.itemData(1, Qt.ItemDataRole.ToolTipRole)
    box.clear()
    assert box.count() == 0
    box.add(Fruit.PEAR, "again")
    assert box.value is Fruit.PEAR
    box.choose(Fruit.APPLE)  # not listed: the first
    assert box.value is Fruit.PEAR


def test_nobody_asks_qt_for_a_value() -> None:
    """Qt makes a plain string of a member of a StrEnum, so ``Chooser`` is asked instead."""
    asking = [
        f"{path.relative_to(APP)}: {line.strip()}"
        for path in sorted(APP.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\b(currentData|itemData|QSettings)\(", line)
    ]
    assert asking == []


def types(choices: JobOptions) -> dict[str, type]:
    return {name: type(getattr(choices, name)) for name in JobOptions.__slots__}


@pytest.mark.parametrize("id_", [each.id for each in METHODS])
def test_every_chooser_of_the_job_bar_leaves_choices_that_can_be_saved(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, id_: str
) -> None:
    window.session.choose(method=id_)
    for box in window.job_bar.findChildren(QComboBox):
        if not box.isVisibleTo(window):
            continue
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            box.setFocus()
            before = {name: kind for name, kind in types(window.session.choices).items() if issubclass(kind, Enum)}
            qtbot.keyClick(box, key)
            after = types(window.session.choices)
            # Kernels of two methods are members of two enums.
            assert {name: after[name] for name in before if name != "kernel"} == {
                name: kind for name, kind in before.items() if name != "kernel"
            }
            assert issubclass(after["kernel"], StrEnum)
    window.session.choose(method=id_)
    assert isinstance(window.session.choices.path, TracebackMethod)
    store = JsonStore(tmp_path / "settings.json")
    assert saved.save(store, Settings(choices=window.session.choices)) == ""
    assert saved.load(store).choices.method == id_
