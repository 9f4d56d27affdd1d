"""Films of a lesson: every frame and its sentence, as an animated PNG or GIF, or as MP4 where ffmpeg is found."""

from __future__ import annotations

import io
import math
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.teach.lesson_pictures import MARGIN_PX, WRAPPED, paint_frame
from app.teach.scene_layout import Layout, extents, lay_out
from app.teach.scene_painter import ScenePainter, TileStore
from app.teach.scene_style import Preset, Style, sized
from app.ui.theme import Scheme, Theme
from core.errors import ExportError
from core.export.registry import Format
from core.system.version import VERSION
from core.teach.lesson import Lesson, Part
from core.teach.player import Frame, Player
from core.teach.unit import Unit
from core.translate import tr_noop

APNG = Format("apng", tr_noop("Film, an animated PNG"), (".png", ".apng"), "", "")
GIF = Format("gif", tr_noop("Film, an animated GIF"), (".gif",), "", "")
MP4 = Format("mp4", tr_noop("Film, MP4"), (".mp4",), "", "")
FILMS = {each.id: each for each in (APNG, GIF, MP4)}
STEP_MS, SCENE_MS, END_MS = 500, 2_500, 4_000  # that a step, the first one of a scene and the last one of all are seen
SCALES = (2.0, 1.75, 1.5, 1.25, 1.0)  # of the sizes of print
TEXT_PX, WORDS_PX = 26, 110  # of the sentence below; room for three lines of it
N_COLOURS = 128  # of the palette of all frames
MAX_FILM_FRAMES = 2_000
DEFAULT_SIZE = (1000, 900)  # pixels
MP4_FRAMES_PER_SECOND = 10
FFMPEG_SECONDS = 600


class Moment(NamedTuple):
    """A frame, its sentence, and for how many milliseconds it is seen."""

    frame: Frame
    sentence: str
    milliseconds: int


def moments(lesson: Lesson) -> list[Moment]:
    """Return the frames of a lesson in order; nothing is asked.

    Raises:
        ExportError: there are more than ``MAX_FILM_FRAMES``.
    """
    player = Player(lesson)
    if player.n_frames > MAX_FILM_FRAMES:
        raise ExportError(
            f"a film of {player.n_frames:,} frames is too long, up to {MAX_FILM_FRAMES:,} go; --unit row or column has "
            "fewer"
        )
    begins, found = set(player.marks), []
    for at in range(player.n_frames):
        player.seek(at)
        seen = END_MS if player.at_end else SCENE_MS if at in begins else STEP_MS
        found.append(Moment(player.frame, player.sentence, seen))
    return found


def film(lesson: Lesson, kind: Format, size: tuple[int, int]) -> bytes:
    """Return a film of a lesson as a file's bytes.

    Args:
        kind: one of ``FILMS``. size: pixels of a frame, at most; all have the same.

    Raises:
        ExportError: it is too long, or what writes films is not there.
    """
    seen = moments(lesson)
    stage = _stage(seen, size)
    options = () if size == DEFAULT_SIZE else ("--size", f"{size[0]}x{size[1]}")
    command = lesson.command(*options, f"--{kind.id}", f"{lesson.id}{kind.endings[0]}")
    told = {"Title": lesson.title, "Software": f"Wavediff {VERSION}", "Comment": command}
    return _mp4(seen, stage, told) if kind is MP4 else _animated(seen, stage, kind, told)


class _Stage(NamedTuple):
    """Sizes at which every frame has room, and where its parts stand: the same for all frames of a part and unit."""

    layouts: dict[tuple[Part, Unit], Layout]
    base: QColor
    wide: int
    high: int


def _stage(seen: list[Moment], size: tuple[int, int]) -> _Stage:
    """Return the largest of ``SCALES`` at which the parts of every frame fit, and no more height than they take."""
    wide, most_high = (each - each % 2 for each in size)  # MP4 halves the colours' rows and columns
    room = QSizeF(wide - 2 * MARGIN_PX, most_high - 3 * MARGIN_PX - WORDS_PX)
    steps: dict[tuple[Part, Unit], list[int]] = {}
    for one in seen:
        steps.setdefault((one.frame.part, one.frame.unit), []).append(one.frame.step)
    needed = {key: extents(key[0].trace.scene(key[1], k) for k in found) for key, found in steps.items()}
    theme = Theme(Scheme.LIGHT)
    for scale in SCALES:
        style = Style(theme, Preset.PAPER, scale)
        layouts = {key: lay_out(parts, room, style) for key, parts in needed.items()}
        takes = [one.size for one in layouts.values()]
        if all(one.width() <= room.width() and one.height() <= room.height() for one in takes):
            break
    high = math.ceil(min(room.height(), max(one.height() for one in takes)) + 3 * MARGIN_PX + WORDS_PX)
    return _Stage(layouts, theme.base, wide, high + high % 2)


