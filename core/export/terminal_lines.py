"""Comparison by lines in a terminal, and colours of terminal text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from itertools import groupby
from typing import TextIO

import numpy as np

from wavediff.core.base.numbers import count, number
from wavediff.core.export.comparison import Comparison
from wavediff.core.jobs.line_result import LineKind, LineRows
from wavediff.core.jobs.line_view import LineView, line_view
from wavediff.core.methods.base import LINE
from wavediff.core.sequences.letter_text import glyph


class Style(StrEnum):
    """Kinds of marked words, with their colours."""

    LETTERS = "letters"  # that are equal
    ANSWER = "answer"
    QUIET = "quiet"
    MISMATCH = "mismatch"
    INSERTION = "insertion"
    DELETION = "deletion"
    SWAP = "swap"


Marking = Callable[[str, Style], str]  # puts the signs of a style around words
# Escape codes for 16, 256 and all colours; the last are those of the window's dark scheme.
_ESCAPES = {
    Style.LETTERS: ("",) * 3,
    Style.ANSWER: ("1",) * 3,
    Style.QUIET: ("2",) * 3,
    Style.MISMATCH: ("1;33", "1;38;5;223;48;5;94", "1;38;2;255;190;148;48;2;74;42;20"),
    Style.INSERTION: ("1;36", "1;38;5;153;48;5;24", "1;38;2;154;212;247;48;2;18;56;79"),
    Style.DELETION: ("1;32", "1;38;5;228;48;5;58", "1;38;2;245;236;125;48;2;66;63;18"),
    Style.SWAP: ("1;35", "1;38;5;218;48;5;53", "1;38;2;243;187;215;48;2;72;41;58"),
}


def plain(words: str, style: Style) -> str:  # noqa: ARG001
    return words


def columns(rows: list[tuple[str, ...]], left: Collection[int]) -> Iterator[str]:
    """Yield aligned table rows: columns ``left`` to the left, others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{'<' if at in left else '>'}{widths[at]}}" for at, cell in enumerate(row))
        yield "  ".join(cells).rstrip()


def wanted(color: str, stream: TextIO, environment: Mapping[str, str]) -> Marking:
    """Return the function that marks words on ``stream``; ``color``: always, never or auto."""
    usual = stream.isatty() and "NO_COLOR" not in environment and environment.get("TERM") != "dumb"
    return coloured(environment) if color == "always" or (color == "auto" and usual) else plain


def coloured(environment: Mapping[str, str]) -> Marking:
    """Return the function that colours words on the terminal described by ``environment``."""
    all_colours = environment.get("COLORTERM") in ("truecolor", "24bit")
    level = 2 if all_colours else 1 if "256color" in environment.get("TERM", "") else 0

    def mark(words: str, style: Style) -> str:
        escape_code = _ESCAPES[style][level]
        return f"\x1b[{escape_code}m{words}\x1b[0m" if words and escape_code else words

    return mark


SHOWN_HUNKS = 5  # unless all are wanted
SHOWN_ROWS = 20  # at the start, and at the end, of hunks that follow each other, unless all are wanted
CONTEXT_LINES = 1
ALL = "--all prints them"
TAB = "    "
MAX_LETTERS = 1000  # of a line, or of a part of one that changed; of equal ones the width of the terminal
_SIGNS = {
    LineKind.EQUAL: ("  ", Style.LETTERS),
    LineKind.ADDED: ("+ ", Style.INSERTION),
    LineKind.REMOVED: ("− ", Style.DELETION),
    LineKind.CHANGED: ("~ ", Style.MISMATCH),
}


def hunks(answer: Comparison, width: int, mark: Marking, everything: bool, rest: str = "") -> Iterator[str]:
    """Yield the hunks with ``CONTEXT_LINES`` of context; equal lines between them are folded into one."""
    rows: LineRows = answer.result.rows
    digits = len(number(max(rows.starts_a.size, rows.starts_b.size)))
    view = line_view(answer.result, answer.a, answer.b)
    near = view.near_hunks(CONTEXT_LINES)
    until = rows.kind.size
    if not everything and rows.n_hunks > SHOWN_HUNKS:
        until = int(np.argmax(rows.hunk > SHOWN_HUNKS))
    texts = _Texts(answer, width - 2 * digits - 4, mark)

    def folded(label: str) -> str:
        return mark(f"{'···':>{2 * digits + 1}} {label}", Style.QUIET)

    kinds = rows.kind.tolist()
    for kept, group in groupby(range(until), key=near.tolist().__getitem__):
        these = list(group)
        if not kept and len(these) > 1:
            yield folded(count(len(these), "equal line", "equal lines"))
            continue
        parts: list[list[int]] = []  # a line each: a row, or the rows of a block that moved
        for kind, block in groupby(these, key=kinds.__getitem__):
            of_kind = list(block)
            parts += [of_kind] if kind >= LineKind.MOVED_FROM else [[row] for row in of_kind]
        left = 0 if everything else max(0, len(parts) - 2 * SHOWN_ROWS)
        for k, part in enumerate([*parts[:SHOWN_ROWS], *parts[SHOWN_ROWS + left :]]):
            if left and k == SHOWN_ROWS:
                yield folded(f"{count(left, 'more line', 'more lines')}; {rest or ALL}")
            yield from texts.lines(part, digits)
    if until < rows.kind.size and (more := view.n_from(until)):
        patch = ", --diff FILE writes a patch" if answer.method.unit == LINE else ""
        unit = view.units[0]
        yield folded(f"{count(more, f'more {unit}', f'more {unit}s')}; {rest or ALL + patch}")


