"""Where columns lie on the screen, up to 10^9 of them, and how a 32-bit scroll bar keeps up."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.app.compare.alignment_layout import MAX_SCROLLBAR_VALUE, AlignmentLayout, BarScale, LineMetrics

CELLS = LineMetrics(width=9, height=17, match_height=10, ruler_height=15, spacing=14, b_ruler_height=15)

layouts = st.builds(
    AlignmentLayout,
    n_columns=st.integers(1, 10**9),
    cells=st.just(CELLS),
    width=st.integers(1, 4000),
    height=st.integers(40, 3000),
    wrapped=st.booleans(),
    margin=st.integers(0, 20),
)


def test_parts_of_a_line_lie_below_each_other():
    tops = [0, CELLS.a_top, CELLS.match_top, CELLS.b_top, CELLS.b_ruler_top, CELLS.block, CELLS.pitch]
    heights = [15, 17, 10, 17, 15, 14]
    assert [after - top for top, after in itertools.pairwise(tops)] == heights


@given(layouts, st.floats(0, 1), st.floats(0, 1))
def test_a_column_is_found_again_where_it_is_placed(layout, share, where):
    position = layout.clamp(int(layout.last_position * where))
    first, last = layout.columns_at(position)
    assert 0 <= first < last <= layout.n_columns
    col = first + int((last - first - 1) * share)
    x, y = layout.place(col, position)
    if x >= 0:
        assert layout.column_at(x, y, position) == col
        assert layout.column_at(x + CELLS.width - 1, y + CELLS.block - 1, position) == col
        assert layout.nearest_column(x, y, position) == col
        assert layout.nearest_column(x + CELLS.width - 1, y, position) == col + 1
    assert layout.column_at(x, y + CELLS.block, position) is None


@given(layouts, st.floats(0, 1))
def test_centring_and_revealing_bring_a_column_into_sight(layout, share):
    col = int((layout.n_columns - 1) * share)
    for position in (layout.centred(col), layout.revealed(col, 0), layout.revealed(col, layout.last_position)):
        assert 0 <= position <= layout.last_position
        first, last = layout.columns_at(position)
        assert first <= col < last
    assert layout.revealed(col, layout.revealed(col, 0)) == layout.revealed(col, 0)


@given(layouts, st.integers(0, 2**40))
def test_every_position_shows_columns_and_the_top_one_stays(layout, wanted):
    position = layout.clamp(wanted)
    col = layout.top_column(position)
    back = layout.position_of_top(col)
    assert layout.top_column(back) == col or back == layout.last_position


def test_the_last_position_shows_the_last_column_wholly():
    for wrapped in (True, False):
        layout = AlignmentLayout(10**9, CELLS, 1003, 777, wrapped, 8)
        x, y = layout.place(10**9 - 1, layout.last_position)
        assert x + CELLS.width <= 1003
        assert y + CELLS.block <= 777


@given(st.integers(0, 10**12))
def test_a_scroll_bar_of_32_bits_reaches_both_ends_of_any_alignment(last):
    scale = BarScale(last)
    assert scale.maximum <= MAX_SCROLLBAR_VALUE < 2**31
    assert (scale.to_bar(0), scale.from_bar(0)) == (0, 0)
    assert scale.to_bar(last) == scale.maximum
    assert scale.from_bar(scale.maximum) == last


@given(st.integers(1, 10**12), st.floats(0, 1))
def test_a_position_survives_the_scroll_bar_but_for_its_coarseness(last, share):
    scale, position = BarScale(last), int(last * share)
    coarse = 0 if last <= MAX_SCROLLBAR_VALUE else last // MAX_SCROLLBAR_VALUE + 1
    assert abs(scale.from_bar(scale.to_bar(position)) - position) <= coarse


@pytest.mark.parametrize(("width", "columns"), [(1, 1), (9, 1), (89, 9), (179, 10), (180, 20), (224, 20), (1100, 120)])
def test_as_many_columns_as_fit_in_round_numbers(width, columns):
    assert AlignmentLayout(10**6, CELLS, width, 100, wrapped=True).columns_per_line == columns


@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (4000, 1), (5, 8)])
def test_a_surface_too_small_for_a_line_still_has_a_place(size, wrapped):
    layout = AlignmentLayout(1000, CELLS, *size, wrapped, 8)
    for position in (0, layout.last_position // 2, layout.last_position):
        first, last = layout.columns_at(position)
        assert 0 <= first < last <= 1000


@pytest.mark.parametrize(("height", "line"), [(4000, 2), (5 * CELLS.pitch, 2), (3 * CELLS.pitch, 1), (50, 0)])
def test_a_jump_goes_to_the_third_line_or_a_middle_one(height, line):
    layout = AlignmentLayout(10**6, CELLS, 900, height, wrapped=True)
    _, y = layout.place(500_000, layout.centred(500_000))
    assert y == line * CELLS.pitch


def test_an_empty_alignment_has_no_lines():
    layout = AlignmentLayout(0, CELLS, 100, 100, wrapped=True)
    assert (layout.n_lines, layout.columns_at(0), layout.last_position) == (0, (0, 0), 0)
