"""The window as a person uses it: keys, dialogs, messages, closing."""

import gc
import re
import weakref
from unittest.mock import Mock

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QScrollArea, QWidget

from tests.app.dragging import drop, mime_of
from tests.app.fakes import Lcs, fasta
from tests.app.parts import button, notice_label, open_texts
from tests.clock import check_within, longest, moment
from wavediff.app.teach.course_list import InputsDialog
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.dialogs import open_dialog
from wavediff.app.ui.input_dialogs import PasteDialog, RecordPicker
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.manual import ManualDialog
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.app.window.frame.actions import SPECS
from wavediff.app.window.frame.dialogs import ErrorCatcher, ShortcutSheet
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.panels.panels import ENTRIES
from wavediff.app.window.settings import Settings


def test_no_message_is_lost(window):
    for k in range(3):
        window.session.notice(Severity.ERROR, f"message {k}")
    window.session.notice(Severity.ERROR, "message 2")  # the same again is shown once
    answer = window.answer
    assert [notice.text for notice in answer.notices.notices] == ["message 0", "message 1", "message 2"]
    assert notice_label(window).text() == "message 2"
    assert answer.count.text() == "3 notices"
    button(answer.bar, "Dismiss this message").click()
    assert [notice.text for notice in answer.notices.notices] == ["message 0", "message 1"]
    button(answer.bar, "Dismiss this message").click()
    assert not answer.count.isVisible()
    button(answer.bar, "Dismiss this message").click()
    assert not answer.bar.isVisible()


def test_a_file_with_several_records_asks_which(qtbot, window, tmp_path):
    many = fasta(tmp_path / "many.fa", ("r1", "A"), ("r2", "CC"), ("r3", "GGG"))
    drop(window, mime_of(many), window.header.chips[Side.A])
    qtbot.waitUntil(lambda: window.findChild(RecordPicker) is not None)
    picker = window.findChild(RecordPicker)
    assert picker.model.rowCount() == 3
    assert "unchanged" not in [label.text for label in picker.findChildren(ElidedLabel)]  # there is no B yet
    picker.table.selectRow(2)
    button(picker, "Use as B").click()
    picker.table.selectRow(1)
    button(picker, "Use as A").click()
    qtbot.expect(window.session.compared, picker.accept)
    names = [each.name for side in Side if (each := window.session.pair[side])]
    assert names == ["r2", "r3"]
    assert window.session.recent.pairs[0].b.record == 3
    drop(window, mime_of(many), window.header.chips[Side.A])
    qtbot.waitUntil(lambda: window.findChild(RecordPicker) is not None)
    assert "unchanged" in [label.text for label in window.findChild(RecordPicker).findChildren(ElidedLabel)]


def test_the_choice_of_a_record_says_that_the_other_file_is_opened_too(qtbot, window, pair, tmp_path):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    many = fasta(tmp_path / "many.fa", ("r1", "A"), ("r2", "CC"))
    window.session.open_paths([fasta(tmp_path / "one.fa", ("one", "ACGT")), many])
    qtbot.waitUntil(lambda: window.findChild(RecordPicker) is not None)
    said = [label.text for label in window.findChild(RecordPicker).findChildren(ElidedLabel)]
    assert "the file opened with it" in said
    assert "unchanged" not in said


def test_declining_the_choice_leaves_all_as_it_was(qtbot, window, tmp_path):
    many = fasta(tmp_path / "many.fa", ("r1", "A"), ("r2", "CC"))
    drop(window, mime_of(many))
    qtbot.waitUntil(lambda: window.findChild(RecordPicker) is not None)
    window.findChild(RecordPicker).reject()
    assert not window.session.loader.busy
    assert window.session.pair[Side.A] is None


def test_paste_asks_for_the_side_and_takes_the_text(qtbot, window):
    QGuiApplication.clipboard().setText(">p\nACGTT\n")
    window.header.chips[Side.B].setFocus()
    window.actions_by_id["paste"].trigger()
    dialog = window.findChild(PasteDialog)
    assert dialog.side is Side.B
    qtbot.expect(window.session.pair.changed, dialog.accept)
    got = window.session.pair[Side.B]
    assert got.letters.tobytes() == b"ACGTT"


