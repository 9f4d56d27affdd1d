"""A rectangle of the dot plot: selected with mouse and keys, told before it is compared, and compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot

from tests.app.test_dots import MINUS, PLUS, A, B, fake_kernels, matches_of, window
from tests.depth import examples
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.dots.letter_range import LetterRange, RangeCost
from wavediff.app.compare.dots.range_card import cost_text
from wavediff.app.ui.pair import Side
from wavediff.core.jobs.choices import View
from wavediff.core.run.rates import MemoryEstimate
from wavediff.core.sequences.orientation import Strand

__all__ = ["fake_kernels", "window"]

LEFT, SHIFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(qtbot: QtBot, window, write):
    """The page of the dots of A and B in the window."""
    session, view = window.session, window.view(ComputationView)
    window.resize(1_280, 800)
    session.open_paths(write(A, B))
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None and session.outcome is not None and not session.busy)
    qtbot.waitUntil(lambda: view.dots.canvas.isVisible() and view.dots.canvas.frame.scale > 0)
    return view.dots


def drag(qtbot, canvas, one, other, held=NONE):
    """Drag from a place to another one, each letters of A and B."""
    ends = [canvas.frame.point(b, a).toPoint() for a, b in (one, other)]
    qtbot.mousePress(canvas, LEFT, held, ends[0])
    for share in (0.3, 0.6, 1.0):
        qtbot.mouseMove(
            canvas, QPoint(*(round(x + (y - x) * share) for x, y in zip(*map(QPoint.toTuple, ends), strict=True)))
        )
    qtbot.mouseRelease(canvas, LEFT, held, ends[1])


def near(found, wanted, canvas):
    """Whether letters are those wanted, but for two pixels."""
    return max(abs(x - y) for x, y in zip(found, wanted, strict=True)) <= 2 / canvas.frame.scale + 1


def test_a_drag_selects_and_enter_compares_the_inversion(qtbot, page, window):
    canvas, session = page.canvas, window.session
    drag(qtbot, canvas, (2_000, 2_000), (4_000, 4_000))
    assert near(canvas.selection, (2_000, 4_000, 2_000, 4_000), canvas)
    assert canvas.hasFocus()
    assert page.card.isVisible()
    a_from, a_to, *_ = canvas.selection
    assert page.card.of_a.text() == f"A {a_from + 1:,}–{a_to:,}, {a_to - a_from:,} letters"
    assert page.card.minus.isChecked(), "more of its dots are on the other strand"
    canvas.select(LetterRange(2_000, 4_000, 2_000, 4_000))
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.state.whole is not None)
    assert session.pair[Side.A].letters.tobytes() == A[2_000:4_000] == session.pair[Side.B].letters.tobytes()
    assert page.card.isHidden()
    qtbot.waitUntil(lambda: not session.busy and not session.loader.busy)
    session.back_to_whole()
    qtbot.waitUntil(lambda: canvas.selection == (2_000, 4_000, 2_000, 4_000))


@pytest.mark.parametrize(
    "way",
    [
        lambda qtbot, card: qtbot.mouseClick(card.button, LEFT),
        lambda qtbot, card: qtbot.keyClick(card.minus, Qt.Key.Key_Return),
    ],
    ids=["button", "enter in the box"],
)
def test_the_card_compares_the_strand_that_is_ticked(qtbot, page, window, way):
    drag(qtbot, page.canvas, (2_100, 2_100), (3_900, 3_900))
    page.canvas.select(LetterRange(2_500, 2_600, 2_000, 2_300))
    qtbot.mouseClick(page.card.minus, LEFT, pos=QPoint(8, page.card.minus.height() // 2))
    assert not page.card.minus.isChecked()
    qtbot.keyClick(page.canvas, Qt.Key.Key_Right)
    assert not page.card.minus.isChecked(), "it stays while the range is moved"
    way(qtbot, page.card)
    qtbot.waitUntil(lambda: window.session.state.whole is not None)
    assert window.session.pair[Side.B].letters.tobytes() == B[2_001:2_301]


def test_shift_and_a_drag_move_what_is_seen(qtbot, page):
    canvas = page.canvas
    canvas.zoom(8.0, canvas.frame.point(3_000, 3_000))
    before, seen = canvas.frame, canvas.in_sight
    middle = seen.center()
    drag(qtbot, canvas, (middle.y(), middle.x()), (middle.y() - seen.height() / 4, middle.x()), SHIFT)
    assert canvas.selection is None
    assert canvas.frame.scale == before.scale
    assert canvas.frame.top == pytest.approx(before.top + seen.height() / 4, abs=3 / before.scale)


def test_arrows_move_by_a_letter_and_with_shift_the_end(qtbot, page):
    canvas, keys = page.canvas, Qt.Key
    canvas.setFocus()
    canvas.select(LetterRange(10, 20, 5_990, 6_000))
    for key, held, expected in (
        (keys.Key_Down, NONE, (11, 21, 5_990, 6_000)),
        (keys.Key_Right, NONE, (11, 21, 5_990, 6_000)),  # there are no more letters
        (keys.Key_Left, NONE, (11, 21, 5_989, 5_999)),
        (keys.Key_Down, SHIFT, (11, 22, 5_989, 5_999)),
        (keys.Key_Right, SHIFT, (11, 22, 5_989, 6_000)),
        (keys.Key_Left, SHIFT, (11, 22, 5_989, 5_999)),
        (keys.Key_Up, NONE, (10, 21, 5_989, 5_999)),
    ):
        qtbot.keyClick(canvas, key, held)
        assert canvas.selection == expected
    assert page.card.of_b.text() == "B 5,990–5,999, 10 letters"


def test_escape_clears_the_selection_before_it_stops_anything(qtbot, page, window):
    canvas = page.canvas
    qtbot.keyClick(canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert canvas.selection == (0, 6_000, 0, 6_000)
    qtbot.waitUntil(page.card.isVisible)
    canvas.setFocus()
    stopped = []
    window.actions_by_id["stop"].triggered.connect(stopped.append)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert (canvas.selection, page.card.isHidden(), stopped) == (None, True, [])


def test_a_corner_is_dragged_and_a_click_ends_the_selection(qtbot, page):
    canvas = page.canvas
    drag(qtbot, canvas, (1_000, 1_000), (2_000, 3_000))
    fixed = canvas.selection
    drag(qtbot, canvas, (fixed.a_to, fixed.b_to), (5_000, 5_000))
    assert near(canvas.selection, (fixed.a_from, 5_000, fixed.b_from, 5_000), canvas)
    qtbot.mouseClick(canvas, LEFT, pos=canvas.frame.point(500, 500).toPoint())
    assert canvas.selection is None


def test_another_k_keeps_the_selection_and_another_pair_ends_it(qtbot, page, window, write):
    canvas, session = page.canvas, window.session
    canvas.select(LetterRange(0, 100, 0, 100))
    session.dots.choose_k(12)
    qtbot.waitUntil(lambda: session.dots.matches is not None and session.dots.matches.k == 12)
    assert canvas.selection == (0, 100, 0, 100)
    session.open_paths(write(B, A))
    qtbot.waitUntil(lambda: session.pair[Side.A].letters.tobytes() == B and not session.loader.busy)
    assert canvas.selection is None


def test_the_whole_pair_comes_back_as_it_was_zoomed_and_selected(qtbot, page, window):
    canvas, session = page.canvas, window.session
    place = canvas.frame.point(3_000, 3_000)
    canvas.zoom(3, place)
    drag(qtbot, canvas, (2_500, 2_500), (3_500, 3_500))
    frame, chosen = canvas.frame, canvas.selection
    assert not frame.fits
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.state.whole is not None and session.outcome is not None and not session.busy)
    qtbot.waitUntil(lambda: canvas.frame.n == chosen.a_to - chosen.a_from)
    assert canvas.selection is None
    assert canvas.frame.fits
    window.actions_by_id["back_to_whole"].trigger()
    qtbot.waitUntil(lambda: session.state.whole is None and canvas.frame.n == frame.n and not session.busy)
    qtbot.waitUntil(lambda: not window.turns.busy and canvas.frame == frame)
    assert canvas.selection == chosen
    assert page.card.isVisible()


def test_the_cost_is_told_before_it_is_asked_for(page, window):
    cost = window.session.range_cost(0, 100, 0, 50)
    assert (cost.cells, cost.refusal) == (5_000, "")
    assert cost_text(RangeCost(9, refusal="at most 50,000 letters")) == "at most 50,000 letters"
    large = RangeCost(10**14, 7_200.0, MemoryEstimate(1, 20 * 10**9), 4 * 10**9)
    assert cost_text(large) == "100,000,000,000,000 cells, up to about 2 h 0 min, up to 20.0 GB (4.0 GB are free)"
    assert cost_text(RangeCost(24, 1e-9)) == "24 cells, less than 1 s"


places = st.floats(-50, 150, allow_nan=False)


@given(places, places, places, places)
@examples(200)
def test_a_range_lies_in_its_room_and_has_letters(x0, y0, x1, y1):
    room = QRectF(10, 20, 80, 50)
    found = LetterRange.between(QPointF(x0, y0), QPointF(x1, y1), room)
    assert 20 <= found.a_from < found.a_to <= 70
    assert 10 <= found.b_from < found.b_to <= 90
    assert found == LetterRange.between(QPointF(x1, y1), QPointF(x0, y0), room)


RUNS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(11, 30), st.sampled_from((PLUS, MINUS)), st.just(1)),
    min_size=1,
)


@given(RUNS, st.tuples(*[st.integers(0, 90)] * 4))
@examples(200)
def test_the_strand_is_that_of_more_letters_inside(runs, ends):
    a_from, a_to, b_from, b_to = *sorted(ends[:2]), *sorted(ends[2:])
    inside = {PLUS: 0, MINUS: 0}
    for a, b, length, strand, _ in runs:
        for t in range(length):
            column = b + t if strand is PLUS else b + length - 1 - t
            inside[strand] += a_from <= a + t < a_to and b_from <= column < b_to
    found = LetterRange(a_from, a_to, b_from, b_to).strand(matches_of(*runs, n=100, m=100))
    assert found is (Strand.MINUS if inside[MINUS] > inside[PLUS] else Strand.PLUS)
