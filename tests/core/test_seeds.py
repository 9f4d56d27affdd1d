"""What seeds prove: no path of so many edits leaves the band, on every matrix small enough to look."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel, Levenshtein

from tests.depth import examples
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.kernels.pairwise.blocks.method_dispatch import EDIT_SIGNS, LCS_SIGNS
from wavediff.core.kernels.pairwise.diagonal_transition import cpu_band
from wavediff.core.kernels.pairwise.edit.run import run
from wavediff.core.kernels.pairwise.lcs.run import run as run_lcs
from wavediff.core.kernels.pairwise.seeds import band_narrowing, proven_band
from wavediff.core.kernels.pairwise.seeds.proven_band import seed_band
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy


def _costs(n_delta_bits, a, b):
    """Return the plain matrix, int64, shape (n + 1, m + 1)."""
    exchange = n_delta_bits == EDIT_SIGNS
    out = np.empty((a.size + 1, b.size + 1), np.int64)
    out[0] = np.arange(b.size + 1)
    for i in range(1, a.size + 1):
        best = np.minimum(out[i - 1, 1:] + 1, out[i - 1, :-1] + (b != a[i - 1]) * (1 if exchange else 2))
        row = np.concatenate([[i], best]) - np.arange(b.size + 1)
        out[i] = np.minimum.accumulate(row) + np.arange(b.size + 1)
    return out


def _changed(rng, a, share, n_codes):
    """Return ``a`` with letters exchanged, left out and put in."""
    kind = rng.random(a.size)
    b = np.where(kind < share / 3, rng.integers(0, n_codes, a.size), a).astype(np.uint8)
    times = np.where(kind > 1 - share / 3, 2, np.where(kind > 1 - 2 * share / 3, 0, 1))
    return np.repeat(b, times)


def _assert_no_short_path_leaves(n_delta_bits, a, b, n_codes, reach):
    found = run_to_end(seed_band(Step(1), a, b, n_codes, n_delta_bits, reach, 1))
    through = _costs(n_delta_bits, a, b) + _costs(n_delta_bits, a[::-1], b[::-1])[::-1, ::-1]
    assert found.least <= through[0, 0]
    diagonal = np.arange(b.size + 1)[None] - np.arange(a.size + 1)[:, None]
    for edits in {0, reach // 3, reach // 2, reach}:
        margin = found.margin(edits)
        outside = (diagonal < found.low - margin) | (diagonal > found.high + margin)
        assert (through[outside] > edits).all(), (edits, margin)
    return found


@examples(600)
@given(
    seed=st.integers(0, 1 << 30),
    n=st.integers(1, 160),
    n_codes=st.sampled_from([1, 2, 4, 20]),
    share=st.sampled_from([0.0, 0.02, 0.1, 0.5]),
    repeat=st.sampled_from([0, 5, 31]),
    moved=st.sampled_from([0, 0, 7, 20]),
    chance=st.sampled_from([1, 4, 200]),
    back=st.sampled_from([1, 3, 64]),
)
@pytest.mark.parametrize("n_delta_bits", [LCS_SIGNS, EDIT_SIGNS])
def test_no_path_of_so_many_edits_leaves_the_band(n_delta_bits, seed, n, n_codes, share, repeat, moved, chance, back):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, n_codes, n, np.uint8)
    if repeat:
        a[n // 4 : 3 * n // 4] = np.resize(a[:repeat], max(0, 3 * n // 4 - n // 4))
    b = _changed(rng, a, share, n_codes)
    if moved:  # somewhere a longer gap, and one that makes up for it
        at = rng.integers(0, b.size + 1)
        b = np.concatenate([b[: b.size // 2], rng.integers(0, n_codes, moved, np.uint8), b[b.size // 2 :]])
        b = np.delete(b, slice(at, at + moved))
    if not b.size:
        b = a[:1]
    distance = (Indel if n_delta_bits == LCS_SIGNS else Levenshtein).distance(a.tobytes(), b.tobytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proven_band, "DIAGONALS_PER_CHANCE_HIT", chance)  # shorter seeds, met here and there by chance
        patch.setattr(proven_band, "CHAIN_LOOKBACK", back)
        _assert_no_short_path_leaves(n_delta_bits, a, b, n_codes, max(distance, abs(int(b.size) - n)) + n // 10)


@pytest.mark.parametrize("rows", [1, 40, 1 << 16])
def test_pieces_make_no_difference(rows, monkeypatch):
    rng = np.random.default_rng(1)
    a = rng.integers(0, 4, 700, np.uint8)
    b = _changed(rng, a, 0.06, 4)
    expected = _assert_no_short_path_leaves(EDIT_SIGNS, a, b, 4, 80)
    monkeypatch.setattr(proven_band, "MIN_LOOKUP_ROWS", rows)
    found = run_to_end(seed_band(Step(1), a, b, 4, EDIT_SIGNS, 80, 2))
    assert (found.low, found.high, found.broken) == (expected.low, expected.high, expected.broken)
    assert np.array_equal(found.runs, expected.runs)


@pytest.mark.parametrize(
    ("n_delta_bits", "distance"), [(LCS_SIGNS, Indel.distance), (EDIT_SIGNS, Levenshtein.distance)]
)
def test_it_is_narrower_than_gaps_alone_where_little_is_changed(n_delta_bits, distance):
    rng = np.random.default_rng(2)
    a = rng.integers(0, 4, 200_000, np.uint8)
    b = _changed(rng, a, 0.01, 4)
    reach = distance(a.tobytes(), b.tobytes(), score_cutoff=4000)
    found = run_to_end(seed_band(Step(1), a, b, 4, n_delta_bits, reach, 1))
    assert 0.8 * reach < found.least <= reach
    assert found.high - found.low + 2 * found.margin(reach) < reach // 3
    assert 0.9 * reach < found.likely(a.size) < 1.15 * reach


@pytest.mark.parametrize("share", [0.01, 0.05, 0.15])
@pytest.mark.parametrize("path", [TracebackMethod.BLOCKS, TracebackMethod.NONE])
@pytest.mark.parametrize("method", ["lcs", "edit"])
@pytest.mark.parametrize("point", [1e-15, 1.0], ids=["diagonals", "blocks"])
def test_the_job_is_the_same_with_and_without(method, share, path, point, monkeypatch):
    rng = np.random.default_rng(3)
    a = rng.integers(0, 4, 50_000, np.uint8)
    b = _changed(rng, a, share, 4)
    b = np.concatenate([b[:20_000], b[20_700:40_000], b[39_000:]])  # and what is not spread evenly
    if method == "lcs":
        found, whole = (
            (run_lcs, LcsJob(a=a, b=b, path=path)),
            (run_lcs, LcsJob(a=a, b=b, path=path, strategy=Strategy.FULL)),
        )
    else:
        found, whole = (run, EditJob(a=a, b=b, path=path)), (run, EditJob(a=a, b=b, path=path, band=BandMode.NONE))
    monkeypatch.setattr("wavediff.core.kernels.pairwise.edit.strategy.EditStrategy.max_probe_edits", 0)
    monkeypatch.setattr("wavediff.core.kernels.pairwise.lcs.run.LcsStrategy.max_probe_edits", 0)
    monkeypatch.setattr(band_narrowing, "MIN_SAVING_FACTOR", 0)
    monkeypatch.setattr(cpu_band, "POINT_SECONDS", point)
    found, whole = (run_to_end(kernel(job)) for kernel, job in (found, whole))
    assert found.strategy == "band"
    assert ("furthest points" in found.reason) == (point < 1)
    if method == "lcs":
        assert found.length == whole.length
    else:
        assert (found.distance, found.exact) == (whole.distance, True)
    if path is TracebackMethod.BLOCKS:
        assert np.array_equal(found.alignment.ops, whole.alignment.ops)
        assert np.array_equal(found.alignment.lengths, whole.alignment.lengths)


@pytest.mark.parametrize("share", [0.01, 0.15])
@pytest.mark.parametrize("point", [1e-15, 1.0], ids=["diagonals", "blocks"])
def test_a_path_that_was_found_bounds_the_next_band(share, point, monkeypatch):
    rng = np.random.default_rng(3)
    a = rng.integers(0, 4, 50_000, np.uint8)
    b = _changed(rng, a, share, 4)
    b = np.concatenate([b[:20_000], b[20_700:40_000], b[39_000:]])  # which the first guess knows nothing of
    monkeypatch.setattr("wavediff.core.kernels.pairwise.edit.strategy.EditStrategy.max_probe_edits", 0)
    monkeypatch.setattr(band_narrowing, "MIN_SAVING_FACTOR", 0)
    monkeypatch.setattr(cpu_band, "POINT_SECONDS", point)
    monkeypatch.setattr(proven_band.SeedBand, "likely", lambda *_: 900)  # and all seeds neither
    tries = run_to_end(run(EditJob(a=a, b=b, path=TracebackMethod.NONE))).bands
    assert len(tries) == 2
    assert tries[1].threshold == tries[0].distance
