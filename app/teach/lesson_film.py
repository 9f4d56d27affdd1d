"""Films of a lesson: every frame and its sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtGui import QImage, QPainter

from wavediff.app.draw.colours import Ink
from wavediff.app.draw.drawing import MIDDLE, Box, Font, Point, Size
from wavediff.app.draw.painter import QtDrawing, Tiles, measured
from wavediff.app.draw.paragraph import draw_paragraph
from wavediff.app.draw.scene_layout import Layout, extents, lay_out
from wavediff.app.draw.scene_style import Preset
from wavediff.app.teach.lesson_pictures import MARGIN_PX, draw_frame, lesson_paper, lesson_recipe
from wavediff.app.ui.picture_sheet import Pictured
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.base.errors import ExportError
from wavediff.core.teach.lesson import Lesson, Part
from wavediff.core.teach.optimal_paths import Cell
from wavediff.core.teach.player import Frame, Player
from wavediff.core.teach.unit import Unit

STEP_MS, SCENE_MS, END_MS = 500, 2_500, 4_000  # that a step, the first one of a scene and the last one of all are seen
SCALES = (2.0, 1.75, 1.5, 1.25, 1.0)  # of the sizes of print
TEXT_PX, WORDS_PX = 26, 110  # of the sentence below; room for three lines of it
MAX_FILM_FRAMES = 2_000
DEFAULT_SIZE = (1000, 900)  # pixels


class Moment(NamedTuple):
    """A frame, its sentence, and for how many milliseconds it is seen."""

    frame: Frame
    sentence: str
    milliseconds: int


def moments(lesson: Lesson, unit: Unit | None = None) -> list[Moment]:
    """Return the frames of a lesson in order, or all steps of one unit of its part; nothing is asked.

    Raises:
        ExportError: there are more than ``MAX_FILM_FRAMES``.
    """
    player = Player(lesson)
    if unit is not None:
        player.choose_unit(unit)
    if player.n_frames > MAX_FILM_FRAMES:
        raise ExportError(
            f"a film of {player.n_frames:,} frames is too long, up to {MAX_FILM_FRAMES:,} go; --unit row or column has "
            "fewer"
        )
    begins, moments = set(player.marks), []
    for at in range(player.n_frames):
        player.seek(at)
        seen = END_MS if player.at_end else SCENE_MS if at in begins else STEP_MS
        moments.append(Moment(player.frame, player.sentence, seen))
    return moments


def filmed(lesson: Lesson, size: tuple[int, int] = DEFAULT_SIZE) -> Pictured:
    """Return the film of a lesson; ``size``: pixels of a frame, at most.

    Raises:
        ExportError: it is too long.
    """
    made = LessonFilm(lesson, size)
    return Pictured(lesson_paper(lesson, made.first), lesson_recipe(lesson), frames=made)


class LessonFilm:
    """Frames of a lesson with their sentences; see ``wavediff.app.ui.picture_sheet.Frames``.

    Args:
        unit: all of whose steps are seen; None: the lesson's own scenes.
        path: of its cells, which is shown at the end. exact: a frame is as large as ``size``, and not at most.
    """

    def __init__(
        self,
        lesson: Lesson,
        size: tuple[int, int] = DEFAULT_SIZE,
        *,
        unit: Unit | None = None,
        path: Sequence[Cell] = (),
        exact: bool = False,
    ) -> None:
        self._path, self._seen = path, moments(lesson, unit)
        self._stage, self._tiles = _stage(self._seen, size, exact=exact), Tiles()
        self.milliseconds = tuple(moment.milliseconds for moment in self._seen)

    @property
    def first(self) -> Frame:
        return self._seen[0].frame

    def image(self, step: int) -> QImage:
        moment, stage = self._seen[step], self._stage
        wide, high = stage.wide, stage.high
        image = QImage(wide, high, QImage.Format.Format_RGB888)
        painter = QPainter(image)
        drawing = QtDrawing(painter, stage.theme, self._tiles)
        drawing.rect(Box(0, 0, wide, high), Ink.BASE)
        layout = stage.layouts[moment.frame.part, moment.frame.unit]
        at = Point((wide - layout.size.wide) / 2, MARGIN_PX)
        draw_frame(drawing, layout, at, moment.frame, self._path)
        below = Box(MARGIN_PX, high - MARGIN_PX - WORDS_PX, wide - 2 * MARGIN_PX, WORDS_PX)
        draw_paragraph(drawing, below, moment.sentence, Font(TEXT_PX), layout.style, MIDDLE)
        painter.end()
        return image


class _Stage(NamedTuple):
    """Sizes at which every frame has room, and where its parts stand: the same for all frames of a part and unit."""

    layouts: dict[tuple[Part, Unit], Layout]
    theme: Theme
    wide: int
    high: int


def _stage(seen: list[Moment], size: tuple[int, int], *, exact: bool = False) -> _Stage:
    """Return the largest of ``SCALES`` at which the parts of every frame fit, and no more height than they take."""
    wide, most_high = (each - each % 2 for each in size)  # MP4 halves the colours' rows and columns
    room = Size(wide - 2 * MARGIN_PX, most_high - 3 * MARGIN_PX - WORDS_PX)
    steps: dict[tuple[Part, Unit], list[int]] = {}
    for moment in seen:
        steps.setdefault((moment.frame.part, moment.frame.unit), []).append(moment.frame.step)
    needed = {
        key: extents((key[0].trace.scene(key[1], k) for k in those), measured(Preset.PAPER))
        for key, those in steps.items()
    }
    for scale in SCALES:
        style = measured(Preset.PAPER, scale)
        layouts = {key: lay_out(parts, room, style) for key, parts in needed.items()}
        takes = [layout.size for layout in layouts.values()]
        if all(take.fits(room) for take in takes):
            break
    high = math.ceil(min(room.high, max(take.high for take in takes)) + 3 * MARGIN_PX + WORDS_PX)
    return _Stage(layouts, Theme(Scheme.LIGHT), wide, most_high if exact else high + high % 2)
