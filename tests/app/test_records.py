"""The table of records: many of them, a filter in slices, hostile headers."""

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QLineEdit

from tests.clock import check_within, longest, moment
from wavediff.app.ui.input_dialogs import RecordPicker, RecordsModel
from wavediff.app.ui.pair import Side
from wavediff.core.reading import parse


class Records:
    """What ``Load`` has, made up on demand."""

    source = "many.fa"

    def __init__(self, n):
        self.n_records = n
        self.lengths = np.arange(1, n + 1, dtype=np.int64)

    def name(self, k):
        return f"contig_{k}"

    def description(self, k):
        return "even" if k % 2 == 0 else "Odd one"


def names(model, limit=5):
    return [model.data(model.index(row, 1)) for row in range(min(limit, model.rowCount()))]


def test_rows_are_the_records_in_file_order(qtbot):
    model = RecordsModel(Records(3))
    assert [[model.data(model.index(row, col)) for col in range(4)] for row in range(3)] == [
        ["1", "contig_0", "1", "even"],
        ["2", "contig_1", "2", "Odd one"],
        ["3", "contig_2", "3", "even"],
    ]


def test_the_filter_finds_names_descriptions_and_numbers(qtbot):
    model = RecordsModel(Records(1000))
    for text, expected in (
        ("CONTIG_99", [99, *range(990, 1000)]),
        ("odd", list(range(1, 1000, 2))),
        (" 7 ", [k for k in range(1000) if "7" in str(k) or k == 6]),
        ("nowhere", []),
        ("", list(range(1000))),
    ):
        qtbot.expect(model.filtered, model.set_filter, text)
        assert [model.record(row) for row in range(model.rowCount())] == expected


def test_a_new_filter_replaces_one_under_way(qtbot):
    model = RecordsModel(Records(200_000))
    model.set_filter("contig")
    qtbot.waitUntil(lambda: model.rowCount() > 0)
    qtbot.expect(model.filtered, model.set_filter, "contig_12345")
    assert names(model) == ["contig_12345", *(f"contig_12345{d}" for d in range(4))]


@pytest.mark.timed
def test_a_hundred_thousand_records_are_shown_and_filtered_without_a_freeze(qtbot):
    picker = RecordPicker(Records(100_000), Side.B)
    qtbot.addWidget(picker)
    picker.open()
    beats = [moment()]
    timer = QTimer(picker)
    timer.timeout.connect(lambda: beats.append(moment()))
    timer.start(5)
    qtbot.expect(picker.model.filtered, picker.findChild(QLineEdit).setText, "contig_99")
    assert picker.model.rowCount() == 1111
    assert "1,111 of 100,000" in [label.text() for label in picker.findChildren(QLabel)]
    assert len(beats) > 5
    check_within(longest(beats), 0.25)
    picked = []
    picker.picked.connect(picked.append)
    picker.table.selectRow(1)
    qtbot.keyClick(picker, Qt.Key.Key_Return)
    assert picked == [{Side.B: 990}]


def test_a_million_records_open_at_once(qtbot):
    """A model, not widgets."""
    picker = RecordPicker(Records(1_000_000), Side.A)
    qtbot.addWidget(picker)
    picker.open()
    picker.table.scrollToBottom()
    picker.table.selectRow(999_999)
    assert picker.model.record(picker.table.currentIndex().row()) == 999_999


def test_ok_is_off_while_nothing_matches(qtbot):
    picker = RecordPicker(Records(10), Side.A)
    qtbot.addWidget(picker)
    picker.open()
    ok = picker.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    qtbot.expect(picker.model.filtered, picker.findChild(QLineEdit).setText, "nowhere")
    assert not ok.isEnabled()
    qtbot.expect(picker.model.filtered, picker.findChild(QLineEdit).setText, "")
    assert ok.isEnabled()


def test_hostile_headers_are_plain_text_on_one_line(qtbot):
    """HTML, ANSI codes, RTL override, line feeds, a header of a megabyte."""

    class Hostile(Records):
        def name(self, k):
            return "<img src=x>\x1b[31m\u202e\n" + "A" * 1_000_000

    model = RecordsModel(Hostile(1))
    shown = names(model)[0]
    assert shown.startswith("<img src=x>\\x1b[31m\\u202e\\nAAA")
    assert len(shown) <= 400


def test_arrows_in_the_filter_move_through_the_records(qtbot):
    picker = RecordPicker(Records(5), Side.A)
    qtbot.addWidget(picker)
    picker.show()
    field = picker.findChild(QLineEdit)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    for key, row in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Up, 1), (Qt.Key.Key_PageDown, 4)):
        qtbot.keyClick(field, key)
        assert picker.table.currentIndex().row() == row
    qtbot.keyClick(field, Qt.Key.Key_F5)  # which neither of them takes
    with qtbot.waitSignal(picker.picked) as got:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert got.args == [{Side.A: 4}]


def test_names_that_differ_at_their_ends_are_told_apart(qtbot):
    """The column of names is as wide as they are, where there is room, and cut in the middle."""
    family, picker = "a_long_name_of_a_family_of_records", None
    for start in (family, family * 3):
        names = [f"{start}_{k}" for k in range(3)]
        picker = RecordPicker(parse("".join(f">{name}\nACGT\n" for name in names)), Side.A)
        qtbot.addWidget(picker)
        picker.show()
        table = picker.table
        room = table.columnWidth(1) - 12
        shown = [table.fontMetrics().elidedText(name, table.textElideMode(), room) for name in names]
        assert len(set(shown)) == 3
        assert (shown == names) is (start == family)
