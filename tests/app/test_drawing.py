"""The drawing layer: both ends show the same, texts stay texts, strokes stay in their box."""

import re
from itertools import pairwise, zip_longest
from math import isclose
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from tests.depth import examples, one_of
from wavediff.app.draw.drawing import LEFT, Box, Font, Point, arrow_head, hatch
from wavediff.app.draw.painter import QtDrawing
from wavediff.app.draw.scene_style import Preset, Style, lines_of, usual_width
from wavediff.app.draw.svg import GAP, Svg, packed, svg_file
from wavediff.app.teach.lesson_pictures import ScenePaper
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.teach.lesson import headings, read_lesson
from wavediff.core.teach.player import Frame

PATHS = {one.id: one.path for one in headings()}
SIZES = st.floats(1, 400)
SHARED_PX = 8  # pixels a side whose mean is compared: edges of letters differ
STYLE = Style(Preset.PAPER)


def grey(image):
    """Means of squares of an image, shape (rows, columns)."""
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3]
    rows, cols = (side // SHARED_PX for side in pixels.shape[:2])
    cut = pixels[: rows * SHARED_PX, : cols * SHARED_PX].astype(float)
    return cut.reshape(rows, SHARED_PX, cols, SHARED_PX, 3).mean(axis=(1, 3, 4))


def blank(paper):
    image = QImage(paper.size(), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    return image


@pytest.mark.parametrize("name", one_of(3, list(PATHS)))
def test_svg_and_painter_show_the_same_step(name, qapp):
    """Of several steps the file of each is nearest to the painting of that step."""
    part = read_lesson(PATHS[name]).parts[0]
    unit = part.units[0]
    last = part.trace.steps(unit)
    steps = sorted({0, last // 3, last // 2, last})
    papers = [ScenePaper(Frame(part, None, unit, k), name, "A sentence.", (900, 600), exact=True) for k in steps]
    family = QFontInfo(qapp.font()).family()
    painted, filed = [], []
    for paper in papers:
        image = blank(paper)
        painter = QPainter(image)
        paper.draw(QtDrawing(painter, Theme(Scheme.LIGHT)))
        painter.end()
        painted.append(grey(image))
        text = svg_file(paper.draw, paper.size().toTuple(), 100, {"Title": name}, (family, family))
        image = blank(paper)
        painter = QPainter(image)
        QSvgRenderer(text.encode()).render(painter, QRectF(image.rect()))
        painter.end()
        filed.append(grey(image))
    for k, one in enumerate(filed):
        distances = [float(np.abs(one - other).mean()) for other in painted]
        assert int(np.argmin(distances)) == k, (steps[k], distances)
        assert distances[k] < np.abs(255.0 - painted[k]).mean() / 2  # and far nearer than to nothing at all


@given(SIZES, SIZES, SIZES, SIZES, st.floats(1, 20))
@examples(100)
def test_a_hatch_rises_and_stays_in_its_box(x, y, wide, high, step):
    box, strokes = Box(x, y, wide, high), hatch(Box(x, y, wide, high), step)
    for (x0, y0), (x1, y1) in strokes:
        assert x0 < x1
        assert isclose(x1 - x0, y0 - y1, abs_tol=1e-6)
        assert all(
            box.x - 1e-6 <= a <= box.right + 1e-6 and box.y - 1e-6 <= b <= box.foot + 1e-6
            for a, b in ((x0, y0), (x1, y1))
        )
    feet = [x0 - (box.foot - y0) for (x0, y0), _ in strokes]  # where the line of each stroke meets the foot
    assert all(isclose(b - a, step, abs_tol=1e-6) for a, b in pairwise(feet))
    assert len(strokes) >= int((wide + high) / step) - 1


@given(st.tuples(SIZES, SIZES), st.tuples(SIZES, SIZES), st.floats(1, 30))
@examples(50)
def test_an_arrow_head_opens_backwards(before, tip, length):
    one, middle, other = arrow_head(before, tip, length)
    assert middle == tip
    along = before[0] - tip[0], before[1] - tip[1]
    for end in (one, other):
        stroke = end[0] - tip[0], end[1] - tip[1]
        assert isclose(float(np.hypot(*stroke)), length, rel_tol=1e-6)
        assert along[0] * stroke[0] + along[1] * stroke[1] >= 0


@given(st.lists(st.text("abc ÄW.", max_size=12), max_size=8).map(" ".join), st.floats(20, 400))
@examples(100)
def test_a_paragraph_is_broken_where_the_next_word_does_not_fit(text, wide):
    lines = lines_of(text, Font(10), wide, STYLE)
    assert " ".join(lines) == text
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        width = 10 * usual_width(line)
        assert width <= wide + 1e-6 or " " not in line.strip(" ")
        if following:
            assert width + 10 * usual_width(" " + following.split(" ")[0]) > wide - 1e-6


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=20))
@examples(100)
def test_any_text_is_one_text_of_the_svg(text):
    svg = Svg(str)
    svg.text(Box(0, 0, 100, 20), text, Font(10), align=LEFT)
    element = svg.text_of(svg.take())
    found = ElementTree.fromstring(element)
    assert (found.text or "").replace("\u00a0", " ") == text.replace("\u00a0", " ")
    form = packed([element])
    place, *values = form["pool"].split(GAP)
    filled = re.sub(GAP, lambda _: values.pop(0), form["forms"][int(place)])
    assert ElementTree.fromstring(filled).text == found.text
    assert values == []


def test_cells_are_kept_once_and_only_those_that_change_are_new():
    class Look:
        def draw(self, drawing, box, code):
            drawing.text(box, str(code), Font(10))

        __hash__ = object.__hash__

    svg, look, at = Svg(str), Look(), Point(5, 7)
    svg.cells(at, 10, np.array([[1, 1], [2, 1]]), look)
    first, kept = svg.take(), len(svg.pool)
    svg.cells(at, 10, np.array([[1, 1], [1, 1]]), look)
    second = svg.take()
    assert len(svg.symbols) == 2
    assert len(svg.pool) == kept + 1
    assert np.flatnonzero(first != second).tolist() == [2]
    assert svg.pool[second[2]] == '<use href="#c0" x="5" y="17"/>'


def test_widths_without_qt_are_those_of_wide_fonts(qapp):
    """Texts of a page have room: no letter of DejaVu Sans, which is as wide as Verdana, is much wider than taken."""
    font = QFont("DejaVu Sans")
    font.setPixelSize(100)
    if QFontInfo(font).family() != "DejaVu Sans":
        pytest.skip("DejaVu Sans is not there")
    for letter in map(chr, range(33, 127)):
        real = QFontMetricsF(font).horizontalAdvance(letter) / 100
        assert real - 0.07 <= usual_width(letter) <= real + 0.15, letter
