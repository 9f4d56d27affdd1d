"""Comparison keys of lines and words under ignored differences."""

from __future__ import annotations

from typing import Any

from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.jobs.ignore import Ignore
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
            WavediffError: the pattern takes longer than any that is of use.
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
