"""Stage of one trace that a panel has made itself: of its own table, its own search."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.teach.lesson_stage import LessonStage
from app.teach.scene_style import Preset, Style
from app.ui.chooser import Chooser
from app.ui.theme import Theme
from core.teach.lesson import trace_lesson
from core.teach.optimal_paths import Cell
from core.teach.scene import Trace
from core.teach.unit import UNIT_NAMES, Unit
from core.translate import tr, tr_noop


class TraceStage(QWidget):
    """Steps a trace by any of its units, in cells that can be read: what does not fit is moved with the mouse."""

    keys = (
        (tr_noop("Space"), tr_noop("Play or pause")),
        ("→ · ←", tr_noop("Step, step back")),
        (tr_noop("Home · End"), tr_noop("To the start, to the end")),
        (tr_noop("F · S · ↑ · ↓"), tr_noop("Faster, slower")),
        ("U", tr_noop("Step by the next unit")),
        (tr_noop("Digits, Enter"), tr_noop("Go to a step")),
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trace: Trace | None = None
        self.units: Chooser[Unit] = Chooser(self)
        self.units.setAccessibleName(tr("Step by"))
        self.stage = LessonStage(theme, self, hall=False)
        self.stage.set_style(Style(theme, Preset.PANEL))
        top, layout = QHBoxLayout(), QVBoxLayout(self)
        top.addWidget(QLabel(tr("Step by"), self))
        top.addWidget(self.units)
        top.addStretch(1)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.stage, 1)
        self.setFocusProxy(self.stage)
        self.units.activated.connect(self._choose)
        self.stage.shown.connect(self._shown)

    def show_trace(self, trace: Trace, title: str, *, at_end: bool = False, path: Sequence[Cell] = ()) -> None:
        """Step ``trace`` from its start, or show it whole with a path of its cells, from the last one."""
        self.trace = trace
        self.units.clear()
        for unit in trace.units:
            self.units.add(unit, tr(UNIT_NAMES[unit]))
        self.stage.show_lesson(trace_lesson(trace, title), asking=False)
        if at_end and self.stage.player is not None:
            self.stage.player.seek(self.stage.player.n_frames - 1)
            self.stage.refresh()
            self.stage.canvas.path = list(path)

    @Slot()
    def _choose(self) -> None:
        if self.stage.player is not None:
            self.stage.player.choose_unit(self.units.value)
            self.stage.refresh()

    @Slot()
    def _shown(self) -> None:
        if self.stage.player is not None:
            self.units.choose(self.stage.player.frame.unit)
