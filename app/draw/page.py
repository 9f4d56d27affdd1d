"""Lesson as one self-contained HTML file that plays offline.

The program draws every frame as SVG; the script of the page only handles navigation and questions.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.app.draw.drawing import Ink, Size, named_colours
from wavediff.app.draw.page_tables import PageTables
from wavediff.app.draw.scene import Extras, draw_scene
from wavediff.app.draw.scene_layout import Layout, lay_out, sheet_row, stacked, unit_extents
from wavediff.app.draw.scene_style import Preset, Style
from wavediff.app.draw.svg import FONTS, Ids, Svg, packed
from wavediff.core.base.numbers import number
from wavediff.core.system.version import VERSION
from wavediff.core.teach.language import ENGLISH, in_language
from wavediff.core.teach.lesson import Lesson, Part
from wavediff.core.teach.lesson_data import Numbers, check_size, lesson_data
from wavediff.core.teach.player import SPEEDS as PLAYER_SPEEDS
from wavediff.core.teach.player import STEP_MS, Player
from wavediff.core.teach.questions import Question
from wavediff.core.teach.scene import Scene, Sheet
from wavediff.core.teach.tables import caption
from wavediff.core.teach.unit import UNIT_NAMES, Unit

SCRIPT = Path(__file__).resolve().parents[2] / "resources" / "lessons" / "player.js"
STYLE = SCRIPT.with_name("player.css")
INDEX = "index.html"  # of a course
FRAME_PX = Size(1060, 480)  # of the largest frame of a unit, as in a window 1,100 pixels wide; a browser scales it

MOST_PRINTED = 100_000  # elements of pictures on paper, in half a minute
EMBEDDED_PX = 680  # height in another page

BUTTONS = (
    ("start", "|◀", "To the start", "seek(0)"), ("back", "◀", "Step back", "seek(at - 1)"),
    ("play", "▶", "Play", "play(!playing)"), ("on", "▷", "Step", "forward()"),
    ("end", "▶|", "To the end", "seek(frames.length)"),
)  # fmt: skip
SPEEDS = "".join(
    f'<option value="{speed}"{" selected" * (speed == 1)}>{number(speed, 2 * (speed < 1))}×</option>'
    for speed in PLAYER_SPEEDS
)
STAGE = (
    '<main>\n<p id="say" aria-live="polite"></p>\n'
    '<form id="ask"><span id="choices"></span> <label id="typing"><span id="how" lang="en"></span> '
    '<input id="answer" autocomplete="off" oninput="draw()"></label>'
    '<button id="check" lang="en" onclick="window.answer(typed()); return false">Check</button>'
    '<button id="tell" lang="en" type="button" onclick="window.tell(false)">Tell me</button>'
    '<button id="path" lang="en" type="button" onclick="nextPath()">Next optimal path</button></form>\n'
    '<div id="stage" tabindex="0" role="group" aria-label="Scene"><div id="scene"></div><div id="tables"></div></div>\n'
    '<div id="bar" lang="en">'
    + "".join(
        f'<button id="{id_}" title="{name}" aria-label="{name}" onclick="{action}">{sign}</button>'
        for id_, sign, name, action in BUTTONS
    )
    + '<label>Step <input id="slider" type="range" min="0" oninput="seek(+value)"></label><span id="where"></span>'
    f'<label>Speed <select id="speed" onchange="wait()">{SPEEDS}</select></label>'
    '<label>Step by <select id="units" onchange="choose(value)"></select></label>'
    '<label><input id="asks" type="checkbox" checked onchange="seek(at)"> Ask me</label></div>\n'
    '<details lang="en"><summary>Result and link</summary>\n'
    '<label>Result, to copy <textarea id="result" rows="6" readonly></textarea></label>\n'
    '<label>In another page <textarea id="embed" rows="2" readonly>{}</textarea></label></details>\n'
    '<section id="paper"></section>\n</main>\n'
)

MARKS = {"right": "Right.", "wrong": "That is not it."}  # how an answer is received


def page_data(lesson: Lesson) -> dict[str, Any]:
    """Return the data of the lesson page: ``lesson_data`` with frames.

    ``frames``, one per step of a scene: part, unit, step, sentence and question. ``stops``: frames for Page Down.
    ``printed``: frames on paper; ``unprinted``: a text if some are left out. A part has SVG elements, ``forms`` and
    ``pool``, see ``wavediff.app.draw.svg.packed``; its first ``symbols`` are targets of others. A unit has the ``size``
    of its frames, the number of ``parts``, and for each step in ``frames`` the changes: pairs of slot and place in the
    pool after the symbols, each minus that of the previous pair. Slot ``s`` is element ``s // n`` of part ``s % n`` of
    ``n``: the parts of the scene, then the same parts as tables with rows as elements, with ``names``. ``stacked``:
    size and offsets of the parts in a vertical layout. ``grid``, or ``rows`` of a sheet, are clickable: left, top,
    width and height of each, rows, columns, part, first number; ``arrows``: of the optimal paths. ``marks``: elements
    marked by an answer.

    Raises:
        PageTooLarge: see ``lesson_data``.
    """
    data = lesson_data(lesson, Frames)
    data["frames"] = [frame for place, part in enumerate(data["parts"]) for frame in _played(place, part.pop("scenes"))]
    player = Player(lesson)
    drawn = {(n, unit): one.pop("drawn") for n, part in enumerate(data["parts"]) for unit, one in part["units"].items()}
    data |= _printed([drawn[part, unit][k] for part, unit, k, *_ in data["frames"]], player.stops)
    times = {"milliseconds": player.all_milliseconds(), "stepMilliseconds": STEP_MS}
    marks = {mark: in_language(lesson.language, text) for mark, text in MARKS.items()}
    return data | {"stops": player.stops, "marks": marks} | times


def _played(part: int, scenes: Iterable[dict[str, Any]]) -> Iterator[list[Any]]:
    """Yield part, unit and step of each frame, with sentence and question, if any."""
    for scene in scenes:
        said, first = scene.get("say"), scene["first"]
        for k in range(first, scene["last"] + 1):
            more = {"say": said[k - first] if isinstance(said, list) else said} if said else {}
            if k == first and "ask" in scene:
                more["ask"] = scene["ask"]
            yield [part, scene["unit"], k, *([more] if more else [])]


def _printed(drawn: Sequence[int], stops: Sequence[int]) -> dict[str, Any]:
    """Return the frames to print (all, stops, or the last one, by number of elements), with a text."""
    last = len(drawn) - 1
    fit = (frames for frames in (range(last + 1), stops) if sum(drawn[n] for n in frames) <= MOST_PRINTED)
    printed = [*next(fit, (last,))]
    text = f"Steps {', '.join(map(str, printed))} of {last}: a browser would take minutes to print the others."
    return {"printed": printed, "unprinted": f"<p>{text}</p>" if len(printed) <= last else ""}


class Frames(Numbers):
    """Frames of a part as SVG; see ``page_data``."""

    def __init__(self) -> None:
        super().__init__()
        self.svg = Svg(lambda ink: f"var(--{ink})")
        self._layouts: dict[Unit, Layout] = {}
        self._tables = PageTables(self.svg)
        self._style = Style(Preset.PAGE)

    def unit(self, part: Part, unit: Unit, scenes: Sequence[Scene]) -> dict[str, Any]:
        layout = self._layouts[unit] = lay_out(unit_extents(part.shown, unit, 0, self._style), FRAME_PX, self._style)
        shapes = [
            self._tables.shape((unit, place), parts)
            for place, parts in enumerate(zip(*(scene.parts for scene in scenes), strict=True))
        ]
        frames, drawn, before = [], [], list[Ids]()
        for step, scene in enumerate(scenes):
            now = self.frame(part, unit, step, scene)
            frames.append(_changes(before, now))
            drawn.append(sum(ids.size for ids in now[: len(shapes)]))
            before = now
            check_size(self.svg.size)
        names = [html.escape(caption(one)) for one in scenes[-1].parts]
        clicked, below = _clicked(layout, scenes), stacked(layout)
        if clicked:  # what is drawn over it moves with it
            below.append(below[2 + clicked[clicked["marked"]][6]])
        size = [round(side, 1) for side in layout.size]
        data = {"name": UNIT_NAMES[unit], "size": size, "stacked": below, "frames": frames, "drawn": drawn}
        return {**data, "parts": len(shapes), "shapes": shapes, "names": names, **clicked}

    def frame(self, part: Part, unit: Unit, step: int, scene: Scene, *, asked: bool = False) -> list[Ids]:
        drawn: list[Ids] = []
        extras = Extras(tinted=step == part.trace.steps(unit) and not asked)
        draw_scene(
            self.svg, self._layouts[unit], scene, step, extras, asked=asked,
            drawn=lambda _: drawn.append(self.svg.take()),
        )  # fmt: skip
        return drawn + [self._tables.cells((unit, place), one, step) for place, one in enumerate(scene.parts)]

    def question(self, part: Part, question: Question) -> dict[str, Any]:
        unit, step = question.unit, question.shown
        scene = part.shown.scene(unit, step)
        plain, asked = (self.frame(part, unit, step, scene, asked=asked) for asked in (False, True))
        return {"frame": _changes(plain, asked)}

    def kept(self) -> dict[str, Any]:
        return {**packed([*self.svg.symbols, *self.svg.pool]), "symbols": len(self.svg.symbols)}


def _changes(before: Sequence[Ids], now: Sequence[Ids]) -> list[int]:
    """Return the slots and elements changed by a frame, delta-coded; element 0 is empty."""
    changed: list[npt.NDArray[np.int64]] = [np.zeros((1, 2), np.int64)]
    for part, ids in enumerate(now):
        old = before[part] if before else np.zeros(0, np.int64)
        size = max(ids.size, old.size)
        new, known = np.zeros(size, np.int64), np.full(size, -1)
        new[: ids.size], known[: old.size] = ids, old
        places = np.flatnonzero(new != known)
        changed.append(np.stack([places * len(now) + part, new[places]], axis=1))
    pairs = np.concatenate(changed)
    changes: list[int] = (pairs[1:] - pairs[:-1]).ravel().tolist()
    return changes


def _clicked(layout: Layout, scenes: Sequence[Scene]) -> dict[str, Any]:
    """Return the positions of cells and rows for questions, and the paths through the cells."""
    data, last = dict[str, Any](), scenes[-1]
    for place, part in enumerate(last.parts):
        if part is last.grid:
            corner, shape = layout.corners[place], last.grid.values.shape
            first = int(shape[0] == len(last.grid.left))
            cell = [round(layout.cell, 2)] * 2
            data["grid"] = [round(corner.x, 1), round(corner.y, 1), *cell, *shape, place, first]
            if last.grid.arrows is not None:
                bits = "".join(f"{one:x}" for one in last.grid.arrows.bits.ravel().tolist())
                jumps = {f"{row},{col}": to for (row, col), to in last.grid.arrows.jumps.items()}
                data["arrows"] = {"bits": bits, "jumps": jumps, "ends": last.grid.arrows.ends}
        elif isinstance(part, Sheet) and "rows" not in data:
            row = sheet_row(part, layout.boxes[place], layout.cell, layout.style, 0)
            n_rows = max(len(one.rows) for scene in scenes if isinstance(one := scene.parts[place], Sheet))
            data["rows"] = [*(round(side, 1) for side in row), n_rows, 1, place, 0]
    return data and {"marked": next(iter(data)), **data}


def page(lesson: Lesson) -> Iterator[bytes]:
    """Yield a lesson as one HTML file, which includes the command that creates it."""
    yield lesson_page(lesson, lesson.command("--html", f"{lesson.id}.html")).encode()


def lesson_page(lesson: Lesson, command: str = "", course: Sequence[Lesson] = (), report: str = "") -> str:
    """Return a lesson as one HTML file.

    Args:
        command: recreates the page; stored in it.
        course: the lessons of its course, with pages in the same folder. report: script that defines ``report``, a
            function of the score.

    Raises:
        PageTooLarge: see ``lesson_data``.
    """
    # A sentence may hold "</script>", which would end the data.
    data = json.dumps(page_data(lesson), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    title = html.escape(lesson.title)
    return (
        f"{_head(title, lesson.language)}"
        f'<meta name="command" content="{html.escape(command, quote=True)}">\n'
        f"<style>\n{_style()}</style>\n<header>{_way(lesson, course)}<h1>{title}</h1>\n"
        f'<p class="source">{html.escape(lesson.source)}</p></header>\n{STAGE.format(html.escape(embedding(lesson)))}'
        f"<script>\nconst LESSON = {data};\n{report}{SCRIPT.read_text('utf-8')}</script>\n</html>\n"
    )


def embedding(lesson: Lesson, height_px: int = EMBEDDED_PX) -> str:
    """Return the HTML element that embeds the page of a lesson."""
    title, name = (html.escape(text, quote=True) for text in (lesson.title, lesson.id))
    return f'<iframe src="{name}.html" title="{title}" style="width: 100%; height: {height_px}px; border: 0"></iframe>'


def _head(title: str, language: str = ENGLISH) -> str:
    return (
        f'<!doctype html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
        f'<title>{title} – Wavediff</title>\n<meta name="viewport" content="width=device-width">\n'
        f'<meta name="generator" content="Wavediff {VERSION}">\n'
    )


def _style() -> str:
    light, dark = ("".join(f"--{ink}: {named_colours(dark)[ink]}; " for ink in Ink) for dark in (False, True))
    schemes = f":root {{ {light}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark}}} }}\n"
    return f"{schemes}svg {{ font-family: {FONTS}; }}\n{STYLE.read_text('utf-8')}"


def _way(lesson: Lesson, course: Sequence[Lesson]) -> str:
    places = [place for place, heading in enumerate(course) if heading.id == lesson.id]
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


def course_page(lessons: Iterable[Lesson], title: str = "Lessons") -> str:
    """Return the index page of lessons by topic, each in a file ``ID.html`` next to it."""
    topics: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        topics.setdefault(lesson.topic, []).append(lesson)
    tables = "".join(
        f"<h2>{html.escape(', '.join(filter(None, (topic, minutes_text(sum(one.minutes for one in those))))))}</h2>\n"
        f"<table>\n{''.join(map(_row, those))}</table>\n"
        for topic, those in topics.items()
    )
    title = html.escape(title)
    return f"{_head(title)}<style>\n{_style()}</style>\n<main><h1>{title}</h1>\n{tables}</main>\n</html>\n"


def minutes_text(minutes: int) -> str:
    return f"{number(minutes)} min"


def _row(lesson: Lesson) -> str:
    return (
        f'<tr><td><a href="{html.escape(lesson.id, quote=True)}.html">{html.escape(lesson.title)}</a></td>'
        f"<td>{html.escape(lesson.source)}</td><td>{html.escape(minutes_text(lesson.minutes))}</td></tr>\n"
    )
