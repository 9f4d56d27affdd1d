"""Words and figures beside the map: the sentence over it, what is compiled, and the facts of the run."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QLabel, QProgressBar

from wavediff.app.compare.computation_facts import Fact, computed_text, facts_of
from wavediff.app.compare.fact_rows import FactRows
from wavediff.app.ui.block_map.block_map import BlockMapModel, Phase
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.number_text import compiling_left, compiling_text
from wavediff.app.ui.theme import Theme

EMPTY = "Here you watch the comparison being computed."
SOON_MS = 150  # from the start of a run, until which the figures of the run before stay: the next are often alike


class RunFigures(QObject):
    """Attributes:
    way: what was computed of the matrix and why, in a sentence. waiting, bar: of a kernel that is compiled.
    facts: rows of figures.
    stale: what is said in place of the figures of an answer of before; empty where it is that of now.
    """

    def __init__(self, devices: DeviceModel, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._devices = devices
        self.way, self.facts, self.stale = ElidedLabel(), FactRows(theme), ""
        self.waiting, self.bar = QLabel(), QProgressBar()
        self.waiting.setWordWrap(True)
        self.bar.setTextVisible(False)
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._forget)

    def show_compiling(self, model: BlockMapModel) -> None:
        """Show what is compiled, or that nothing was compared yet."""
        idle = model.phase is Phase.IDLE
        compiling = model.compiling if idle or model.phase is Phase.RUNNING else None
        self.waiting.setVisible(idle or compiling is not None)
        self.bar.setVisible(compiling is not None and compiling.total > 0)
        if compiling is not None:
            left = compiling_left(compiling, model.compiling_seconds) if idle else ""  # a run says it in its answer
            self.waiting.setText(" · ".join(filter(None, (compiling_text(compiling), left))))
            self.bar.setRange(0, max(1, compiling.total))
            self.bar.setValue(compiling.done)
        elif idle:
            self.waiting.setText(EMPTY)
        if idle:
            self._forget()

    def show_run(self, model: BlockMapModel, outcome: Comparison | None) -> None:
        """Show the figures of a run that has planned; those of an answer of before are hidden."""
        self._soon.stop()
        stale = "" if outcome is None else self.stale
        self.way.set_text(stale or computed_text(model, outcome))
        self.facts.show_facts([] if stale else facts_of(model, outcome, self._devices))

    def show_other(self, title: str, facts: Sequence[Fact]) -> None:
        """Show the figures of another run than that of the answer; its title is never scrolled away."""
        self.way.set_text(title.replace("\n", " · "))
        self.facts.show_facts(list(facts))

    def forget_soon(self) -> None:
        """Show no figures of the run before, unless those of the next are there soon."""
        self._soon.start()

    @Slot()
    def _forget(self) -> None:
        self._soon.stop()
        self.way.set_text("")
        self.facts.show_facts([])
