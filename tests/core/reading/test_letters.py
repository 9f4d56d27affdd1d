"""Counting and collecting bytes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.base.arrays import freeze
from wavediff.core.reading.letters import BUFFER_BYTES, Counter, LetterBuffer, freeze_base


@given(parts=st.lists(st.tuples(st.binary(min_size=1, max_size=8), st.integers(0, 20_000)), max_size=6))
def test_counts_are_exact_whatever_came_before(parts):
    counter = Counter()
    for unit, times in parts:
        data = unit * times
        expected = np.bincount(np.frombuffer(data, np.uint8), minlength=256)
        assert counter.count(data).tolist() == expected.tolist()


@pytest.mark.parametrize("size", [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1_000_003])
def test_long_pieces_are_counted_in_pairs(size):
    data = np.random.default_rng(3).integers(0, 256, size, dtype=np.uint8)
    assert Counter().count(data).tolist() == np.bincount(data, minlength=256).tolist()


@given(capacity=st.integers(0, 50), parts=st.lists(st.binary(max_size=30), max_size=10))
def test_a_buffer_returns_what_was_appended(capacity, parts):
    buffer = LetterBuffer(capacity)
    for part in parts:
        buffer.append(part)
    assert buffer.size == sum(map(len, parts))
    assert buffer.assemble().tobytes() == b"".join(parts)
    assert buffer.size == 0


def test_a_buffer_that_fits_is_never_copied():
    buffer = LetterBuffer(10)
    buffer.append(b"ACGTACGT")
    letters = freeze_base(buffer.assemble())
    assert freeze(letters) is letters
    assert not letters.flags.writeable


def test_chunks_are_joined_in_order():
    buffer = LetterBuffer(3)
    piece = bytes(range(256)) * 4096
    n = 2 * BUFFER_BYTES // len(piece)
    for _ in range(n):
        buffer.append(piece)
    assert buffer.assemble().tobytes() == piece * n
