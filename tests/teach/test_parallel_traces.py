"""Lessons on blocks, sums, halves, workers, bands and diagonals: beside definitions and oracles."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wavediff.core.teach.band import band_cells, band_of, banded_values
from wavediff.core.teach.block_queue import word_carries
from wavediff.core.teach.blocks import new_blocks
from wavediff.core.teach.conditional_sum import conditional_sums
from wavediff.core.teach.diagonals import furthest_points
from wavediff.core.teach.halves import HalvesTrace, halves
from wavediff.core.teach.lesson import MAX_SENTENCE_LETTERS
from wavediff.core.teach.monotone import monotone_trace
from wavediff.core.teach.questions import Kind, ask
from wavediff.core.teach.scene import NEVER, Grid, Sheet
from wavediff.core.teach.table import EditTable, LcsTable
from wavediff.core.teach.traces import InputsRefused, new_trace
from wavediff.core.teach.unit import Unit
from wavediff.core.teach.words import edit_columns, lcs_columns

WORD = st.text("ABC", min_size=1, max_size=9)
PAIR = ("CAGATTTTCATA", "TTATGCAGAAAATCTA")
ALIKE = ("ACGTTGCATGCA", "ACGTGCATTGCA")
SHIFTED = ("GGATCACAGTCTACACTGCTCACTCCAACCCC", "GATCACAGTCTACACTGCTCACTCCAACCCCA")
CASES: list[tuple[str, dict[str, Any]]] = [
    ("calls", {"rows": 3072, "cols": 4096, "first": "bottom"}),
    ("blocks", {"a": PAIR[0], "b": PAIR[1]}),
    ("conditional sum", {"a": "00FF80F0", "b": "01007F10"}),
    ("conditional sum", {"a": "F" * 256, "b": "1", "width": 32}),
    ("halves", {"a": "ABCBDAB", "b": "BDCABA"}),
    ("halves", {"a": "ABCBDAB", "b": "BDCABA", "cut": "columns"}),
    ("stagger", {"a": PAIR[0], "b": PAIR[1], "height": 4}),
    ("queue", {"workers": 2}),
    ("queue", {"workers": 3, "rules": ["strips", "calls", "alone"]}),
    ("band", {"a": ALIKE[0], "b": ALIKE[1]}),
    ("doubling", {"a": ALIKE[0], "b": ALIKE[1] + "TT"}),
    ("monotone", {"a": SHIFTED[0], "b": SHIFTED[1]}),
    ("diagonals", {"a": ALIKE[0], "b": ALIKE[1]}),
]
every_case = pytest.mark.parametrize(
    ("method", "inputs"), CASES, ids=[f"{name} {k}" for k, (name, _) in enumerate(CASES)]
)


@every_case
def test_each_step_says_no_more_than_can_be_read(method, inputs):
    trace = new_trace(method, inputs)
    for unit in trace.units:
        assert max(len(trace.say(unit, k)) for k in range(trace.steps(unit) + 1)) <= MAX_SENTENCE_LETTERS
        for kind in trace.kinds(unit):
            assert all(
                len(ask(trace, unit, k, kind).text) <= MAX_SENTENCE_LETTERS for k in range(1, trace.steps(unit) + 1)
            )


# Blocks


@given(WORD, WORD, st.tuples(st.integers(1, 4), st.integers(1, 4)))
def test_a_block_needs_nothing_but_what_it_is_handed(a, b, block):
    trace = new_trace("blocks", {"a": a, "b": b, "block": block})
    for k in range(1, trace.steps(Unit.CALL) + 1):
        sheet = trace.scene(Unit.CALL, k).parts[1]
        assert isinstance(sheet, Sheet)
        for rows, cols, v_in, carries_in, v_out, carries_out in sheet.rows:
            if not rows:
                continue
            (top, bottom), (left, right) = (tuple(map(int, one.split("–"))) for one in (rows, cols))
            v, mine, leaving = int(v_in[::-1], 2), a[top - 1 : bottom], ""
            for letter, carry in zip(b[left - 1 : right], carries_in, strict=True):
                m = sum(1 << i for i, one in enumerate(mine) if one == letter)
                total = v + (v & m) + int(carry)
                v = total & (1 << len(mine)) - 1 | v & ~m
                leaving += str(total >> len(mine))
            assert (f"{v:0{len(mine)}b}"[::-1], leaving) == (v_out, carries_out)


def test_calls_of_a_table_are_its_antidiagonals_of_blocks():
    shape = (3, 5)
    found = [new_blocks(*shape, call) for call in range(1, sum(shape))]
    assert sorted(block for some in found for block in some) == sorted(np.ndindex(shape))
    assert all(row + col == call for call, some in enumerate(found) for row, col in some)


# Sums


@given(st.integers(1, 9), st.sampled_from([4, 8, 12]), st.data())
def test_sums_of_each_level_are_those_of_its_groups(n_parts, width, data):
    u, v = (data.draw(st.integers(0, (1 << n_parts * width) - 1)) for _ in "uv")
    levels = conditional_sums(u, v, n_parts, width)
    assert len(levels) - 1 == max(0, (n_parts - 1).bit_length())
    for level, (sums, carries) in enumerate(levels):
        for first in range(0, n_parts, 1 << level):
            last = min(first + (1 << level), n_parts)
            low = (1 << (last - first) * width) - 1
            x, y = (one >> first * width & low for one in (u, v))
            for carry in (0, 1):
                total = sum(one << k * width for k, one in enumerate(sums[carry][first:last]))
                assert total + (carries[carry][last - 1] << (last - first) * width) == x + y + carry


# Halves


@given(WORD, WORD, st.sampled_from(["rows", "columns"]))
@example(
    "ABBBBBBAA", "AAAAAAA", "rows"
)  # together the later depths have more than the first: odd rows are cut unevenly
def test_the_halves_make_a_longest_subsequence_and_each_depth_has_half_the_cells(a, b, cut):
    trace = new_trace("halves", {"a": a, "b": b, "cut": cut})
    assert isinstance(trace, HalvesTrace)
    assert len(trace.answer) == LcsTable(a, b).answer
    for text in (a, b):
        letters = iter(text)
        assert all(one in letters for one in trace.answer)
    long, other = (a, b) if cut == "rows" else (b, a)
    for depth in range(1 + max(one.depth for one in trace.parts)):
        cells = sum(one.n_cells for one in trace.parts if one.depth == depth)
        assert cells <= -(-len(long) // 2**depth) * len(other)


@given(WORD, WORD)
def test_half_tables_hold_lengths_from_both_ends(a, b):
    for part in halves(a, b):
        if part.place < 0:
            continue
        some = b[part.other.start : part.other.stop]
        upper, lower = a[part.long.start : part.middle], a[part.middle : part.long.stop]
        whole = LcsTable(upper + lower, some).answer
        assert part.sums == [LcsTable(upper, some[:k]).answer + LcsTable(lower, some[k:]).answer
                             for k in range(len(some) + 1)]  # fmt: skip
        assert part.place == part.sums.index(whole)


# Words


@given(st.text("ABC", min_size=1, max_size=12), WORD, st.integers(1, 5))
def test_a_carry_that_leaves_a_word_is_all_that_the_next_one_needs(a, b, height):
    carries = word_carries(a, b, height)
    vp = (1 << len(a)) - 1
    for col, here in enumerate(edit_columns(a, b)):
        carry = 0
        for word, first in enumerate(range(0, len(a), height)):
            rows = min(height, len(a) - first)
            low = (1 << rows) - 1
            x, y = ((one >> first) & low for one in (here.eq & vp, vp))
            carry = x + y + carry >> rows
            assert carry == carries[word, col]
        vp = here.vp


def test_each_word_is_added_after_the_one_above_and_the_column_before():
    ranks = np.array(new_trace("stagger", {"a": PAIR[0], "b": PAIR[1], "height": 3}).value_of("ranks"))
    assert (np.diff(ranks, axis=0) > 0).all()
    assert (np.diff(ranks, axis=1) > 0).all()


# Bands


@given(WORD, WORD)
def test_a_band_proves_every_distance_up_to_its_u(a, b):
    true = EditTable(a, b).answer
    for u in range(abs(len(a) - len(b)), max(len(a), len(b)) + 1):
        found = int(banded_values(a, b, u)[-1, -1])
        assert (found <= u) == (true <= u)
        assert found == true or true > u


@given(WORD, WORD)
def test_a_cell_says_the_least_that_a_path_through_it_costs(a, b):
    trace = new_trace("band", {"a": a, "b": b})
    grid = trace.scene(Unit.EDIT, 0).parts[0]
    assert isinstance(grid, Grid)
    for i, j in np.ndindex(grid.values.shape):
        # With letters that are all equal only those cost that are left over, before the cell and after it.
        before, after = EditTable("A" * i, "A" * j).answer, EditTable("A" * (len(a) - i), "A" * (len(b) - j)).answer
        assert grid.values[i, j] == before + after
    for u in range(trace.steps(Unit.EDIT) + 1):
        inside = grid.values[1:, 1:] <= u
        assert inside.sum() == band_cells(u, len(a), len(b))
        low, high = band_of(u, len(a), len(b))
        assert all(low <= j - i <= high for i, j in np.argwhere(inside))


@given(WORD, WORD)
def test_doubling_ends_with_the_distance(a, b):
    trace = new_trace("doubling", {"a": a, "b": b})
    assert trace.value_of("answer") == EditTable(a, b).answer
    *missed, last = zip(trace.value_of("u"), trace.value_of("values"), strict=True)
    assert all(value > u for u, value in missed)
    assert last[1] <= last[0]


# Blocks that are handed through


@given(st.text("AC", min_size=1, max_size=14), st.text("AC", min_size=1, max_size=14), st.integers(1, 4))
def test_whatever_the_letters_a_block_that_is_handed_through_ends_as_it_began(a, b, size):
    trace = monotone_trace({"a": a, "b": b, "block": (size, size)})
    values = EditTable(a, b).values
    for row, some in enumerate(trace.skipped):
        for col, skipped in enumerate(some):
            rows = slice(row * size, min((row + 1) * size, len(a)) + 1)
            cols = slice(col * size, min((col + 1) * size, len(b)) + 1)
            inside = values[rows, cols]
            assert skipped == bool((np.diff(inside[0]) == 1).all() and (np.diff(inside[:, 0]) == -1).all())
            assert not skipped or ((np.diff(inside, axis=1) == 1).all() and (np.diff(inside, axis=0) == -1).all())


def test_a_block_that_is_handed_through_need_not_be_computed():
    trace = new_trace("monotone", {"a": SHIFTED[0], "b": SHIFTED[1]})
    question = ask(trace, Unit.BLOCK, 5, Kind.CHOICE)
    assert question.text.startswith("Block 1, 5")
    assert trace.scene(Unit.BLOCK, question.shown).parts[1].title == "Sides of block 1, 4", "not those of the asked one"
    assert question.accepts == {"hand"}


# Diagonals


@given(WORD, WORD)
def test_points_are_the_furthest_cells_of_so_many_edits(a, b):
    values = EditTable(a, b).values
    found = furthest_points(a, b)
    assert len(found) - 1 == values[-1, -1]
    for edits, points in enumerate(found):
        for diagonal, point in points.items():
            rows = [i for i in range(len(a) + 1) if 0 <= i + diagonal <= len(b) and values[i, i + diagonal] <= edits]
            assert point.row == max(rows)


@given(WORD, WORD)
def test_the_path_through_the_points_has_the_fewest_edits(a, b):
    trace = new_trace("diagonals", {"a": a, "b": b})
    grid = trace.scene(Unit.EDIT, trace.steps(Unit.EDIT)).grid
    cells = [(int(row), int(col)) for row, col in grid.lines[-1].points][::-1]
    assert (cells[0], cells[-1]) == ((0, 0), (len(a), len(b)))
    edits = 0
    for (i, j), (p, q) in pairwise(cells):
        equal = p - i == q - j and a[i:p] == b[j:q]
        assert equal or max(p - i, q - j) == 1
        edits += not equal
    assert edits == EditTable(a, b).answer
    assert ((grid.rank < NEVER) <= (grid.values == EditTable(a, b).values)).all()


# What is refused


@pytest.mark.parametrize(
    ("method", "inputs", "told"),
    [
        ("calls", {"rows": 1 << 20, "cols": 10}, "1,024 × 1 blocks cannot be seen one by one; up to 64 × 64 can"),
        ("calls", {"first": "left"}, "the first rows are at the 'top' or at the 'bottom'"),
        ("calls", {"rows": 0}, "'rows' is 0; 1 to 1,073,741,824 is possible"),
        ("blocks", {"a": "A", "b": "C", "block": [0, 4]}, "rows and columns are wanted"),
        ("conditional sum", {"a": "0G", "b": "1"}, "'a' has 'G'; digits 0 to 9 and A to F are wanted"),
        ("conditional sum", {"a": "1" * 257, "b": "1"}, "'a' has 257 letters; up to 256"),
        ("conditional sum", {"a": "1", "b": "1", "width": 6}, "a multiple of 4"),
        ("halves", {"a": "A" * 33, "b": "C"}, "'a' has 33 letters; up to 32 can be stepped"),
        ("halves", {"a": "A", "b": "C", "cut": "corners"}, "'rows' or 'columns' are halved"),
        ("stagger", {"a": "A", "b": "C", "height": 0}, "'height' is 0; 1 to 128"),
        ("queue", {"workers": 17}, "'workers' is 17; 1 to 16 is possible"),
        ("queue", {"rules": ["fifo"]}, "some of queue, calls, strips, alone are wanted"),
        ("band", {"a": "", "b": "C"}, "'a' has no letters"),
        ("doubling", {"a": "A" * 33, "b": "C"}, "up to 32"),
        ("monotone", {"a": "A", "b": "C", "colour": "red"}, "'colour' means nothing here"),
        ("diagonals", {"a": "A", "b": "C" * 33}, "'b' has 33 letters"),
    ],
)
def test_inputs_that_are_not_possible_are_refused(method, inputs, told):
    with pytest.raises(InputsRefused, match=told):
        new_trace(method, inputs)


@pytest.mark.parametrize(("a", "b"), [("A", "C"), ("A", "AAAA"), ("ACGT", "C"), ("A" * 32, "C" * 32)])
def test_other_letters_can_be_stepped_to_the_end(a, b):
    for method in ("blocks", "halves", "stagger", "band", "monotone", "diagonals"):
        trace = new_trace(method, {"a": a, "b": b})
        for unit in trace.units:
            for k in {0, 1, trace.steps(unit) // 2, trace.steps(unit)}:
                assert trace.scene(unit, k).parts
                assert trace.say(unit, k)


def test_carries_below_a_row_are_its_growth():
    values = LcsTable(*PAIR).values
    columns = lcs_columns(*PAIR)
    trace = new_trace("blocks", {"a": PAIR[0], "b": PAIR[1]})
    for row in (4, 8, 12):
        grown = "".join(str(values[row, j] - values[row, j - 1]) for j in range(1, len(columns) + 1))
        assert trace.value_of(f"carries below {row}") == grown


def test_a_finer_step_asks_what_the_coarser_one_that_it_leads_to_asks():
    trace = new_trace("halves", {"a": "ABCBDAB", "b": "BDCABA"})
    for row, part in ((1, 1), (4, 1), (5, 2), (6, 3), (7, 3)):
        finer, coarser = ask(trace, Unit.ROW, row, Kind.VALUE), ask(trace, Unit.PART, part, Kind.VALUE)
        assert (finer.text, finer.accepts, finer.why) == (coarser.text, coarser.accepts, coarser.why)
        assert (finer.unit, finer.step) == (Unit.ROW, row)