class _Texts:
    def __init__(self, answer: Comparison, width: int, mark: Marking) -> None:
        self._rows: LineRows = answer.result.rows
        self._a, self._b, self._view = answer.a, answer.b, LineView(answer.result, answer.a, answer.b)
        self._width, self._mark = max(width, 20), mark

    def lines(self, rows: list[int], digits: int) -> Iterator[str]:
        """Yield the line of a row; a moved block only at its old place."""
        if self._rows.kind[rows[0]] < LineKind.MOVED_FROM:
            yield self._line(rows[0], digits)
        elif self._rows.kind[rows[0]] == LineKind.MOVED_FROM:
            yield self._moved(rows, digits)

    def _line(self, row: int, digits: int) -> str:
        i, j = int(self._rows.a[row]), int(self._rows.b[row])
        kind = LineKind(self._rows.kind[row])
        sign, style = _SIGNS[kind]
        if kind == LineKind.EQUAL and min(i, j) < 0 and self._text(i, j).strip():
            sign = "↵ "
        if kind == LineKind.CHANGED:
            text = self._changed(row)
        else:
            text = self._mark(_cut(self._text(i, j), self._width if kind == LineKind.EQUAL else MAX_LETTERS), style)
        return f"{self._gutter(i, j, digits)}{self._mark(sign, style)}{text}".rstrip()

    def _moved(self, rows: list[int], digits: int) -> str:
        first = next((row for row in rows if self._text(int(self._rows.a[row]), -1).strip()), rows[0])
        i, j = int(self._rows.a[rows[0]]), int(self._rows.b[self._rows.partner[rows[0]]])
        text = f"moved, {count(len(rows), 'line', 'lines')}: {self._text(int(self._rows.a[first]), -1).strip()} …"
        return f"{self._gutter(i, j, digits)}{self._mark(f'→ {_cut(text, self._width)}', Style.SWAP)}"

    def _gutter(self, i: int, j: int, digits: int) -> str:
        one, other = (number(k + 1) if k >= 0 else "" for k in (i, j))
        return self._mark(f"{one:>{digits}} {other:>{digits}} ", Style.QUIET)

    def _text(self, i: int, j: int) -> str:
        side, line = (0, i) if i >= 0 else (1, j)
        start, end = self._view.span(side, line)
        return self._part(side, line, 0, end - start)

    def _changed(self, row: int) -> str:
        lines = int(self._rows.a[row]), int(self._rows.b[row])
        parts, at = [], 0
        for change in self._view.changes(row):
            old, new = self._part(0, lines[0], *change.a), self._part(1, lines[1], *change.b)
            parts.append(self._part(1, lines[1], at, change.b[0]))
            if old:
                parts.append(f"[-{old}-]" if self._mark is plain else self._mark(old, Style.DELETION))
            if new:
                parts.append(f"{{+{new}+}}" if self._mark is plain else self._mark(new, Style.INSERTION))
            at = change.b[1]
        start, end = self._view.span(1, lines[1])
        return "".join([*parts, self._part(1, lines[1], at, end - start)])

    def _part(self, side: int, line: int, first: int, end: int) -> str:
        """Return letters of a line; of more than ``MAX_LETTERS`` the two ends."""
        if end - first > MAX_LETTERS:
            half = MAX_LETTERS // 2
            return f"{self._part(side, line, first, first + half)}…{self._part(side, line, end - half, end)}"
        sequence, start = (self._a, self._b)[side], self._view.span(side, line)[0]
        codes = sequence.letters[start + first : start + end].tolist()
        return "".join(TAB if code == 9 else glyph(code, sequence.characters) for code in codes)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
