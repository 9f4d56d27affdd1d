"""Lines of a text, numbered so that equal lines have equal numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator
from itertools import count
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, letter_type
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.lines.keys import Keys
from wavediff.core.kernels.lines.line_numbers import LINES_A_STEP, compiled_numbers
from wavediff.core.methods.lines import LineJob
from wavediff.core.sequences.characters import BYTE_CODES, case_folding, decoded

LINE_END = ord("\n")
STEP_SECONDS = 0.02  # between two reports
COMPILED_LETTERS = 1 << 22  # of both texts, from which on lines are numbered by compiled code


class TextLines(NamedTuple):
    """Lines of a text.

    Attributes:
        starts: int64, shape (n + 1,): the first letter of each line, last the number of letters.
        letters: with the line end of each line but the last.
        characters: what their codes stand for.
    """

    starts: Counts
    letters: Letters
    characters: str

    def __len__(self) -> int:
        return self.starts.size - 1

    def line(self, k: int) -> str:
        """Return line ``k`` with its line end."""
        return text_of(self.letters[self.starts[k] : self.starts[k + 1]], self.characters)

    def pieces(self) -> Iterator[tuple[int, list[str]]]:
        """Yield chunks of lines without line ends, with the number of their first line."""
        for first in range(0, len(self), LINES_A_STEP):
            end = min(len(self), first + LINES_A_STEP)
            text = text_of(self.letters[self.starts[first] : self.starts[end]], self.characters)
            yield first, text.split("\n")[: end - first]


def line_starts(letters: Letters) -> Counts:
    """Return the start of each line and the total letters; line ends belong to lines.

    The last line has none: readers leave that of a file out.

    >>> line_starts(np.frombuffer(b"one\\n\\ntwo", np.uint8)).tolist()
    [0, 4, 5, 8]
    """
    return np.concatenate(([0], np.flatnonzero(letters == LINE_END) + 1, [letters.size])).astype(np.int64)


def text_lines(job: LineJob, *, fold_case: bool) -> tuple[TextLines, TextLines]:
    """Split both texts into lines; without a ``characters`` table each byte is a character.

    Args:
        fold_case: letters that differ in case alone are one.
    """
    a, b = (
        TextLines(
            np.zeros(1, np.int64) if empty else line_starts(letters),
            case_folding(job.characters)[letters] if fold_case else letters,
            job.characters,
        )
        for letters, empty in zip((job.a, job.b), job.empty, strict=True)
    )
    return a, b


def text_of(letters: Letters, characters: str) -> str:
    return decoded(letters, characters) if characters else letters.tobytes().decode("latin-1")


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
    """Number the lines; a missing line end at the end of a text makes no difference.

    Args:
        read, folded: A and B as they were read, and with their case as it is compared.
    """
    one, other = read
    if one.letters.itemsize == 1 and one.letters.size + other.letters.size > COMPILED_LETTERS:
        codes = np.arange(BYTE_CODES, dtype=np.uint8)
        spaces = np.array([text_of(codes[k : k + 1], one.characters).isspace() for k in range(BYTE_CODES)])
        numbered, blank = yield from compiled_numbers(step, tuple((each.letters, each.starts) for each in read), spaces)
    else:
        numbered, blank = yield from _numbers(step, read)
    since = perf_counter()
    kind = letter_type(blank.size)
    read_a, read_b = (these.astype(kind, copy=False) for these in numbered)
    a, b = read_a, read_b
    if keys.ignore.space or keys.ignore.case or keys.ignore.matching:
        keyed = [""] * blank.size
        for lines, these in zip(folded, numbered, strict=True):
            for first, some in lines.pieces():
                for n, line in zip(these[first : first + len(some)].tolist(), some, strict=True):
                    keyed[n] = line
        by_key: dict[str, int] = defaultdict(count().__next__)
        table = np.empty(len(keyed), kind)
        for k, line in enumerate(keyed):
            table[k] = by_key[keys.line(line)]
            if perf_counter() - since > STEP_SECONDS:  # a pattern may take long for a line
                yield step.done("lines", since)
                since = perf_counter()
        a, b, blank = table[a], table[b], _blank(by_key)
    yield step.done("lines", since)
    return LineNumbers(a, b, blank, read_a, read_b)


def _numbers(
    step: Step, read: tuple[TextLines, TextLines]
) -> Generator[Event, None, tuple[list[npt.NDArray[np.uint32]], npt.NDArray[np.bool_]]]:
    """Return the result of ``compiled_numbers``."""
    numbers: dict[str, int] = defaultdict(count().__next__)
    numbered = []
    for lines in read:
        these, since = np.empty(len(lines), np.uint32), perf_counter()
        for first, some in lines.pieces():
            these[first : first + len(some)] = [*map(numbers.__getitem__, some)]
            yield step.done("lines", since)
            since = perf_counter()
        numbered.append(these)
    return numbered, _blank(numbers)


def _blank(lines: dict[str, int]) -> npt.NDArray[np.bool_]:
    return np.array([not line or line.isspace() for line in lines], bool)
