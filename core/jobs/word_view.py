"""Changes of a comparison by words as the hunks of a view: those that the answer counts."""

from __future__ import annotations

from functools import cached_property, singledispatch

import numpy as np

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.line_result import LineKind, LineResult
from wavediff.core.jobs.line_view import Hunk, LineView, Spans
from wavediff.core.jobs.word_result import WordKind, WordResult
from wavediff.core.sequences.letter_text import glyph
from wavediff.core.sequences.sequence import Sequence

TITLE_LETTERS = 200  # of each side of a change
NOTES = {WordKind.SIGNS: "signs", WordKind.SPACE: "white space"}


class WordView(LineView):
    """A hunk is a change of words or signs; one of white space alone where there is no other.

    Attributes:
        chosen: int64: which changes of the result are hunks.
    """

    units = "change", "word"
    result: WordResult

    def __init__(self, result: WordResult, a: Sequence, b: Sequence) -> None:
        super().__init__(result, a, b)
        steps = result.kinds != WordKind.SPACE
        self.chosen = np.flatnonzero(steps if steps.any() else ~steps)
        self._changes, self._kinds = result.changes[self.chosen], result.kinds[self.chosen]
        self._spaces = result.changes[~steps]

    @property
    def n_hunks(self) -> int:
        return int(self._kinds.size)

    def n_from(self, row: int) -> int:
        first, end = self._changes[:, ::2], self._changes[:, 1::2]
        rows = [np.where(first[:, k] < end[:, k], self.rows.row_of[k][self.firsts(k)], -1) for k in (0, 1)]
        return int(np.count_nonzero(np.maximum(*rows) >= row))

    @cached_property
    def counts(self) -> Counts:
        """See ``LineView.counts``; a change without a word counts as a changed one."""
        changed, added, removed = self.result.words[self.chosen].T
        return np.stack((changed + (self._kinds >= WordKind.SIGNS), added, removed, 0 * added), axis=1)

    def firsts(self, side: int) -> Counts:
        starts = (self.rows.starts_a, self.rows.starts_b)[side]
        found: Counts = np.searchsorted(starts[:-1], self._changes[:, 2 * side], "right") - 1
        return found.clip(0)

    def letters(self, number: int) -> tuple[tuple[int, int], tuple[int, int]]:
        a, a_end, b, b_end = self._changes[number - 1].tolist()
        return (a, a_end), (b, b_end)

    def hunk(self, number: int) -> Hunk:
        kind, lines, places = WordKind(self._kinds[number - 1]), [], []
        for side, (first, end) in enumerate(self.letters(number)):
            starts = (self.rows.starts_a, self.rows.starts_b)[side]
            line, until = int(self.firsts(side)[number - 1]), int(np.searchsorted(starts[:-1], end))
            lines.append((line, min(max(line + 1, until), starts.size - 1)))
            if first < end:
                rows = self.rows.row_of[side][line : lines[side][1]].tolist()
                places.append((rows[0], rows[-1] + 1))
        (first, end), (other, until) = min(places), max(places)
        joined = ((first, max(end, until)),) if other <= end else ((first, end), (other, until))
        changed, added, removed, _ = self.counts[number - 1].tolist()
        of_lines = LineKind(kind) if kind < WordKind.SIGNS else LineKind.CHANGED
        return Hunk(number, of_lines, joined, lines[0], lines[1], added, removed, changed, 0, NOTES.get(kind, ""))

    def title(self, number: int) -> str:
        """Return what is in A, and in B: ``cat → dog``."""
        spaces, told = bool(self._kinds[number - 1] == WordKind.SPACE), []
        for one, (first, end) in zip(self.texts, self.letters(number), strict=True):
            codes = one.letters[first : min(end, first + TITLE_LETTERS)].tolist()
            text = "".join(glyph(code, one.characters, differs=spaces) for code in codes)
            told.append(text + "…" * (end - first > TITLE_LETTERS))
        return " → ".join(told) if all(told) else f"+ {told[1]}" if told[1] else f"− {told[0]}"

    def at(self, side: int, letter: int) -> tuple[int, int]:
        first, end = self._changes[:, 2 * side], self._changes[:, 2 * side + 1]
        k = int(np.searchsorted(first, letter, "right"))
        return (k if k and letter < max(end[k - 1], first[k - 1] + 1) else 0), k

    def marks(self, row: int) -> tuple[Spans, Spans]:
        """Return changed words as ``LineView`` does, and white space that alone differs, with the line's end."""
        found = super().marks(row)
        for side, lines in enumerate((self.rows.a, self.rows.b)):
            if lines[row] >= 0:
                start, end = self.span(side, int(lines[row]))
                near = self._spaces[:, 2 * side + 1].searchsorted(start, "right")
                for k in range(int(near), int(self._spaces[:, 2 * side].searchsorted(end, "right"))):
                    first, until = (min(max(letter, start), end + 1) - start for letter in self._space(k)[side])
                    found[side].extend([(first, until)] * (first < until))
                found[side].sort()
        return found

    def _space(self, k: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return a change of white space without what is equal at both of its ends."""
        a, a_end, b, b_end = self._spaces[k].tolist()
        n = min(a_end - a, b_end - b)
        ours, theirs = self.texts[0].letters[a:a_end], self.texts[1].letters[b:b_end]
        head = int(np.argmin(np.append(ours[:n] == theirs[:n], False)))
        tail = int(np.argmin(np.append(ours[::-1][: n - head] == theirs[::-1][: n - head], False)))
        return (a + head, a_end - tail), (b + head, b_end - tail)


@singledispatch
def line_view(result: LineResult, a: Sequence, b: Sequence) -> LineView:
    """Return the view of a comparison by lines, or by words."""
    return LineView(result, a, b)


@line_view.register(WordResult)
def _word_view(result: WordResult, a: Sequence, b: Sequence) -> LineView:
    return WordView(result, a, b)
