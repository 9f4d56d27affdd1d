"""Lines of a text, numbered so that lines with equal keys have equal numbers; keys under ignored differences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator
from itertools import count
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, letter_type
from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.ignore import Ignore
from wavediff.core.kernels.lines.line_numbers import LINES_A_STEP, compiled_numbers
from wavediff.core.methods.lines import LineJob
from wavediff.core.sequences.characters import BYTE_CODES, case_folding, decoded
from wavediff.core.sequences.words import WORD

LINE_SECONDS, LETTER_SECONDS = 2.0, 1e-6  # that a pattern may take for a line
SHOWN_LETTERS = 40  # of such a line
MATCH = "\ud800"  # stands for a match of the pattern; no text has it


class Keys:
    """Key functions of lines and words; case is folded before."""

    def __init__(self, ignore: Ignore = Ignore()) -> None:  # noqa: B008 (a tuple)
        self.ignore = ignore
        self._pattern: Any = None
        if ignore.matching:
            import regex  # few comparisons have a pattern

            self._pattern = regex.compile(ignore.matching, regex.IGNORECASE if ignore.case else 0)
        self.has_spaces = not (ignore.space or ignore.breaks)

    def line(self, line: str) -> str:
        """Return the key of a line without its line end."""
        line = self._matched(line)
        return "".join(line.split()) if self.ignore.space else line

    def words(self, line: str) -> list[str]:
        """Return the keys of words separated by white space."""
        return self._matched(line).split()

    def tokens(self, line: str) -> tuple[list[str], list[str]]:
        """Return the tokens (words, white space, punctuation) with their keys."""
        tokens, keys, at = [], [], 0
        for start, end in [*self._matches(line), (len(line), len(line))]:
            words = WORD.findall(line[at:start])
            tokens += [*words, line[start:end]]
            keys += [*(words if self.has_spaces else [" " if each.isspace() else each for each in words]), MATCH]
            at = end
        return tokens[:-1], keys[:-1]

    def _matched(self, line: str) -> str:
        kept: list[str] = []
        at = 0
        for start, end in self._matches(line):
            kept += [line[at:start], MATCH]
            at = end
        return "".join([*kept, line[at:]]) if kept else line

    def _matches(self, line: str) -> list[tuple[int, int]]:
        """Return the range of each match of the pattern; releases other threads meanwhile.

        Raises:
            WavediffError: the pattern takes too long.
        """
        if self._pattern is None:
            return []
        limit = LINE_SECONDS + len(line) * LETTER_SECONDS
        try:
            matches = self._pattern.finditer(line, concurrent=True, timeout=limit)
            return [one.span() for one in matches if one[0]]
        except TimeoutError:
            raise WavediffError(
                f"the pattern '{self.ignore.matching}' takes more than {limit:.0f} s for the line "
                f"'{printable(line[:SHOWN_LETTERS])}…': are there repeats inside of repeats, such as (a+)+?"
            ) from None


LINE_END = ord("\n")
STEP_SECONDS = 0.02  # between two reports
COMPILED_LETTERS = 1 << 22  # of both texts, from which on lines are numbered by compiled code


class TextLines(NamedTuple):
    """Lines of a text.

    Attributes:
        starts: int64, shape (n + 1,): start of each line, then the number of letters.
        letters: including line ends, except that of the last line.
        characters: of the codes.
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

    The last line has no line end: readers drop it.

    >>> line_starts(np.frombuffer(b"one\\n\\ntwo", np.uint8)).tolist()
    [0, 4, 5, 8]
    """
    return np.concatenate(([0], np.flatnonzero(letters == LINE_END) + 1, [letters.size])).astype(np.int64)


def text_lines(job: LineJob, *, fold_case: bool) -> tuple[TextLines, TextLines]:
    """Split both texts into lines; without a ``characters`` table each byte is a character.

    Args:
        fold_case: ignore case.
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
        a, b: one number per line, of the narrowest integer type.
        blank: bool, shape (numbers,): whether a line of that number is white space.
        read_a, read_b: numbers without ignored differences.
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
        read, folded: A and B as read, and with case folded if ignored.
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
