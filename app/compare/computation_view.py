"""Computation panel: the computed part of the matrix, with reasons, live."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QToolTip, QWidget

from wavediff.app.compare.cell_pages import CellPage
from wavediff.app.compare.cell_session import CellSession
from wavediff.app.compare.computation_facts import FACT_NAME_PX
from wavediff.app.compare.computation_pages import OF_CELLS, MapTools, Pages, add_pages
from wavediff.app.compare.dots.dot_page import DotPage
from wavediff.app.compare.other_run import OtherRun, can_be_finer, scheduled_run
from wavediff.app.compare.replay import N_STEPS, Replay
from wavediff.app.compare.run_panel import EMPTY, RunFigures, RunPanel
from wavediff.app.compare.schedules import RULES
from wavediff.app.compare.skipped_work import EXPLAINED
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.app.ui.block_map.block_map_frame import TOP_PX, Letters, MatrixPath, left_room
from wavediff.app.ui.block_map.block_text import block_text, moved_text
from wavediff.app.ui.block_map.map_legend import MapLegend, skip_reasons
from wavediff.app.ui.chooser import Segments
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.pair import Comparison, MatrixPosition, Pair, SharedCursor, Side
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.theme import Theme
from wavediff.app.ui.transport import Transport
from wavediff.core.jobs.axes import Place
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.events import Recorded
from wavediff.core.jobs.grid import BlockState
from wavediff.core.methods.window_job import WINDOW_LETTERS
from wavediff.core.teach.schedule import Rule

PADDING_PX, HEADING_PX, HEADING_GAP_PX, SENTENCE_PX = 16, 40, 8, 24
BELOW_PX = 176  # room that is left below the map for legend and figures
LEAST_MAP_PX = 96
OFF_PATH = "Path column nearest to the clicked position"
NO_CELLS = "The cells of this map are not letters: choose Letters to see cells and words"
WIDE = 1.6  # width over height of a panel whose figures stand at the right of its map


class ComputationView(PanelView):
    """Summary sentence, map with axes, legend and figures; the shared cursor is a cross.

    Signals:
        place_wanted: clicked letters of A and B (0-based), or the nearest ones on the path with a note.
        finer_wanted: ``Comparison`` to compute again in finer blocks.
        view_changed: ``view`` or ``shown_map`` changed.
    """

    keys = (
        ("Space", "Replay the run, pause"),
        ("F · S", "Faster, slower"),
        ("Click", "Show the letters there"),
        ("Drag · arrows", "Move"),
        ("Drag on dots · Ctrl+A", "Select a range; Shift+drag moves"),
        ("Arrows on a range", "Move it by a letter; with Shift move its end"),
        ("Enter on a range", "Compare it as a separate pair"),
        ("Wheel · + · −", "Zoom, along a path near the pointer"),
        ("Double click", "Show the whole matrix"),
        ("→ · ← on cells and words", "Step, step back"),
        ("Wheel on cells and words", "Zoom"),
        ("Arrows on the frame of a block", "Show its other cells; with Shift by a letter"),
        ("Arrows · Page Up/Down on the slider for k", "Another band"),
        ("Esc on the slider for k", "Back to the chosen band"),
    )
    place_wanted = Signal(object, object, str)
    finer_wanted = Signal(object)
    view_changed = Signal()

    def __init__(
        self, model: BlockMapModel, devices: DeviceModel, pair: Pair, theme: Theme, cursor: SharedCursor
    ) -> None:
        super().__init__()
        self._devices, self._pair = devices, pair
        self._theme, self._cursor = theme, cursor
        self._own, self._other = model, None  # type: BlockMapModel, OtherRun | None
        self._answer: Comparison | None = None  # the last one
        self._heading, self.figures = QLabel("Computation", self), RunFigures(devices, theme)
        self.figures.setParent(self)  # its timer ends with the view
        self._way, self.facts = self.figures.way, self.figures.facts
        self._way.setParent(self)
        self.canvas = BlockMapCanvas(model, theme, self, self._letters)
        self.canvas.setAccessibleName("Map of the computation")
        self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.installEventFilter(self)
        self.transport = Transport(narrow=True)
        self.replay = Replay(model, self.transport, self.canvas, self)
        self.replay.changed.connect(self._replay_changed)
        self.replay.moved.connect(self._replay_moved)
        self.tools, self.run_panel = MapTools(), RunPanel(model, theme)
        self.tools.colours_chosen.connect(lambda by: self.model.colour_by(by))
        self.tools.finer_wanted.connect(self._ask_finer)
        self.tools.own_wanted.connect(self.show_own)
        self.replay.moved.connect(self.run_panel.show_moment)
        self.run_panel.sought.connect(self.replay.seek_seconds)
        self.run_panel.place_sought.connect(self._go_to_block)
        self.run_panel.schedules.found.connect(self._show_schedule)
        self.setFocusProxy(self.canvas)
        self.legend = MapLegend(theme)
        below = QWidget()
        self.tries = QWidget()
        parts = self.transport, self.tools, self.legend, self.facts, self.tries, self.run_panel
        in_column(self.figures.waiting, self.figures.bar, *parts, 1, on=below, margin=0, gap=8)
        self._below = QScrollArea(self, widgetResizable=True)
        self._below.setFrameShape(QFrame.Shape.NoFrame)
        self._below.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._below.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._below.setWidget(below)
        for each in (below, self._below.viewport()):
            each.setAutoFillBackground(False)  # the panel's own ground
        self.views = Segments[View]("View of the computation", theme, parent=self)
        self.views.hide()
        self.pages: Pages = {}
        self.cell_pages: dict[View, CellPage] = {}
        self.dots: DotPage | None = None
        self._cells: CellSession | None = None
        self._few = False  # whether the last pair has only a few letters
        self._left = View.MAP  # the view that is shown
        self.canvas.clicked.connect(self._clicked)
        self.canvas.hovered.connect(self._hovered)
        self.canvas.frame_changed.connect(self._frame_changed)
        model.planned.connect(self.show_own)
        self._listen(model)
        devices.changed.connect(self._show_figures)
        self.canvas.listen(cursor)
        theme.follow(self._restyle)
        self._planned()
        self._replay_changed()
        self._show_figures()

    def add_bars(self, *bars: QWidget) -> None:
        """Add ``bars`` below the legend, for a run that can be repeated differently."""
        in_column(*bars, on=self.tries, margin=0)

    # The views

    def add_pages(self, session: CellSession, dots: DotPage) -> None:
        """Add the pages of dots, cells and words next to the map."""
        self._cells, self.dots = session, dots
        self.pages, self.cell_pages = add_pages(self.views, session, dots, self._theme, self)
        dots.place_wanted.connect(self._go_to_letters)
        self.views.chosen.connect(self._choose_view)
        self.views.picked.connect(lambda: (self.pages.get(self.view) or self.canvas).setFocus())
        self.views.show()
        self._place()

    @property
    def seen(self) -> OtherRun:
        return self._other or OtherRun(self._own, of=self._outcome)

    @property
    def model(self) -> BlockMapModel:
        """Run on the map: that of the answer, or another."""
        return self._own if self._other is None else self._other.model

    @property
    def shown_map(self) -> BlockMapModel | None:
        """Run on the map if the map is of the pair's letters; None for dots or another matrix."""
        return None if self.view is View.DOTS or self._is_foreign else self.model

    @property
    def _outcome(self) -> Comparison | None:
        if self._other is not None:
            return self._other.of
        return self._answer if self._answer is not None and self._answer.job.id == self._own.job_id else None

    @property
    def view(self) -> View:
        return self.views.value or View.MAP if self.pages else View.MAP

    @property
    def message(self) -> str:
        if self.view is View.MAP:
            return EMPTY if not self.model.n_cells or self.model.grid is None else ""
        return self.pages[self.view].message

    def choose_view(self, view: View) -> None:
        self.views.choose(view)
        self._choose_view(view)

    def fit(self) -> None:
        self.canvas.fit()
        if self.dots is not None:
            self.dots.canvas.fit()

    @Slot(object)
    def _choose_view(self, view: View) -> None:
        if view is View.MAP and self._left in OF_CELLS:
            share = self.cell_pages[self._left].share
            if share is not None and self._cells is not None and self._cells.has_table:
                self.replay.seek(round(share * N_STEPS))
        self._left = view
        self._show_view()
        if view in OF_CELLS and self.replay.available:
            self.cell_pages[view].show_share(self._share_of_cells())

    def _share_of_cells(self) -> float:
        session = self._cells
        if session is None or session.has_table:
            return self.replay.at / N_STEPS
        return {BlockState.WAITING: 0.0, BlockState.RUNNING: 0.5}.get(session.state or BlockState.DONE, 1.0)

    def _show_view(self) -> None:
        view = self.view
        self.replay.play(False)
        for each, page in self.pages.items():
            page.setVisible(each is view)
        for widget in (self.canvas, self._below, self._way):
            widget.setVisible(view is View.MAP)
        self.setFocusProxy(self.canvas if view is View.MAP else self.pages[view])
        self.update()
        self.view_changed.emit()

    def sizeHint(self) -> QSize:
        return QSize(392, 680)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, 180)

    # Whose run it is

    def _listen(self, model: BlockMapModel) -> None:
        model.planned.connect(self._planned)
        model.figures_changed.connect(self._show_figures)

    @Slot(object)
    def show_other(self, other: OtherRun) -> None:
        """Show and play another run until the user closes it or a new run begins."""
        if other.of is None or other.of is self._answer:
            if self.view is not View.MAP:
                self.choose_view(View.MAP)
            self._show_run(other)
            self._below.verticalScrollBar().setValue(0)  # shows the transport
            self.replay.play(True)

    @Slot()
    def show_own(self) -> None:
        if self._other is not None:
            self._show_run(None)

    def _show_run(self, other: OtherRun | None) -> None:
        self.model.planned.disconnect(self._planned)
        self.model.figures_changed.disconnect(self._show_figures)
        self._other, model = other, self._own if other is None else other.model
        self._listen(model)
        model.colour_by(self.tools.colours.value)
        self.replay.show_model(model)
        self.canvas.show_model(model)
        self.canvas.is_of_pair = not self._is_foreign
        back = "Back to the answer" if self._own.phase is not Phase.IDLE else "Close"
        self.tools.show_title("" if other is None else other.title, back)
        self._planned()
        self._replay_changed()
        self._replay_moved(1.0)
        self._show_figures()
        self.view_changed.emit()

    @Slot(object, object, int)
    def _show_schedule(self, recorded: Recorded, rule: Rule, workers: int) -> None:
        self.show_other(scheduled_run(recorded, self.model, RULES[rule], workers, self._outcome))

    @Slot()
    def _ask_finer(self) -> None:
        if self._answer is not None:
            self.finer_wanted.emit(self._answer)

    @Slot(object)
    def show_outcome(self, outcome: Comparison) -> None:
        """Draw the path of the result over the blocks, and summarize the computation."""
        if outcome.job.id == self._own.job_id:
            self.show_own()
            self._answer = outcome
            self.canvas.show_path(MatrixPath.of(outcome.result.alignment, self.model.axes, outcome.result))
            self._show_figures()
            if self.pages and self._cells is not None:
                self._open_with(max(self._cells.size), has_cells=self._cells.has_table)
            self.replay.play_by_itself()

    def _open_with(self, letters: int, *, has_cells: bool) -> None:
        """Show cells of small tables, else the map, unless the user chose another view."""
        few = has_cells and letters <= WINDOW_LETTERS
        if few != self._few:
            self._few = few
            self.views.choose(View.CELLS if few else View.MAP)
            self._left = self.view
            self._show_view()

    @Slot()
    def _planned(self) -> None:
        if self._gets_ready:
            self.figures.forget_soon()
        runs = self._own.phase is Phase.RUNNING and self._other is None
        if runs and self._cells is not None and self.view in OF_CELLS and not self._cells.has_window:
            self.choose_view(View.MAP)  # where the cells are too many, this is what can be seen
        for page in self.cell_pages:
            self.views.offer(page, shown=True, why_not="" if self.model.axes is None else NO_CELLS)
        if self.model.axes is not None and self.view in OF_CELLS:
            self.choose_view(View.MAP)
        self._place()
        self.update()

    @Slot()
    def _replay_changed(self) -> None:
        self.transport.setVisible(self.replay.available)
        record = self.model.record
        self.tools.setVisible(self._other is not None or (record is not None and not record.interpolated))
        self.run_panel.show_model(self.model, is_schedule=self._other is not None and self._other.is_schedule)

    @Slot(int, int)
    def _go_to_block(self, row: int, col: int) -> None:
        self.replay.seek_place(row, col)
        grid, (height, width) = self.model.grid, self.model.block_size
        if grid is not None:
            a0, b0 = grid.row0 + row * height, grid.col0 + col * width
            a0, b0 = min(a0 + height // 2, self.model.n - 1), min(b0 + width // 2, self.model.m - 1)
            self.canvas.keep_in_sight(a0, b0)
            self.canvas.show_cross(MatrixPosition(a0, b0))
            self._hovered(a0, b0)

    @Slot(float)
    def _replay_moved(self, share: float) -> None:
        """Hide the path until the time it was computed; restart the full matrix at its beginning."""
        before_the_end = share < 1
        if not before_the_end or (share == 0 and self.replay.playing):
            self.canvas.show_whole(before_the_end)
        result = None if before_the_end or self._outcome is None else self._outcome.result
        if before_the_end == (self.canvas.path is not None):
            self.canvas.show_path(MatrixPath.of(result and result.alignment, self.model.axes, result))

    @property
    def _gets_ready(self) -> bool:
        """Return whether a run has no map yet, or its outcome arrives in the next event loop turn.

        The parts next to the map are not updated yet: the next result often has the same layout, and they would move
        back and forth.
        """
        model = self.model
        begins = model.phase is Phase.RUNNING and model.grid is None and model.compiling is None
        return begins or (model.phase is Phase.DONE and self._outcome is None and self._other is None)

    @Slot()
    def _show_figures(self) -> None:
        model, other, idle = self.model, self._other, self.model.phase is Phase.IDLE
        if not self._gets_ready:
            for widget in (self.legend, self.tries, self.facts):
                widget.setVisible(not idle)
        self.figures.show_compiling(model)
        if idle or self._gets_ready:
            return
        if other is None:
            self.figures.show_run(model, self._outcome)
        else:
            self.figures.show_other(other.facts)
        self.tools.finer.setVisible(other is None and can_be_finer(self._answer, model.playback))
        self._show_legend()

    def set_stale(self, text: str) -> None:
        self.figures.stale = text
        for page in self.cell_pages.values():
            page.say_empty(text)
        self._show_figures()

    def _show_legend(self) -> None:
        outcome = self._outcome
        has_path = self.model.has(BlockState.PATH) if outcome is None else outcome.result.alignment is not None
        path = self.canvas.path
        has_moved = path is not None and len(path.moved) > 0
        self.legend.show_map(self.model, self.canvas.frame.scale, has_path=has_path, has_moved=has_moved)
        self.legend.setToolTip(plain_tip("\n".join(EXPLAINED[reason] for reason in skip_reasons(self.model))))

    @Slot()
    def _frame_changed(self) -> None:
        self.update()
        if not self._gets_ready and self.model.phase is not Phase.IDLE:
            self._show_legend()

    # Where everything stands

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Give the map the largest square that leaves room for legend and figures below or right."""
        left, top = PADDING_PX, HEADING_PX + SENTENCE_PX + TOP_PX
        axis = left_room(self.model.n, QFontMetricsF(self._theme.small_font))
        wide, high = self.width() - left - axis - PADDING_PX, self.height() - top - PADDING_PX
        is_wide = self.width() > WIDE * self.height()
        side = min(wide - FACT_NAME_PX - BELOW_PX, high) if is_wide else min(wide, high + PADDING_PX - BELOW_PX)
        side = max(LEAST_MAP_PX, side)
        wanted = self.views.sizeHint().width() if self.pages else 0
        room, needed = self.width() - 2 * left - wanted, self._heading.sizeHint().width() + HEADING_GAP_PX
        self._heading.setGeometry(left, 0, room, HEADING_PX)
        self._heading.setVisible(room >= needed)  # else no word of it
        self.views.setGeometry(left + room, (HEADING_PX - self.views.height()) // 2, wanted, self.views.height())
        for page in self.pages.values():
            page.setGeometry(left, HEADING_PX, self.width() - 2 * left, max(0, self.height() - HEADING_PX - 8))
        self._way.setGeometry(left, HEADING_PX, self.width() - 2 * left, 16)
        self.canvas.setGeometry(left, top - TOP_PX, axis + side, TOP_PX + side)
        if is_wide:
            x = left + axis + side + PADDING_PX
            self._below.setGeometry(x, top, max(0, self.width() - x - PADDING_PX), max(0, high))
        else:
            y = top + side + 8
            self._below.setGeometry(left, y, self.width() - 2 * left, max(0, self.height() - y))

    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme.base)

    def _letters(self) -> Letters:
        return (None, None) if self._is_foreign else (self._pair.shown(Side.A), self._pair.shown(Side.B))

    # What is pointed at

    @property
    def _is_foreign(self) -> bool:
        return self._other is not None and self._other.of is None

    def _letters_at(self, row: int | None, column: int | None) -> Place:
        axes = self.model.axes
        return (row, column) if axes is None else axes.letters(row, column)

    @Slot(object, object)
    def _clicked(self, a0: int, b0: int) -> None:
        if not self._is_foreign:
            near = self.canvas.on_path(a0, b0)
            is_off = self.canvas.moved_at(a0, b0) is None and max(abs(near[0] - a0), abs(near[1] - b0)) > 1
            self._go_to_letters(*self._letters_at(*near), OFF_PATH if is_off else "")
            if self._cells is not None:
                self._cells.choose(a0, b0)

    @Slot(object, object)
    def _go_to_letters(self, a0: int | None, b0: int | None, why: str = "") -> None:
        self.place_wanted.emit(a0, b0, why)
        self.letters_wanted.emit()

    @Slot(int, int)
    def show_words(self, a0: int, b0: int) -> None:
        """Go to a cell of the answer's matrix as by a click on the map, and show its machine words."""
        self.show_own()
        self._clicked(a0, b0)
        if self.pages and self.view is View.MAP:
            self.choose_view(View.WORDS)

    @Slot(object, object)
    def _hovered(self, a0: int | None, b0: int | None) -> None:
        if not self._is_foreign:
            self._cursor.move(*self._letters_at(a0, b0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report the block under the pointer."""
        if watched is self.canvas and event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self.canvas.cell_at(QPointF(event.pos()))
            text = block_text(self.model, *cell, *map(self._pair.shown, Side)) if cell is not None else ""
            if cell is not None and (path := self.canvas.path) and (block := self.canvas.moved_at(*cell)) is not None:
                text = f"{moved_text(self.model, *path.moved[block].tolist())}\n{text}"
            QToolTip.showText(event.globalPos(), text, self.canvas, QRect(event.pos(), QSize(1, 1)))
            return True
        return super().eventFilter(watched, event)

    @Slot()
    def _restyle(self) -> None:
        theme = self._theme
        bold = self.font()
        bold.setWeight(bold.Weight.DemiBold)
        self._heading.setFont(bold)
        theme.quieten(self._way)
        self._way.setFont(theme.small_font)
        self.legend.show_scale(self.model)
        self.update()
