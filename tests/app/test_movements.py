"""Every widget that moves, every key and turn of the wheel: what moves by how much, and that nothing else does."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.app import alignment_window
from tests.app.fakes import fasta
from tests.app.hits import fake_search
from tests.app.test_block_map_pixels import record
from tests.app.transforms import transformed
from wavediff.app.batch.heat_map import HeatMap
from wavediff.app.bwt.bwt_view import BwtView
from wavediff.app.compare.cell_pages import WindowPicker
from wavediff.app.compare.cell_session import Area
from wavediff.app.compare.lanes_picture import LanesPicture
from wavediff.app.compare.zoom_strip import ZoomStrip
from wavediff.app.search.hits_model import HitsTable
from wavediff.app.search.hits_view import HitsTableView
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.core.record.playback import Playback

view, shown = alignment_window.view, alignment_window.shown
HELD = {"Shift": Qt.KeyboardModifier.ShiftModifier, "Ctrl": Qt.KeyboardModifier.ControlModifier}
ARROWS = ("Left", "Right", "Up", "Down")
KEYS = (*ARROWS, "PgUp", "PgDown", "Home", "End", "+", "-", "=", "Return", "Space", "F", "S", "P", "Q", "U")
TURNS = ("Wheel 1", "Wheel -1", "Across 1", "Across -1")  # notches: away from the person, towards; to the left, right
INPUTS = (*KEYS, *(f"{held}+{key}" for held in HELD for key in ARROWS), *TURNS, "Shift+Wheel 1", "Ctrl+Wheel 1")


@dataclass
class Stand:
    """A widget where each input begins anew.

    Attributes:
        start: puts it where all inputs begin; state: what may move.
        moves: what an input changes; all else stays as it was.
        at: pixel under the pointer.
        also: inputs of this widget alone.
    """

    widget: QWidget
    start: Callable[[], object]
    state: Callable[[], dict[str, Any]]
    moves: dict[str, dict[str, Any]]
    at: Callable[[], QPointF] | None = None
    also: tuple[str, ...] = ()
    wheel_on: QWidget | None = None
    alike: dict[str, str] = field(default_factory=dict)  # an input, and another one that does the same


def give(stand, what):
    """Press a key, or turn the wheel over the widget."""
    *held, thing = what.split("+") if len(what) > 1 else [what]
    modifiers = Qt.KeyboardModifier.NoModifier
    for one in held:
        modifiers |= HELD[one]
    kind, _, notches = thing.partition(" ")
    if kind not in ("Wheel", "Across"):
        QTest.keyClick(stand.widget, QKeySequence(thing)[0].key(), modifiers)
        return
    target = stand.wheel_on or stand.widget
    at, by = QPointF(target.rect().center()) if stand.at is None else stand.at(), 120 * int(notches)
    angle = QPoint(0, by) if kind == "Wheel" else QPoint(by, 0)
    event = QWheelEvent(
        at, QPointF(target.mapToGlobal(at)), QPoint(), angle, Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(target, event)


def of_letters(request, caret, *, wrapped=True):
    """Letters in lines, or on one line, from a column on."""
    view = request.getfixturevalue("shown")()
    canvas = view.canvas
    canvas.set_wrapped(wrapped)
    surface, size = canvas.surface, canvas.font_size
    last = surface.n_columns - 1
    caret %= last + 1
    line, page = surface.columns_per_line if wrapped else 1, surface.n_whole_columns
    notch = surface.cells.pitch if wrapped else 10 * surface.cells.width

    def start():
        canvas.set_font_size(size)
        canvas.set_selection(0, 0)
        canvas.set_caret(caret)
        canvas.scroll_to(2 * notch)

    def state():
        seen = canvas.caret == caret or canvas.is_visible(canvas.caret)
        return {
            "caret": canvas.caret,
            "selected": canvas.selection,
            "size": canvas.font_size,
            "top": top(),
            "seen": seen,
        }

    def top():
        return canvas.position if canvas.caret == caret else None  # a caret takes the letters with it

    start()

    def to(col, *, selects=False):
        moved = min(max(0, col), last)
        low, high = sorted((caret, moved))
        found = {"caret": moved} | ({"selected": (low, high + 1)} if selects else {})
        return found | ({"top": ...} if moved == caret else {"top": None})

    up, down = (caret - line if caret >= line else caret), (caret + line if caret + line <= last else caret)
    moves = {
        "Left": to(caret - 1), "Right": to(caret + 1), "Up": to(up), "Down": to(down), "PgUp": to(caret - page),
        "PgDown": to(caret + page), "Home": to(0), "End": to(last), "Ctrl+Left": to(caret - 10),
        "Ctrl+Right": to(caret + 10), "Shift+Left": to(caret - 1, selects=True),
        "Shift+Right": to(caret + 1, selects=True), "Shift+Up": to(up, selects=True),
        "Shift+Down": to(down, selects=True), "Wheel 1": {"top": notch}, "Wheel -1": {"top": 3 * notch},
        "Ctrl+Wheel 1": {"size": size + 1, "top": ...},
    }  # fmt: skip
    alike = {"Ctrl+Up": "Up", "Ctrl+Down": "Down", "Across 1": "Wheel 1", "Across -1": "Wheel -1"}
    return Stand(canvas, start, state, moves, alike=alike | {"Shift+Wheel 1": "Wheel 1"})


def of_strip(request):
    """The strip over 50 million letters, on its middle level."""
    from tests.app.test_zoom_strip import long_index

    strip = ZoomStrip(request.getfixturevalue("theme"))
    request.getfixturevalue("qtbot").addWidget(strip)
    strip.resize(900, strip.height())
    strip.show()
    wanted = []
    strip.start_wanted.connect(wanted.append)
    strip.set_index(long_index())
    strip.set_window(25_000_000, 25_000_350, 280)
    first, kept = strip.levels.letters.first, list(strip.levels.windows)
    _, middle, last = kept

    def start():
        strip.levels.windows[:] = kept
        wanted.clear()
        strip._level = 1

    def state():
        windows = [(round(one.first), round(one.span)) for one in strip.levels.windows]
        return {"asked": wanted[-1:], "level": strip._level} | dict(
            zip(("whole", "middle", "last"), windows, strict=True)
        )

    def zoomed(factor, at):
        return {"middle": (round(at - (at - middle.first) * factor), round(middle.span * factor))}

    def shifted(by):  # what is inside goes along
        return {name: (round(one.first + by), round(one.span)) for name, one in (("middle", middle), ("last", last))}

    under, notch, moved = middle.middle, 2 ** (-120 / 200), 0.1 * middle.span
    moves = {
        "Left": {"asked": [int(first - last.span)]}, "Right": {"asked": [int(first + last.span)]},
        "PgUp": {"asked": [int(first - 10 * last.span)]}, "PgDown": {"asked": [int(first + 10 * last.span)]},
        "Home": {"asked": [0]}, "End": {"asked": [strip.levels.n_columns - 1]},
        "Up": {"level": 0}, "Down": {"level": 2},
        "+": zoomed(0.5, last.middle), "-": zoomed(2.0, last.middle),
        "Wheel 1": zoomed(notch, under), "Wheel -1": zoomed(1 / notch, under),
        "Across 1": shifted(-moved), "Across -1": shifted(moved),
    }  # fmt: skip
    alike = {"=": "+", "Ctrl+Wheel 1": "Wheel 1", "Shift+Wheel 1": "Across 1"}
    return Stand(
        strip, start, state, moves, at=lambda: strip.area(1).center(),
        alike=alike | {f"Shift+{key}": key for key in ARROWS},
    )  # fmt: skip


def of_map(request):
    """The map, four times as large as it fits."""
    model = BlockMapModel()
    model.start(1, 10_000, 10_000)
    canvas = BlockMapCanvas(model, request.getfixturevalue("theme"))
    request.getfixturevalue("qtbot").addWidget(canvas)
    canvas.resize(400, 400)
    canvas.show()
    middle = QPointF(200, 200)

    def start():
        canvas.fit()
        canvas.zoom(4, middle)

    def state():
        frame = canvas.frame
        return {"left": round(frame.left), "top": round(frame.top), "scale": round(frame.scale, 9)}

    start()
    frame = canvas.frame
    left, top, step = frame.left, frame.top, 50 / frame.scale  # an eighth of its side

    def zoomed(factor, pixel):
        corner = round(left + pixel / frame.scale - pixel / (frame.scale * factor))
        return {"left": corner, "top": corner, "scale": round(frame.scale * factor, 9)}

    moves = {
        "Left": {"left": round(left - step)}, "Right": {"left": round(left + step)},
        "Up": {"top": round(top - step)}, "Down": {"top": round(top + step)},
        "+": zoomed(2, 199), "-": zoomed(0.5, 199), "Wheel 1": zoomed(2, 200), "Wheel -1": zoomed(0.5, 200),
    }  # fmt: skip
    alike = {f"{held}+{key}": key for held in HELD for key in ARROWS}
    return Stand(
        canvas, start, state, moves, at=lambda: middle,
        alike=alike | {"=": "+", "Shift+Wheel 1": "Wheel 1", "Ctrl+Wheel 1": "Wheel 1"},
    )  # fmt: skip


def of_heat_map(request, cell):
    """The map of four records beside three, at a cell."""
    heat, many = HeatMap(request.getfixturevalue("theme")), request.getfixturevalue("session").many
    qtbot, folder = request.getfixturevalue("qtbot"), request.getfixturevalue("tmp_path")
    qtbot.addWidget(heat)
    heat.resize(300, 320)
    heat.show()
    paths = [
        fasta(folder / f"{n}.fa", *((f"r{k}", "ACGTACGT"[: k + 2]) for k in range(n))) for n in (4, 3)
    ]  # fmt: skip
    with qtbot.waitSignal(many.finished, check_params_cb=lambda outcome: outcome is not None):
        many.open(paths)
    heat.show_outcome(many.outcome)
    qtbot.waitUntil(lambda: heat.message == "")
    chosen = []
    heat.chosen.connect(lambda i, j: chosen.append((i, j)))

    def start():
        chosen.clear()
        heat._point(cell)

    def state():
        return {"cell": heat._cell, "chosen": list(chosen)}

    if cell is None:
        moves = {key: {"cell": (0, 0)} for key in ARROWS}
    else:
        i, j = cell
        moves = {
            "Left": {"cell": (i, max(0, j - 1))}, "Right": {"cell": (i, min(2, j + 1))},
            "Up": {"cell": (max(0, i - 1), j)}, "Down": {"cell": (min(3, i + 1), j)},
            "Return": {"chosen": [cell]},
        }  # fmt: skip
    return Stand(heat, start, state, moves, alike={f"{held}+{key}": key for held in HELD for key in ARROWS})


def of_lanes(request):
    """Lanes: a click goes to a moment, and no key or wheel moves them."""
    lanes = LanesPicture(request.getfixturevalue("theme"))
    request.getfixturevalue("qtbot").addWidget(lanes)
    times = Playback(record())
    lanes.show_times(times)
    lanes.resize(500, lanes.sizeHint().height())
    lanes.show()
    sought = []
    lanes.sought.connect(sought.append)
    return Stand(lanes, sought.clear, lambda: {"sought": list(sought), "moment": lanes._moment}, {})


def of_rows(request):
    """Rows of a transform of 501 letters."""
    window, qtbot = request.getfixturevalue("window"), request.getfixturevalue("qtbot")
    text = "".join("acgt"[k] for k in np.random.default_rng(4).integers(0, 4, 500))
    transformed(qtbot, window.session, a=text)
    window.show_panel("bwt")
    canvas = window.view(BwtView).canvas
    row, page, bar = 250, canvas._n_seen() - 1, canvas.verticalScrollBar()

    def start():
        canvas.go_to(row)
        bar.setValue(row - 2)

    def state():
        return {"row": canvas.current, "top": bar.value() if canvas.current == row else None}

    def to(other):
        return {"row": other, "top": None}

    lines = min(QApplication.wheelScrollLines(), bar.pageStep())
    moves = {
        "Up": to(row - 1), "Down": to(row + 1), "PgUp": to(row - page), "PgDown": to(row + page), "Home": to(0),
        "End": to(500), "Wheel 1": {"top": row - 2 - lines}, "Wheel -1": {"top": row - 2 + lines},
    }  # fmt: skip
    alike = {f"{held}+{key}": key for held in HELD for key in ("Up", "Down")} | {
        "Ctrl+Wheel 1": ...,
        "Shift+Wheel 1": ...,
    }
    return Stand(canvas, start, state, moves, alike=alike, wheel_on=canvas.viewport())


def of_cells(request):
    """The chooser of a window of cells."""

    class Looking(QObject):
        updated = Signal()
        area, block = Area(118, 136, 64, 64), Area(0, 0, 1000, 1000)

    looking = Looking()
    picker = WindowPicker(looking, request.getfixturevalue("theme"))
    looking.setParent(picker)
    request.getfixturevalue("qtbot").addWidget(picker)
    picker.resize(300, 120)
    picker.show()
    wanted = []
    picker.wanted.connect(lambda row, col: wanted.append((row, col)))
    steps = {"Left": (0, -1), "Right": (0, 1), "Up": (-1, 0), "Down": (1, 0)}
    moves = {
        f"{held}{key}": {"wanted": [(118 + by * di, 136 + by * dj)]}
        for held, by in (("", 64), ("Shift+", 1))
        for key, (di, dj) in steps.items()
    }
    alike = {f"Ctrl+{key}": key for key in ARROWS}
    return Stand(picker, wanted.clear, lambda: {"wanted": list(wanted)}, moves, alike=alike)


def of_list(request):
    """A list of a million rows."""
    searched, hits = fake_search(1_000_000)
    model = HitsTable()
    model.clear(searched)
    model.add(hits)
    table = HitsTableView(model)
    model.setParent(table)
    request.getfixturevalue("qtbot").addWidget(table)
    table.resize(500, 300)
    table.show()
    chosen, row = [], 500_000
    table.chosen.connect(chosen.append)
    page = table.height_in_rows()

    def start():
        table.select(0)
        table.select(row)
        model.look(row - 3, page)
        chosen.clear()

    def state():
        return {"row": table.current, "chosen": list(chosen), "top": model.top if table.current == row else None}

    def to(other):
        return {"row": other, "top": None}

    moves = {
        "Up": to(row - 1), "Down": to(row + 1), "PgUp": to(row - page), "PgDown": to(row + page), "Home": to(0),
        "End": to(999_999), "Return": {"chosen": [row]}, "Wheel 1": {"top": row - 6}, "Wheel -1": {"top": row},
    }  # fmt: skip
    alike = {"Shift+Up": "Up", "Shift+Down": "Down", "Shift+Wheel 1": "Wheel 1", "Ctrl+Wheel 1": "Wheel 1"}
    return Stand(table.rows, start, state, moves, alike=alike, wheel_on=table.rows.viewport())


def of_lesson(request):
    """The stage of a lesson, at its third step, without questions."""
    window = request.getfixturevalue("window")
    window.show_panel("lessons")
    lesson = window.view(LessonView)
    lesson.asks.choose(None)
    lesson.asks.activated.emit(0)
    stage, player = lesson.stage, lesson.player
    player.seek(3)
    speed, unit, units = player.speed, player.unit, [None, *player.frame.part.units]
    place, last = player.at, player.n_frames - 1

    def start():
        stage.play(False)
        player.choose_unit(unit)
        player.seek(3)
        while player.speed != speed:
            player.change_speed(1 if player.speed < speed else -1)
        stage.canvas._zoom = 1.0
        stage.refresh()

    def state():
        return {
            "step": player.at if player.unit is unit else None, "speed": player.speed, "unit": player.unit,
            "plays": stage._timer.isActive(), "zoom": round(stage.canvas._zoom, 6),
        }  # fmt: skip

    start()
    other = units[(units.index(unit) + 1) % len(units)]
    moves = {
        "Left": {"step": place - 1}, "Right": {"step": place + 1}, "Home": {"step": 0}, "End": {"step": last},
        "PgDown": {"step": ...}, "PgUp": {"step": ...}, "Space": {"plays": True}, "Up": {"speed": 2 * speed},
        "Down": {"speed": speed / 2}, "U": {"unit": other, "step": None},
        "Wheel 1": {"zoom": ...},
    }  # fmt: skip
    alike = {"P": "Space", "Q": "End", "+": "Up", "F": "Up", "-": "Down", "S": "Down"}
    alike |= {f"Shift+{key}": key for key in ARROWS} | {f"{held}+Wheel 1": "Wheel 1" for held in HELD}
    return Stand(stage.canvas, start, state, moves, alike=alike)


STANDS = {
    "letters": lambda request: of_letters(request, 700),
    "letters, the first": lambda request: of_letters(request, 0),
    "letters, the last": lambda request: of_letters(request, -1),
    "letters on one line": lambda request: of_letters(request, 700, wrapped=False),
    "zoom strip": of_strip,
    "map": of_map,
    "heat map": lambda request: of_heat_map(request, None),
    "heat map, first cell": lambda request: of_heat_map(request, (0, 0)),
    "heat map, inner cell": lambda request: of_heat_map(request, (1, 1)),
    "heat map, last cell": lambda request: of_heat_map(request, (3, 2)),
    "lanes": of_lanes,
    "rows of a transform": of_rows,
    "cells": of_cells,
    "list": of_list,
    "lesson": of_lesson,
}


@pytest.mark.parametrize("name", STANDS)
def test_each_key_and_turn_moves_what_it_should_and_nothing_else(request, name):
    """``...`` for a value: it moves, by how much is another test's."""
    stand = STANDS[name](request)
    stand.widget.setFocus()
    assert set(stand.moves) | set(stand.alike) <= set(INPUTS)
    wrong = {}
    for what in INPUTS:
        stand.start()
        before = stand.state()
        give(stand, what)
        like = stand.alike.get(what, what)
        if like is ...:
            continue
        moves = stand.moves.get(like, {})
        seen, wanted = stand.state(), before | moves
        for part, value in wanted.items():
            right = seen[part] != before[part] if value is ... else seen[part] == value
            if not right:
                wrong[what, part] = (seen[part], value)
    assert wrong == {}


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_click_on_the_lanes_goes_to_its_moment(request, share):
    stand = of_lanes(request)
    room, times = stand.widget._room, stand.widget.times
    x = min(room.right(), round(room.left() + share * room.width()))
    QTest.mouseClick(stand.widget, Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
    (sought,) = stand.state()["sought"]
    first, last = times.axis
    assert sought == pytest.approx(first + share * (last - first), abs=last / room.width() * 2)
