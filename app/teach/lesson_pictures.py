"""Pictures and films of lessons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from PySide6.QtCore import QMarginsF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from wavediff.app.draw.drawing import LEFT, MIDDLE, RIGHT, Box, Drawing, Font, Ink, Pen, Point, Size
from wavediff.app.draw.painter import QtDrawing, Tiles, measured
from wavediff.app.draw.scene import Extras, draw_scene
from wavediff.app.draw.scene_layout import Layout, extents, lay_out, unit_extents
from wavediff.app.draw.scene_style import LINE_EMS, Preset, Style, draw_paragraph, paragraph_height
from wavediff.app.ui.picture_files import pdf_file, told_of
from wavediff.app.ui.picture_sheet import Pictured, even
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.base.numbers import number
from wavediff.core.export.recipe import Recipe, file_input
from wavediff.core.teach.exercises import Exercise
from wavediff.core.teach.film import Moment, moments, subtitles
from wavediff.core.teach.lesson import Lesson, Part, without_folder
from wavediff.core.teach.player import Frame
from wavediff.core.teach.questions import Cell
from wavediff.core.teach.unit import Unit

DEFAULT_SIZE = (1200, 800)  # logical pixels
MARGIN_PX = 12
TITLE, WORDS, LEAST_WIDTH_PX = Font(17, bold=True), Font(15), 420  # of a picture
PAGE_MARGIN_PX, PAGE_TEXT_PX = 56, 16  # of a hand-out, at 96 dpi
GRIDS = {1: (1, 1), 2: (2, 1), 4: (2, 2)}  # columns and rows of a page
PANEL_SCALES = (1.0, 0.8, 0.6, 0.45)  # of the sizes of print, as far as they fit
ANSWER_LINES, ANSWER_LINE_PX = 3, 30


class ScenePaper:
    """Page with a frame of a lesson, title and sentence; as large as needed, at most ``size`` (logical pixels).

    Args:
        path: cells of a path, last cell first, drawn in the last frame. exact: use the whole ``size``.
    """

    def __init__(
        self,
        frame: Frame,
        heading: str,
        sentence: str,
        size: tuple[int, int],
        path: Sequence[Cell] = (),
        *,
        exact: bool = False,
    ) -> None:
        self._asked = QSize(*size) if exact else None
        self.heading = heading
        self._frame, self._sentence, self._path = frame, sentence, path
        self._style = style = measured(Preset.PAPER)
        wide = size[0] - 2 * MARGIN_PX
        self._head = paragraph_height(heading, TITLE, wide, style)
        foot = paragraph_height(sentence, WORDS, wide, style)
        room = Size(wide, size[1] - 4 * MARGIN_PX - self._head - foot)
        self._layout = scene_layout(frame, room, style)
        self._width = min(wide, max(LEAST_WIDTH_PX, self._layout.size.wide))
        self._foot = paragraph_height(sentence, WORDS, self._width, style)

    def size(self) -> QSize:
        if self._asked is not None:
            return self._asked
        high = self._head + self._layout.size.high + self._foot + 4 * MARGIN_PX
        return QSizeF(self._width + 2 * MARGIN_PX, high).toSize()

    def paint(self, painter: QPainter, pixels: bool) -> None:
        """Paint the page (thread-safe); ``pixels``: allow single-pixel cells."""
        self.draw(QtDrawing(painter, Theme(Scheme.LIGHT), Tiles() if pixels else None))

    def draw(self, drawing: Drawing) -> None:
        whole, top = self.size(), self._head + 2 * MARGIN_PX
        drawing.rect(Box(0, 0, whole.width(), whole.height()), Ink.BASE)
        draw_paragraph(drawing, Box(MARGIN_PX, MARGIN_PX, self._width, self._head), self.heading, TITLE, self._style)
        draw_frame(drawing, self._layout, Point(MARGIN_PX, top), self._frame, self._path)
        below = Box(MARGIN_PX, top + self._layout.size.high + MARGIN_PX, self._width, self._foot)
        draw_paragraph(drawing, below, self._sentence, WORDS, self._style)


def lesson_paper(lesson: Lesson, frame: Frame, size: tuple[int, int] = DEFAULT_SIZE) -> ScenePaper:
    part, scene, unit, step = frame
    said = part.trace.say(unit, step) if scene is None else part.sentence(scene, step)
    return ScenePaper(frame, lesson.title, said, size)


def lesson_picture(lesson: Lesson, frame: Frame, size: tuple[int, int] = DEFAULT_SIZE) -> Pictured:
    """Return the picture of a frame, sized by its scene, at most ``size`` (logical pixels)."""
    part = frame.part
    names = [name for name in part.inputs if name in part.trace.inputs]
    inputs = {name: without_folder(name, str(part.inputs[name])) for name in names}
    about = {"Description": frame.part.trace.say(frame.unit, frame.step), **inputs}
    recipe = lesson_recipe(lesson, *frame_options(lesson, frame))
    return Pictured(lesson_paper(lesson, frame, size), recipe=recipe, about=about)


def scene_layout(frame: Frame, room: Size, style: Style) -> Layout:
    """Return the layout of a frame, the same for all steps of its unit."""
    return lay_out(unit_extents(frame.part.shown, frame.unit, frame.step, style), room, style)


def draw_frame(
    drawing: Drawing, layout: Layout, at: Point, frame: Frame, path: Sequence[Cell] = (), *, asked: bool = False
) -> None:
    """Draw a frame; the last step has all optimal paths, or the given one. ``asked``: a question is open, so no path is
    shown."""
    trace = frame.part.trace
    ended = frame.step == trace.steps(frame.unit) and not asked
    extras = Extras(path=path if ended else (), tinted=ended)
    draw_scene(drawing, layout, frame.part.shown.scene(frame.unit, frame.step), frame.step, extras, at=at)


def lesson_recipe(lesson: Lesson, *words: str) -> Recipe:
    """Return the recipe of a lesson picture; ``words``: additional options."""
    if not lesson.file:
        return Recipe(("lesson", lesson.id, *lesson.words, *words))
    return Recipe.of("lesson", [file_input(lesson.file)], (*lesson.options, *words))


def frame_options(lesson: Lesson, frame: Frame) -> Iterable[str]:
    """Return the options that select a frame, without those of the lesson itself."""
    if frame.scene is not None:
        scenes = [scene for part in lesson.parts for scene in part.scenes]
        first = next((one for one in scenes if one.first <= frame.step <= one.last), None)
        number = 1 + [one is frame.scene for one in scenes].index(True)
        scene = () if first is frame.scene else ("--scene", str(number))
        return (*scene, "--step", str(frame.step))
    unit = () if "--unit" in lesson.options else ("--unit", str(frame.unit))
    return (*unit, "--step", str(frame.step))


class _Panel(NamedTuple):
    """Frame of a handout with its text, and space for an answer."""

    frame: Frame
    text: str
    is_open: bool


def hand_out(
    lesson: Lesson, *, answers: bool, a_page: int = 2, notes: bool = False, some: Sequence[Exercise] = ()
) -> bytes:
    """Return a PDF handout in A4: each sentence with its last step, and questions.

    A scene that stops at each step is printed with all steps.

    Args:
        answers: show the answer after a question, instead of lines to write on.
        a_page: steps per page, see ``GRIDS``. notes: append the teacher's notes.
        some: exercises to print in place of the lesson; with ``answers`` their solutions follow.

    Raises:
        ExportError: too many steps.
    """
    options = ["--notes", f"{lesson.id}.pdf", *(() if answers else ("--no-answers",))]
    options += [] if a_page == 2 else ["--a-page", str(a_page)]
    options += ["--teacher-notes"] if notes else []
    metadata = told_of(lesson.title, lesson_recipe(lesson), *options)
    layout = QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Landscape, QMarginsF())
    sheets = [_panels(lesson, answers)]
    if some:
        sheets = [[_Panel(one.asked, f"{k}. {one.text}", True) for k, one in enumerate(some, 1)]]
        sheets += [[_Panel(one.solved, f"{k}. {one.key}", False) for k, one in enumerate(some, 1)]] if answers else []
    pages = [panels[at : at + a_page] for panels in sheets for at in range(0, len(panels), a_page)]
    return pdf_file(metadata, layout, partial(_draw_pages, lesson, pages, a_page, notes))


def slides(lesson: Lesson) -> bytes:
    """Return 16:9 PDF slides, one step per page, questions before answers; ExportError: too many."""
    metadata = told_of(lesson.title, lesson_recipe(lesson), "--slides", f"{lesson.id}.pdf")
    film = LessonFilm(moments(lesson))
    size = QSizeF(*FILM_SIZE) * POINTS_PER_PX
    layout = QPageLayout(QPageSize(size, QPageSize.Unit.Point), QPageLayout.Orientation.Portrait, QMarginsF())

    def draw(made: QPdfWriter, painter: QPainter) -> None:
        for step in range(len(film.milliseconds)):
            if step:
                made.newPage()
            film.draw(step, QtDrawing(painter, Theme(Scheme.LIGHT)))

    return pdf_file(metadata, layout, draw)


def _panels(lesson: Lesson, answers: bool) -> list[_Panel]:
    panels: list[_Panel] = []
    for _, run in groupby(moments(lesson), key=lambda one: id(one.frame.scene)):
        those = list(run)
        is_open = those[0].is_question and not answers
        for (sentence, _), same in groupby(those[:1] if is_open else those, key=_of_panel):
            panels.append(_Panel([*same][-1].frame, sentence, is_open))
    return panels


def _of_panel(moment: Moment) -> tuple[str, int | None]:
    scene = moment.frame.scene
    return moment.sentence, moment.frame.step if scene is not None and scene.each else None


def _draw_pages(
    lesson: Lesson, pages: list[list[_Panel]], a_page: int, notes: bool, made: QPdfWriter, painter: QPainter
) -> None:
    drawing, style = QtDrawing(painter, Theme(Scheme.LIGHT)), measured(Preset.PAPER)
    area = Box(0, 0, made.width(), made.height()).inset(*[PAGE_MARGIN_PX] * 4)
    columns, rows = GRIDS[a_page]
    head, gap = 3.5 * PAGE_TEXT_PX, PAGE_MARGIN_PX / 2
    wide, high = (area.wide - (columns - 1) * gap) / columns, (area.high - head - (rows - 1) * gap) / rows
    n_pages = len(pages)
    for page, panels in enumerate(pages):
        line = Box(area.x, area.y, area.wide, LINE_EMS * PAGE_TEXT_PX)
        drawing.text(line, lesson.title, Font(PAGE_TEXT_PX, bold=True), align=LEFT)
        drawing.text(line, f"{number(page + 1)} of {number(n_pages)}", Font(PAGE_TEXT_PX), align=RIGHT)
        drawing.text(line.moved(Point(0, line.high)), lesson.source, Font(PAGE_TEXT_PX), Ink.DIM, LEFT)
        for at, panel in enumerate(panels):
            x, y = area.x + at % columns * (wide + gap), area.y + head + at // columns * (high + gap)
            _draw_panel(drawing, Box(x, y, wide, high), panel)
        if page + 1 < n_pages or (notes and lesson.notes):
            made.newPage()
    if notes and lesson.notes:
        draw_paragraph(drawing, area, f"{lesson.title}\n\n{lesson.notes}", Font(PAGE_TEXT_PX), style)


def _draw_panel(drawing: Drawing, box: Box, panel: _Panel) -> None:
    style, font = measured(Preset.PAPER), Font(PAGE_TEXT_PX)
    lines = ANSWER_LINES if panel.is_open else 0
    words = paragraph_height(panel.text, font, box.wide, style) + lines * ANSWER_LINE_PX
    room = Size(box.wide, box.high - words - PAGE_TEXT_PX)
    for scale in PANEL_SCALES:
        layout = scene_layout(panel.frame, room, measured(Preset.PAPER, scale))
        if layout.size.fits(room):
            break
    at = Point(box.x + (box.wide - layout.size.wide) / 2, box.y)
    draw_frame(drawing, layout, at, panel.frame, asked=panel.is_open)
    top = box.y + layout.size.high + PAGE_TEXT_PX
    draw_paragraph(drawing, Box(box.x, top, box.wide, words), panel.text, font, style)
    below = top + words
    ruled = (((box.x, y), (box.right, y)) for y in (below - k * ANSWER_LINE_PX for k in range(lines)))
    drawing.lines(ruled, Pen(Ink.DIM))


SCALES = (2.0, 1.75, 1.5, 1.25, 1.0)  # of the sizes of print, in a film of usual size
FILM_SIZE = (1600, 900)  # pixels, 16:9
POINTS_PER_PX = 0.75  # of a slide, at 96 dpi
TEXT_PX, WORDS_PX = 30, 124  # in a film of that size: letters of the sentence below, and room for three lines of it


def filmed(lesson: Lesson, size: tuple[int, int] = FILM_SIZE) -> Pictured:
    """Return the film of a lesson, with subtitles; ``size``: frame size in pixels; ExportError: too long."""
    seen, recipe = moments(lesson), lesson_recipe(lesson)
    spoken = subtitles(seen, recipe.command())
    return Pictured(lesson_paper(lesson, seen[0].frame), LessonFilm(seen, size), recipe=recipe, subtitles=spoken)


class LessonFilm:
    """Frames of a lesson with their sentences; see ``wavediff.app.ui.picture_sheet.Frames``.

    Args:
        size: pixels of a frame. path: cells of the path, shown at the end.
    """

    def __init__(self, seen: Sequence[Moment], size: tuple[int, int] = FILM_SIZE, *, path: Sequence[Cell] = ()) -> None:
        self._seen, self._path = seen, path
        self._stage, self._tiles = film_stage(seen, size), Tiles()
        self.milliseconds = tuple(moment.milliseconds for moment in seen)

    def image(self, step: int) -> QImage:
        image = QImage(self._stage.wide, self._stage.high, QImage.Format.Format_RGB888)
        painter = QPainter(image)
        self.draw(step, QtDrawing(painter, self._stage.theme, self._tiles))
        painter.end()
        return image

    def draw(self, step: int, drawing: Drawing) -> None:
        moment, stage = self._seen[step], self._stage
        wide, high = stage.wide, stage.high
        drawing.rect(Box(0, 0, wide, high), Ink.BASE)
        layout = stage.layouts[moment.frame.part, moment.frame.unit]
        words, margin = WORDS_PX * stage.scale, MARGIN_PX * stage.scale
        top = high - margin - words
        at = Point((wide - layout.size.wide) / 2, max(margin, (top - layout.size.high) / 2))
        draw_frame(drawing, layout, at, moment.frame, self._path, asked=moment.is_question)
        below = Box(margin, top, wide - 2 * margin, words)
        draw_paragraph(drawing, below, moment.sentence, Font(TEXT_PX * stage.scale), layout.style, MIDDLE)


class FilmStage(NamedTuple):
    """Size of the frames of a film, and a layout per part and unit that fits all its frames.

    Attributes:
        scale: relative to ``FILM_SIZE``, for margins and sentences.
    """

    layouts: dict[tuple[Part, Unit], Layout]
    theme: Theme
    wide: int
    high: int
    scale: float


def film_stage(seen: Sequence[Moment], size: tuple[int, int]) -> FilmStage:
    """Return the layouts at the largest of ``SCALES`` at which every frame fits, else at the smallest."""
    wide, high = even(size).toTuple()
    sentence = min(wide / FILM_SIZE[0], high / FILM_SIZE[1])
    room = Size(wide - 2 * MARGIN_PX * sentence, high - (3 * MARGIN_PX + WORDS_PX) * sentence)
    steps: dict[tuple[Part, Unit], list[int]] = {}
    for moment in seen:
        steps.setdefault((moment.frame.part, moment.frame.unit), []).append(moment.frame.step)
    needed = {
        key: extents((key[0].shown.scene(key[1], k) for k in those), measured(Preset.PAPER))
        for key, those in steps.items()
    }
    for scale in SCALES:
        style = measured(Preset.PAPER, scale * sentence)
        layouts = {key: lay_out(parts, room, style) for key, parts in needed.items()}
        if all(layout.size.fits(room) for layout in layouts.values()):
            break
    return FilmStage(layouts, Theme(Scheme.LIGHT), wide, high, sentence)
