"""A lesson as data, and as one HTML file that plays from disk without a network.

The page's script knows the four kinds of parts and questions, and no algorithm: all values, ranks, arrows and sentences
are in its data, so that the recurrences exist once.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.system.version import VERSION
from wavediff.core.teach.lesson import Lesson, Part, Scene
from wavediff.core.teach.questions import ask
from wavediff.core.teach.scene import Bits, Grid, Lanes, Sheet, Trace
from wavediff.core.teach.scene import Part as ScenePart
from wavediff.core.teach.unit import UNIT_NAMES, Unit

PLAYER = Path(__file__).resolve().parents[2] / "resources" / "lessons" / "player.js"
SCRIPTS = (PLAYER, PLAYER.with_name("player_parts.js"))
STYLE = PLAYER.with_name("player.css")
INDEX = "index.html"  # of a course
MAX_PAGE_STEPS = 1 << 14  # of a unit, each with its sentence: a table of 128 x 128 cell by cell
MAX_PAGE_BYTES = 16 << 20  # of numbers in a part: a table of 512 x 512 with its ranks takes 3 MB


class PageTooLarge(WavediffError):
    """More steps than a page has sentences for."""

    def __init__(self, unit: Unit, steps: int) -> None:
        most = f"{MAX_PAGE_STEPS:,} fit, which rows, columns and antidiagonals always do"
        super().__init__(f"{steps:,} steps by {unit} are too many for a page; {most}")


class PageTooHeavy(WavediffError):
    """More numbers than a page can hold."""

    def __init__(self, size: int) -> None:
        super().__init__(
            f"a page of {size:,} bytes is too large; {MAX_PAGE_BYTES:,} fit: fewer units or shorter inputs do"
        )


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """Return all that a player needs.

    ``parts``: each with ``units`` and ``scenes``, and what they refer to by place: ``arrays``, base64 of little-endian
    int32 or uint8 numbers, and ``pool``, the parts of all steps, each one once. A unit has its steps, and by step the
    sentence, the cited cells, the places of its parts in the pool, and the ``same`` step of each other unit. A scene
    has unit, first, last, and where there are such, its sentence and its question.

    Raises:
        PageTooLarge: a unit has more than ``MAX_PAGE_STEPS`` steps. PageTooHeavy: there are too many numbers.
    """
    return {
        "id": lesson.id,
        "title": lesson.title,
        "source": lesson.source,
        "notes": lesson.notes,
        "version": VERSION,
        "parts": [_part_data(part) for part in lesson.parts],
    }


class _Pool:
    """Parts and arrays, each kept once however often it is shown."""

    def __init__(self) -> None:
        self.arrays: list[str] = []
        self.parts: list[dict[str, Any]] = []
        self._places: dict[object, int] = {}
        self._size = 0

    def _place(self, key: object, size: int, into: list[Any], value: Any) -> int:
        if key not in self._places:
            self._size += size
            if self._size > MAX_PAGE_BYTES:
                raise PageTooHeavy(self._size)
            self._places[key] = len(into)
            into.append(value)
        return self._places[key]

    def array(self, values: np.ndarray) -> int:
        """Return the place of an array."""
        raw = np.ascontiguousarray(values).tobytes()
        text = base64.b64encode(raw).decode("ascii")
        return self._place(raw, len(text), self.arrays, text)

    def part(self, part: ScenePart) -> int:
        """Return the place of a part."""
        data = self._data(part)
        text = json.dumps(data, sort_keys=True)
        return self._place(text, len(text), self.parts, data)

    def _data(self, part: ScenePart) -> dict[str, Any]:
        if isinstance(part, Grid):
            return self._grid(part)
        if isinstance(part, Bits):
            return {
                "type": "bits", "rows": part.rows, "down": part.down, "groups": part.groups, "heads": part.heads,
                "marks": part.marks or tuple("." * len(word) for _, word in part.rows),
            }  # fmt: skip
        if isinstance(part, Sheet):
            return {
                "type": "sheet", "title": part.title, "heads": part.heads, "rows": part.rows, "marks": part.marks,
                "rules": part.rules, "mono": part.mono,
            }  # fmt: skip
        assert isinstance(part, Lanes)
        return {
            "type": "lanes", "names": part.names, "began": part.began.tolist(), "ended": part.ended.tolist(),
            "lane": part.lane.tolist(), "label": part.label, "kind": [] if part.kind is None else part.kind.tolist(),
            "now": part.now, "total": part.total, "unit": part.unit,
        }  # fmt: skip

    def _grid(self, grid: Grid) -> dict[str, Any]:
        rows, cols = grid.values.shape
        found: dict[str, Any] = {
            "type": "grid", "name": grid.name, "rows": rows, "cols": cols,
            "values": self.array(grid.values.astype("<i4")), "rank": self.array(grid.rank.astype("<i4")),
            "left": list(grid.left), "top": list(grid.top), "block": grid.block,
            "boxes": [[box.row, box.col, box.rows, box.cols, box.label, int(box.mark)] for box in grid.boxes],
            "lines": [{"points": line.points, "kind": line.kind} for line in grid.lines],
        }  # fmt: skip
        if grid.marks is not None:
            found["marks"] = self.array(grid.marks.astype(np.uint8))
        if grid.arrows is not None:
            found["arrows"] = self.array(grid.arrows.bits)
            found["onPath"] = self.array(grid.arrows.on_path.astype(np.uint8))
            found["jumps"] = {f"{row},{col}": to for (row, col), to in grid.arrows.jumps.items()}
        return found


def _part_data(part: Part) -> dict[str, Any]:
    pool = _Pool()
    units = {str(unit): _unit_data(part, unit, pool) for unit in part.units}
    scenes = [_scene_data(part, scene) for scene in part.scenes]
    return {"arrays": pool.arrays, "pool": pool.parts, "units": units, "scenes": scenes}


def _unit_data(part: Part, unit: Unit, pool: _Pool) -> dict[str, Any]:
    trace: Trace = part.trace
    steps = trace.steps(unit)
    if steps > MAX_PAGE_STEPS:
        raise PageTooLarge(unit, steps)
    scenes = [trace.scene(unit, k) for k in range(steps + 1)]
    return {
        "steps": steps,
        "say": [trace.say(unit, k) for k in range(steps + 1)],
        "cited": [[[one.row, one.col, int(one.wins)] for one in scene.cited] for scene in scenes],
        "parts": [[pool.part(each) for each in scene.parts] for scene in scenes],
        "same": {
            str(other): [trace.same(unit, k, other) for k in range(steps + 1)] for other in part.units if other != unit
        },
    }


def _scene_data(part: Part, scene: Scene) -> dict[str, Any]:
    found: dict[str, Any] = {"id": scene.id, "unit": str(scene.unit), "first": scene.first, "last": scene.last}
    if scene.each:
        found["each"] = True
    if scene.say:
        said = [part.sentence(scene, step) for step in range(scene.first, scene.last + 1)]
        found["say"] = said if len(set(said)) > 1 else said[0]
    if scene.ask is not None:
        question = ask(part.trace, scene.unit, scene.first, scene.ask)
        found["ask"] = {
            "kind": str(question.kind),
            "choices": question.choices,
            "text": question.text,
            "accepts": sorted(question.accepts),
            "all": question.needs_all,
            "why": question.why,
        }
    return found


def player_script() -> str:
    """Return the script of a page, after which nothing is loaded."""
    return "".join(path.read_text("utf-8") for path in SCRIPTS)


def lesson_page(lesson: Lesson, command: str = "", course: Sequence[Lesson] = ()) -> str:
    """Return a lesson as one HTML file.

    Args:
        command: that makes it again, kept in the file.
        course: it belongs to, whose pages lie beside it.

    Raises:
        PageTooLarge: see ``lesson_data``.
    """
    # A sentence may hold "</script>", which would end the data.
    data = json.dumps(lesson_data(lesson), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    title, words = (
        html.escape(lesson.title),
        json.dumps(player_words(), ensure_ascii=False).replace("<", "\\u003c"),
    )
    return (
        f"{_head(title)}"
        f'<meta name="command" content="{html.escape(command, quote=True)}">\n'
        f"<style>\n{STYLE.read_text('utf-8')}</style>\n{_way(lesson, course)}<h1>{title}</h1>\n"
        f'<p class="source">{html.escape(lesson.source)}</p>\n<main id="player"></main>\n'
        f"<script>\nconst LESSON = {data};\nconst WORDS = {words};\n{player_script()}</script>\n</html>\n"
    )


def _head(title: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<title>{title} – Wavediff</title>\n<meta name="viewport" content="width=device-width">\n'
        f'<meta name="generator" content="Wavediff {VERSION}">\n'
    )


def _way(lesson: Lesson, course: Sequence[Lesson]) -> str:
    """Return the links to the lesson before, to all lessons and to the next one."""
    places = [place for place, one in enumerate(course) if one.id == lesson.id]
    if not places:
        return ""
    at = places[0]
    course_name = html.escape("All lessons")
    links = [f'<a href="{INDEX}">{course_name}</a>']
    if at > 0:
        links.insert(0, _link(course[at - 1], "previous", "← {}"))
    if at + 1 < len(course):
        links.append(_link(course[at + 1], "next", "{} →"))
    return f"<nav>{' · '.join(links)}</nav>\n"


def _link(lesson: Lesson, id_: str, form: str) -> str:
    text = html.escape(form.format(lesson.title))
    return f'<a id="{id_}" href="{html.escape(lesson.id, quote=True)}.html">{text}</a>'


def course_page(lessons: Iterable[Lesson]) -> str:
    """Return the page that lists lessons by their topics, each in a file ``ID.html`` beside it."""
    topics: dict[str, list[Lesson]] = {}
    for one in lessons:
        topics.setdefault(one.topic, []).append(one)
    tables = "".join(
        f"<h2>{html.escape(topic)}, {html.escape(_minutes(sum(one.minutes for one in found)))}</h2>\n"
        f"<table>\n{''.join(map(_row, found))}</table>\n"
        for topic, found in topics.items()
    )
    title = html.escape("Lessons")
    return f"{_head(title)}<style>\n{STYLE.read_text('utf-8')}</style>\n<h1>{title}</h1>\n{tables}</html>\n"


def _minutes(minutes: int) -> str:
    return f"{number(minutes)} min"


def _row(lesson: Lesson) -> str:
    """Return a lesson's row in the list of a course."""
    return (
        f'<tr><td><a href="{html.escape(lesson.id, quote=True)}.html">{html.escape(lesson.title)}</a></td>'
        f"<td>{html.escape(lesson.source)}</td><td>{html.escape(_minutes(lesson.minutes))}</td></tr>\n"
    )


def player_words() -> dict[str, str]:
    """Return what the player itself says."""
    return {
        "start": "To the start",
        "back": "Step back",
        "play": "Play",
        "pause": "Pause",
        "on": "Step",
        "end": "To the end",
        "unit": "Step by",
        "lesson": "Lesson",
        "where": "{k} of {n}",
        "check": "Check",
        "tell": "Tell me",
        "right": "Right.",
        "wrong": "Not yet.",
        "ask": "Ask me",
        "click": "Click the cells, then Check.",
        "type": "Type the answer, then Enter.",
        "diagonal": "Diagonal",
        "up": "Above",
        "left": "Left",
        "swap": "Swap",
        "y": "Yes",
        "n": "No",
        "row": "Type the answer or click a row, then Check.",
        "paths": "Tab shows one optimal path after the other.",
        **{str(unit): name for unit, name in UNIT_NAMES.items()},
    }
