"""The drawing of lines: every letter in its cell, nothing over its column, readable in both themes at each size."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from tests.app.line_texts import MOVED, NEW, OLD, compared
from wavediff.app.compare.lines.line_cells import LineCells
from wavediff.app.compare.lines.lines_drawing import SYNTAX_INKS, draw_lines
from wavediff.app.compare.lines.moved_links import tags
from wavediff.app.compare.lines.overview import STRIPE_INKS, stripes
from wavediff.app.compare.lines.shown_rows import Folding, ShownRows
from wavediff.app.compare.lines.sight import Marked, Sight
from wavediff.app.draw.drawing import Ink, Pen, Size, named_colours
from wavediff.app.draw.svg import Svg
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import contrast
from wavediff.core.jobs.line_result import LineKind
from wavediff.core.jobs.line_view import LineView, line_view
from wavediff.core.methods.lines import LINES
from wavediff.core.methods.words import WORDS
from wavediff.core.reading import parse
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.read_as import ReadAs


class Recorder:
    """Drawing that keeps what it is told: boxes with their fill, and texts with what they lie on."""

    def __init__(self):
        self.rects, self.texts, self.strokes = [], [], []

    def rect(self, box, fill=None, pen=None, rounded=0.0):
        if fill is not None:
            self.rects.append((box, fill))

    def text(self, box, text, font, ink=Ink.TEXT, align=None):
        at = (box.x + box.wide * align.across / 2 if align else box.middle.x, box.middle.y)
        on = next((fill for rect, fill in reversed(self.rects) if rect.has(*at)), None)
        self.texts.append((box, text, font, ink, on))

    def lines(self, lines, pen):
        self.strokes += [(list(line), pen) for line in lines]

    def shape(self, points, fill):
        self.strokes.append((list(points), fill))


@pytest.fixture(scope="module")
def texts():
    a, b, result = compared()
    return LineCells(a, b, result.rows, LineView(result, a, b).marks), result


SIGHT = Sight(Size(1000, 600), px=13, cell=8, digits=3)


def drawn(texts, sight, folding=None, tokens=lambda side, line: [], **marked):
    cells, result = texts
    heights = cells.heights(sight.columns if sight.wrapped else 0)
    shown, drawing = ShownRows(result.rows, sight.inline, folding, heights=heights), Recorder()
    draw_lines(drawing, cells, shown, sight, Marked(moved=result.moved, **marked), tokens)
    return drawing, shown


def words(side, line):
    """Return a colour for each kind of token, in the first letters of every line."""
    return [(4 * k, 4 * k + 3, ink) for k, ink in enumerate(SYNTAX_INKS)]


@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize("tokens", [lambda side, line: [], words])
def test_each_line_is_read_from_its_cells(texts, inline, tokens):
    sight = replace(SIGHT, inline=inline, size=Size(1600, 4000))
    drawing, shown = drawn(texts, sight, Folding(all_open=True), tokens)
    for side, text in ((Side.A, OLD), (Side.B, NEW)):
        rows = {}
        for box, piece, font, _, _ in drawing.texts:
            if font.mono and box.x >= sight.text[side] and (inline or box.x < sight.right[side]):
                at = round((box.x - sight.text[side]) / sight.cell)
                rows.setdefault(round(box.y), {})[at] = piece
        for line, expected in enumerate(text.removesuffix("\n").split("\n")):
            y = sight.y(shown.place(int(shown.row_of[side][line]), side))
            found = [" "] * len(expected)
            for at, piece in rows.get(y, {}).items():
                found[at : at + len(piece)] = piece
            assert "".join(found).rstrip() == expected.rstrip(), line + 1


def pieces(drawing, sight, side):
    """Return the letters of a text that are drawn, by row: the column of each piece, and the piece."""
    found = {}
    for box, piece, font, _, _ in drawing.texts:
        if font.mono and box.x >= sight.text[side] and (sight.inline or box.x < sight.right[side]):
            found.setdefault(round(box.y), {})[round((box.x - sight.text[side]) / sight.cell)] = piece
    return found


@pytest.mark.parametrize("inline", [False, True])
def test_a_wrapped_line_is_read_row_by_row(inline):
    line = "\tx = [" + ", ".join(map(str, range(60))) + "] and more at its end"
    a, b, result = compared(f"{line}\nend\n", f"{line.replace('57', '77')}\nend\n")
    cells = LineCells(a, b, result.rows, LineView(result, a, b).marks)
    sight = replace(SIGHT, inline=inline, size=Size(640, 800), wrapped=True)
    drawing, shown = drawn((cells, result), sight)
    first, end = shown.place(0, Side.A), shown.end(0, Side.A)
    assert end - first == -(-cells.width(Side.A, 0) // sight.columns) > 2
    found, read = pieces(drawing, sight, Side.A), ""
    for place in range(first, end):
        row = [" "] * sight.columns
        for at, piece in found[sight.y(place)].items():
            row[at : at + len(piece)] = piece
        assert len(row) == sight.columns
        read += "".join(row)
    assert read.split() == a.letters.tobytes().decode("latin-1").split("\n")[0].split()
    assert not any(piece == "…" for _, piece, *_ in drawing.texts)


@pytest.mark.parametrize("width", [472, 488])  # an odd number of cells, and an even one
def test_a_mark_of_a_wrapped_line_lies_below_its_letters(width):
    """Also where a wide letter begins in the last cell of a row: it stays there, none is left of its row."""
    wide = "x" + "差异比较程序显示两个序列" * 4
    ours, theirs = (parse(f"{wide}{end}\n", read_as=ReadAs.TEXT).sequence(0) for end in "旧新")
    result = LINES.compared(run_job(LINES.job(ours, theirs, {}, fold_case=False, threads=1)), ours, theirs)
    for start in range(1, 40):
        cells = LineCells(ours, theirs, result.rows, lambda _row, at=start: ([(at, at + 1)], []))
        sight = replace(SIGHT, wrapped=True, size=Size(width, 2000))
        drawing, _ = drawn((cells, result), sight)
        marks = [box for box, fill in drawing.rects if fill is Ink.BASE and box.high == sight.row - 1]
        bold = [box for box, _, font, *_ in drawing.texts if font.mono and font.bold]
        assert [tuple(mark[:3]) for mark in marks] == [(box.x, box.y + 1, 2 * sight.cell) for box in bold]
        assert len(marks) == 1
        left = sight.text[Side.A]
        assert left <= bold[0].x <= left + (sight.columns - 1) * sight.cell


@pytest.mark.parametrize(
    ("ours", "theirs", "seen"),
    [
        ("    a", "\ta", ("····", "→")),
        ("a b", "a  b", ("·", "··")),
        ("a ", "a", ("·", "")),
        ("a \tb", "a b", ("·→", "·")),
    ],
)
def test_white_space_that_alone_differs_is_seen(ours, theirs, seen):
    for method in (LINES, WORDS):
        a, b, result = compared(f"{ours}\nend\n", f"{theirs}\nend\n", method)
        cells = LineCells(a, b, result.rows, line_view(result, a, b).marks)
        drawing, _ = drawn((cells, result), SIGHT)
        for side, signs in zip(Side, seen, strict=True):
            marks = "".join(piece for piece in pieces(drawing, SIGHT, side)[0].values() if piece in "·→")
            assert signs.endswith(marks) if method is WORDS else marks == signs
        assert method.headline(result, 0, 0).startswith("White space only: 1 ")


def test_a_line_break_of_words_is_seen_at_the_end_of_its_line():
    a, b, result = compared("one two\nthree\n", "one two three\n", WORDS)
    drawing, _ = drawn((LineCells(a, b, result.rows, line_view(result, a, b).marks), result), SIGHT)
    assert pieces(drawing, SIGHT, Side.A)[0][len("one two")] == "↵"
    assert pieces(drawing, SIGHT, Side.B)[0][len("one two")] == "·"


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize("column", [0, 13])
def test_nothing_leaves_its_column(texts, inline, scale, column):
    size = Size(800, 500)
    sight = replace(SIGHT, inline=inline, size=size, px=13 * scale, cell=8 * scale, column=column, digits=7)
    drawing, _ = drawn(texts, sight, tokens=words, frames=((3, 9),), place=3, selection=(Side.A, 0, 5000))
    for box, piece, font, _, _ in drawing.texts:
        if font.mono and len(piece) > 1:
            side = Side.A if inline or box.x < sight.left[Side.B] else Side.B
            assert sight.text[side] <= box.x
            assert box.x + len(piece) * sight.cell <= sight.right[side]
        if piece.isdigit() and not font.mono:
            assert len(piece) * 0.65 * font.px < box.wide
    for box, _ in drawing.rects:
        assert box.x >= -1
        assert box.right <= size.wide + 1


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("inline", [False, True])
def test_every_text_can_be_read_on_what_it_lies_on(texts, dark, inline):
    colours = {name: QColor(code) for name, code in named_colours(dark).items()}
    place = next(k for k, entry in enumerate(ShownRows(texts[1].rows, inline).entries(0, 99)) if entry.is_fold)
    sight = replace(SIGHT, inline=inline, size=Size(1200, 4000))
    for marked in ({}, {"place": place}, {"place": 0, "selection": (Side.A, 0, 5000)}):
        drawing, _ = drawn(texts, sight, tokens=words, **marked)
        for _, piece, _, ink, on in drawing.texts:
            assert contrast(colours[ink], colours[on]) >= 4.5, (piece, ink, on)
    for ink in STRIPE_INKS[2:]:
        assert contrast(colours[ink], colours[Ink.BASE]) >= 3


def test_a_block_that_moved_has_a_band_and_tags_inside_its_places(texts):
    sight = replace(SIGHT, size=Size(1000, 3000))
    drawing, shown = drawn(texts, sight)
    line = {side: text[: text.index(MOVED)].count("\n") for side, text in ((Side.A, OLD), (Side.B, NEW))}
    found = tags(shown, sight, texts[1].moved)
    assert [tag.text for tag in found] == [f"moved to B {line[Side.B] + 1} ›", f"moved from A {line[Side.A] + 1} ‹"]
    for tag, side in zip(found, Side, strict=True):
        first = shown.place(int(shown.row_of[side][line[side]]), side)
        assert sight.y(first) <= tag.box.y
        assert tag.box.foot <= sight.y(first + MOVED.count("\n"))
        assert sight.left[side] <= tag.box.x < tag.box.right <= sight.right[side]
    band = next(points for points, fill in drawing.strokes if fill is Ink.SWAP_PALE)
    assert {point[0] for point in (band[0], band[-1])} == {sight.right[Side.A]}
    half = replace(sight, top=sight.y(shown.place(int(shown.row_of[Side.A][line[Side.A] + 2]), Side.A)))
    assert all(tag.box.y >= 0 for tag in tags(shown, half, texts[1].moved))


@pytest.mark.parametrize("inline", [False, True])
def test_a_band_passes_below_folds_and_an_arrow_above_rows(texts, inline):
    cells, result = texts
    order = []

    class Ordered(Recorder):
        def rect(self, box, fill=None, pen=None, rounded=0.0):
            order.append(fill)

        def shape(self, points, fill):
            order.append(fill)

    shown = ShownRows(result.rows, inline)
    draw_lines(
        Ordered(), cells, shown, replace(SIGHT, inline=inline), Marked(moved=result.moved), lambda side, line: []
    )
    link, folds = Ink.SWAP_STRONG if inline else Ink.SWAP_PALE, [k for k, ink in enumerate(order) if ink is Ink.RAISED]
    links = [k for k, ink in enumerate(order) if ink is link]
    assert links[-1] > folds[-1] if inline else links[0] < folds[0]


def test_rows_that_an_option_makes_equal_have_a_dashed_foot():
    a, b, result = compared("one\ntwo\nthree\n", "one\nt w  o\nthree\n", ignore_space=True)
    cells = LineCells(a, b, result.rows, LineView(result, a, b).marks)
    drawing, shown = drawn((cells, result), SIGHT)
    feet = [line for line, pen in drawing.strokes if isinstance(pen, Pen) and pen.dashed]
    assert shown.rows.n_hunks == 0
    y = SIGHT.y(1) + SIGHT.row - 1
    assert feet == [[(SIGHT.text[side], y), (SIGHT.right[side], y)] for side in Side]
    assert all(pen.ink is Ink.CONTROL for _, pen in drawing.strokes if isinstance(pen, Pen) and pen.dashed)


def test_an_svg_has_each_line_as_one_text(texts):
    cells, result = texts
    svg = Svg(lambda ink: f"#{ink}")
    sight = replace(SIGHT, size=Size(1000, 3000))
    draw_lines(svg, cells, ShownRows(result.rows), sight, Marked(moved=result.moved), lambda side, line: [])
    assert svg.text_of(svg.take()).count(">def translate(dna):</text>") == 2


def test_stripes_have_the_strongest_kind_behind_each_pixel():
    _, _, result = compared("".join(f"{k}\n" for k in range(5000)), "".join(f"{k}\n" for k in range(5000) if k != 777))
    rows = result.rows
    whole = stripes(rows, 10_000)
    assert whole[Side.A].size == rows.kind.size
    few = stripes(rows, 100)
    removed = STRIPE_INKS.index(Ink.DELETION_STRONG)
    assert np.flatnonzero(few[Side.A] == removed).tolist() == [777 * 100 // rows.kind.size]
    assert set(few[Side.B].tolist()) == {STRIPE_INKS.index(Ink.GRID)}
    assert int((whole[Side.B] == 0).sum()) == rows.count(LineKind.REMOVED)
