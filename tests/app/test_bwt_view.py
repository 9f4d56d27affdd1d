"""The transform in the window: rows, levels, the walk back, backward search, and what follows the pair."""

import bz2
import zlib
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QTableView

from tests.app import fakes
from tests.app.parts import button
from tests.app.transforms import TEXT, WAIT, long_text, transformed
from tests.oracles import bwt as oracle
from wavediff.app.bwt.bwt_rows_model import DOLLAR, UNKNOWN, BwtRows
from wavediff.app.bwt.bwt_session import SORTINGS
from wavediff.app.bwt.bwt_view import SHARE, BwtView
from wavediff.app.bwt.indexed_text import Source
from wavediff.app.bwt.row_steps import LfWalk
from wavediff.app.ui.pair import Side
from wavediff.core.export.registry import INDEX
from wavediff.core.jobs.bwt import FindJob, LoadBwtJob, LocateRowsJob
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.run.runner import run_job
from wavediff.core.teach.unit import Unit


@pytest.fixture
def view(qtbot, module_window):
    """The panel of a window that all tests share, with the transform of ``TEXT``."""
    session, view = module_window.session, module_window.view(BwtView)
    if session.transform.current is None:
        transformed(qtbot, session, a=TEXT)
    elif session.transform.current.text.tobytes() != TEXT.encode():
        with qtbot.waitSignal(session.transform.built, timeout=WAIT, check_params_cb=lambda built: built is not None):
            session.open_text(TEXT, Side.A)
    view.search.pattern.clear()
    view.steps.seek(0)
    return view


def check_rows(rows, text):
    """Every column of every row is that of the sorted rotations."""
    order, table = oracle.suffix_order(text), oracle.rotations(text)
    window = rows.window(0, rows.n_rows)
    assert window.positions.tolist() == order
    assert window.firsts.tolist() == [row[0] for row in table]
    assert window.lasts.tolist() == [row[-1] for row in table]
    row_of = {position: row for row, position in enumerate(order)}
    assert window.before.tolist() == [row_of[p - 1] if p else 0 for p in order]
    for letters, ranks in ((window.firsts, window.first_ranks), (window.lasts, window.last_ranks)):
        seen = {}
        for letter, rank in zip(letters.tolist(), ranks.tolist(), strict=True):
            if letter != DOLLAR:
                seen[letter] = seen.get(letter, 0) + 1
                assert rank == seen[letter]
    stored = [letter for letter in window.lasts.tolist() if letter != DOLLAR]
    runs = [n for n in window.runs.tolist() if n]
    assert len(runs) == len(stored)
    assert sum(1 / n for n in runs) == pytest.approx(rows.shown.index.n_runs)
    for row in range(0, rows.n_rows, 97):
        assert rows.rotation(order[row], 0, min(50, rows.n_rows)).tolist() == table[row][:50]


def test_rows_of_a_short_text(qtbot, session):
    rows = BwtRows(transformed(qtbot, session, a=TEXT))
    assert rows.is_small
    assert rows.n_levels > 1
    check_rows(rows, TEXT.encode())
    assert [rows.row_of(p) for p in oracle.suffix_order(TEXT.encode())] == list(range(7))


def test_rows_of_a_long_text_are_asked_for_where_they_are_seen(qtbot, session):
    text = long_text()
    shown = transformed(qtbot, session, a=text)
    rows = BwtRows(shown)
    assert not rows.is_small
    assert rows.window(5, 3).positions.tolist() == [UNKNOWN] * 3
    wanted = rows.unknown(0, rows.n_rows)
    assert wanted is not None
    rows.take(run_job(LocateRowsJob(index=shown.index, rows=wanted)))
    assert rows.unknown(0, rows.n_rows) is None
    check_rows(rows, text.encode())


def test_levels_part_into_less_equal_and_greater(qtbot, session):
    rows = BwtRows(transformed(qtbot, session, a=TEXT))
    rows.show_level(0)
    assert rows.window(0, 7).positions.tolist() == list(range(7))
    rows.show_level(1)
    parts = [rows.part_of(row) for row in range(7)]
    assert [part[0].name for part in parts if part] == ["LESS"] + ["EQUAL"] * 3 + ["GREATER"] * 3
    assert {part[1:] for part in parts if part} == {(0, ord("a"))}
    rows.show_level(rows.n_levels)
    assert rows.window(0, 7).positions.tolist() == oracle.suffix_order(TEXT.encode())


