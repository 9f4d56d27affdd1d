"""Lines in the window: the usual method of texts, what is offered for which pair."""

import pytest

from tests.app.fakes import fasta
from wavediff.app.ui.pair import Side
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.pair.pair_state import JobOptions
from wavediff.app.window.pair.recent import RecentPairs
from wavediff.app.window.pair.sequence_loader import ReadItem
from wavediff.app.window.pair.session import Session
from wavediff.app.window.settings import Settings
from wavediff.core.methods.default import BINARY
from wavediff.core.sequences.read_as import ReadAs

A = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
B = "import sys\n\n\ndef one():\n    return 10\n\n\ndef two():\n    return 2\n"


@pytest.fixture
def texts(tmp_path):
    return text(tmp_path / "old.py", A), text(tmp_path / "new.py", B)


def text(path, letters):
    path.write_bytes(letters.encode())
    return path


@pytest.fixture
def window(qtbot, tmp_path):
    session = Session(RecentPairs(SettingsFile(tmp_path / "wavediff.ini")), JobOptions())
    window = MainWindow(session, Theme(Scheme.LIGHT), Settings())
    qtbot.addWidget(window)
    window.resize(1400, 900)
    window.show()
    qtbot.waitExposed(window)
    yield window
    qtbot.waitUntil(session.close)


def opened(qtbot, window, *paths):
    qtbot.expect(window.session.compared, window.session.open_paths, paths)


def offered(window):
    return {each.text(): each.isEnabled() for each in window.header.methods.buttons if not each.isHidden()}


def press(window, name):
    next(each for each in window.header.methods.buttons if each.text() == name and not each.isHidden()).click()


def test_texts_of_several_lines_open_by_lines_and_letters_are_one_click(qtbot, window, texts):
    opened(qtbot, window, *texts)
    session = window.session
    assert session.choices.method == "lines"
    assert window.answer.words.words.sentence == "2 hunks: 3 lines added, 1 changed"
    assert offered(window) == {"Lines": True, "Letters": True}
    with qtbot.waitSignal(session.compared):
        press(window, "Letters")
    assert session.choices.method == "edit"
    with qtbot.waitSignal(session.compared):
        session.choose(method="lcs")
    assert window.header.methods.value == "letters"
    press(window, "Lines")
    assert session.outcome.method.id == "lines"  # an answer that is known comes back at once
    press(window, "Letters")
    assert session.choices.method == "lcs"
    window.history.undo()
    assert session.choices.method == "lines"


def test_sequences_open_by_edits_and_lines_are_grey(qtbot, window, texts, tmp_path):
    opened(qtbot, window, *texts)
    opened(qtbot, window, fasta(tmp_path / "1.fa", ("one", "ACGT")), fasta(tmp_path / "2.fa", ("two", "ACCT")))
    assert window.session.choices.method == "edit"
    assert offered(window)["Lines"] is False
    tip = "Lines are for texts, and this is DNA"
    assert tip in window.header.methods.buttons[-2].toolTip()
    box = window.header.method_box
    item = box.model().item(box.row("lines"))
    assert not item.isEnabled()
    assert tip in item.toolTip()
    opened(qtbot, window, *texts)
    assert window.session.choices.method == "lines"
    assert item.isEnabled()


def test_a_text_of_one_line_and_bytes_open_by_letters(qtbot, window, tmp_path):
    session = window.session
    qtbot.expect(session.compared, session.open_texts, "kitten", "sitting")
    assert session.choices.method == "edit"
    assert offered(window)["Lines"]
    data = [text(tmp_path / name, letters) for name, letters in (("1", "a\n\0b"), ("2", "a\n\0c"))]
    wants = [ReadItem(side, path, read_as=ReadAs.BYTES) for side, path in zip(Side, data, strict=True)]
    qtbot.expect(session.compared, session.loader.open, wants)
    assert session.choices.method == "edit"
    assert BINARY in window.header.methods.buttons[-2].toolTip()
    session.choose(method="lines")
    assert window.answer.notices.notices[-1].text == BINARY


def test_what_was_chosen_for_the_empty_window_and_for_a_recent_pair_counts(qtbot, window, texts, tmp_path):
    session = window.session
    opened(qtbot, window, *texts)
    with qtbot.waitSignal(session.compared):
        session.choose(method="lcs")
    opened(qtbot, window, fasta(tmp_path / "1.fa", ("one", "ACGT")), fasta(tmp_path / "2.fa", ("two", "ACCT")))
    qtbot.expect(session.compared, session.open_recent, session.recent.pairs[1])
    assert session.choices.method == "lcs"
    session.start_with("lcs")
    opened(qtbot, window, *texts)
    assert session.choices.method == "lcs"
