"""Edit distance: bands that are asked for, subsequences, large numbers; what it shares with the LCS: test_pairwise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.edits import check_path, every_device, peers, run
from tests.core.pairs import mutate, pairs, random_letters
from tests.depth import examples
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.methods.edit import BandMode


@every_device
@given(pair=pairs(), more=st.sampled_from([-1, 0, 1]), block=st.sampled_from([(0, 0), (512, 128)]))
@examples(100)
def test_a_fixed_band_is_exact_from_the_distance_on(device, pair, more, block):
    a, b = pair
    distance = peers(a, b)
    threshold = max(0, distance + more)
    result = run(a, b, device, band=BandMode.FIXED, threshold=threshold, block_rows=block[0], block_cols=block[1])
    check_path(a, b, result)
    # Where stripped ends leave nothing to compute no band was needed for the proof.
    assert result.exact == (distance <= threshold or result.strategy == "common-ends")
    if result.exact:
        assert result.distance == distance
    else:
        assert result.distance >= distance


@every_device
@pytest.mark.parametrize("threshold", [0, 1, 40, 700, 3_000, 10**12])
def test_a_fixed_band_of_any_width_has_a_path(device, threshold):
    """Unequal lengths: a band narrower than their difference is still joined from corner to corner."""
    rng = np.random.default_rng(threshold % 1000)
    a = random_letters(rng, 5_000, 4)
    for b in (random_letters(rng, 5_700, 4), mutate(rng, a, 100, 4), a[:4_000], a[1_000:]):
        result = run(a, b, device, band=BandMode.FIXED, threshold=threshold, block_rows=512, block_cols=256)
        check_path(a, b, result)
        distance = peers(a, b)
        assert result.distance >= distance
        assert result.exact == (distance <= threshold or result.strategy == "common-ends")


@every_device
@pytest.mark.parametrize("band", [BandMode.AUTO, BandMode.SUDO])
def test_a_subsequence_is_found_before_any_cell(device, band):
    rng = np.random.default_rng(8)
    whole = random_letters(rng, 200_000, 4)
    part = whole[np.sort(rng.choice(whole.size, 60_000, replace=False))]
    for a, b in ((part, whole), (whole, part)):
        result = run(a, b, device, band=band)
        assert (result.distance, result.exact) == (140_000, True)
        assert result.strategy == "subsequence"
        assert SkipReason.SUBSEQUENCE in [one.reason for one in result.skips]
        check_path(a, b, result)


@every_device
def test_more_cells_and_edits_than_small_numbers_hold(device):
    """Over 2^32 cells and over 2^15 edits."""
    rng = np.random.default_rng(5)
    a, b = random_letters(rng, 70_000, 4), random_letters(rng, 71_000, 4)
    result = run(a, b, device, band=BandMode.NONE)
    assert result.n_cells > 1 << 32
    assert result.distance == peers(a, b) > 1 << 15
    check_path(a, b, result)