def _images(seen: list[Moment], stage: _Stage) -> Iterator[QImage]:
    """Yield the pictures."""
    wide, high = stage.wide, stage.high
    tiles, area = TileStore(), QRectF(0, 0, wide, high)
    below = QRectF(MARGIN_PX, high - MARGIN_PX - WORDS_PX, wide - 2 * MARGIN_PX, WORDS_PX)
    for one in seen:
        image = QImage(wide, high, QImage.Format.Format_RGB888)
        painter = QPainter(image)
        painter.fillRect(area, stage.base)
        layout = stage.layouts[one.frame.part, one.frame.unit]
        at = QPointF((wide - layout.size.width()) / 2, MARGIN_PX)
        paint_frame(ScenePainter(painter, layout, at, area, tiles), one.frame)
        painter.setPen(layout.style.theme.text)
        painter.setFont(sized(TEXT_PX))
        painter.drawText(below, WRAPPED | Qt.AlignmentFlag.AlignHCenter, one.sentence)
        painter.end()
        yield image


def _raw(image: QImage) -> bytes:
    """Return red, green and blue of each pixel, rows without padding."""
    width, line = 3 * image.width(), image.bytesPerLine()
    raw = bytes(image.constBits())
    return raw if line == width else b"".join(raw[k * line : k * line + width] for k in range(image.height()))


def _animated(seen: list[Moment], stage: _Stage, kind: Format, told: dict[str, str]) -> bytes:
    """Paint all frames twice, for their palette and in its colours: all of them at once would not fit into memory."""
    try:
        from PIL import Image, PngImagePlugin
    except ImportError as error:
        raise ExportError(f"films as {kind.id.upper()} need Pillow: pip install 'wavediff[films]'") from error
    size = stage.wide, stage.high

    def painted() -> Iterator[Image.Image]:
        return (Image.frombytes("RGB", size, _raw(one)) for one in _images(seen, stage))

    counts: Counter[Any] = Counter()  # of red, green and blue
    for one in painted():
        counts.update({colour: n for n, colour in one.getcolors(one.width * one.height) or ()})
    # The most frequent colours of all frames: the flat ones stay as they are.
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for colour, _ in counts.most_common(N_COLOURS) for value in colour])
    frames = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in painted()]
    out, durations = io.BytesIO(), [one.milliseconds for one in seen]
    shared = {"save_all": True, "append_images": frames[1:], "duration": durations, "loop": 0}
    if kind is GIF:
        comment = "\n".join(f"{name}: {text}" for name, text in told.items())
        frames[0].save(out, "GIF", comment=comment.encode(), disposal=1, **shared)
    else:
        texts = PngImagePlugin.PngInfo()
        for name, text in told.items():
            texts.add_itxt(name, text)
        frames[0].save(out, "PNG", pnginfo=texts, **shared)
    return out.getvalue()


def _mp4(seen: list[Moment], stage: _Stage, told: dict[str, str]) -> bytes:
    """Hand each frame to ffmpeg as often as it is seen."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise ExportError("films as MP4 need ffmpeg on the path; --apng and --gif do without it")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        about = [word for name, text in told.items() for word in ("-metadata", f"{name.lower()}={text}")]
        command = [
            program, "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{stage.wide}x{stage.high}",
            "-r", str(MP4_FRAMES_PER_SECOND), "-i", "-", "-c:v", "libx264", "-preset", "veryfast",
            "-tune", "animation", "-pix_fmt", "yuv420p", "-movflags", "+faststart", *about, str(path),
        ]  # fmt: skip
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as made:
            assert made.stdin is not None
            assert made.stderr is not None
            try:
                for image, one in zip(_images(seen, stage), seen, strict=True):
                    raw = _raw(image)
                    for _ in range(round(one.milliseconds * MP4_FRAMES_PER_SECOND / 1000)):
                        made.stdin.write(raw)
                made.stdin.close()
            except BrokenPipeError:
                pass  # it ended early, and says why
            why = made.stderr.read().decode("utf-8", "replace").strip()
            code = made.wait(FFMPEG_SECONDS)
        if code or not path.exists():
            raise ExportError(f"ffmpeg ended with {code}: {why.splitlines()[-1] if why else 'no reason given'}")
        return path.read_bytes()
