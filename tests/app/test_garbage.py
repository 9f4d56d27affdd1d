"""What nobody needs any more ends on the thread of the window, and nothing that lasts is looked through."""

import gc
import threading
import weakref

from PySide6.QtCore import QObject

from wavediff.app.window.cache_tasks import FULL_GC_OBJECTS, GcTimer
from wavediff.core.jit.gc_control import gc_paused_and_frozen, release_gc, take_over_gc


class Ring(QObject):
    """Refers to itself, as a widget does whose slots are closures."""

    def __init__(self):
        super().__init__()
        self.ring = self


def abandon(ended):
    weakref.finalize(Ring(), lambda: ended.append(threading.get_ident()))


def make_many(n=50_000):
    """Make enough for some collections, on a thread of its own."""
    made = []
    thread = threading.Thread(target=lambda: made.extend([] for _ in range(n)))
    thread.start()
    thread.join()
    assert len(made) == n


def test_what_a_job_would_collect_ends_on_the_thread_of_the_window(qtbot, garbage, monkeypatch):
    monkeypatch.setattr(gc, "freeze", lambda: None)  # what another test still imports would keep it
    ended = []
    abandon(ended)
    make_many()
    assert ended == [], "a thread of a job collected it"
    made = []

    def has_ended():
        made.extend([] for _ in range(2 * gc.get_threshold()[0]))  # anew: what a thread lets go counts against it
        return bool(ended)

    qtbot.waitUntil(has_ended)
    assert ended == [threading.get_ident()]


def test_nothing_is_collected_while_something_that_lasts_is_made(garbage):
    ended = []
    with gc_paused_and_frozen():
        made = [[] for _ in range(2 * FULL_GC_OBJECTS)]  # type: list[list[int]]
        abandon(ended)
        garbage.look()
        assert ended == []
    assert not gc.isenabled(), "Python would collect by itself from now on"
    del made
    gc.unfreeze()
    gc.collect()
    assert ended


def test_all_objects_are_looked_at_where_a_quarter_more_was_made(garbage, monkeypatch):
    collected = []
    counts = iter([FULL_GC_OBJECTS // 2, FULL_GC_OBJECTS // 2 + 1, FULL_GC_OBJECTS, FULL_GC_OBJECTS, 0, 1])
    monkeypatch.setattr(garbage, "_made", 0)
    monkeypatch.setattr(garbage, "_old", 0)
    with monkeypatch.context() as patched:
        patched.setattr(gc, "collect", collected.append)
        patched.setattr(gc, "get_objects", lambda generation: [None] * 8 * FULL_GC_OBJECTS)
        patched.setattr(gc, "get_count", lambda: (next(counts), 0, 0))
        for _ in range(6):
            garbage.look()
    assert collected == [0, 2, 0, 0]


def test_python_collects_again_when_the_last_one_is_closed(qtbot):
    take_over_gc()
    own = GcTimer()
    release_gc()
    assert not gc.isenabled(), "there is one more"
    own.close()
    assert not gc.isenabled(), "that of all these tests is open"
    release_gc()  # as that does at the end
    assert gc.isenabled()
    take_over_gc()
