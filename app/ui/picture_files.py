"""Encoding of pictures and films with the command line that reproduces them."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape, unescape
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from wavediff.app.draw.recording import LINES_RATIO, in_picture
from wavediff.core.base.errors import ExportError
from wavediff.core.export import registry
from wavediff.core.export.recipe import KEY, Recipe
from wavediff.core.export.registry import Format
from wavediff.core.system import program
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
    """No-op progress callback."""


def told_of(title: str, recipe: Recipe | None, *options: str, keeps_paths: bool = False) -> dict[str, str]:
    """Return the metadata of a picture or film, the same in all formats.

    Args:
        options: of the command line that recreates it, in addition to the recipe's. keeps_paths: with full paths.
    """
    command = {} if recipe is None else {KEY: recipe.command(*options, keeps_paths=keeps_paths)}
    view = "" if recipe is None else recipe.view
    return {"Title": title, "Software": f"Wavediff {VERSION}", **command, "Description": view}


def picture_file(
    paint: Paint, kind: Format, size: QSize, dpi: int, metadata: Mapping[str, str], watch: Watch = unwatched
) -> bytes:
    """Encode a picture; thread-safe if ``paint`` uses no widget.

    Args:
        kind: one of ``PICTURES``. size: logical pixels, 96 per inch. dpi: of a PNG.
        metadata: by name, ``Title`` and more. watch: see ``Watch``.

    Raises:
        ExportError: more pixels than ``MAX_PICTURE_PIXELS``.
    """
    if kind is PNG:
        made = image(paint, size, dpi, metadata, watch)
        watch(1.0)
        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        made.save(buffer, "PNG")  # type: ignore[call-overload]
        return bytes(buffer.data().data())
    return _svg(paint, size, metadata) if kind is SVG else _pdf(paint, size, metadata)


def pixels_of(size: QSize, dpi: int) -> tuple[int, int]:
    """Return width and height in pixels; ExportError: more than ``MAX_PICTURE_PIXELS``."""
    wide, high = (round(each * dpi / SCREEN_DPI) for each in size.toTuple())
    if wide * high > MAX_PICTURE_PIXELS:
        raise ExportError(
            f"a picture of {wide:,} × {high:,} pixels is too large; the maximum is {MAX_PICTURE_PIXELS:,}"
        )
    return wide, high


def image(paint: Paint, size: QSize, dpi: int, metadata: Mapping[str, str], watch: Watch = unwatched) -> QImage:
    """Render a picture to pixels; see ``picture_file``.

    It is painted in bands: one Qt call for a large picture would block the window's thread.
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
    for name, text in metadata.items():
        made.setText(name, text)
    return made


def _svg(paint: Paint, size: QSize, metadata: Mapping[str, str]) -> bytes:
    from PySide6.QtSvg import QSvgGenerator

    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    made = QSvgGenerator()
    made.setOutputDevice(buffer)
    made.setResolution(SCREEN_DPI)
    made.setSize(size)
    made.setViewBox(QRectF(0, 0, size.width(), size.height()))
    made.setTitle(metadata["Title"])
    made.setDescription("\n".join(f"{name}: {text}" for name, text in metadata.items() if name != "Title"))
    painter = QPainter(made)
    with in_picture(LINES_RATIO):
        paint(painter, False)
    painter.end()
    return FAMILY.sub(_fallback, bytes(buffer.data().data()))


def _fallback(match: re.Match[bytes]) -> bytes:
    """Add a generic fallback to a font family; Qt writes only the name."""
    info = QFontInfo(QFont(unescape(match.group(1).decode())))
    fixed = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)).family()
    generic = "monospace" if info.fixedPitch() or info.family() == fixed else "sans-serif"
    return f'font-family="{escape(info.family())}, {generic}"'.encode()


def _pdf(paint: Paint, size: QSize, metadata: Mapping[str, str]) -> bytes:
    def draw(_made: QPdfWriter, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)  # else cells are blurred
        with in_picture(LINES_RATIO):
            paint(painter, False)

    points, exact = QSizeF(size) * POINTS_AN_INCH / SCREEN_DPI, QPageSize.SizeMatchPolicy.ExactMatch
    page = QPageSize(points, QPageSize.Unit.Point, "", exact)
    return pdf_file(metadata, QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()), draw)


def pdf_file(metadata: Mapping[str, str], layout: QPageLayout, draw: Callable[[QPdfWriter, QPainter], object]) -> bytes:
    """Encode a PDF at 96 dpi.

    Args:
        metadata: by name, ``Title`` and more. draw: paints its pages.
    """
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    made = QPdfWriter(buffer)
    made.setPageLayout(layout)
    made.setResolution(SCREEN_DPI)
    made.setTitle(metadata["Title"])
    made.setCreator(metadata["Software"])
    made.setDocumentXmpMetadata(QByteArray(_xmp(metadata).encode()))
    painter = QPainter(made)
    draw(made, painter)
    painter.end()
    return bytes(buffer.data().data())


def _xmp(metadata: Mapping[str, str]) -> str:
    text = escape("\n".join(f"{name}: {value}" for name, value in metadata.items() if name != "Title"))
    listed = "<rdf:Alt><rdf:li xml:lang='x-default'>{}</rdf:li></rdf:Alt>"
    return (
        "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>"
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
        "<rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        f"<dc:title>{listed.format(escape(metadata['Title']))}</dc:title>"
        f"<dc:description>{listed.format(text)}</dc:description>"
        "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='r'?>"
    )


