"""Letters on pixels: atlas, rulers, contrast, pages, pixel ratios."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from tests.app.alignments import from_cigar, random_pair, sequence
from wavediff.app.compare.alignment_layout import AlignmentLayout
from wavediff.app.compare.alignment_model import GAP, UNALIGNED, AlignmentModel
from wavediff.app.compare.alignment_page import PageComposer, cells_for
from wavediff.app.compare.cell_styles import CellStyles, Colouring, letter_codes, readable
from wavediff.app.ui.glyphs import CellStyle, GlyphAtlas, Ruler, advance, blend, letter_font, text_mask, tick_steps
from wavediff.app.ui.theme import Scheme, Theme, contrast
from wavediff.core.base.numbers import use_separators
from wavediff.core.jobs.alignment import SWAP, Op
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.sequences.sequence import Alphabet

pytestmark = pytest.mark.usefixtures("qapp")
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("wrapped", ["wrapped", "one line"])
@pytest.mark.parametrize("ratio", [*(pytest.param(whole, marks=pytest.mark.thorough) for whole in ("1", "2")), "1.5"])
def test_the_screen_shows_the_page_unscaled_at_every_pixel_ratio(ratio, wrapped):
    run = subprocess.run(
        [sys.executable, "-m", "tests.app.alignment_pixels", ratio, wrapped],
        cwd=ROOT,
        env=os.environ | {"QT_SCALE_FACTOR": ratio, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.stdout == "same pixels\n", run.stderr


def test_an_atlas_draws_what_each_code_looks_like_alone():
    font = letter_font(14)
    looks = [
        CellStyle(text_mask(letter, font, 9, 18), QColor(i, 2 * i, 99), QColor("white"))
        for i, letter in enumerate("ACGT" * 8)
    ]
    made = []

    def look(code):
        made.append(code)
        return looks[code]

    atlas = GlyphAtlas(9, 18, len(looks), look)
    codes = np.random.default_rng(0).integers(0, len(looks), (3, 50)).astype(np.int32)
    out = np.zeros((3, 18, 450), np.uint32)
    atlas.draw(codes, out)
    atlas.draw(codes, out)
    for line in range(3):
        for i, code in enumerate(codes[line].tolist()):
            assert np.array_equal(out[line, :, 9 * i : 9 * i + 9], blend(looks[code]))
    assert sorted(made) == np.unique(codes).tolist()  # each one once


def test_a_mask_holds_ink_and_no_letter_looks_like_another():
    masks = {letter: text_mask(letter, letter_font(14), 9, 18).tobytes() for letter in "ACGTNacgt·"}
    assert len(set(masks.values())) == len(masks)
    assert all(any(mask) for mask in masks.values())


def code_of(letter, op, selected=False, characters=""):
    columns = np.array([letter], np.int32), np.array([op], np.uint8), np.array([selected])
    return int(letter_codes(*columns, characters)[0])


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
@pytest.mark.parametrize("colouring", list(Colouring))
def test_every_letter_is_readable_whatever_its_column_selection_and_theme(scheme, colouring):
    looks = CellStyles(Theme(scheme), colouring, Alphabet.DNA, "", 13, (9, 17, 10))
    seen = set()
    shown = [*b"ACGTUNacgtRY*-", GAP]
    for letter, op, selected in product(shown, range(UNALIGNED + 1), (False, True)):
        if letter != GAP or op not in (Op.EQUAL, UNALIGNED):
            look = looks.letter(code_of(letter, op, selected))
            assert contrast(look.ink, look.paper) >= 4.5
            seen.add((look.paper.name(), (op, selected)))
    assert len({paper for paper, _ in seen}) >= 10  # fills of four kinds, the paper, and all of them selected


def test_differences_are_marked_without_colour_too():
    looks = CellStyles(Theme(Scheme.LIGHT), Colouring.LETTERS, Alphabet.DNA, "", 13, (9, 17, 10))
    equal, mismatch = (looks.letter(code_of(ord("A"), op)).mask for op in (Op.EQUAL, Op.MISMATCH))
    assert mismatch.sum() > 1.1 * equal.sum()  # bold
    gap = looks.letter(code_of(GAP, Op.DELETION)).mask
    assert gap.any()
    marks = [looks.match(op).mask for op in Op]
    assert marks[Op.EQUAL].any()
    assert marks[Op.MISMATCH].any()
    assert not np.array_equal(marks[Op.EQUAL], marks[Op.MISMATCH])
    assert not marks[Op.INSERTION].any()
    assert not marks[Op.DELETION].any()
    assert looks.match(SWAP).paper == looks.letter(code_of(ord("A"), SWAP)).paper != looks.paper


def test_a_colour_is_changed_only_as_far_as_reading_needs():
    white = QColor("white")
    assert readable(QColor("#1c2127"), white) == QColor("#1c2127")
    changed = readable(QColor("#f0e442"), white)
    assert 4.5 <= contrast(changed, white) < 6


@pytest.mark.parametrize(
    ("cell", "label", "step"),
    [(9, 50, (10, 5)), (9, 90, (10, 5)), (9, 91, (20, 10)), (2, 60, (50, 10)), (1, 300, (500, 100))],
)
def test_ticks_stand_as_close_as_their_labels_allow(cell, label, step):
    assert tick_steps(cell, label) == step


def test_a_ruler_groups_its_numbers_as_the_locale_does():
    numbers = np.arange(9_980, 10_021)[None]
    drawn = []
    try:
        for group in (",", ".", ","):
            use_separators(group)
            ruler = Ruler(9, 10, 16, QColor("black"), QColor("red"), QColor("white"))
            out = np.full((1, 16, 9 * numbers.size), 0xFFFFFFFF, np.uint32)
            ruler.draw(numbers, out, below=False)
            drawn.append(out)
    finally:
        use_separators()
    assert (drawn[0] == drawn[2]).all()
    assert (drawn[0] != drawn[1]).any(axis=1).sum() < 9 * 8, "nothing but the separators differs"
    assert (drawn[0] != drawn[1]).any()


def test_a_ruler_ticks_at_round_numbers_of_letters_not_of_columns():
    paper = QColor("white")
    ruler = Ruler(9, 10, 16, QColor("black"), QColor("red"), paper)
    numbers = np.concatenate([np.arange(1, 10), np.zeros(5, np.int64), np.arange(10, 31)])[None]  # a gap after 9
    out = np.full((1, 16, 9 * numbers.size), 0xFFFFFFFF, np.uint32)
    ruler.draw(numbers, out, below=False)
    ticked = np.flatnonzero(out[0, -1] == 0xFFFF0000) // 9
    assert numbers[0, ticked].tolist() == [5, 10, 15, 20, 25, 30]
    assert (out[0, :8] != 0xFFFFFFFF).any(axis=0)[9 * 10 : 9 * 18].any()  # digits over column of letter 10
    hanging = np.full_like(out, 0xFFFFFFFF)
    ruler.draw(numbers, hanging, below=True)
    assert (hanging[0, 0] == 0xFFFF0000).sum() == ticked.size


def test_a_ruler_narrower_than_a_label_has_ticks_only():
    ruler = Ruler(3, 10, 16, QColor("black"), QColor("red"), QColor("white"))
    out = np.full((1, 16, 6), 0xFFFFFFFF, np.uint32)
    ruler.draw(np.array([[1_000_000, 1_000_001]]), out, below=False)
    assert set(out.ravel().tolist()) == {0xFFFFFFFF, 0xFFFF0000}


def widths_of_labels(pixels, digit):
    """Return the width of each run of inked columns; blanks narrower than a digit are inside one."""
    columns = np.flatnonzero((pixels != 0xFFFFFFFF).any(axis=0))
    labels = np.split(columns, np.flatnonzero(np.diff(columns) > digit) + 1)
    return [int(one[-1] - one[0] + 1) for one in labels]


@pytest.mark.parametrize("first", [19_999_910, 19_999_911, 19_999_915, 19_999_919])
def test_labels_moved_from_the_ends_of_a_line_touch_no_other(first):
    numbers, digit = np.arange(first, first + 74)[None], advance(letter_font(10))
    ruler = Ruler(9, 10, 16, QColor("black"), QColor("red"), QColor("white"))
    out = np.full((1, 16, 9 * 74), 0xFFFFFFFF, np.uint32)
    ruler.draw(numbers, out, below=False)
    picture = QImage(9 * 74, 16, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    ruler.paint(painter, numbers[0], QPointF(0, 0), False, numbers)
    painter.end()
    painted = np.frombuffer(picture.constBits(), np.uint32).reshape(16, -1)
    widths, of_picture = (widths_of_labels(pixels[:10], digit) for pixels in (out[0], painted))
    assert len(widths) == len(of_picture) >= 5
    assert max(*widths, *of_picture) <= len("19,999,910") * digit


def test_a_page_is_whole_lines_and_selection_changes_only_its_columns():
    a, b, alignment = random_pair(300)
    model = AlignmentModel(a, b, index_alignment(alignment))
    composer = PageComposer(Theme(Scheme.LIGHT), Colouring.LETTERS, Alphabet.DNA, "", 13)
    assert composer.cells == cells_for(13)
    layout = AlignmentLayout(model.n_columns, composer.cells, 500, 400, wrapped=True)
    plain = composer.compose(model, layout, 0, (0, 0)).pixels.copy()
    chosen = composer.compose(model, layout, 0, (3, 5)).pixels
    first, last = layout.lines_at(0)
    assert plain.shape == ((last - first) * layout.cells.pitch, layout.columns_per_line * layout.cells.width)
    changed = np.flatnonzero((plain != chosen).any(axis=0)) // layout.cells.width
    assert set(changed.tolist()) == {3, 4}
    assert np.array_equal(plain[layout.cells.block :], chosen[layout.cells.block :])


def test_the_last_line_is_filled_up_with_paper():
    model = AlignmentModel(sequence("A" * 25), sequence("A" * 25), index_alignment(from_cigar((25, "="))))
    composer = PageComposer(Theme(Scheme.LIGHT), Colouring.PLAIN, Alphabet.DNA, "", 13)
    cells = composer.cells
    layout = AlignmentLayout(25, cells, 20 * cells.width, 400, wrapped=True)
    page = composer.compose(model, layout, 0, (0, 0))
    rest = page.pixels[cells.pitch + cells.a_top : cells.pitch + cells.b_ruler_top, 5 * cells.width :]
    assert len(set(rest.ravel().tolist())) == 1


@pytest.mark.parametrize("size", [1, 4, 5, 7, 30, 150])
def test_pages_can_be_drawn_in_any_size_of_letters(size):
    a, b, alignment = random_pair(200)
    model = AlignmentModel(a, b, index_alignment(alignment))
    composer = PageComposer(Theme(Scheme.DARK), Colouring.LETTERS, Alphabet.DNA, "", size)
    layout = AlignmentLayout(model.n_columns, composer.cells, 640, 300, wrapped=True)
    page = composer.compose(model, layout, 0, (0, 0))
    assert np.unique(page.pixels).size > 5


@pytest.mark.parametrize("pixel_size", range(9, 61, 4))
def test_the_mark_under_a_letter_does_not_touch_it(pixel_size):
    """A T above its mark is no I."""
    cells = cells_for(pixel_size)
    size = cells.width, cells.height, cells.match_height
    look = CellStyles(Theme(Scheme.LIGHT), Colouring.PLAIN, Alphabet.DNA, "", pixel_size, size).letter(
        code_of(ord("T"), Op.MISMATCH)
    )
    inked = np.flatnonzero(look.mask.max(axis=1) > 60)
    assert inked.max() < cells.height - look.foot[1] - 1


@pytest.mark.parametrize("pixel_size", [15, 28])
def test_the_mark_under_a_letter_covers_none_of_it(pixel_size):
    """The g of "sitting" is no q."""
    cells = cells_for(pixel_size)
    size = cells.width, cells.height, cells.match_height
    looks = CellStyles(Theme(Scheme.LIGHT), Colouring.PLAIN, Alphabet.TEXT, "", pixel_size, size)
    for letter in "gjpqy":
        look = looks.letter(ord(letter) + (Op.INSERTION << 9))
        inked = np.flatnonzero(look.mask.max(axis=1) > 128)
        assert inked.max() < cells.height - look.foot[1], letter
    assert looks.letter(ord("E") + (Op.INSERTION << 9)).mask[0].max() < 128  # nor is it cut at the top
