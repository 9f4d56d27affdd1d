"""Base of the pages of cells and of words: the sentence on what they show, the frame, and the stage that steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

from PySide6.QtCore import QSignalBlocker, Qt, SignalInstance, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.compare.cell_session import CellSession
from app.compare.window_picker import WindowPicker
from app.ui.chooser import Chooser
from app.ui.number_text import grouped, rough_duration
from app.ui.theme import Theme
from core.teach.lesson import Lesson, trace_lesson
from core.teach.player import Player
from core.teach.scene import Trace
from core.teach.table import MAX_TABLE_LETTERS
from core.teach.unit import UNIT_NAMES, Unit
from core.translate import tr, tr_noop

EMPTY = tr_noop("Here you watch the comparison being computed, cell by cell.")
NO_CELLS = tr_noop("The cells of {method} with these choices cannot be shown; those from corner to corner can.")
TOO_LARGE = tr_noop(
    "A table of {n} × {m} cells is too large to be read; up to {most} × {most} are shown. Click a block on the map to "
    "see cells of it, or play the run there."
)


class Stage(Protocol):
    """A widget that plays lessons, see ``app.teach.lesson_stage.LessonStage``: rooms know nothing of each other."""

    player: Player | None

    @property
    def shown(self) -> SignalInstance: ...

    def show_lesson(self, lesson: Lesson, *, asking: bool) -> None: ...

    def refresh(self) -> None: ...

    def play(self, on: bool) -> None: ...


MakeStage = Callable[[QWidget], Stage]


class CellPage(QWidget):
    """A page of the computation; what it shows a subclass says.

    Args:
        stage: makes what steps.
    """

    first_unit = Unit.CELL

    def __init__(self, session: CellSession, theme: Theme, stage: MakeStage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self._theme = session, theme
        self._shown: Trace | None = None
        self._stale = True
        self._unit = self.first_unit
        self.note = QLabel(self)
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.compute_button = QPushButton(tr("Compute these cells"), self)
        self.picker = WindowPicker(session, theme, self)
        self.units = Chooser[Unit](self)
        self.units.setAccessibleName(tr("Step by"))
        self.steps = QWidget(self)
        self.bar = QHBoxLayout(self.steps)
        self.bar.setContentsMargins(0, 0, 0, 0)
        self.bar.addWidget(QLabel(tr("Step by"), self))
        self.bar.addWidget(self.units)
        self.bar.addStretch(1)
        self.stage = stage(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (self.note, self.compute_button, self.picker, self.steps):
            layout.addWidget(widget)
        layout.addWidget(self.stage_widget, 1)
        layout.addStretch(0)
        self.compute_button.clicked.connect(session.compute)
        self.picker.wanted.connect(session.move)
        self.units.activated.connect(self._choose_unit)
        session.updated.connect(self._updated)
        self.stage.shown.connect(self._follow_unit)
        self.setFocusProxy(self.stage_widget)

    @property
    def stage_widget(self) -> QWidget:
        return cast(QWidget, self.stage)

    # Asked of subclasses

    def trace(self) -> Trace | None:
        """Return what is stepped; None while it is not there."""
        raise NotImplementedError

    @property
    def has_picker(self) -> bool:
        """True where a window is chosen."""
        raise NotImplementedError

    # Showing

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._show()

    @Slot()
    def _updated(self) -> None:
        self._stale = True
        if self.isVisible():
            self._show()

    def _show(self) -> None:
        self._stale = False
        session, trace = self.session, self.trace()
        seconds = session.seconds
        self.note.setText(self._note(seconds, trace))
        self.note.setVisible(bool(self.note.text()))
        self.compute_button.setVisible(seconds > 0 and not session.running)
        self.picker.setVisible(self.has_picker and session.area is not None)
        for widget in (self.steps, self.stage_widget):
            widget.setVisible(trace is not None)
        if trace is not None and trace is not self._shown:
            self._begin(trace)
        elif trace is None:
            self.stage.play(False)
        self._shown = trace

    def _note(self, seconds: float, trace: Trace | None) -> str:
        """Return what is said above the cells, or in their place."""
        session = self.session
        if session.outcome is None:
            return tr(EMPTY)
        if not session.method:
            return tr(NO_CELLS, method=tr(session.outcome.method.long_name))
        n, m = session.size
        if self.has_picker and session.area is None:
            return tr(TOO_LARGE, n=grouped(n), m=grouped(m), most=grouped(MAX_TABLE_LETTERS))
        if session.running:
            return session.status
        if seconds:
            text = tr_noop("Of this run nothing is kept for these cells: all above is computed again, {time}.")
            return tr(text, time=rough_duration(seconds))
        return "" if trace is not None or min(n, m) else tr("An empty sequence has no cells.")

    def _begin(self, trace: Trace) -> None:
        """Show a trace in the unit chosen before, where it has it, at the moment that the map shows."""
        if self._unit not in trace.units:
            self._unit = trace.units[0]
        with QSignalBlocker(self.units):
            self.units.clear()
            for unit in trace.units:
                self.units.add(unit, tr(UNIT_NAMES[unit]))
            self.units.choose(self._unit)
        self.units.setEnabled(len(trace.units) > 1)
        unit = self._unit  # which showing the first one changes
        self.stage.show_lesson(trace_lesson(trace, ""), asking=False)
        if unit is not trace.units[0] and self.stage.player is not None:
            self.stage.player.choose_unit(unit)
        self.show_share(1.0)

    @Slot()
    def _choose_unit(self) -> None:
        player = self.stage.player
        if player is not None:
            self._unit = self.units.value
            player.choose_unit(self._unit)
            self.stage.refresh()
            self.stage_widget.setFocus()

    @Slot()
    def _follow_unit(self) -> None:
        """Show the unit that a key chose."""
        player = self.stage.player
        if player is not None and player.frame.unit in self.units.values:
            self._unit = player.frame.unit
            self.units.choose(self._unit)

    # The moment

    @property
    def share(self) -> float | None:
        """0 to 1: how far it is stepped; None while nothing is."""
        player = self.stage.player
        if self._shown is None or player is None:
            return None
        return player.at / max(1, player.n_frames - 1)

    def show_share(self, share: float) -> None:
        """Show the step that is so far from the first to the last."""
        player = self.stage.player
        if player is not None:
            player.seek(round(share * (player.n_frames - 1)))
            self.stage.refresh()
