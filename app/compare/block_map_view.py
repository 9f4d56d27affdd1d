"""The block wavefront: which blocks of the matrix wait, run and are done, while it happens."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.ui.block_map.alignment_path import MatrixPath
from app.ui.block_map.band_attempts import SKIP_NAMES, labelled
from app.ui.block_map.band_legend import Legend, entries_of
from app.ui.block_map.block_map import BlockMapModel, Phase
from app.ui.block_map.block_map_canvas import BlockMapCanvas
from app.ui.block_map.block_symbols import LEGEND
from app.ui.block_map.progress_text import progress_text
from app.ui.comparison import Comparison
from app.ui.dock_view import DockView
from app.ui.labels import ElidedLabel
from app.ui.number_text import grouped
from app.ui.shared_cursor import MatrixPosition, SharedCursor
from app.ui.theme import Theme
from core.jobs.edit_result import BandAttempt, SkipReason

MARGIN_PX = 1.0  # pixels round the plot
MAX_ASPECT = 4.0  # a matrix that is longer in one direction is stretched: it would be a line
LAYERS = {
    "Blocks": "What was computed, and what was not and why",
    "Band": "Edges of every band that was tried, the earlier ones faint",
    "Path": "The alignment that was found",
}


class PositionAxis(pg.AxisItem):
    """Ticks at the middle of letters, which a person counts from 1; none between two letters.

    Attributes:
        total: letters there are; no tick stands after the last one.
    """

    total = 1 << 62

    def tickValues(self, first: float, last: float, size: float) -> list[tuple[float, list[float]]]:
        letters = super().tickValues(first + 0.5, last + 0.5, size)
        return [(spacing, self._middles(values, spacing)) for spacing, values in letters if spacing >= 1]

    def _middles(self, letters: list[float], spacing: float) -> list[float]:
        """Return where ``letters`` are; a round number that no letter has is the first one where there is room."""
        numbers = (1 if number == 0 and spacing > 2 else round(number) for number in letters)
        return [number - 0.5 for number in numbers if 1 <= number <= self.total]

    def tickStrings(self, values: list[float], _scale: float, spacing: float) -> list[str]:
        return [grouped(max(1, ceil(value))) if value >= 0 and spacing >= 1 else "" for value in values]


class MatrixBox(pg.ViewBox):
    """Drag moves, the wheel zooms at the pointer, a double click shows all."""

    def __init__(self) -> None:
        super().__init__(invertY=True, enableMenu=False, defaultPadding=0.0)
        self.setMouseMode(pg.ViewBox.PanMode)

    def mouseDoubleClickEvent(self, event: Any) -> None:
        self.fit()
        event.accept()

    def show_matrix(self, n: int, m: int) -> None:
        """Show a matrix of ``n`` x ``m``; one of the same size is left as a person has zoomed it."""
        n, m = max(1, n), max(1, m)
        if self._size == (n, m):
            return
        self._size = n, m
        # A least range that is more than there is would be set and taken back for ever, and painted each time.
        least = {"minXRange": min(4, m), "minYRange": min(4, n)}
        self.setLimits(xMin=-0.04 * m, xMax=1.04 * m, yMin=-0.04 * n, yMax=1.04 * n, **least)
        self._all = (-0.01 * m, 1.01 * m), (-0.01 * n, 1.01 * n)
        self.fit()

    def fit(self) -> None:
        x, y = self._all
        self.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=True)

    _all = (0.0, 1.0), (0.0, 1.0)
    _size = 0, 0


class BlockMapView(DockView):
    """Picture, bands, legend and figures of the model; the shared cursor as a cross.

    Signals:
        place_wanted: letters of A and B (0-based) that were clicked.
    """

    keys = (
        ("Click", "Show the letters there"),
        ("Drag · wheel", "Move · zoom at the pointer"),
        ("Wheel over an axis", "Zoom that axis only"),
        ("Double click", "Show the whole matrix"),
        ("Arrows · Page Up/Down on the slider for k", "Another band"),
        ("Esc on the slider for k", "Back to the chosen band"),
    )
    place_wanted = Signal(object, object)

    def __init__(self, model: BlockMapModel, theme: Theme, cursor: SharedCursor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._theme, self._cursor = model, theme, cursor
        self._figures = ElidedLabel(parent=self)
        self._way = ElidedLabel(parent=self)
        self._hover = ElidedLabel(parent=self)
        for label in (self._figures, self._way, self._hover):
            label.setAutoFillBackground(True)  # else what lies below it is painted for every change
        self._legend = Legend(theme, self)
        self._box = MatrixBox()
        axes = self._axes = {side: PositionAxis(side) for side in ("left", "top")}
        self._plot = pg.PlotItem(viewBox=self._box, axisItems=axes)
        self._plot.hideButtons()
        self._plot.setMenuEnabled(False)
        self._plot.hideAxis("bottom")
        self._plot.showAxis("top")
        self._plot.getAxis("left").setLabel("A, rows ←")  # turned to the left: the arrow points down
        self._plot.getAxis("top").setLabel("B, columns →")
        for side in axes:
            self._plot.getAxis(side).enableAutoSIPrefix(False)
        self._graphics = pg.GraphicsView(parent=self)
        self._graphics.setCentralItem(self._plot)
        # Where an axis becomes wider, its ticks stay where they were painted before: it says too late where that was.
        self._graphics.setViewportUpdateMode(pg.GraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self._graphics.setAccessibleName("Block wavefront")
        self._graphics.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._canvas = BlockMapCanvas(model, theme, self._graphics)
        self._tries: tuple[BandAttempt, ...] = ()
        self.layers = {name: self._layer(name, tip) for name, tip in LAYERS.items()}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 4)
        layout.setSpacing(2)
        layout.addWidget(self._figures)
        layout.addWidget(self._way)
        layout.addWidget(self._graphics, 1)
        under = QHBoxLayout()
        under.setSpacing(3)
        under.addWidget(self._hover, 1)
        for button in self.layers.values():
            under.addWidget(button)
        layout.addLayout(under)
        layout.addWidget(self._legend)
        self._graphics.scene().sigMouseMoved.connect(self._hovered)
        self._graphics.scene().sigMouseClicked.connect(self._clicked)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._keep_aspect)
        self._box.sigResized.connect(self._again.start)  # not while the plot is laid out: it would be in vain
        self._box.sigResized.connect(self._place_canvas)
        self._box.sigRangeChanged.connect(self._place_canvas)
        model.planned.connect(self._planned)
        model.changed.connect(self._canvas.update_blocks)
        model.figures_changed.connect(self._show_figures)
        cursor.moved.connect(self._follow)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._planned()
        self._show_figures()

    def _layer(self, name: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(name)
        button.setToolTip(tip)
        button.setCheckable(True)
        button.setChecked(True)
        button.setAutoRaise(True)
        button.toggled.connect(self._layers_changed)
        return button

    def add_bar(self, bar: QWidget) -> None:
        """Put ``bar`` under the legend."""
        layout = self.layout()
        if layout is not None:
            layout.addWidget(bar)

    @Slot()
    def _layers_changed(self) -> None:
        self._canvas.layers = {name: button.isChecked() for name, button in self.layers.items()}
        self._canvas.refresh()

    @Slot()
    def _keep_aspect(self) -> None:
        """Leave at the right or below what is too much for letters of both to be as large: a diagonal is one."""
        layout, whole, box = self._plot.layout, self._plot.size(), self._box.geometry()
        left, top, *old = layout.getContentsMargins()
        wide, high = whole.width() - box.left() - MARGIN_PX, whole.height() - box.top() - MARGIN_PX
        aspect = min(max(max(1, self._model.m) / max(1, self._model.n), 1 / MAX_ASPECT), MAX_ASPECT)
        right, bottom = MARGIN_PX + max(0.0, wide - high * aspect), MARGIN_PX + max(0.0, high - wide / aspect)
        if abs(right - old[0]) + abs(bottom - old[1]) >= 1:
            layout.setContentsMargins(left, top, right, bottom)

    @Slot()
    def _place_canvas(self) -> None:
        """Lay the canvas over the box of the plot, whole pixels, and tell it what they show."""
        scene = self._box.sceneBoundingRect()
        place = self._graphics.mapFromScene(scene).boundingRect()
        self._canvas.setGeometry(place)
        seen = self._box.mapSceneToView(self._graphics.mapToScene(place).boundingRect()).boundingRect()
        if seen.isEmpty():
            return  # there is no room yet
        self._canvas.show_range((seen.left(), seen.right()), (seen.top(), seen.bottom()))

    def sizeHint(self) -> QSize:
        return QSize(430, 430)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, 180)

    @Slot()
    def fit(self) -> None:
        """Show the whole matrix."""
        self._box.fit()

    @Slot(object)
    def show_outcome_soon(self, outcome: Comparison) -> None:
        """Draw in the next turn of the loop: letters and map together take longer than a beat."""
        QTimer.singleShot(0, self, partial(self.show_outcome, outcome))

    @Slot(object)
    def show_outcome(self, outcome: Comparison) -> None:
        """Draw the path of the result over the blocks."""
        if outcome.job.id == self._model.job_id:
            self._canvas.show_path(MatrixPath.of(outcome.result.alignment))
            self._way.set_text(strategy_text(outcome.result.strategy, outcome.result.reason))
            self._tries = outcome.method.bands(outcome.result)
            self._show_bands()

    @Slot()
    def _planned(self) -> None:
        self._canvas.show_path(None)
        for side, total in (("left", self._model.n), ("top", self._model.m)):
            self._axes[side].total = total
        self._box.show_matrix(self._model.n, self._model.m)
        self._keep_aspect()
        self._way.set_text(strategy_text(self._model.strategy, self._model.reason))
        self._tries = ()
        self._show_bands()

    @property
    def _gets_ready(self) -> bool:
        """Return whether a run has begun that has no map yet: what stands beside the map waits, the next is often
        alike.

        Everything would move for a moment and back, and be painted twice.
        """
        return self._model.phase is Phase.RUNNING and self._model.grid is None

    def _show_bands(self) -> None:
        bands = labelled(self._model.attempts, self._tries)
        self._canvas.show_bands(bands)
        if not self._gets_ready:
            self.layers["Band"].setVisible(bool(bands))

    @Slot()
    def _show_figures(self) -> None:
        self._figures.set_text(progress_text(self._model))
        if not self._gets_ready:
            self._legend.set_entries(entries_of(self._model))

    @Slot(object)
    def _hovered(self, where: QPointF) -> None:
        cell = self._cell_at(where)
        if cell is not None:
            a0, b0 = cell
            self._cursor.move(a0, b0)
            self._hover.set_text(self._block_text(a0, b0))
        else:
            self.leave()

    def _cell_at(self, where: QPointF) -> tuple[int, int] | None:
        """Return the cell at a point of the scene; None outside of the matrix."""
        if not self._box.sceneBoundingRect().contains(where):
            return None
        point = self._box.mapSceneToView(where)
        a0, b0 = int(np.floor(point.y())), int(np.floor(point.x()))
        return (a0, b0) if 0 <= a0 < self._model.n and 0 <= b0 < self._model.m else None

    @Slot(object)
    def _clicked(self, event: Any) -> None:
        cell = self._cell_at(event.scenePos())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton and not event.double():
            self.place_wanted.emit(*cell)

    def leave(self) -> None:
        """The pointer is over no cell."""
        self._cursor.clear()
        self._hover.set_text("")

    def leaveEvent(self, event: Any) -> None:
        self.leave()
        super().leaveEvent(event)

    def _block_text(self, a0: int, b0: int) -> str:
        block, grid = self._model.block_at(a0, b0), self._model.grid
        if grid is None:
            return ""
        if block is None or not self._model.block_map.size:
            return f"{SKIP_NAMES[SkipReason.ENDS]} · diagonal {b0 - a0:+,}"
        if self._model.inner_skip is not None:
            return f"{SKIP_NAMES[self._model.inner_skip]} · diagonal {b0 - a0:+,}"
        row, col = block
        height, width = self._model.block_size
        top, left = grid.row0 + row * height, grid.col0 + col * width
        bottom = min(top + height, grid.row0 + grid.n_rows)
        right = min(left + width, grid.col0 + grid.n_cols)
        state = LEGEND[self._model.state_at(row, col)]
        return (
            f"Block {grouped(row + 1)}, {grouped(col + 1)} · {state} · "
            f"A {grouped(top + 1)}–{grouped(bottom)} · B {grouped(left + 1)}–{grouped(right)}{self._band_text(a0, b0)}"
        )

    def _band_text(self, a0: int, b0: int) -> str:
        band = self._model.band
        if band is None:
            return ""
        return f" · diagonal {b0 - a0:+,} {'inside' if band.holds(a0, b0) else 'outside'} the band"

    @Slot(object)
    def _follow(self, position: MatrixPosition) -> None:
        self._canvas.show_cross(position.a0, position.b0)

    @Slot()
    def _restyle(self) -> None:
        theme = self._theme
        self._graphics.setBackground(theme.base)
        for side in ("left", "top"):
            axis = self._plot.getAxis(side)
            axis.setPen(pg.mkPen(theme.grid))
            axis.setTextPen(pg.mkPen(theme.dim))
            axis.labelStyle = {"color": theme.dim.name()}
            axis.setLabel(axis.labelText)
        for label in (self._way, self._hover):
            palette = label.palette()
            palette.setColor(label.foregroundRole(), theme.dim)
            label.setPalette(palette)
        self._canvas.refresh()


def strategy_text(strategy: str, reason: str) -> str:
    return f"{strategy}: {reason}" if strategy and reason else strategy or reason
