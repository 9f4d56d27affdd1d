"""Background tasks: their threads end with the window that made them."""

import threading

from PySide6.QtCore import QObject
from shiboken6 import delete

from wavediff.app.ui.background_task import BackgroundTask


def test_a_task_that_is_deleted_while_it_runs_drops_its_answer(qtbot, monkeypatch):
    """An error in its thread would be printed where the program has no window any more."""
    failed = []
    monkeypatch.setattr(threading, "excepthook", lambda error: failed.append(str(error.exc_value)))
    window, begun, go_on = QObject(), threading.Event(), threading.Event()
    task = BackgroundTask("deleted", window)
    task.start(lambda _cancel: (begun.set(), go_on.wait()))
    assert begun.wait(60)
    (thread,) = [each for each in threading.enumerate() if each.name == "wavediff-deleted"]
    delete(window)
    go_on.set()
    thread.join(60)
    assert failed == []
    assert not thread.is_alive()
