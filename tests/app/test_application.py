"""Start-up and end of the whole program, in processes of their own where that matters."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.fakes import fasta
from tests.clock import check_within, longest, moment
from wavediff.app.window.frame.dialogs import ErrorCatcher

ROOT = Path(__file__).parent.parent.parent
Start = Callable[..., subprocess.Popen[str]]
SIGNALS = [
    pytest.param(getattr(signal, name, None), id=name, marks=() if name == "SIGTERM" else pytest.mark.thorough)
    for name in ("SIGTERM", "SIGINT", "SIGHUP")
]

PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from wavediff.app.window import application
qt = application.create_qt()
app = application.Application(qt, [Path(p) for p in {paths!r}], Path({folder!r}))
slow = ("numba", "llvmlite", "cupy", "pyqtgraph")
app.window.painted.connect(lambda: print("painted", [m for m in slow if m in sys.modules], flush=True))
if {sample!r}:
    app.background.prepared.connect(lambda _note: app.window.start.sample.click())
{more}
app.start()
status = qt.exec()
print("end", status, app.finish(), flush=True)
"""


@pytest.fixture
def start(spawn, tmp_path):
    """Return what starts the program with ``more`` done before its loop, on files."""

    def begin(more, *paths, sample=True):
        code = PROGRAM.format(paths=list(paths), folder=str(tmp_path), more=more, sample=sample and not paths)
        return run(spawn, code, {})

    return begin


def run(spawn, code, environment):
    return spawn(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **environment},
    )


def test_first_paint_before_any_compiler_and_the_sample_is_compared(start, tmp_path):
    more = """
def shown(outcome):
    print("compared", outcome.a.name, outcome.b.name, outcome.result.distance, flush=True)
    QTimer.singleShot(0, app.window.close)
app.window.session.compared.connect(shown)
"""
    process = start(more)
    out, err = process.communicate(timeout=240)
    lines = out.splitlines()
    assert lines[0] == "painted []"
    assert lines[1].startswith("compared NC_001422.1 phiX174_illumina 5")
    assert lines[2] == "end 0 True"
    assert "Destroyed while" not in err
    assert "Traceback" not in err
    assert (tmp_path / "wavediff.ini").is_file()


def test_what_is_opened_before_the_program_is_ready_is_kept(start, tmp_path):
    more = """
from tests.app.parts import open_texts
def shown(outcome):
    print("compared", len(outcome.a), len(outcome.b), flush=True)
    QTimer.singleShot(300, app.window.close)
app.window.session.compared.connect(shown)
app.background.prepared.disconnect()
def late(note):
    open_texts(app.window.session, "kitten", "sitting")
    app._begin(note)
app.background.prepared.connect(late)
"""
    out, err = start(more, sample=False).communicate(timeout=240)
    assert out.splitlines()[1:] == ["compared 6 7", "end 0 True"]
    assert "Traceback" not in err


def test_no_key_and_no_click_opens_a_sample_before_the_files_are_read(start, tmp_path):
    files = [str(fasta(tmp_path / f"{name}.fa", (name, text))) for name, text in (("p", "kitten"), ("q", "sitting"))]
    more = """
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
page = app.window.start
buttons = page.findChildren(QPushButton)
samples = [page.sample, *(one for one in buttons if one.property("control") == "card")]
entry = app.window.actions_by_id["demo"]
def press():
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return):
        QTest.keyClick(app.window.focusWidget(), key)
    for one in samples:
        QTest.mouseClick(one, Qt.MouseButton.LeftButton)
    entry.trigger()
    print(len(samples), entry.toolTip(), flush=True)
def shown(outcome):
    print("compared", outcome.a.name, outcome.b.name, all(one.isEnabled() for one in (*samples, entry)), flush=True)
    QTimer.singleShot(0, app.window.close)
app.window.session.compared.connect(shown)
app.window.painted.connect(press)
"""
    out, err = start(more, *files).communicate(timeout=240)
    assert out.splitlines()[1:] == [
        "5 The files of the command line are read first", "compared p q True", "end 0 True",
    ]  # fmt: skip
    assert "Traceback" not in err