def test_a_pasted_path_of_a_file_opens_it_and_another_one_is_text(qtbot, window, tmp_path):
    path = tmp_path / "a.fa"
    path.write_text(">a\nGATTACA\n")
    QGuiApplication.clipboard().setText(f"{path}\n")
    qtbot.expect(window.session.pair.changed, window.commands.paste_for, Side.A)
    assert window.session.pair[Side.A].letters.tobytes() == b"GATTACA"
    QGuiApplication.clipboard().setText(f"{path}.missing")
    window.commands.paste_for(Side.B)
    assert window.findChild(PasteDialog).text == f"{path}.missing"
    window.findChild(PasteDialog).reject()


def test_a_paste_has_its_caret_behind_the_text_and_ctrl_enter_takes_it(qtbot, window):
    QGuiApplication.clipboard().setText("ACG")
    window.actions_by_id["paste"].trigger()
    dialog = window.findChild(PasteDialog)
    qtbot.waitExposed(dialog)
    edit = dialog.findChild(QPlainTextEdit)
    qtbot.waitUntil(edit.hasFocus)
    qtbot.keyClicks(edit, "TT")
    assert dialog.text == "ACGTT"
    qtbot.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.pair[Side.A] is not None)
    assert window.session.pair[Side.A].letters.tobytes() == b"ACGTT"


def test_a_chromosome_on_the_clipboard_is_not_put_into_an_editor(qtbot, theme):
    text = "ACGT" * 500_000
    dialog = PasteDialog(text, Side.A)
    qtbot.addWidget(dialog)
    assert dialog.text == text
    assert len(dialog.findChild(QPlainTextEdit).toPlainText()) < 10_000


@pytest.mark.timed
def test_stop_key_stops_and_says_so(qtbot, window, pair):
    Lcs.endless, Lcs.seconds = True, 0.002
    drop(window, mime_of(*pair))
    stop = window.actions_by_id["stop"]
    qtbot.waitUntil(lambda: window.session.wavefront.done_cells >= 3 * 24)
    assert stop.isEnabled()
    start = moment()
    stop.trigger()
    check_within(longest([start, moment()]), 0.1)  # the issue's own limit
    assert "Stopped at" in window.answer.words.words.sentence
    assert "Stopped" in window.alignment.message
    assert not stop.isEnabled()


@pytest.mark.timed
def test_closing_during_a_run_and_a_load_ends_both(qtbot, session, theme, pair):
    """Asks nothing; Qt would warn of a thread that is destroyed while it runs."""
    Lcs.endless, Lcs.seconds = True, 0.002
    window = MainWindow(session, theme, Settings())
    window.show()
    session.open_paths(pair)
    qtbot.waitUntil(lambda: session.wavefront.done_cells > 0)
    session.open_paths([pair[0]], Side.A)
    start = moment()
    assert window.close()
    assert session.close()
    check_within(longest([start, moment()]), 2)
    window.deleteLater()


def test_a_complaint_goes_when_what_it_is_about_was_replaced(qtbot, window, pair, tmp_path):
    bad = tmp_path / "bad.fa"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))  # under its own name it would be opened as a picture
    window.session.notice(Severity.WARNING, "of nothing that can be replaced")
    for side in Side:
        qtbot.expect(window.session.loader.failed, window.session.open_paths, [bad], side)
    assert len(window.answer.notices.notices) == 3
    qtbot.expect(window.session.loader.loaded, window.session.open_paths, [pair[1]], Side.B)
    assert [notice.about for notice in window.answer.notices.notices] == [frozenset(), {Side.A}]
    Lcs.error = MemoryError()
    window.session.open_paths([pair[0]], Side.A)
    qtbot.waitUntil(lambda: window.session.wavefront.phase is Phase.FAILED)
    assert [notice.text for notice in window.answer.notices.notices][1:] == ["The comparison failed: not enough memory"]
    Lcs.error = None
    qtbot.expect(window.session.compared, window.session.run)
    assert [notice.text for notice in window.answer.notices.notices] == ["of nothing that can be replaced"]