def test_the_walk_reads_the_text_from_its_end(qtbot, session):
    walk = LfWalk(BwtRows(transformed(qtbot, session, a=TEXT)))
    for k in (*range(len(TEXT) + 1), 2, 5, 0):
        walk.seek(k)
        assert bytes(walk.text) == TEXT[len(TEXT) - k :].encode()
    assert (walk.row, walk.letters) == (0, [])
    walk.seek(len(TEXT) + 9)
    assert walk.at_end
    assert bytes(walk.text) == TEXT.encode()


def test_a_walk_through_a_long_text_goes_as_far_as_rows_are_known(qtbot, session):
    text = long_text()
    shown = transformed(qtbot, session, a=text)
    rows = BwtRows(shown)
    walk = LfWalk(rows)
    walk.seek(10)
    assert (walk.row, walk.letters) == (0, [])
    for k in range(1, 4):
        rows.take(run_job(LocateRowsJob(index=shown.index, rows=np.array([walk.row]))))
        walk.seek(10)
        assert bytes(walk.text) == text[-k:].encode()


def test_the_view_of_banana(qtbot, view):
    assert "6 letters" in view.status.text
    assert "primary row 4" in view.status.text
    assert "4 runs, 1.50 letters a run" in view.status.text
    steps = view.steps
    assert steps.units.values == (Unit.LETTER, Unit.LEVEL)
    assert not steps.units.toolTip()
    for _ in range(3):
        steps.transport.buttons["on"].click()
    assert "ana$" in steps.text.text
    assert steps.transport.place.text() == "3 of 6"
    steps.transport.buttons["end"].click()
    assert "banana$" in steps.text.text
    assert "the whole text" in steps.text.text
    assert view.canvas.current == 4
    steps.transport.buttons["back"].click()
    assert "anana$" in steps.text.text
    steps.transport.slider.setValue(1)
    assert steps.at == 1


def test_levels_are_stepped_by_the_same_transport(qtbot, view):
    steps = view.steps
    steps.transport.buttons["on"].click()
    steps.units.choose(Unit.LEVEL)
    steps.units.activated.emit(1)
    assert (steps.at, steps.text.text) == (steps.last, "Sorted")
    assert steps.last > 1
    for level in range(steps.last):
        steps.transport.slider.setValue(level)
        assert not view.rows.is_sorted
        view.canvas.grab()
    steps.transport.buttons["start"].click()
    assert steps.text.text == f"Sorting: as in the text of {steps.last}"
    steps.units.choose(Unit.LETTER)
    steps.units.activated.emit(0)
    assert view.rows.is_sorted, "the walk needs sorted rows"
    assert steps.at == 1


def test_the_walk_plays(qtbot, view):
    steps = view.steps
    timer = steps.findChild(QTimer)
    timer.setInterval(1)
    steps.transport.buttons["play"].click()
    qtbot.waitUntil(lambda: steps.at == steps.last)
    assert not timer.isActive()
    steps.transport.buttons["play"].click()
    assert steps.at == 0, "from the end it begins again"
    steps.transport.buttons["play"].click()
    assert not timer.isActive()


def places(view):
    return next(one for one in view.findChildren(QTableView) if one.accessibleName() == "Positions of the pattern")


def test_backward_search(qtbot, view, module_window):
    qtbot.expect(module_window.session.transform.found, view.search.pattern.setText, "ana")
    trace = view.search.trace
    lines = [[trace.data(trace.index(row, col)) for col in range(3)] for row in range(trace.rowCount())]
    assert lines == [["(nothing)", "0 – 6", "7"], ["a", "1 – 3", "3"], ["na", "5 – 6", "2"], ["ana", "2 – 3", "2"]]
    hits = view.search.hits
    assert [hits.data(hits.index(row, 0)) for row in range(hits.rowCount())] == ["A 2", "A 4"]
    assert "Found 2 times" in view.search.answer.text
    assert view.canvas.current == 2
    jumped = []
    view.jumped.connect(lambda a0, b0: jumped.append((a0, b0)))
    places(view).activated.emit(hits.index(1, 0))
    assert jumped == [(3, None)]
    transform = module_window.session.transform
    half = "a\ud800".encode("utf-8", "surrogatepass")  # of a surrogate pair; a field of Qt may drop it
    for look, pattern in ((view.search.pattern.setText, "nab"), (transform.search, half)):
        qtbot.expect(transform.found, look, pattern)
        assert view.search.answer.text.startswith("Found nowhere")
    assert hits.rowCount() == 0


