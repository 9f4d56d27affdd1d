"""Letters as they are drawn: wide cells, signs for what is not seen, dashes that are no gaps."""

import numpy as np
import pytest

from tests.app import alignment_window
from tests.app.alignments import from_cigar
from wavediff.app.compare.alignment_model import GAP
from wavediff.app.compare.alignment_page import cells_for
from wavediff.app.compare.cell_styles import CellStyles, Colouring, letter_codes
from wavediff.app.compare.difference_list import change_text
from wavediff.app.compare.other_models import UnalignedModel
from wavediff.app.ui.glyphs import letter_font, text_glyph
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.difference_rows import all_rows
from wavediff.core.reading import parse
from wavediff.core.sequences.characters import FIRST_CODE, encoded
from wavediff.core.sequences.common_characters import with_common_characters
from wavediff.core.sequences.letter_text import glyph, has_wide_letters, is_dash, isolated, letter_name, one_by_one
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

view = alignment_window.view
HIDDEN = "\t\n\u2029\u00a0\u00ad\u200b\u0301\u0007"
DASHES = "-\u2010\u2011\u2013\u2014\u2212一ー"


def text(letters):
    return parse(letters, read_as=ReadAs.TEXT).sequence(0)


def shown_as(character):
    characters = "" if character.isascii() else character
    return glyph(int(encoded(character, characters)[0]), characters)


def test_bug_f10_what_is_not_seen_has_a_sign_of_its_own():
    signs = [shown_as(each) for each in HIDDEN]
    assert signs[:6] == ["⇥", "↵", "¶", "⍽", "¬", "⬚"]
    assert len(set(signs)) == len(signs)
    assert all(sign.strip() and sign != "·" for sign in signs)
    assert shown_as("\u0301") == "◌\u0301"
    assert glyph(ord(" "), "") == " "


def test_a_difference_is_seen_in_the_list(qtbot):
    """Spaces have signs, and of two characters with the same sign the code points are written."""
    a, b = "a b\tc\u200dd  e\u2003f\u0301g", "ab c\u200cd e\u00a0f\u0300g"
    pair = with_common_characters(text(a), text(b))
    runs = [(1, sign) for sign in "=D=X=X==D=X=X="]
    listed = ListedDifferences(*pair, index_alignment(from_cigar(*runs)), Kinds.ANY)
    (rows,) = all_rows(listed.index, listed.kinds)
    changes = [change_text(listed, rows, k) for k in range(len(listed))]
    assert changes == ["− ␣", "⇥ → ␣", "U+200D → U+200C", "− ␣", "U+2003 → U+00A0", "◌\u0301 → ◌\u0300"]


@pytest.mark.parametrize(
    ("character", "name"),
    [("\t", "tab"), ("\n", "line end"), ("\u200b", "zero width space"), ("\u00ad", "soft hyphen"), ("é", "é")],
)
def test_what_is_not_seen_has_a_name(character, name):
    characters = "" if character.isascii() else character
    assert letter_name(int(encoded(character, characters)[0]), characters) == name


def test_each_letter_of_a_table_is_seen_and_none_looks_like_another():
    every = "".join(chr(code) for code in range(1, 0x3000) if chr(code) != "\r")
    sequence = text(every)
    drawn = one_by_one(sequence.letters, sequence.characters)
    assert len(drawn) == len(set(drawn)) == len(every)
    assert not any(each.isspace() or each in "\u2800\u3164" for each in drawn)
    assert drawn[every.index("\u0301")] == "\u0301"  # drawn on its base, not as another sign
    assert len(set(one_by_one(bytes(range(256)), ""))) == 256


@pytest.mark.parametrize(
    ("a", "b", "wide"),
    [("中文字符", "中文", True), ("Hello, 中文字符", "x", True), ("plain", "text", False), ("Ελλάδα", "Россия", False),
     ("one 🙂 in a hundred letters or more " * 3, "x" * 200, False), ("🙂🙃", "🙂", True)],
)  # fmt: skip
def test_bug_f10_wide_letters_have_wide_cells(a, b, wide):
    pair = with_common_characters(text(a), text(b))
    assert has_wide_letters(*pair) == wide
    assert cells_for(15, wide=True).width == 2 * cells_for(15).width


def test_bug_f10_the_letters_view_draws_chinese_side_by_side(view, qtbot):
    pair = with_common_characters(text("中文字符" * 5), text("中文字符" * 5))
    view.show_result(*pair, from_cigar((20, "=")), fold_case=False)
    qtbot.waitUntil(lambda: view.model is not None)
    size = view.canvas.font_size
    assert view.canvas.surface.cells.width == cells_for(size, wide=True).width


def test_letters_wider_than_their_cell_are_drawn_smaller(qtbot):
    looks = CellStyles(Theme(Scheme.LIGHT), Colouring.PLAIN, Alphabet.TEXT, "中", 15, (10, 20, 12))
    code = int(letter_codes(*_cell(FIRST_CODE, Op.EQUAL), "中")[0])
    mask = looks.letter(code).mask
    assert mask.any()
    columns = np.flatnonzero(mask.any(axis=0))
    rows = np.flatnonzero(mask.any(axis=1))
    assert columns.size <= 10
    assert rows.size <= 14  # a square as wide as the cell, not one that is cut
    assert text_glyph("中", letter_font(15)) is not None


@pytest.mark.parametrize("character", DASHES)
def test_bug_f10_a_deleted_dash_is_no_gap(qtbot, character):
    characters = "" if character.isascii() else character
    code = int(encoded(character, characters)[0])
    assert is_dash(code, characters)
    looks = CellStyles(Theme(Scheme.LIGHT), Colouring.PLAIN, Alphabet.TEXT, characters, 15, (18, 20, 12))
    letter, gap = (looks.letter(int(letter_codes(*_cell(one, Op.DELETION), characters)[0])) for one in (code, GAP))
    assert (letter.mask > 0).sum() > 2 * (gap.mask > 0).sum()  # the frame


def _cell(letter, op):
    return np.array([letter], np.int32), np.array([op], np.uint8), np.array([False])


def test_letters_from_right_to_left_do_not_turn_what_stands_beside_them():
    assert isolated("العربية") == "\u2068العربية\u2069"
    assert isolated("שלום") == "\u2068שלום\u2069"
    assert isolated("中文 é ж") == "中文 é ж"


def test_one_text_of_many_characters_is_shown_alone():
    alone = text("".join(chr(0x4E00 + k) for k in range(300)))
    for model in (UnalignedModel(alone, None), UnalignedModel(None, alone)):
        assert has_wide_letters(model.a, model.b)
        assert model.n_columns == 300
