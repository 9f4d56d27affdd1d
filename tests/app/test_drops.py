"""What is dropped on the window: files, links, text, rubbish."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QByteArray, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from tests.app.dragging import drag_event, drop, mime_of
from tests.app.fakes import fasta
from tests.app.parts import notice_label
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side


def test_two_files_dropped_are_compared_and_shown(qtbot, window, pair):
    with qtbot.waitSignal(window.session.compared):
        event = drop(window, mime_of(*pair))
        assert event.isAccepted()
        assert event.dropAction() is Qt.DropAction.CopyAction  # a move would make the source delete its file
        assert not window.session.loader.busy  # the source is free before anything is read
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    assert window.header.chips[Side.A].accessibleName() == "Sequence A: one first · 10 DNA · one.fa"


@pytest.mark.parametrize("side", list(Side))
def test_one_file_goes_to_the_pane_under_the_pointer(qtbot, window, pair, side):
    qtbot.expect(window.session.pair.changed, drop, window, mime_of(pair[1]), window.header.chips[side])
    got = window.session.pair[side]
    assert got.name == "two"
    assert window.session.pair[side.other] is None
    assert f"{side.other} is missing" in window.alignment.message


@pytest.mark.parametrize(
    "url", ["https://example.org/x.fa", "ftp://example.org/x.fa", "smb://host/x.fa", "file://host/share/x.fa"]
)
def test_a_remote_file_is_refused_by_its_name(qtbot, window, url):
    drop(window, mime_of(urls=(url,)))
    qtbot.waitUntil(lambda: bool(window.answer.notices.notices))
    notice = window.answer.notices.notices[0]
    assert notice.level is Severity.ERROR
    assert "x.fa" in notice.text
    assert "on another machine" in notice.text
    assert window.answer.bar.isVisible()


def test_a_refused_file_says_why_in_the_window_and_keeps_what_was_there(qtbot, window, pair, tmp_path):
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    bad = tmp_path / "<b>bold.png"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    drop(window, mime_of(bad), window.header.chips[Side.A])
    qtbot.waitUntil(lambda: bool(window.answer.notices.notices))
    assert "<b>bold.png" in window.answer.notices.notices[0].text
    assert "no picture saved by Wavediff" in window.answer.notices.notices[0].text
    assert notice_label(window).textFormat() is Qt.TextFormat.PlainText
    got = window.session.pair[Side.A]
    assert got.name == "one"


def test_dropped_text_is_a_sequence(qtbot, window):
    qtbot.expect(window.session.pair.changed, drop, window, mime_of(text=">t\nACGT"), window.header.chips[Side.B])
    got = window.session.pair[Side.B]
    assert got.letters.tobytes() == b"ACGT"


def test_a_drop_of_nothing_readable_says_so(qtbot, window):
    mime = QMimeData()
    mime.setData("application/x-other", QByteArray(b"zz"))
    drop(window, mime)
    qtbot.waitUntil(lambda: bool(window.answer.notices.notices))
    assert "Nothing readable was dropped" in window.answer.notices.notices[0].text


def test_names_with_odd_letters_are_found(qtbot, window, tmp_path, subtests):
    for name in ("a b.fa", "日本語.fa", "100%20.fa", "sharp#1.fa", "q?.fa", "😀.fa", "-x.fa", "a'\".fa"):
        with subtests.test(name):
            path = fasta(tmp_path / name, ("x", "ACGT"))
            qtbot.expect(window.session.pair.changed, drop, window, mime_of(path))
            assert not window.answer.notices.notices


def test_a_name_that_is_no_utf8_is_found(qtbot, window, tmp_path):
    """The bytes of the name survive the way through the URL."""
    raw = bytes(tmp_path) + b"/\xff\xfe.fa"
    try:
        with open(raw, "wb") as file:
            file.write(b">x\nACGT\n")
    except OSError:
        pytest.skip("this file system knows no such names")
    encoded = "file://" + str(tmp_path) + "/%FF%FE.fa"
    qtbot.expect(window.session.pair.changed, drop, window, mime_of(urls=(encoded,)))
    assert not window.answer.notices.notices


def test_a_source_that_would_rather_move_is_told_copy(window, pair):
    """All along the drag: a file manager that is told of a move may delete the file."""
    mime, move, copy = mime_of(pair[0]), Qt.DropAction.MoveAction, Qt.DropAction.CopyAction
    at, button, key = QPoint(5, 5), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
    enter = drag_event(QDragEnterEvent, at, move | copy, mime, button, key)
    over = drag_event(QDragMoveEvent, at, move | copy, mime, button, key)
    fall = QDropEvent(QPointF(at), move | copy, mime, button, key)
    for event in (enter, over, fall):
        event.setDropAction(move)
        QApplication.sendEvent(window, event)
        assert event.isAccepted()
        assert event.dropAction() is copy


@dataclass(frozen=True)
class Drag:
    """A drag over the window: how many sequences are open, what is dragged where, and what the guide says of it."""

    n_open: int
    names: tuple[str, ...]
    over: str
    told: str
    side: Side | None = None


ONE, TWO = ("one.fa",), ("one.fa", "two.fa")
DRAGS = (
    Drag(0, ONE, "page", "Open as A"),
    Drag(0, TWO, "page", "A: one.fa; B: two.fa"),
    Drag(0, (*TWO, "three.fa"), "page", "3 files: A, B or many pairs"),
    Drag(0, ("map.png",), "page", "Open what this picture shows"),
    Drag(0, ("own.toml",), "page", "Open this lesson"),
    Drag(0, (), "page", "Open as A"),  # a text
    Drag(0, ("some.paf",), "page", "Open the alignment some.paf with A and B"),
    Drag(0, ("one.fa", "genes.gff"), "page", "one.fa with genes.gff"),
    Drag(0, ("genes.gff", "one.fa"), "page", "one.fa with genes.gff"),
    Drag(0, ONE, "chip B", "Open as B", Side.B),
    Drag(1, ONE, "page", "Open as B"),
    Drag(1, ONE, "chip A", "Replace A", Side.A),
    Drag(2, ONE, "letters left", "Replace A", Side.A),
    Drag(2, ONE, "letters right", "Replace B", Side.B),
    Drag(2, ONE, "panel", "Replace B"),
    Drag(2, ("some.paf",), "letters right", "Show the alignment some.paf with A and B"),
    Drag(2, ("rows.sam.gz",), "chip B", "Show the alignment rows.sam.gz with A and B"),
    Drag(2, ("rows.fa",), "panel", "Show the alignment rows.fa with A and B"),
    Drag(2, ("genes.bed",), "letters left", "Show the features genes.bed with A and B"),
    Drag(2, TWO, "letters left", "A: one.fa; B: two.fa"),
    Drag(2, (*TWO, "three.fa", "four.fa"), "letters left", "4 files: A, B or many pairs"),
)


def test_a_drag_shows_where_it_will_go(qtbot, window, pair, tmp_path, subtests):
    window.resize(1280, 800)
    fasta(tmp_path / "rows.fa", ("a", "AC-GT"), ("b", "ACCGT"))
    for name in ("some.paf", "rows.sam.gz"):
        (tmp_path / name).touch()
    n_open = 0
    for drag in DRAGS:
        if drag.n_open > n_open:
            n_open = drag.n_open
            with qtbot.waitSignal(window.session.pair.changed if n_open == 1 else window.session.compared):
                drop(window, mime_of(*pair[:n_open]))
            qtbot.waitUntil(lambda: not window.session.loader.busy)
        with subtests.test(f"{n_open} open, {len(drag.names)} on {drag.over}"):
            check_guide(window, drag, tmp_path)


def check_guide(window, drag, folder):
    letters = window.alignment
    over = {
        "page": (window.arrangement, 0.5),
        "chip A": (window.header.chips[Side.A], 0.5),
        "chip B": (window.header.chips[Side.B], 0.5),
        "letters left": (letters, 0.25),
        "letters right": (letters, 0.75),
        "panel": (window.tabs, 0.5),
    }
    widget, across = over[drag.over]
    at = widget.mapTo(window, QPoint(int(across * widget.width()), widget.height() // 2))
    mime = mime_of(*(folder / name for name in drag.names), text="" if drag.names else "ACGT")
    action, button, key = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, drag_event(QDragEnterEvent, at, action, mime, button, key))
    guide = window.drop_guide
    assert guide.isVisible()
    assert guide.accessibleDescription() == drag.told
    targets = guide.targets(window.mapToGlobal(at), mime)
    assert targets[0].side is drag.side
    assert all(window.rect().contains(target.place) for target in targets)
    if len(targets) == 2:
        assert not targets[0].place.intersects(targets[1].place)
    if drag.side is not None:
        assert targets[0].place.contains(at)
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not guide.isVisible()
