"""A map that is planned by hand, and what is seen and painted of it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.devices import DeviceModel
from wavediff.app.ui.pair import Pair, SharedCursor
from wavediff.app.ui.theme import Theme
from wavediff.core.base.arrays import BlockMap
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid


def show_map(qtbot: QtBot, model: BlockMapModel, theme: Theme, cursor: SharedCursor | None = None) -> ComputationView:
    devices = DeviceModel()
    view = ComputationView(model, devices, Pair(), theme, cursor or SharedCursor())
    qtbot.addWidget(view, before_close_func=lambda _: devices.close())
    view.resize(500, 600)
    view.show()
    qtbot.waitExposed(view)
    return view


def plan(model: BlockMapModel, grid: BlockGrid, job: int = 1, cells: int = 0) -> BlockMap:
    block_map = np.zeros(grid.shape, np.uint8)
    model.apply(Planned(job, grid, block_map, "band", "because", cells or grid.n_cells))
    return block_map


def colour_at(view: ComputationView, a0: float, b0: float) -> QColor:
    where = view.canvas.frame.point(b0, a0)
    image = view.canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(where.x() * ratio), round(where.y() * ratio))


class PaintRecorder(QObject):
    """Notes what is painted of some widgets."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._noted: list[QRect] = []
        for widget in widgets:
            widget.installEventFilter(self)

    def taken(self) -> list[QRect]:
        noted, self._noted = self._noted, []
        return noted

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QPaintEvent):
            self._noted.append(event.region().boundingRect())
        return False
