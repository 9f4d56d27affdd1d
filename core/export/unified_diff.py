"""A comparison by lines as a unified diff, which ``patch`` and ``git apply`` take."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wavediff.core.base.errors import ExportError
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
    """Yield the hunks with ``CONTEXT_LINES`` lines round them; nothing where the files are the same."""
    rows: LineRows = answer.result.rows
    a, b = _Lines(answer.a, rows.starts_a), _Lines(answer.b, rows.starts_b)
    ours, theirs, differs = rows.a.copy(), rows.b.copy(), rows.kind != LineKind.EQUAL
    if a.line_end != b.line_end:
        differs[:] = True
    for row in np.flatnonzero((ours == a.n - 1) | (theirs == b.n - 1)).tolist():  # with and without a line end
        one, other = a.line(int(ours[row])), b.line(int(theirs[row]))
        differs[row] = one != other
        ours[row], theirs[row] = ours[row] if one else -1, theirs[row] if other else -1
    there = (ours >= 0) | (theirs >= 0)
    ours, theirs, differs = ours[there], theirs[there], differs[there]
    at = np.flatnonzero(differs)
    if not at.size:
        return
    yield f"--- {answer.a.source or answer.a.name}\n+++ {answer.b.source or answer.b.name}\n".encode()
    breaks = np.flatnonzero(np.diff(at) > 2 * CONTEXT_LINES + 1)
    firsts, lasts = at[np.append(0, breaks + 1)], at[np.append(breaks, at.size - 1)]
    before_a, before_b = (np.append(0, np.cumsum(lines >= 0)) for lines in (ours, theirs))
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        start, end = max(0, first - CONTEXT_LINES), min(differs.size, last + 1 + CONTEXT_LINES)
        ranges = (_range(int(before[start]), int(before[end])) for before in (before_a, before_b))
        yield "@@ -{} +{} @@\n".format(*ranges).encode()
        yield from _hunk(ours[start:end].tolist(), theirs[start:end].tolist(), differs[start:end].tolist(), a, b)


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

    def line(self, k: int) -> bytes:
        """Return a line with its end; nothing for -1, and for the one line of an empty file."""
        if k < 0:
            return b""
        letters = self._sequence.letters[self._starts[k] : self._starts[k + 1]]
        text = b"".join(utf8_pieces(letters, self._sequence.characters)).removesuffix(b"\n")
        return text if k == self.n - 1 and self.is_open else text + self.line_end


def _hunk(ours: list[int], theirs: list[int], differs: list[bool], a: _Lines, b: _Lines) -> Iterator[bytes]:
    added: list[bytes] = []
    for i, j, is_different in zip(ours, theirs, differs, strict=True):
        if not is_different:
            yield from added
            added = []
            yield _marked(b" ", a.line(i))
            continue
        if i >= 0:
            yield _marked(b"-", a.line(i))
        if j >= 0:
            added.append(_marked(b"+", b.line(j)))
    yield from added


def _range(before: int, until: int) -> str:
    n = until - before
    return str(until) if n == 1 else f"{before + (n > 0)},{n}"


def _marked(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + b"\n" + NO_LINE_END
