"""Ranges of a pair as a pair of their own, and the way back."""

import pytest
from PySide6.QtCore import Qt

from tests.app.parts import open_texts
from tests.core.screening.test_relation import random_letters
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.ui.pair import Side
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.window.panels.panels import COMPUTATION
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.read import typed_letters
from wavediff.core.methods.base import Ties
from wavediff.core.methods.edit import BandMode
from wavediff.core.sequences.orientation import Orientation, Strand, reverse_complement

A = random_letters(3_000, 5)
B = A[:1_000] + reverse_complement(A[1_000:2_000]) + A[2_000:]  # with an inversion


@pytest.fixture
def opened(qtbot, window, write):
    window.resize(1_280, 800)
    window.session.open_paths(write(A, B))
    settled(qtbot, window.session)
    return window


def settled(qtbot, session):
    qtbot.waitUntil(lambda: session.outcome is not None and not session.busy and not session.loader.busy)


def in_range(qtbot, session, *ends):
    """Compare a range, which is then shown."""
    before = session.state.whole, len(session.pair[Side.A])
    session.compare_range(*ends)
    qtbot.waitUntil(lambda: (session.state.whole, len(session.pair[Side.A])) != before)
    settled(qtbot, session)


def compared(session):
    """Name and letters of both, as they are compared."""
    return [(session.pair[side].name, session.pair[side].letters.tobytes()) for side in Side]


INVERSION = 1_000, 2_000, 1_000, 2_000, Strand.MINUS


def test_a_range_is_a_pair_of_its_own_and_the_whole_comes_back_as_it_was(qtbot, opened):
    session, view = opened.session, opened.view(ComputationView)
    opened.bring_up(COMPUTATION)
    view.choose_view(View.DOTS)
    qtbot.waitUntil(lambda: session.dots.tiles is not None)
    outcome, tiles, state, back = session.outcome, session.dots.tiles, session.state, opened.answer.back
    assert not back.isVisible()
    session.compare_range(*INVERSION)
    qtbot.waitUntil(lambda: session.outcome not in (None, outcome) and not session.busy)
    assert compared(session) == [("a:1001-2000", A[1_000:2_000]), ("b:1001-2000", A[1_000:2_000])]
    assert opened.windowTitle().startswith("a:1001-2000 and b:1001-2000")
    opened.bring_up(COMPUTATION)
    qtbot.waitUntil(lambda: session.dots.tiles not in (None, tiles))
    qtbot.waitUntil(back.isVisible)
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert session.outcome is outcome, "at once, from what was kept"
    assert session.dots.tiles is tiles
    assert (session.state.sources, session.state.whole) == (state.sources, None)
    assert not session.running
    assert not back.isVisible()
    qtbot.waitUntil(lambda: opened.alignment.canvas.isVisible())
    assert [letters for _, letters in compared(session)] == [A, B]


def test_backspace_goes_back_one_range_at_a_time(qtbot, opened):
    session = opened.session
    in_range(qtbot, session, 500, 2_500, 500, 2_500)
    in_range(qtbot, session, 500, 1_500, 500, 1_500, Strand.MINUS)
    assert compared(session) == [("a:1001-2000", A[1_000:2_000]), ("b:1001-2000", A[1_000:2_000])]
    opened.activateWindow()
    for size in (2_000, 3_000):
        qtbot.keyClick(opened.alignment.front, Qt.Key.Key_Backspace)
        qtbot.waitUntil(lambda size=size: len(session.pair[Side.A]) == size)
    assert not opened.actions_by_id["back_to_whole"].isEnabled()


def test_undo_and_redo_know_ranges(qtbot, opened):
    session, history = opened.session, opened.history
    outcome = session.outcome
    in_range(qtbot, session, *INVERSION)
    assert history.undo_text == "Compare a range"
    history.undo()
    assert session.outcome is outcome
    history.redo()
    qtbot.waitUntil(lambda: len(session.pair[Side.A]) == 1_000)
    settled(qtbot, session)
    assert session.pair.orientation == Orientation(Strand.MINUS)
    session.back_to_whole()
    assert session.outcome is outcome
    history.undo()
    qtbot.waitUntil(lambda: len(session.pair[Side.A]) == 1_000)
    assert session.state.whole is not None


def test_another_file_ends_the_range_and_what_was_kept(qtbot, opened, write):
    session = opened.session
    in_range(qtbot, session, *INVERSION)
    session.open_paths(write(A[:300], B[:300]))
    qtbot.waitUntil(lambda: len(session.pair[Side.A]) == 300)
    assert session.state.whole is None
    assert not opened.answer.back.isVisible()
    session.back_to_whole()
    assert len(session.pair[Side.A]) == 300


def test_options_of_one_pair_end_and_others_stay(qtbot, opened):
    session = opened.session
    session.choose(method="edit", band=BandMode.FIXED, threshold=2_999, ties=Ties.LEFT_MOST)
    settled(qtbot, session)
    session.compare_range(*INVERSION)
    qtbot.waitUntil(lambda: session.state.whole is not None)
    assert session.choices.method == "edit"
    assert session.choices.values["ties"] is Ties.LEFT_MOST
    assert session.choices.values["band"] is not BandMode.FIXED
    settled(qtbot, session)
    session.back_to_whole()
    assert session.choices.values["threshold"] == 2_999


