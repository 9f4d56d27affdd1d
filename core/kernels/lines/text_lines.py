"""Lines of a text, and numbers for them: equal lines have equal numbers."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, letter_type
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.lines.keys import Keys
from wavediff.core.methods.lines import LineJob
from wavediff.core.sequences.characters import case_folding, decoded

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


def text_lines(job: LineJob, *, fold_case: bool) -> tuple[TextLines, TextLines]:
    """Return both texts as lines; without ``characters`` bytes have a character each.

    Args:
        fold_case: letters that differ in case alone are one.
    """
    found = []
    for letters, empty in zip((job.a, job.b), job.empty, strict=True):
        shown = case_folding(job.characters)[letters] if fold_case else letters
        text = decoded(shown, job.characters) if job.characters else shown.tobytes().decode("latin-1")
        found.append(TextLines(text, np.zeros(1, np.int64) if empty else line_starts(letters)))
    return found[0], found[1]


class LineNumbers(NamedTuple):
    """Numbers of the lines of both texts: equal lines have equal ones.

    Attributes:
        a, b: a number a line, of the narrowest type.
        blank: bool, shape (numbers,): whether a line of that number is white space.
        read_a, read_b: numbers by which lines are equal only where nothing is ignored.
    """

    a: Letters
    b: Letters
    blank: np.ndarray
    read_a: Letters
    read_b: Letters


def number_lines(
    step: Step, read: tuple[TextLines, TextLines], folded: tuple[TextLines, TextLines], keys: Keys
) -> Generator[Event, None, LineNumbers]:
    """Return numbers of the lines; the line end at the end of a text may be missing without a difference.

    Args:
        read, folded: A and B as they were read, and with their case as it is compared.
    """
    numbers: dict[str, int] = {}
    found: list[np.ndarray] = []
    first_lines: list[str] = []
    for lines, shown in zip(read, folded, strict=True):
        starts, text = lines.starts.tolist(), lines.text
        these = np.empty(len(lines), np.uint32)
        for first in range(0, len(lines), LINES_A_STEP):
            since, end = perf_counter(), min(first + LINES_A_STEP, len(lines))
            for k in range(first, end):
                n = numbers.setdefault(text[starts[k] : starts[k + 1]].removesuffix("\n"), len(numbers))
                if n == len(first_lines):
                    first_lines.append(shown.line(k).removesuffix("\n"))
                these[k] = n
            yield step.done("lines", since)
        found.append(these)
    by_key: dict[str, int] = {}
    table = np.fromiter((by_key.setdefault(keys.line(line), len(by_key)) for line in first_lines), np.uint32)
    blank = np.fromiter((not key.strip() for key in by_key), bool, len(by_key))
    kind = letter_type(len(numbers))
    numbered = ((table[these], these) for these in found)
    (a, read_a), (b, read_b) = ((one.astype(kind), other.astype(kind)) for one, other in numbered)
    return LineNumbers(a, b, blank, read_a, read_b)
