"""A lesson as text, as data, and as one HTML file that plays from disk without a network.

The page's script knows tables, words and questions, and no algorithm: all values, ranks, arrows and sentences are in
its data, so that the recurrences exist once.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import WavediffError
from core.system.version import VERSION
from core.teach.lesson import Lesson, Part, Scene
from core.teach.questions import ask
from core.teach.scene import Bits, Grid, Trace
from core.teach.scene import Scene as Moment
from core.teach.unit import UNIT_NAMES, Unit
from core.translate import tr

PLAYER = Path(__file__).resolve().parents[2] / "resources" / "lessons" / "player.js"
STYLE = PLAYER.with_name("player.css")
MAX_PAGE_STEPS = 1 << 14  # of a unit, each with its sentence: a table of 128 x 128 cell by cell


class PageTooLarge(WavediffError):
    """More steps than a page has sentences for."""

    def __init__(self, unit: Unit, steps: int) -> None:
        most = f"{MAX_PAGE_STEPS:,} fit, which rows, columns and antidiagonals always do"
        super().__init__(f"{steps:,} steps by {unit} are too many for a page; {most}")


def lesson_text(lesson: Lesson, step: int | None = None) -> str:
    """Return a lesson as plain text: each step's sentence, its table and its words.

    Args:
        step: of each part, that of the first scene that has it, alone.

    Raises:
        WavediffError: no scene has the step.
    """
    blocks = [f"{lesson.title}\n{lesson.source}"]
    for part in lesson.parts:
        names = "\n".join(f"{name.upper()} {one}" for name, one in part.inputs.items() if isinstance(one, str))
        steps = [(scene, k) for scene in part.scenes for k in range(scene.first, scene.last + 1)]
        if step is not None:
            steps = [one for one in steps if one[1] == step][:1]
        if steps:
            blocks.append(names)
            blocks += [_step_text(part, scene, k) for scene, k in steps]
    if step is not None and len(blocks) == 1:
        raise WavediffError(f"'{lesson.id}' has no step {step}")
    return "\n\n".join(blocks) + "\n"


def _step_text(part: Part, scene: Scene, k: int) -> str:
    trace = part.trace
    lines = [tr("{unit} {k} of {steps}", unit=tr(UNIT_NAMES[scene.unit]), k=k, steps=trace.steps(scene.unit))]
    lines += [part.sentence(scene, k), ""]
    moment = trace.scene(scene.unit, k)
    if moment.grid is not None:
        lines += _grid_lines(moment.grid, k)
    words = _words_of(moment)
    if words is not None:
        known = [row for row in words.rows if row[1].strip()]
        longest = max((len(name) for name, _ in known), default=0)
        lines += ["", *(f"{name.ljust(longest)}  {word}" for name, word in known)]
    return "\n".join(lines)


def _grid_lines(grid: Grid, k: int) -> list[str]:
    width = max(2, len(str(int(grid.values.max(initial=0)))) + 1)
    lines = [" " * 2 + "".join(letter.rjust(width) for letter in (" ", *grid.top))]
    for i, letter in enumerate((" ", *grid.left)):
        known = [str(int(v)) if r <= k else "." for v, r in zip(grid.values[i], grid.rank[i], strict=True)]
        new = [0 < r == k for r in grid.rank[i]]
        cells = (("*" + text if is_new else text).rjust(width) for text, is_new in zip(known, new, strict=True))
        lines.append(f"{letter} " + "".join(cells))
    return lines


def _words_of(moment: Moment) -> Bits | None:
    return next((part for part in moment.parts if isinstance(part, Bits)), None)


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """Return all that a player needs.

    ``parts``: each with ``grid`` (rows, cols, values, arrows and whether a cell lies on an optimal path, as base64 of
    int32, uint8 and uint8; left and top letters), ``units`` (steps, rank as base64 of int32, sentences, cited cells,
    words by step) and ``scenes`` (unit, first, last, sentence, question).

    Raises:
        PageTooLarge: a unit has more than ``MAX_PAGE_STEPS`` steps.
    """
    return {
        "id": lesson.id,
        "title": lesson.title,
        "source": lesson.source,
        "notes": lesson.notes,
        "version": VERSION,
        "parts": [_part_data(part) for part in lesson.parts],
    }


def _part_data(part: Part) -> dict[str, Any]:
    grid = part.trace.scene(part.units[0], 0).grid
    assert grid is not None
    assert grid.arrows is not None
    rows, cols = grid.values.shape
    return {
        "grid": {
            "name": grid.name,
            "rows": rows,
            "cols": cols,
            "values": _base64(grid.values.astype("<i4")),
            "arrows": _base64(grid.arrows.bits),
            "onPath": _base64(grid.arrows.on_path.astype(np.uint8)),
            "left": [" ", *grid.left],
            "top": [" ", *grid.top],
        },
        "units": {str(unit): _unit_data(part.trace, unit) for unit in part.units},
        "scenes": [_scene_data(part, scene) for scene in part.scenes],
    }


def _unit_data(trace: Trace, unit: Unit) -> dict[str, Any]:
    steps = trace.steps(unit)
    if steps > MAX_PAGE_STEPS:
        raise PageTooLarge(unit, steps)
    scenes = [trace.scene(unit, k) for k in range(steps + 1)]
    return {
        "steps": steps,
        "rank": _base64(one.rank.astype("<i4") if (one := scenes[0].grid) is not None else np.zeros(0)),
        "say": [trace.say(unit, k) for k in range(steps + 1)],
        "cited": [[[one.row, one.col, int(one.wins)] for one in scene.cited] for scene in scenes],
        "words": [None if (words := _words_of(scene)) is None else words.rows for scene in scenes],
    }


def _scene_data(part: Part, scene: Scene) -> dict[str, Any]:
    found: dict[str, Any] = {"id": scene.id, "unit": str(scene.unit), "first": scene.first, "last": scene.last}
    if scene.say:
        found["say"] = part.sentence(scene, scene.first)
    if scene.ask is not None:
        question = ask(part.trace, scene.unit, scene.first, scene.ask)
        found["ask"] = {
            "kind": str(question.kind),
            "text": question.text,
            "accepts": sorted(question.accepts),
            "all": question.needs_all,
            "why": question.why,
        }
    return found


def _base64(array: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")


def lesson_page(lesson: Lesson, command: str = "") -> str:
    """Return a lesson as one HTML file.

    Args:
        command: that makes it again, kept in the file.

    Raises:
        PageTooLarge: see ``lesson_data``.
    """
    # A sentence may hold "</script>", which would end the data.
    data = json.dumps(lesson_data(lesson), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    title, words = html.escape(lesson.title), json.dumps(_words(), ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title} – Wavediff</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<meta name="generator" content="Wavediff {VERSION}">\n'
        f'<meta name="command" content="{html.escape(command, quote=True)}">\n'
        f"<style>\n{STYLE.read_text('utf-8')}</style>\n<h1>{title}</h1>\n"
        f'<p class="source">{html.escape(lesson.source)}</p>\n<main id="player"></main>\n'
        f"<script>\nconst LESSON = {data};\nconst WORDS = {words};\n{PLAYER.read_text('utf-8')}</script>\n</html>\n"
    )


def course_page(lessons: Iterable[Lesson]) -> str:
    """Return the page that lists lessons, each in a file ``ID.html`` beside it."""
    rows = "".join(
        f'<tr><td><a href="{html.escape(one.id, quote=True)}.html">{html.escape(one.title)}</a></td>'
        f"<td>{html.escape(one.source)}</td><td>{html.escape(tr('{n} min', n=one.minutes))}</td></tr>\n"
        for one in lessons
    )
    title = html.escape(tr("Lessons"))
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title} – Wavediff</title>\n'
        f"<style>\n{STYLE.read_text('utf-8')}</style>\n<h1>{title}</h1>\n<table>\n{rows}</table>\n</html>\n"
    )


def _words() -> dict[str, str]:
    """Return what the player itself says."""
    return {
        "start": tr("To the start"),
        "back": tr("Step back"),
        "play": tr("Play"),
        "pause": tr("Pause"),
        "on": tr("Step"),
        "end": tr("To the end"),
        "unit": tr("Step by"),
        "lesson": tr("Lesson"),
        "where": tr("{k} of {n}"),
        "check": tr("Check"),
        "tell": tr("Tell me"),
        "right": tr("Right."),
        "wrong": tr("Not yet."),
        "ask": tr("Ask me"),
        "click": tr("Click the cells, then Check."),
        "type": tr("Type the answer, then Enter."),
        "diagonal": tr("Diagonal"),
        "up": tr("Above"),
        "left": tr("Left"),
        "paths": tr("Tab shows one optimal path after the other."),
        **{str(unit): tr(name) for unit, name in UNIT_NAMES.items()},
    }