def test_a_million_places_are_there_at_once(qtbot, view, module_window):
    """A list that lays out every line before it shows one stays empty for seconds."""
    current, n = module_window.session.transform.current, 1_000_000
    result = run_job(FindJob(index=current.index, patterns=(b"a",), locate=True))
    view.search.hits.show(current, replace(result, positions=np.arange(n, dtype=np.int32) % 6))
    rows = places(view)
    rows.resize(150, 200)
    assert rows.rowAt(1) == 0
    rows.scrollToBottom()
    assert rows.rowAt(rows.viewport().height() - 2) == n - 1
    places(view).activated.emit(rows.indexAt(rows.viewport().rect().center()))


def test_the_pointer_is_linked_both_ways(qtbot, view, module_window):
    view.canvas.pointed.emit(3)
    assert (module_window.pointer.position.a0, module_window.pointer.position.b0) == (3, None)
    view.canvas.pointed.emit(6)  # the row of $ is no letter
    assert module_window.pointer.position.a0 is None
    module_window.pointer.move(5, None)
    assert view.canvas.current == oracle.suffix_order(TEXT.encode()).index(5)


def test_both_are_joined_and_places_are_told_apart(qtbot, session):
    shown = transformed(qtbot, session, Source.BOTH, a="banana", b="ananas")
    assert shown.text.tobytes() == b"banana#ananas"
    result = run_job(FindJob(index=shown.index, patterns=(b"nan",), locate=True))
    assert [shown.place(p) for p in result.positions.tolist()] == [(2, None), (None, 1)]
    assert shown.place(6) == shown.place(13) == (None, None)


def test_another_pair_makes_another_transform(qtbot, view, module_window, tmp_path):
    fasta = fakes.fasta(tmp_path / "x.fa", ("x", "gattaca"))
    session = module_window.session
    with qtbot.waitSignal(session.transform.built, timeout=WAIT, check_params_cb=lambda built: built is not None):
        session.open_paths([fasta], side=next(iter(module_window.header.chips)))
    assert session.transform.current.text.tobytes() == b"GATTACA"  # case is ignored in DNA
    assert view.rows.n_rows == 8


def test_escape_stops_a_transform(qtbot, window):
    window.session.open_text(long_text())
    qtbot.waitUntil(lambda: not window.session.loader.busy, timeout=WAIT)
    stop = window.actions_by_id["stop"]
    assert not stop.isEnabled()
    window.actions_by_id["bwt"].trigger()
    assert window.areas["bwt"].isVisible()
    assert stop.isEnabled()
    stop.trigger()
    assert window.session.transform.status == "Stopped"
    assert not stop.isEnabled()


def test_saving(qtbot, view, tmp_path):
    said = []
    view.noticed.connect(said.append)
    for path, kind in (("b.bwt", INDEX[0]), ("b.txt", INDEX[1]), ("no/such", INDEX[1])):
        qtbot.expect(view.noticed, view.save, tmp_path / path, kind)
    assert (tmp_path / "b.txt").read_bytes() == b"annbaa"
    assert run_job(LoadBwtJob(path=tmp_path / "b.bwt")).primary == 4
    assert [one.level.value for one in said] == ["info", "info", "error"]


def test_a_stop_and_nothing_to_transform(qtbot, session):
    session.transform.run()
    assert not session.transform.running
    assert "open a file" in session.transform.status
    session.open_text(long_text())
    qtbot.waitUntil(lambda: not session.loader.busy, timeout=WAIT)
    session.transform.run()
    assert session.transform.running
    session.stop()
    assert not session.transform.running
    assert session.transform.status == "Stopped"
    assert session.transform.current is None


