"""Pairs too small for blocks, by lanes and word by word, against the rows of the textbook's recurrence."""

from itertools import product

import numpy as np
import pytest

from wavediff.core.jit.simd import BITS, WORD
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Op
from wavediff.core.kernels.pairwise.edit.small_pairs import small_distance, small_edit_path, small_last_column
from wavediff.core.kernels.pairwise.lcs.small_pairs import small_length, small_path, small_profile

ROWS = [0, 1, WORD, WORD + 1, 2 * WORD, 2 * WORD + 1, BITS - 1, BITS, BITS + 1, 2 * BITS + WORD + 3]
COLUMNS = [0, 1, 2, 9, 200]


def costs(a, b, substitution, left=1, top=1):
    """Return what each number of rows costs with all columns; ``left``, ``top``: a row, a column of the border."""
    column, steps = np.arange(a.size + 1) * left, np.arange(a.size + 1)
    for j, letter in enumerate(b.tolist(), 1):
        new = np.append(j * top, np.minimum(column[1:] + 1, column[:-1] + substitution * (a != letter)))
        column = np.minimum.accumulate(new - steps) + steps
    return column


def check_path(a, b, ops, lengths):
    ops, lengths = ops[::-1].copy(), lengths[::-1].copy()
    assert (lengths * CONSUMES_A[ops]).sum() == a.size
    assert (lengths * CONSUMES_B[ops]).sum() == b.size
    columns = np.repeat(ops, lengths)
    i, j = np.cumsum(CONSUMES_A[columns]) - 1, np.cumsum(CONSUMES_B[columns]) - 1
    for op, equal in ((Op.EQUAL, True), (Op.MISMATCH, False)):
        here = columns == op
        assert ((a[i[here]] == b[j[here]]) == equal).all()


def pairs(n):
    """Yield pairs with ``n`` rows, of few and of many letters."""
    for m, n_codes in product(COLUMNS, (2, 200)):
        rng = np.random.default_rng(n + m)
        yield rng.integers(0, n_codes, n).astype(np.uint8), rng.integers(0, n_codes, m).astype(np.uint8)


@pytest.mark.parametrize("n", ROWS)
def test_lcs(n):
    for a, b in pairs(n):
        profile = (np.arange(a.size + 1) + b.size - costs(a, b, 2)) // 2
        assert (small_profile(a, b) == profile).all()
        assert small_length(a, b) == profile[-1]
        ops, lengths, edits = small_path(a, b)
        assert edits == a.size + b.size - 2 * profile[-1]
        check_path(a, b, ops, lengths)


@pytest.mark.parametrize("n", ROWS)
def test_edit(n):
    for a, b in pairs(n):
        expected = costs(a, b, 1)
        assert small_distance(a, b) == expected[-1]
        ops, lengths, edits = small_edit_path(a, b)
        assert edits == expected[-1]
        check_path(a, b, ops, lengths)


@pytest.mark.parametrize("n", ROWS)
def test_last_column(n):
    for (a, b), left, top in product(pairs(n), (0, 1), (0, 1)):
        words = small_last_column(a, b, np.uint64(left * (2**64 - 1)), np.uint64(top))
        up, down = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, : a.size].astype(int)
        expected = costs(a, b, 1, left, top)
        assert (np.append(0, np.cumsum(up - down)) + b.size * top == expected).all()
