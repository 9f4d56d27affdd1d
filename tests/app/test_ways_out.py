"""Errors of memory offer what needs less as a button; looking at many opened files is shown, and Esc ends it."""

import pickle
import threading

from PySide6.QtCore import Qt

from tests.app.fakes import fasta
from tests.app.parts import offered, open_texts
from tests.app.real_kernels import fake_kernels, window
from tests.app.test_earlier_runs import A, B
from wavediff.app.ui.input_dialogs import FilePicker
from wavediff.app.ui.labels import ProgressLine
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.app.window import window_commands
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.kernels.lines import run as lines
from wavediff.core.kernels.pairwise.edit import run as edit
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EDIT

__all__ = ["fake_kernels", "window"]


def failed(qtbot, window):
    """Return the buttons beside the error of the run that is under way."""
    qtbot.waitUntil(lambda: any(each.level is Severity.ERROR for each in window.answer.notices.notices))
    window.resize(1280, 800)
    return offered(window)


def test_an_alignment_too_large_for_the_memory_goes_on_without_it(qtbot, window, monkeypatch):
    session, compare = window.session, edit.compare

    def run_out(job, *args, **named):
        if job.path is not TracebackMethod.NONE:
            raise NotEnoughMemory("9.0 GB are needed", traceback=TracebackMethod.NONE)
        return compare(job, *args, **named)

    monkeypatch.setattr(edit, "compare", run_out)
    session.choose(method="edit")
    open_texts(session, A, B)
    ways = failed(qtbot, window)
    assert list(ways) == ["Traceback: None"]
    with qtbot.waitSignal(session.compared):
        qtbot.mouseClick(ways["Traceback: None"], Qt.MouseButton.LeftButton)
    assert session.outcome.job.path is TracebackMethod.NONE
    assert {each.level for each in window.answer.notices.notices} == {Severity.INFO}
    assert window.history.undo_text == "Traceback: None"


def test_texts_too_large_for_lines_are_compared_by_letters(qtbot, window, monkeypatch):
    monkeypatch.setattr(lines, "UNCHECKED_BYTES", 0)
    monkeypatch.setattr(lines, "available_memory", lambda: 1)
    session = window.session
    session.choose(method="lines")
    open_texts(session, "one\ntwo\n", "one\nthree\n")
    ways = failed(qtbot, window)
    assert list(ways) == ["Method: Edits"]
    with qtbot.waitSignal(session.compared):
        qtbot.mouseClick(ways["Method: Edits"], Qt.MouseButton.LeftButton)
    assert session.outcome.method is EDIT


def test_an_error_without_a_remedy_has_no_button_whatever_its_text_names(qtbot, window, monkeypatch):
    def run_out(*_args, **_named):
        raise NotEnoughMemory("9.0 GB are needed; '--traceback none' needs less")

    monkeypatch.setattr(edit, "compare", run_out)
    window.session.choose(method="edit")
    open_texts(window.session, A, B)
    assert not failed(qtbot, window)


def test_a_remedy_survives_the_way_from_another_process():
    error = pickle.loads(pickle.dumps(NotEnoughMemory("9.0 GB", traceback=TracebackMethod.NONE)))
    assert (str(error), error.remedy) == ("9.0 GB", {"traceback": TracebackMethod.NONE})


def test_looking_at_many_files_is_shown_and_escape_ends_it(qtbot, window, monkeypatch, tmp_path):
    gate, seen, is_alignment = threading.Event(), [], window_commands.is_alignment

    def look(path):
        seen.append(path.name)
        gate.wait()
        return is_alignment(path)

    monkeypatch.setattr(window_commands, "is_alignment", look)
    files = [fasta(tmp_path / f"{k:02}.fa", (f"r{k}", A[k : k + 90])) for k in range(12)]
    session, stop = window.session, window.actions_by_id["stop"]
    assert not stop.isEnabled()
    window.commands.open_paths(files)
    qtbot.waitUntil(lambda: bool(seen))
    assert window.answer.words.words.whole == "Recognizing files… · Esc stops"
    assert window.answer.findChild(ProgressLine).isVisible()
    assert stop.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert (window.answer.words.words.whole, stop.isEnabled()) == ("", False)
    gate.set()
    qtbot.expect(session.compared, window.commands.open_paths, files[:2])
    assert [session.pair.original(side).name for side in Side] == ["r0", "r1"]
    assert window.findChild(FilePicker) is None, "those that were stopped are not opened with later ones"
    assert seen[:1] == ["00.fa"]
    assert "02.fa" not in seen, "a cancelled look ends with the file it is at"
