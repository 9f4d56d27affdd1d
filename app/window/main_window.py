"""Main window: creates the views and connects them to the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QWidget,
)

from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.pair.history import History
from wavediff.app.compare.pair_view import PairView
from wavediff.app.compare.stepper import NOT_ALIGNED, NOT_LISTED
from wavediff.app.ui.background_task import Turns, on
from wavediff.app.ui.buttons import allow, icon, is_enter, press_focused
from wavediff.app.ui.focus import give_focus
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.notices import Notice, Severity
from wavediff.app.ui.pair import Comparison, SharedCursor, Side
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.save_dialog import Folder
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.app.window.frame.actions import COMPARE, FILE, MENUS, SPECS, VIEW, RecentMenu, build, why_not
from wavediff.app.window.frame.answer_line import AnswerLine
from wavediff.app.window.frame.answer_text import beside_text, list_text, stale_text, title_text, waiting_text
from wavediff.app.window.frame.header_bar import HeaderBar
from wavediff.app.window.frame.ignore_bar import IgnoreBar, PositionLabel
from wavediff.app.window.frame.start_page import DropGuide, StartPage
from wavediff.app.window.panels.arrangement import BLOCK, CONTIG, SMALL_PAIR_LETTERS, Arrangement, Mode, place
from wavediff.app.window.panels.band_bar import BandBar
from wavediff.app.window.panels.panels import COMPUTATION, ENTRIES, PANELS, Panel, PanelArea, PanelTabs
from wavediff.app.window.panels.shell import V
from wavediff.app.window.pictures.picture_opener import PictureOpener
from wavediff.app.window.session import Session
from wavediff.app.window.settings import Settings
from wavediff.app.window.window_commands import WindowCommands
from wavediff.core.methods.base import Method, TracebackMethod
from wavediff.core.methods.default import obstacle

FIELDS = QLineEdit, QPlainTextEdit, QAbstractSpinBox
DONE_MS = 6000  # of a message on what was done
WIDE = 1000  # stretch of what takes the room that there is
SOON_MS = 150  # what is read or computed by then changes nothing in between


class MainWindow(QMainWindow):
    """Attributes:
        pointer: the position under the pointer.
        turns: queue that shows the parts of a result.
        actions_by_id: an action for each ``ActionSpec``.
        views, areas: by the ids of ``panels.PANELS``.

    Signals:
        painted: the window was painted for the first time.
        closed: the window is closing.
    """

    painted = Signal()
    closed = Signal()
    session: Session
    theme: Theme
    alignment: PairView
    views: Mapping[str, PanelView]
    areas: Mapping[str, QWidget]

    def __init__(self, session: Session, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self.session, self.theme, self.settings = session, theme, settings
        self.pointer = SharedCursor()
        self.turns: Turns = Turns(self)
        self.commands = WindowCommands(self)
        self.actions_by_id = build(self, (*SPECS, *ENTRIES), {**self.commands.slots(), **self._slots()})
        self.history = History(session)
        self.pictures = PictureOpener(self)
        self._was_painted = False
        self._nothing_open = self._opens_sample = self._busy = False
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._show_waiting)
        self._soon.timeout.connect(self._show_stale)
        self._hidden = QTimer(self, singleShot=True, interval=0)  # what takes the place of the hidden is shown by then
        self._hidden.timeout.connect(self._focus_shown)
        self.setWindowTitle("Wavediff")
        self._build_centre()
        self._build_menus()
        computation = self.view(ComputationView)
        named = PositionLabel(self.pointer, session.pair, session.wavefront, lambda: computation.shown_map)
        on(named.refresh, computation.view_changed, computation.replay.moved)
        computation.view_changed.connect(self.answer.notices.changed)
        self.statusBar().addPermanentWidget(named)
        self._connect()
        self._restyle()
        self._phase_changed()
        self._show_history()
        self._show_waiting()
        place(self, settings.geometry)
        Folder.last = Folder.last or settings.folder
        self.arrangement.restore(settings.layout)
        settings.show(self.alignment)
        computation.replay.by_itself = settings.replay_short_runs
        many = self.session.many
        for page in (self.start, self.welcome):
            many.changed.connect(lambda page=page: page.say_cluster(many.cluster.address))
        many.choose(cluster=settings.cluster)
        self.start.setFocus()

    def _slots(self) -> dict[str, Callable[..., object]]:
        """Return the slots of the window's own actions by id; some parts are created later."""
        return {
            "paste": lambda: self.commands.paste(self.header.focused()),
            "picture": lambda: self.commands.picture(self.tabs.current, self.centralWidget() or self),
            "quit": self.close,
            "undo": lambda: self.history.undo(),
            "redo": lambda: self.history.redo(),
            "show_a": lambda: self.header.open_a(),
            "show_b": lambda: self.header.open_b(),
            "options": lambda: self.header.open_options(),
            "next_part": lambda: self.go_round(1),
            "previous_part": lambda: self.go_round(-1),
            "full_screen": self.full_screen,
            "reset_layout": lambda: self.arrangement.reset(),
        }

    def _build_centre(self) -> None:
        self.answer = AnswerLine(self.session, self.theme, self)
        self.header = HeaderBar(self.session, self.theme, self.actions_by_id)
        self.alignment = PairView(self.theme, self.pointer)
        ways = self.theme, self.actions_by_id["open"], self.actions_by_id["paste"]
        bar = self.alignment.lines.bar
        bar.insertWidget(bar.count() - 1, IgnoreBar(self.session, self.theme, self.alignment.lines), WIDE)
        self.start, self.welcome = StartPage(*ways, empty=True), StartPage(*ways, empty=False)
        self.views = {panel.id: panel.make(self) for panel in PANELS}
        areas = {panel.id: PanelArea(panel, self.views[panel.id]) for panel in PANELS}
        self.areas = areas
        self.tabs = PanelTabs({id_: area for id_, area in areas.items() if id_ != COMPUTATION})
        self.arrangement = Arrangement(self.alignment, self.tabs, areas[COMPUTATION], self.start, self.welcome)
        self.drop_guide = DropGuide(
            self.session.pair,
            self.header.chips,
            self.alignment,
            self.arrangement,
            lambda: self.session.free_side or Side.B,
            self.theme,
            self,
        )
        centre = QWidget(self)
        in_column(self.header, self.answer, (self.arrangement, 1), on=centre, margin=0, gap=0)
        self.setCentralWidget(centre)

    def _build_menus(self) -> None:
        menus = {title: self.menuBar().addMenu(title) for title in MENUS}
        for menu in menus.values():
            menu.setToolTipsVisible(True)  # of a grey entry: the reason
        for spec in (*SPECS, *ENTRIES):
            if spec.separator:
                menus[spec.menu].addSeparator()
            menus[spec.menu].addAction(self.actions_by_id[spec.id])
        self.recent_menu = RecentMenu(self.session, self)
        menus[FILE].insertMenu(self.actions_by_id["demo"], self.recent_menu)
        self.panel_actions = {panel.id: self._panel_action(panel) for panel in PANELS}
        menus[VIEW].insertActions(self.actions_by_id["next_part"], list(self.panel_actions.values()))
        menus[VIEW].insertAction(self.actions_by_id["zoom_in"], self.alignment.actions_by_id["set_strip_folded"])
        menus[VIEW].insertSeparator(self.actions_by_id["next_part"])
        menus[COMPARE].addSeparator()
        for action in self.alignment.actions_by_id.values():
            if "difference" in action.objectName() or action.objectName().startswith(("go_", "focus_go_to")):
                menus[COMPARE].addAction(action)
        menus[COMPARE].aboutToShow.connect(partial(self.alignment.show_ways, in_menu=True))
        menus[COMPARE].aboutToHide.connect(partial(self.alignment.show_ways, in_menu=False))

    def _panel_action(self, panel: Panel) -> QAction:
        action = QAction(panel.text, self, statusTip=panel.tip, toolTip=panel.tip)
        action.triggered.connect(partial(self.arrangement.show_panel, panel.id))
        return action

    def _connect(self) -> None:
        session = self.session
        self.history.changed.connect(self._show_history)
        sides = (each.changed for each in session.sides)
        on(self._phase_changed, session.pair.changed, session.phase_changed, session.loader.changed, *sides)
        on(self._show_stale, session.choices_changed, session.phase_changed, session.loader.changed)
        on(self._show_title, session.pair.changed, session.choices_changed)
        session.pair.changed.connect(self.pointer.forget)
        self.view(DifferencesView).asked_changed.connect(lambda listing: session.note(listing=listing))
        self.alignment.annotator.effects_found.connect(self.answer.show_effects)
        self.alignment.stepper.go_to_changed.connect(lambda text: session.note(go_to=text))
        self.alignment.stepper.refused.connect(lambda: session.note(go_to=""))
        on(self._show_waiting, session.wavefront.figures_changed, session.choices_changed)
        on(self._show_outcome, session.compared, session.recounted)
        on(self._show_notice, session.noticed, self.pictures.noticed, *(view.noticed for view in self.views.values()))
        on(self._show_letters, *(view.letters_wanted for view in self.views.values()))
        session.replaced.connect(self.answer.notices.settle)
        session.compared.connect(self.answer.notices.succeed)
        session.loader.choice_wanted.connect(self.commands.ask_record)
        session.opened.connect(self._show_state)
        on(self.leave_field, self.answer.list.closed, self.arrangement.focus_hidden)
        session.loader.transform_found.connect(self._take_transform)
        session.loader.picture_found.connect(self.pictures.open)
        self.pictures.crashed.connect(session.crashed)
        self.alignment.model_changed.connect(self.pictures.show_place)
        self.alignment.blocks.listed.connect(lambda: self.pictures.show_place(self.alignment.blocks.answer))
        session.loader.record_found.connect(self._take_record)
        self.drop_guide.dropped.connect(self.commands.take, Qt.ConnectionType.QueuedConnection)
        on(session.open_sample, self.start.sample_wanted, self.welcome.sample_wanted)
        session.opened.connect(self._pair_opened)
        self.arrangement.changed.connect(lambda: self.statusBar().setVisible(self.arrangement.mode is not Mode.COMPACT))
        self.alignment.wanted.connect(self.arrangement.show_letters)
        self.alignment.lines.noticed.connect(lambda text: self.statusBar().showMessage(text, DONE_MS))
        self.theme.changed.connect(self._restyle)
        self.header.open_wanted.connect(self.commands.open_for)
        self.header.paste_wanted.connect(self.commands.paste_for)

    def begin_with_sample(self) -> None:
        """Open the first sample with the start page below, if there is room for both."""
        if self.arrangement.mode is not Mode.COMPACT:
            self._opens_sample = True
            self.session.open_sample()

    def offer_samples(self, offered: bool) -> None:
        self.session.awaited = not offered
        self.start.offer_samples(offered)
        self._phase_changed()

    @Slot()
    def _pair_opened(self) -> None:
        self._opens_sample, begins = False, self._opens_sample
        self.arrangement.set_welcoming(begins)

    def view(self, kind: type[V]) -> V:
        return next(each for each in self.views.values() if isinstance(each, kind))

    @property
    def frame(self) -> QWidget:
        return self

    def bring_up(self, id_: str) -> None:
        self.arrangement.show_panel(id_)

    def show_panel(self, id_: str) -> None:
        self.arrangement.show_panel(id_)
        self.views[id_].opened()
        if not self.areas[id_].isAncestorOf(self.focusWidget() or self):
            give_focus(self.areas[id_])

    @Slot(object, object, object)
    def show_place(self, side: Side, start: int, end: int) -> None:
        sequence = self.session.pair.shown(side)
        if sequence is not None:
            first, last = sorted((sequence.index(start), sequence.index(end - 1)))
            if last - first != end - 1 - start:  # B begins inside them: they are at both ends
                first = last = sequence.index(start)
            self.alignment.go_to_letters(side, first, last + 1)

    @Slot(object, int, object, int, object)
    def show_pair(self, a: Any, i: int, b: Any, j: int, method: Method) -> None:
        choices = self.session.start.changed(method=method.id, traceback=TracebackMethod.BLOCKS)
        self.session.open_records(a, i, b, j, choices)

    @Slot()
    def _show_letters(self) -> None:
        if not self.alignment.isVisible():
            self.arrangement.show_letters()
            self.alignment.front.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_round(self, step: int) -> None:
        """Focus the next part of the window: header, letters, lower panel, computation."""
        parts = [self.header, *self.arrangement.parts]
        focus = self.focusWidget()
        now = next((k for k, part in enumerate(parts) if focus is not None and part.isAncestorOf(focus)), 0)
        for k in range(1, len(parts) + 1):
            if give_focus(parts[(now + step * k) % len(parts)]):
                return

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus from a hidden widget to the letters, instead of to an arbitrary next widget."""
        focus = self.focusWidget()
        if focus is None or focus.isVisible() or not self.isVisible():
            return super().focusNextPrevChild(forward)
        self._hidden.start()
        return True

    @Slot()
    def _focus_shown(self) -> None:
        focus = self.focusWidget()
        if focus is not None and not focus.isVisible():
            self.leave_field()

    def leave_field(self) -> None:
        """Focus the letters, or the first visible part that accepts the focus."""
        if self.alignment.isVisible():
            self.alignment.take_focus()
        else:
            parts = self.arrangement.parts
            any(give_focus(part, but) for but in ((*FIELDS, QAbstractButton, QComboBox), ()) for part in parts)

    def event(self, event: QEvent) -> bool:
        """Handle Escape before shortcuts do, if there is something to close before the run."""
        if event.type() is QEvent.Type.ShortcutOverride and _is_escape(event) and self._nearest() is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        close = self._nearest() if _is_escape(event) else None
        if close is not None:
            close()
        elif self.header.order.hasFocus() and self.alignment.isVisible() and is_enter(event):
            self.alignment.take_focus()  # what was chosen is seen there
            QApplication.sendEvent(self.alignment.front, event)
        elif not press_focused(event, self):
            super().keyPressEvent(event)

    def _nearest(self) -> Callable[[], object] | None:
        """Return what Escape closes: notices, a trial band, a selection, a field, full screen."""
        letters, focus, bar = self.alignment.canvas, self.focusWidget(), self.findChild(BandBar)
        if self.answer.list.isVisible():
            return self.answer.list.hide
        if self.session.trial is not None and bar is not None and bar.isAncestorOf(focus or self):
            return bar.leave
        if focus is letters and letters.selection != (0, 0):
            return lambda: letters.set_selection(0, 0)
        dots = self.view(ComputationView).dots
        if dots is not None and dots.isAncestorOf(focus or self) and dots.canvas.selection is not None:
            return dots.canvas.clear_selection
        if isinstance(focus, FIELDS):
            return self.leave_field
        return self.full_screen if self.isFullScreen() else None

    @Slot()
    def full_screen(self) -> None:
        on = not self.isFullScreen()
        self.showFullScreen() if on else self.showNormal()
        self.actions_by_id["full_screen"].setChecked(on)

    @Slot()
    def _restyle(self) -> None:
        self.actions_by_id["open"].setIcon(icon("open", self.theme))
        self.actions_by_id["paste"].setIcon(icon("paste", self.theme))
        self.actions_by_id["follow_system"].setChecked(self.theme.scheme is Scheme.SYSTEM)

    @Slot()
    def _phase_changed(self) -> None:
        for spec in SPECS:
            allow(self.actions_by_id[spec.id], why_not(spec.id, self.session, self.history))
        busy = bool(self.session.loader.busy) or self.session.running
        if busy != self._busy:
            self._busy = busy
            self._soon.start() if busy else self._soon.stop()
        self.answer.notices.try_on(busy)
        self._show_waiting()

    @Slot()
    def _show_history(self) -> None:
        self._phase_changed()
        for id_, what in (("undo", self.history.undo_text), ("redo", self.history.redo_text)):
            if what:
                self.actions_by_id[id_].setStatusTip(what)

    @Slot()
    def _show_waiting(self) -> None:
        session = self.session
        nothing = all(session.pair[side] is None for side in Side) and not session.loader.busy
        leaves = self.arrangement.starting and not nothing and self.start.isAncestorOf(self.focusWidget() or self)
        both = session.pair.complete
        small = both is not None and max(map(len, both)) <= SMALL_PAIR_LETTERS
        unit = CONTIG if session.placing else BLOCK if session.rearranged else session.choices.chosen.unit
        self.arrangement.set_pair(small=small and not session.apart, unit="" if nothing else unit)
        if nothing != self._nothing_open:  # else a tool that was opened on the empty window would go again
            self._nothing_open = nothing
            self.arrangement.set_starting(nothing)
        if leaves:
            self.alignment.setFocus()
        if session.outcome is None:
            method, pair = session.choices.chosen, (session.pair[Side.A], session.pair[Side.B])
            refused = obstacle(method, *filter(None, pair))
            self.alignment.show_waiting(*pair, waiting_text(session), not method.of_letters, refused)
        waits = session.stale and not session.apart and not self._soon.isActive() and session.trial is None
        hides = waits and (session.running or session.refused)
        self.view(DifferencesView).say_waiting(list_text(self.session), instead=hides)

    @Slot()
    def _show_state(self) -> None:
        state = self.session.state
        if self.session.pair.complete:
            self.answer.notices.succeed()
        self.view(DifferencesView).want(state.listing)
        self.alignment.stepper.field.setText(state.go_to)

    @Slot()
    def _show_title(self) -> None:
        self.setWindowTitle(title_text(self.session))

    @Slot()
    def _show_stale(self) -> None:
        if self._soon.isActive():
            return
        text, elsewhere = stale_text(self.session), beside_text(self.session)
        self.alignment.set_stale(text)
        for view in self.views.values():
            view.set_stale(text if isinstance(view, DifferencesView) else text or elsewhere)

    @Slot(object)
    def _show_outcome(self, outcome: Comparison) -> None:
        self.alignment.show_outcome(outcome)
        self._show_waiting()
        if outcome.result.alignment is None:
            self.alignment.show_letters(outcome.a, outcome.b, NOT_ALIGNED, NOT_LISTED)
        elif self.arrangement.welcoming:
            self.alignment.steps.go_next()

    @Slot(object)
    def _show_notice(self, notice: Notice) -> None:
        if notice.level is Severity.INFO and not notice.about:
            self.statusBar().showMessage(notice.text, DONE_MS)
        else:
            self.answer.notices.add(notice)

    @Slot(object)
    def _take_record(self, path: Path) -> None:
        self.arrangement.show_panel(COMPUTATION)
        self.session.records.load(path)

    @Slot(object)
    def _take_transform(self, path: Path) -> None:
        self.arrangement.show_panel("bwt")
        self.session.transform.load(path)

    def paintEvent(self, _event: QPaintEvent) -> None:
        super().paintEvent(_event)
        if not self._was_painted:
            self._was_painted = True
            self.painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel all runs and close without a question, since results can be recomputed."""
        try:
            self._note_settings()
        finally:
            self.pictures.close()
            self.closed.emit()
            super().closeEvent(event)

    def _note_settings(self) -> None:
        self.settings.geometry = bytes(self.saveGeometry().data())
        self.settings.layout = self.arrangement.content()
        self.settings.choices = self.session.start
        self.session.remember()
        self.settings.scheme = self.theme.scheme
        self.settings.folder = Folder.last if Folder.last.isprintable() else ""
        self.settings.note(self.alignment)
        self.settings.cluster = self.session.many.cluster
        self.settings.replay_short_runs = self.view(ComputationView).replay.by_itself


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
