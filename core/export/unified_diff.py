"""A comparison by lines as a unified diff, which ``patch`` and ``git apply`` take."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from wavediff.core.base.errors import ExportError, printable
from wavediff.core.export.comparison import Comparison
from wavediff.core.jobs.line_result import LineKind, LineRows
from wavediff.core.sequences.characters import utf8_pieces
from wavediff.core.sequences.sequence import Sequence

CONTEXT_LINES = 3
NO_LINE_END = b"\\ No newline at end of file\n"


def check(a: Sequence, b: Sequence) -> None:
    """Refuse texts whose lines a file of bytes does not have as they were read.

    Raises:
        ExportError: with the name of the text.
    """
    for sequence in (a, b):
        if sequence.line_ends is None:
            raise ExportError(
                f"A unified diff cannot be written: '{sequence.name}' is no text in UTF-8 with line ends of one kind"
            )


def unified(answer: Comparison) -> Iterator[bytes]:
    """Yield the hunks with ``CONTEXT_LINES`` lines round them; nothing where the files are the same.

    What is ignored stays as A has it: lines of A are the context, and the patch makes of A what differs from B in what
    was ignored alone.
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
    """Return the name of A, which ``git apply`` wants on both sides: its path where that is below the folder of now."""
    path = PurePath(sequence.source or sequence.name)
    inside = not path.is_absolute() and ".." not in path.parts
    return printable(path.as_posix() if inside else path.name)


class _Lines:
    """Lines of a text as bytes of its file.

    Attributes:
        is_open: whether the last line has no line end.
    """

    def __init__(self, sequence: Sequence, starts: np.ndarray) -> None:
        ends = sequence.line_ends
        assert ends is not None
        self.line_end, self.is_open = ends.sign.encode(), not ends.at_end
        self.n = starts.size - 1
        self._sequence, self._starts = sequence, starts

    def line(self, k: int, *, closed: bool = False) -> bytes:
        """Return a line, with a line end where it has one or is ``closed``; nothing for -1."""
        if k < 0:
            return b""
        letters = self._sequence.letters[self._starts[k] : self._starts[k + 1]]
        text = b"".join(utf8_pieces(letters, self._sequence.characters)).removesuffix(b"\n")
        return text if k == self.n - 1 and self.is_open and not closed else text + self.line_end


class _Made(NamedTuple):
    """Rows of A, and of what a patch makes of it: of B where it ``takes_b``."""

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
