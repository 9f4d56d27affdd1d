"""Films as files: an animated PNG or GIF, or MP4 where ffmpeg is found; what made them is kept inside."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from PySide6.QtGui import QImage

from wavediff.core.base.errors import ExportError
from wavediff.core.export import registry
from wavediff.core.export.registry import Format
from wavediff.core.system import program

APNG, GIF, MP4 = registry.FILMS
FILMS = {each.id: each for each in registry.FILMS}
N_COLOURS = 128  # of the palette of all frames
MP4_FRAMES_PER_SECOND = 10
FFMPEG_SECONDS = 600


def films() -> tuple[Format, ...]:
    """Return the films that can be written here: MP4 where ffmpeg is found."""
    return tuple(kind for kind in FILMS.values() if kind is not MP4 or shutil.which("ffmpeg"))


class FilmFrame(NamedTuple):
    """A picture in ``QImage.Format_RGB888``, of even sides, and for how many milliseconds it is seen."""

    image: QImage
    milliseconds: int


def film_file(sample: Iterable[QImage], frames: Iterable[FilmFrame], kind: Format, told: Mapping[str, str]) -> bytes:
    """Return a film as a file's bytes; may run on any thread, as no widget is asked.

    Args:
        sample: pictures whose colours are the palette of all; may be painted when they are asked for.
        frames: all of one size, each asked for once. kind: one of ``FILMS``. told: kept inside, ``Title`` and more.

    Raises:
        ExportError: what writes such films is not there, or gave up.
    """
    return _mp4(frames, told) if kind is MP4 else _animated(sample, frames, kind, told)


def _raw(image: QImage) -> bytes:
    """Return red, green and blue of each pixel, rows without padding."""
    width, line = 3 * image.width(), image.bytesPerLine()
    raw = bytes(image.constBits())
    return raw if line == width else b"".join(raw[k * line : k * line + width] for k in range(image.height()))


def _animated(sample: Iterable[QImage], frames: Iterable[FilmFrame], kind: Format, told: Mapping[str, str]) -> bytes:
    """Keep frames in the colours of one palette: all of them as they were painted would not fit into memory."""
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
    pictures, durations = [], []
    for image, milliseconds in frames:
        pictures.append(taken(image).quantize(palette=palette, dither=Image.Dither.NONE))
        durations.append(milliseconds)
    out = io.BytesIO()
    shared = {"save_all": True, "append_images": pictures[1:], "duration": durations, "loop": 0}
    if kind is GIF:
        comment = "\n".join(f"{name}: {text}" for name, text in told.items())
        pictures[0].save(out, "GIF", comment=comment.encode(), disposal=1, **shared)
    else:
        texts = PngImagePlugin.PngInfo()
        for name, text in told.items():
            texts.add_itxt(name, text)
        pictures[0].save(out, "PNG", pnginfo=texts, **shared)
    return out.getvalue()


def _mp4(frames: Iterable[FilmFrame], told: Mapping[str, str]) -> bytes:
    """Hand each frame to ffmpeg as often as it is seen."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise ExportError("films as MP4 need ffmpeg, which was not found; an animated PNG or GIF needs nothing else")
    coming: Iterator[FilmFrame] = iter(frames)
    first = next(coming)
    # MP4 has a place for few names.
    comment = "\n".join(f"{name}: {text}" for name, text in told.items() if name != "Title")
    about = ["-metadata", f"title={told['Title']}", "-metadata", f"comment={comment}"]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        command = [
            program, "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{first.image.width()}x{first.image.height()}",
            "-r", str(MP4_FRAMES_PER_SECOND), "-i", "-", "-c:v", "libx264", "-preset", "veryfast",
            "-tune", "animation", "-pix_fmt", "yuv420p", "-movflags", "+faststart", *about, str(path),
        ]  # fmt: skip
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as made:
            assert made.stdin is not None
            assert made.stderr is not None
            try:
                _feed(made.stdin, first, coming)
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


def _feed(pipe: Any, first: FilmFrame, coming: Iterator[FilmFrame]) -> None:
    """Write frames so often that none is late by more than half of one, however short they are."""
    until = written = 0.0
    for image, milliseconds in chain([first], coming):
        until += milliseconds * MP4_FRAMES_PER_SECOND / 1000
        raw = _raw(image)
        while written + 0.5 <= until:
            pipe.write(raw)
            written += 1