APNG, GIF, MP4 = registry.FILMS
FILMS = {each.id: each for each in registry.FILMS}
N_COLOURS = 128  # of the palette of all frames
N_SAMPLES = 24  # frames whose colours are the palette: some are in a few of them only
MP4_FRAMES_PER_SECOND = 10
FFMPEG_SECONDS = 600


def films() -> tuple[Format, ...]:
    """Return the available film formats: MP4 if ffmpeg is found."""
    return tuple(kind for kind in FILMS.values() if kind is not MP4 or shutil.which("ffmpeg"))


def film_file(
    image: Callable[[int], QImage],
    times: Sequence[int],
    kind: Format,
    metadata: Mapping[str, str],
    watch: Watch = unwatched,
) -> bytes:
    """Encode a film; on any thread that ``image`` supports.

    Args:
        image: paints a frame, in ``QImage.Format_RGB888``; all of one size with even sides.
        times: milliseconds of each frame.
        kind: one of ``FILMS``. metadata: by name, ``Title`` and more. watch: see ``Watch``.

    Raises:
        ExportError: the encoder is missing or failed.
    """

    def frames() -> Iterator[QImage]:
        for k in range(len(times)):
            watch(k / len(times))
            yield image(k)

    if kind is MP4:
        return _mp4(frames(), times, metadata)
    samples = sorted({round(k * (len(times) - 1) / (N_SAMPLES - 1)) for k in range(N_SAMPLES)})
    return _animated(map(image, samples), frames(), times, kind, metadata)


def _raw(image: QImage) -> bytes:
    width, line = 3 * image.width(), image.bytesPerLine()
    raw = bytes(image.constBits())
    return raw if line == width else b"".join(raw[k * line : k * line + width] for k in range(image.height()))


def _animated(
    sample: Iterable[QImage], frames: Iterable[QImage], times: Sequence[int], kind: Format, metadata: Mapping[str, str]
) -> bytes:
    """Encode frames with one palette, so that all fit into memory."""
    try:
        from PIL import Image, PngImagePlugin
    except ImportError as error:
        raise ExportError(f"films as {kind.id.upper()} need Pillow; {program.lacks('pillow')}") from error

    def taken(image: QImage) -> Image.Image:
        return Image.frombytes("RGB", (image.width(), image.height()), _raw(image))

    counts: Counter[Any] = Counter()  # of red, green and blue
    for frame in map(taken, sample):
        counts.update({colour: n for n, colour in frame.getcolors(frame.width * frame.height) or ()})
    # The most frequent colours: the flat ones stay as they are.
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for colour, _ in counts.most_common(N_COLOURS) for value in colour])
    pictures = [taken(image).quantize(palette=palette, dither=Image.Dither.NONE) for image in frames]
    out = io.BytesIO()
    shared = {"save_all": True, "append_images": pictures[1:], "duration": [*times], "loop": 0}
    if kind is GIF:
        comment = "\n".join(f"{name}: {text}" for name, text in metadata.items())
        pictures[0].save(out, "GIF", comment=comment.encode(), disposal=1, **shared)
    else:
        texts = PngImagePlugin.PngInfo()
        for name, text in metadata.items():
            texts.add_itxt(name, text)
        pictures[0].save(out, "PNG", pnginfo=texts, **shared)
    return out.getvalue()


def _mp4(frames: Iterator[QImage], times: Sequence[int], metadata: Mapping[str, str]) -> bytes:
    """Encode frames by ffmpeg, repeated for their duration."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise ExportError("films as MP4 need ffmpeg, which was not found; an animated PNG or GIF needs only Pillow")
    first = next(frames)
    # MP4 has a place for few names.
    comment = "\n".join(f"{name}: {text}" for name, text in metadata.items() if name != "Title")
    about = ["-metadata", f"title={metadata['Title']}", "-metadata", f"comment={comment}"]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        command = [
            program, "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{first.width()}x{first.height()}",
            "-r", str(MP4_FRAMES_PER_SECOND), "-i", "-", "-c:v", "libx264", "-preset", "veryfast",
            "-tune", "animation", "-pix_fmt", "yuv420p", "-movflags", "+faststart", *about, str(path),
        ]  # fmt: skip
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as made:
            assert made.stdin is not None
            assert made.stderr is not None
            try:
                _feed(made.stdin, chain([first], frames), times)
                made.stdin.close()
            except BrokenPipeError:
                pass  # it ended early, and says why
            except BaseException:
                made.kill()
                raise
            why = made.stderr.read().decode("utf-8", "replace").strip()
            code = made.wait(FFMPEG_SECONDS)
        if code or not path.exists():
            raise ExportError(f"ffmpeg ended with {code}: {why.splitlines()[-1] if why else 'no reason given'}")
        return path.read_bytes()


def _feed(pipe: Any, frames: Iterable[QImage], times: Sequence[int]) -> None:
    """Write frames at a rate that displaces none by more than half its duration."""
    until = written = 0.0
    for image, milliseconds in zip(frames, times, strict=True):
        until += milliseconds * MP4_FRAMES_PER_SECOND / 1000
        raw = _raw(image)
        while written + 0.5 <= until:
            pipe.write(raw)
            written += 1