def test_the_device_is_chosen_for_what_sorts(qtbot, window, monkeypatch):
    transform, box = window.session.transform, window.view(BwtView).device
    assert [box.itemText(row) for row in range(box.count())] == ["Auto", "CPU", "GPU"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    shown = transformed(qtbot, window.session, a=TEXT)
    assert transform.device is Device.CPU
    assert shown.small.device == "cpu"
    assert "GPU" not in transform.status
    box.setCurrentIndex(2)
    box.activated.emit(2)
    monkeypatch.setattr("wavediff.core.run.dispatch.gpu_obstacle", lambda _kind: "as the test has it")
    with qtbot.waitSignal(transform.noticed, timeout=WAIT) as told:
        transform.run()
    assert told.args[0].text == "GPU not used: as the test has it"
    assert transform.status == "Failed"


def test_a_narrow_panel_has_room_for_the_last_column_and_its_runs(view, monkeypatch):
    canvas, rows = view.canvas, view.rows
    monkeypatch.setattr(rows, "n_rows", 100_000_001)
    for width, has_ranks in ((430, False), (900, True)):
        canvas.viewport().resize(width, 300)
        number, ranked, _ = canvas._widths()
        assert (ranked > number) == has_ranks
        assert canvas.needed_width <= canvas.viewport().width()


def test_the_way_of_sorting_is_chosen(qtbot, window):
    transform, view = window.session.transform, window.view(BwtView)
    assert [BwtMethod(view.method.itemData(row)) for row in range(view.method.count())] == list(SORTINGS)
    for row, told in ((1, "ternary quicksort"), (0, "inverse checked · ")):
        view.method.setCurrentIndex(row)
        view.method.activated.emit(row)
        shown = transformed(qtbot, window.session, a=long_text())
        units = window.view(BwtView).steps.units
        assert not units.isEnabled()
        assert "for short texts only" in units.toolTip()
        assert shown.small is None
        assert told in transform.status
    assert "ternary" not in transform.status
    assert "transform again" not in view.status.text
    view.method.setCurrentIndex(1)
    view.method.activated.emit(1)
    assert view.status.text == f"{transform.status} · options have changed: transform again"
    view.method.setCurrentIndex(2)
    view.method.activated.emit(2)
    view.device.setCurrentIndex(1)
    view.device.activated.emit(1)
    with qtbot.waitSignal(transform.noticed, timeout=WAIT) as told_of:
        transform.run()
    assert "the kernel of Yamanaka, Ino and Hagihara runs on graphics cards only" in told_of.args[0].text


def test_compression_is_shown_beside_two_programs(qtbot, window):
    transformed(qtbot, window.session, a=TEXT)
    view = window.view(BwtView)
    qtbot.expect(window.session.transform.compressed, button(view, "Compression…").click)
    model = view.compression.model
    written = [model.cell(row, 1, Qt.ItemDataRole.DisplayRole) for row in range(model.rowCount())]
    assert written[0] == "6"
    assert written[-2:] == [str(len(program.compress(TEXT.encode(), 9))) for program in (zlib, bz2)]
    assert model.cell(0, SHARE, Qt.ItemDataRole.AccessibleTextRole) == "100 %"
    assert "6 letters, and 6 symbols after run-length coding" in view.compression.line.text()
    qtbot.keyClick(view.compression, Qt.Key.Key_Escape)
    assert not view.compression.isVisible()
    assert button(view, "Compression…").hasFocus()


def test_each_row_of_what_is_found_is_shaded(qtbot, view, module_window):
    def column(pattern):
        qtbot.expect(module_window.session.transform.found, view.search.pattern.setText, pattern)
        view.canvas.go_to(0)  # the row that is chosen has a look of its own
        shown = view.canvas.grab().toImage()
        return [shown.pixel(3, y) for y in range(shown.height())]

    nowhere, once, twice = (column(pattern) for pattern in ("nab", "nan", "na"))
    (shade,) = set(twice) - set(nowhere)
    assert twice.count(shade) == 2 * once.count(shade) > 0
