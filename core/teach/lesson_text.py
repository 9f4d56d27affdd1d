"""A lesson as plain text: each step's sentence and its parts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import numpy as np

from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import number
from wavediff.core.teach.lesson import Lesson, Part, Scene
from wavediff.core.teach.scene import NEVER, Bits, Grid, Lanes, Mark, Sheet
from wavediff.core.teach.scene import Part as ScenePart
from wavediff.core.teach.unit import UNIT_NAMES

LANE_COLUMNS = 60  # characters that the whole time takes
SIGNS = {
    Mark.NEW: "*", Mark.CITED: ".", Mark.WINNER: "!", Mark.SKIPPED: "/",
    Mark.RISING: "^", Mark.FALLING: "v", Mark.ON: "+",
}  # fmt: skip


def text(lesson: Lesson) -> Iterator[bytes]:
    """Yield every step as text."""
    yield lesson_text(lesson).encode()


def lesson_text(lesson: Lesson, step: int | None = None) -> str:
    """Return a lesson as plain text: each step's sentence, its table and its words.

    Args:
        step: of each part, that of the first scene that has it, alone.

    Raises:
        WavediffError: no scene has the step.
    """
    blocks = [f"{lesson.title}\n{lesson.source}"]
    for part in lesson.parts:
        names = "\n".join(f"{name.upper()} {text}" for name, text in part.inputs.items() if isinstance(text, str))
        steps = [(scene, k) for scene in part.scenes for k in range(scene.first, scene.last + 1)]
        if step is not None:
            steps = [each for each in steps if each[1] == step][:1]
        if steps:
            blocks.append(names)
            blocks += [_step_text(part, scene, k) for scene, k in steps]
    if step is not None and len(blocks) == 1:
        raise WavediffError(f"'{lesson.id}' has no step {step}")
    return "\n\n".join(blocks) + "\n"


def _step_text(part: Part, scene: Scene, k: int) -> str:
    trace = part.trace
    lines = [f"{UNIT_NAMES[scene.unit]} {number(k)} of {number(trace.steps(scene.unit))}"]
    lines += [part.sentence(scene, k), ""]
    for part_ in trace.scene(scene.unit, k).parts:
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
    """Return the rows of a sheet; what is not plain is told by its sign."""
    marks = part.marks or tuple((Mark.PLAIN,) * len(row) for row in part.rows)
    rows = [
        tuple(SIGNS.get(mark, "") + text for text, mark in zip(texts, line, strict=True))
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
