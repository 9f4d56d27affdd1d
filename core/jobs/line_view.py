"""Display model of comparisons by lines and by words."""

from __future__ import annotations

from functools import cached_property, singledispatch
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.line_result import LineKind, LineResult
from wavediff.core.jobs.word_result import WordKind, WordResult
from wavediff.core.sequences.characters import decoded
from wavediff.core.sequences.letter_text import glyph
from wavediff.core.sequences.sequence import Sequence

Spans = list[tuple[int, int]]  # from and to which letter of a line


class Change(NamedTuple):
    """Letters ``[from, to)`` of a line of A and of B; one range may be empty."""

    a: tuple[int, int]
    b: tuple[int, int]


class Hunk(NamedTuple):
    """Run of unequal rows; a moved block has the runs of both its places.

    Attributes:
        number: from 1.
        kind: MOVED_FROM for a moved block, else CHANGED, ADDED or REMOVED.
        places: rows (start, end) of each run, in order.
        a, b: lines (start, end) of the first place; without a line of a text, both are the next line.
        added, removed, changed, moved: lines of each kind in all places; moved lines count once.
        note: description in place of these counts.
    """

    number: int
    kind: LineKind
    places: tuple[tuple[int, int], ...]
    a: tuple[int, int]
    b: tuple[int, int]
    added: int
    removed: int
    changed: int
    moved: int
    note: str = ""

    @property
    def text(self) -> str:
        """Lines by kind, e.g. ``1 changed, 2 added``."""
        counts = (self.changed, "changed"), (self.added, "added"), (self.removed, "removed"), (self.moved, "moved")
        return self.note or ", ".join(f"{n:,} {what}" for n, what in counts if n)


