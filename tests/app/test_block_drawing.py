"""Ribbons and letters at borders against the alignment of each block, written out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter

from tests.app.alignments import sequence
from tests.app.test_blocks import A as LETTERS
from tests.app.test_blocks import B as REARRANGED
from wavediff.app.compare.blocks.block_rows import SIGNS
from wavediff.app.compare.blocks.border_letters import draw_borders, edge_of, neighbours
from wavediff.app.compare.blocks.ribbon_drawing import Ribbons, draw_ribbons, face_of
from wavediff.app.draw.drawing import Box, Ink
from wavediff.app.ui.block_map.map_ticks import tick_step, ticks
from wavediff.app.ui.legend import paint_swatch
from wavediff.app.ui.picture_sheet import light
from wavediff.core.export.rearranged import table
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.rearranged import BlockKind, Border, CollinearBlock
from wavediff.core.run.api.rearranged import blocks
from wavediff.core.sequences.orientation import Orientation, Strand, reverse_complement

GAPPED = REARRANGED[:4] + b"TT" + REARRANGED[4:3_010] + REARRANGED[3_013:]  # gaps near ends of blocks


@pytest.fixture(scope="module", params=[REARRANGED, GAPPED], ids=["no gaps", "gaps"])
def answer(request):
    return blocks(sequence(LETTERS.decode(), "a"), sequence(request.param.decode(), "b"))


def columns_of(answer, block):
    """(operation, letter of A, letter of B, place in A, place in B) of each column, in the direction of A."""
    (a0, a1), (b0, b1) = ([border.at for border in side] for side in (block.a, block.b))
    in_b = list(range(b0, b1))
    letters = answer.b.letters.tobytes()[b0:b1]
    if block.minus:
        in_b, letters = in_b[::-1], reverse_complement(letters)
    ours = iter(zip(answer.a.letters.tobytes()[a0:a1].decode(), range(a0, a1), strict=True))
    theirs = iter(zip(letters.decode(), in_b, strict=True))
    if block.result is None:
        ops = [Op.DELETION] * (a1 - a0) + [Op.INSERTION] * (b1 - b0)
    else:
        ops = np.repeat(block.result.alignment.ops, block.result.alignment.lengths).tolist()
    out = []
    for op in ops:
        one, i = next(ours) if op != Op.INSERTION else ("–", None)
        two, j = next(theirs) if op != Op.DELETION else ("–", None)
        out.append((op, one, two, i, j))
    return out


@pytest.mark.parametrize("columns", [1, 7, 40, 5_000])
def test_letters_at_borders_are_the_ends_of_the_alignment(answer, columns):
    for block in answer.blocks:
        every = columns_of(answer, block)
        for last in (False, True):
            seen = every[-columns:] if last else every[:columns]
            edge = edge_of(answer, block, columns, last=last)
            assert edge.ops.tolist() == [op for op, *_ in seen]
            assert edge.a == "".join(letter for _, letter, *_ in seen)
            assert edge.b == "".join(letter for _, _, letter, *_ in seen)
            outwards = seen if last else seen[::-1]
            outer = [next((each[k] for each in outwards if each[k] is not None), None) for k in (3, 4)]
            assert edge.ends[not last] == tuple(outer)


def test_neighbours_share_a_border_in_a(answer):
    for k, block in enumerate(answer.blocks, 1):
        before, after = neighbours(answer, k)
        assert bool(before) == (block.a[0].at > 0)
        assert bool(after) == (block.a[1].at < len(answer.a))
        if before:
            assert answer.blocks[before - 1].a[1].at == block.a[0].at
        if after:
            assert answer.blocks[after - 1].a[0].at == block.a[1].at


class Drawn:
    """What was drawn, by kind."""

    def __init__(self):
        self.shapes, self.rects, self.texts, self.strokes = [], [], [], []

    def rect(self, box, fill=None, pen=None, rounded=0.0):
        self.rects.append((box, fill, pen))

    def text(self, box, text, font, ink=Ink.TEXT, align=None):
        self.texts.append((text, ink, font))

    def lines(self, lines, pen):
        self.strokes.append((list(lines), pen))

    def shape(self, points, fill, opacity=1.0):
        self.shapes.append((list(points), fill, opacity))


def test_inverted_ribbons_alone_cross_themselves(answer, qapp):
    ribbons = Ribbons(answer, Box(0, 0, 900, 160))
    for block in answer.blocks:
        if block.result is None:
            continue
        (a0, a1), (b0, b1) = ribbons.sides(block, 0), ribbons.sides(block, 1)
        assert (a0, a1) == ribbons.ends(block, 0)
        assert (b0, b1) == (ribbons.ends(block, 1)[::-1] if block.minus else ribbons.ends(block, 1))
        assert (b0 > b1) == (block.kind is BlockKind.INVERTED)
    drawing = Drawn()
    draw_ribbons(drawing, ribbons, 2, QFontMetricsF(QFont()))
    aligned = [block for block in answer.blocks if block.result is not None]
    pale = [(fill, share) for _, fill, share in drawing.shapes if share < 1]
    assert len(pale) == len(aligned)
    assert pale[-1] == (Ink.MISMATCH_STRONG, 0.41), "the current one is the last, above all others"
    assert {share for _, share in pale[:-1]} == {0.22}
    assert sum(fill is Ink.SWAP_STRONG and share == 1 for _, fill, share in drawing.shapes) == 2, (
        "both bars of the moved"
    )
    words = [text for text, *_ in drawing.texts]
    assert {"A", "B", "2,000", "10,000", "2"} <= set(words)


@pytest.mark.parametrize("wide", range(120, 900, 7))
def test_numbers_of_ribbons_keep_clear_of_each_other(answer, wide, qapp):
    for current in range(len(answer.blocks) + 1):
        drawing = Drawn()
        draw_ribbons(drawing, Ribbons(answer, Box(0, 0, wide, 160)), current, QFontMetricsF(QFont()))
        numbers = [(box, pen) for box, fill, pen in drawing.rects if fill is Ink.BASE and pen is not None]
        frames = sorted(box.inset(-pen.thick / 2, 0, -pen.thick / 2, 0) for box, pen in numbers)
        assert frames
        assert all(right.x - left.right >= 2 for left, right in pairwise(frames)), current


def test_each_kind_of_ribbon_has_a_colour_of_its_own_which_is_that_of_the_legend(qapp):
    theme, end, colours = light(), (Border(0, 0, 0), Border(9, 9, 9)), {}
    for kind in BlockKind:
        image = QImage(16, 16, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_swatch(painter, QRectF(0, 0, 16, 16), SIGNS[kind], theme)
        painter.end()
        for minus in (False, True):
            assert theme.ink(face_of(CollinearBlock(kind, end, end, minus)).strong) == image.pixelColor(8, 15)
        colours[kind] = image.pixelColor(8, 15).name()
    ribbons = [colours[kind] for kind in BlockKind if kind not in (BlockKind.ONLY_A, BlockKind.ONLY_B)]
    assert len(set(ribbons)) == len(ribbons) == 4


def test_a_place_belongs_to_the_narrowest_block_there(answer):
    ribbons = Ribbons(answer, Box(0, 0, 900, 160))
    for k, block in enumerate(answer.blocks, 1):
        for axis in (0, 1):
            if block.size[axis] > 100:
                left, right = ribbons.ends(block, axis)
                assert ribbons.at((left + right) / 2, ribbons.bar(axis).middle.y) == k
    assert ribbons.at(5, 80) == 0
    assert ribbons.at(899, 80) == 0


def test_borders_name_their_blocks_and_mark_what_differs(answer):
    inverted = next(k for k, block in enumerate(answer.blocks, 1) if block.minus)
    drawing = Drawn()
    draw_borders(drawing, Box(0, 300, 900, 152), answer, inverted)
    words = [text for text, *_ in drawing.texts]
    assert f"block {inverted - 1}, + →" in words
    assert f"← block {inverted}, −: B reversed and complemented" in words
    assert f"← block {inverted}, −" in words
    assert any(text.startswith(f"block {inverted + 1}, + →") for text in words)
    first = draw_first(answer)
    assert "A begins here" in first
    pale = [box for box, fill, _ in drawing.rects if fill is Ink.MISMATCH_PALE and box.wide > 10]
    assert len(pale) == 2, "B of the block on the other strand, at both borders"


def draw_first(answer):
    drawing = Drawn()
    draw_borders(drawing, Box(0, 0, 900, 152), answer, 1)
    return [text for text, *_ in drawing.texts]


def test_a_border_that_fits_two_places_says_so():
    twice = LETTERS[:3_000] + LETTERS[3_000:3_400] + LETTERS[3_000:6_000]  # one more copy
    found = blocks(sequence(LETTERS[:6_000].decode(), "a"), sequence(twice.decode(), "b"))
    ranges = [border.high - border.low for block in found.blocks for border in block.a]
    assert any(ranges)
    k = next(k for k, block in enumerate(found.blocks, 1) if block.a[0].high > block.a[0].low)
    drawing = Drawn()
    draw_borders(drawing, Box(0, 0, 900, 152), found, k)
    free = found.blocks[k - 1].a[0].high - found.blocks[k - 1].a[0].low
    heading = next(text for text, *_ in drawing.texts if f"±{free} fit both" in text)
    assert heading.startswith(f"block {k}, ")


@pytest.mark.parametrize("strand", Strand)
def test_headings_have_the_strand_that_the_list_has(strand):
    found = blocks(sequence(LETTERS.decode(), "a"), sequence(REARRANGED.decode(), "b").oriented(Orientation(strand)))
    signs = [row["strand"] for row in table(found)]
    assert {"+", "-"} <= set(signs)
    for k, (block, sign) in enumerate(zip(found.blocks, signs, strict=True), 1):
        drawing = Drawn()
        draw_borders(drawing, Box(0, 0, 900, 152), found, k)
        words = [text for text, *_ in drawing.texts]
        if sign is not None:
            name = f"block {k}, {sign.replace('-', '−')}"
            assert (f"← {name}" if block.minus else f"{name} →") in words


def test_a_copy_inside_another_block_has_its_colour_and_no_neighbour_in_a(qapp):
    copied = LETTERS[:6_000] + LETTERS[2_000:3_000]
    found = blocks(sequence(LETTERS[:6_000].decode(), "a"), sequence(copied.decode(), "b"))
    k = next(k for k, block in enumerate(found.blocks, 1) if block.copy_in)
    drawing = Drawn()
    draw_borders(drawing, Box(0, 0, 900, 152), found, k)
    assert sum(text == "inside another block of A" for text, *_ in drawing.texts) == 2
    draw_ribbons(drawing, Ribbons(found, Box(0, 0, 900, 160)), k, QFontMetricsF(QFont()))
    fills = [fill for _, fill, share in drawing.shapes if share < 1]
    assert (fills[-1], set(fills[:-1])) == (Ink.APART_STRONG, {Ink.INSERTION_STRONG}), "no colour of collinear blocks"


@pytest.mark.parametrize("left_out", [range(62, 69), range(20, 44), [64, 65, 66, 68], []])
def test_numbers_of_lines_do_not_touch_where_lines_are_left_out(qtbot, left_out):
    metrics, scale = QFontMetricsF(QFont()), 8.0
    rows = np.setdiff1d(np.arange(90), left_out)
    step = tick_step(rows.size, scale, metrics)
    found = list(ticks(0, rows.size, rows.size, step, rows=rows))
    assert len(found) >= (90 - len(left_out)) // (2 * step)
    for (left, one), (right, other) in pairwise(found):
        assert (right - left) * scale > (metrics.horizontalAdvance(one) + metrics.horizontalAdvance(other)) / 2
    for middle, text in found:
        assert rows[int(middle)] == next(row for row in rows if row >= int(text) - 1)
