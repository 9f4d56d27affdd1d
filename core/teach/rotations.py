"""Traces of the Burrows-Wheeler transform: sorted rotations, inverse by LF, backward search.

Sources: Burrows and Wheeler 1994; Ferragina and Manzini 2000; Yamanaka, Ino and Hagihara (section 2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import OneUnitTrace, letters, of_inputs
from wavediff.core.teach.questions import Asked, Cell, Kind, Slip, slip
from wavediff.core.teach.scene import Mark, Part, Scene, Sheet, Spot
from wavediff.core.teach.sorting import END, MAX_TEXT_LETTERS, Transform, rotation
from wavediff.core.teach.unit import Unit

SHOWN_ROWS = 24  # of a longer text, around the row that matters
SHOWN_LETTERS = 24  # of a rotation or of what was read


class TransformTrace(OneUnitTrace):
    """Base class of the traces of a Burrows-Wheeler transform."""

    def __init__(self, transform: Transform, inputs: Mapping[str, Any], unit: Unit, last_step: int) -> None:
        super().__init__(inputs, unit, last_step, Kind.NEXT)
        self.transform = transform

    def _value(self, name: str) -> Any:
        """Return the value ``name`` for texts and expectations.

        ``rows``: first position of each row, from 0; ``F``, ``L``: the columns; ``LF``: of each row; ``primary``: row
        of the text; ``runs``: number of runs in L; ``walk``: rows of the LF walk; ``letters``.
        """
        rotated = self.transform
        values: dict[str, Any] = {
            "rows": rotated.order,
            "F": rotated.first,
            "L": rotated.last,
            "LF": rotated.lf,
            "primary": rotated.primary,
            "runs": rotated.n_runs,
            "walk": rotated.walk(),
            "letters": len(rotated.text),
        }
        return values[name]

    def _ranked(self, column: str, row: int) -> str:
        letter = column[row]
        return letter if letter == END else f"{letter} {column.count(letter, 0, row + 1)}"


def shown_rows(n_rows: int, row: int, most: int = SHOWN_ROWS) -> range:
    """Return a range of at most ``most`` rows around ``row``."""
    first = max(0, min(row - most // 2, n_rows - most))
    return range(first, min(n_rows, first + most))


def spots(part: Part, row: int) -> tuple[Cell, ...]:
    """Return the first cell of row number ``row`` in ``part``; empty if not visible."""
    rows = part.rows if isinstance(part, Sheet) else ()
    return tuple((at, 0) for at, texts in enumerate(rows) if texts[0] == number(row))


def spot(place: int, sheet: Sheet, row: int, col: int) -> Spot | None:
    """Return the cell of row number ``row`` in part ``place`` of a scene; None if not visible."""
    return next(((place, at, col) for at, _ in spots(sheet, row)), None)


def slips_in(part: Part, said: Mapping[int, str]) -> list[Slip]:
    """Return a slip for each row number in ``said``, with the cell of the row if visible."""
    return [slip(row, text, *spots(part, row)) for row, text in said.items()]


def shortened(text: str) -> str:
    return text if len(text) <= SHOWN_LETTERS else text[:SHOWN_LETTERS] + "…"


class RotationsTrace(TransformTrace):
    """Trace that rotates the text letter by letter, then sorts the rotations."""

    def __init__(self, transform: Transform) -> None:
        self._n_rows = len(transform.order)
        super().__init__(transform, {"a": transform.text}, Unit.ROW, 2 * self._n_rows)

    def scene_at(self, k: int) -> Scene:
        made, taken = min(k, self._n_rows), max(0, k - self._n_rows)
        turned, sheet = self._turned(made, taken), self._sorted(taken)
        return Scene((turned, sheet), asked=spot(0, turned, k, 0) if k < self._n_rows else spot(1, sheet, taken, 1))

    def _turned(self, made: int, taken: int) -> Sheet:
        """Return the rotations generated so far; sorted ones faint."""
        order, text = self.transform.order, self.transform.text
        newest = order[taken - 1] if taken else made - 1
        used = set(order[:taken])
        rows, marks = [], []
        for at in shown_rows(self._n_rows, max(0, newest)):
            rows.append((number(at), shortened(rotation(text, at)) if at < made else ""))
            mark = Mark.NEW if at == newest else Mark.FAINT if at in used else Mark.PLAIN
            marks.append((mark, mark))
        return Sheet("Turned", ("begins at", "rotation"), tuple(rows), tuple(marks), mono=True)

    def _sorted(self, taken: int) -> Sheet:
        rotated = self.transform
        rows, marks = [], []
        for row in shown_rows(self._n_rows, max(0, taken - 1)):
            whole, known = rotated.rotation(row), row < taken
            cells = (number(rotated.order[row]), whole[0], shortened(whole[1:-1]), whole[-1])
            rows.append((number(row), *(cells if known else ("",) * len(cells))))
            mark = Mark.NEW if row == taken - 1 else Mark.PLAIN
            column = Mark.ON if row < taken - 1 else mark
            marks.append((mark, mark, column, mark, column))
        heads = ("row", "begins at", "F", "", "L")
        return Sheet("Sorted", heads, tuple(rows), tuple(marks), mono=True)

    def say_at(self, k: int) -> str:
        n, rotated = self._n_rows, self.transform
        if k == 0:
            return f"{END} is put at the end of the text. It is less than any letter."
        if k <= n:
            if k == 1:
                return f"The text itself, then {END}: the first row."
            return f"Turned by one letter more: the row that begins at {number(k - 1)}."
        row = k - n - 1
        text = (
            f"Row {number(row)} is the rotation that begins at {number(rotated.order[row])}. Its last letter, "
            f"{rotated.last[row]}, stands before it in the text."
        )
        if rotated.last[row] == END:
            text = (
                f"Row {number(row)} begins at {number(rotated.order[row])}: the text itself. {rotated.last[row]} is "
                "its last letter."
            )
        return text

    def _moments(self) -> Mapping[str, Sequence[int]]:
        return {"turned": [self._n_rows], "sorted": range(self._n_rows + 1, self.last_step + 1)}

    def _question(self, k: int) -> Asked:
        n, turned = self._n_rows, self.scene_at(k - 1).parts[0]
        if k <= n:
            return Asked(
                "Where does the next rotation begin?", [str(k - 1)], [slip(k, "Letters count from 0.")], among=n
            )
        order, row = self.transform.order, k - n - 1
        right = order[row]
        slips = [slip(right + 1, "Letters count from 0.", *spots(turned, right + 1))]
        slips.append(slip(row, "That is the number of the row.", *spots(turned, row)))
        for place, at in enumerate(order):
            if at != right and (cells := spots(turned, at)):
                sorted_in = f"Row {number(place)} begins there: it is sorted in already."
                slips.append(slip(at, sorted_in if place < row else self._later(right, at), *cells))
        text = f"At which letter does the rotation of row {number(row)} begin?"
        return Asked(text, [str(right)], slips, among=n)

    def _later(self, right: int, at: int) -> str:
        """Return why the rotation at ``at`` sorts after another one."""
        pairs = enumerate(zip(rotation(self.transform.text, right), rotation(self.transform.text, at), strict=True), 1)
        letter, less, more = next((letter, *pair) for letter, pair in pairs if pair[0] != pair[1])
        return f"That row comes later: its letter {number(letter)}, {more}, is greater than {less}."


class WalkTrace(TransformTrace):
    """Inverse transform: the text from its end, by following LF from row to row."""

    def __init__(self, transform: Transform) -> None:
        super().__init__(transform, {"a": transform.text}, Unit.LETTER, len(transform.text))
        self.rows = transform.walk()

    def scene_at(self, k: int) -> Scene:
        rotated, here = self.transform, self.rows[k]
        visited, before = set(self.rows[:k]), self.rows[k - 1] if k else -1
        rows, marks = [], []
        for row in shown_rows(len(rotated.order), here):
            is_read = row in visited
            rows.append(
                (
                    number(row),
                    self._ranked(rotated.first, row),
                    self._ranked(rotated.last, row),
                    number(rotated.lf[row]) if is_read else "",
                )
            )
            mark = Mark.NEW if row == here else Mark.PLAIN
            cited = Mark.CITED if row == before else Mark.FAINT if is_read else mark
            marks.append((mark, mark, cited, cited))
        heads = ("row", "F", "L", "LF")
        columns = Sheet("First and last column", heads, tuple(rows), tuple(marks), mono=True)
        n = len(rotated.text)
        read = rotated.text[n - k :]
        text = f"{'·' * min(n - k, SHOWN_LETTERS)}{shortened(read)}{END}"
        seen = columns, Sheet("Read from the end", ("",), ((text,),), mono=True)
        return Scene(seen, asked=spot(0, columns, here, 3))

    def say_at(self, k: int) -> str:
        if k == 0:
            return f"Row 0 begins with {END}: its last letter is the last letter of the text."
        rotated, before, row = self.transform, self.rows[k - 1], self.rows[k]
        letter, rank = rotated.last[before], rotated.rank(before)
        text = (
            f"L of row {number(before)} is {letter}, number {number(rank)} of its kind. Number {number(rank)} in F "
            f"stands in row {number(row)}."
        )
        if k == self.last_step:
            text = (
                f"L of row {number(before)} is {letter}, number {number(rank)} of its kind: row {number(row)}, whose L "
                f"is {END}. All is read."
            )
        return text

    def _question(self, k: int) -> Asked:
        before = self.rows[k - 1]
        text = (
            f"L of row {number(before)} is {self.transform.last[before]}, number {number(self.transform.rank(before))} "
            "of its kind. Which row comes next?"
        )
        first, columns = self.transform.first.index(self.transform.last[before]), self.scene_at(k - 1).parts[0]
        said = {
            first: "That is the first row of this letter in F: it is another one of its kind.",
            self.transform.order[before]: "That is where the rotation begins in the text.",
            before + 1: "The next row of the table: LF leads to where the letter stands in F.",
            self.rows[k] + 1: "One row too far: rows, and letters of a kind, count alike.",
            self.rows[k] - 1: "One row too few: rows, and letters of a kind, count alike.",
        }
        return Asked(text, [str(self.rows[k])], slips_in(columns, said), among=len(self.rows))


class BackwardTrace(TransformTrace):
    """Backward search: the row interval after each pattern letter."""

    def __init__(self, transform: Transform, pattern: str) -> None:
        super().__init__(transform, {"a": transform.text, "b": pattern}, Unit.LETTER, len(pattern))
        self.pattern, self.intervals = pattern, transform.search(pattern)

    def scene_at(self, k: int) -> Scene:
        rotated, (low, high) = self.transform, self.intervals[k]
        was = self.intervals[k - 1] if k else self.intervals[0]
        rows, marks = [], []
        for row in shown_rows(len(rotated.order), low):
            rows.append(
                (
                    number(row),
                    number(rotated.order[row]),
                    self._ranked(rotated.first, row),
                    shortened(rotated.rotation(row)[1:-1]),
                    self._ranked(rotated.last, row),
                )
            )
            inside = low <= row < high
            counted = k and was.low <= row < was.high and rotated.last[row] == self.pattern[-k]
            mark = Mark.NEW if inside and k else Mark.PLAIN
            marks.append((mark, mark, mark, mark, Mark.CITED if counted else Mark.PLAIN))
        heads = ("row", "begins at", "F", "", "L")
        columns = Sheet("Rows", heads, tuple(rows), tuple(marks), mono=True)
        read, n = self._read(k), len(self.pattern)
        lines = [at for at, texts in enumerate(read.rows) if texts[0] == shortened(self.pattern[n - k - 1 :])]
        return Scene((columns, read), asked=(1, lines[0], 1) if k < n and lines else None)

    def _read(self, k: int) -> Sheet:
        rows, marks = [], []
        n = len(self.pattern)
        for at, (low, high) in enumerate(self.intervals):
            suffix = self.pattern[n - at :]
            seen = (f"[{low}, {high})", number(high - low)) if at <= k else ("", "")
            rows.append((shortened(suffix), *seen))
            marks.append((Mark.NEW if at == k else Mark.PLAIN,) * 3)
        keep = slice(max(0, k - SHOWN_ROWS + 1), max(SHOWN_ROWS, k + 1))
        heads = ("read", "rows", "places")
        return Sheet("From the end of the pattern", heads, tuple(rows[keep]), tuple(marks[keep]), mono=True)

    def say_at(self, k: int) -> str:
        low, high = self.intervals[k]
        if k == 0:
            return f"Nothing is read yet: all rows, [{number(low)}, {number(high)}): with the first, without the last."
        letter, was = self.pattern[-k], self.intervals[k - 1]
        if low == high:
            return f"{letter} stands in L of none of these rows: the pattern is not in the text."
        below, above = (number(self.transform.last.count(letter, 0, end)) for end in was)
        return (
            f"{letter}: L has {below} of it above row {number(was.low)}, {above} down to row {number(was.high - 1)}: "
            f"so {count(high - low, 'row', 'rows')}, [{number(low)}, {number(high)})."
        )

    def _value(self, name: str) -> Any:
        """Return ``intervals`` after each letter; ``places`` of the pattern; ``count``; or a value of a transform."""
        low, high = self.intervals[-1]
        values: dict[str, Any] = {
            "intervals": [list(interval) for interval in self.intervals],
            "places": self.transform.order[low:high],
            "count": high - low,
            "steps": self.last_step,
        }
        return values[name] if name in values else super()._value(name)

    def _moments(self) -> Mapping[str, Sequence[int]]:
        return {"found": [k for k, (low, end) in enumerate(self.intervals) if k and low < end]}

    def _question(self, k: int) -> Asked:
        low, end = self.intervals[k]
        suffix = shortened(self.pattern[-k:])
        if low == end:
            was = self.intervals[k - 1]
            slips = [slip(was.high - was.low, "So many begin with the letters that were read before.")]
            return Asked(f"How many rows begin with {suffix}?", ["0"], slips)
        said = {
            end - 1: "That is the last of them.",
            end: "That is the end: the row after the last of them.",
            self.intervals[k - 1].low: "That is the first row of the letters that were read before.",
            low + 1: "Rows count from 0.",
            self.transform.first.find(self.pattern[-k]): "The first row with this letter, whatever follows.",
        }
        text, slips = (
            f"The rows that begin with {suffix}: which is the first?",
            slips_in(self.scene_at(k - 1).parts[0], said),
        )
        return Asked(text, [str(low)], slips, among=len(self.transform.order))


rotations_trace = of_inputs(a=letters(MAX_TEXT_LETTERS))(lambda a: RotationsTrace(Transform(a)))
walk_trace = of_inputs(a=letters(MAX_TEXT_LETTERS))(lambda a: WalkTrace(Transform(a)))


@of_inputs(a=letters(MAX_TEXT_LETTERS), b=letters(MAX_TEXT_LETTERS))
def backward_trace(a: str, b: str) -> BackwardTrace:
    return BackwardTrace(Transform(a), b)
