"""Navigation among differences and visited places; stops at the ends with a message."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from wavediff.app.compare.alignment_canvas import AlignmentCanvas
from wavediff.app.compare.alignment_goto import parse_place
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.stepper import Stepper
from wavediff.app.ui.pair import Side
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.difference_index import Difference

MAX_PLACES = 64
KEPT = 4  # answers whose current part is known when they come back


class VisitedPlaces:
    """Visited columns, oldest first, and the current one.

    ``jump`` and ``go`` first store ``here``, the column that the user has reached since the last visited place.
    """

    def __init__(self) -> None:
        self._columns: list[int] = []
        self._at = 0

    @property
    def columns(self) -> tuple[int, ...]:
        return tuple(self._columns)

    def clear(self) -> None:
        self._columns, self._at = [], 0

    def jump(self, here: int, there: int) -> None:
        """Go from ``here`` to a new place; later places are forgotten."""
        if here != there:
            self._columns = [*self._columns[: self._at], here, there][-MAX_PLACES:]
            self._at = len(self._columns) - 1

    def leads(self, step: int) -> bool:
        return 0 <= self._at + step < len(self._columns)

    def go(self, here: int, step: int) -> int | None:
        """Move ``step`` places (-1: back) and return the new place; None at the end."""
        if not self.leads(step):
            return None
        self._columns[self._at] = here
        self._at += step
        return self._columns[self._at]


class Steps(QObject):
    """Stepping by keys and buttons, with visited places; base class for all views.

    Args:
        say: shows one line, or nothing for an empty one.

    Attributes:
        words: noun of a step, singular and plural. current: number, from 1, of the current hunk or block; 0: none.
    """

    current = 0

    @property
    def words(self) -> tuple[str, str]:
        raise NotImplementedError

    def __init__(self, stepper: Stepper, say: Callable[[str], None]) -> None:
        super().__init__()
        self._stepper, self._say = stepper, say
        self._visited = VisitedPlaces()

    def go_next(self) -> None: ...
    def go_previous(self) -> None: ...
    def go_number(self, number: int) -> None:
        """Go to the item ``number``, 0-based; negative numbers count from the end."""

    def show_one(self, number: int) -> None:
        """Go to a hunk or a block by its 1-based number."""

    def choose(self, number: int) -> None:
        """Go to the item with this 1-based number in the list; a contig without a place makes none current."""
        self.show_one(number)

    def counted(self) -> tuple[int | None, int | None]:
        """Return the number of the current item (0-based; None between two items) and the total (None: unknown)."""
        raise NotImplementedError

    def where(self) -> str:
        """Return e.g. ``difference 12 of 4,318``; only the total between two items; empty if unknown."""
        here, total = self.counted()
        if total is None:
            return ""
        if here is not None:
            return f"{self.words[0]} {number(here + 1)} of {number(total)}"
        return count(total, *self.words) if total else f"no {self.words[0]}"

    def _stop(self, end: str) -> None:
        self._stepper.tell(f"{end} {self.words[0]}" if self.counted()[1] else f"There is no {self.words[0]}")

    def go_to(self, text: str) -> None:
        try:
            self._go_to(text)
        except ValueError as error:
            self._stepper.refused.emit()
            self._say(f"Go to: {error!s}")

    def _go_to(self, text: str) -> None: ...
    def go_back(self) -> None:
        self._revisit(-1)

    def go_forward(self) -> None:
        self._revisit(1)

    def at_end(self, step: int) -> str:
        """Return why there is no visited place ``step`` places on (-1: back), or an empty string."""
        return "" if self._visited.leads(step) else f"No {'earlier' if step < 0 else 'later'} place"

    def _revisit(self, step: int) -> None:
        why_not, place = self.at_end(step), self._visited.go(self._here, step)
        if place is None:
            self._say(why_not)
        else:
            self._return_to(place)

    @property
    def _here(self) -> int:
        raise NotImplementedError

    def _return_to(self, place: int) -> None: ...


class PartSteps(Steps):
    """Stepping through numbered parts of an answer (blocks, contigs), from 1.

    Attributes:
        answer: the shown one, or None. passed: number of the part before the current place, if no part is current.

    Signals:
        listed: the parts changed. moved: the current part changed.
    """

    listed = Signal()
    moved = Signal()
    answer: Any = None
    passed = 0

    def __init__(self, stepper: Stepper) -> None:
        super().__init__(stepper, stepper.tell)
        self._left: list[tuple[Any, int]] = []  # answers of before, and their current parts

    @property
    def parts(self) -> Sequence[Any]:
        raise NotImplementedError

    @property
    def numbers(self) -> Sequence[int] | Counts:
        """Ascending numbers of the parts that can be stepped to."""
        return range(1, len(self.parts) + 1)

    @property
    def _first(self) -> int:
        return min(1, len(self.parts))

    def show(self, answer: Any) -> None:
        """Show ``answer`` at the part where the user left it, else at ``_first``."""
        if answer is self.answer:
            return
        if self.answer is not None:
            others = (each for each in self._left if each[0] is not self.answer)
            self._left = [*others, (self.answer, self.current)][-KEPT:]
        self.answer = answer
        self._visited.clear()
        self.current = next((part for left, part in self._left if left is answer), self._first)
        if answer is not None:
            self.show_counts()
        self.listed.emit()
        self.moved.emit()

    def show_counts(self) -> None:
        self._stepper.show_steps(self.words[0], self.counted()[1], {})

    def counted(self) -> tuple[int | None, int | None]:
        if self.answer is None:
            return None, None
        at = bisect_left(self.numbers, self.current)
        return at if self.current in self.numbers[at : at + 1] else None, len(self.numbers)

    def go_next(self) -> None:
        self._step(bisect_right(self.numbers, self.current or self.passed), "Last")

    def go_previous(self) -> None:
        self._step(bisect_left(self.numbers, self.current or self.passed + 1) - 1, "First")

    def go_number(self, number: int) -> None:
        if len(self.numbers):
            self.jump(int(self.numbers[number % len(self.numbers)]))

    def _step(self, at: int, at_end: str) -> None:
        if 0 <= at < len(self.numbers):
            self.show_one(int(self.numbers[at]))
        else:
            self._stop(at_end)

    def jump(self, number: int) -> None:
        self._visited.jump(self.current, number)
        self.show_one(number)

    def show_one(self, number: int) -> None:
        if number != self.current:
            self.current = number
            self.moved.emit()

    @property
    def _here(self) -> int:
        return self.current

    def _return_to(self, place: int) -> None:
        self.show_one(place)


class Navigation(Steps):
    """Moves the caret of ``canvas`` among differences of the kinds in ``stepper``, and among places.

    Signals:
        visited_changed: columns (tuple) that were jumped to.
    """

    visited_changed = Signal(object)

    def __init__(self, canvas: AlignmentCanvas, stepper: Stepper, say: Callable[[str], None]) -> None:
        super().__init__(stepper, say)
        self._canvas = canvas

    # Differences

    @property
    def words(self) -> tuple[str, str]:
        return AlignmentModel.words if self._canvas.model is None else self._canvas.model.words

    def go_next(self) -> None:
        model = self._alignment
        if model is not None:
            self._step(model.steps.next_difference(self._before(), self._stepper.kinds), "Last")

    def go_previous(self) -> None:
        model = self._alignment
        if model is not None:
            self._step(model.steps.previous_difference(self._behind(), self._stepper.kinds), "First")

    def go_number(self, number: int) -> None:
        model = self._alignment
        if model is None:
            return
        index, kinds = model.steps, self._stepper.kinds
        total = index.n_differences(kinds)
        if total:
            self._visit(index.difference(number % total, kinds).col0)
        self._step(index.difference(number % total, kinds) if total else None, "")

    def counted(self) -> tuple[int | None, int | None]:
        if (model := self._alignment) is None:
            return None, None
        here = model.steps.difference_at(self._canvas.caret, self._stepper.kinds)
        number = here.number if here is not None else None
        return number, model.steps.n_differences(self._stepper.kinds)

    @Slot()
    def step_by_kinds(self) -> None:
        """Step through the kinds of differences that are switched on; if none is, through disagreements."""
        if (model := self._alignment) is not None:
            model.step_by(kinds=self._stepper.by_kinds)

    # Places

    def _go_to(self, text: str) -> None:
        if (model := self._canvas.model) is not None:
            place = parse_place(text, model, self._stepper.kinds)
            self.jump(place.col0, place.col1)
            self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def jump(self, col0: int, col1: int | None = None, side: Side | None = None) -> None:
        """Go to column ``col0``, select up to ``col1`` (of ``side`` only), and record a visited place."""
        if self._canvas.model is not None:
            self._visit(col0)
            self.show_place(col0, col1, side)

    def show_place(self, col0: int, col1: int | None = None, side: Side | None = None) -> None:
        """Move the current place and the caret to column ``col0``; select up to ``col1`` (of ``side`` only)."""
        self._arrive(col0)
        end = col0 + 1 if col1 is None else col1
        self._canvas.centre((col0 + end - 1) // 2)
        if not self._canvas.is_visible(col0):
            self._canvas.centre(col0)
        if col1 is not None:
            self._canvas.set_selection(col0, col1, side=side)

    def forget_places(self) -> None:
        self._visited.clear()
        self.visited_changed.emit(())

    # Inside

    @property
    def _alignment(self) -> AlignmentModel | None:
        model = self._canvas.model
        return model if model is not None and model.aligned else None

    def _visit(self, col: int) -> None:
        self._visited.jump(self._canvas.caret, col)
        self.visited_changed.emit(self._visited.columns)

    @property
    def _here(self) -> int:
        return self._canvas.caret

    def _return_to(self, place: int) -> None:
        self._arrive(place)
        self._canvas.centre(place)
        self.visited_changed.emit(self._visited.columns)

    def _before(self) -> int:
        """Return the column from which to search the next difference: the caret, or the end of the view."""
        first, end = self._canvas.columns
        return self._canvas.caret if first <= self._canvas.caret < end else first - 1

    def _behind(self) -> int:
        first, end = self._canvas.columns
        return self._canvas.caret if first <= self._canvas.caret < end else end

    def _step(self, difference: Difference | None, at_end: str) -> None:
        if difference is None:
            self._stop(at_end)
            return
        self._arrive(difference.col0)
        if not self._canvas.is_visible(difference.col0):
            self._canvas.centre(difference.col0)

    def _arrive(self, col: int) -> None:
        self._canvas.set_selection(0, 0)
        self._say("")
        self._canvas.set_caret(col)
