"""Lines of a text, and numbers for them: equal lines have equal numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator
from itertools import count
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
    """Lines of a text.

    Attributes:
        lines: without their line ends.
        starts: int64, shape (n + 1,): the first letter of each line, last the number of letters.
    """

    lines: list[str]
    starts: Counts

    def __len__(self) -> int:
        return self.starts.size - 1

    def line(self, k: int) -> str:
        """Return line ``k`` with its line end."""
        return f"{self.lines[k]}\n" if k < len(self.lines) - 1 else self.lines[k]


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
    starts_a, starts_b = all_line_starts(job)
    a, b = (text_of(job, letters, fold_case=fold_case).split("\n") for letters in (job.a, job.b))
    return TextLines([] if job.empty[0] else a, starts_a), TextLines([] if job.empty[1] else b, starts_b)


def all_line_starts(job: LineJob) -> tuple[Counts, Counts]:
    """Return ``line_starts`` of both texts; of one without a line the number of letters alone."""
    a, b = (
        np.zeros(1, np.int64) if empty else line_starts(letters)
        for letters, empty in zip((job.a, job.b), job.empty, strict=True)
    )
    return a, b


def text_of(job: LineJob, letters: Letters, *, fold_case: bool) -> str:
    shown = case_folding(job.characters)[letters] if fold_case else letters
    return decoded(shown, job.characters) if job.characters else shown.tobytes().decode("latin-1")


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
    numbers: dict[str, int] = defaultdict(count().__next__)
    found = []
    for lines, _ in read:
        these = np.empty(len(lines), np.uint32)
        for first in range(0, len(lines), LINES_A_STEP):
            since, some = perf_counter(), lines[first : first + LINES_A_STEP]
            these[first : first + len(some)] = [*map(numbers.__getitem__, some)]
            yield step.done("lines", since)
        found.append(these)
    since = perf_counter()
    kind = letter_type(len(numbers))
    read_a, read_b = (these.astype(kind, copy=False) for these in found)
    keyed = [*numbers]
    a, b = read_a, read_b
    if keys.ignore.space or keys.ignore.case or keys.ignore.matching:
        for lines, these in ((folded[0].lines, read_a), (folded[1].lines, read_b)):
            for n, line in zip(these.tolist(), lines, strict=True):
                keyed[n] = line
        by_key: dict[str, int] = defaultdict(count().__next__)
        table = np.array([by_key[keys.line(line)] for line in keyed], kind)
        a, b, keyed = table[a], table[b], [*by_key]
    blank = np.array([not key or key.isspace() for key in keyed], bool)
    yield step.done("lines", since)
    return LineNumbers(a, b, blank, read_a, read_b)
