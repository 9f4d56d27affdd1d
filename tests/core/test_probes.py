"""O(ND) probes against rapidfuzz, called directly: jobs take them only where few edits are likely."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel, Levenshtein

from core.arrays import Letters
from core.kernels.edit.bounds import hamming, is_subsequence, subsequence_path
from core.kernels.edit.probe import edit_probe_path, edit_probe_steps
from core.kernels.lcs.probe import NOWHERE, probe_path, probe_steps
from core.kernels.similarity import changed_share
from core.traceback.runs import RIGHT, canonical, replay
from tests.core.pairs import mutated, random_letters
from tests.oracles import lcs as oracle


@st.composite
def short_pairs(draw: st.DrawFn) -> tuple[Letters, Letters]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_letters = draw(st.sampled_from([1, 2, 4, 256]))
    a = random_letters(rng, draw(st.integers(0, 90)), n_letters)
    if draw(st.booleans()):
        return a, random_letters(rng, draw(st.integers(0, 90)), n_letters)
    return a, mutated(rng, a, draw(st.integers(0, 9)), n_letters)


def follows(a: Letters, b: Letters, ops: Letters, lengths: np.ndarray) -> int:
    """Check that runs (last column first) align ``a`` and ``b``; return the columns that are not equal."""
    ops, lengths = canonical(ops[::-1].copy(), lengths[::-1].copy())
    place = np.zeros(4, np.int64)
    assert replay(a, b, np.arange(256, dtype=np.uint8), ops, lengths, place, 1 << 60) == RIGHT
    return int(lengths[ops != 0].sum())


@given(pair=short_pairs(), pieces=st.integers(1, 7))
@settings(deadline=None, max_examples=400)
def test_probe_of_insertions_and_deletions(pair, pieces):
    a, b = pair
    right = Indel.distance(a.tobytes(), b.tobytes())
    found = _run(probe_steps, a, b, right, (right + 1) * (right + 2) // 2, pieces)
    assert follows(a, b, *probe_path(a.size, b.size, right, found)) == right


@given(pair=short_pairs(), pieces=st.integers(1, 7))
@settings(deadline=None, max_examples=400)
def test_probe_of_edits(pair, pieces):
    a, b = pair
    right = Levenshtein.distance(a.tobytes(), b.tobytes())
    found = _run(edit_probe_steps, a, b, right, (right + 1) * (right + 1), pieces)
    assert follows(a, b, *edit_probe_path(a.size, b.size, right, found)) == right


def _run(steps, a, b, right, size, pieces):
    """Extend in pieces up to the right distance; one less must not reach the end."""
    for limit, answer in ((right - 1, -1), (right, right)):
        points = np.full(2 * max(limit, 0) + 3, NOWHERE, np.int64)
        seen = np.empty(size, np.int32)
        found = -1
        for first in range(0, limit + 1, pieces):
            assert found == -1
            found = steps(a, b, points, seen, first, min(first + pieces, limit + 1))
        assert found == answer
    return seen


@given(pair=short_pairs())
@settings(deadline=None, max_examples=300)
def test_bounds(pair):
    a, b = pair
    assert hamming(a, b) >= Levenshtein.distance(a.tobytes(), b.tobytes())
    inside = bool(is_subsequence(a, b))
    assert inside == oracle.is_subsequence(a.tobytes(), b.tobytes())
    if inside:
        assert follows(a, b, *subsequence_path(a, b, 0, 2)) == b.size - a.size


@pytest.mark.parametrize("share", [0.002, 0.01, 0.05, 0.1])
def test_seeds_guess_the_share_of_changes(share):
    rng = np.random.default_rng(8)
    a = rng.integers(0, 4, 200_000).astype(np.uint8)
    b = a.copy()
    changed = rng.random(a.size) < share
    b[changed] = (b[changed] + rng.integers(1, 4, int(changed.sum()))) % 4
    guess = changed_share(a, b, 4)
    assert guess is not None
    assert 0.8 * share < guess < 2 * share
    assert changed_share(a, rng.integers(0, 4, 200_000).astype(np.uint8), 4) is None
