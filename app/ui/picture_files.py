"""Pictures as files: PNG, SVG with text as text, PDF; what made them is kept inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape, unescape

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from wavediff.app.draw.picture_ratio import LINES_RATIO, in_picture
from wavediff.core.base.errors import ExportError
from wavediff.core.export import registry
from wavediff.core.export.recipe import KEY, Recipe
from wavediff.core.export.registry import Format
from wavediff.core.system.version import VERSION

PNG, SVG, PDF = registry.PICTURES
PICTURES = {each.id: each for each in registry.PICTURES}
SCREEN_DPI, POINTS_AN_INCH, INCH_MM = 96, 72, 25.4
FAMILY = re.compile(rb'font-family="([^"]*)"')
MAX_PICTURE_PIXELS = 100_000_000  # 400 MB while it is painted
BAND_PIXELS = 4_000_000  # that are painted at a stretch
Paint = Callable[[QPainter, bool], None]  # on a painter; whether that one paints pixels
Watch = Callable[[float], object]  # called with the share that is painted, 0 to 1; raises ``Cancelled`` to end


def unwatched(_share: float) -> None:
    """Ignore the share that is painted."""


def told_of(title: str, description: str, recipe: Recipe | None, *options: str) -> dict[str, str]:
    """Return what is kept inside a picture or a film, the same in each format.

    Args:
        options: of the command line that makes it again, besides those of the recipe.
    """
    command = {} if recipe is None else {KEY: recipe.command(*options)}
    return {"Title": title, "Software": f"Wavediff {VERSION}", **command, "Description": description}


def picture_file(
    paint: Paint, kind: Format, size: QSize, dpi: int, told: Mapping[str, str], watch: Watch = unwatched
) -> bytes:
    """Return a picture as a file's bytes; on any thread, if ``paint`` asks no widget.

    Args:
        kind: one of ``PICTURES``. size: logical pixels, of which 96 are an inch. dpi: of a PNG.
        told: kept inside, by name: ``Title`` and more. watch: see ``Watch``.

    Raises:
        ExportError: it would have more than ``MAX_PICTURE_PIXELS``.
    """
    if kind is PNG:
        made = image(paint, size, dpi, told, watch)
        watch(1.0)
        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        made.save(buffer, "PNG")  # type: ignore[call-overload]
        return bytes(buffer.data().data())
    return _svg(paint, size, told) if kind is SVG else _pdf(paint, size, told)


def pixels_of(size: QSize, dpi: int) -> tuple[int, int]:
    """Return the pixels of a picture across and down.

    Raises:
        ExportError: they are more than ``MAX_PICTURE_PIXELS``.
    """
    wide, high = (round(each * dpi / SCREEN_DPI) for each in size.toTuple())
    if wide * high > MAX_PICTURE_PIXELS:
        raise ExportError(f"a picture of {wide:,} × {high:,} pixels is too large; {MAX_PICTURE_PIXELS:,} in all fit")
    return wide, high


def image(paint: Paint, size: QSize, dpi: int, told: Mapping[str, str], watch: Watch = unwatched) -> QImage:
    """Return a picture of pixels; see ``picture_file``.

    It is painted in bands: a call of Qt that fills a large picture would keep the thread of the window from Python.
    """
    ratio, (wide, high) = dpi / SCREEN_DPI, pixels_of(size, dpi)
    pixels = np.empty((high, wide), np.uint32)
    step = max(1, BAND_PIXELS // wide)
    for top in range(0, high, step):
        watch(top / high)
        band = pixels[top : top + step]
        band[:] = 0xFFFFFFFF  # seen in the last row or column, where sizes are rounded
        part = QImage(band.data, wide, len(band), 4 * wide, QImage.Format.Format_RGB32)
        part.setDevicePixelRatio(ratio)
        painter = QPainter(part)
        painter.translate(0, -top / ratio)
        with in_picture(ratio):
            paint(painter, True)
        painter.end()
    made = QImage(pixels.data, wide, high, 4 * wide, QImage.Format.Format_RGB32).copy()
    made.setDevicePixelRatio(ratio)
    made.setDotsPerMeterX(round(dpi / INCH_MM * 1000))
    made.setDotsPerMeterY(round(dpi / INCH_MM * 1000))
    for name, text in told.items():
        made.setText(name, text)
    return made


def _svg(paint: Paint, size: QSize, told: Mapping[str, str]) -> bytes:
    from PySide6.QtSvg import QSvgGenerator

    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    made = QSvgGenerator()
    made.setOutputDevice(buffer)
    made.setResolution(SCREEN_DPI)
    made.setSize(size)
    made.setViewBox(QRectF(0, 0, size.width(), size.height()))
    made.setTitle(told["Title"])
    made.setDescription("\n".join(f"{name}: {text}" for name, text in told.items() if name != "Title"))
    painter = QPainter(made)
    with in_picture(LINES_RATIO):
        paint(painter, False)
    painter.end()
    return FAMILY.sub(_fallback, bytes(buffer.data().data()))


def _fallback(match: re.Match[bytes]) -> bytes:
    """Return the font of a text and, for where that is not there, one of its kind: Qt names it alone."""
    info = QFontInfo(QFont(unescape(match.group(1).decode())))
    fixed = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)).family()
    generic = "monospace" if info.fixedPitch() or info.family() == fixed else "sans-serif"
    return f'font-family="{escape(info.family())}, {generic}"'.encode()


def _pdf(paint: Paint, size: QSize, told: Mapping[str, str]) -> bytes:
    def draw(_made: QPdfWriter, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)  # else cells are blurred
        with in_picture(LINES_RATIO):
            paint(painter, False)

    points, exact = QSizeF(size) * POINTS_AN_INCH / SCREEN_DPI, QPageSize.SizeMatchPolicy.ExactMatch
    page = QPageSize(points, QPageSize.Unit.Point, "", exact)
    return pdf_file(told, QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()), draw)


def pdf_file(told: Mapping[str, str], layout: QPageLayout, draw: Callable[[QPdfWriter, QPainter], object]) -> bytes:
    """Return a PDF as a file's bytes, 96 dots an inch.

    Args:
        told: kept inside, by name: ``Title`` and more. draw: paints its pages.
    """
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    made = QPdfWriter(buffer)
    made.setPageLayout(layout)
    made.setResolution(SCREEN_DPI)
    made.setTitle(told["Title"])
    made.setCreator(told["Software"])
    made.setDocumentXmpMetadata(QByteArray(_xmp(told).encode()))
    painter = QPainter(made)
    draw(made, painter)
    painter.end()
    return bytes(buffer.data().data())


def _xmp(told: Mapping[str, str]) -> str:
    text = escape("\n".join(f"{name}: {value}" for name, value in told.items() if name != "Title"))
    listed = "<rdf:Alt><rdf:li xml:lang='x-default'>{}</rdf:li></rdf:Alt>"
    return (
        "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>"
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
        "<rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        f"<dc:title>{listed.format(escape(told['Title']))}</dc:title>"
        f"<dc:description>{listed.format(text)}</dc:description>"
        "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='r'?>"
    )
