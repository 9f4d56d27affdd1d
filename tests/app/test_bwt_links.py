"""Rows of a transform linked with letters, and saved transforms opened in the window."""

import numpy as np
import pytest

pytest.importorskip("numba")

from PySide6.QtCore import Qt

from tests.app.dragging import drop, mime_of
from tests.app.transforms import TEXT, WAIT, long_text, transformed
from tests.oracles import bwt as oracle
from wavediff.app.bwt.bwt_rows_model import code_points
from wavediff.app.bwt.bwt_rows_view import letter_text
from wavediff.app.bwt.bwt_view import BwtView
from wavediff.app.bwt.indexed_text import Source, link_of
from wavediff.core.export.atomic import write_atomic
from wavediff.core.export.bwt import bwt_file
from wavediff.core.jobs.cancel import CancelToken


@pytest.fixture
def view(qtbot, window):
    transformed(qtbot, window.session, a=TEXT)
    return window.view(BwtView)


def follow(qtbot, window, a0):
    qtbot.expect(window.session.transform.placed, window.pointer.move, a0, None)


def test_the_pointer_is_linked_both_ways_in_a_long_text(qtbot, window):
    text = long_text()
    transformed(qtbot, window.session, a=text)
    order, view = oracle.suffix_order(text.upper().encode()), window.view(BwtView)
    for a0 in (0, 777, 2_500, len(text) - 1):
        follow(qtbot, window, a0)
        assert order[view.canvas.current] == a0
    # The rows in sight are located first: what is asked for later takes their place.
    qtbot.waitUntil(lambda: window.session.transform._rows.job is None and not view.canvas._settle.isActive())
    jumped = []
    view.jumped.connect(lambda a0, b0: jumped.append((a0, b0)))
    with qtbot.waitSignal(view.jumped, timeout=WAIT):
        view.canvas.chosen.emit(1234)  # where it begins is not known yet
    assert jumped == [(order[1234], None)]
    view.canvas.chosen.emit(1234)
    assert jumped == [(order[1234], None)] * 2


def test_the_row_of_the_letter_at_the_caret_is_chosen_and_a_row_of_b_stays(qtbot, window):
    session, view = window.session, window.view(BwtView)
    session.open_text("banana")
    qtbot.waitUntil(lambda: not session.loader.busy, timeout=WAIT)
    qtbot.expect(session.compared, session.open_text, "bandana")
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    session.transform.source = Source.BOTH
    with qtbot.waitSignal(session.transform.built, timeout=WAIT, check_params_cb=lambda one: one is not None):
        session.transform.run()
    shown = session.transform.current
    order = oracle.suffix_order(shown.text.tobytes())
    window.alignment.navigation.go_to("B:7")
    assert order[view.canvas.current] == shown.position_of(None, 6), "a letter of B alone"
    window.alignment.navigation.go_to("A:4")
    assert order[view.canvas.current] == 3
    of_b = shown.position_of(None, 4)
    row = order.index(of_b)
    view.canvas.go_to(row)
    view.canvas.chosen.emit(row)
    assert view.canvas.current == row
    caret = window.pointer.caret
    assert caret.b0 == 4
    session.open_text("another", next(iter(window.header.chips)))
    qtbot.waitUntil(lambda: session.pair.complete is not None and not session.loader.busy, timeout=WAIT)
    assert window.pointer.caret is None or window.pointer.caret.a0 == 0


@pytest.mark.parametrize("text", [TEXT, long_text()])
def test_a_saved_index_is_dropped_and_linked_to_what_has_its_letters(qtbot, window, tmp_path, text):
    session, view = window.session, window.view(BwtView)
    shown = transformed(qtbot, session, a=text)
    write_atomic(tmp_path / "x.index", bwt_file(shown.index.saved()))
    view.source.setCurrentIndex(list(Source).index(Source.B))
    session.transform.choose(Source.B)
    assert session.transform.current is None
    with qtbot.waitSignal(session.transform.built, timeout=WAIT, check_params_cb=lambda one: one is not None):
        session.open_paths([tmp_path / "x.index"])
    assert window.areas["bwt"].isVisible()
    again = session.transform.current
    assert (again.source, again.text.tobytes()) == (Source.A, shown.text.tobytes())
    assert (again.small is None) == (shown.small is None)
    assert "read and checked" in view.status.text
    assert Source(view.source.currentData()) is Source.FILE
    assert again.place(3) == (3, None)
    qtbot.expect(session.transform.built, session.open_text, "another text", next(iter(window.header.chips)))
    other = session.transform.current
    assert (other.source, other.text is again.text) == (Source.FILE, True)
    assert other.place(3) == (None, None)