@pytest.mark.timed
def test_the_window_beats_on_during_a_load_and_a_run(qtbot, window, tmp_path):
    """Issue: a 5 ms heart-beat has no gap that a person feels, whatever other programs take of the cores."""
    rng = np.random.default_rng(7)
    paths = []
    letters = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, 20_000_000)].reshape(-1, 80)
    for name in "ab":
        lines = np.full((letters.shape[0], 81), ord("\n"), np.uint8)
        lines[:, :80] = letters
        path = tmp_path / f"{name}.fa"
        path.write_bytes(b">" + name.encode() + b"\n" + lines.tobytes())
        paths.append(path)
    Lcs.rows, Lcs.seconds = 60, 0.01
    drop(window, mime_of(paths[0]))  # imports of the reader happen here
    qtbot.waitUntil(lambda: window.session.pair[Side.A] is not None, timeout=20_000)
    beats = [moment()]
    timer = QTimer(window)
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: beats.append(moment()))
    timer.start(5)
    qtbot.expect(window.session.compared, drop, window, mime_of(*paths))
    timer.stop()
    assert len(beats) > 50
    check_within(longest(beats), 0.25)


def test_every_action_has_its_keys_and_is_in_a_menu(window):
    in_menus = [
        action for menu in window.menuBar().actions() for action in menu.menu().actions() if not action.isSeparator()
    ]
    for spec in (*SPECS, *ENTRIES):
        action = window.actions_by_id[spec.id]
        assert action in in_menus
        assert len(action.shortcuts()) == len(spec.keys)
        assert all(not key.isEmpty() for key in action.shortcuts())  # a key Qt does not know reads as empty
    keys = [key.toString() for action in window.actions_by_id.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert {"Ctrl+Q", "Ctrl+,", "Ctrl+=", "Ctrl+R", "F5", "Esc", "Alt+\\", "F11", "Ctrl+Shift+T"} <= set(keys)


def test_f1_opens_the_manual_during_a_run_and_escape_closes_it_alone(qtbot, window):
    Lcs.endless, Lcs.seconds = True, 0.005
    window.session.start_with("lcs")
    window.show()
    open_texts(window.session, "kitten", "sitting")
    qtbot.waitUntil(lambda: window.session.running and window.actions_by_id["stop"].isEnabled())
    assert window.actions_by_id["manual"].shortcut().toString() == "F1", "seen in the menu"
    qtbot.keyClick(window, Qt.Key.Key_F1)
    dialog = window.findChild(ManualDialog)
    assert dialog.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(ManualDialog) is None)
    assert window.session.running
    window.session.stop()


