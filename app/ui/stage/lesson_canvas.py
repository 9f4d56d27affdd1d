"""Canvas of a lesson: the zoomable scene of a step, with questions and pointer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QResizeEvent, QWheelEvent

from wavediff.app.draw.drawing import Box, Point, Size
from wavediff.app.draw.painter import QtDrawing, Tiles, measured
from wavediff.app.draw.scene import Extras, draw_scene
from wavediff.app.draw.scene_layout import Extent, Layout, extents, lay_out, sheet_row, unit_extents
from wavediff.app.draw.scene_style import Preset
from wavediff.app.ui.canvas import Canvas, Wide
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.panel_view import area_of
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import count
from wavediff.core.teach.lesson import Part
from wavediff.core.teach.player import Frame
from wavediff.core.teach.questions import Candidate, Cell, cell_name
from wavediff.core.teach.scene import CellTrace, Grid, Mark, Scene, Sheet, Shown
from wavediff.core.teach.unit import Unit

ZOOM_STEP, MAX_ZOOM = 1.25, 64.0  # of a notch of the wheel
NOTCH = 120  # eighths of a degree that a notch of a wheel is
LISTED_PX = 520  # from this width on, a listing stands next to the table
MARGIN_PX, BAR_PX = 6, 4  # logical pixels around what is painted; of a bar that shows which part is seen


class LessonCanvas(Canvas):
    """Paints a frame of a player; larger scenes can be dragged, and follow the new parts.

    Attributes:
        picked: cells clicked as an answer; ``picked_row``: a row of the first sheet. path: cells of the drawn optimal
            path, from its end. taken: cells used by a wrong answer. current: cell that keys mark as an answer.

    Args:
        listing: paint the listing alone.

    Signals:
        clicked: a cell, as (row, column). row_clicked: a row of the first sheet. listed: ``has_listing`` changed.
    """

    clicked, listed = Signal(object), Signal()
    row_clicked = Signal(int)

    def __init__(self, theme: Theme, *, listing: bool = False) -> None:
        focus = Qt.FocusPolicy.NoFocus if listing else Qt.FocusPolicy.StrongFocus
        super().__init__(theme, focusPolicy=focus, mouseTracking=True)
        self._listing = listing
        self._style = measured(Preset.DESK)
        self._frame: Frame | None = None
        self._scene: Scene | None = None
        self._open = False  # a question is: what the step reads is not shown
        self._extents: tuple[Extent, ...] = ()
        self._measured: tuple[Part, Unit, Shown] | None = None  # of which ``_extents`` are
        self._zoom, self._at = 1.0, QPointF()  # where the layout's (0, 0) is
        self._layout: Layout | None = None
        self._dragged: QPointF | None = None
        self._hover: tuple[Cell, Sequence[Candidate]] | None = None
        self._tiles = Tiles()
        self.picked: set[Cell] = set()
        self.picked_row: int | None = None
        self.path: list[Cell] = []
        self.taken: tuple[Cell, ...] = ()
        self.current: Cell | None = None

    @property
    def preset(self) -> Preset:
        return self._style.preset

    def set_style(self, theme: Theme, preset: Preset, scale: float = 1.0) -> None:
        self._theme.changed.disconnect(self.update)
        theme.changed.connect(self.update)
        self._theme, self._style = theme, measured(preset, scale)
        self._lay_out()

    def show_frame(self, frame: Frame, *, asked: bool) -> None:
        """Show a frame; ``asked``: a question about the next step is open."""
        self._frame, self._open, self._hover = frame, asked, None
        part = frame.part
        shown: Shown = part.listing if self._listing else part.shown if self.has_listing else part.trace
        self._scene = shown.scene(frame.unit, frame.step)
        measured = (frame.part, frame.unit, shown)
        if self._measured != measured:
            self._measured, self._zoom = measured, 1.0
            self._extents = unit_extents(shown, frame.unit, frame.step, self._style)
            self._layout = None
        widest = tuple(
            one.with_(other) for one, other in zip(self._extents, extents([self._scene], self._style), strict=False)
        )
        if self._layout is None or widest != self._extents:
            self._extents = widest
            self._lay_out()
        self._follow()
        self.update()

    def sizes(self) -> tuple[Wide, Wide]:
        return ((200, 60), (120, 40)) if self._listing else ((640, 100), (200, 100))  # a panel scrolls for a hint

    @property
    def has_listing(self) -> bool:
        """True if there is room for a listing next to the table."""
        return self.width() >= LISTED_PX

    @property
    def ended(self) -> bool:
        """True after the last step: then optimal paths are tinted."""
        frame = self._frame
        return frame is not None and not self._open and frame.step == frame.part.trace.steps(frame.unit)

    def is_whole(self, frame: Frame, wide: float, high: float) -> bool:
        """Return whether no scene of the unit of ``frame`` is wider than ``wide`` pixels."""
        room = Size(wide - 2 * MARGIN_PX, high - 2 * MARGIN_PX)
        needed = unit_extents(frame.part.trace, frame.unit, frame.step, self._style)
        return lay_out(needed, room, self._style).size.wide <= room.wide

    # Where things are

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        if self._frame is not None and (self.width() < LISTED_PX) != (event.oldSize().width() < LISTED_PX):
            self.show_frame(self._frame, asked=self._open)
            self.listed.emit()

    def _room(self) -> Size:
        return Size(self.width() - 2 * MARGIN_PX, self.height() - 2 * MARGIN_PX)

    def _lay_out(self) -> None:
        self._layout = lay_out(self._extents, self._room(), self._style, self._zoom)
        self._move(self._at)

    def _move(self, at: QPointF) -> None:
        """Place the layout: centred if it fits, else limited to its content."""
        assert self._layout is not None
        size = self._layout.size

        def placed(wanted: float, room: int, length: float) -> float:
            if self._zoom == 1:
                fits = length <= room - 2 * MARGIN_PX
                return round((room - length) / 2 if fits else min(MARGIN_PX, max(wanted, room - length - MARGIN_PX)))
            return round(max(room / 2 - length, min(wanted, room / 2)))  # an edge may come to the middle

        self._at = QPointF(placed(at.x(), self.width(), size.wide), placed(at.y(), self.height(), size.high))
        self.update()

    def _follow(self) -> None:
        """Scroll the first table to its new cells."""
        scene, frame, layout = self._scene, self._frame, self._layout
        if scene is None or frame is None or layout is None or layout.size.fits(Size(self.width(), self.height())):
            return
        boxes, margin = [QRectF(*box).translated(self._at) for box in self._new_rows()], 0.0
        if isinstance(grid := scene.taken, Grid) and frame.step:
            new, margin = np.argwhere(grid.rank == frame.step), 2 * layout.cell
            boxes = [self.cell_box(*ends.tolist()) for ends in (new.min(0), new.max(0))] if new.size else []
        if not boxes:
            return
        self._scroll_to(boxes[0].united(boxes[-1]), margin)

    def _scroll_to(self, area: QRectF, margin: float) -> None:
        def shift(low: float, high: float, room: int) -> float:
            if high - low > room - 2 * margin:
                return 0.0 if low < room and high > 0 else margin - low
            return max(0.0, margin - low) or min(0.0, room - margin - high)

        by = QPointF(shift(area.left(), area.right(), self.width()), shift(area.top(), area.bottom(), self.height()))
        if not by.isNull():
            self._move(self._at + by)

    def move_cursor(self, rows: int = 0, cols: int = 0) -> None:
        """Move the cell cursor within the table; it begins at the first new cell of the step, whatever is asked."""
        if self._scene is None or self._scene.grid is None or self._frame is None or self._layout is None:
            return
        begin = [*np.argwhere(self._scene.grid.rank == self._frame.step).tolist(), (0, 0)][0]
        both = zip(self.current or begin, (rows, cols), self._scene.grid.values.shape, strict=True)
        row, col = (max(0, min(at + by, n - 1)) for at, by, n in both)
        self.current = row, col
        self._scroll_to(self.cell_box(row, col), 2 * self._layout.cell)
        self.update()

    def describe_cursor(self) -> str:
        """Return row, column and known value of the cell at the cursor, and whether it is marked."""
        if self.current is None or self._scene is None or self._scene.grid is None or self._frame is None:
            return ""
        grid, cell = self._scene.grid, self.current
        value = f": {int(grid.values[cell])}" if grid.rank[cell] <= self._frame.step else ""
        return cell_name(cell) + value + (", marked" if cell in self.picked else "")

    def _new_rows(self) -> list[Box]:
        part = None if self._scene is None else self._scene.taken
        if not isinstance(part, Sheet) or self._layout is None or self._scene is None:
            return []
        box, new = self._layout.boxes[self._scene.parts.index(part)], enumerate(part.marks)
        cell, style = self._layout.cell, self._layout.style
        return [sheet_row(part, box, cell, style, row) for row, marks in new if Mark.NEW in marks]

    def cell_box(self, row: int, col: int) -> QRectF:
        assert self._layout is not None
        corner, size = QPointF(*self._layout.corners[self._grid_place()]) + self._at, self._layout.cell
        return QRectF(corner.x() + col * size, corner.y() + row * size, size, size)

    def _grid_place(self) -> int:
        assert self._scene is not None
        return next((k for k, part in enumerate(self._scene.parts) if part is self._scene.grid), 0)

    def cell_at(self, point: QPointF) -> Cell | None:
        """Return the cell of the first table at a point, or None."""
        if self._scene is None or self._scene.grid is None or self._layout is None:
            return None
        corner, size = self.cell_box(0, 0).topLeft(), self._layout.cell
        col, row = (point.x() - corner.x()) // size, (point.y() - corner.y()) // size
        rows, cols = self._scene.grid.values.shape
        return (int(row), int(col)) if 0 <= row < rows and 0 <= col < cols else None

    def row_at(self, point: QPointF) -> int | None:
        """Return the row of the first sheet at a point, or None."""
        if self._scene is None or self._layout is None:
            return None
        layout, (x, y) = self._layout, (point - self._at).toTuple()
        place = next((k for k, part in enumerate(self._scene.parts) if isinstance(part, Sheet)), None)
        if place is None:
            return None
        part, box = self._scene.parts[place], layout.boxes[place]
        assert isinstance(part, Sheet)
        rows = (sheet_row(part, box, layout.cell, layout.style, row) for row in range(len(part.rows)))
        return next((row for row, area in enumerate(rows) if area.has(x, y)), None)

    def row_name(self, row: int) -> str:
        """Return the text in the first column of a row of the first sheet; empty without a sheet."""
        sheets = [part for part in self._scene.parts if isinstance(part, Sheet)] if self._scene is not None else []
        return sheets[0].rows[row][0] if sheets else ""

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = event.position()
            cell, row = self.cell_at(event.position()), self.row_at(event.position())
            if cell is not None:
                self.clicked.emit(cell)
            elif row is not None:
                self.row_clicked.emit(row)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None and self._layout is not None:
            self._move(self._at + event.position() - self._dragged)
            self._dragged = event.position()
            return
        hover = self._candidates(self.cell_at(event.position()))
        if hover != self._hover:
            self._hover = hover
            self.update()
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None
        super().mouseReleaseEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = None
        self.update()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; without zoom or Ctrl, a scrollable area around the scene scrolls instead."""
        asked = self._zoom > 1 or event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if not asked and (area := area_of(self)) is not None and area.verticalScrollBar().maximum():
            event.ignore()
            return
        if self._layout is None or not self._layout.boxes:
            return
        before, point, place = self._layout, event.position(), self._grid_place()
        self._zoom = max(1.0, min(MAX_ZOOM, self._zoom * ZOOM_STEP ** (event.angleDelta().y() / NOTCH)))
        self._layout = after = lay_out(self._extents, self._room(), self._style, self._zoom)
        inside = point - self._at - QPointF(*before.corners[place])
        self._move(point - inside * (after.cell / before.cell) - QPointF(*after.corners[place]))
        event.accept()

    def _known(self, cell: Cell | None) -> CellTrace | None:
        frame, scene = self._frame, self._scene
        if cell is None or frame is None or scene is None or scene.grid is None or scene.grid.rank[cell] > frame.step:
            return None
        return frame.part.trace if isinstance(frame.part.trace, CellTrace) else None

    def _candidates(self, cell: Cell | None) -> tuple[Cell, Sequence[Candidate]] | None:
        trace = None if self._open else self._known(cell)
        candidates = () if trace is None or cell is None else trace.candidates(*cell)
        return (cell, candidates) if cell is not None and candidates else None

    def tip_at(self, at: QPointF) -> str:
        return plain_tip(self.tip(self.cell_at(at)))

    def tip(self, cell: Cell | None) -> str:
        """Return the numbers from which a known cell was computed."""
        trace, grid = self._known(cell), None if self._scene is None else self._scene.grid
        if trace is None or cell is None or grid is None:
            return ""
        return f"{grid.name}[{cell[0]}, {cell[1]}]\n{trace.explain(*cell)}"

    # Painting

    def paint(self, painter: QPainter) -> None:
        if self._scene is None or self._frame is None or self._layout is None:
            return
        extras = Extras(frozenset(self.picked), self.picked_row, self.path, self.ended, self._hover, self.taken)
        drawing, room = QtDrawing(painter, self._theme, self._tiles), Box(0, 0, self.width(), self.height())
        at = Point(self._at.x(), self._at.y())
        draw_scene(drawing, self._layout, self._scene, self._frame.step, extras, at=at, room=room, asked=self._open)
        if self.current is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for ink, width in ((self._theme.base, 5), (self._theme.text, 2)):
                painter.setPen(QPen(ink, width))
                painter.drawRect(self.cell_box(*self.current))
        for bar in self.bars:
            painter.fillRect(bar, self._theme.control)
        if self.preset is not Preset.PROJECTOR:
            self.paint_focus(painter)

    @property
    def bars(self) -> list[QRectF]:
        """Bars at the lower and right edges that show which part of a larger scene is visible."""
        if self._layout is None:
            return []
        size, room, whole = self._layout.size, self._room(), QRectF(self.rect())
        seen = whole.translated(-self._at)
        across, down = whole.width() / max(1.0, size.wide), whole.height() / max(1.0, size.high)
        low = QRectF(seen.x() * across, whole.bottom() - BAR_PX, seen.width() * across, BAR_PX)
        right = QRectF(whole.right() - BAR_PX, seen.y() * down, BAR_PX, seen.height() * down)
        return [low] * (size.wide > room.wide) + [right] * (size.high > room.high)

    def describe(self) -> str:
        if self._scene is None:
            return ""
        if self._scene.grid is None:
            return "Scene of the lesson"
        rows, cols = self._scene.grid.values.shape
        left, top = len(self._scene.grid.left) or rows, len(self._scene.grid.top) or cols
        return f"Table of {count(left, 'row', 'rows')} and {count(top, 'column', 'columns')}"
