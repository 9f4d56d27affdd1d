"""Contigs on A: tracks, coverage and gaps against plain Python, the list in any order, mouse, wheel and keys."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.app.contigs import border, result_of
from wavediff.app.compare.contigs.contig_rows import (
    EDITS,
    IDENTITY,
    LENGTH,
    NAME,
    NEXT,
    NUMBER,
    PLACE,
    REMARKS,
    STRAND,
    ListedContigs,
    sentence,
)  # fmt: skip
from wavediff.app.compare.contigs.contig_tracks import ContigTracks, draw_contigs
from wavediff.app.compare.contigs.contigs_view import ContigCanvas
from wavediff.app.compare.difference_list import Listing
from wavediff.app.compare.differences_model import CONTIGS, DifferencesTable
from wavediff.app.compare.strip_drawing import LEFT_PX, RIGHT_PX
from wavediff.app.compare.strip_levels import Window
from wavediff.app.draw.drawing import Box, Ink, Size
from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.jobs.rearranged import BlockKind, CollinearBlock

LETTERS = 400
PLACES = st.lists(
    st.tuples(st.integers(0, LETTERS - 1), st.integers(1, 60), st.booleans()).map(
        lambda one: (one[0], min(LETTERS, one[0] + one[1]), one[2])
    ),
    max_size=12,
)
Key, Ascending, Descending = Qt.Key, Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


class Drawn:
    """A drawing that keeps its rectangles, shapes and texts."""

    def __init__(self):
        self.boxes, self.shapes, self.texts = [], [], []

    def rect(self, box, fill=None, pen=None, rounded=0.0):
        self.boxes.append((box, fill if fill is not None else pen.ink))

    def shape(self, points, fill):
        self.shapes.append((points, fill))

    def lines(self, lines, pen):
        flat = [line for line in lines if pen.flat]
        self.boxes += [(Box(x - pen.thick / 2, y, pen.thick, foot - y), pen.ink) for (x, y), (_, foot) in flat]

    def text(self, box, text, *_looks):
        self.texts.append((box, text))


def drawn(result, wide=1000, current=-1, window=None):
    drawing, tracks = Drawn(), ContigTracks.of(result)
    draw_contigs(drawing, Size(wide, tracks.height), tracks, window or Window(0, result.n), current)
    return drawing


@given(PLACES)
def test_neighbours_have_other_tracks_and_overlaps_are_seen(places):
    tracks = ContigTracks.of(result_of(LETTERS, places))
    for one, two in pairwise(tracks.tracks.tolist()):
        assert one != two
    deepest = max((sum(start <= at < end for start, end, _ in places) for at in range(LETTERS)), default=0)
    for k in range(len(places)):
        beside = [
            j for j in range(k)
            if tracks.tracks[j] == tracks.tracks[k] and tracks.ends[j] > tracks.starts[k]
        ]  # fmt: skip
        assert not beside or deepest > 2, "two tracks are enough where no three contigs overlap"


@given(PLACES)
def test_coverage_and_gaps_are_those_of_each_letter(places):
    result = result_of(LETTERS, places)
    tracks = ContigTracks.of(result)
    depths = [sum(start <= at < end for start, end, _ in places) for at in range(LETTERS)]
    found = np.repeat(tracks.depths[:-1], np.diff(tracks.edges)).tolist()
    assert found == depths
    bare = {at for start, end in tracks.gaps.tolist() for at in range(start, end)}
    assert bare == {at for at, depth in enumerate(depths) if not depth}


def test_across_the_origin_of_a_circle_a_contig_has_two_arrows():
    tracks = ContigTracks.of(result_of(LETTERS, [(350, 440, False), (100, 200, True)], circular=True))
    assert tracks.starts.tolist() == [0, 100, 350]
    assert tracks.ends.tolist() == [40, 200, 400]
    assert tracks.contigs.tolist() == [1, 0, 1]
    assert tracks.gaps.tolist() == [[40, 100], [200, 350]]


def test_arrows_point_where_the_strand_goes_and_have_the_number_of_the_file():
    drawing = drawn(result_of(LETTERS, [(200, 350, True), (0, 150, False)]), current=1)
    (plus, blue), (minus, orange) = drawing.shapes
    assert (blue, orange) == (Ink.INSERTION_PALE, Ink.MISMATCH_PALE)
    middle = {shape: sum(y for _, y in shape) / len(shape) for shape in map(tuple, (plus, minus))}
    assert max(plus)[1] == pytest.approx(middle[tuple(plus)]), "the tip is at the right"
    assert min(minus)[1] == pytest.approx(middle[tuple(minus)]), "the tip is at the left"
    assert {"1", "2", "A", "Contigs", "Coverage", "Gaps", "50"} <= {text for _, text in drawing.texts}
    assert [box.wide for box, ink in drawing.boxes if ink is Ink.DELETION_STRONG] == [pytest.approx(111, 1)] * 2


def test_a_gap_of_one_letter_is_three_pixels_wide():
    drawing = drawn(result_of(100_000, [(0, 50_000, False), (50_001, 100_000, False)]))
    assert [box.wide for box, ink in drawing.boxes if ink is Ink.DELETION_STRONG] == [3]


def test_arrows_that_begin_at_one_pixel_are_drawn_once():
    places = [(k, k + 3, False) for k in range(0, 40_000, 4)]
    drawing = drawn(result_of(40_000, places))
    assert len(drawing.boxes) < 200


@pytest.mark.parametrize("n", [50, 300, 800])
def test_each_contig_that_is_narrow_has_a_box_of_its_strand(n):
    starts = np.sort(np.random.default_rng(n).integers(0, 399_990, n)).tolist()
    result = result_of(400_000, [(at, at + 10, at % 3 == 0) for at in starts])
    tracks, drawing = ContigTracks.of(result), drawn(result)
    boxes = {(box.y, ink): [] for box, ink in drawing.boxes}
    for box, ink in drawing.boxes:
        boxes[box.y, ink].append((box.x, box.right))
    rows = sorted({y for y, ink in boxes if ink is Ink.MISMATCH_STRONG})
    for track, at in zip(tracks.tracks.tolist(), tracks.starts.tolist(), strict=True):
        x = LEFT_PX + (at + 5) * (1_000 - LEFT_PX - RIGHT_PX) / 400_000
        ink = Ink.MISMATCH_STRONG if at % 3 == 0 else Ink.INSERTION_STRONG
        assert any(left - 2 <= x <= right + 2 for left, right in boxes[rows[track], ink]), (track, at)


# The list


def rows(model):
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


@pytest.fixture
def result():
    return result_of(LETTERS, [(200, 300, True), (0, 150, False), (290, 400, False)], others=(70, 12))


def table_of(result, column=PLACE, order=Ascending, least=1):
    """The list of ``result``, sorted."""
    listed, table = ListedContigs(ContigsAnswer(None, None, result), np.arange(0)), DifferencesTable()
    table.show(CONTIGS.arranged(listed, Listing(column, order is Descending, least)))
    table.show_sorted(column, order is Descending)
    table.look(0, 100)
    return table


def test_the_list_has_all_contigs_along_a_and_why_others_have_no_place(result):
    table = table_of(result)
    assert rows(table) == [
        ["2", "c2", "150", "+", "1–150", "0", "0.0 %", "gap 50", ""],
        ["1", "c1", "100", "−", "201–300", "0", "0.0 %", "overlap 10", ""],
        ["3", "c3", "110", "+", "291–400", "0", "0.0 %", "", ""],
        ["4", "c4", "70", "", "", "", "", "not placed", "no shared k-mer"],
        ["5", "c5", "12", "", "", "", "", "not placed", "no shared k-mer"],
    ]
    assert [row[0] for row in rows(table_of(result, least=100))] == ["2", "1", "3"]
    assert CONTIGS.shown(table_of(result, least=100).listed) == "3 of 5 contigs · 2 not placed"
    assert "no shared k-mer" in table.index(3, REMARKS).data(Qt.ItemDataRole.ToolTipRole)


def test_remarks_say_what_lies_elsewhere_and_sort_by_it(result):
    one = result.placements[2]
    elsewhere = CollinearBlock(BlockKind.MOVED, (border(500), border(530)), (border(80), border(110)), False)
    inside = replace(elsewhere, kind=BlockKind.INVERTED)
    chimera = replace(one, contig=(0, 80), blocks=(*one.blocks, inside), others=(elsewhere,), n_places=2, same_as=(7,))
    those = replace(result, placements=(*result.placements[:2], chimera, *result.placements[3:]))
    said = "1 inverted inside; chimeric: 30 letters elsewhere; 2 places; same as 7; letters 1–80"
    assert [row[REMARKS] for row in rows(table_of(those))] == ["", "", said, "no shared k-mer", "no shared k-mer"]
    assert sentence(chimera, LETTERS) == f"contig 3 (c3): 110 letters on +, A 291–400, 0 edits; {said}"
    assert [row[0] for row in rows(table_of(those, REMARKS, Descending))] == ["3", "2", "1", "4", "5"]


def test_contained_contigs_name_the_one_they_lie_in_and_sort_together():
    those = result_of(LETTERS, [(0, 150, False), (20, 60, False), (140, 300, False), (150, 300, True)], others=(70,))
    assert [row[7] for row in rows(table_of(those))][:4] == ["overlap 10", "contained in 1", "", "contained in 3"]
    assert [row[0] for row in rows(table_of(those, NEXT))] == ["2", "4", "1", "3", "5"]


@pytest.mark.parametrize(
    ("column", "order", "numbers"),
    [
        (NUMBER, Descending, "54321"), (NAME, Descending, "54321"), (LENGTH, Ascending, "54132"),
        (STRAND, Descending, "12345"), (PLACE, Descending, "31245"), (EDITS, Ascending, "21345"),
        (IDENTITY, Ascending, "21345"), (NEXT, Ascending, "13245"), (NEXT, Descending, "23145"),
    ],
)  # fmt: skip
def test_each_column_sorts_and_contigs_without_a_place_are_last(result, column, order, numbers):
    table = table_of(result, column, order)
    assert "".join(row[0] for row in rows(table)) == numbers
    headings = [table.headerData(k, Qt.Orientation.Horizontal) for k in range(9)]
    assert [k for k, text in enumerate(headings) if text.endswith(("▲", "▼"))] == [column]
    assert [table.row_of(number) for number in table.numbers(range(5)).tolist()] == [*range(5)]


# The tracks


@pytest.fixture
def canvas(qtbot, theme, result):
    view = ContigCanvas(theme)
    qtbot.addWidget(view)
    view.show_tracks(ContigTracks.of(result))
    view.resize(900, view.sizeHint().height())
    view.show()
    qtbot.waitExposed(view)
    return view


def point_of(canvas, contig):
    """Where in the canvas the middle of a contig is, found by looking everywhere."""
    found = [
        (x, y) for y in range(0, canvas.height(), 4) for x in range(0, canvas.width(), 2)
        if canvas.tracks.at(x, y, canvas.width(), canvas.window_shown) == contig
    ]  # fmt: skip
    return QPoint(*found[len(found) // 2]) if found else None


def wheel(canvas, at, turns):
    event = QWheelEvent(
        QPointF(at), canvas.mapToGlobal(QPointF(at)), QPoint(), QPoint(0, 120 * turns), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)


def test_a_click_chooses_a_contig_and_two_open_it(qtbot, canvas):
    chosen, opened = [], []
    canvas.clicked.connect(chosen.append)
    canvas.opened.connect(opened.append)
    for contig in (2, 0, 1):
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=point_of(canvas, contig))
    qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=point_of(canvas, 1))
    assert chosen[:3] == [2, 0, 1]
    assert opened == [1]
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    assert chosen[:3] == [2, 0, 1], "there is no contig"


def test_the_wheel_zooms_at_the_pointer_and_a_chosen_contig_comes_into_sight(canvas):
    whole = canvas.window_shown
    at = point_of(canvas, 0)
    wheel(canvas, at, 12)
    near = canvas.window_shown
    assert near.span < whole.span / 4
    assert canvas.tracks.at(at.x(), at.y(), canvas.width(), near) == 0, "what is under the pointer stays there"
    assert point_of(canvas, 2) is None
    canvas.show_current(2)
    assert point_of(canvas, 2) is not None
    wheel(canvas, at, -40)
    assert canvas.window_shown == whole
