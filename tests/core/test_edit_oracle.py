"""The textbook agrees with itself and with the peers, or nothing it is asked to judge would be judged."""

import edlib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tests.oracles import edit as oracle

words = st.text(st.sampled_from("abc"), max_size=25).map(str.encode)


@given(words, words)
def test_all_of_it_agrees(a, b):
    d = oracle.distance(a, b)
    assert d == Levenshtein.distance(a, b)
    if a and b:
        assert d == edlib.align(a, b, mode="NW")["editDistance"]
    table, costs = oracle.table(a, b), oracle.through(a, b)
    assert table.shape == costs.shape == (len(a) + 1, len(b) + 1)
    assert table[-1, -1] == costs[0, 0] == costs[-1, -1] == costs.min() == d
    assert [int(one) for one in table[-1]] == [oracle.distance(a, b[:j]) for j in range(len(b) + 1)]
    assert oracle.replay(a, oracle.script(a, b), b) == (b, d)


@given(words, words)
def test_the_script_goes_through_nodes_of_best_paths_only(a, b):
    costs, i, j = oracle.through(a, b), 0, 0
    for op in oracle.script(a, b):
        i, j = i + (op != "I"), j + (op != "D")
        assert costs[i, j] == costs[0, 0]


@pytest.mark.parametrize(
    ("a", "b", "script", "cells"),
    [
        (b"AB", b"AB", "==", 2),
        (b"AAA", b"A", "DD=", 3),  # the gap as far left as it goes; any of three letters can be the one kept
        (b"kitten", b"sitting", "X===X=I", 7),
        (b"", b"xy", "II", 0),
    ],
)
def test_worked_examples(a, b, script, cells):
    assert oracle.script(a, b) == script
    assert oracle.best_cells(a, b) == cells
    assert np.array_equal(oracle.through(a, b), oracle.through(b, a).T)
