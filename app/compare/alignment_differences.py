"""From difference to difference, and to a place that was typed; stops at the ends and says so."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Slot

from app.compare.alignment_bar import AlignmentBar
from app.compare.alignment_canvas import AlignmentCanvas
from app.compare.alignment_goto import PlaceError, parse_place
from core.jobs.difference_index import Difference


class DifferenceSteps(QObject):
    """Moves the caret of ``canvas`` among the differences of the kinds chosen in ``bar``.

    Args:
        say: shows one line, or nothing for an empty one.
    """

    def __init__(self, canvas: AlignmentCanvas, bar: AlignmentBar, say: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._canvas, self._bar, self._say = canvas, bar, say

    def go_next(self) -> None:
        if self._canvas.model is not None:
            found = self._canvas.model.index.next_difference(self._before(), self._bar.kinds)
            self._go(found, "This is the last difference")

    def go_previous(self) -> None:
        if self._canvas.model is not None:
            found = self._canvas.model.index.previous_difference(self._behind(), self._bar.kinds)
            self._go(found, "This is the first difference")

    def go_number(self, number: int) -> None:
        """Go to difference ``number`` from 0, or from the end where negative."""
        if self._canvas.model is not None:
            index, kinds = self._canvas.model.index, self._bar.kinds
            total = index.n_differences(kinds)
            self._go(index.difference(number % total, kinds) if total else None, "")

    def go_to(self, text: str) -> None:
        """Go to the place that ``text`` names; what is wrong with it is said."""
        model = self._canvas.model
        if model is None:
            return
        try:
            col = parse_place(text, model.index, self._bar.kinds)
        except PlaceError as error:
            self._say(f"Go to: {error}")
            return
        self._arrive(col)
        self._canvas.centre(col)
        self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def where(self) -> str:
        """Return e.g. ``difference 12 of 4,318``; between two, how many there are."""
        model = self._canvas.model
        if model is None:
            return ""
        kinds = self._bar.kinds
        here = model.index.difference_at(self._canvas.caret, kinds)
        if here is not None:
            return model.place(here, kinds)
        total = model.index.n_differences(kinds)
        return f"{total:,} difference{'' if total == 1 else 's'}" if total else "no difference"

    @Slot(int)
    def step(self, direction: int) -> None:
        if direction > 0:
            self.go_next()
        else:
            self.go_previous()

    def _before(self) -> int:
        """Return the column after which the next difference is sought: the caret, or all that is seen without it."""
        first, end = self._canvas.columns
        return self._canvas.caret if first <= self._canvas.caret < end else first - 1

    def _behind(self) -> int:
        first, end = self._canvas.columns
        return self._canvas.caret if first <= self._canvas.caret < end else end

    def _go(self, found: Difference | None, at_end: str) -> None:
        model = self._canvas.model
        if found is None:
            some = model is not None and model.index.n_differences(self._bar.kinds)
            self._say(at_end if some else "There is no difference")
            return
        self._arrive(found.col0)
        if not self._canvas.is_visible(found.col0):
            self._canvas.centre(found.col0)

    def _arrive(self, col: int) -> None:
        self._canvas.set_selection(0, 0)
        self._say("")
        self._canvas.set_caret(col)
