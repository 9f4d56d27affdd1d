"""What seeds prove: no path of so many edits leaves the band, on every matrix small enough to look."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from core.jobs import Band, EditJob, PathMethod
from core.kernels.edit import seeds, ways
from core.kernels.edit.run import run
from core.kernels.edit.seeds import seed_band
from core.kernels.steps import returned


def _costs(a, b):
    """Return the plain matrix, int64, shape (n + 1, m + 1)."""
    out = np.empty((a.size + 1, b.size + 1), np.int64)
    out[0] = np.arange(b.size + 1)
    for i in range(1, a.size + 1):
        best = np.minimum(out[i - 1, 1:] + 1, out[i - 1, :-1] + (b != a[i - 1]))
        row = np.concatenate([[i], best]) - np.arange(b.size + 1)
        out[i] = np.minimum.accumulate(row) + np.arange(b.size + 1)
    return out


def _changed(rng, a, share, n_codes):
    """Return ``a`` with letters exchanged, left out and put in."""
    kind = rng.random(a.size)
    b = np.where(kind < share / 3, rng.integers(0, n_codes, a.size), a).astype(np.uint8)
    times = np.where(kind > 1 - share / 3, 2, np.where(kind > 1 - 2 * share / 3, 0, 1))
    return np.repeat(b, times)


def _assert_no_short_path_leaves(a, b, n_codes, reach):
    found = returned(seed_band(1, a, b, n_codes, reach, 1))
    through = _costs(a, b) + _costs(a[::-1], b[::-1])[::-1, ::-1]
    diagonal = np.arange(b.size + 1)[None] - np.arange(a.size + 1)[:, None]
    for edits in {0, reach // 3, reach // 2, reach}:
        margin = found.margin(edits)
        outside = (diagonal < found.low - margin) | (diagonal > found.high + margin)
        assert (through[outside] > edits).all(), (edits, margin)
    return found


@settings(deadline=None, max_examples=300)
@given(
    seed=st.integers(0, 1 << 30),
    n=st.integers(1, 160),
    n_codes=st.sampled_from([1, 2, 4, 20]),
    share=st.sampled_from([0.0, 0.02, 0.1, 0.5]),
    repeat=st.sampled_from([0, 5, 31]),
)
def test_no_path_of_so_many_edits_leaves_the_band(seed, n, n_codes, share, repeat):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, n_codes, n, np.uint8)
    if repeat:
        a[n // 4 : 3 * n // 4] = np.resize(a[:repeat], max(0, 3 * n // 4 - n // 4))
    b = _changed(rng, a, share, n_codes)
    if not b.size:
        b = a[:1]
    distance = Levenshtein.distance(a.tobytes(), b.tobytes())
    _assert_no_short_path_leaves(a, b, n_codes, max(distance, abs(int(b.size) - n)) + n // 10)


@pytest.mark.parametrize("rows", [1, 40, 1 << 16])
def test_pieces_make_no_difference(rows, monkeypatch):
    rng = np.random.default_rng(1)
    a = rng.integers(0, 4, 700, np.uint8)
    b = _changed(rng, a, 0.06, 4)
    expected = _assert_no_short_path_leaves(a, b, 4, 80)
    monkeypatch.setattr(seeds, "LEAST_ROWS", rows)
    found = returned(seed_band(1, a, b, 4, 80, 2))
    assert (found.low, found.high, found.broken) == (expected.low, expected.high, expected.broken)
    assert np.array_equal(found.met, expected.met)


def test_it_is_narrower_than_gaps_alone_where_little_is_changed():
    rng = np.random.default_rng(2)
    a = rng.integers(0, 4, 200_000, np.uint8)
    b = _changed(rng, a, 0.01, 4)
    reach = Levenshtein.distance(a.tobytes(), b.tobytes(), score_cutoff=4000)
    found = returned(seed_band(1, a, b, 4, reach, 1))
    assert found.high - found.low + 2 * found.margin(reach) < reach // 3
    assert 0.9 * reach < found.likely(a.size) < 1.15 * reach


@pytest.mark.parametrize("share", [0.01, 0.05, 0.15])
@pytest.mark.parametrize("path", [PathMethod.BLOCKS, PathMethod.NONE])
def test_the_job_is_the_same_with_and_without(share, path, monkeypatch):
    rng = np.random.default_rng(3)
    a = rng.integers(0, 4, 50_000, np.uint8)
    b = _changed(rng, a, share, 4)
    b = np.concatenate([b[:20_000], b[20_700:40_000], b[39_000:]])  # and what is not spread evenly
    monkeypatch.setattr(ways, "PROBE_MOST", 0)
    whole = returned(run(EditJob(a=a, b=b, path=path, band=Band.NONE)))
    monkeypatch.setattr(ways, "SEEDS_WORTH", 0)
    found = returned(run(EditJob(a=a, b=b, path=path)))
    assert found.way == "band"
    assert found.distance == whole.distance
    if path is PathMethod.BLOCKS:
        assert np.array_equal(found.alignment.ops, whole.alignment.ops)
        assert np.array_equal(found.alignment.lengths, whole.alignment.lengths)
