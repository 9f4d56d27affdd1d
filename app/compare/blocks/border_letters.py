"""Letters at both borders of a block, with those of the adjacent blocks in A."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.app.compare.blocks.ribbon_drawing import face_of
from wavediff.app.compare.difference_list import text_of
from wavediff.app.compare.lines.lines_drawing import ADDED, CHANGED, REMOVED, Face
from wavediff.app.draw.drawing import LEFT, RIGHT, Box, Drawing, Font, Ink, Pen
from wavediff.core.base.arrays import Counts
from wavediff.core.base.numbers import number
from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.jobs.alignment import APART, CONSUMES_A, CONSUMES_B, Alignment, Op
from wavediff.core.jobs.rearranged import Border, CollinearBlock
from wavediff.core.sequences.orientation import Strand, reverse_complement
from wavediff.core.sequences.sequence import Sequence

BORDER_PX, HEADING_PX, ROW_PX, MATCH_PX = 76, 18, 20, 12
CELL_PX, LETTER_PX, SMALL_PX, GUTTER_PX, TAIL_PX = 10, 15, 11, 96, 76
GAP = "–"
UNKNOWN = Face(Ink.APART_STRONG, Ink.APART_PALE, Ink.APART_INK)
FACES: dict[int, Face] = {Op.MISMATCH: CHANGED, Op.INSERTION: ADDED, Op.DELETION: REMOVED, APART: UNKNOWN}


Places = tuple[int | None, int | None]  # in the files of A and B, from 0; None: no letter


class Stretch(NamedTuple):
    """Columns of a block in the direction of A.

    Attributes:
        ops: of each column, ``APART`` for an unknown letter. a, b: characters, ``–`` in gaps.
        ends: places of the first and last letters.
    """

    ops: npt.NDArray[np.uint8]
    a: str
    b: str
    ends: tuple[Places, Places]


def shown_columns(block: CollinearBlock) -> tuple[Alignment | None, Counts]:
    """Return the displayed alignment of a block, and its column ranges of unknown letters."""
    result, none = block.result, np.empty((0, 2), np.int64)
    if result is None or result.codes is None:
        return None if result is None else result.alignment, none
    return result.codes.alignment, result.codes.missing_at


def edge_of(answer: RearrangedAnswer, block: CollinearBlock, columns: int, *, last: bool) -> Stretch:
    """Return up to ``columns`` columns at the start (or end) of a block."""
    alignment, _ = shown_columns(block)
    total = max(block.size) if alignment is None else alignment.n_columns
    return stretch_of(answer.a, answer.b, block, max(0, total - columns) if last else 0, columns)


def stretch_of(a: Sequence, b: Sequence, block: CollinearBlock, first: int, columns: int) -> Stretch:
    """Return up to ``columns`` columns of a block from column ``first``; A may be a circle."""
    alignment, unknown = shown_columns(block)
    ops, lengths = np.array([[Op.DELETION if block.size[0] else Op.INSERTION], [max(block.size)]])
    if alignment is not None:
        ops, lengths = alignment.ops, alignment.lengths
    ends = np.cumsum(lengths)
    kept = np.clip(ends, first, first + columns) - np.clip(ends - lengths, first, first + columns)
    before = np.clip(ends, 0, first) - np.clip(ends - lengths, 0, first)
    some = kept > 0
    seen = np.repeat(ops[some], kept[some]).astype(np.uint8)
    codes, texts = list[npt.NDArray[np.int64]](), list[str]()
    for one, borders, consumes, minus in ((a, block.a, CONSUMES_A, False), (b, block.b, CONSUMES_B, block.minus)):
        n, passed = int(consumes[seen].sum()), int((before * consumes[ops]).sum())
        places = (borders[0].at + passed + np.arange(n)) % max(1, len(one))
        if minus:
            places = borders[1].at - 1 - passed - np.arange(n)
        letters = one.letters[places]
        if minus:
            letters = np.frombuffer(reverse_complement(letters[::-1].tobytes()), np.uint8)
        texts.append(_spread(text_of(letters, one.characters), consumes[seen]))
        codes.append(one.place(places))
    for start, end in unknown[(unknown[:, 1] > first) & (unknown[:, 0] < first + columns)].tolist():
        seen[max(0, start - first) : end - first] = APART
    outer = [tuple(int(places[end]) if places.size else None for places in codes) for end in (0, -1)]
    return Stretch(seen, texts[0], texts[1], ((outer[0][0], outer[0][1]), (outer[1][0], outer[1][1])))


def _spread(text: str, consumes: npt.NDArray[np.int64]) -> str:
    letters = iter(text)
    return "".join(next(letters) if one else GAP for one in consumes.tolist())


def neighbours(answer: RearrangedAnswer, current: int) -> tuple[int, int]:
    """Return the numbers (from 1; 0: none) of the blocks before and after block ``current`` in A."""
    block, before, after = answer.blocks[current - 1], 0, 0
    for k, one in enumerate(answer.blocks, 1):
        if k != current and one.size[0] and one.copy_in != "B":
            before = k if one.a[1].at == block.a[0].at else before
            after = after or (k if one.a[0].at == block.a[1].at else 0)
    return before, after


def draw_borders(drawing: Drawing, box: Box, answer: RearrangedAnswer, current: int) -> None:
    """Draw the letters at both borders of block ``current`` (from 1), as many columns as fit."""
    half = max(0, int((box.wide - GUTTER_PX - TAIL_PX) / (2 * CELL_PX)))
    before, after = neighbours(answer, current)
    for row, (left, right) in enumerate(((before, current), (current, after))):
        place = Box(box.x, box.y + row * BORDER_PX, box.wide, BORDER_PX)
        border = answer.blocks[current - 1].a[row]
        _draw_border(drawing, place, answer, (left, right), half, border)


def _draw_border(
    drawing: Drawing, box: Box, answer: RearrangedAnswer, blocks: tuple[int, int], half: int, border: Border
) -> None:
    """Draw one border: the end of a block next to the start of another (0: none)."""
    free = border.high - border.low
    nothing = {0: "A begins here", len(answer.a): "A ends here"}.get(border.at, "inside another block of A")
    middle, top = box.x + GUTTER_PX + half * CELL_PX, box.y + HEADING_PX
    rows = (top, top + ROW_PX + MATCH_PX)
    for y, name in zip(rows, "AB", strict=True):
        drawing.text(Box(box.x + 8, y, 20, ROW_PX), name, Font(13, bold=True), align=LEFT)
    for k, last in zip(blocks, (True, False), strict=True):
        side = half * CELL_PX
        wide = side if last else side + TAIL_PX - 8
        words = Box(middle - side - 8 if last else middle + 8, box.y, wide, HEADING_PX)
        align = RIGHT if last else LEFT
        if not k:
            drawing.text(words, nothing, Font(SMALL_PX), Ink.DIM, align)
            continue
        block = answer.blocks[k - 1]
        ranges = f" · ±{number(free)} {'fits' if free == 1 else 'fit'} both" if free and not last else ""
        drawing.text(words, _heading(answer, k, last) + ranges, Font(SMALL_PX, bold=True), face_of(block).ink, align)
        if not half:
            continue
        edge = edge_of(answer, block, half, last=last)
        x = middle - edge.ops.size * CELL_PX if last else middle
        draw_stretch(drawing, edge, block, x, rows)
        for y, at in zip(rows, edge.ends[0 if last else 1], strict=True):
            if at is not None:
                outside = Box(x - 68, y, 60, ROW_PX) if last else Box(x + edge.ops.size * CELL_PX + 8, y, 60, ROW_PX)
                drawing.text(outside, number(at + 1), Font(SMALL_PX), Ink.DIM, align)
    drawing.lines([((middle, box.y + 2), (middle, rows[1] + ROW_PX))], Pen(Ink.ACCENT, 2))


def _heading(answer: RearrangedAnswer, k: int, last: bool) -> str:
    """Return number and direction of a block, with the strand of the file of B."""
    block, name = answer.blocks[k - 1], f"block {number(k)}"
    if block.result is None:
        return f"{name}, {block.kind}"
    minus = block.minus != (answer.b.orientation.strand is Strand.MINUS)
    strand = f"{name}, {'−' if minus else '+'}"
    turned = ": B reversed and complemented" if minus and not last else ""
    return f"← {strand}{turned}" if block.minus else f"{strand} →{turned}"


def draw_stretch(drawing: Drawing, edge: Stretch, block: CollinearBlock, x: float, rows: tuple[float, float]) -> None:
    """Draw columns from ``x`` pixels, A and B at ``rows``; B is pale on the reverse strand."""
    wide = edge.ops.size * CELL_PX
    if block.minus:
        drawing.rect(Box(x, rows[1], wide, ROW_PX), CHANGED.pale)
    middle = rows[0] + ROW_PX + MATCH_PX / 2
    bars = list[tuple[tuple[float, float], tuple[float, float]]]()
    for k, op in enumerate(edge.ops.tolist()):
        cell = x + k * CELL_PX
        face = FACES.get(op)
        if face is None:
            bars.append(((cell + CELL_PX / 2, middle - 3), (cell + CELL_PX / 2, middle + 3)))
        for y, letter in zip(rows, (edge.a[k], edge.b[k]), strict=True):
            place = Box(cell, y, CELL_PX, ROW_PX)
            if face is not None:
                drawing.rect(place, face.pale)
            ink = Ink.EQUAL_INK if face is None else face.ink
            drawing.text(place, letter, Font(LETTER_PX, bold=face is not None, mono=True), ink)
    if bars:
        drawing.lines(bars, Pen(Ink.CONTROL))
