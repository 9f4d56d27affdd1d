"""The list of differences: rows, orders and files against plain Python, and the view as a person uses it."""

import itertools
from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tests.app.alignments import from_cigar, sequence
from tests.app.parts import kinds
from tests.app.saving import Asked
from tests.clock import check_within, longest, moment
from tests.contract.conftest import compare
from wavediff.app.compare.difference_list import CHANGE, IN_A, IN_B, KIND, LENGTH, NUMBER, arranged
from wavediff.app.compare.differences_model import OP_ROLE, DifferencesTable
from wavediff.app.compare.differences_view import CURRENT_PLACE, DifferencesView
from wavediff.app.compare.pair_view import PairView
from wavediff.app.ui.background_task import Turns
from wavediff.app.ui.pair import SharedCursor
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.tsv import ListedDifferences, listed_tsv, tsv
from wavediff.core.jobs.alignment import SWAP, Alignment, Op, Swaps
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.difference_rows import all_rows, rows_of
from wavediff.core.methods import METHODS
from wavediff.core.methods.free_ends import Ends

Key, Mod = Qt.Key, Qt.KeyboardModifier
Row = tuple[int, int, int, int, int, str, str]  # number, op, columns, a0, b0, letters of A, of B
BIT = {Op.MISMATCH: Kinds.MISMATCH, Op.INSERTION: Kinds.INSERTION, Op.DELETION: Kinds.DELETION}


def listed_of(runs, kinds=Kinds.ANY):
    alignment = from_cigar(*runs)
    rng = np.random.default_rng(alignment.n_columns)
    a, b = ("".join("ACGT"[k] for k in rng.integers(0, 4, n)) for n in (alignment.n_a, alignment.n_b))
    return ListedDifferences(sequence(a, "a"), sequence(b, "b"), index_alignment(alignment), kinds)


def plain_rows(listed):
    """Enumerate the differences run by run."""
    found = []
    a, b = (each.letters.tobytes().decode() for each in (listed.a, listed.b))
    i = j = 0
    for op, length in listed.index.alignment.runs():
        in_a, in_b = length * (op != Op.INSERTION), length * (op != Op.DELETION)
        if op != Op.EQUAL and BIT[Op(op)] & listed.kinds:
            found.append((len(found), op, length, i, j, a[i : i + in_a], b[j : j + in_b]))
        i, j = i + in_a, j + in_b
    return found


@st.composite
def runs(draw):
    ops = draw(st.lists(st.sampled_from("=XID"), min_size=1, max_size=60))
    return [(draw(st.integers(1, 30)), op) for op, _ in itertools.groupby(ops)]


KINDS = st.integers(1, 7).map(Kinds)
KEYS: dict[int, Callable[[Row], object]] = {
    NUMBER: lambda row: row[0],
    KIND: lambda row: row[1],
    IN_A: lambda row: row[0],
    IN_B: lambda row: row[0],
    LENGTH: lambda row: row[2],
    CHANGE: lambda row: (row[5][:4], row[6][:4]),
}


@given(runs(), KINDS, st.sampled_from(sorted(KEYS)), st.booleans(), st.integers(1, 4))
def test_rows_are_those_of_plain_python_in_any_order(made, kinds, column, descending, least):
    listed = listed_of(made, kinds)
    wanted = [row for row in plain_rows(listed) if row[2] >= least]
    ordered = sorted(wanted, key=KEYS[column])
    if descending:  # ties stay in the order of the number
        groups = [list(group) for _, group in itertools.groupby(ordered, key=KEYS[column])]
        ordered = [row for group in reversed(groups) for row in group]
    order = arranged(listed, column, descending, least)
    assert (list(range(len(wanted))) if order is None else order.tolist()) == [row[0] for row in ordered]
    table = DifferencesTable()
    table.show(ListedDifferences(listed.a, listed.b, listed.index, kinds, order))
    assert table.n_rows == len(wanted)
    table.look(0, 100)
    for k, (number, op, length, a0, b0, in_a, in_b) in enumerate(ordered):
        change = (
            f"{short(in_a)} → {short(in_b)}" if in_a and in_b else f"− {short(in_a)}" if in_a else f"+ {short(in_b)}"
        )
        texts = [table.index(k, each).data() for each in range(6)]
        places = [f"{a0 + 1:,}" if in_a else f"after {a0:,}", f"{b0 + 1:,}" if in_b else f"after {b0:,}"]
        kind = {Op.MISMATCH: "substitution", Op.INSERTION: "insertion", Op.DELETION: "deletion"}[Op(op)]
        assert texts == [f"{number + 1:,}", kind, *places, f"{length:,}", change]
        assert table.row_of(number) == k
    assert len({table.row_of(row[0]) for row in plain_rows(listed)} - {-1}) == len(wanted)