def test_a_range_is_among_the_recent_pairs_and_opens_again(qtbot, opened, tmp_path):
    session = opened.session
    in_range(qtbot, session, *INVERSION)
    newest = RecentPairs(SettingsFile(tmp_path / "wavediff.ini")).pairs[0]
    assert newest.title == "a.fa:a:1001-2000  —  b.fa:b:1001-2000"
    assert newest.missing == ()
    letters = compared(session)
    session.open_paths([tmp_path / "a.fa", tmp_path / "b.fa"])
    qtbot.waitUntil(lambda: len(session.pair[Side.A]) == 3_000)
    session.open_recent(newest)
    qtbot.waitUntil(lambda: len(session.pair[Side.A]) == 1_000)
    assert compared(session) == letters
    (tmp_path / "b.fa").unlink()
    assert newest.missing == (f"{tmp_path / 'b.fa'}:b:1001-2000",)


def test_places_are_those_of_what_is_shown(qtbot, opened):
    """B on the other strand: its letters 1 to 1,000 as shown are 2,001 to 3,000 of the file, read on that strand."""
    session = opened.session
    session.reverse_b()
    qtbot.waitUntil(lambda: session.pair.orientation.strand is Strand.MINUS)
    settled(qtbot, session)
    in_range(qtbot, session, 0, 1_000, 0, 1_000)
    assert compared(session)[1] == ("b:2001-3000", reverse_complement(B[2_000:]))
    session.back_to_whole()
    in_range(qtbot, session, 2_000, 3_000, 0, 1_000, Strand.MINUS)
    assert compared(session)[1] == ("b:2001-3000", B[2_000:])


def test_records_with_the_names_of_other_numbers_are_the_right_ones(qtbot, window, tmp_path):
    session, path = window.session, tmp_path / "many.fa"
    path.write_bytes(b"".join(b">%s\n%s\n" % one for one in ((b"2", A[:500]), (b"1", B[:700]), (b"x/y", A[500:900]))))
    for record, called, source in ((1, "2:11-20", "2"), (2, "1:11-20", "1"), (3, "x/y:11-20", "3")):
        session.open_paths([path], Side.A)
        qtbot.waitUntil(lambda: bool(session.loader.busy))
        with qtbot.waitSignal(session.loader.choice_wanted) as asked:
            pass
        session.loader.choose(asked.args[0], {Side.A: record - 1, Side.B: record - 1})
        qtbot.waitUntil(
            lambda record=record: session.pair[Side.A] is not None and session.pair[Side.A].record == record
        )
        whole = session.pair[Side.A].letters.tobytes()
        session.compare_range(10, 20, 10, 20)
        qtbot.waitUntil(lambda: session.state.whole is not None and not session.loader.busy)
        assert compared(session)[0] == (called, whole[10:20])
        assert session.pair[Side.A].source == f"{path}:{source}:11-20"
        session.back_to_whole()


def test_ranges_of_pasted_letters_and_across_the_origin_of_a_circle(qtbot, window):
    session = window.session
    session.open_texts([f">one\n{A.decode()}\n", f">other\n{A[1_200:].decode()}{A[:1_200].decode()}\n"])
    settled(qtbot, session)
    in_range(qtbot, session, 100, 200, 100, 250)
    assert [(name, len(letters)) for name, letters in compared(session)] == [
        ("one:101-200", 100),
        ("other:101-250", 150),
    ]
    session.back_to_whole()
    session.orient(Strand.PLUS, circular=True)
    qtbot.waitUntil(lambda: session.pair.orientation.shift == 1_800)
    settled(qtbot, session)
    in_range(qtbot, session, 1_000, 1_400, 1_000, 1_400)
    assert compared(session) == [("one:1001-1400", A[1_000:1_400]), ("other:2801-200", A[1_000:1_400])]


def test_a_range_of_one_sequence_alone_is_compared_with_another_of_it(qtbot, window, write):
    session = window.session
    session.open_paths(write(A + A[1_000:1_300]), Side.A)
    qtbot.waitUntil(lambda: session.pair[Side.A] is not None)
    session.compare_range(3_000, 3_300, 1_000, 1_300)
    settled(qtbot, session)
    assert compared(session) == [("a:3001-3300", A[1_000:1_300]), ("a:1001-1300", A[1_000:1_300])]
    session.back_to_whole()
    assert (len(session.pair[Side.A]), session.pair[Side.B]) == (3_300, None)


def test_the_recipe_of_a_range_of_pasted_letters_reads_them_without_a_header(qtbot, window):
    session = window.session
    open_texts(session, A.decode(), B.decode())
    qtbot.waitUntil(lambda: session.pair.complete is not None)
    settled(qtbot, session)
    in_range(qtbot, session, 100, 130, 100, 130)
    words = session.outcome.recipe.words
    assert [typed_letters(word) for word in words[1:3]] == [A[100:130].decode()] * 2
    assert "--format" not in words


def test_no_letters_are_no_range(opened):
    opened.session.compare_range(10, 10, 10, 20)
    assert not opened.session.loader.busy
