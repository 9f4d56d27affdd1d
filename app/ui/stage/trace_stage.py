"""Player of a single trace made by a panel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QLabel, QWidget

from wavediff.app.draw.scene_style import Preset
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.stage.lesson_stage import LessonStage
from wavediff.app.ui.theme import Theme
from wavediff.core.teach.lesson import trace_lesson
from wavediff.core.teach.player import Player
from wavediff.core.teach.questions import Cell
from wavediff.core.teach.scene import Trace
from wavediff.core.teach.unit import UNIT_NAMES, Unit


class TraceStage(QWidget):
    """Player of a trace, in steps of any of its units; the chosen unit is kept for the next trace if possible.

    Args:
        preset: sizes of the cells; with ``PANEL`` they stay readable, and too large scenes are scrolled by the mouse.
        narrow: the slider has a separate row.
        unit: initial unit of steps, if the trace has it.

    Attributes:
        row: layout with the choice of a unit, to which further controls can be added.
    """

    keys = (
        ("Space", "Play or pause"),
        ("→ · ←", "Step, step back"),
        ("Home · End", "To the start, to the end"),
        ("F · S · ↑ · ↓", "Faster, slower"),
        ("U", "Step by the next unit"),
        ("Digits, Enter", "Go to a step"),
    )

    def __init__(
        self, theme: Theme, *, preset: Preset = Preset.PANEL, narrow: bool = False, unit: Unit | None = None
    ) -> None:
        super().__init__()
        self.trace: Trace | None = None
        self._unit = unit
        self.units = Chooser[Unit]("Step by", self)
        self.stage = LessonStage(theme, hall=False, narrow=narrow)
        self.stage.set_style(theme, preset)
        self.row = in_row(QLabel("Step by", self), self.units, 1)
        in_column(self.row, (self.stage, 1), on=self, margin=0, gap=4)
        self.setFocusProxy(self.stage)
        self.units.activated.connect(self._choose)
        self.stage.shown.connect(self._shown)

    @property
    def player(self) -> Player | None:
        return self.stage.player

    def show_trace(self, trace: Trace, title: str, *, at_end: bool = False, path: Sequence[Cell] = ()) -> None:
        """Show ``trace`` at its start, or complete with a path of cells (last first)."""
        self.trace = trace
        unit = self._unit if self._unit in trace.units else trace.units[0]
        with QSignalBlocker(self.units):
            self.units.clear()
            for each in trace.units:
                self.units.add(each, UNIT_NAMES[each])
        self.units.setEnabled(len(trace.units) > 1)
        self.stage.show_lesson(trace_lesson(trace, title), asking=False)
        if self.player is not None and unit is not None:
            self.player.choose_unit(unit)
            if at_end:
                self.player.seek(self.player.n_frames - 1)
            self.stage.refresh()
            self.stage.canvas.path = list(path)

    @property
    def share(self) -> float | None:
        """Progress of stepping, 0 to 1, or None."""
        return None if self.player is None else self.player.at / max(1, self.player.n_frames - 1)

    def show_share(self, share: float) -> None:
        if self.player is not None:
            self.player.seek(round(share * (self.player.n_frames - 1)))
            self.stage.refresh()

    def show_step(self, unit: Unit | None, step: int) -> None:
        """Show a step of a unit; of the current unit if the trace lacks it."""
        if self.player is not None:
            if unit is not None and unit in self.units.values:
                self.player.choose_unit(unit)
            self.player.seek_step(step)
            self.stage.refresh()

    @Slot()
    def _choose(self) -> None:
        if self.player is not None:
            self.player.choose_unit(self.units.value)
            self.stage.refresh()
            self.stage.setFocus()

    @Slot()
    def _shown(self) -> None:
        if self.player is not None and self.player.frame.unit in self.units.values:
            self._unit = self.player.frame.unit
            self.units.choose(self._unit)