@pytest.mark.thorough
@pytest.mark.timed
def test_a_driver_that_never_answers_is_asked_after_the_first_run_and_holds_nothing_up(start, tmp_path):
    """The demo is compared first, and the window closes while the driver still thinks."""
    more = """
import os, time
from tests.clock import longest, moment
from wavediff.gpu.card import current_card
def never():
    print("asked", len(outcomes), flush=True)
    QTimer.singleShot(0, app.window, app.window.close)
    time.sleep(600)
current_card.probe = never
outcomes = []
app.window.session.compared.connect(outcomes.append)
def gone():
    print("closed", app._stuck, longest([*begun, moment()]), flush=True)
    os._exit(0)
begun = []
app.window.closed.disconnect()
app.window.closed.connect(lambda: begun.append(moment()))
app.window.closed.connect(app._closed)
app.window.closed.connect(gone)
"""
    out, err = start(more).communicate(timeout=240)
    assert "Traceback" not in err
    assert out.splitlines()[:2] == ["painted []", "asked 1"]
    said, stuck, seconds = out.splitlines()[2].split()
    assert (said, stuck) == ("closed", "True")
    check_within(float(seconds), 5)  # 2 s on a machine of its own


def test_a_driver_is_not_asked_while_the_first_pair_is_read_however_long_that_takes(start):
    """The pair is of another method than at the start, and its reading is held back until it was time to ask thrice."""
    more = """
import threading
from wavediff.core.run import worker
from tests.app.parts import open_texts
def ask(_job_type):
    print("asked", len(outcomes), flush=True)
    QTimer.singleShot(0, app.window, app.window.close)
    return "there is none"
worker.gpu_obstacle = ask
outcomes, times = [], []
app.window.session.compared.connect(outcomes.append)
goes_on, run_job = threading.Event(), worker.run_job
worker.run_job = lambda job, **how: (goes_on.wait(200), run_job(job, **how))[1]
def it_is_time():
    times.append(1)
    if len(times) == 3:
        goes_on.set()
application.PROBE_DELAY_MS = application.AFTER_RUN_DELAY_MS = 20
app._chores.timeout.connect(it_is_time)
app.background.prepared.connect(lambda _note: open_texts(app.window.session, "one\\ntwo\\n", "one\\nthree\\n"))
"""
    out, err = start(more, sample=False).communicate(timeout=240)
    assert "Traceback" not in err
    assert out.splitlines()[1:] == ["asked 1", "end 0 True"]


