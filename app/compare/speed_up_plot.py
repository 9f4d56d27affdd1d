"""Plot of the speed-up against workers; imported when it is first shown, since pyqtgraph takes a while to load."""

from __future__ import annotations

import numpy as np
from pyqtgraph import FillBetweenItem, PlotWidget, mkPen
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from wavediff.app.compare.schedules import RULES, WORKERS, SpeedUps
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import number
from wavediff.core.teach.schedule import Rule

PLOT_PX = 168
TICKS = np.log2(WORKERS)  # on both axes
PENS = {Rule.QUEUE: Qt.PenStyle.SolidLine, Rule.CALLS: Qt.PenStyle.DashLine, Rule.STRIPS: Qt.PenStyle.DotLine}


def speed_up_plot(found: SpeedUps, theme: Theme, parent: QWidget) -> PlotWidget:
    """Return curves of the rules under the line that no schedule can pass; what the queue loses to it is shaded."""
    plot = PlotWidget(parent, background=theme.base, enableMenu=False)
    plot.setFixedHeight(PLOT_PX)
    plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    plot.hideButtons()
    plot.setMouseEnabled(False, False)
    plot.showGrid(True, True, 1.0)
    plot.setRange(xRange=(0, TICKS[-1]), yRange=(0, TICKS[-1]))
    for side, unit in (("bottom", ""), ("left", "×")):
        axis = plot.getAxis(side)
        axis.setTicks([[(at, f"{number(n)}{unit}") for n, at in zip(WORKERS, TICKS, strict=True)]])
        axis.setStyle(tickFont=theme.small_font, hideOverlappingLabels=False)
        axis.setPen(theme.grid)
        axis.setTextPen(theme.dim)
    axis = plot.getAxis("bottom")
    axis.setLabel("workers")
    axis.label.setFont(theme.small_font)
    ideal, curves = plot.plot(TICKS, TICKS, pen=mkPen(theme.control), antialias=True), {}
    for rule, gains in found.of.items():
        pen = mkPen(theme.text if rule is Rule.CALLS else theme.accent, width=2, style=PENS[rule])
        curves[rule] = plot.plot(TICKS, np.log2(np.clip(gains, 1, WORKERS[-1])), pen=pen, antialias=True)
    plot.addItem(FillBetweenItem(ideal, curves[Rule.QUEUE], brush=theme.tint))
    real = np.log2(np.clip([found.real], 1, WORKERS[-1]))
    plot.plot(real, symbol="o", symbolSize=8, symbolPen=mkPen(theme.text, width=2), symbolBrush=theme.base)
    most = number(WORKERS[-1])
    lines = [f"{RULES[rule]}: {number(gains[-1], 1)}× with {most} workers" for rule, gains in found.of.items()]
    plot.setAccessibleName(", ".join(["Speed-up by the number of workers", *lines]))
    plot.setToolTip("\n".join(lines))
    return plot