def short(letters):
    return letters[:10] + "…" * (len(letters) > 10)


@given(runs(), KINDS, st.sampled_from([NUMBER, LENGTH]))
def test_a_saved_list_read_again_is_the_list(made, kinds, column):
    listed = listed_of(made, kinds)
    order = arranged(listed, column, column == LENGTH, 1)
    sorted_ = ListedDifferences(listed.a, listed.b, listed.index, kinds, order)
    header, *lines = b"".join(listed_tsv(sorted_)).decode().splitlines()
    assert header.split("\t")[:3] == ["number", "op", "length"]
    rows = plain_rows(listed)
    expected = [rows[k] for k in (range(len(rows)) if order is None else order.tolist())]
    found = [line.split("\t") for line in lines]
    assert [
        (int(number) - 1, "=XID".index(op), int(length), int(a0) - 1, int(b0) - 1, a, b)
        for number, op, length, a0, _, b0, _, a, b in found
    ] == expected
    assert all(int(line[4]) - int(line[3]) + 1 == len(line[7]) for line in found)


@given(runs(), st.integers(0, 2), st.integers(0, 2), KINDS)
def test_all_rows_are_those_that_are_looked_up(made, head, tail, kinds):
    """Overhang has no difference, and its letters are counted."""
    whole = from_cigar(*made)
    n_head, n_tail = (min(n, whole.ops.size // 2) for n in (head, tail))
    index = index_alignment(replace(whole, head_runs=n_head, tail_runs=n_tail))
    n = index.n_differences(kinds)
    looked_up = rows_of(index, np.arange(n), kinds)
    pieces = list(all_rows(index, kinds))
    for one in fields(looked_up):
        listed = np.concatenate([np.empty(0, np.int64), *(getattr(piece, one.name) for piece in pieces)])
        assert listed.tolist() == getattr(looked_up, one.name).tolist()


@pytest.mark.parametrize("one", [one for one in METHODS if one.of_letters], ids=str)
@pytest.mark.parametrize("ends", Ends)
def test_the_saved_list_is_the_table_of_the_command_line(one, ends):
    """B lies in A from 701 on, with one letter substituted and two inserted."""
    if ends is not Ends.NONE and one.option("ends") is None:
        return
    rng = np.random.default_rng(3)
    long, part = (rng.choice(np.frombuffer(b"ACGT", np.uint8), n) for n in (2_000, 62))
    part[:10], part[10:30], part[30:32], part[32:] = long[700:710], long[710:730], ord("A"), long[730:760]
    part[10] = ord("C") if part[10] != ord("C") else ord("G")
    a, b = (sequence(each.tobytes(), name) for each, name in ((long, "long"), (part, "part")))
    if ends is Ends.B:
        a, b = b, a
    found = Comparison(a, b, one, True, 1, compare(one, a, b, ends=ends))
    listed = ListedDifferences(a, b, index_alignment(found.shown, found.swaps), Kinds.ANY)
    table = b"".join(tsv(found)).splitlines()
    for column, descending in itertools.product(sorted(KEYS), (False, True)):
        order = arranged(listed, column, descending, 1)
        saved = b"".join(listed_tsv(replace(listed, order=order))).splitlines()
        assert (saved[0], sorted(saved)) == (table[0], sorted(table))
    assert b"".join(listed_tsv(listed)).splitlines() == table
    if ends is Ends.A and one.id == "edit":
        assert [line.split(b"\t")[3:7] for line in table[1:]] == [
            [b"711", b"711", b"11", b"11"],
            [b"731", b"730", b"31", b"32"],
        ]


def test_long_differences_are_sorted_by_all_of_their_length():
    lengths = [70_000, 3, 200_000, 65_535, 65_534, 70_001, 65_535]
    listed = listed_of([run for length in lengths for run in ((length, "I"), (1, "="))])
    down, up = arranged(listed, LENGTH, True, 1), arranged(listed, LENGTH, False, 1)
    assert [lengths[k] for k in down] == sorted(lengths, reverse=True)
    assert down.tolist() == [2, 5, 0, 3, 6, 4, 1]
    assert up.tolist() == [1, 4, 3, 6, 0, 5, 2]


def test_a_swap_is_a_row_with_the_letters_of_both_places(qtbot):
    swaps = Swaps(*(np.array([each]) for each in (1, 4, 1, 2)))
    alignment = from_cigar((1, "="), (1, "X"), (2, "D"), (1, "X"), (2, "="), (1, "X"))
    index = index_alignment(alignment, swaps)
    listed = ListedDifferences(sequence("GACCTGGA"), sequence("GTAGGC"), index, Kinds.ANY)
    table = DifferencesTable()
    table.show(listed)
    table.look(0, 10)
    assert [table.index(0, each).data() for each in range(6)] == ["1", "swap", "2", "2", "4", "ACCT → TA"]
    assert table.index(0, KIND).data(OP_ROLE) == SWAP
    assert table.index(1, CHANGE).data() == "A → C"
    spoken = table.index(0, NUMBER).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "difference 1: swap, 4 letters, A 2, B 2, ACCT → TA"
    assert table.index(0, CHANGE).data(Qt.ItemDataRole.ToolTipRole) == "A  G[ACCT]GGA\nB  G[TA]GGC"
    assert b"\n1\tS\t4\t2\t5\t2\t3\tACCT\tTA\n" in b"".join(listed_tsv(listed))


class Both(QWidget):
    """The letters and the list below them."""

    def __init__(self):
        super().__init__()
        theme = Theme(Scheme.LIGHT)
        self.letters = PairView(theme, SharedCursor())
        self.list = DifferencesView(self.letters, Turns(self), theme)
        layout = QVBoxLayout(self)
        layout.addWidget(self.letters, 2)
        layout.addWidget(self.list, 1)
        self.resize(800, 700)

    def show_runs(self, *made, head_runs=0):
        listed = listed_of(list(made))
        alignment = replace(listed.index.alignment, head_runs=head_runs)
        self.letters.show_result(listed.a, listed.b, alignment, False)

    def is_listed(self):
        """Whether the list is that of the letters; it follows them when they are painted."""
        shown, listed = self.letters.model, self.list.model.listed
        return shown is not None and listed is not None and listed.index is shown.index

    def texts(self, column):
        model = self.list.model
        return [model.index(row, column).data() for row in range(model.rowCount())]


@pytest.fixture
def both(qtbot):
    made = Both()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    made.show_runs(*[(5, "="), (1, "X"), (300, "="), (14, "I"), (20, "="), (3, "D")] * 30, (4, "="))
    qtbot.waitUntil(made.is_listed)
    yield made
    made.close()


def test_the_row_at_the_caret_is_the_third_and_rows_move_the_caret(qtbot, both):
    table, letters = both.list.table, both.letters
    assert both.list.message == ""
    assert both.list.status.text == "90 differences"
    letters.navigation.go_to("#41")
    assert (table.current, both.list.model.top) == (40, 40 - CURRENT_PLACE)
    letters.navigation.go_next()
    assert (table.current, both.list.model.top) == (41, 41 - CURRENT_PLACE)
    qtbot.keyClick(table.rows, Key.Key_Down)
    assert letters.navigation.where() == "difference 43 of 90"
    assert both.list.model.top == 41 - CURRENT_PLACE, "what is chosen in the list stays where it is"
    index = both.list.model.index(1, NUMBER)
    at = table.rows.visualRect(index).center()
    qtbot.mouseClick(table.rows.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert letters.navigation.where() == f"difference {index.data()} of 90"
    qtbot.keyClick(table.rows, Key.Key_Return)
    assert letters.canvas.hasFocus()
    assert letters.canvas.is_visible(letters.canvas.caret)
    qtbot.keyClick(letters.canvas, Key.Key_Left, Mod.AltModifier)
    assert letters.navigation.where() == "difference 43 of 90"
    letters.canvas.set_caret(0)
    assert (table.current, both.list.model.top) == (-1, 0)
    letters.navigation.go_to("#50")
    letters.canvas.set_caret(letters.canvas.caret - 2)
    assert (table.current, both.texts(NUMBER)[CURRENT_PLACE]) == (-1, "50"), "what comes next is third"


def test_sorting_filtering_and_kinds(qtbot, both):
    header = both.list.table.rows.horizontalHeader()
    x = header.sectionViewportPosition(LENGTH) + 5
    both.letters.navigation.go_number(-1)
    for expected in ("14", "1", "14"):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
        assert set(both.texts(LENGTH)) == {expected}, "the greatest first, and from the top, wherever the caret is"
    both.list.least.setValue(2)
    assert both.list.status.text == "60 of 90 differences"
    kinds(both.letters)[Kinds.INSERTION].click()
    assert both.list.status.text == "30 of 60 differences"
    assert (both.texts(NUMBER)[:2], both.texts(KIND)[0]) == (["2", "4"], "deletion")
    both.letters.navigation.go_number(-1)
    assert both.letters.navigation.where() == "difference 60 of 60"
    assert both.list.table.current == 29


def test_selected_rows_are_copied_and_the_list_is_saved(qtbot, both, tmp_path):
    said = []
    both.list.noticed.connect(said.append)
    rows = both.list.table.rows
    both.letters.navigation.go_to("#2")
    rows.setFocus()
    for _ in range(2):
        qtbot.keyClick(rows, Key.Key_Down, Mod.ShiftModifier)
    assert both.list.table.selected == range(1, 4)
    qtbot.keyClick(rows, Key.Key_C, Mod.ControlModifier)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert [line.split("\t")[0] for line in copied] == ["number", "2", "3", "4"]
    assert said[-1].text == "3 rows copied as TSV"
    rows.horizontalHeader().setSortIndicator(LENGTH, Qt.SortOrder.DescendingOrder)
    both.list.least.setValue(3)
    both.list.save_button.click()
    asked = Asked(qtbot, both.list)
    qtbot.expect(both.list.writer.finished, asked.type, tmp_path / "list")
    lines = (tmp_path / "list.tsv").read_text().splitlines()
    assert [line.split("\t")[1:3] for line in lines[1:]] == [["I", "14"]] * 30 + [["D", "3"]] * 30
    assert said[-1].text == "Saved list.tsv"


def test_without_differences_or_a_path_it_says_why(qtbot, both):
    both.show_runs((50, "="))
    qtbot.waitUntil(both.is_listed)
    assert both.list.message == "No differences: A and B are the same."
    both.show_runs((50, "D"), (50, "="), head_runs=1)
    qtbot.waitUntil(lambda: both.list.message == "No differences in the aligned part.")
    both.letters.clear("other")
    both.list.say_waiting("Until then")
    assert both.list.message == "Until then"


@pytest.mark.timed
@pytest.mark.thorough
def test_ten_million_rows_are_sorted_in_the_background_and_scroll_at_once(qtbot, both):
    """Twenty million runs; painting a page anywhere takes a frame at most (measured: about 2 ms)."""
    n = 10_000_000
    rng = np.random.default_rng(3)
    ops = np.zeros(2 * n, np.uint8)
    ops[1::2] = np.tile(np.array([1, 2, 1, 3], np.uint8), n // 4)
    lengths = np.ones(2 * n, np.int64)
    lengths[1::2] = np.minimum(rng.geometric(0.3, n), 60)
    lengths[123_457] = 4_321
    alignment = Alignment(ops, lengths)
    letters = np.full(max(alignment.n_a, alignment.n_b), ord("A"), np.uint8).tobytes()
    both.letters.show_result(sequence(letters[: alignment.n_a]), sequence(letters[: alignment.n_b]), alignment, False)
    qtbot.waitUntil(both.is_listed, timeout=30_000)
    assert both.list.model.n_rows == n
    with qtbot.waitSignal(both.list.arranged, timeout=30_000):
        both.list.table.rows.horizontalHeader().setSortIndicator(LENGTH, Qt.SortOrder.DescendingOrder)
    assert both.texts(LENGTH)[0] == "4,321"
    took = []
    for top in rng.integers(0, n, 20).tolist():
        start = moment()
        both.list.table.bar.setValue(top)
        both.list.table.rows.viewport().repaint()
        took.append(longest([start, moment()]))
    check_within(sorted(took)[10], 0.05)
    both.letters.navigation.go_number(-1)
    assert both.list.table.current >= 0


def test_columns_are_as_wide_as_their_texts_and_the_change_has_the_rest(both, qtbot):
    rows = both.list.table.rows
    both.show_runs((70_000, "="), (12, "I"), (9_000, "="), (1, "X"))
    qtbot.waitUntil(both.is_listed)
    widths = [rows.columnWidth(column) for column in range(CHANGE)]
    for column in range(CHANGE):
        needed = max(rows.fontMetrics().horizontalAdvance(text) for text in both.texts(column))
        heading = rows.fontMetrics().horizontalAdvance(rows.model().headerData(column, Qt.Orientation.Horizontal))
        assert max(needed, heading) < widths[column] <= max(needed, heading) + 56, column
    assert rows.columnWidth(CHANGE) == rows.viewport().width() - sum(widths)


def test_six_rows_are_seen_in_the_usual_window(window, session, qtbot):
    window.resize(1280, 800)
    qtbot.expect(session.pair.changed, session.open_text, "ACGT")
    listed = listed_of([(5, "="), (1, "X")] * 12)
    window.alignment.show_result(listed.a, listed.b, listed.index.alignment, False)
    table = window.view(DifferencesView).table
    qtbot.waitUntil(table.rows.isVisible)
    assert table.height_in_rows() >= 6
