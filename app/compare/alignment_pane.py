"""The letters with their scroll bars."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QGridLayout, QScrollBar, QWidget

from wavediff.app.compare.alignment_input import InteractiveCanvas
from wavediff.app.compare.alignment_layout import BarScale
from wavediff.app.ui.theme import Theme


class AlignmentPane(QWidget):
    """Keeps one scroll bar and the canvas in step, also where positions do not fit the bar's 32 bits."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.canvas = InteractiveCanvas(theme)
        self.vertical = QScrollBar(Qt.Orientation.Vertical, self)
        self.horizontal = QScrollBar(Qt.Orientation.Horizontal, self)
        self._scale = BarScale(0)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.canvas, 0, 0)
        grid.addWidget(self.vertical, 0, 1)
        grid.addWidget(self.horizontal, 1, 0)
        for bar, name in (
            (self.vertical, "Lines of the alignment"),
            (self.horizontal, "Columns of the alignment"),
        ):
            bar.setAccessibleName(name)
            bar.valueChanged.connect(self._bar_moved)
        self.vertical.setMinimumHeight(1)  # the canvas says how low this may be
        self.setFocusProxy(self.canvas)
        self.canvas.scrolled.connect(self._follow)
        self._follow()

    def bar(self) -> QScrollBar:
        return self.vertical if self.canvas.wrapped else self.horizontal

    @Slot()
    def _follow(self) -> None:
        used, surface = self.bar(), self.canvas.surface
        unused = self.horizontal if used is self.vertical else self.vertical
        used.setVisible(True)  # its room is kept even when all fits: hiding it would change the wrapping
        unused.setVisible(False)
        self._scale = BarScale(surface.last_position if surface is not None else 0)
        with QSignalBlocker(used):
            used.setRange(0, self._scale.maximum)
            used.setValue(self._scale.to_bar(self.canvas.position))
            if surface is not None:
                used.setPageStep(self._scale.page(surface.page))
                step = surface.cells.pitch if surface.wrapped else 10 * surface.cells.width
                used.setSingleStep(max(1, self._scale.to_bar(step)))

    @Slot(int)
    def _bar_moved(self, value: int) -> None:
        surface = self.canvas.surface
        if self.sender() is self.bar() and surface is not None:
            self.canvas.begin_at(surface.top_column(self._scale.from_bar(value)))
