"""Scenes of every lesson that ships, laid out and painted: nothing overlaps, moves or is left out of a picture."""

import re
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from tests.app.parts import open_texts
from tests.app.test_cut_texts import texts as texts_of
from tests.depth import one_of
from wavediff.app.draw.drawing import Point, Size
from wavediff.app.draw.page import FRAME_PX
from wavediff.app.draw.painter import QtDrawing, em_width, measured, sized
from wavediff.app.draw.scene import Extras, draw_scene
from wavediff.app.draw.scene_layout import lay_out, unit_extents
from wavediff.app.draw.scene_parts import SIGNS
from wavediff.app.draw.scene_style import Preset, Style
from wavediff.app.draw.svg import Svg
from wavediff.app.teach.lesson_pictures import draw_frame, lesson_picture
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.picture_files import PICTURES, picture_file
from wavediff.app.ui.stage.lesson_canvas import BAR_PX, MARGIN_PX, LessonCanvas
from wavediff.app.ui.stage.lesson_stage import SENTENCE_LINES, SENTENCE_RATIO, LessonStage
from wavediff.app.ui.stage.question_row import QuestionRow
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.teach.lesson import headings, lesson_named, read_lesson
from wavediff.core.teach.player import Frame, Player
from wavediff.core.teach.questions import Kind, ask
from wavediff.core.teach.scene import Bits, Grid, Sheet
from wavediff.core.teach.traces import new_trace
from wavediff.core.teach.unit import Unit

PATHS = {one.id: one.path for one in headings()}
NAMESPACE = "{http://www.w3.org/2000/svg}"
DESK, HALL = Size(1100, 560), Size(1880, 850)


@pytest.fixture(params=one_of(3, list(PATHS)))
def lesson(request):
    return read_lesson(PATHS[request.param])


@pytest.mark.parametrize(("preset", "room"), [(Preset.DESK, DESK), (Preset.PROJECTOR, HALL)])
def test_parts_stand_beside_each_other(lesson, preset, room, qapp):
    style = measured(preset)
    for part in lesson.parts:
        for unit in part.units:
            extents = unit_extents(part.shown, unit, 0, style)
            layout = lay_out(extents, room, style)
            boxes = layout.boxes
            assert len(boxes) == len(extents)
            for place, box in enumerate(boxes):
                overlapped = [k for k, other in enumerate(boxes[:place]) if _overlap(box, other)]
                assert all(_beside(extents, k, place) for k in overlapped), (unit, place, overlapped)
            whole = layout.size
            assert all(box.right <= whole.wide + 1 and box.foot <= whole.high + 1 for box in boxes)
            assert whole.wide <= room.wide + 1
            assert preset is Preset.DESK or whole.high <= room.high + 1