class LineView:
    """Rows of two texts for display; methods compute on demand.

    Args:
        a, b: the texts of the result (``LineResult.read``).

    Attributes:
        units: names of the items to step through, and of their parts.
    """

    units = "hunk", "line"

    def __init__(self, result: LineResult, a: Sequence, b: Sequence) -> None:
        self.rows = result.rows
        self.result, self.texts = result, (a, b)

    @property
    def n_hunks(self) -> int:
        return self.rows.n_hunks

    def n_from(self, row: int) -> int:
        """Return the number of hunks that begin at or after ``row``."""
        return int(np.count_nonzero(self.rows.first_rows >= row))

    def near_hunks(self, context: int) -> npt.NDArray[np.bool_]:
        """Return the rows inside a hunk or within ``context`` rows of one."""
        n = self.rows.kind.size
        near = np.zeros(n + 2 * context, bool)
        for by in range(2 * context + 1):
            near[by : by + n] |= self.rows.hunk > 0
        return near[context : context + n]

    @property
    def counts(self) -> Counts:
        """Changed, added, removed and moved lines per hunk: int64, shape (n_hunks, 4)."""
        return self.rows.kinds_of_hunks[1:, LineKind.CHANGED : LineKind.MOVED_TO]

    def firsts(self, side: int) -> Counts:
        """Return the line of A (side 0) or B under which each hunk is listed; for a moved block its first line."""
        rows = self.rows
        firsts: Counts = rows.before[side][rows.first_rows]
        moved = np.flatnonzero(rows.kind == (LineKind.MOVED_FROM, LineKind.MOVED_TO)[side])[::-1]
        firsts[rows.hunk[moved] - 1] = (rows.a, rows.b)[side][moved]  # the last one written is the first
        return firsts

    def letters(self, number: int) -> tuple[tuple[int, int], tuple[int, int]]:  # noqa: ARG002
        """Return the letters ``[from, to)`` of A and B that a hunk changes within lines; empty for whole lines."""
        return (0, 0), (0, 0)

    def at(self, side: int, letter: int) -> tuple[int, int]:
        """Return the hunk at a letter of A (side 0) or B (0: none), and the number of hunks up to there."""
        starts = (self.rows.starts_a, self.rows.starts_b)[side]
        row = int(self.rows.row_of[side][np.searchsorted(starts[:-1], letter, "right") - 1])
        return int(self.rows.hunk[row]), int(np.searchsorted(self.rows.first_rows, row, "right"))

    @cached_property
    def _places_by_hunk(self) -> tuple[Counts, Counts]:
        """Runs sorted by hunk, and the first run of each hunk."""
        hunks = self.rows.hunk[self.rows.places[:, 0]]
        order = np.argsort(hunks, kind="stable")
        return order, np.searchsorted(hunks[order], np.arange(1, self.n_hunks + 2))

    def hunk(self, number: int) -> Hunk:
        """Return a hunk, ``number`` from 1 to ``n_hunks``."""
        order, begins = self._places_by_hunk
        places = self.rows.places[order[begins[number - 1] : begins[number]]]
        changed, added, removed, moved = self.counts[number - 1].tolist()
        runs = tuple(map(tuple, places.tolist()))
        if moved:
            kind = LineKind.MOVED_FROM
        elif changed or (added and removed):
            kind = LineKind.CHANGED
        else:
            kind = LineKind.ADDED if added else LineKind.REMOVED
        return Hunk(number, kind, runs, *self.lines_of(runs[0]), added, removed, changed, moved)

    def lines_of(self, place: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the line ranges ``[from, to)`` of A and B for a run of rows."""
        a, b = ((int(before[place[0]]), int(before[place[1]])) for before in self.rows.before)
        return a, b

    def title(self, number: int) -> str:
        """Return the first non-blank line of a hunk, stripped; of A if the block moved."""
        hunk, kind = self.hunk(number), self.rows.kind
        rows = (row for first, end in hunk.places for row in range(first, end))
        texts = (self.row_text(row).strip() for row in rows if not hunk.moved or kind[row] == LineKind.MOVED_FROM)
        return next(filter(None, texts), "")

    def row_text(self, row: int) -> str:
        """Return the line of B, or of A if the row has none of B."""
        j = int(self.rows.b[row])
        return self.text(1, j) if j >= 0 else self.text(0, int(self.rows.a[row]))

    def span(self, side: int, line: int) -> tuple[int, int]:
        """Return the letter range of a line of A (side 0) or B (1), without its line end."""
        starts = (self.rows.starts_a, self.rows.starts_b)[side]
        return int(starts[line]), int(starts[line + 1]) - (line < starts.size - 2)

    def text(self, side: int, line: int) -> str:
        """Return a line of A (side 0) or B (1) without its line end."""
        start, end = self.span(side, line)
        letters, characters = self.texts[side].letters[start:end], self.texts[side].characters
        return decoded(letters, characters) if characters else letters.tobytes().decode("latin-1")

    def marks(self, row: int) -> tuple[Spans, Spans]:
        """Return the ranges that differ in the lines of A and B; empty unless the row is changed."""
        changes = self.changes(row)
        return [one.a for one in changes if one.a[0] < one.a[1]], [one.b for one in changes if one.b[0] < one.b[1]]

    def changes(self, row: int) -> list[Change]:
        """Return the changes of a changed row in order; empty for other rows."""
        if self.rows.kind[row] != LineKind.CHANGED:
            return []
        lines, marks = (int(self.rows.a[row]), int(self.rows.b[row])), self.result.marks
        (a, a_end), (b, b_end) = (self.span(side, line) if line >= 0 else (0, 0) for side, line in enumerate(lines))
        first = min(np.searchsorted(marks[:, 1], a, "right"), np.searchsorted(marks[:, 3], b, "right"))
        end = max(np.searchsorted(marks[:, 0], a_end), np.searchsorted(marks[:, 2], b_end))
        inside = marks[first:end].clip((a, a, b, b), (a_end, a_end, b_end, b_end)) - (a, a, b, b)
        return [Change((p, q), (r, s)) for p, q, r, s in inside.tolist() if p < q or r < s]


TITLE_LETTERS = 200  # of each side of a change
NOTES = {WordKind.SIGNS: "signs", WordKind.SPACE: "white space"}


class WordView(LineView):
    """Comparison by words: a hunk is a change of words or punctuation, or of white space if nothing else changed.

    Attributes:
        chosen: int64: changes of the result that are hunks.
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
        """See ``LineView.counts``; a change without words counts as changed."""
        changed, added, removed = self.result.words[self.chosen].T
        return np.stack((changed + (self._kinds >= WordKind.SIGNS), added, removed, 0 * added), axis=1)

    def firsts(self, side: int) -> Counts:
        starts = (self.rows.starts_a, self.rows.starts_b)[side]
        first, end = self._changes[:, 2 * side : 2 * side + 2].T
        numbers: Counts = (np.searchsorted(starts[:-1], first, "right") - 1).clip(0)
        ahead: Counts = numbers + (np.isin(first + 1, starts) & (first + 1 < end))  # after the line end before lines
        return ahead

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
        """Return the text of A and of B: ``cat → dog``."""
        spaces, parts = bool(self._kinds[number - 1] == WordKind.SPACE), []
        for one, (first, end) in zip(self.texts, self.letters(number), strict=True):
            codes = one.letters[first : min(end, first + TITLE_LETTERS)].tolist()
            text = "".join(glyph(code, one.characters, differs=spaces) for code in codes)
            parts.append(text + "…" * (end - first > TITLE_LETTERS))
        return " → ".join(parts) if all(parts) else f"+ {parts[1]}" if parts[1] else f"− {parts[0]}"

    def at(self, side: int, letter: int) -> tuple[int, int]:
        first, end = self._changes[:, 2 * side], self._changes[:, 2 * side + 1]
        k = int(np.searchsorted(first, letter, "right"))
        return (k if k and letter < max(end[k - 1], first[k - 1] + 1) else 0), k

    def marks(self, row: int) -> tuple[Spans, Spans]:
        """Return changed words as ``LineView`` does, and white space that alone differs, with the line's end."""
        spans = super().marks(row)
        for side, lines in enumerate((self.rows.a, self.rows.b)):
            if lines[row] >= 0:
                start, end = self.span(side, int(lines[row]))
                near = self._spaces[:, 2 * side + 1].searchsorted(start, "right")
                for k in range(int(near), int(self._spaces[:, 2 * side].searchsorted(end, "right"))):
                    first, until = (min(max(letter, start), end + 1) - start for letter in self._space(k)[side])
                    spans[side].extend([(first, until)] * (first < until))
                spans[side].sort()
        return spans

    def _space(self, k: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return a change of white space without its common prefix and suffix."""
        a, a_end, b, b_end = self._spaces[k].tolist()
        n = min(a_end - a, b_end - b)
        ours, theirs = self.texts[0].letters[a:a_end], self.texts[1].letters[b:b_end]
        head = int(np.argmin(np.append(ours[:n] == theirs[:n], False)))
        tail = int(np.argmin(np.append(ours[::-1][: n - head] == theirs[::-1][: n - head], False)))
        return (a + head, a_end - tail), (b + head, b_end - tail)


@singledispatch
def line_view(result: LineResult, a: Sequence, b: Sequence) -> LineView:
    """Return the display model of a comparison by lines or words."""
    return LineView(result, a, b)


@line_view.register(WordResult)
def _word_view(result: WordResult, a: Sequence, b: Sequence) -> LineView:
    return WordView(result, a, b)
