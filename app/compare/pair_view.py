"""The pair, by lines or in letters: one stepper and one caret for both."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from wavediff.app.compare.alignment_goto import HELP
from wavediff.app.compare.alignment_navigation import Steps
from wavediff.app.compare.alignment_view import AlignmentView
from wavediff.app.compare.lines import sight
from wavediff.app.compare.lines.hunk_steps import HunkSteps
from wavediff.app.compare.lines.lines_view import LinesView
from wavediff.app.ui.buttons import allow
from wavediff.app.ui.pair import Comparison, Side
from wavediff.app.ui.shared_cursor import SharedCursor
from wavediff.app.ui.theme import Theme
from wavediff.core.export.hunks import ListedHunks
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.sequences.sequence import Sequence

OF_LETTERS = ("set_strip_folded", "copy", "select_all")  # actions
NO_STRIP = "Lines have an overview in place of the zoom strip"


class PairView(AlignmentView):
    """Lines stand in front of the letters, whose caret goes with the current line.

    Attributes:
        by_lines: whether they do. lines, hunks: what is seen then, and what steps through it.
    """

    by_lines = False

    def __init__(self, theme: Theme, cursor: SharedCursor) -> None:
        super().__init__(theme, cursor)
        self._outcome: Comparison | None = None
        self._both = True  # whether an alignment made elsewhere is shown below ours
        self.lines = LinesView(theme)
        self.lines.hide()
        full = self._pages.widget(1)
        column = None if full is None else full.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(column.indexOf(self.pane), self.lines, 1)
        self.hunks = HunkSteps(self.lines, self.stepper, self)
        self._seen: tuple[object, ...] = ()  # texts, or a result, that the lines show
        self.hunks.listed.connect(self._show_place)
        self.hunks.moved.connect(self._line_moved)

    @property
    def steps(self) -> Steps:
        return self.hunks if self.by_lines else self.navigation

    @property
    def listed(self) -> ListedDifferences | ListedHunks | None:
        """Return what is stepped through; None while nothing is known."""
        if self.by_lines:
            view, numbers = self.hunks.view, self.hunks.numbers
            return None if view is None else ListedHunks(*view.texts, view, numbers - 1, numbers.size)
        one = self.model
        return (
            None if one is None else ListedDifferences(one.a, one.b, one.index, self.stepper.kinds, effects=one.effects)
        )

    @property
    def front(self) -> QWidget:
        """The lines or the letters, whichever is seen: it has the keys."""
        return self.lines.canvas if self.by_lines else self.canvas

    def zoom(self, steps: int) -> None:
        """Make letters larger or smaller; 0: as large as usual."""
        letters = self.lines if self.by_lines else self.canvas
        letters.zoom(steps) if steps else letters.usual_size()

    # What is shown

    @Slot(bool)
    def set_both(self, both: bool) -> None:
        self._both = both
        if self._outcome is not None:
            self.show_outcome(self._outcome)

    def show_outcome(self, outcome: Comparison) -> None:
        """Show a result that has an alignment, and its lines where it has such."""
        self._outcome, result, swaps = outcome, outcome.result, getattr(outcome.result, "swaps", None)
        rows = getattr(result, "rows", None)
        self._set_by_lines(rows is not None)
        if rows is not None and self._seen != (result,):
            self._seen = (result,)
            self.lines.show_result(outcome.a, outcome.b, result)
            self.hunks.show(self.lines.view)
        if result.alignment is not None:
            given = outcome.given if self._both else None
            self.show_result(outcome.a, outcome.b, result.shown, outcome.fold_case, swaps, result.apart_at, given)

    def show_waiting(self, a: Sequence | None, b: Sequence | None, text: str, by_lines: bool, refused: str) -> None:
        """Show the texts as they are until they are compared, and ``text``; ``refused``: why they cannot be."""
        there = a is not None or b is not None
        self._set_by_lines(by_lines and there)
        self.show_letters(a, b, text)
        if self.by_lines and self._seen != (a, b, refused):
            self._seen = (a, b, refused)
            self.hunks.show(None)
            self.lines.clear(refused) if refused else self.lines.show_lines(a, b)

    def _set_by_lines(self, by_lines: bool) -> None:
        if by_lines == self.by_lines:
            return
        focus = self.window().focusWidget()
        self.by_lines = by_lines
        self._seen = ()
        for widget in (self.pane, self._status):
            widget.setHidden(by_lines)
        self.lines.setVisible(by_lines)
        for id_ in OF_LETTERS:
            allow(self.actions_by_id[id_], NO_STRIP if by_lines else "")
        self.stepper.set_menu(self.lines.options_menu if by_lines else self._letters_menu)
        self.stepper.set_help(sight.HELP if by_lines else HELP)
        if not by_lines:
            self.hunks.show(None)
            self._show_counts()
        self._fit_strip()
        if focus is self or (focus is not None and self.isAncestorOf(focus) and not focus.isVisible()):
            (self.front if self.front.isVisible() else self).setFocus()

    def set_stale(self, text: str) -> None:
        super().set_stale(text)
        self.lines.set_stale(text)

    # Places

    def go_to_letter(self, a0: int | None, b0: int | None, words: str = "") -> None:
        super().go_to_letter(a0, b0, words)
        if self.by_lines and (a0 is not None or b0 is not None):
            self.hunks.jump_to_letter(*((Side.A, a0) if a0 is not None else (Side.B, b0 or 0)))

    def go_to_letters(self, side: Side, start: int, end: int) -> None:
        super().go_to_letters(side, start, end)
        if self.by_lines:
            self.hunks.jump_to_letter(side, start)

    @Slot(object, int)
    def _line_moved(self, side: Side, line: int) -> None:
        """Take the caret of the letters along."""
        cells, model = self.lines.canvas.cells, self.canvas.model
        if self.by_lines and cells is not None and model is not None:
            starts = cells.rows.starts_a if side is Side.A else cells.rows.starts_b
            letter, column = int(starts[line]), model.index.column_of_a if side is Side.A else model.index.column_of_b
            if letter < starts[-1]:
                self.canvas.set_caret(column(letter))
        self._show_place()

    # Inside

    def _show_counts(self) -> None:
        if self.by_lines:
            self.hunks.show_counts()
            self._show_place()
        else:
            super()._show_counts()

    def _fit_strip(self) -> None:
        super()._fit_strip()
        if self.by_lines:
            self.strip.hide()
            self.unaligned.hide()
