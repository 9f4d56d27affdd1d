"""Tables and words that lessons step: beside oracles, the kernels' own words, and paths listed one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.jit.decorators import jit
from wavediff.core.kernels.pairwise.blocks.cell_traceback import match_masks
from wavediff.core.kernels.pairwise.edit.small_pairs import small_distance
from wavediff.core.kernels.pairwise.edit.word_columns import columns_logged as edit_logged
from wavediff.core.kernels.pairwise.lcs.small_pairs import small_length
from wavediff.core.kernels.pairwise.lcs.word_columns import columns_logged as lcs_logged
from wavediff.core.teach.questions import DIAGONAL, LEFT, UP
from wavediff.core.teach.table import MAX_TABLE_LETTERS, EditTable, LcsTable, TableTooLarge
from wavediff.core.teach.table_trace import table_trace
from wavediff.core.teach.unit import Unit
from wavediff.core.teach.words import edit_columns, lcs_columns

WORD = st.text("ABC", min_size=1, max_size=7)


def plain(a, b, *, lcs):
    """Return the table cell by cell, as the definition has it."""
    values = np.zeros((len(a) + 1, len(b) + 1), np.int32)
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if lcs:
                if i and j:
                    equal = values[i - 1, j - 1] + 1 if a[i - 1] == b[j - 1] else 0
                    values[i, j] = max(equal, values[i - 1, j], values[i, j - 1])
            elif not i or not j:
                values[i, j] = i + j
            else:
                exchanged = values[i - 1, j - 1] + (a[i - 1] != b[j - 1])
                values[i, j] = min(exchanged, values[i - 1, j] + 1, values[i, j - 1] + 1)
    return values


def pairs(n, most=64):
    """Return ``n`` random pairs of up to ``most`` letters over four alphabets."""
    rng = np.random.default_rng(25)
    alphabets = ["AB", "ACGT", "ARNDCQEGHILKMFPSTWYV", "".join(map(chr, range(32, 126)))]
    found = []
    for k in range(n):
        letters = alphabets[k % len(alphabets)]
        sizes = rng.integers(1, most + 1, 2)
        found.append(tuple("".join(letters[x] for x in rng.integers(0, len(letters), size)) for size in sizes))
    return found


def codes(a, b):
    table = {letter: code for code, letter in enumerate(sorted(set(a + b)))}
    x, y = (np.array([table[letter] for letter in text], np.uint8) for text in (a, b))
    return x, y


def test_tables_are_those_of_the_definition_and_their_answers_those_of_the_kernels():
    for a, b in pairs(300):
        lcs, edit = LcsTable(a, b), EditTable(a, b)
        assert np.array_equal(lcs.values, plain(a, b, lcs=True))
        assert np.array_equal(edit.values, plain(a, b, lcs=False))
        assert lcs.answer == small_length(*codes(a, b))
        assert edit.answer == small_distance(*codes(a, b))


@jit
def logged(a, b, v, vp, d0):
    """Write what the kernels' own column steps leave after each column of up to 64 rows: V', VP and D0."""
    match, ones, none = match_masks(a, b)[0], np.full(1, ~np.uint64(0)), np.zeros(b.size, np.uint64)
    lcs_logged(match, b, ones.copy(), none, v)
    edit_logged(match, b, ones.copy(), np.zeros(1, np.uint64), np.full(b.size, np.uint64(1)), none, vp, d0)


def test_words_are_the_words_of_the_kernels():
    for a, b in pairs(300):
        v, vp, d0 = np.empty((3, len(b)), np.uint64)
        logged(*codes(a, b), v, vp, d0)
        used, columns = (1 << len(a)) - 1, edit_columns(a, b)
        assert [one.after for one in lcs_columns(a, b)] == [int(word) & used for word in v]
        assert [one.vp for one in columns] == [int(word) & used for word in vp]
        assert [one.d0 for one in columns] == [int(word) & used for word in d0]


def test_bits_are_differences_of_the_table():
    for a, b in pairs(100):
        lcs, edit = LcsTable(a, b).values, EditTable(a, b).values
        for j, (one, two) in enumerate(zip(lcs_columns(a, b), edit_columns(a, b), strict=True), 1):
            down, across = np.diff(edit[:, j]), edit[:, j] - edit[:, j - 1]
            for i in range(len(a)):
                assert one.after >> i & 1 == 1 - (lcs[i + 1, j] - lcs[i, j])
                assert one.carries >> i & 1 == lcs[i, j] - lcs[i, j - 1]
                assert (two.vp >> i & 1) - (two.vn >> i & 1) == down[i]
                assert (two.hp >> i & 1) - (two.hn >> i & 1) == across[i + 1]
                assert two.d0 >> i & 1 == (edit[i + 1, j] == edit[i, j - 1])
            assert one.carry_out == lcs[-1, j] - lcs[-1, j - 1]


def listed_paths(table):
    done, paths = [[(len(table.a), len(table.b))]], set()
    while done:
        path = done.pop()
        i, j = path[-1]
        arrow = int(table.arrows.bits[i, j])
        if not arrow:
            paths.add(tuple(path))
        for bit, spot in ((DIAGONAL, (i - 1, j - 1)), (UP, (i - 1, j)), (LEFT, (i, j - 1))):
            if arrow & bit:
                done.append([*path, spot])
    return paths


@given(WORD, WORD)
def test_ways_are_as_many_as_can_be_listed(a, b):
    for table in (LcsTable(a, b), EditTable(a, b)):
        paths = listed_paths(table)
        assert table.arrows.n_paths == len(paths)
        assert sorted(map(tuple, table.arrows.paths())) == sorted(paths)
        assert {spot for path in paths for spot in path} == set(map(tuple, np.argwhere(table.arrows.on_path).tolist()))


@given(WORD, WORD)
def test_subsequences_and_matchings_are_as_many_as_can_be_listed(a, b):
    table, matchings, found = LcsTable(a, b), 0, set()
    for places in combinations(range(len(a)), table.answer):
        text = "".join(a[i] for i in places)
        others = sum("".join(b[j] for j in other) == text for other in combinations(range(len(b)), table.answer))
        matchings += others
        found |= {text} if others else set()
    assert (table.matchings, table.n_subsequences, table.subsequences) == (matchings, len(found), sorted(found))


@given(WORD, WORD, st.sampled_from([LcsTable, EditTable]), st.data())
def test_a_change_of_unit_shows_no_more_and_misses_no_step(a, b, table, data):
    trace = table_trace({"a": a, "b": b, "block": (2, 3)}, table)
    one, other = data.draw(st.sampled_from(trace.units)), data.draw(st.sampled_from(trace.units))
    k = data.draw(st.integers(0, trace.steps(one)))
    now = trace.same(one, k, other)
    known, then = trace.rank(one) <= k, trace.rank(other)
    assert not ((then <= now) & ~known).any()
    assert now == trace.steps(other) or ((then <= now + 1) & ~known).any()


def test_each_step_computes_what_needs_nothing_but_what_is_known():
    trace = table_trace({"a": "CAGATTTTCATA", "b": "TTATGCAGAAAATCTA"}, LcsTable)
    for unit in (Unit.CELL, Unit.ANTIDIAGONAL):
        rank = trace.rank(unit)
        for i, j in np.ndindex(trace.table.shape):
            needed = [(one.row, one.col) for one in trace.table.candidates(i + 1, j + 1)]
            assert max(rank[spot] for spot in needed) < rank[i + 1, j + 1]


def test_more_letters_than_can_be_stepped_are_refused_with_their_number():
    with pytest.raises(TableTooLarge, match=f"1 × {MAX_TABLE_LETTERS + 1} cells"):
        LcsTable("A", "C" * (MAX_TABLE_LETTERS + 1))
