"""Syntax colours of visible lines, found by Pygments in slices of milliseconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from time import perf_counter
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wavediff.app.compare.lines.line_cells import LineCells
from wavediff.app.draw.drawing import Ink
from wavediff.app.ui.pair import Side

SLICE_SECONDS = 0.004
AHEAD_LINES, BEFORE_LINES = 20_000, 200  # that are passed on the way to a line; above one that is farther away
LONG_LETTERS = 1 << 14  # of a line: a text with a longer one has no colours, since a token may take as long
MAX_LETTERS = 1 << 22  # that are handed over at once
Token = tuple[int, int, Ink]


class Highlighter(QObject):
    """Syntax colours of one text; ``reached`` reports that further lines have theirs.

    A multi-line token that begins more than ``BEFORE_LINES`` above a far jump may be highlighted wrongly.
    """

    reached = Signal()

    def __init__(self, cells: LineCells, side: Side, parent: QObject) -> None:
        super().__init__(parent)
        self._cells, self._side = cells, side
        self._starts = cells.starts[side]
        sequence = cells.sequences[side]
        self._source = "" if sequence is None else sequence.source  # empty where nothing has a colour
        self._lexer: Any = None  # until it is needed
        self._found: dict[int, list[Token]] = {}
        self._steps: Iterator[int] = iter(())
        self._first = self._at = self._end = self._wanted = 0  # lines from, next and last of the pass, and what for
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._run_slice)

    def tokens(self, line: int) -> list[Token]:
        if not self._source or line in self._found:
            return self._found.get(line, [])
        if not self._first <= line < self._at:  # else it has no token
            self._wanted = max(line, self._wanted if self._timer.isActive() else 0)
            if not self._at <= line < self._end:
                self._start(max(0, line - BEFORE_LINES) if line > self._at + AHEAD_LINES or line < self._first else 0)
            self._timer.start()
        return []

    def finish(self) -> None:
        while self._timer.isActive():
            self._run_slice()

    def _start(self, line: int) -> None:
        n_lines = self._starts.size - 1
        self._found, self._first, self._at = {}, line, line
        self._end = min(line + AHEAD_LINES + BEFORE_LINES, n_lines)
        self._steps = self._pass(line, self._end)

    @Slot()
    def _run_slice(self) -> None:
        if self._lexer is None:
            short = int(np.diff(self._starts).max(initial=0)) <= LONG_LETTERS
            self._lexer = _lexer(self._source) if short else None
            self._source = self._source if self._lexer else ""
        if self._lexer is None:
            self._timer.stop()
            return
        until = perf_counter() + SLICE_SECONDS
        while self._at <= self._wanted and self._at < self._end:
            self._at = next(self._steps, self._end)
            if perf_counter() > until:
                return
        self._timer.stop()
        self.reached.emit()

    def _pass(self, first: int, end: int) -> Iterator[int]:
        """Tokenize lines ``[first, end)``; yield the first line of each token."""
        base = int(self._starts[first])
        text = self._cells.text(self._side, base, min(int(self._starts[end]), base + MAX_LETTERS))
        line = first
        for at, kind, value in self._lexer.get_tokens_unprocessed(text):
            while line + 1 < end and int(self._starts[line + 1]) <= base + at:
                line += 1
            ink = _ink(kind)
            if ink is not None:
                k, start = line, base + at
                for piece in value.split("\n"):
                    left = start - int(self._starts[k])
                    self._found.setdefault(k, []).append((left, left + len(piece), ink))
                    k, start = k + 1, start + len(piece) + 1
            yield line


def _ink(kind: Any) -> Ink | None:
    from pygments.token import Comment, Keyword, Operator, String

    if kind in String:
        return Ink.STRING
    if kind in Comment:
        return Ink.DIM
    return Ink.KEYWORD if kind in Keyword or kind is Operator.Word else None


def _lexer(source: str) -> Any:
    """Return the lexer for a file name, or None; Pygments' own lookup takes 100 ms."""
    from pygments.lexers import LEXERS, find_lexer_class

    path = PurePath(source)
    wanted = {f"*{path.suffix.lower()}", path.name}
    names = [name for _, name, _, patterns, _ in LEXERS.values() if not wanted.isdisjoint(patterns)]
    lexers = [kind for name in names if (kind := find_lexer_class(name)) is not None and name != "Text only"]
    return max(lexers, key=lambda kind: kind.priority)() if lexers else None
