"""Export of lessons as text and as data."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from itertools import zip_longest
from typing import Any

import numpy as np

from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.system.version import VERSION, schema
from wavediff.core.teach.language import in_language
from wavediff.core.teach.lesson import Lesson, Part, plain
from wavediff.core.teach.plan import Scene
from wavediff.core.teach.questions import Question, ask
from wavediff.core.teach.scene import NEVER, Bits, Grid, Lanes, Mark, Sheet
from wavediff.core.teach.scene import Part as ScenePart
from wavediff.core.teach.scene import Scene as TraceScene
from wavediff.core.teach.unit import UNIT_NAMES, Unit

LANE_COLUMNS = 60  # characters that the whole time takes
SIGNS = {
    Mark.NEW: "*", Mark.CITED: ".", Mark.WINNER: "!", Mark.SKIPPED: "/",
    Mark.RISING: "^", Mark.FALLING: "v", Mark.ON: "+",
}  # fmt: skip


def text(lesson: Lesson) -> Iterator[bytes]:
    yield lesson_text(lesson).encode()


def lesson_text(lesson: Lesson, step: int | None = None) -> str:
    """Return a lesson as plain text: each step's sentence, table and words.

    Args:
        step: only this step of each part, in the first scene with it.

    Raises:
        WavediffError: no scene has the step.
    """
    blocks = [f"{lesson.title}\n{lesson.source}"]
    for part in lesson.parts:
        names = "\n".join(f"{name.upper()} {text}" for name, text in part.texts.items())
        steps = [(scene, k) for scene in part.scenes for k in range(scene.first, scene.last + 1)]
        if step is not None:
            steps = [each for each in steps if each[1] == step][:1]
        if steps:
            blocks.append(names)
            blocks += [_step_text(part, scene, k) for scene, k in steps]
    if step is not None and len(blocks) == 1:
        last = max(scene.last for part in lesson.parts for scene in part.scenes)
        raise WavediffError(f"'{lesson.id}' has no step {step}; its last one is {last}")
    return "\n\n".join(blocks) + "\n"


def _step_text(part: Part, scene: Scene, k: int) -> str:
    trace = part.trace
    place = f"{UNIT_NAMES[scene.unit]} {number(k)} of {number(trace.steps(scene.unit))}"
    lines = [in_language(part.language, place), part.sentence(scene, k), ""]
    for part_ in part.shown.scene(scene.unit, k).parts:
        lines += _part_lines(part_, k)
    return "\n".join(lines).rstrip()


def _part_lines(part: ScenePart, k: int) -> list[str]:
    if isinstance(part, Grid):
        return _grid_lines(part, k)
    if isinstance(part, Bits):
        known = [row for row in part.rows if row[1].strip()]
        longest = max((len(name) for name, _ in known), default=0)
        heads = [" " * (longest + 2) + " ".join(part.heads)] if part.heads and not part.down else []
        return ["", *heads, *(f"{name.ljust(longest)}  {_grouped(word, part.groups)}" for name, word in known)]
    if isinstance(part, Sheet):
        return _sheet_lines(part)
    return _lane_lines(part)


def _grouped(word: str, groups: int) -> str:
    return " ".join(word[k : k + groups] for k in range(0, len(word), groups)) if groups else word


def _sheet_lines(part: Sheet) -> list[str]:
    """Return the rows of a sheet; marks are shown by symbols."""
    marks = part.marks or tuple((Mark.PLAIN,) * len(row) for row in part.rows)
    blank, gap = (" ", " ") if part.marks and len(part.heads) == 1 else ("", "")  # no sign is part of a formula
    rows = [
        tuple(f"{SIGNS.get(mark, blank)}{gap}{text}" for text, mark in zip(texts, line, strict=True))
        for texts, line in zip(part.rows, marks, strict=True)
    ]
    wide = [max(map(len, texts)) for texts in zip_longest(part.heads, *rows, fillvalue="")]
    lines = ["", part.title] if part.title else [""]
    shown = [part.heads, *rows] if any(part.heads) else rows
    padded = ((text.ljust(width) for text, width in zip(texts, wide, strict=False)) for texts in shown)
    return lines + ["  ".join(texts).rstrip() for texts in padded]


def _lane_lines(part: Lanes) -> list[str]:
    longest = max((len(name) for name in part.names), default=0)
    lines = [""]
    for lane, name in enumerate(part.names):
        line = [" "] * LANE_COLUMNS
        for place in np.flatnonzero((part.lane == lane) & (part.began < part.now)).tolist():
            began, ended = float(part.began[place]), min(float(part.ended[place]), part.now)
            first = int(began / part.total * LANE_COLUMNS)
            last = max(first + 1, round(ended / part.total * LANE_COLUMNS))
            label = part.label[place] if part.label else ""
            line[first:last] = label.ljust(last - first, "█")[: last - first]
        lines.append(f"{name.ljust(longest)} |{''.join(line)}|")
    return lines


def _grid_lines(grid: Grid, k: int) -> list[str]:
    rows, cols = grid.values.shape
    top, left = ((" ",) * (n - len(names)) + tuple(names) for n, names in ((cols, grid.top), (rows, grid.left)))
    known = np.where(grid.rank <= k, grid.values.astype(str), ".").tolist()
    ever = grid.values[grid.rank < NEVER]
    width = max(2, *(len(str(value)) + 1 for value in (*top, int(ever.max(initial=0)), int(ever.min(initial=0)))))
    wide = max(map(len, left), default=1)
    marks = np.zeros((rows, cols), np.uint8) if grid.marks is None else grid.marks
    lines = [" " * (wide + 1) + "".join(letter.rjust(width) for letter in top)]
    for i, letter in enumerate(left):
        signs = [
            "*"
            if 0 < rank == k and not mark
            else SIGNS.get(Mark(mark), "")
            if rank <= k or mark == Mark.SKIPPED
            else ""
            for rank, mark in zip(grid.rank[i].tolist(), marks[i].tolist(), strict=True)
        ]
        cells = ((sign + text).rjust(width) for text, sign in zip(known[i], signs, strict=True))
        lines.append(f"{letter.ljust(wide)} " + "".join(cells))
    return lines


MAX_PAGE_STEPS = 1 << 14  # of a unit, each with its sentence: a table of 128 x 128 cell by cell
MAX_PAGE_BYTES = 16 << 20  # of numbers in a part: a table of 512 x 512 with its ranks takes 3 MB


class PageTooLarge(WavediffError):
    """More steps or numbers than the page allows."""


def lesson_data(lesson: Lesson, new_pool: Callable[[], Numbers] | None = None) -> dict[str, Any]:
    """Return a lesson as a data structure.

    ``parts``: each with ``units``, ``scenes`` and the objects they refer to by index. A unit has, for each
    step, its sentence, its display, and (``same``) the corresponding step of each other unit. A scene has unit, first,
    last, and optionally a sentence and a question.

    Args:
        new_pool: creates the encoder of a part. Default ``Numbers``: ``arrays`` holds base64 of little-endian int32 or
            uint8 numbers, ``pool`` each distinct part of a display once. A unit has its cited cells and the indices of
            its parts in ``pool``.

    Raises:
        PageTooLarge: a unit has more than ``MAX_PAGE_STEPS`` steps, or there are too many numbers.
    """
    return {
        "id": lesson.id,
        "title": lesson.title,
        "source": lesson.source,
        "notes": lesson.notes,
        "version": VERSION,
        "parts": [_part_data(part, (new_pool or Numbers)()) for part in lesson.parts],
    }


def document(lesson: Lesson) -> Iterator[bytes]:
    yield json.dumps({**schema("lesson"), **lesson_data(lesson)}, ensure_ascii=False, indent=1).encode() + b"\n"


def check_size(size: int) -> None:
    if size > MAX_PAGE_BYTES:
        most = f"{MAX_PAGE_BYTES:,} fit: fewer units or shorter inputs do"
        raise PageTooLarge(f"a page of {size:,} bytes is too large; {most}")


class Numbers:
    """Encoder of a lesson part that stores equal arrays and equal scene parts once."""

    def __init__(self) -> None:
        self.arrays: list[str] = []
        self.parts: list[dict[str, Any]] = []
        self._places: dict[object, int] = {}
        self._size = 0

    def _place(self, key: object, size: int, into: list[Any], value: Any) -> int:
        if key not in self._places:
            self._size += size
            check_size(self._size)
            self._places[key] = len(into)
            into.append(value)
        return self._places[key]

    def unit(self, part: Part, unit: Unit, scenes: Sequence[TraceScene]) -> dict[str, Any]:  # noqa: ARG002
        """Return the data of all steps of a unit."""
        return {
            "cited": [[[cell.row, cell.col, int(cell.wins)] for cell in scene.cited] for scene in scenes],
            "parts": [[self._part(each) for each in scene.parts] for scene in scenes],
        }

    def question(self, part: Part, question: Question) -> dict[str, Any]:  # noqa: ARG002
        """Return what the display changes while a question is open: nothing."""
        return {}

    def kept(self) -> dict[str, Any]:
        """Return the stored arrays and scene parts."""
        return {"arrays": self.arrays, "pool": self.parts}

    def _array(self, values: np.ndarray) -> int:
        raw = np.ascontiguousarray(values).tobytes()
        text = base64.b64encode(raw).decode("ascii")
        return self._place(raw, len(text), self.arrays, text)

    def _part(self, part: ScenePart) -> int:
        data = self._data(part)
        text = json.dumps(data, sort_keys=True)
        return self._place(text, len(text), self.parts, data)

    def _data(self, part: ScenePart) -> dict[str, Any]:
        if isinstance(part, Grid):
            return self._grid(part)
        data = {field.name: plain(getattr(part, field.name)) for field in fields(part)}
        if isinstance(part, Bits):
            data["marks"] = part.marks or ["." * len(word) for _, word in part.rows]
        if isinstance(part, Lanes):
            data["kind"] = data["kind"] or []
        return {"type": type(part).__name__.lower(), **data}

    def _grid(self, grid: Grid) -> dict[str, Any]:
        rows, cols = grid.values.shape
        data: dict[str, Any] = {
            "type": "grid", "name": grid.name, "rows": rows, "cols": cols,
            "values": self._array(grid.values.astype("<i4")), "rank": self._array(grid.rank.astype("<i4")),
            "left": list(grid.left), "top": list(grid.top), "block": grid.block,
            "boxes": [[box.row, box.col, box.rows, box.cols, box.label, int(box.mark)] for box in grid.boxes],
            "lines": [{"points": line.points, "kind": line.kind} for line in grid.lines],
        }  # fmt: skip
        if grid.marks is not None:
            data["marks"] = self._array(grid.marks.astype(np.uint8))
        if grid.arrows is not None:
            data["arrows"] = self._array(grid.arrows.bits)
            data["onPath"] = self._array(grid.arrows.on_path.astype(np.uint8))
            data["jumps"] = {f"{row},{col}": to for (row, col), to in grid.arrows.jumps.items()}
        return data


def _part_data(part: Part, pool: Numbers) -> dict[str, Any]:
    units = {str(unit): _unit_data(part, unit, pool) for unit in part.units}
    scenes = [_scene_data(part, scene, pool) for scene in part.scenes]
    return {**pool.kept(), "units": units, "scenes": scenes}


def _unit_data(part: Part, unit: Unit, pool: Numbers) -> dict[str, Any]:
    trace, steps = part.trace, range(part.trace.steps(unit) + 1)
    if len(steps) > MAX_PAGE_STEPS + 1:
        most = f"{MAX_PAGE_STEPS:,} fit, which rows, columns and antidiagonals always do"
        raise PageTooLarge(f"{len(steps) - 1:,} steps by {unit} are too many for a page; {most}")
    return {
        "steps": len(steps) - 1,
        "say": [trace.say(unit, k) for k in steps],
        "same": {str(other): [trace.same(unit, k, other) for k in steps] for other in part.units if other != unit},
        **pool.unit(part, unit, [part.shown.scene(unit, k) for k in steps]),
    }


def _scene_data(part: Part, scene: Scene, pool: Numbers) -> dict[str, Any]:
    data: dict[str, Any] = {"id": scene.id, "unit": str(scene.unit), "first": scene.first, "last": scene.last}
    if scene.each:
        data["each"] = True
    if scene.say:
        said = [part.sentence(scene, step) for step in range(scene.first, scene.last + 1)]
        data["say"] = said if len(set(said)) > 1 else said[0]
    if scene.ask is not None:
        question = ask(part.trace, scene.unit, scene.first, scene.ask)
        data["ask"] = {
            "kind": str(question.kind),
            "choices": question.options,
            "text": question.text,
            "accepts": sorted(question.accepts),
            "all": question.needs_all,
            "why": question.why,
            "answer": question.answer,
            "shown": question.shown,
            "slips": [[sorted(each.answer), each.text, each.cells] for each in question.slips],
            **pool.question(part, question),
        }
    return data
