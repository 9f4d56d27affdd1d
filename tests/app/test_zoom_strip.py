"""The zoom strip: truthful lanes at any scale, levels that follow the letters, wheel, click, drag and keys."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from tests.app import alignment_window
from tests.app.alignment_window import place
from tests.app.alignments import from_cigar, sequence
from wavediff.app.commands import cli
from wavediff.app.compare.strip_drawing import FOLDED_PX, LANE_PX, MIN_HANDLE_PX, Lane, window_counts
from wavediff.app.compare.strip_levels import StripLevels, Window, level_count
from wavediff.app.compare.strip_words import short_count
from wavediff.app.compare.tracks import Tracks, find_tracks
from wavediff.app.compare.tracks.masks import HITS
from wavediff.app.compare.zoom_strip import ZoomStrip
from wavediff.app.draw.recording import in_picture, paint_widget
from wavediff.app.ui.glyphs import pixel
from wavediff.app.ui.lanes import bar_heights, draw_lanes
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.jobs.alignment import APART, SWAP, Alignment, Op, Swaps
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.reading import parse
from wavediff.core.sequences.spans import SpanKind, Spans

view, shown = alignment_window.view, alignment_window.shown
PAPER, LINE, INK = QColor("#ffffff"), QColor("#cccccc"), QColor("#0000ff")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def strip(qtbot):
    widget = ZoomStrip(Theme(Scheme.LIGHT))
    qtbot.addWidget(widget)
    widget.resize(900, widget.height())
    widget.show()
    return widget


def long_index():
    """50 million columns: a substitution each 5,000, and one insertion of 4,321."""
    runs = [(4_999, "="), (1, "X")] * 6_000 + [(1_000, "="), (4_321, "I")] + [(4_999, "="), (1, "X")] * 4_000
    return index_alignment(from_cigar(*runs))


@given(st.integers(0, 999), st.integers(1, 600), st.integers(1, 300), st.floats(0, 1), st.floats(0, 1))
def test_a_pixel_has_ink_in_a_lane_where_a_column_of_that_kind_lies_behind_it(seed, n_runs, pixels, start, part):
    rng = np.random.default_rng(seed)
    ops = (np.cumsum(rng.integers(1, 4, n_runs)) % 4).astype(np.uint8)
    alignment = Alignment(ops, rng.integers(1, rng.integers(2, 40), n_runs))
    columns = np.repeat(alignment.ops, alignment.lengths)
    span = max(1.0, part * columns.size)
    window = Window(start * (columns.size - span), span)
    counts = window_counts(index_alignment(alignment), window, pixels)
    lanes = [Lane(op, INK, off) for op in (Op.MISMATCH, Op.INSERTION, Op.DELETION) for off in (False, True)]
    rows = counts[[lane.kind for lane in lanes]]
    inks = [(lane.colour, lane.off) for lane in lanes]
    picture = draw_lanes(rows, counts.sum(axis=0), inks, (7, 1), PAPER, LINE)
    first, end = window.pixels(pixels)
    assert (end > first).all()
    assert end[-1] <= columns.size
    assert (first[1:] <= end[:-1]).all(), "columns between pixels are left out"
    for row, lane in enumerate(lanes):
        inked = (picture[7 * row : 7 * row + 6] == pixel(INK)).any(axis=0)
        expected = [bool((columns[x:y] == lane.kind).any()) for x, y in zip(first, end, strict=True)]
        assert inked.tolist() == expected


@given(st.integers(1, 10**9), st.integers(2, 60))
def test_bars_grow_with_the_letters_and_are_full_where_all_differ(columns, room):
    different = np.unique(np.linspace(0, columns, 200).astype(np.int64))
    heights = bar_heights(different, np.full(different.size, columns), room)
    assert heights[0] == 0
    assert (np.diff(heights) >= 0).all()
    assert (heights[1:] >= 2).all()
    assert heights[-1] == room


@pytest.mark.parametrize(
    ("columns", "levels"), [(0, 1), (999_999, 1), (1_000_000, 2), (19_999_999, 2), (20_000_000, 3), (250_000_000, 3)]
)
def test_levels_open_with_the_length(columns, levels):
    assert level_count(columns) == levels


@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize(("share", "comes_along"), [(0.06, False), (0.04, True)])
def test_a_level_comes_along_where_letters_come_near_its_edge(at_end, share, comes_along):
    levels = StripLevels()
    levels.reset(50_000_000)
    levels.follow(10_000_000, 10_000_350)
    before = levels.windows[2]
    margin = round(share * before.span)
    first = round(before.end) - margin - 350 if at_end else round(before.first) + margin
    levels.follow(first, first + 350)
    assert (levels.windows[2] != before) is comes_along


def test_levels_keep_their_place_until_the_letters_leave_them():
    levels = StripLevels()
    levels.reset(50_000_000)
    levels.follow(10_000_000, 10_000_350)
    assert [round(each.span) for each in levels.windows] == [50_000_000, 500_000, 5_000]
    assert all(each.first <= 10_000_000 and each.end >= 10_000_350 for each in levels.windows)
    before = list(levels.windows)
    levels.follow(10_000_700, 10_001_050)
    assert levels.windows == before
    levels.follow(10_100_000, 10_100_350)
    assert levels.windows[:2] == before[:2]
    assert levels.windows[2].middle == pytest.approx(10_100_175)


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0.01, 100), st.floats(0, 1)), max_size=30))
def test_zooming_stays_inside_and_nested_and_keeps_the_column_under_the_pointer(turns):
    levels = StripLevels()
    levels.reset(50_000_000)
    levels.follow(1_000_000, 1_000_350)
    for level, factor, share in turns:
        old = levels.windows[level]
        at = old.first + share * old.span
        levels.zoom(level, factor, at)
        new = levels.windows[level]
        if new.first > 0 and new.end < levels.n_columns:
            assert new.share(at) == pytest.approx(share, abs=1e-6)
        spans = [each.span for each in levels.windows]
        assert spans == sorted(spans, reverse=True)
        assert spans[-1] >= 350
        assert all(each.first >= 0 and each.end <= levels.n_columns + 1e-6 for each in levels.windows)


def test_a_click_goes_to_the_longest_difference_of_the_lane(strip, qtbot):
    index = long_index()
    strip.set_index(index)
    strip.set_window(0, 350, 350)
    area = strip.area(0)
    x = area.left() + area.width() * 30_001_000 / index.n_columns
    lane = int(area.top() + 3 + 7 * 1.5)
    with qtbot.waitSignal(strip.caret_wanted) as told:
        qtbot.mouseClick(strip, LEFT, pos=QPoint(int(x), lane))
    assert told.args == [30_001_000]
    assert "4,321 letters inserted" in strip.tip_at(QPointF(x, lane))


def test_a_click_on_any_level_goes_to_what_lies_there(strip, qtbot):
    strip.set_index(index_alignment(from_cigar((50_000_000, "="))))
    strip.set_window(25_000_000, 25_000_350, 280)
    for level, window in enumerate(strip.levels.windows):
        area = strip.area(level)
        at = area.topLeft() + QPointF(0.7 * area.width(), area.height() / 2)
        with qtbot.waitSignal(strip.caret_wanted) as told:
            qtbot.mouseClick(strip, LEFT, pos=at.toPoint())
        assert told.args == [pytest.approx(window.first + 0.7 * window.span, abs=2 * window.span / area.width())]


def test_f9_folds_the_strip_and_unfolds_it(shown, qtbot):
    view = shown()
    for folded in (True, False):
        qtbot.keyClick(view.canvas, Qt.Key.Key_F9)
        assert (view.strip.height() == FOLDED_PX) is folded


def test_switched_off_kinds_are_outlines_and_folding_shows_all(strip):
    strip.set_index(index_alignment(from_cigar((500, "="), (400, "X"), (500, "="))))
    height = strip.height()
    assert height == 3 * LANE_PX
    whole = strip.grab().toImage()
    strip.set_kinds(Kinds.INSERTION)
    assert strip.grab().toImage() != whole
    strip.set_kinds(Kinds.ANY)
    strip.set_folded(True)
    assert strip.height() == FOLDED_PX
    colour = Theme(Scheme.LIGHT).kind(Op.MISMATCH).strong
    folded = strip.grab().toImage()
    assert any(folded.pixelColor(folded.width() // 2, y) == colour for y in range(folded.height()))
    strip.set_folded(False)
    strip.fit(QSize(2560, 1440))
    assert strip.height() == 2 * height


def test_a_picture_of_the_strip_is_made_a_level_a_step_and_is_the_same(strip):
    strip.set_index(long_index())
    assert len(strip.levels.windows) == 3
    ratio, images = 4.0, []
    for stepwise in (False, True):
        image = QImage(strip.size() * ratio, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        painter.scale(ratio, ratio)
        with in_picture(ratio):
            n_steps = len(list(paint_widget(painter, strip))) if stepwise else strip.render(painter, QPoint()) or 0
            strip.above()(painter)
        painter.end()
        images.append(image)
    assert n_steps > 3
    assert images[0] == images[1]


def test_a_picture_as_svg_has_each_shape_of_the_strip_once(qapp, tmp_path):
    """SVG does not clip: half transparent shapes that were drawn in each piece of the strip became opaque."""
    a, b = (tmp_path / name for name in ("a.gb", "b.fa"))
    letters = "ACGTTGCAAC" * 300
    feature = '     gene            1201..1900\n                     /gene="geneY"\n'
    origin = "".join(f"{at + 1:>9} {letters[at : at + 60]}\n" for at in range(0, 3000, 60))
    head = "LOCUS       PLA              3000 bp    DNA     linear   BCT 01-JAN-2020\n"
    a.write_text(f"{head}FEATURES             Location/Qualifiers\n{feature}ORIGIN\n{origin}//\n")
    b.write_text(f">b\n{letters[:1600]}{letters[1612:]}\n")
    picture = tmp_path / "letters.svg"
    words = "compare", str(a), str(b), "--view", "letters", "--at", "1500", "--quiet", "--svg", str(picture)
    assert cli.main([*words]) == 1
    drawn = picture.read_text()
    assert [drawn.count(f">{word}</text>") for word in ("Features A", "Features B")] == [1, 1]
    assert len(re.findall(r'fill-opacity="0\.15\d+"[^>]*>\s*<(?:path|rect)', drawn)) == 1, "the handle"


def test_small_windows_have_one_level(strip):
    strip.set_index(long_index())
    strip.fit(QSize(800, 500))
    assert (len(strip.levels.windows), strip.height()) == (1, 3 * LANE_PX)
    strip.fit(QSize(1280, 800))
    assert (len(strip.levels.windows), strip.height()) == (3, 3 * 48)


def test_the_handle_can_be_seen_and_dragged(strip, qtbot):
    strip.set_index(long_index())
    strip.set_window(25_000_000, 25_000_350, 280)
    wanted = []
    strip.start_wanted.connect(wanted.append)
    handle = strip.handle(0)
    assert handle.width() >= MIN_HANDLE_PX
    at = handle.center().toPoint()
    qtbot.mousePress(strip, LEFT, pos=at)
    qtbot.mouseMove(strip, at + QPoint(100, 0))
    qtbot.mouseRelease(strip, LEFT, pos=at + QPoint(100, 0))
    assert wanted[-1] == pytest.approx(25_000_000 + 100 / strip.area(0).width() * 50_000_000, rel=0.02)
    strip._level = 2
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    assert wanted[-1] == 25_000_280, "on the last level by the letters that are not cut, so that none is left out"


def test_swaps_and_unknown_letters_have_a_lane_of_their_own(strip):
    """A lane that is there only where the result has any."""
    alignment = from_cigar((10, "="), (2, "X"), (10, "="))
    strip.set_index(index_alignment(alignment))
    assert [lane.kind for lane in strip.lanes_of(0)] == [Op.MISMATCH, Op.INSERTION, Op.DELETION]
    swaps = Swaps(*(np.array([place], np.int64) for place in (10, 11, 10, 11)))
    strip.set_index(index_alignment(alignment, swaps))
    assert [lane.kind for lane in strip.lanes_of(0)] == [Op.MISMATCH, Op.INSERTION, Op.DELETION, SWAP]
    assert strip.height() == 4 * LANE_PX
    strip.set_index(index_alignment(alignment, apart_at=np.array([[11, 12]])))
    assert [lane.kind for lane in strip.lanes_of(0)] == [Op.MISMATCH, Op.INSERTION, Op.DELETION, APART]
    assert [lane.off for lane in strip.lanes_of(0)] == [False, False, False, True]
    assert "1 letter unknown, not counted" in strip.tip_at(
        strip.area(0).center() + QPointF(strip.area(0).width() / 44, 0)
    )
    strip.set_index(index_alignment(alignment, swaps))
    assert "1 letter in swaps" in strip.tip_at(strip.area(0).center())  # a letter is wider than a pixel


def test_tracks_have_lanes_below_the_differences(strip, qtbot):
    """A lane only where a track has spans; its tips name them, and a click goes to the first one under it."""
    strip.set_index(index_alignment(from_cigar((500, "="), (100, "I"), (400, "="))))
    plain = strip.grab().toImage()
    hits = Spans(
        kind=SpanKind.HIT, n_letters=1_000, starts=np.array([550, 600]), ends=np.array([580, 900]),
        names=("ND1", "COX1"),
    )  # fmt: skip
    index = index_alignment(from_cigar((500, "="), (100, "I"), (400, "=")))
    pair = sequence("A" * index.n_a, "a"), sequence("A" * index.n_b, "b")
    tracks = find_tracks(index, *pair, {Side.A: hits, Side.B: hits}, frozenset(), CancelToken())
    assert list(tracks.lanes[HITS]) == [Side.B], "those of A are of another sequence"
    strip.set_tracks(tracks)
    assert [lane.track for lane in strip.lanes_of(0)] == [None, None, None, HITS]
    assert strip.height() == 4 * LANE_PX
    area = strip.area(0)
    at = QPointF(area.left() + area.width() * 0.7, area.bottom() - 2)
    assert strip.tip_at(at).splitlines()[-1] == "1 hit of the search in B: COX1"
    picture, colour = strip.grab().toImage(), Theme(Scheme.LIGHT).text
    across = [round(area.left() + area.width() * (col + 0.5) / 1_000) for col in range(150, 1_000)]  # behind the handle
    inked = [150 + k for k, x in enumerate(across) if picture.pixelColor(x, round(area.bottom()) - 3) == colour]
    assert inked[0] == pytest.approx(550, abs=2)
    assert inked[-1] == pytest.approx(899, abs=2)
    assert not {x for x in inked if 583 < x < 598}
    with qtbot.waitSignal(strip.caret_wanted) as told:
        qtbot.mouseClick(strip, LEFT, pos=at.toPoint())
    assert told.args == [600]
    strip.set_tracks(Tracks())
    assert strip.grab().toImage() == plain


def test_masks_of_a_sequence_are_a_track(view, qtbot):
    a, b = sequence("ACGT" * 15, "a"), sequence("ACGT" * 7 + "acgt" * 4 + "ACGT" * 4, "b")
    view.show_result(a, b, from_cigar((60, "=")), fold_case=True)
    qtbot.waitUntil(lambda: view.strip.height() == 4 * LANE_PX)
    assert "1 masked stretch in B" in view.strip.tip_at(view.strip.area(0).center())


def test_low_qualities_are_a_track_whose_tip_has_q_values(view, qtbot):
    a = parse(b"@a\n" + b"ACGT" * 15 + b"\n+\n" + b"I" * 28 + b"#$%5" * 4 + b"I" * 16 + b"\n").sequence(0)
    view.show_result(a, sequence("ACGT" * 15, "b"), from_cigar((60, "=")), fold_case=True)
    qtbot.waitUntil(lambda: view.strip.height() == 4 * LANE_PX)
    assert "in A: Q2 to Q4" in view.strip.tip_at(view.strip.area(0).center())


def test_a_click_moves_the_caret_and_steps_go_on_from_there(shown, qtbot):
    view = shown((20_000, "="), (1, "X"), (20_000, "="), (30, "I"), (20_000, "="), (1, "X"), (9, "="), size=(900, 700))
    area = view.strip.area(0)
    x = area.left() + area.width() * 40_001 / 60_041
    qtbot.mouseClick(view.strip, LEFT, pos=QPoint(round(x), int(area.top() + 3 + 7 * 1.5)))
    assert view.canvas.caret == 40_001
    assert view.canvas.is_visible(40_001)
    assert place(view).startswith("difference 2 of 3")
    view.navigation.go_next()
    assert place(view).startswith("difference 3 of 3")


@pytest.mark.parametrize(
    ("n", "text"), [(5_000, "5,000"), (500_000, "500 k"), (50_000_000, "50 M"), (2_500_000, "2.5 M")]
)
def test_scales_are_short(n, text):
    assert short_count(n) == text