def test_a_saved_index_is_dropped_on_the_window(qtbot, window, tmp_path):
    shown = transformed(qtbot, window.session, a=TEXT)
    write_atomic(tmp_path / "x.bwt", bwt_file(shown.index.saved()))
    with qtbot.waitSignal(
        window.session.transform.built, timeout=WAIT, check_params_cb=lambda one: one is not None and one is not shown
    ):
        dropped = drop(window, mime_of(tmp_path / "x.bwt"))
    assert dropped.dropAction() is Qt.DropAction.CopyAction
    assert "read and checked" in window.session.transform.status


def test_a_file_that_is_no_transform_any_more_is_refused(qtbot, window, tmp_path):
    transform = window.session.transform
    shown = transformed(qtbot, window.session, a=TEXT)
    whole = b"".join(bwt_file(shown.index.saved()))
    (tmp_path / "x.bwt").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with qtbot.waitSignal(transform.noticed, timeout=WAIT) as told:
        window.session.open_paths([tmp_path / "x.bwt"])
    assert "damaged" in told.args[0].text
    assert transform.status == "Failed"
    assert not transform.running


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        (b"ab", None, Source.A),
        (None, b"AB", Source.B),
        (b"a", b"", Source.BOTH),
        (b"", b"b", Source.BOTH),
        (b"b", b"a", Source.FILE),
        (None, None, Source.FILE),
    ],
)
def test_whose_letters_a_saved_text_has(a, b, found):
    letters = [None if one is None else np.frombuffer(one, np.uint8) for one in (a, b)]
    text = np.frombuffer(b"AB", np.uint8)
    link = link_of(text, True, *letters, CancelToken())
    assert link.source is found


def test_what_is_chosen_already_is_not_transformed_again(qtbot, view, window):
    shown = window.session.transform.current
    view.source.activated.emit(0)
    assert window.session.transform.current is shown
    assert not window.session.transform.running


def many_characters():
    return "".join(chr(0x4E00 + k % 300) for k in range(500)) + "Köln 你好 🙂" + "x" * 20


@pytest.mark.parametrize("times", [1, 4], ids=["rows", "long"])
def test_bug_f2_a_transform_of_many_characters_counts_them(qtbot, window, times):
    text = many_characters() * times
    session, view = window.session, window.view(BwtView)
    transformed(qtbot, session, a=text)
    shown = session.transform.current
    assert shown.n_letters == len(text)
    assert session.transform.status.startswith(f"{len(text):,} letters")
    with qtbot.waitSignal(session.transform.found, timeout=WAIT) as found:
        session.transform.search("你好".encode())
    places = sorted(shown.place(position)[0] for position in found.args[0].positions.tolist())
    assert places == [text.index("你好") + k * len(many_characters()) for k in range(times)]
    assert [shown.place(shown.position_of(at, None)) for at in (0, 5, len(text) - 1)] == [
        (at, None) for at in (0, 5, len(text) - 1)
    ]
    if times == 1:
        rows = view.canvas._rows.window(0, shown.index.length + 1)
        drawn = {letter_text(code, shown.characters) for code in rows.firsts.tolist()}
        assert drawn == {*text, "·", "$", "␣"} - {" "}


def test_bug_f2_a_saved_transform_of_utf8_is_that_of_its_text(qtbot, window, tmp_path):
    text = many_characters()
    session = window.session
    transformed(qtbot, session, a=text)
    write_atomic(tmp_path / "x.bwt", bwt_file(session.transform.current.index.saved()))
    with qtbot.waitSignal(session.transform.built, timeout=15_000, check_params_cb=lambda one: one is not None):
        session.transform.load(tmp_path / "x.bwt")
    shown = session.transform.current
    assert (shown.source, shown.n_letters) == (Source.A, len(text))


def test_code_points_of_utf8():
    text = "aé中🙂z"
    utf8 = np.frombuffer(text.encode(), np.uint8)
    codes = code_points(utf8, np.arange(utf8.size)).tolist()
    assert "".join(letter_text(code, "") for code in codes) == "aé·中··🙂···z"
