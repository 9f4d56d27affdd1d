"""Lines of a text, and numbers for them: equal lines have equal numbers."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, letter_type
from wavediff.core.jobs.events import Event, Step
from wavediff.core.sequences.characters import decoded

LINE_END = ord("\n")
LINES_A_STEP = 1 << 15  # numbered between two reports


class TextLines(NamedTuple):
    """A text and where its lines begin.

    Attributes:
        text: a character a letter.
        starts: int64, shape (n + 1,): the first letter of each line, last the number of letters.
    """

    text: str
    starts: Counts

    def __len__(self) -> int:
        return self.starts.size - 1

    def line(self, k: int) -> str:
        """Return line ``k`` with its line end."""
        return self.text[self.starts[k] : self.starts[k + 1]]


def line_starts(letters: Letters) -> Counts:
    """Return the first letter of each line, last the number of letters; a line end is part of its line.

    The last line has none: readers leave that of a file out.

    >>> line_starts(np.frombuffer(b"one\\n\\ntwo", np.uint8)).tolist()
    [0, 4, 5, 8]
    """
    return np.concatenate(([0], np.flatnonzero(letters == LINE_END) + 1, [letters.size])).astype(np.int64)


def text_lines(letters: Letters, characters: str) -> TextLines:
    """Return ``letters``, whose codes stand for ``characters``, as lines; bytes have a character each."""
    text = decoded(letters, characters) if characters else letters.tobytes().decode("latin-1")
    return TextLines(text, line_starts(letters))


class LineNumbers(NamedTuple):
    """Numbers of the lines of both texts.

    Attributes:
        a, b: a number a line, of the narrowest type.
        blank: bool, shape (numbers,): whether a line of that number is white space.
    """

    a: Letters
    b: Letters
    blank: np.ndarray


def number_lines(step: Step, a: TextLines, b: TextLines) -> Generator[Event, None, LineNumbers]:
    """Return a number for each line; the line end at the end of a text may be missing without a difference."""
    numbers: dict[str, int] = {}
    found = []
    for lines in (a, b):
        starts, text = lines.starts.tolist(), lines.text
        these = np.empty(len(lines), np.uint32)
        for first in range(0, len(lines), LINES_A_STEP):
            since, end = perf_counter(), min(first + LINES_A_STEP, len(lines))
            for k in range(first, end):
                these[k] = numbers.setdefault(text[starts[k] : starts[k + 1]].removesuffix("\n"), len(numbers))
            yield step.done("lines", since)
        found.append(these)
    blank = np.fromiter((not line.strip() for line in numbers), bool, len(numbers))
    kind = letter_type(len(numbers))
    return LineNumbers(found[0].astype(kind, copy=False), found[1].astype(kind, copy=False), blank)
