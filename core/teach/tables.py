"""Scene parts as text tables for screen readers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wavediff.core.teach.scene import Bits, Grid, Lanes, Mark, Part, Sheet

Codes = npt.NDArray[np.int64]
WORDS = {
    Mark.WINNER: "winner", Mark.SKIPPED: "skipped", Mark.RISING: "rises", Mark.FALLING: "falls", Mark.ON: "on",
}  # fmt: skip
UNKNOWN = 1 << 40  # in place of a value


def caption(part: Part) -> str:
    if isinstance(part, Sheet):
        return part.title or "List"
    return "Words" if isinstance(part, Bits) else "Times" if isinstance(part, Lanes) else f"Table {part.name}".rstrip()


def numbered(labels: Sequence[str], n: int, first: int) -> list[str]:
    """Return the labels of ``n`` rows or columns: number from ``first``, and letter."""
    names = [*[""] * (n - len(labels)), *labels]
    numbers = (str(place + first) for place in range(n))
    return [text if name in ("", text) else f"{text} {name}" for text, name in zip(numbers, names, strict=True)]


def grid_codes(grid: Grid, k: int) -> Codes:
    """Return a code for value and mark of each cell after step ``k``, see ``code_text``; int64, shape of the grid."""
    values = np.where(grid.rank <= k, grid.values.astype(np.int64), UNKNOWN)
    if grid.marks is None:
        return values * len(Mark)
    seen = (values != UNKNOWN) | (grid.marks == Mark.SKIPPED)
    codes: Codes = values * len(Mark) + np.where(seen, grid.marks, 0)
    return codes


def code_text(code: int) -> str:
    value, mark = divmod(code, len(Mark))
    return _marked("" if value == UNKNOWN else str(value), Mark(mark))


def table_rows(part: Bits | Sheet | Lanes) -> list[tuple[str, ...]]:
    """Return a part as rows of texts with a row and column of headings."""
    if isinstance(part, Bits):
        length = max((len(word) for _, word in part.rows), default=0)
        heads = part.heads or tuple(f"bit {place + 1}" for place in range(length))
        return [("word", *heads), *((name, *word) for name, word in part.rows if word.strip())]
    if isinstance(part, Sheet):
        marks = part.marks or [(Mark.PLAIN,) * len(row) for row in part.rows]
        both = zip(part.rows, marks, strict=True)
        if len(part.heads) == 1:  # a listing, whose formulas end before the mark
            return [part.heads, *((texts[0].rstrip(), WORDS.get(line[0], "")) for texts, line in both)]
        return [part.heads, *(tuple(map(_marked, *each)) for each in both)]
    return [("lane", "at work"), *((name, _bars(part, lane)) for lane, name in enumerate(part.names))]


def _marked(text: str, mark: Mark) -> str:
    return f"{text} {WORDS[mark]}".lstrip() if mark in WORDS else text


def _bars(part: Lanes, lane: int) -> str:
    bars = []
    for place in np.flatnonzero((part.lane == lane) & (part.began < part.now)).tolist():
        label = f"{part.label[place]}: " if part.label else ""
        bars.append(f"{label}{part.began[place]:g}–{min(part.ended[place], part.now):g}")
    return ", ".join(bars)
