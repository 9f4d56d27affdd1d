"""Small widgets: choosers give back what was put in with its type, a bar shows how far something is."""

import re
from enum import Enum, StrEnum
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from tests.app.maps import PaintRecorder
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.labels import ProgressLine
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.window import settings as saved
from wavediff.app.window.settings import Settings
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import TracebackMethod

APP = Path(__file__).parents[2] / "app"


class Fruit(StrEnum):
    APPLE = "apple"
    PEAR = "pear"


def test_a_member_of_an_enum_comes_back_as_it_was(qtbot):
    box = Chooser("")
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


def test_nobody_asks_qt_for_a_value():
    """Qt makes a plain string of a member of a StrEnum, so ``Chooser`` is asked instead."""
    asking = [
        f"{path.relative_to(APP)}: {line.strip()}"
        for path in sorted(APP.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\b(currentData|itemData)\(", line)
    ]
    assert asking == []


def types(choices):
    values = {"method": choices.method, "device": choices.device, "fold_case": choices.fold_case, **choices.values}
    return {name: type(value) for name, value in values.items()}


def test_every_chooser_of_the_job_bar_leaves_choices_that_can_be_saved(qtbot, window, tmp_path, subtests):
    for method in METHODS:
        with subtests.test(method.id):
            check_choosers(qtbot, window, tmp_path / f"{method.id}.ini", method.id)


def check_choosers(qtbot, window, path, id_):
    window.session.choose(method=id_)
    for box in window.header.options_popover.findChildren(QComboBox):
        if not box.isVisibleTo(window.header.options_popover):
            continue
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            box.setFocus()
            method, before = window.session.choices.method, types(window.session.choices)
            qtbot.keyClick(box, key)
            choices = window.session.choices
            if choices.method == method:
                assert {name: kind for name, kind in types(choices).items() if issubclass(kind, Enum)} == {
                    name: kind for name, kind in before.items() if issubclass(kind, Enum)
                }
            assert all(option.accepts(choices.values[option.id]) for option in choices.chosen.options)
    window.session.choose(method=id_)
    assert isinstance(window.session.choices.values["traceback"], TracebackMethod)
    store = SettingsFile(path)
    assert saved.save(store, Settings(choices=window.session.choices)) == ""
    assert saved.load(store).choices.method == id_


@pytest.fixture
def line(qtbot):
    line = ProgressLine()
    qtbot.addWidget(line)
    line.setFixedSize(400, 5)
    line.show()
    qtbot.waitExposed(line)
    return line


def filled(line):
    """Return the pixels of the middle row that show the bar."""
    image = line.grab().toImage()
    colour, y = line.palette().highlight().color(), image.height() // 2
    ratio = image.devicePixelRatio()
    return [int(x / ratio) for x in range(image.width()) if image.pixelColor(x, y) == colour]


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_a_share_is_filled_from_the_left(line, share):
    line.show_share(share)
    seen = filled(line)
    assert seen[0] <= 3
    assert abs(seen[-1] - share * 400) <= 4


def test_nothing_is_filled_at_the_beginning(line):
    line.show_share(0.0)
    assert not filled(line)


def test_it_moves_while_nobody_knows_and_rests_after(qtbot, line):
    line.show_share(None)
    places = []
    for _ in range(2):
        before = filled(line)
        qtbot.waitUntil(lambda before=before: filled(line) != before)
        places.append(filled(line))
    assert places[0] != places[1]
    line.show_share(0.5)
    paints = PaintRecorder(line)
    qtbot.waitUntil(lambda: paints.taken() != [])
    qtbot.wait(250)
    assert paints.taken() == []


def test_an_entry_that_changes_later_has_its_room(qtbot):
    box = Chooser("")
    qtbot.addWidget(box)
    box.add(1, "Automatic")
    box.show()
    narrow = box.sizeHint().width()
    box.setItemText(0, "Automatic (plain text)")
    more = box.fontMetrics().horizontalAdvance(" (plain text)")
    assert box.sizeHint().width() >= narrow + more - 1
