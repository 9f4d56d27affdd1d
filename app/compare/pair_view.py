"""Container of the views of a pair (letters, lines, blocks, contigs) with one stepper."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from wavediff.app.compare.alignment_goto import HELP
from wavediff.app.compare.alignment_navigation import Steps
from wavediff.app.compare.alignment_view import AlignmentView
from wavediff.app.compare.blocks.block_rows import ListedBlocks
from wavediff.app.compare.blocks.block_steps import HELP as BLOCK_HELP
from wavediff.app.compare.blocks.block_steps import BlockSteps
from wavediff.app.compare.blocks.blocks_view import BlocksView
from wavediff.app.compare.contigs.contig_rows import ListedContigs
from wavediff.app.compare.contigs.contig_steps import HELP as CONTIG_HELP
from wavediff.app.compare.contigs.contig_steps import ContigSteps
from wavediff.app.compare.contigs.contigs_view import ContigsView
from wavediff.app.compare.lines import sight
from wavediff.app.compare.lines.hunk_steps import HunkSteps
from wavediff.app.compare.lines.lines_view import LinesView
from wavediff.app.ui.buttons import allow
from wavediff.app.ui.pair import Comparison, SharedCursor, Side
from wavediff.app.ui.theme import Theme
from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.export.hunks import ListedHunks
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.sequences.sequence import Sequence

OF_LETTERS = ("set_strip_folded", "copy", "select_all")  # actions
NO_STRIP = "Lines, blocks and contigs have an overview in place of the zoom strip"


class PairView(AlignmentView):
    """Alignment view, or lines, blocks or contigs in its place; the current line also moves the caret of the letters.

    Attributes:
        by_lines, by_blocks, by_contigs: the current mode. lines, hunks: view and stepper of lines.
        ribbons, blocks, tracks, contigs: view and stepper of blocks, and of contigs.
    """

    by_lines = by_blocks = by_contigs = False

    def __init__(self, theme: Theme, cursor: SharedCursor) -> None:
        super().__init__(theme, cursor)
        self._outcome: Comparison | None = None
        self._both = True  # whether an alignment made elsewhere is shown below ours
        self.lines = LinesView(theme)
        self.lines.hide()
        full = self._pages.widget(1)
        column = None if full is None else full.layout()
        assert isinstance(column, QVBoxLayout)
        self.blocks = BlockSteps(self.stepper)
        self.ribbons = BlocksView(theme, self.blocks)
        self.ribbons.hide()
        self.tracks = ContigsView(theme)
        self.tracks.hide()
        self.contigs = ContigSteps(self.tracks, self.stepper)
        for view in (self.lines, self.ribbons, self.tracks):
            column.insertWidget(column.indexOf(self.pane), view, 1)
        self.hunks = HunkSteps(self.lines, self.stepper)
        self._seen: tuple[object, ...] = ()  # texts, or a result, that the lines show
        self.hunks.listed.connect(self._show_place)
        self.hunks.moved.connect(self._line_moved)
        for steps in (self.blocks, self.contigs):
            steps.moved.connect(self._show_place)

    @property
    def steps(self) -> Steps:
        if self.by_contigs:
            return self.contigs
        return self.blocks if self.by_blocks else self.hunks if self.by_lines else self.navigation

    @property
    def listed(self) -> ListedDifferences | ListedHunks | ListedBlocks | ListedContigs | None:
        """Items of the stepper; None if unknown."""
        if self.by_contigs:
            return self.contigs.all
        if self.by_blocks:
            return self.blocks.all
        if self.by_lines:
            view, numbers = self.hunks.answer, self.hunks.numbers
            return None if view is None else ListedHunks(*view.texts, view, numbers - 1, numbers.size)
        one = self.model
        return (
            None if one is None else ListedDifferences(one.a, one.b, one.index, self.stepper.kinds, effects=one.effects)
        )

    @property
    def front_name(self) -> str:
        names = {True: "Letters", self.by_lines: "Lines", self.by_blocks: "Ribbons", self.by_contigs: "Tracks"}
        return names[True]

    @property
    def front(self) -> QWidget:
        if self.by_contigs:
            return self.tracks
        return self.ribbons.canvas if self.by_blocks else self.lines.canvas if self.by_lines else self.canvas

    def zoom(self, steps: int) -> None:
        """Change the font size; 0: default size."""
        letters = self.lines if self.by_lines else self.canvas
        letters.zoom(steps) if steps else letters.usual_size()

    # What is shown

    @Slot(bool)
    def set_both(self, both: bool) -> None:
        self._both = both
        if self._outcome is not None:
            self.show_outcome(self._outcome)

    def show_outcome(self, outcome: Comparison) -> None:
        """Show a result with its alignment and lines, if any."""
        self._outcome, result, swaps = outcome, outcome.result, getattr(outcome.result, "swaps", None)
        rows = getattr(result, "rows", None)
        self._set_front(rows is not None, self.by_blocks)
        if rows is not None and self._seen != (result,):
            self._seen = (result,)
            self.lines.show_result(outcome.a, outcome.b, result)
            self.hunks.show(self.lines.view)
        if result.alignment is not None:
            given = outcome.given if self._both else None
            self.show_result(outcome.a, outcome.b, result.shown, outcome.fold_case, swaps, result.apart_at, given)

    def show_waiting(self, a: Sequence | None, b: Sequence | None, text: str, by_lines: bool, refused: str) -> None:
        """Show the uncompared sequences and ``text``; ``refused``: why they cannot be compared by lines."""
        self._set_front(by_lines and (a is not None or b is not None), self.by_blocks)
        self.show_letters(a, b, text)
        if self.by_lines and self._seen != (a, b, refused):
            self._seen = (a, b, refused)
            self.hunks.show(None)
            self.lines.clear(refused) if refused else self.lines.show_lines(a, b)

    def show_blocks(self, wanted: bool, answer: RearrangedAnswer | None, text: str) -> None:
        """Show blocks in place of the letters if ``wanted``, or ``text`` until there is an answer."""
        self._set_front(self.by_lines, wanted)
        if wanted:
            self.blocks.show(answer)
            self.ribbons.clear(text)
            self._show_cover()

    def show_contigs(self, wanted: bool, answer: ContigsAnswer | None, text: str) -> None:
        """Show contigs in place of the letters if ``wanted``, or ``text`` until there is an answer."""
        self._set_front(self.by_lines, self.by_blocks, wanted)
        if wanted:
            self.tracks.show_answer(answer, text)
            self.contigs.show(answer)
            self._show_cover()

    def _show_cover(self) -> None:
        self._pages.setCurrentIndex(1)
        self._show_counts()
        if self.hasFocus():
            self.take_focus()

    def take_focus(self) -> None:
        (self.front if self.front.isVisible() else self).setFocus(Qt.FocusReason.OtherFocusReason)

    def enter(self) -> bool:
        """Compare the current block or contig separately; return whether blocks or contigs are shown."""
        if self.by_blocks or self.by_contigs:
            (self.ribbons.compare if self.by_blocks else self.tracks.open_button).click()
        return self.by_blocks or self.by_contigs

    def _set_front(self, by_lines: bool, by_blocks: bool, by_contigs: bool | None = None) -> None:
        by_contigs = self.by_contigs if by_contigs is None else by_contigs
        if (by_lines, by_blocks, by_contigs) == (self.by_lines, self.by_blocks, self.by_contigs):
            return
        focus = self.window().focusWidget()
        self.by_lines, self.by_blocks, self.by_contigs = by_lines, by_blocks, by_contigs
        self.of_letters = not (by_lines or by_blocks or by_contigs)
        self._seen = ()
        for widget in (self.pane, self._status):
            widget.setHidden(not self.of_letters)
        self.lines.setVisible(by_lines and not by_blocks and not by_contigs)
        self.ribbons.setVisible(by_blocks)
        self.tracks.setVisible(by_contigs)
        for id_ in OF_LETTERS:
            allow(self.actions_by_id[id_], "" if self.of_letters else NO_STRIP)
        self.stepper.set_menu(self.lines.options_menu if by_lines else self._letters_menu)
        helps = {by_lines: sight.HELP, by_blocks: BLOCK_HELP, by_contigs: CONTIG_HELP}
        self.stepper.field.setToolTip(f"{helps.get(True, HELP)} (Ctrl+L)")
        if not by_lines:
            self.hunks.show(None)
        if not by_blocks:
            self.blocks.show(None)
        if not by_contigs:
            self.contigs.show(None)
        if not by_lines:
            self._show_counts()
        self._fit_strip()
        if focus is self or (focus is not None and self.isAncestorOf(focus) and not focus.isVisible()):
            self.take_focus()

    def set_stale(self, text: str) -> None:
        super().set_stale(text)
        self.lines.set_stale(text)

    # Places

    def go_to_letter(self, a0: int | None, b0: int | None, words: str = "") -> None:
        if self.by_contigs:
            self.contigs.jump_to(a0, b0)
        elif self.by_blocks:
            self.blocks.jump_to_letter(a0, b0)
        else:
            super().go_to_letter(a0, b0, words)
            if self.by_lines and (a0 is not None or b0 is not None):
                self.hunks.jump_to_letter(*((Side.A, a0) if a0 is not None else (Side.B, b0 or 0)))

    def go_to_letters(self, side: Side, start: int, end: int) -> None:
        if self.by_blocks:
            self.blocks.jump_to_letter(*((start, None) if side is Side.A else (None, start)))
        elif self.by_contigs:
            self.contigs.jump_to(start if side is Side.A else None, None)
        else:
            super().go_to_letters(side, start, end)
            if self.by_lines:
                self.hunks.jump_to_letter(side, start)

    @Slot(object, int)
    def _line_moved(self, side: Side, line: int) -> None:
        cells, model = self.lines.canvas.cells, self.canvas.model
        if self.by_lines and cells is not None and model is not None:
            starts = cells.rows.starts_a if side is Side.A else cells.rows.starts_b
            letter, column = int(starts[line]), model.index.column_of_a if side is Side.A else model.index.column_of_b
            if letter < starts[-1]:
                self.canvas.set_caret(column(letter))
        self._show_place()

    # Inside

    def _show_counts(self) -> None:
        if self.of_letters:
            super()._show_counts()
        else:
            (self.contigs if self.by_contigs else self.blocks if self.by_blocks else self.hunks).show_counts()
        self._show_place()
