"""Cost of partial matches: letters read by threads that follow matches, against one step per letter of Shift-Or.

Source: Lin et al. 2010 for the threads (PFAC, one thread per start position); Kusudo, Ino and Hagihara (section 5.1)
for texts with more and more matching letters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import OneUnitTrace, letters, of_inputs
from wavediff.core.teach.questions import Asked, Kind, slip
from wavediff.core.teach.scene import Grid, Lanes, Mark, Scene, Values
from wavediff.core.teach.unit import Unit

MAX_TEXT_LETTERS = 128
MAX_PATTERNS = 12
SHOWN_THREADS = 12
MAX_PATTERN_LETTERS = 1_024  # of all patterns, as they are typed


class PartialMatchTrace(OneUnitTrace):
    """Letters read by the threads of PFAC for some patterns, per letter of the text.

    Attributes:
        reads: one array per pattern, int32, shape (n, n) for n letters of text: number of the pattern letter that the
            thread of row i compares with letter j, from 1; 0: not read.
    """

    def __init__(self, text: str, patterns: tuple[str, ...]) -> None:
        self.text, self.patterns = text, patterns
        super().__init__({"a": text, "b": " ".join(patterns)}, Unit.LETTER, len(text), Kind.VALUE)
        self.reads = [_reads(text, pattern) for pattern in patterns]
        self._totals = [np.cumsum((read > 0).sum(axis=0)).tolist() for read in self.reads]

    def total(self, pattern: int, letter: int) -> int:
        """Return the number of letters read by all threads of a pattern up to a letter of the text."""
        return self._totals[pattern][letter - 1] if letter else 0

    def fitting(self, pattern: int) -> int:
        """Return the length of the longest prefix of a pattern that occurs in the text."""
        reads, longest = self.reads[pattern], 0
        for i, j in np.argwhere(reads > 0).tolist():
            if self.text[j] == self.patterns[pattern][reads[i, j] - 1]:
                longest = max(longest, int(reads[i, j]))
        return longest

    def scene_at(self, k: int) -> Scene:
        """Return the scene after step ``k``: bars, and threads of the last pattern."""
        names = [f"PFAC, {count(self.fitting(p), 'letter fits', 'letters fit')}" for p in range(self._n)]
        totals = [self.total(p, k) for p in range(self._n)]
        ended = np.array([*totals, k], np.float64)
        kind = np.array([Mark.PLAIN] * self._n + [Mark.ON], np.uint8)
        most = max(len(self.text), *(self.total(p, len(self.text)) for p in range(self._n)))
        bars = Lanes(
            names=(*names, "Shift-Or"),
            began=np.zeros(self._n + 1),
            ended=ended,
            lane=np.arange(self._n + 1),
            label=tuple(number(int(end)) for end in ended),
            kind=kind,
            now=float(most),
            total=float(most),
        )
        return Scene((bars, self._threads(k)))

    @property
    def _n(self) -> int:
        return len(self.patterns)

    def _threads(self, k: int) -> Grid:
        """Return the first threads (rows) of the last pattern over the text (columns), matches highlighted."""
        reads, n = self.reads[-1][:SHOWN_THREADS], len(self.text)
        wanted = np.array(["", *self.patterns[-1]])[reads]
        columns = np.arange(1, n + 1)[None, :]
        rank: Values = np.where(reads > 0, columns, n + 1).astype(np.int32)  # what no thread reads stays empty
        marks = np.where(wanted == np.array(list(self.text))[None, :], Mark.ON, Mark.PLAIN).astype(np.uint8)
        marks[rank == k] = Mark.NEW
        return Grid("", reads, rank, tuple(number(place) for place in range(1, len(reads) + 1)), self.text, marks)

    def say_at(self, k: int) -> str:
        if k == 0:
            return "PFAC starts a thread at each letter: it lives as long as the text fits. Shift-Or is one word."
        alive = int((self.reads[-1][:, k - 1] > 0).sum())
        return (
            f"{self.text[k - 1]} is read by {count(alive, 'thread', 'threads')} of the last pattern. Letters read by "
            f"now: {number(self.total(self._n - 1, k))}; steps of Shift-Or: {number(k)}."
        )

    def _value(self, name: str) -> Any:
        """Return a value per pattern: ``pfac``: letters read; ``shift-or``: steps; ``fit``: longest matching prefix."""
        n = len(self.text)
        values = {
            "pfac": [self.total(p, n) for p in range(self._n)],
            "shift-or": [n] * self._n,
            "fit": [self.fitting(p) for p in range(self._n)],
            "letters": n,
            "least": min(self.total(p, n) for p in range(self._n)),
            "most": max(self.total(p, n) for p in range(self._n)),
        }
        return values[name]

    def _question(self, k: int) -> Asked:
        text = f"How many threads of the last pattern read letter {number(k)}, {self.text[k - 1]}?"
        compared = self.reads[-1][:, k - 1]
        fits = sum(bool(at) and self.patterns[-1][at - 1] == self.text[k - 1] for at in compared.tolist())
        slips = [
            slip(fits, "Those are the threads it fits: the one that it does not fit has read it too."),
            slip(k, "That many threads began: most of them ended at a letter that did not fit."),
        ]
        return Asked(text, [str(int((compared > 0).sum()))], slips)


def _reads(text: str, pattern: str) -> Values:
    """Return the pattern letter (1-based) that each thread (row) compares with each text letter (column)."""
    values: Values = np.zeros((len(text), len(text)), np.int32)
    for start in range(len(text)):
        for k, (letter, wanted) in enumerate(zip(text[start:], pattern, strict=False)):
            values[start, start + k] = k + 1
            if letter != wanted:
                break
    return values


@of_inputs(a=letters(MAX_TEXT_LETTERS), b=letters(MAX_PATTERN_LETTERS))
def partial_match_trace(text: str, typed: str) -> PartialMatchTrace:
    """Return the trace of the blank-separated patterns ``typed`` in ``text``."""
    patterns = tuple(typed.split())
    if not 1 <= len(patterns) <= MAX_PATTERNS:
        raise ValueError(f"'b' has {len(patterns)} patterns; 1 to {MAX_PATTERNS} go, with blanks between them")
    return PartialMatchTrace(text, patterns)