def test_the_manual_opens_at_its_contents_and_goes_to_headings(qtbot, window, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    window.actions_by_id["manual"].trigger()
    dialog = window.findChild(ManualDialog)
    pages, bar = dialog.pages, dialog.pages.verticalScrollBar()
    assert "Wavediff" in pages.toPlainText()[:20]
    links = re.findall(r'href="([^"]+)"', pages.toHtml())
    assert links
    assert all(re.match(r"https?:|#|[^#]+\.md(#|$)", link) for link in links), links  # pictures, licences: no pages
    buttons = {button.text().replace("&", ""): button for button in dialog.findChildren(QPushButton)}
    assert [buttons[name].isEnabled() for name in ("Contents", "Back", "Forward")] == [True, False, False]
    link = pages.document().find("place contigs")
    pages.setTextCursor(link)
    qtbot.mouseClick(pages.viewport(), Qt.MouseButton.LeftButton, pos=pages.cursorRect().center() - QPoint(3, 0))
    assert pages.cursorForPosition(QPoint(9, 9)).block().text() == "Contigs on a reference"
    buttons["Back"].click()
    assert pages.source().fileName() == "README.md"
    buttons["Forward"].click()
    assert (pages.source().fileName(), bar.value() > 0) == ("compare.md", True)
    buttons["Contents"].click()
    assert pages.source().fileName() == "README.md"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert opened == []


def test_the_sheet_shows_every_key(qtbot, window):
    window.actions_by_id["shortcuts"].trigger()
    sheet = window.findChild(ShortcutSheet)
    texts = {label.text() for label in sheet.findChildren(QWidget) if hasattr(label, "text")}
    for spec in (*SPECS, *ENTRIES):
        if spec.keys:
            assert any(spec.keys[0] in text for text in texts), spec.id
    assert any("Next difference" in text for text in texts)
    screen = sheet.screen().availableSize()  # of 800 x 800, where not all keys find room
    assert sheet.width() <= screen.width()
    assert sheet.height() < screen.height()
    assert sheet.findChild(QScrollArea).verticalScrollBar().maximum() > 0
    assert sheet.findChild(QScrollArea).horizontalScrollBar().maximum() == 0


def test_every_dialog_fits_a_screen_of_640_by_400_with_its_buttons(qtbot, window, pair, tmp_path, monkeypatch):
    """As 1280 x 800 is at 200 %, less the frame of the window manager."""
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    room = QSize(640, 400)
    monkeypatch.setattr(QWidget, "screen", lambda _self: Mock(availableSize=lambda: room))
    errors = ErrorCatcher()
    errors.release()
    many = fasta(tmp_path / "many.fa", *(("a long name of a record " * 4 + str(k), "ACGT") for k in range(9)))
    fields = {f"input {k}": "3" for k in range(20)}
    lessons = window.view(LessonView)
    ways = {
        **{each: window.actions_by_id[each].trigger for each in ("paste", "shortcuts", "preferences", "about")},
        **{
            each: window.actions_by_id[each].trigger for each in ("picture", "export", "save_timings", "open", "open_b")
        },
        "record": lambda: window.commands.open_paths([many], Side.B),
        "files": lambda: window.commands.open_paths([many, *pair]),
        "error": lambda: errors.caught.emit("Traceback " * 30),
        "inputs": lambda: open_dialog(InputsDialog(fields, lessons)),
        "lesson": lessons._ask_file,
    }

    def shown():
        return [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]

    found = {}

    def look():
        if len(shown()) != 1:
            return
        (dialog,) = shown()
        QApplication.processEvents()
        assert dialog.width() <= room.width(), way
        assert dialog.height() <= room.height() - 40, way
        for box in dialog.findChildren(QDialogButtonBox):
            assert dialog.rect().contains(box.rect().translated(box.mapTo(dialog, QPoint()))), way
        areas = dialog.findChildren(QScrollArea) if way in ("picture", "inputs", "shortcuts") else []
        assert not any(area.horizontalScrollBar().maximum() for area in areas), way
        if way in ("picture", "inputs"):
            assert areas[0].isAncestorOf(dialog.focusWidget()), "what scrolls comes before the last row"
        found[way] = type(dialog).__name__
        dialog.close()

    timer = QTimer(window, interval=20)
    timer.timeout.connect(look)
    timer.start()
    for way, opens in ways.items():
        opens()
        qtbot.waitUntil(lambda way=way: way in found and not shown())
    assert {"RecordPicker", "FilePicker", "PictureDialog", "QFileDialog", "SaveDialog"} <= set(found.values())


def test_a_window_saved_off_screen_comes_back(qtbot, session, theme):
    first = MainWindow(session, theme, Settings())
    first.move(-9000, -9000)
    settings = Settings(geometry=bytes(first.saveGeometry().data()))
    second = MainWindow(session, theme, settings)
    for window in (first, second):
        qtbot.addWidget(window)
    second.show()
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.intersects(second.frameGeometry())


def test_full_screen_goes_there_and_back(qtbot, window):
    action = window.actions_by_id["full_screen"]
    action.trigger()
    assert window.isFullScreen()
    assert action.isChecked()
    action.trigger()
    assert not window.isFullScreen()
    assert not action.isChecked()


def test_a_pair_that_was_replaced_is_freed_at_once(qtbot, window, pair, monkeypatch):
    """Two chromosomes are half a gigabyte: no collection is waited for, and ``gc.freeze`` would keep it from them."""
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    old = [weakref.ref(each.letters) for each in window.session.pair.complete or ()]
    monkeypatch.setattr(gc, "collect", lambda generation: 0)
    assert not gc.isenabled()
    qtbot.expect(window.session.compared, open_texts, window.session, "GATTACA", "GATACA")
    qtbot.waitUntil(lambda: not any(ref() is not None for ref in old), timeout=3000)
    assert len(old) == 2


def test_a_pair_without_letters_is_open_too(qtbot, window, tmp_path):
    """Its panels are there, and not the page of an empty window."""
    files = [tmp_path / "a.fa", tmp_path / "b.txt"]
    for path in files:
        path.touch()
    qtbot.expect(window.session.compared, window.session.open_paths, files)
    assert not window.arrangement.starting
    assert window.answer.words.words.sentence.startswith(("No differences", "0 ", "LCS 0"))
