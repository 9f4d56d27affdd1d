"""Windows of a table as traces: their words are the bits of the whole table's columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.depth import examples
from wavediff.core.jobs.kept_matrix import KernelLayout, LaneLayout
from wavediff.core.teach.scene import Bits
from wavediff.core.teach.table import EditTable, LcsTable, SwapTable
from wavediff.core.teach.unit import Unit
from wavediff.core.teach.window_trace import LaneTrace, LayoutTrace, WindowTrace, cells_table
from wavediff.core.teach.words import swap_words

WHOLE = {"lcs": LcsTable, "edit": EditTable, "swap": SwapTable}


def word_of(rises, value):
    return "".join("1" if rise == value else "0" for rise in rises.tolist())


@examples(120)
@given(st.data())
def test_a_window_has_the_values_and_the_words_of_the_whole(data):
    method = data.draw(st.sampled_from(list(WHOLE)))
    a, b = (data.draw(st.text("ACGT", min_size=1, max_size=40)) for _ in range(2))
    whole = WHOLE[method](a, b).values
    (i, rows), (j, cols) = (
        (at := data.draw(st.integers(0, len(x) - 1)), data.draw(st.integers(1, len(x) - at))) for x in (a, b)
    )
    cut = whole[i : i + rows + 1, j : j + cols + 1]
    words = swap_words(a, b) if method == "swap" else {}
    given = {name: one[i : i + rows, j : j + cols] for name, one in words.items()}
    trace = WindowTrace(cells_table(method, a[i : i + rows], b[j : j + cols], cut), given)
    assert (trace.table.values == cut).all()
    for k in range(1, cols + 1):
        down, across = np.diff(cut[:, k]), cut[1:, k] - cut[1:, k - 1]
        words = trace.words(Unit.COLUMN, k)
        named = dict(words.rows)
        if method == "lcs":
            assert named["V'"] == word_of(down, 0)
            assert named["carry in"] == word_of(cut[:-1, k] - cut[:-1, k - 1], 1)
        else:
            assert (named["VP"], named["VN"]) == (word_of(down, 1), word_of(down, -1))
            assert (named["HP"], named["HN"]) == (word_of(across, 1), word_of(across, -1))
            assert named["D0"] == word_of(cut[1:, k] - cut[:-1, k - 1], 0)
        assert str(int(cut[-1, k])) in trace.say(Unit.COLUMN, k)
    for unit in trace.units:
        last = trace.steps(unit)
        assert all(trace.say(unit, k) for k in range(last + 1))
        assert trace.scene(unit, last).grid is not None


def test_a_cell_that_only_a_swap_from_outside_attains_says_so():
    whole = SwapTable("CA", "ABC").values
    trace = WindowTrace(cells_table("swap", "A", "C", whole[1:, 2:]), {})
    assert trace.explain(1, 1) == (
        "A and C differ. A swap with letters further up and left gives 2, less than 3, 3, 3."
    )


def test_the_words_of_swaps_say_where_one_matters():
    """CA and ABC: in column 3 the swap of two letters with one between, by the letter of the row above."""
    trace = WindowTrace(cells_table("swap", "CA", "ABC", SwapTable("CA", "ABC").values), swap_words("CA", "ABC"))
    words = trace.words(Unit.COLUMN, 3)
    assert words.rows == (
        ("Eq", "10"), ("S1", "00"), ("S2", "01"), ("D0", "11"), ("HP", "00"), ("HN", "00"), ("VP", "00"), ("VN", "10")
    )  # fmt: skip
    assert "S2" in trace.say(Unit.OPERATION, 2 * 7 + 2)
    blank = trace.words(Unit.OPERATION, 2 * 7 + 2)
    assert [name for name, word in blank.rows if word.strip()] == ["Eq", "S1", "S2"]


@pytest.mark.parametrize(("row", "col"), [(0, 0), (1_000, 37), (470, 1_000), (64, 990)])
def test_staggered_words_need_nothing_that_is_not_there(row, col):
    rng = np.random.default_rng(row)
    a, b = ("".join(rng.choice(list("ACGT"), 64)) for _ in range(2))
    given, layout = swap_words(a, b), LaneLayout(64, 8, 1024)
    trace = LaneTrace(cells_table("swap", a, b, SwapTable(a, b).values), given, layout, row, col)
    rank, last = trace.rank(Unit.WORD)[1:, 1:], trace.steps(Unit.WORD)
    assert rank.min() == 1
    assert (np.diff(rank, axis=0) >= 0).all()
    assert (np.diff(rank, axis=1) > 0).all()
    words = (np.arange(64) + row) // 64
    below = np.flatnonzero(np.diff(words)) + 1  # a word needs the one above in the same column, a step before
    assert all((rank[at] > rank[at - 1]).all() for at in below)
    for k in (0, 1, last // 2, last):
        _, bits = trace.scene(Unit.WORD, k).parts
        assert isinstance(bits, Bits)
        for (_, word), one in zip(bits.rows, given.values(), strict=True):
            done = (rank <= k).sum(axis=1)
            assert word == "".join(str(one[i, n - 1]) if n else " " for i, n in enumerate(done.tolist()))
        assert trace.say(Unit.WORD, k)


@pytest.mark.parametrize(("row", "col"), [(0, 0), (1_000, 37), (2_040, 100), (1_536, 64)])
@pytest.mark.parametrize("depth", [1, 4, 32])
def test_the_kernels_order_needs_nothing_that_is_not_there_and_has_its_bits(row, col, depth):
    rng = np.random.default_rng(depth)
    a, b = ("".join(rng.choice(list("ACGT"), 64)) for _ in range(2))
    layout = KernelLayout(depth, 512, 2)
    trace = LayoutTrace(LcsTable(a, b), layout, row, col)
    rank, last = trace.rank(Unit.WORD)[1:, 1:], trace.steps(Unit.WORD)
    assert rank[0, 0] == 1
    assert (np.diff(rank, axis=0) >= 0).all()
    assert (np.diff(rank, axis=1) >= 0).all()
    stripes = (np.arange(64) + row) % layout.strip_rows // depth
    groups = (np.arange(64) + col) // 2
    first_strip = (np.arange(64) + row) // layout.strip_rows == row // layout.strip_rows
    steps = stripes[:, None] + groups[None, :] - stripes[0] - groups[0] + 1
    assert (rank[first_strip] == steps[first_strip]).all()
    for k in (0, 1, last // 2, last):
        _, words = trace.scene(Unit.WORD, k).parts
        assert isinstance(words, Bits)
        wide = depth > len(trace.stripes)
        assert len(words.rows) == (len(trace.stripes) if wide else depth)
        for line, (_, text) in enumerate(words.rows):
            for place, bit in enumerate(text):
                r, stripe = (place, trace.stripes[line]) if wide else (line, trace.stripes[place])
                at = stripe * depth + r - row % layout.strip_rows
                done = int((rank[at] <= k).sum()) if 0 <= at < 64 else 0
                values = trace.table.values
                expected = " " if done == 0 else "01"[int(values[at + 1, done] == values[at, done])]
                assert bit == expected
        assert trace.say(Unit.WORD, k)
