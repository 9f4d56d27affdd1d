"""The list of hunks: rows, orders and files against plain Python, and the list as a person uses it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTabBar

from tests.app.line_texts import compared
from tests.app.saving import Asked
from tests.app.test_lines_window import opened, place, press, step, text, texts, window  # noqa: F401 - fixtures
from wavediff.app.compare.difference_list import CHANGE, IN_A, IN_B, KIND, LENGTH, NUMBER, Listing
from wavediff.app.compare.differences_model import OP_ROLE, DifferencesTable, kind_of
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.letters_picture import differences_picture, listed_of
from wavediff.app.ui.legend import KIND_PX
from wavediff.app.ui.picture_files import SVG
from wavediff.core.export.hunks import all_hunks, listed_tsv
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.line_view import LineView

MOVED = "def one(x):\n    y = x + 1\n    return y\n"
LINE = st.sampled_from(["alpha beta", "alpha gamma", "x = 1", "x = 2", "", "end", MOVED])
KINDS = ["changed", "added", "removed", "moved"]
Key, Mod = Qt.Key, Qt.KeyboardModifier


def first(text):
    """The number in a place of the list, e.g. 12 in ``12–14``, and 12.5 of ``after 12``."""
    return float(text.removeprefix("after ").split("–")[0].replace(",", "")) + 0.5 * text.startswith("after")


def kind(text):
    """Moved before added, removed and changed alone: the strongest kind that a hunk has."""
    return next(k for k, name in enumerate(["moved", "removed", "added", "changed"]) if name in text)


KEYS = {
    NUMBER: lambda row: int(row[NUMBER]),
    KIND: lambda row: kind(row[KIND]),
    IN_A: lambda row: first(row[IN_A]) // 1 + (first(row[IN_A]) % 1 > 0),
    IN_B: lambda row: first(row[IN_B]) // 1 + (first(row[IN_B]) % 1 > 0),
    LENGTH: lambda row: int(row[LENGTH]),
    CHANGE: lambda row: row[CHANGE],
}


def rows(listed):
    table = DifferencesTable()
    table.show(listed)
    table.look(0, 1000)
    return [[table.index(k, column).data() for column in range(6)] for k in range(table.n_rows)]


@given(
    st.lists(LINE, max_size=12), st.lists(LINE, max_size=12), st.sampled_from([*KEYS]), st.booleans(), st.integers(1, 3)
)
def test_hunks_are_in_the_order_of_plain_python(ours, theirs, column, descending, least):
    a, b, result = compared("\n".join(ours), "\n".join(theirs))
    listed = all_hunks(LineView(result, a, b))
    plain = rows(listed)
    assert [int(row[NUMBER]) for row in plain] == [*range(1, result.rows.n_hunks + 1)]
    for row in plain:  # counted row by row
        kinds = result.rows.kind[result.rows.hunk == int(row[NUMBER])].tolist()
        counts = {name: n for k, name in enumerate(KINDS, 1) if (n := kinds.count(k))}
        assert {part.split()[1]: int(part.split()[0]) for part in row[KIND].split(", ")} == counts
        assert int(row[LENGTH]) == sum(counts.values())
    expected = [row for row in plain if int(row[LENGTH]) >= least]
    expected.sort(key=KEYS[column], reverse=descending)
    sorted_ = kind_of(listed).arranged(listed, Listing(column, descending, least))
    assert rows(sorted_) == expected
    saved = [line.split("\t")[0] for line in b"".join(listed_tsv(sorted_)).decode().splitlines()[1:]]
    assert [*dict.fromkeys(saved)] == [row[NUMBER] for row in expected]


@pytest.fixture
def listed(qtbot, window, tmp_path):  # noqa: F811
    old = "".join(f"line {k}\n" for k in range(60))
    new = (
        old.replace("line 5\n", "line five\n")
        .replace("line 20\n", "line 20\nmore\nand more\n")
        .replace("line 40\n", "")
    )
    opened(qtbot, window, text(tmp_path / "old.txt", old), text(tmp_path / "new.txt", new))
    view = window.view(DifferencesView)
    qtbot.waitUntil(lambda: view.model.n_rows == 3)
    return view


def numbers(view):
    return [view.model.index(row, NUMBER).data() for row in range(view.model.rowCount())]


def test_the_list_is_sorted_filtered_copied_and_saved(qtbot, window, listed, tmp_path):  # noqa: F811
    tabs = [bar.tabText(0) for bar in window.findChildren(QTabBar) if bar.accessibleName() == "Panels"]
    assert tabs == ["Hunks"]
    said = []
    listed.noticed.connect(said.append)
    header, table = listed.table.rows.horizontalHeader(), listed.table.rows
    header.setSortIndicator(LENGTH, Qt.SortOrder.DescendingOrder)
    assert numbers(listed) == ["2", "1", "3"]
    assert window.session.state.words["sort"] == "length:desc"
    listed.table.take_click(0, False)
    assert (place(window), window.alignment.lines.canvas.marked.hunk) == ("hunk 2 of 3", 2)
    step(window, "next")
    assert (place(window), listed.table.current) == ("hunk 3 of 3", 2)
    table.setFocus()
    qtbot.keyClick(table, Key.Key_Up, Mod.ShiftModifier)
    qtbot.keyClick(table, Key.Key_C, Mod.ControlModifier)
    copied = [line.split("\t")[:2] for line in QGuiApplication.clipboard().text().splitlines()]
    assert copied == [["hunk", "kind"], ["1", "changed"], ["3", "removed"]]
    assert said[-1].text == "2 rows copied as TSV"
    listed.least.setValue(2)
    assert (numbers(listed), listed.status.text) == (["2"], "1 of 3 hunks")
    listed.save_button.click()
    asked = Asked(qtbot, listed)
    qtbot.expect(listed.writer.finished, asked.type, tmp_path / "list")
    assert (tmp_path / "list.tsv").read_text().splitlines()[1].split("\t")[:2] == ["2", "added"]
    # The order stays with the pair; letters have a list of their own again.
    with qtbot.waitSignal(window.session.compared):
        press(window, "Letters")
    qtbot.waitUntil(lambda: "difference" in listed.status.text)
    assert listed.model.columns[3] == "B"
    press(window, "Lines")
    assert (numbers(listed), listed.model.heading(LENGTH)) == (["2"], "Lines ▼")


def test_a_picture_of_the_list_has_the_hunks(window, listed):  # noqa: F811
    outcome = window.session.outcome
    asked = Listing(LENGTH, descending=True, least=1)
    assert (listed_of(outcome, asked).order + 1).tolist() == [2, 1, 3]
    pictured = differences_picture(listed_of(outcome, asked), "answer", asked=asked)
    drawn = pictured.picture(SVG).decode()
    assert ": Hunks" in drawn
    assert asked.words == {"sort": "length:desc"}
    with pytest.raises(ValueError, match="--kinds applies to letters"):
        listed_of(outcome, Listing(kinds=Kinds.INSERTION))


def test_kinds_of_the_stepper_and_enter_go_with_the_list(qtbot, window, listed):  # noqa: F811
    kinds = window.alignment.stepper.kind_buttons
    kinds[Kinds.INSERTION].click()
    assert (numbers(listed), listed.status.text) == (["1", "3"], "2 hunks")
    listed.table.take_click(1, False)
    qtbot.keyClick(listed.table.rows, Key.Key_Return)
    assert window.alignment.lines.canvas.hasFocus()
    assert listed.table.rows.accessibleName() == "List of hunks"


def test_three_kinds_of_a_hunk_are_whole(qtbot, window, tmp_path):  # noqa: F811
    window.resize(1280, 800)
    ours = "def f(x):\n    return x + 1\n\n\nclass A:\n    def g(self):\n        pass\n" * 9
    theirs = "def f(x, y):\n    return x + y + 1\n\n\nclass A:\n    def g(self):\n        return 3\n" * 9
    opened(qtbot, window, text(tmp_path / "1.py", ours), text(tmp_path / "2.py", theirs))
    model, table = window.view(DifferencesView).model, window.view(DifferencesView).table.rows
    qtbot.waitUntil(lambda: model.n_rows > 0 and not window.turns.busy)
    kinds = [model.index(row, KIND) for row in range(model.rowCount())]
    assert any(each.data().count(",") == 2 for each in kinds)
    for each in kinds:
        signs = len(each.data(OP_ROLE)) * (KIND_PX + 7)
        assert table.fontMetrics().horizontalAdvance(each.data()) + signs + 14 <= table.columnWidth(KIND)
