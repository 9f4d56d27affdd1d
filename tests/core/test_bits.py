"""The bit streams of B against what ``wavediff.core.jit.bits`` says of them, letter by letter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.depth import examples
from wavediff.core.jit.bits import (
    GROUP_COLUMNS,
    common_prefix,
    common_suffix,
    count_bytes,
    dense_code,
    encode_pair,
    fold_letters,
    pack_columns,
    planes_for,
    stream_words,
)
from wavediff.core.jit.simd import BITS, WORD


def packed(codes, planes, cuts):
    words = stream_words(-(-codes.size // GROUP_COLUMNS))
    out = np.zeros(GROUP_COLUMNS * planes * words, np.uint64)
    for first, last in zip([0, *cuts[:-1]], cuts, strict=True):
        pack_columns(codes, planes, words, out, first, last)
    return out


def written(codes, planes):
    """Return the streams as the layout is described."""
    groups = -(-codes.size // GROUP_COLUMNS)
    bits = np.zeros((GROUP_COLUMNS, planes, stream_words(groups) * WORD), np.uint8)
    for j, code in enumerate(codes.tolist()):
        for p in range(planes):
            bits[j % GROUP_COLUMNS, p, groups + BITS - j // GROUP_COLUMNS] = code >> p & 1
    return np.packbits(bits, axis=-1, bitorder="little").reshape(-1).view("<u8").astype(np.uint64)


@pytest.mark.parametrize("planes", [1, 2, 5, 8])
@given(seed=st.integers(0, 1 << 30), n=st.integers(1, 700))
def test_columns_lie_where_they_are_said_to(planes, seed, n):
    codes = np.random.default_rng(seed).integers(0, 1 << planes, n).astype(np.uint8)
    groups = -(-n // GROUP_COLUMNS)
    expected = written(codes, planes)
    assert np.array_equal(packed(codes, planes, [groups]), expected)
    assert np.array_equal(packed(codes, planes, sorted({groups // 3, groups // 2, groups})), expected)


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257])
def test_one_letter_of_all_is_one_bit_of_each_plane(n):
    for j in {0, 1, n // 2, n - 1} & set(range(n)):
        codes = np.zeros(n, np.uint8)
        codes[j] = 255
        assert np.array_equal(packed(codes, 8, [-(-n // GROUP_COLUMNS)]), written(codes, 8))


@given(a=st.binary(max_size=90), b=st.binary(max_size=90), shared=st.binary(max_size=20), fold_case=st.booleans())
@examples(300)
def test_one_call_encodes_a_pair_as_its_steps_do(a, b, shared, fold_case):
    x, y = (np.frombuffer(shared + one + shared, np.uint8) for one in (a, b))
    codes_x, codes_y, table = np.empty(x.size, np.uint8), np.empty(y.size, np.uint8), np.zeros(256, np.uint8)
    counts = np.zeros((9, 256), np.int64)
    code = dense_code(count_bytes(x), count_bytes(y), fold_case)
    if fold_case:
        folded_x, folded_y = np.empty_like(x), np.empty_like(y)
        for letters, folded in ((x, folded_x), (y, folded_y)):
            fold_letters(letters, folded)
            assert folded.tobytes() == letters.tobytes().upper()
        n_codes, n_shared = encode_pair(folded_x, folded_y, codes_x, codes_y, table, counts)
    else:
        n_codes, n_shared = encode_pair(x, y, codes_x, codes_y, table, counts)
    assert (n_codes, n_shared, planes_for(n_codes)) == (code.n_codes, code.n_shared, code.planes)
    assert np.array_equal(codes_x, code.table[x])
    assert np.array_equal(codes_y, code.table[y])
    prefix = common_prefix(codes_x, codes_y)
    rest_x, rest_y = codes_x[prefix:], codes_y[prefix:]
    suffix = common_suffix(rest_x, rest_y)
    assert np.array_equal(codes_x[:prefix], codes_y[:prefix])
    assert not min(rest_x.size, rest_y.size) or rest_x[0] != rest_y[0]
    n, m = rest_x.size - suffix, rest_y.size - suffix
    assert np.array_equal(rest_x[n:], rest_y[m:])
    assert not min(n, m) or rest_x[n - 1] != rest_y[m - 1]


@pytest.mark.parametrize("planes", [1, 8, 12, 16, 21, 26, 32])
def test_as_many_codes_as_planes_tell_apart_have_planes(planes):
    assert planes_for(1 << planes) == planes
    assert planes_for((1 << planes) + 1 if planes < 32 else 1 << planes) >= planes
