"""Counts of columns of each kind against the columns written out."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_alignment_index import random_alignment
from wavediff.core.jobs.alignment import APART, SWAP, Alignment, Op, Swaps
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.column_counts import column_counts, longest_run
from wavediff.core.jobs.difference_index import CHECKPOINT_RUNS


def some_apart(columns, seed):
    """Return stretches of some substituted columns, none touching another, and all columns with them as a kind."""
    found = columns.copy()
    found[(columns == Op.MISMATCH) & (np.random.default_rng(seed).random(columns.size) < 0.4)] = APART
    edges = np.flatnonzero(np.diff(found == APART, prepend=False, append=False))
    return edges.reshape(-1, 2), found


def expected(columns, edges):
    parts = [columns[low:high] for low, high in itertools.pairwise(edges)]
    return [[int((part == kind).sum()) for part in parts] for kind in range(APART + 1)]


@given(st.integers(1, 3 * CHECKPOINT_RUNS), st.integers(0, 99), st.integers(2, 700), st.data())
def test_any_edges_agree_with_the_columns_written_out(n_runs, seed, n_edges, data):
    """Few edges are answered from the checkpoints, many from the runs."""
    alignment = random_alignment(n_runs, seed)
    columns = np.repeat(alignment.ops, alignment.lengths)
    low = data.draw(st.integers(0, columns.size))
    high = data.draw(st.integers(low, columns.size))
    edges = np.linspace(low, high, n_edges).astype(np.int64)
    some, columns = some_apart(columns, seed)
    assert column_counts(index_alignment(alignment, apart_at=some), edges).tolist() == expected(columns, edges)


def with_swaps(seed, n):
    """Return an alignment of ``n`` swaps apart from each other, and each column's kind."""
    rng = np.random.default_rng(seed)
    ops, lengths, kinds, firsts, lasts, letters = [], [], [], [], [], [0, 0]

    def add(op, length, kind):
        ops.append(op)
        lengths.append(length)
        kinds.extend([kind] * length)
        letters[0] += length * (op != Op.INSERTION)
        letters[1] += length * (op != Op.DELETION)

    for _ in range(n):
        add(Op.EQUAL, int(rng.integers(1, 9)), Op.EQUAL)
        if rng.integers(2):
            add(int(rng.integers(1, 4)), int(rng.integers(1, 5)), ops[-1])
            kinds[-lengths[-1] :] = [ops[-1]] * lengths[-1]
            add(Op.EQUAL, 1, Op.EQUAL)
        firsts.append(tuple(letters))
        between, gap = int(rng.integers(0, 4)), int(rng.integers(2, 4))
        if between:
            add(Op.MISMATCH, 1, SWAP)
            add(gap, between, SWAP)
            add(Op.MISMATCH, 1, SWAP)
        else:
            add(Op.MISMATCH, 2, SWAP)
        lasts.append((letters[0] - 1, letters[1] - 1))
    a_first, b_first = (np.array(one, np.int64) for one in zip(*firsts, strict=True))
    a_last, b_last = (np.array(one, np.int64) for one in zip(*lasts, strict=True))
    alignment = Alignment(np.array(ops, np.uint8), np.array(lengths, np.int64))
    return alignment, Swaps(a_first, a_last, b_first, b_last), np.array(kinds)


@pytest.mark.parametrize("seed", range(5))
def test_columns_of_swaps_count_as_nothing_else(seed):
    alignment, swaps, kinds = with_swaps(seed, 30)
    index = index_alignment(alignment, swaps)
    for n_edges in (2, 10, kinds.size + 1):
        edges = np.linspace(0, kinds.size, n_edges).astype(np.int64)
        assert column_counts(index, edges).tolist() == expected(kinds, edges)


def test_nothing_aligned_counts_nothing():
    empty = index_alignment(Alignment(np.empty(0, np.uint8), np.empty(0, np.int64)))
    assert not column_counts(empty, np.zeros(5, np.int64)).any()
    assert column_counts(empty, np.zeros(1, np.int64)).shape == (6, 0)


def test_the_longest_run_of_a_part_is_found():
    alignment = Alignment(np.array([0, 2, 0, 2, 0, 2, 0], np.uint8), np.array([10, 3, 10, 7, 10, 9, 10], np.int64))
    index = index_alignment(alignment)
    gaps = (Op.INSERTION,)
    assert longest_run(index, 0, 40, gaps) == 23
    assert longest_run(index, 0, 59, gaps) == 40
    assert longest_run(index, 24, 40, gaps) is None
    assert longest_run(index, 0, 59, (Op.DELETION, Op.MISMATCH)) is None
    assert longest_run(index, 0, 59, (Op.DELETION, Op.INSERTION)) == 40
