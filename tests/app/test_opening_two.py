"""Two files opened at once, of which one is refused: the pair that is open stays."""

import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from tests.app.dragging import drop, mime_of
from tests.app.fakes import fasta
from wavediff.app.ui.input_dialogs import FilePicker
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.app.ui.save_dialog import Folder
from wavediff.app.window import window_commands


@pytest.fixture
def mixed(tmp_path):
    """A file that is no text, and one that can be read."""
    bad = tmp_path / "bad.bin"
    bad.write_bytes(bytes(range(256)))
    return bad, fasta(tmp_path / "empty.txt", ("x", "ACGT"))


def by_dialog(window, paths):
    def answer():
        dialog = window.findChild(QFileDialog)
        dialog.findChild(QLineEdit, "fileNameEdit").setText(" ".join(f'"{path.name}"' for path in paths))
        dialog.accept()

    Folder.use(paths[0])
    QTimer.singleShot(300, window, answer)
    window.commands.open_for(None)


def by_drop(window, paths):
    drop(window, mime_of(*paths))


def by_paste(window, paths):
    QGuiApplication.clipboard().setMimeData(mime_of(*paths))
    window.commands.paste_for(None)


def by_command_line(window, paths):
    window.commands.open_paths(paths)


def test_dropped_files_are_read_outside_the_window_and_none_is_forgotten(qtbot, window, pair, monkeypatch):
    """Another drop may come before the files of the first one are known."""
    threads, is_alignment = [], window_commands.is_alignment

    def noted(path):
        threads.append(threading.current_thread())
        return is_alignment(path)

    monkeypatch.setattr(window_commands, "is_alignment", noted)
    for path in pair:
        window.commands.open_paths([path])
    qtbot.waitUntil(lambda: window.session.pair.complete is not None)
    assert [window.session.pair[side].name for side in Side] == ["one", "two"]
    assert threads
    assert threading.main_thread() not in threads


def test_no_more_files_are_read_once_two_are_alignments(qtbot, window, tmp_path, monkeypatch):
    read, rows = [], (("a", "AC-GT"), ("b", "ACGGT"))
    files = [fasta(tmp_path / f"rows{k}.fa", *rows) for k in range(5)]
    is_alignment = window_commands.is_alignment
    monkeypatch.setattr(window_commands, "is_alignment", lambda path: read.append(path) or is_alignment(path))
    window.commands.open_paths(files)
    qtbot.waitUntil(lambda: window.findChild(FilePicker) is not None)
    assert read == files[:2]


WAYS = {"dialog": by_dialog, "drop": by_drop, "paste": by_paste, "command line": by_command_line}


@pytest.mark.parametrize("turned", [False, True], ids=["bad first", "bad second"])
@pytest.mark.parametrize("way", WAYS)
def test_neither_of_two_files_is_taken_where_one_is_refused(qtbot, window, pair, mixed, way, turned):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    before = window.session.outcome
    WAYS[way](window, mixed[::-1] if turned else mixed)
    qtbot.waitUntil(lambda: bool(window.answer.notices.notices) and not window.session.loader.busy)
    QApplication.processEvents()
    assert [window.session.pair[side].name for side in Side] == ["one", "two"]
    assert window.session.outcome is before
    (notice,) = window.answer.notices.notices
    assert "bad.bin" in notice.text
    assert window.answer.bar.isVisible()


PAIRS = {
    "lines": (("lst_old.txt", "a\nb\nc\n"), ("lst_new.txt", "b\nc\nd\n")),
    "a": (("a", "a"), ("two.txt", "ACGT")),
    "one letter second": (("two.txt", "ACGT"), ("one.txt", "a\n")),
    "empty": (("empty.txt", ""), ("one.txt", "a")),
    "a track": (("track.txt", "track of a train\na\n"), ("two.txt", "b\na\n")),
    "columns": (("table.txt", "\t".join("abcd+fghijkl")), ("two.txt", "ab")),
    "an ending": (("list.maf", "a\nb\n"), ("two.txt", "b\nc\n")),
}


@pytest.mark.parametrize(
    ("files", "way"), [*((one, "drop") for one in PAIRS), ("lines", "dialog"), ("a", "command line")]
)
def test_what_is_no_alignment_is_one_of_the_pair(qtbot, window, pair, tmp_path, files, way):
    """Neither file is compared with a sequence of the pair before."""
    if way != "command line":
        qtbot.expect(window.session.compared, window.session.open_paths, pair)
    paths = [tmp_path / name for name, _ in PAIRS[files]]
    for path, (_, text) in zip(paths, PAIRS[files], strict=True):
        path.write_text(text)
    qtbot.expect(window.session.opened, WAYS[way], window, paths)
    assert [window.session.want(side).path for side in Side] == paths
    assert all(each.level is not Severity.ERROR for each in window.answer.notices.notices)
    assert window.session.state.given is None


@pytest.mark.parametrize("others", [0, 1, 2])
def test_the_error_of_a_failed_start_ends_with_the_next_pair(qtbot, window, pair, mixed, tmp_path, others):
    def errors():
        return [each.text for each in window.answer.notices.notices if each.level is Severity.ERROR]

    broken = tmp_path / "broken.paf"
    broken.write_text("no alignment\n")
    by_command_line(window, [broken, *mixed[:others]])
    qtbot.waitUntil(lambda: bool(errors()) and not window.session.loader.busy)
    qtbot.expect(window.session.compared, by_drop, window, pair)
    qtbot.wait(100)
    assert errors() == []
    assert window.session.state.given is None


def test_a_file_of_another_machine_refuses_the_one_beside_it(qtbot, window, pair, mixed):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    drop(window, mime_of(mixed[1], urls=("https://example.org/x.fa",)))
    qtbot.waitUntil(lambda: bool(window.answer.notices.notices))
    assert not window.session.loader.busy
    assert [window.session.pair[side].name for side in Side] == ["one", "two"]


def test_two_whole_paths_that_are_typed_open_both(qtbot, window, pair):
    """Qt gives back the one of them that it has selected in its list."""

    def answer():
        dialog = window.findChild(QFileDialog)
        field = None if dialog is None else dialog.findChild(QLineEdit, "fileNameEdit")
        if field is not None and not field.text():
            qtbot.keyClicks(field, " ".join(f'"{path}"' for path in pair))
        if dialog is not None:
            dialog.accept()
        if dialog is None or dialog.isVisible():  # Qt lists the folder in a thread
            QTimer.singleShot(50, window, answer)

    Folder.use(pair[0])
    QTimer.singleShot(300, window, answer)
    with qtbot.waitSignal(window.session.compared):
        window.commands.open_for(None)
    assert [window.session.pair[side].name for side in Side] == ["one", "two"]
