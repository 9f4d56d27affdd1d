"""List of hunks, and navigation among them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Signal, Slot

from wavediff.app.compare.alignment_navigation import PartSteps
from wavediff.app.compare.difference_list import CHANGE, IN_A, IN_B, KIND, LENGTH, NUMBER, DifferenceList
from wavediff.app.compare.lines.lines_view import LinesView
from wavediff.app.compare.lines.sight import parse_line
from wavediff.app.compare.stepper import Stepper
from wavediff.app.ui.legend import MOVED
from wavediff.app.ui.number_text import as_wide_as
from wavediff.app.ui.pair import Side
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import count, number
from wavediff.core.export.hunks import ListedHunks
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.difference_index import OP_OF_KIND, Kinds
from wavediff.core.jobs.line_result import KIND_NAMES, LineKind
from wavediff.core.jobs.line_view import NOTES, Hunk, LineView

MAX_TITLE = 400  # characters
Rows = list[tuple[Hunk, str]]


class HunkList(DifferenceList):
    """One row per hunk, or change of words, see ``LineView.units``."""

    signs = 4  # at most, of a hunk

    def __init__(self, hunk: str, line: str) -> None:
        self.columns = ("#", "Kind", "Lines of A", "Lines of B", f"{line.capitalize()}s", "Change", "")
        self.words = hunk, f"{hunk}s"
        self.tip = f"Hide {hunk}s with fewer {line}s"

    def read(self, listed: ListedHunks, numbers: Counts) -> Rows:
        view = listed.index
        return [(_placed(view, view.hunk(k)), view.title(k)[:MAX_TITLE]) for k in (numbers + 1).tolist()]

    def op(self, rows: Rows, k: int) -> tuple[int, ...]:
        hunk = rows[k][0]
        counts = {LineKind.CHANGED: hunk.changed, LineKind.ADDED: hunk.added, LineKind.REMOVED: hunk.removed}
        return (*(OP_OF_KIND[KINDS[kind]] for kind, n in counts.items() if n), *([MOVED] if hunk.moved else []))

    def texts(self, _listed: ListedHunks, rows: Rows, k: int, _room: int = 0) -> tuple[str, ...]:
        hunk, title = rows[k]
        n = hunk.added + hunk.removed + hunk.changed + hunk.moved
        return number(hunk.number), hunk.text, _lines(*hunk.a), _lines(*hunk.b), number(n), title, ""

    def around(self, _listed: ListedHunks, rows: Rows, k: int) -> str:
        return rows[k][1]

    def sentence(self, listed: ListedHunks, rows: Rows, k: int) -> str:
        which, kind, a, b, _, title, _ = self.texts(listed, rows, k)
        return f"{self.words[0]} {which}: {kind}, lines A {a}, B {b}, {title}"

    def order(
        self, listed: ListedHunks, column: int, descending: bool, least: int, cancel: CancelToken | None
    ) -> Counts:
        view, order = listed.index, listed.order
        n: Counts = view.counts.sum(axis=1)
        order = order[n[order] >= least]
        if column == CHANGE:
            titles = {}
            for k in order.tolist():
                if cancel is not None:
                    cancel.raise_if_cancelled()
                titles[k] = view.title(k + 1)
            return np.array(sorted(titles, key=titles.__getitem__, reverse=descending), np.int64)
        keys: dict[int, Callable[[], Counts]] = {
            NUMBER: lambda: np.arange(view.n_hunks),
            KIND: lambda: np.argmax(view.counts[:, ::-1] > 0, axis=1),
            IN_A: lambda: view.firsts(0),
            IN_B: lambda: view.firsts(1),
            LENGTH: lambda: n,
        }
        key = keys.get(column, keys[NUMBER])()[order]
        permutation: Counts = order[np.argsort(-key if descending else key, kind="stable")]
        return permutation

    def shown(self, listed: ListedHunks) -> str:
        return self.some_of(listed, listed.total)

    def none(self, listed: ListedHunks) -> str:
        return "" if listed.index.n_hunks else f"No differences: all {listed.index.units[1]}s of A and B are the same."

    def longest(self, listed: ListedHunks) -> int:
        return int(listed.index.rows.kind.size)

    def widest(self, listed: ListedHunks) -> dict[int, list[str]]:
        rows = listed.index.rows
        a, b = (f"{most}–{most}" for most in (number(as_wide_as(x.size)) for x in (rows.starts_a, rows.starts_b)))
        counts, most = listed.index.counts, number(as_wide_as(rows.kind.size))
        each = np.array([f"{number(as_wide_as(int(counts.max(initial=0))))} {KIND_NAMES[kind]}" for kind in KINDS])
        kinds = [*NOTES.values(), *(", ".join(each[those]) for those in np.unique(counts > 0, axis=0))]
        return {NUMBER: [number(as_wide_as(listed.index.n_hunks))], KIND: kinds, IN_A: [a], IN_B: [b], LENGTH: [most]}


def _placed(view: LineView, hunk: Hunk) -> Hunk:
    """Return a hunk with the old and new place of its moved block."""
    if not hunk.moved:
        return hunk
    rows, at = view.rows, np.concatenate([np.arange(first, end) for first, end in hunk.places])
    moved = (rows.a[at[rows.kind[at] == LineKind.MOVED_FROM]], rows.b[at[rows.kind[at] == LineKind.MOVED_TO]])
    a, b = ((int(lines[0]), int(lines[-1]) + 1) for lines in moved)
    return hunk._replace(a=a, b=b)


def _lines(first: int, end: int) -> str:
    if first == end:
        return f"after {number(first)}"
    return number(first + 1) if end == first + 1 else f"{number(first + 1)}–{number(end)}"


KINDS = {  # the signs of the stepper that stand for lines, in the order of ``LineView.counts``
    LineKind.CHANGED: Kinds.MISMATCH,
    LineKind.ADDED: Kinds.INSERTION,
    LineKind.REMOVED: Kinds.DELETION,
    LineKind.MOVED_FROM: Kinds.SWAP,
}


class HunkSteps(PartSteps):
    """Moves the current line of ``lines``: among the hunks of the kinds chosen in ``stepper``, and among lines.

    Attributes:
        numbers: int64: numbers of the hunks with lines (or words) of the chosen kinds.

    Signals:
        moved: current side and line (from 0).
    """

    moved = Signal(object, int)
    answer: LineView | None = None
    numbers: Counts = np.zeros(0, np.int64)

    def __init__(self, lines: LinesView, stepper: Stepper) -> None:
        super().__init__(stepper)
        self._lines, self._say = lines, lines.noticed.emit
        self._kinds = np.zeros(0, np.uint8)  # of each hunk
        self._place = Side.A, 0
        lines.line_changed.connect(self._note)
        stepper.kinds_changed.connect(self._kinds_changed)

    @property
    def words(self) -> tuple[str, str]:
        hunk = (self.answer or LineView).units[0]
        return hunk, f"{hunk}s"

    def show(self, view: LineView | None) -> None:
        self.answer = view
        self._visited.clear()
        self._place, self.current, self.passed = (Side.A, 0), 0, 0
        if view is not None:
            bits = np.array([int(kind) for kind in KINDS.values()], np.uint8)
            self._kinds = np.bitwise_or.reduce(np.where(view.counts > 0, bits, np.uint8(0)), axis=1)
        self.show_counts()
        self._choose()

    def show_counts(self) -> None:
        view, counts = self.answer, {}
        if view is not None:
            of_kinds = [*view.counts[:, :3].sum(axis=0).tolist(), len(view.result.moved)]
            for n, (kind, sign) in zip(of_kinds, KINDS.items(), strict=True):
                one = "block" if kind is LineKind.MOVED_FROM else view.units[1]
                counts[sign] = n, f"{KIND_NAMES[kind].capitalize()}: {count(n, one, f'{one}s')}"
        signs = {Kinds.SWAP: MOVED}
        self._stepper.show_steps(self.words[0], None if view is None else view.n_hunks, counts, signs=signs)

    @Slot()
    def _kinds_changed(self) -> None:
        if self.answer is not None:
            self._choose()

    def _choose(self) -> None:
        chosen = self._kinds & np.uint8(int(self._stepper.kinds)) > 0
        self.numbers = np.flatnonzero(chosen) + 1 if self.answer is not None else np.zeros(0, np.int64)
        self.listed.emit()

    def go_number(self, number: int) -> None:
        if self.numbers.size:
            self._step(number % self.numbers.size, "")

    def show_one(self, hunk: int) -> None:
        if self.answer is not None:
            self._lines.canvas.go_to_hunk(hunk)
            self.current, self._place = hunk, self._line_of(hunk)
            self.moved.emit(*self._place)

    def _line_of(self, hunk: int) -> tuple[Side, int]:
        assert self.answer is not None
        at = self.answer.hunk(hunk)
        return (Side.A, at.a[0]) if at.a[0] < at.a[1] else (Side.B, at.b[0])

    @Slot(object)
    def _note(self, place: tuple[Side, int]) -> None:
        self._place, (side, line) = place, place
        if self.answer is not None:
            self.current, self.passed = self.answer.at(side is Side.B, self._lines.canvas.letter)
        self.moved.emit(side, line)

    # Places

    def _go_to(self, text: str) -> None:
        if (cells := self._lines.canvas.cells) is not None:
            side, line = parse_line(text, cells.rows)
            self._visited.jump(self._here, _code(side, line))
            self._return_to(_code(side, line))
            self._lines.setFocus()

    def jump_to_letter(self, side: Side, letter: int) -> None:
        """Go to the line of a letter (0-based) and record a visited place."""
        before = self._here
        self._lines.go_to_letter(side, letter)
        self._visited.jump(before, self._here)

    @property
    def _here(self) -> int:
        """The current line; lines of B as negative numbers from -1."""
        return _code(*self._place)

    def _return_to(self, place: int) -> None:
        self._lines.go_to(*((Side.A, place) if place >= 0 else (Side.B, -1 - place)))


def _code(side: Side, line: int) -> int:
    return line if side is Side.A else -1 - line
