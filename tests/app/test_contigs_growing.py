"""Contigs in the window while they are placed: rows, tracks, the current one, and Stop; the order of rows."""

import sys
from threading import Event

import pytest
from PySide6.QtCore import Qt

from tests.app.test_contigs_window import current, files, listed, picker_of, press, shown
from wavediff.app.compare.contigs.contig_rows import REMARKS
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.ui.pair import Side
from wavediff.app.ui.panel_view import area_of
from wavediff.core.jobs import KernelModules
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.contigs import ContigsJob
from wavediff.core.jobs.events import ContigsPlaced, Progress
from wavediff.core.kernels.contigs import run as kernel

__all__ = ["files", "shown"]

Key = Qt.Key
LET_GO, AT_ONCE = Event(), 3


class Slow:
    """A module whose kernel reports three contigs, and the others and its answer once it is let go."""

    @staticmethod
    def run(job):
        placements = [one for event in kernel.run(job) if isinstance(event, ContigsPlaced) for one in event.placements]
        placements.sort(key=lambda one: -one.letters)
        yield ContigsPlaced(job.id, tuple(placements[:AT_ONCE]))
        while not LET_GO.is_set():
            yield Progress(job.id, "contigs", AT_ONCE, 6, "contigs")
        return (yield from kernel.run(job))


@pytest.fixture
def growing(qtbot, window, files, monkeypatch):
    """The window while contigs are placed, three of which are."""
    LET_GO.clear()
    monkeypatch.setitem(sys.modules, "slow_contigs", Slow)
    monkeypatch.setattr(ContigsJob, "modules", KernelModules(cpu="slow_contigs"))
    window.resize(1_280, 800)
    window.session.open_paths(files[:1])
    qtbot.waitUntil(lambda: window.session.pair[Side.A] is not None)
    window.session.open_paths(files[1:], Side.B)
    press(qtbot, picker_of(qtbot, window), "Contigs on A")
    qtbot.waitUntil(lambda: listed(window) == ["first", "turned", "edited"] and window.session.contigs.running)
    yield window
    LET_GO.set()


def test_rows_and_tracks_fill_while_contigs_are_placed_and_stop_keeps_nothing(qtbot, growing):
    session, tracks, view = growing.session, growing.alignment.tracks, growing.view(DifferencesView)
    assert session.contigs.answer is None
    qtbot.waitUntil(tracks.canvas.isVisible)
    assert [one.name for one in tracks.canvas.tracks.placed] == ["first", "turned", "edited"]
    assert not tracks.canvas.tracks.gaps.size, "what is no gap at the end is none now"
    assert view.status.text == "3 contigs so far"
    assert [view.model.index(row, 7).data() for row in range(3)] == [""] * 3
    assert not view.save_button.isEnabled()
    assert not tracks.open_button.isEnabled()
    qtbot.keyClick(tracks, Key.Key_Right)
    assert current(growing) == ("contig 1 (turned)", "turned")
    assert growing.answer.words.words.sentence == "Placing contigs…"
    growing.actions_by_id["stop"].trigger()
    assert (session.contigs.shown, tracks.canvas.tracks) == (None, None)
    assert "press Run" in tracks.message
    assert listed(growing) == []
    assert not view.table.isVisible()


def test_the_contig_that_was_gone_to_stays_current_where_all_are_placed(qtbot, growing):
    canvas = growing.alignment.tracks.canvas
    growing.alignment.contigs.go_to("edited")
    canvas.zoom(0.5, canvas.width() * 0.85)
    shown = canvas.window_shown
    LET_GO.set()
    qtbot.waitUntil(lambda: growing.session.contigs.answer is not None and len(listed(growing)) == 6)
    assert current(growing) == ("contig 3 (edited)", "edited")
    assert canvas.window_shown == shown
    assert growing.alignment.tracks.open_button.isEnabled()
    assert growing.view(DifferencesView).save_button.isEnabled()
    assert len(canvas.tracks.gaps) == 2


@pytest.mark.parametrize("device", [Device.CPU, Device.GPU])
def test_dots_blocks_and_contigs_run_on_the_device_that_is_chosen(qtbot, window, files, monkeypatch, device):
    session, asked = window.session, dict[str, Device]()
    for name, side in (("dots", session.dots), ("blocks", session.blocks), ("contigs", session.contigs)):
        submit = side.slot.submit

        def begin(job, device, name=name, submit=submit):
            asked.setdefault(name, device)
            submit(job, Device.CPU)

        monkeypatch.setattr(side.slot, "submit", begin)
    session.loader.open([ReadItem(*each) for each in zip(Side, files, ("", ""), (1, 2), strict=True)])
    qtbot.waitUntil(lambda: session.pair.complete is not None and not session.busy)
    session.choose(device=device)
    session.dots.want()
    session.arrange()
    qtbot.waitUntil(lambda: session.blocks.answer is not None)
    session.arrange(None, contigs=True)
    qtbot.waitUntil(lambda: session.contigs.answer is not None and not session.busy)
    assert asked == dict.fromkeys(("dots", "blocks", "contigs"), device)


def test_the_order_of_contigs_and_that_of_differences_are_kept_apart(qtbot, shown):
    view, session = shown.view(DifferencesView), shown.session
    view.table.rows.sortByColumn(REMARKS, Qt.SortOrder.DescendingOrder)
    view.least.setValue(1_000)
    assert len(listed(shown)) == 4
    header = view.table.rows.horizontalHeader()

    def arrange(id_):
        shown.header.order.choose(id_)
        shown.header.order.activated.emit(shown.header.order.currentIndex())
        qtbot.waitUntil(lambda: session.placing == (id_ == "contigs") and not session.busy)

    arrange("in_order")
    qtbot.waitUntil(lambda: view.model.n_rows and view.model.heading(0) == "# ▲")
    assert (header.count(), header.sortIndicatorSection(), view.least.value()) == (7, 0, 1)
    view.table.rows.sortByColumn(4, Qt.SortOrder.DescendingOrder)
    assert view.model.heading(4) == "Length ▼"
    arrange("contigs")
    qtbot.waitUntil(lambda: len(listed(shown)) == 4)
    assert (header.count(), header.sortIndicatorSection(), view.least.value()) == (9, REMARKS, 1_000)
    assert view.save_button.text() == "Save placement…"
    arrange("in_order")
    qtbot.waitUntil(lambda: view.model.n_rows and view.model.heading(4) == "Length ▼")
    assert view.save_button.text() == "Save list…"


@pytest.mark.parametrize("size", [(640, 400), (800, 500)])
def test_all_tracks_are_seen_in_a_small_window_and_the_letters_scrolled_to(qtbot, shown, size):
    shown.resize(*size)
    view = shown.alignment.tracks
    qtbot.waitUntil(lambda: view.canvas.visibleRegion().boundingRect() == view.canvas.rect())
    assert view.canvas.height() >= view.canvas.tracks.height
    area_of(view.letters).ensureWidgetVisible(view.letters)
    assert view.letters.visibleRegion().boundingRect() == view.letters.rect()
