"""Figures of compression: against plain Python, and by writing the symbols back."""

import bz2
import math
import zlib
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.base.arrays import freeze
from wavediff.core.jobs.bwt import BwtJob
from wavediff.core.jobs.compression import CompressionJob, total_bits
from wavediff.core.kernels.bwt import compression
from wavediff.core.run.runner import run_job


def figures(text):
    letters = freeze(np.frombuffer(text, np.uint8))
    last = run_job(BwtJob(text=letters)).last
    return run_job(CompressionJob(text=letters, last=last))


def ranks_of(last):
    front, found = sorted(set(last)), []
    for letter in last:
        rank = front.index(letter)
        found.append(rank)
        front.insert(0, front.pop(rank))
    return found


def symbols_of(ranks):
    """Return the symbols, a run of zeros as the digits 1 and 2 of its length, told as 0 and 1."""
    found, run = [], 0
    for rank in [*ranks, -1]:
        if rank == 0:
            run += 1
            continue
        while run:
            digit = 1 if run % 2 else 2
            found.append(digit - 1)
            run = (run - digit) // 2
        if rank > 0:
            found.append(rank + 1)
    return found


def check(text):
    letters = freeze(np.frombuffer(text, np.uint8))
    last = run_job(BwtJob(text=letters)).last
    result = figures(text)
    ranks = ranks_of(last.tobytes())
    assert {k: int(n) for k, n in enumerate(result.letters) if n} == Counter(text)
    assert {k: int(n) for k, n in enumerate(result.ranks) if n} == Counter(ranks)
    assert {k: int(n) for k, n in enumerate(result.symbols) if n} == Counter(symbols_of(ranks))
    assert result.length == len(text)
    assert result.zlib_bytes == len(zlib.compress(text, 9))
    assert result.bzip2_bytes == len(bz2.compress(text, 9))


@given(st.binary(max_size=300) | st.text("ab", max_size=300).map(str.encode))
def test_figures_equal_those_of_plain_python(text):
    check(text)


@pytest.mark.parametrize("text", [b"", b"a", b"a" * 1000, b"banana", b"abracadabra" * 50, bytes(range(256)) * 3])
def test_edges(text):
    check(text)


def test_a_run_goes_on_from_piece_to_piece(monkeypatch):
    whole = figures(b"GATTACA" * 30)
    monkeypatch.setattr(compression, "ranges", lambda n, *_: ((k, min(n, k + 7)) for k in range(0, n, 7)))
    pieces = figures(b"GATTACA" * 30)
    for name in ("letters", "ranks", "symbols"):
        assert getattr(pieces, name).tolist() == getattr(whole, name).tolist()
    assert (pieces.zlib_bytes, pieces.bzip2_bytes) == (whole.zlib_bytes, whole.bzip2_bytes)


def test_bits_of_banana():
    # annbaa: list a b n; ranks 0 2 0 2 2 0; runs of zeros 1, 1, 1.
    result = figures(b"banana")
    assert result.ranks[:3].tolist() == [3, 0, 3]
    assert result.rank_bits == 6
    assert result.symbols[:4].tolist() == [3, 0, 0, 3]
    assert result.n_symbols == 6
    expected = 3 * math.log2(2) + 2 * math.log2(3) + math.log2(6)
    assert result.letter_bits == pytest.approx(expected)


def test_bits_of_one_letter_alone():
    assert total_bits(np.array([7])) == 0
    assert total_bits(np.zeros(3, np.int64)) == 0


def test_a_text_and_a_column_of_another_length_are_refused():
    with pytest.raises(ValueError, match="2 letters has no last column of 3"):
        CompressionJob(text=np.zeros(2, np.uint8), last=np.zeros(3, np.uint8))
