"""Alignment view: letters, rulers, zoom strip, differences, copying."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QPalette, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from wavediff.app.compare.alignment_actions import (
    WITHOUT_ALIGNMENT,
    CopyFormat,
    TooMuch,
    build_actions,
    colour_menu,
    copy_menu,
    copy_text,
    options_menu,
)
from wavediff.app.compare.alignment_input import AlignmentPane
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.alignment_navigation import Navigation, Steps
from wavediff.app.compare.annotator import Annotator, IndexBuilder
from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.compare.other_models import StackedModel, UnalignedModel
from wavediff.app.compare.stepper import NOT_YET, Stepper
from wavediff.app.compare.strip_drawing import LANE_PX
from wavediff.app.compare.tracks import Tracks
from wavediff.app.compare.tracks.track import BySide
from wavediff.app.compare.zoom_strip import ZoomStrip
from wavediff.app.ui.buttons import allow
from wavediff.app.ui.labels import ElidedLabel, TwoLabels
from wavediff.app.ui.layouts import in_column, in_row, with_empty_page
from wavediff.app.ui.pair import NOWHERE, MatrixPosition, SharedCursor, Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import count, percent
from wavediff.core.jobs.alignment import Alignment, Swaps
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.given_alignment import GivenAlignment
from wavediff.core.sequences.sequence import Sequence

MARGIN_PX = 8
MAX_OFFERED = 10_000  # names of features of a sequence that *Go to* completes
COMPACT_WIDTH_PX, COMPACT_HEIGHT_PX = 1100, 600  # of the window, below which the letters stand closer


class AlignmentView(QWidget):
    """Shows an alignment; without one, unaligned letters or a line of text.

    Signals:
        model_changed: the ``AlignmentModel`` that is shown now, or None.
        visited_changed: columns (tuple) that were jumped to, see ``Navigation``.
        wanted: the view should be raised.
    """

    model_changed = Signal(object)
    visited_changed = Signal(object)
    wanted = Signal()
    of_letters = True  # which are seen; nothing covers them

    def __init__(self, theme: Theme, cursor: SharedCursor) -> None:
        super().__init__()
        self.setAccessibleName("Alignment")
        self._theme, self.pointer = theme, cursor
        self._pair: tuple[Sequence, Sequence, bool, Swaps | None] | None = None
        self.model: AlignmentModel | None = None
        self._given: GivenAlignment | None = None
        self._hover: int | None = None
        self._stale, self._uncounted = "", NOT_YET
        self._builder = IndexBuilder()
        self._builder.progressed.connect(self._show_progress)
        self._builder.built.connect(self._show_index)
        self.annotator = Annotator(self)
        self.annotator.found.connect(self._show_tracks)
        self.strip = ZoomStrip(theme)
        self.pane = AlignmentPane(theme)
        self.canvas = self.pane.canvas
        self.where = ElidedLabel()
        self.notice = ElidedLabel()
        self.actions_by_id = build_actions(self, self._slots())
        self.copy_as_menu = copy_menu(self)
        self.copy_as_menu.triggered.connect(lambda action: self.copy_as(CopyFormat(action.data())))
        self.colour_menu = colour_menu(self, lambda: self.canvas.colouring)
        self.colour_menu.triggered.connect(lambda action: self.canvas.set_colouring(Colouring(action.data())))
        steps = {which: self.actions_by_id[f"{which}_difference"] for which in ("first", "previous", "next", "last")}
        menus = self.colour_menu, self.annotator.menu
        self._letters_menu = options_menu(self, self.actions_by_id, menus)
        self.stepper = Stepper(theme, steps, self._letters_menu)
        self.navigation = Navigation(self.canvas, self.stepper, self._say)
        self._build()
        self._connect(cursor)
        self.clear("Nothing compared yet")

    @property
    def message(self) -> str:
        if self._pages.currentIndex() == 0:
            return self._empty.text()
        return self.unaligned.text if self.model is None else ""

    def show_result(
        self,
        a: Sequence,
        b: Sequence,
        alignment: Alignment,
        fold_case: bool,
        swaps: Swaps | None = None,
        apart_at: Counts | None = None,
        given: GivenAlignment | None = None,
    ) -> None:
        """Show ``alignment`` of ``a`` and ``b``; a long one is indexed in slices of a few milliseconds.

        The position is kept if these sequences are already shown.

        Args:
            given: an alignment of another program, shown below.
        """
        self._pair, self._given = (a, b, fold_case, swaps), given
        index = self._builder.start(alignment, swaps, apart_at)
        if index is None:
            self._show_unaligned(a, b, "Preparing the alignment…")
        else:
            self._show_index(index)

    def set_stale(self, text: str) -> None:
        """Grey out the view and show ``text`` in place of the counts; empty: current again."""
        if text != self._stale:
            self._stale = text
            self.canvas.set_dimmed(bool(text))
            self.strip.set_dimmed(bool(text))
            self._show_place()

    def show_letters(self, a: Sequence | None, b: Sequence | None, text: str, differences: str = NOT_YET) -> None:
        """Show the unaligned letters of ``a`` and ``b``, with ``text`` in place of the strip.

        Args:
            a, b: one may be None; without letters only ``text`` is shown.
            differences: text in place of the number of differences, e.g. ``not yet``.
        """
        self._builder.stop()
        self._show_unaligned(a, b, text, differences)

    def _show_unaligned(self, a: Sequence | None, b: Sequence | None, text: str, differences: str = NOT_YET) -> None:
        if not a and not b:
            self._show_nothing(text)
            return
        model = self.canvas.model
        if not isinstance(model, UnalignedModel) or not model.is_of(a, b):
            self._forget()
            self.canvas.set_model(UnalignedModel(a, b))
            self._show_canvas(f"Letters of {' · '.join(each.name for each in (a, b) if each)}")
        self._uncounted = differences
        self._show_place()
        self.unaligned.set_text(text)
        self._fit_strip()

    def clear(self, message: str) -> None:
        self._builder.stop()
        self._show_nothing(message)

    def _show_nothing(self, message: str) -> None:
        if self._pages.currentIndex() and self.isAncestorOf(QApplication.focusWidget() or self):
            self.setFocus()  # else the next widget would get it
        self._forget()
        self.canvas.set_model(None)
        self._empty.setText(message)
        self._pages.setCurrentIndex(0)

    # Differences and places

    @Slot(object, object, str)
    def go_to_letter(self, a0: int | None, b0: int | None, words: str = "") -> None:
        """Go to letter ``a0`` of A, else ``b0`` of B (0-based), if a column has it, and show ``words``."""
        col = self._column_of(MatrixPosition(a0, b0))
        if col is not None:
            self.navigation.jump(col)
            self._say(words)

    def go_to_letters(self, side: Side, start: int, end: int) -> None:
        """Go to letters ``[start, end)`` (0-based) of one sequence, and select them."""
        model = self.canvas.model
        if model is not None:
            column = model.index.column_of_a if side is Side.A else model.index.column_of_b
            self.navigation.jump(column(start), column(end - 1) + 1, side)

    # Copying

    @Slot()
    def copy(self) -> None:
        of_side = {Side.A: CopyFormat.PLAIN_A, Side.B: CopyFormat.PLAIN_B}
        side = self.canvas.selected_side
        self.copy_as(CopyFormat.FASTA if side is None else of_side[side])

    def copy_as(self, kind: CopyFormat) -> None:
        """Copy the selected columns; report what was copied, or why not."""
        model = self.canvas.model
        if model is None:
            return
        col0, col1 = self.canvas.selection
        if col0 == col1:
            self._say("Nothing is selected: drag over the letters, or press Ctrl+A")
            return
        if not model.aligned and kind not in WITHOUT_ALIGNMENT:
            self._say("Not copied: A and B are not aligned. Right-click to copy the letters of A or B")
            return
        try:
            text = copy_text(model, col0, col1, kind)
        except TooMuch as error:
            self._say(f"Not copied: {error!s}")
            return
        QGuiApplication.clipboard().setText(text)
        self._say(f"Copied {count(col1 - col0, 'column', 'columns')}: {kind.value}")

    @property
    def steps(self) -> Steps:
        return self.navigation

    def show_ways(self, *, in_menu: bool) -> None:
        """In the menu disable Back and Forward without a place; else enable them, as their keys report that."""
        for id_, step in (("go_back", -1), ("go_forward", 1)):
            allow(self.actions_by_id[id_], self.steps.at_end(step) if in_menu else "")

    def ask_place(self) -> None:
        self.wanted.emit()
        self.stepper.focus_field()

    # Inside

    def _slots(self) -> dict[str, Callable[..., object]]:
        return {
            "first_difference": lambda: self.steps.go_number(0),
            "previous_difference": lambda: self.steps.go_previous(),
            "next_difference": lambda: self.steps.go_next(),
            "last_difference": lambda: self.steps.go_number(-1),
            "go_back": lambda: self.steps.go_back(),
            "go_forward": lambda: self.steps.go_forward(),
            "focus_go_to": self.ask_place,
            "copy": self.copy,
            "select_all": self.canvas.select_all,
            "set_wrapped": self.canvas.set_wrapped,
            "set_b_ruler": self.canvas.set_b_ruler,
            "set_strip_folded": self.strip.set_folded,
            "smaller": lambda: self.canvas.zoom(-1),
            "larger": lambda: self.canvas.zoom(1),
        }

    def _build(self) -> None:
        self.actions_by_id["set_wrapped"].setChecked(True)
        self._status = QWidget(self)
        self._line = TwoLabels(self.where, self.notice, 2 * MARGIN_PX)
        in_row(self._line, on=self._status, margin=(MARGIN_PX, 2, MARGIN_PX, 3))
        full = QWidget(self)
        self.unaligned = ElidedLabel(parent=self)
        self.unaligned.setContentsMargins(16, 0, 16, 0)
        self.unaligned.setAutoFillBackground(True)
        in_column(self.stepper, self.strip, self.unaligned, (self.pane, 1), self._status, on=full, margin=0, gap=0)
        self._empty, self._pages = with_empty_page(full, self, 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the strip if there is no room for it with controls and a line of letters."""
        super().resizeEvent(event)
        whole = self.window().size()
        self.canvas.set_compact(whole.width() < COMPACT_WIDTH_PX or whole.height() < COMPACT_HEIGHT_PX)
        self.strip.fit(whole)
        self._fit_strip()

    def _fit_strip(self) -> None:
        waits = self.model is None
        self.unaligned.setVisible(waits and self.of_letters)
        self.unaligned.setFixedHeight(max(3 * LANE_PX, self.strip.height()))
        below = self.canvas.minimumSizeHint().height() + self._status.sizeHint().height()
        needed = self.stepper.height() + self.strip.minimumSizeHint().height() + below
        self.strip.setVisible(self.of_letters and not waits and self.height() >= needed)

    def _connect(self, cursor: SharedCursor) -> None:
        self.stepper.kinds_changed.connect(self.navigation.step_by_kinds)
        self.stepper.kinds_changed.connect(self._show_place)
        self.stepper.place_wanted.connect(lambda text: self.steps.go_to(text))
        self.stepper.go_to_changed.connect(lambda _text: self._say(""))
        self.stepper.kinds_changed.connect(self.strip.set_kinds)
        self.stepper.kinds_changed.connect(self.canvas.set_kinds)
        self.strip.start_wanted.connect(self.canvas.begin_at)
        self.strip.caret_wanted.connect(self.navigation.jump)
        self.strip.extent_wanted.connect(self.navigation.jump)
        self.canvas.scrolled.connect(self._show_window)
        self.canvas.caret_moved.connect(self._caret_moved)
        self.canvas.selection_changed.connect(self._show_selection)
        self.canvas.hovered.connect(self._hovered)
        self.canvas.menu_wanted.connect(self._open_menu)
        self.navigation.visited_changed.connect(self.visited_changed)
        self.navigation.visited_changed.connect(self.strip.set_visited)
        cursor.moved.connect(self._point)
        self._theme.follow(self._restyle)

    @Slot()
    def _restyle(self) -> None:
        palette = self.unaligned.palette()
        palette.setColor(QPalette.ColorRole.Window, self._theme.tint)
        palette.setColor(QPalette.ColorRole.WindowText, self._theme.text)
        self.unaligned.setPalette(palette)
        self.unaligned.setFont(self._theme.small_font)

    @Slot(float)
    def _show_progress(self, share: float) -> None:
        self.unaligned.set_text(f"Preparing the alignment… {percent(share)}")

    @Slot(object)
    def _show_index(self, index: AlignmentIndex) -> None:
        if self._pair is None:
            return
        a, b, fold_case, swaps = self._pair
        if not index.n_columns:
            self._show_nothing("Both sequences are empty: there is nothing to align")
            return
        seen, position = self._seen_letter(a, b), self.canvas.position
        self._hover = None
        self.pointer.clear()
        self.navigation.forget_places()
        self.model = AlignmentModel(a, b, index, fold_case, swaps)
        if self._given is not None:
            self.model = StackedModel(a, b, index, self._given, fold_case, swaps)
            index = self.model.index
        self._show_counts()
        self.strip.set_index(index)
        self.annotator.set_model(self.model)
        self.strip.set_kinds(self.stepper.kinds)
        self.canvas.set_kinds(self.stepper.kinds)
        self._fit_strip()
        self.canvas.set_model(self.model)
        col, (first, last) = self._column_of(seen), index.aligned_columns
        if col is None or not first <= col < last:
            col = first  # no one has chosen to look at overhang
        self._show_canvas(f"Alignment of {a.name} and {b.name} in letters", min(col, index.n_columns - 1), position)
        self.model_changed.emit(self.model)

    @Slot(object)
    def set_hits(self, hits: BySide) -> None:
        self.annotator.set_hits(hits)

    @Slot(object)
    def _show_tracks(self, tracks: Tracks) -> None:
        self.strip.set_tracks(tracks)
        self.canvas.set_tracks(tracks)
        self.stepper.set_names(name for one in tracks.bars.values() for name in one.spans.names[:MAX_OFFERED])
        self._fit_strip()

    def _forget(self) -> None:
        self.annotator.set_model(None)
        self._hover = None
        self.pointer.forget()
        self.strip.set_index(None)
        self.stepper.field.setEnabled(False)
        self.navigation.forget_places()
        before, self.model = self.model, None
        self._show_counts()
        if before is not None:
            self.model_changed.emit(None)

    def _show_counts(self) -> None:
        model = self.model
        self.stepper.show_counts(None if model is None else model.index, 0 if model is None else model.own_steps)
        self._show_place()

    def _show_canvas(self, name: str, col: int = 0, position: int = 0) -> None:
        """Show the model at column ``col``, scrolled to the best position near the previous ``position``."""
        self._pages.setCurrentIndex(1)
        if self.hasFocus():
            self.canvas.setFocus()
        self.canvas.setAccessibleName(name)
        self.stepper.field.setEnabled(True)
        self.canvas.set_caret(col)
        if col:
            self.canvas.scroll_to(position)
            if not self.canvas.is_visible(col):
                self.canvas.centre(col)
        self._show_place()
        self._say("")

    def _seen_letter(self, a: Sequence, b: Sequence) -> MatrixPosition:
        """Return the letter of ``a`` and ``b`` at the reading position, to keep it in view."""
        model, (first, end), caret = self.canvas.model, self.canvas.columns, self.canvas.caret
        col = caret if first <= caret < end else first
        return MatrixPosition(*model.letters_at(col)) if model is not None and model.is_of(a, b) and col else NOWHERE

    def _say(self, text: str) -> None:
        notice = text or (self.canvas.model.note() if self.canvas.model is not None else "")
        self._line.second_whole = bool(text)
        self._line.set_texts(self.where.text, notice)

    @Slot(object)
    def _caret_moved(self, col: int) -> None:
        self.strip.set_caret(col)
        self._show_place()
        if self._hover not in (None, col):  # by a key: the letters are no longer those that were under the pointer
            self._hovered(None)
        model = self.canvas.model
        if model is None:
            return
        self.pointer.set_caret(model.place(col) if model.is_cell(col) else None)
        if self._hover is None:
            self._line.set_texts(model.describe(col), self.notice.text)
        if self.canvas.selection == (0, 0):
            self._say("")  # of a place that was left

    @Slot()
    def _show_place(self) -> None:
        steps, uncounted = self.steps, self._uncounted if self.of_letters else NOT_YET
        self.stepper.show_place(steps.where() or f"{steps.words[1]}: {uncounted}", self._stale)

    @Slot()
    def _show_window(self) -> None:
        surface = self.canvas.surface
        if surface is not None:
            self.strip.set_window(*surface.columns_at(self.canvas.position), surface.n_whole_columns)

    @Slot(object, object)
    def _show_selection(self, col0: int, col1: int) -> None:
        if self.canvas.model is not None:
            n = col1 - col0
            kind = ("column", "columns") if self.canvas.selected_side is None else ("letter", "letters")
            self._say(f"{count(n, *kind)} selected" if n else "")

    @Slot(object)
    def _hovered(self, col: int | None) -> None:
        self._hover = col
        self.canvas.set_marker(col)
        model = self.canvas.model
        if model is None:
            return
        self._line.set_texts(model.describe(self.canvas.caret if col is None else col), self.notice.text)
        letters = (None, None) if col is None or not model.is_cell(col) else model.letters_at(col)
        self.pointer.move(*letters)

    @Slot(object)
    def _point(self, position: MatrixPosition) -> None:
        if self._hover is None:
            one = self.model is not None or None in (position.a0, position.b0)
            self.canvas.set_marker(self._column_of(position) if one else None)

    def _column_of(self, position: MatrixPosition) -> int | None:
        if self.canvas.model is None:
            return None
        index = self.canvas.model.index
        if position.a0 is not None and position.a0 < index.n_a:
            return index.column_of_a(position.a0)
        if position.b0 is not None and position.b0 < index.n_b:
            return index.column_of_b(position.b0)
        return None

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        chosen = self.canvas.selection != (0, 0)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for part in (self.actions_by_id["copy"], self.copy_as_menu):
            part.setEnabled(chosen)
        for action in self.copy_as_menu.actions():
            action.setEnabled(self.model is not None or CopyFormat(action.data()) in WITHOUT_ALIGNMENT)
        menu.addAction(self.actions_by_id["copy"])
        menu.addMenu(self.copy_as_menu)
        menu.addAction(self.actions_by_id["select_all"])
        menu.addSeparator()
        for name in ("next_difference", "previous_difference", "focus_go_to"):
            menu.addAction(self.actions_by_id[name])
        menu.addSeparator()
        menu.addAction(self.actions_by_id["set_wrapped"])
        menu.addMenu(self.colour_menu)
        menu.aboutToHide.connect(lambda: self.actions_by_id["copy"].setEnabled(True))
        menu.popup(at)
