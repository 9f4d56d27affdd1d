"""A recording: shapes, texts, images and calls in the order in which a painter received them.

A widget is recorded on the thread of the window, which takes a few milliseconds; the recording is then painted into
pixels, an SVG or a PDF on any thread. What takes long to paint, and does not ask a widget for it, is recorded as a call
(``later``) and runs when the recording is painted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QImage,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainter,
    QPainterPath,
    QPen,
    QTextItem,
    QTransform,
)

DPI, POINTS_AN_INCH, INCH_MM = 96, 72, 25.4
Step = Callable[[QPainter, QTransform], object]
_Flag, _Metric, _Mode = QPaintEngine.DirtyFlag, QPaintDevice.PaintDeviceMetric, QPaintEngine.PolygonDrawMode
_TRANSFORM = _Flag.DirtyTransform.value
_PEN = _Flag.DirtyPen.value
_BRUSH = _Flag.DirtyBrush.value
_BRUSHORIGIN = _Flag.DirtyBrushOrigin.value
_OPACITY = _Flag.DirtyOpacity.value
_COMPOSITIONMODE = _Flag.DirtyCompositionMode.value
_HINTS = _Flag.DirtyHints.value
_RENDER_HINTS = (
    QPainter.RenderHint.Antialiasing,
    QPainter.RenderHint.TextAntialiasing,
    QPainter.RenderHint.SmoothPixmapTransform,
)


class Recording:
    """Steps that paint what was recorded; each begins with the painter as the step before left it.

    Attributes:
        size: logical pixels, of which 96 are an inch.
    """

    def __init__(self, size: QSize) -> None:
        self.size = size
        self.steps: list[Step] = []

    def paint(self, painter: QPainter) -> None:
        """Paint it, scaled and placed as ``painter`` is; on any thread."""
        base = painter.transform()
        painter.save()
        for step in self.steps:
            step(painter, base)
        painter.restore()


def recorded(paint: Callable[[QPainter], object], size: QSize) -> Recording:
    """Return what ``paint`` paints on a surface of ``size``; on the thread of the window where it asks widgets."""
    recording = Recording(size)
    device = _Recorder(recording)
    painter = QPainter(device)
    try:
        paint(painter)
    finally:
        painter.end()
    return recording


def later(painter: QPainter, call: Callable[[QPainter], object]) -> None:
    """Let ``call`` paint on ``painter``: now or, where it is recorded, when the recording is painted, on any thread.

    The state of the painter is as before afterwards.
    """
    engine = painter.paintEngine()
    if not isinstance(engine, _Engine):
        painter.save()
        call(painter)
        painter.restore()
        return
    transform = engine.flushed(painter)

    def step(on: QPainter, base: QTransform) -> None:
        on.save()
        on.setTransform(transform * base)
        call(on)
        on.restore()

    engine.recording.steps.append(step)


class _Recorder(QPaintDevice):
    """Surface of a recording, 96 dots an inch."""

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        wide, high = recording.size.toTuple()
        self._engine = _Engine(recording)
        self._metrics = {
            _Metric.PdmWidth: wide,
            _Metric.PdmHeight: high,
            _Metric.PdmWidthMM: round(wide / DPI * INCH_MM),
            _Metric.PdmHeightMM: round(high / DPI * INCH_MM),
            _Metric.PdmDpiX: DPI,
            _Metric.PdmDpiY: DPI,
            _Metric.PdmPhysicalDpiX: DPI,
            _Metric.PdmPhysicalDpiY: DPI,
            _Metric.PdmDepth: 32,
            _Metric.PdmNumColors: 2**31 - 1,
            _Metric.PdmDevicePixelRatio: 1,
            _Metric.PdmDevicePixelRatioScaled: int(self.devicePixelRatioFScale()),
        }

    def paintEngine(self) -> QPaintEngine:
        return self._engine

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        return self._metrics.get(metric, 0)


class _Engine(QPaintEngine):
    """Adds to a recording what it is asked to paint."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.recording = recording
        self._clip: tuple[QPainterPath | None, QRect | None] = (None, None)
        self._transform = QTransform()  # with the place of the widget that is painted
        self._deaf = False

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def flushed(self, painter: QPainter) -> QTransform:
        """Record the present state of ``painter``, which comes with the next shape only; return its transform."""
        self._deaf = True
        painter.drawPoint(0, 0)
        self._deaf = False
        return self._transform

    def _shape(self, paint: Callable[[QPainter], object]) -> None:
        if not self._deaf:
            self._add(paint)

    def _add(self, paint: Callable[[QPainter], object]) -> None:
        self.recording.steps.append(lambda on, _base: paint(on))

    def updateState(self, state: QPaintEngineState) -> None:
        dirty = state.state().value  # as a number: ten times as fast
        if dirty & _TRANSFORM:
            self._transform = transform = QTransform(state.transform())
            self.recording.steps.append(lambda on, base: on.setTransform(transform * base))
        if dirty & _PEN:
            pen = QPen(state.pen())
            self._add(lambda on: on.setPen(pen))
        if dirty & _BRUSH:
            brush = QBrush(state.brush())
            self._add(lambda on: on.setBrush(brush))
        if dirty & _BRUSHORIGIN:
            origin = QPointF(state.brushOrigin())
            self._add(lambda on: on.setBrushOrigin(origin))
        if dirty & _OPACITY:
            opacity = state.opacity()
            self._add(lambda on: on.setOpacity(opacity))
        if dirty & _COMPOSITIONMODE:
            mode = state.compositionMode()
            self._add(lambda on: on.setCompositionMode(mode))
        if dirty & _HINTS:
            hints = state.renderHints().value
            for one in _RENDER_HINTS:
                self._add(lambda on, hint=one: on.setRenderHint(hint, bool(hints & hint.value)))  # type: ignore[misc]
        self._sync(state.painter())

    def _sync(self, painter: QPainter) -> None:
        """Record the clip, where it is another one: that of the painter and that of the widget which is painted."""
        region = self.systemClip()
        box = None if region.isEmpty() else region.boundingRect()
        path = self._transform.map(painter.clipPath()) if painter.hasClipping() else None
        if (path, box) == self._clip:
            return
        self._clip = path, box

        def step(on: QPainter, base: QTransform) -> None:
            kept = on.transform()
            on.setTransform(base)
            on.setClipping(False)
            if box is not None:
                on.setClipRect(box)
            if path is not None:
                both = Qt.ClipOperation.ReplaceClip if box is None else Qt.ClipOperation.IntersectClip
                on.setClipPath(path, both)
            on.setTransform(kept)

        self.recording.steps.append(step)

    def drawPath(self, path: QPainterPath) -> None:
        kept = QPainterPath(path)
        self._shape(lambda on: on.drawPath(kept))

    def drawRects(self, rects: Iterable[Any]) -> None:
        kept = [QRectF(one) for one in rects]
        self._shape(lambda on: on.drawRects(kept))

    def drawLines(self, lines: Iterable[Any]) -> None:
        kept = [QLineF(one) for one in lines]
        self._shape(lambda on: on.drawLines(kept))

    def drawPoints(self, points: Iterable[Any]) -> None:
        kept = [QPointF(one) for one in points]
        self._shape(lambda on: on.drawPoints(kept))

    def drawPolygon(self, points: Iterable[Any], mode: QPaintEngine.PolygonDrawMode) -> None:
        kept = [QPointF(one) for one in points]
        if mode is _Mode.PolylineMode:
            self._shape(lambda on: on.drawPolyline(kept))
        else:
            rule = Qt.FillRule.WindingFill if mode is _Mode.WindingMode else Qt.FillRule.OddEvenFill
            self._shape(lambda on: on.drawPolygon(kept, rule))

    def drawEllipse(self, box: Any) -> None:
        kept = QRectF(box)
        self._shape(lambda on: on.drawEllipse(kept))

    def drawImage(self, box: Any, image: QImage, source: Any, *_: Any) -> None:
        into, kept, part = QRectF(box), image.copy(), QRectF(source)  # its memory may be an array of the view
        self._shape(lambda on: on.drawImage(into, kept, part))

    def drawPixmap(self, box: Any, pixmap: Any, source: Any) -> None:
        self.drawImage(box, pixmap.toImage(), source)

    def drawTiledPixmap(self, box: Any, pixmap: Any, origin: Any) -> None:
        into, brush = QRectF(box), QBrush(pixmap.toImage())
        brush.setTransform(QTransform.fromTranslate(into.x() - origin.x(), into.y() - origin.y()))
        self._shape(lambda on: on.fillRect(into, brush))

    def drawTextItem(self, at: Any, item: QTextItem) -> None:
        place, font, text = QPointF(at), _in_pixels(item.font()), item.text()

        def paint(on: QPainter) -> None:
            if on.font() != font:  # each time that one is set is a group of its own in an SVG
                on.setFont(font)
            on.drawText(place, text)

        self._shape(paint)


def _in_pixels(font: QFont) -> QFont:
    """Return the font as large on a surface of any resolution."""
    found = QFont(font)
    if font.pixelSize() < 0:
        found.setPixelSize(max(1, round(font.pointSizeF() * DPI / POINTS_AN_INCH)))
    return found