@pytest.mark.skipif(os.name == "nt", reason="signals of this kind are for POSIX systems")
@pytest.mark.timed
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_closes_the_window_as_the_mouse_would(start, tmp_path, number):
    process = start("", str(tmp_path / "not there.fa"))
    assert process.stdout.readline() == "painted []\n"
    time.sleep(0.3)
    sent = moment(process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    check_within(longest([sent, moment(process)]), 5)  # 2 s on a machine of its own
    assert out == "end 0 True\n"
    assert "Traceback" not in err
    assert (tmp_path / "wavediff.ini").is_file()


@pytest.mark.skipif(os.name == "nt", reason="signals of this kind are for POSIX systems")
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_the_window_is_made_ends_the_process(spawn, tmp_path, number):
    """Threads run by then, and half of the widgets are there: nothing of it must be torn down by an exception."""
    code = """
import sys, time
from wavediff.app.window import main_window
made = main_window.PanelTabs
def slow(*parts):
    made(*parts)
    print("half", flush=True)
    time.sleep(60)
main_window.PanelTabs = slow
from wavediff.app.window.application import main
sys.exit(main())
"""
    process = run(spawn, code, {"XDG_CONFIG_HOME": str(tmp_path)})
    assert process.stdout.readline() == "half\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    assert "Traceback" not in err
    assert "Destroyed" not in err


def test_a_window_that_cannot_be_made_leaves_no_thread_behind(tmp_path):
    """A thread that is still running when it is destroyed would abort the process."""
    code = """
import sys
from wavediff.app.commands import cli
from wavediff.app.window import main_window
def fail(*parts):
    raise ZeroDivisionError("panels")
main_window.PanelTabs = fail
sys.exit(cli.main([]))
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "defect, ZeroDivisionError: panels" in done.stderr
    assert "Destroyed" not in done.stderr


def test_a_window_whose_choosers_were_touched_closes_and_remembers(start, tmp_path):
    more = """
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
def touch():
    app.window.header.options_popover  # made now
    boxes = {box.accessibleName(): box for box in app.window.header.findChildren(QComboBox)}
    for name in ("Device", "Equal costs", "Method"):
        QTest.keyClick(boxes[name], Qt.Key.Key_Down)
    app.window.actions_by_id["quit"].trigger()
app.window.painted.connect(lambda: QTimer.singleShot(300, touch))
"""
    out, err = start(more, str(tmp_path / "not there.fa")).communicate(timeout=60)
    assert out.splitlines()[-1] == "end 0 True"
    assert "uncaught" not in err
    lines = (tmp_path / "wavediff.ini").read_text(encoding="utf-8").splitlines()
    assert {"method=swap", "device=cpu", "ties=left-most"} <= set(lines)


def test_closing_ends_the_process_whatever_fails(start, tmp_path):
    more = """
def fail(*_):
    raise ZeroDivisionError("closing")
from wavediff.app.window import main_window
main_window.Settings.note = fail
app.window.painted.connect(lambda: QTimer.singleShot(300, app.window.close))
close, end = app.window.session.close, app.background.close
app.window.session.close = lambda: (close(), fail())
app.background.close = lambda: (end(), fail())
"""
    out, err = start(more, str(tmp_path / "not there.fa")).communicate(timeout=60)
    assert out.splitlines()[-1] == "end 0 False"  # False: nobody knows whether threads are stuck
    assert "ZeroDivisionError: closing" in err
    assert "geometry=" in (tmp_path / "wavediff.ini").read_text(encoding="utf-8")


@pytest.mark.parametrize("ends", [True, False], ids=["cancelled", "never"])
def test_a_picture_that_is_painted_when_the_window_closes_does_not_abort(spawn, ends):
    """What a thread still paints with must not be destroyed: the process ends by itself, or is left at once."""
    code = f"""
import os, time
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from wavediff.app.ui.background_task import BackgroundTask, end_tasks
from wavediff.app.window.application import create_qt
qt = create_qt()
task = BackgroundTask("picture")
def work(cancel):
    while not ({ends} and cancel.cancelled):
        painter = QPainter(image := QImage(200, 20, QImage.Format.Format_RGB32))
        painter.drawText(0, 15, f"{{time.monotonic()}}")
        painter.end()
        QFontMetricsF(QFont("Sans", 7 + time.monotonic_ns() % 13)).horizontalAdvance("kitten")
task.start(work)
QTimer.singleShot(200, qt.quit)
qt.exec()
ended = end_tasks(20.0 if {ends} else 0.5)
print(ended, flush=True)
if not ended:
    os._exit(0)
"""
    process = run(spawn, code, {})
    out, err = process.communicate(timeout=240)
    assert (process.returncode, out) == (0, f"{ends}\n"), err


def test_errors_nobody_foresaw_open_one_dialog(qtbot, caplog):
    """A loop of errors is one dialog, and its text can be copied."""
    catcher = ErrorCatcher()
    try:
        for _ in range(50):
            sys.excepthook(ZeroDivisionError, ZeroDivisionError("<b>oh</b>"), None)
        qtbot.waitUntil(lambda: catcher.dialog is not None)
        dialog = catcher.dialog
        qtbot.waitUntil(lambda: "(50 errors)" in dialog._note.text())
        qtbot.addWidget(dialog)
        assert "<b>oh</b>" in dialog.report
        assert "Wavediff" in dialog.report
        dialog.close()
        sys.excepthook(ZeroDivisionError, ZeroDivisionError("<b>oh</b>"), None)
        qtbot.wait(20)
        assert not dialog.isVisible()  # the same one again
        thread = threading.Thread(target=lambda: 1 // 0, name="elsewhere")
        thread.start()
        thread.join()
        qtbot.waitUntil(lambda: catcher.dialog is not dialog)
        qtbot.addWidget(catcher.dialog)
        assert "integer division" in catcher.dialog.report
    finally:
        catcher.release()
    assert "ZeroDivisionError" in caplog.text
