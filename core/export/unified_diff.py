"""Comparison by lines as a unified diff and as an HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from wavediff.core.base.errors import ExportError, printable
from wavediff.core.base.numbers import count
from wavediff.core.export.comparison import Comparison
from wavediff.core.jobs.line_result import LineKind, LineRows
from wavediff.core.jobs.line_view import LineView, Spans
from wavediff.core.sequences.characters import utf8_pieces
from wavediff.core.sequences.letter_text import sign_of
from wavediff.core.sequences.sequence import Sequence

CONTEXT_LINES = 3
NO_LINE_END = b"\\ No newline at end of file\n"


def check(a: Sequence, b: Sequence) -> None:
    """Raise an error for texts whose lines differ from the bytes of their files.

    Raises:
        ExportError: A or B is such a text; the message names it.
    """
    for sequence in (a, b):
        if sequence.line_ends is None:
            raise ExportError(
                f"A unified diff cannot be written: '{sequence.name}' is no text in UTF-8 with line ends of one kind"
            )


def unified(answer: Comparison) -> Iterator[bytes]:
    """Yield the hunks with ``CONTEXT_LINES`` of context; nothing for identical files.

    Ignored differences are no changes: the context has the lines of A, and A with the patch applied differs from B in
    ignored differences only.
    """
    rows: LineRows = answer.result.rows
    a, b = _Lines(answer.a, rows.starts_a), _Lines(answer.b, rows.starts_b)
    ours, theirs, takes_b = rows.a, rows.b, rows.kind != LineKind.EQUAL
    at_end = np.flatnonzero((ours == a.n - 1) | (theirs == b.n - 1))
    if not answer.result.ignore.space:
        ends_differ = np.arange(rows.kind.size) if a.line_end != b.line_end else at_end
        takes_b[ends_differ] |= ~rows.ignored[ends_differ]
    there = np.where(takes_b, theirs, ours) >= 0
    final = int(np.flatnonzero(there).max(initial=0))  # the one row whose line may have no line end
    made = _Made(ours, theirs, takes_b, final, a, b)
    differs = takes_b.copy()
    for row in at_end.tolist():
        differs[row] = made.old(row) != made.new(row)
    kept = np.flatnonzero((ours >= 0) | (takes_b & (theirs >= 0)))
    at = np.flatnonzero(differs[kept])
    if not at.size:
        return
    name = _patched_name(answer.a)
    end = "\t\n" if " " in name else "\n"  # a tab ends a name with blanks
    yield f"diff --git a/{name} b/{name}\n--- a/{name}{end}+++ b/{name}{end}".encode()
    breaks = np.flatnonzero(np.diff(at) > 2 * CONTEXT_LINES + 1)
    firsts, lasts = at[np.append(0, breaks + 1)], at[np.append(breaks, at.size - 1)]
    before_a, before_b = (np.append(0, np.cumsum(has[kept])) for has in (ours >= 0, there))
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        start, end = max(0, first - CONTEXT_LINES), min(kept.size, last + 1 + CONTEXT_LINES)
        ranges = (_range(int(before[start]), int(before[end])) for before in (before_a, before_b))
        yield "@@ -{} +{} @@\n".format(*ranges).encode()
        yield from _hunk(kept[start:end].tolist(), differs, made)


def _patched_name(sequence: Sequence) -> str:
    """Return the path of A below the current folder, as ``git apply`` expects it, else its name."""
    path = PurePath(sequence.source or sequence.name)
    inside = not path.is_absolute() and ".." not in path.parts
    return printable(path.as_posix() if inside else path.name)


class _Lines:
    """Lines of a text as bytes of its file; ``is_open``: whether the last line has no line end."""

    def __init__(self, sequence: Sequence, starts: np.ndarray) -> None:
        ends = sequence.line_ends
        assert ends is not None
        self.line_end, self.is_open = ends.sign.encode(), not ends.at_end
        self.n = starts.size - 1
        self._sequence, self._starts = sequence, starts

    def line(self, k: int, *, closed: bool = False) -> bytes:
        """Return a line with its line end (forced if ``closed``); empty for -1."""
        if k < 0:
            return b""
        letters = self._sequence.letters[self._starts[k] : self._starts[k + 1]]
        text = b"".join(utf8_pieces(letters, self._sequence.characters)).removesuffix(b"\n")
        return text if k == self.n - 1 and self.is_open and not closed else text + self.line_end


class _Made(NamedTuple):
    """Rows of A, and of the patched text (from B if ``takes_b``)."""

    ours: np.ndarray
    theirs: np.ndarray
    takes_b: np.ndarray
    final: int
    a: _Lines
    b: _Lines

    def old(self, row: int) -> bytes:
        return self.a.line(int(self.ours[row]))

    def new(self, row: int) -> bytes:
        lines, at = (self.b, self.theirs) if self.takes_b[row] else (self.a, self.ours)
        return lines.line(int(at[row]), closed=row != self.final)


def _hunk(rows: list[int], differs: np.ndarray, made: _Made) -> Iterator[bytes]:
    added: list[bytes] = []
    for row in rows:
        old, new = made.old(row), made.new(row)
        if not differs[row]:
            yield from added
            added = []
            yield _marked(b" ", old)
            continue
        if old:
            yield _marked(b"-", old)
        if new:
            added.append(_marked(b"+", new))
    yield from added


def _range(before: int, until: int) -> str:
    n = until - before
    return str(until) if n == 1 else f"{before + (n > 0)},{n}"


def _marked(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + b"\n" + NO_LINE_END


LEAST_FOLDED = 6  # equal lines
MAX_LETTERS = 10_000  # of a line, or of a part that is marked or not; more have those at both ends
MOST_FOLDED_ROWS = 20_000  # of two texts whose equal lines are in the page too
_CLASSES = {
    LineKind.EQUAL: "e",
    LineKind.CHANGED: "c",
    LineKind.ADDED: "a",
    LineKind.REMOVED: "d",
    LineKind.MOVED_FROM: "m",
    LineKind.MOVED_TO: "m",
}
_STYLE = """
:root { color-scheme: light dark; --back: #fff; --well: #f7f9fb; --text: #18202a; --quiet: #4d5967; --line: #d5dbe3;
  --foot: #7a8695; --c: #fce3d3; --cm: #d55e00; --a: #d8eaf6; --am: #0072b2; --d: #f9f3ba; --dm: #4d4800; --m: #f6e1ec;
  --mm: #cc79a7 }
@media (prefers-color-scheme: dark) { :root { --back: #191f26; --well: #212932; --text: #e8ecf1; --quiet: #a6b2c0;
  --line: #323d49; --foot: #758395; --c: #4a2a14; --cm: #f07a26; --a: #12384f; --am: #4fa8e0; --d: #423f12;
  --dm: #f0e442; --m: #48293a; --mm: #dd94bc } }
body { margin: 16px; background: var(--back); color: var(--text); font: 15px system-ui, sans-serif }
h1 { font-size: 20px } h1 + p, summary, .g { color: var(--quiet) }
main { font: 13px/17px ui-monospace, monospace; border: 1px solid var(--line) }
.r { display: grid; grid-template-columns: 4em minmax(0, 1fr) 4em minmax(0, 1fr); scroll-margin: 4em }
.r i { color: var(--quiet); font-style: normal; text-align: right; padding-right: 1em; user-select: none }
.r i::before { content: attr(data-n) }
.r code { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; padding-left: 4px;
  border-left: 4px solid transparent }
.n { background: repeating-linear-gradient(45deg, transparent 0 4px, var(--line) 4px 5px) }
.c code { background: var(--c); border-color: var(--cm) }
.a code:last-child { background: var(--a); border-color: var(--am) }
.d code:nth-child(2) { background: var(--d); border-color: var(--dm) }
.m code:not(.n) { background: var(--m); border-color: var(--mm) }
.o code { text-decoration: underline dotted var(--foot) }
b { text-decoration: underline 2px var(--cm) } .m a { float: right; color: inherit; user-select: none }
summary, .g { padding: 1px 4em; background: var(--well) }
"""


def page(answer: Comparison) -> Iterator[bytes]:
    method, result = answer.method, answer.result
    n, m = len(answer.a), len(answer.b)
    names = f"{escape(answer.a.source or answer.a.name)} → {escape(answer.b.source or answer.b.name)}"
    yield f"<!DOCTYPE html>\n<html lang='en'>\n<meta charset='utf-8'>\n<title>{names}</title>\n".encode()
    yield f"<style>{_STYLE}</style>\n<h1>{escape(method.headline(result, n, m))}</h1>\n".encode()
    yield f"<p>{names} · {escape(' · '.join(method.remarks(result)))}</p>\n<main>\n".encode()
    rows = _Rows(answer)
    is_long = rows.view.rows.kind.size > MOST_FOLDED_ROWS
    near = rows.view.near_hunks(CONTEXT_LINES).tolist()
    for is_near, group in groupby(range(len(near)), near.__getitem__):
        these = list(group)
        label = count(len(these), "equal line", "equal lines")
        if is_near or len(these) < LEAST_FOLDED:
            yield from map(rows.row, these)
        elif is_long:
            yield f"<div class='g'>{label}</div>\n".encode()
        else:
            yield f"<details><summary>{label}</summary>\n".encode()
            yield from map(rows.row, these)
            yield b"</details>\n"
    yield b"</main>\n</html>\n"


class _Rows:
    def __init__(self, answer: Comparison) -> None:
        self.view = LineView(answer.result, answer.a, answer.b)

    def row(self, row: int) -> bytes:
        rows = self.view.rows
        kind, lines, marks = LineKind(rows.kind[row]), (int(rows.a[row]), int(rows.b[row])), self.view.marks(row)
        cells = "".join(self._cell(side, line, marks[side], self._link(row, side)) for side, line in enumerate(lines))
        is_first = rows.hunk[row] and (not row or rows.hunk[row - 1] != rows.hunk[row])
        place = f" id='r{row}'" if is_first else ""
        ignored = " o" if rows.ignored[row] else ""
        return f"<div class='r {_CLASSES[kind]}{ignored}'{place}>{cells}</div>\n".encode()

    def _cell(self, side: int, line: int, marks: Spans, link: str) -> str:
        if line < 0:
            return "<i></i><code class='n'></code>"
        text, parts, at = self.view.text(side, line), [], 0
        for start, end in marks:
            parts += [_safe(text[at:start]), f"<b>{_safe(text[start:end])}</b>"]
            at = end
        return f"<i data-n='{line + 1}'></i><code>{link}{''.join(parts)}{_safe(text[at:])}</code>"

    def _link(self, row: int, side: int) -> str:
        rows = self.view.rows
        kind = rows.kind[row]
        is_here = kind == (LineKind.MOVED_FROM, LineKind.MOVED_TO)[side]
        if not is_here or (row and rows.kind[row - 1] == kind and rows.hunk[row - 1] == rows.hunk[row]):
            return ""
        there = int(rows.partner[row])
        first = int(np.flatnonzero(rows.hunk[: there + 1] != rows.hunk[there])[-1] + 1) if there else 0
        return f"<a href='#r{first}'>{('moved to B', 'moved from A')[side]} {(rows.b, rows.a)[side][there] + 1:,}</a>"


def _safe(text: str) -> str:
    if len(text) > MAX_LETTERS:
        return f"{_safe(text[: MAX_LETTERS // 2])}…{_safe(text[-MAX_LETTERS // 2 :])}"
    return escape("".join(c if c == "\t" or c.isprintable() else (sign_of(c) or c) for c in text), quote=False)
