"""What an edit distance job accepts and tells; what it shares with the LCS: test_pairwise_job."""

import numpy as np
import pytest

from tests.core.pairs import random_letters
from wavediff.core.jit.simd import BITS
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.run.runner import run_job


def random_job(n, **choices):
    rng = np.random.default_rng(n)
    return EditJob(a=random_letters(rng, n, 4), b=random_letters(rng, n - 7, 4), **choices)


@pytest.mark.parametrize(
    ("rows", "cols", "told"), [(BITS - 28, 1280, True), (1, 1, True), (BITS, 1280, False), (0, 0, False)]
)
def test_blocks_of_another_size_than_asked_for_are_told_of(rows, cols, told):
    result = run_job(random_job(5_000, band=BandMode.SUDO, block_rows=rows, block_cols=cols))
    assert ("were asked" in result.reason) == told
    assert (f"blocks of {BITS:,} x " in result.reason) == told


def test_a_threshold_goes_with_a_fixed_band_only():
    letters = np.zeros(3, np.uint8)
    for choices in ({"band": BandMode.FIXED}, {"threshold": 4}, {"band": BandMode.FIXED, "threshold": -1}):
        with pytest.raises(ValueError, match="threshold"):
            EditJob(a=letters, b=letters, **choices)