def test_a_hall_reads_every_text(lesson, qapp):
    """No text is smaller than 18 pt at 1,080 lines, none is cut, and a sentence has two lines."""
    style, theme, size = measured(Preset.PROJECTOR), Theme(Scheme.LIGHT), QSize(*map(round, HALL))
    sentences = QFontMetricsF(sized(SENTENCE_RATIO * style.text_px, bold=True))
    for part in lesson.parts:
        for unit in dict.fromkeys(scene.unit for scene in part.scenes):
            layout = lay_out(unit_extents(part.shown, unit, 0, style), HALL, style)
            last = part.trace.steps(unit)
            for step in sorted({0, min(1, last), last // 2, last}):
                frame = Frame(part, None, unit, step)

                def paint(painter, _pixels, layout=layout, frame=frame):
                    draw_frame(QtDrawing(painter, theme), layout, Point(0, 0), frame)

                svg = picture_file(paint, PICTURES["svg"], size, 96, {"Title": ""}).decode()
                for text, px, at in texts(svg):
                    assert px >= 24 or text in SIGNS.values(), (unit, step, text, px)
                    assert at[0] >= 0, (unit, step, text, at)
                    assert at[0] + 0.95 * em_width(text) * px <= HALL.wide, (unit, step, text, at)
                    assert 0 < at[1] <= HALL.high, (unit, step, text, at)
        for scene in part.scenes:
            for step in range(scene.first, scene.last + 1):
                text = part.sentence(scene, step)
                area = sentences.boundingRect(QRectF(0, 0, *HALL), int(Qt.TextFlag.TextWordWrap), text)
                assert area.height() <= SENTENCE_LINES * sentences.lineSpacing() + 1, text


def texts(svg):
    """Yield each text of a picture with its size and where it begins, in the pixels of the picture."""
    for group in ElementTree.fromstring(svg).iter(f"{NAMESPACE}g"):
        a, b, c, d, e, f = map(float, re.findall(r"[-\d.e]+", group.get("transform", "matrix(1,0,0,1,0,0)")))
        assert (b, c) == (0, 0)
        for one in group.findall(f"{NAMESPACE}text"):
            x, y, px = (float(one.get(name, "")) for name in ("x", "y", "font-size"))
            yield (one.text or "").strip(), px * d, (a * x + e, d * y + f)


def _overlap(one, other):
    return one.x < other.right and other.x < one.right and one.y < other.foot and other.y < one.foot


def _beside(extents, grid, words):
    """Return whether two parts are a table and the words beside it, whose heads share a line."""
    return extents[grid].kind is Grid and extents[words].kind is Bits and extents[words].down


def test_each_part_can_be_painted_in_pixels_and_in_lines(lesson, qapp):
    for part in lesson.parts:
        scene = part.scenes[-1]
        frame = Frame(part, scene, scene.unit, scene.last)
        png, svg = (lesson_picture(lesson, frame).picture(PICTURES[kind]) for kind in ("png", "svg"))
        assert png.startswith(b"\x89PNG")
        assert b"<text" in svg


@pytest.mark.parametrize("text", ["characteristically", "thequickbrownfoxjumpsover", "abc" * 20])
def test_a_hall_of_800_lines_has_all_rows_and_columns_of_a_longer_word(text):
    part = lesson_named("ternary").with_inputs({"a": text}).parts[0]
    room = Size(1248, 590)  # beside the sentence, the question and the buttons
    style = measured(Preset.PROJECTOR, 800 / 1080)
    for unit in part.units:
        assert lay_out(unit_extents(part.shown, unit, 0, style), room, style).size.fits(room)


def test_the_numbers_of_matches_are_read_in_a_hall_of_800_lines():
    part = lesson_named("dot-chains").parts[0]
    style = measured(Preset.PROJECTOR, 800 / 1080)
    layout = lay_out(unit_extents(part.shown, part.units[0], 0, style), Size(1248, 590), style)
    assert layout.cell >= layout.style.readable_cell_px


def test_the_row_that_is_asked_about_and_that_of_a_wrong_answer_are_marked(qapp):
    """In the first table of texts, where a lesson has one; a table of numbers after it is as it was."""
    for name, answer, row in (("rotations", "4", "4"), ("backward", "1", "1"), ("dots", "0", "5")):
        lesson = lesson_named(name)
        player = Player(lesson)
        while player.question is None:
            player.step()
        part, _, unit, step = player.frame
        layout = lay_out(unit_extents(part.shown, unit, 0, Style(Preset.PAGE)), Size(1060, 480), Style(Preset.PAGE))
        player.answer({answer})
        assert player.marked.cells
        scene = part.shown.scene(unit, step)
        assert {scene.parts[0].rows[line][0] for line, _ in player.marked.cells} == {row}

        def drawn(layout=layout, scene=scene, step=step, **about):
            svg, parts = Svg(str), []
            extras = Extras(taken=about.pop("taken", ()))
            draw_scene(svg, layout, scene, step, extras, drawn=lambda _: parts.append(svg.text_of(svg.take())), **about)
            return parts

        plain, asked, wrong = drawn(), drawn(asked=True), drawn(taken=player.marked.cells)
        assert [k for k, (one, other) in enumerate(zip(plain, wrong, strict=True)) if one != other] == [0]
        assert ("?" in "".join(asked)) == (scene.asked is not None) == (name != "dots")


def test_an_alignment_is_hidden_while_a_path_is_asked_for(qapp):
    part = lesson_named("affine").parts[0]
    unit, last = part.units[0], part.trace.steps(part.units[0])
    layout = lay_out(unit_extents(part.shown, unit, 0, Style(Preset.PAGE)), Size(1060, 480), Style(Preset.PAGE))
    drawn = {}
    for asked in (False, True):
        svg = Svg(str)
        draw_scene(svg, layout, part.shown.scene(unit, last), last, Extras(), asked=asked)
        drawn[asked] = svg.text_of(svg.take())
    assert "An alignment of least cost" in drawn[False]
    assert "An alignment of least cost" not in drawn[True]


def test_choices_that_need_more_than_a_line_have_more(qtbot):
    trace = new_trace("monotone", {"a": "ACGTTGCATGCA", "b": "ACGTGCATTGCA"})
    row = QuestionRow()
    qtbot.addWidget(row)
    row.show_question(ask(trace, Unit.BLOCK, 5, Kind.CHOICE))
    row.resize(430, row.layout().heightForWidth(430))
    row.show()
    shown = [one for one in (*row.option_buttons, row.tell_button) if one.isVisible()]
    assert len(shown) == 4
    assert all(row.rect().contains(one.geometry()) for one in shown)


@pytest.mark.parametrize(("width", "below"), [(780, True), (850, True), (1_400, False)])
def test_the_listing_stands_below_the_sentence_where_the_scene_has_no_room(qtbot, theme, width, below):
    stage = LessonStage(theme)
    qtbot.addWidget(stage)
    stage.resize(width, 280)
    stage.show()
    stage.show_lesson(lesson_named("lcs-words"), asking=False)
    stage.player.seek(5)
    stage.refresh()
    qtbot.waitUntil(lambda: stage.listing.isVisible() is below)
    seen = {True: stage.listing, False: stage.canvas}
    for place, canvas in seen.items():
        lines = (
            [text for text, *_ in texts_of(canvas) if text.startswith("12-13: V = sum")] if canvas.isVisible() else []
        )
        assert len(lines) == (place is below)
    if below:
        assert stage.listing.y() >= stage.sentence.geometry().bottom()
        assert stage.listing.geometry().right() <= stage.width()


@pytest.mark.parametrize("size", [(464, 245), (505, 177)], ids=str)
def test_tables_beside_a_text_that_is_too_wide_are_whole_and_a_bar_shows_what_is_seen(qtbot, theme, size):
    lesson = lesson_named("affine").with_inputs({"a": "ACGTTGCATTAC" * 5, "b": "ACGTTGCTTTAC" * 5})
    frame = Frame(lesson.parts[0], None, lesson.parts[0].units[0], 40)
    canvas = LessonCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(*size)
    canvas.show_frame(frame, asked=False)
    scene = lesson.parts[0].trace.scene(frame.unit, frame.step)
    row, col = (n - 1 for n in scene.grid.values.shape)
    assert canvas.cell_box(row, col).right() <= size[0]
    (bar,) = canvas.bars
    assert (bar.x(), bar.width() < size[0]) == (pytest.approx(0, abs=10), True)
    canvas.resize(2_000, 900)
    assert canvas.bars == []


@pytest.mark.parametrize("size", [(1280, 800), (800, 500)], ids=str)
def test_no_table_of_a_lesson_leaves_its_picture_without_a_bar(qtbot, window, theme, size):
    """In every lesson, in the room that its panel has: what is cut has a bar at that edge, which is painted."""
    window.resize(*size)
    qtbot.expect(window.session.compared, open_texts, window.session, "kitten", "sitting")
    window.bring_up("lessons")
    stage = window.view(LessonView).stage
    canvas, style, cut = stage.canvas, measured(stage.canvas.preset), set()
    for path in PATHS.values():
        lesson = read_lesson(path)
        stage.show_lesson(lesson, asking=False)
        qtbot.waitUntil(canvas.isVisible)
        for part in lesson.parts:
            for unit in part.units:
                frame = Frame(part, None, unit, part.trace.steps(unit))
                canvas.show_frame(frame, asked=False)
                room = Size(canvas.width() - 2 * MARGIN_PX, canvas.height() - 2 * MARGIN_PX)
                shown = part.shown if canvas.has_listing else part.trace
                boxes = lay_out(unit_extents(shown, unit, frame.step, style), room, style).boxes
                edges = (max(box.right for box in boxes) > room.wide, max(box.foot for box in boxes) > room.high)
                bars, image = canvas.bars, canvas.grab().toImage()
                seen = tuple(any(length == BAR_PX for length in lengths) for lengths in (
                    [bar.height() for bar in bars], [bar.width() for bar in bars],
                ))  # fmt: skip
                assert seen == edges, (lesson.id, unit, boxes)
                assert all(image.pixelColor(bar.center().toPoint()) == theme.control for bar in bars)
                cut |= {lesson.id} if any(edges) else set()
    assert cut, "a lesson has a table that is wider than the room"


@pytest.mark.parametrize("size", [(780, 260), (780, 300), (640, 200)], ids=str)
def test_a_sentence_is_below_a_table_that_it_would_cut(qtbot, theme, size):
    """Of all tables without cells the room of a low panel cuts none, and no text of these is smaller than on a page."""
    stage, beside = LessonStage(theme), set()
    qtbot.addWidget(stage)
    stage.resize(*size)
    stage.show()
    for id_ in ("cyclic", "search-pieces", "lcs-results", "transform-results"):
        lesson = lesson_named(id_)
        stage.show_lesson(lesson, asking=False)
        for at in range(stage.player.n_frames):
            stage.player.seek(at)
            stage.refresh()
            QApplication.processEvents()
            sheets = stage.player.frame.part.trace.scene(stage.player.frame.unit, 0).parts
            if all(isinstance(part, Sheet) for part in sheets):
                beside.add(stage.sentence.x() > 0)
                assert all(bar.height() != BAR_PX for bar in stage.canvas.bars), (id_, at)
    assert beside == {False, True}


@pytest.mark.parametrize(("id_", "number"), [("cyclic", 0), ("search-pieces", 2)])
def test_wide_tables_of_a_page_have_texts_of_full_size(id_, number):
    part, style = lesson_named(id_).parts[number], Style(Preset.PAGE)
    layout = lay_out(unit_extents(part.shown, part.units[0], 0, style), FRAME_PX, style)
    assert layout.size.wide <= FRAME_PX.wide
    assert layout.style.text_px == style.text_px
