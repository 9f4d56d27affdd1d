"""What is told beside a median."""

from __future__ import annotations

import random

from wavediff.tests.bench.measure import median_interval


def test_the_interval_of_a_median_is_that_of_the_sign_test() -> None:
    """Ranks as tables of it have them: 1 and 6 of 6, 2 and 8 of 9, 4 and 12 of 15, 8 and 18 of 25."""
    for n, low, high in ((1, 1, 1), (5, 1, 5), (6, 1, 6), (9, 2, 8), (15, 4, 12), (25, 8, 18)):
        ranks = list(range(1, n + 1))
        random.Random(n).shuffle(ranks)
        assert median_interval(ranks) == (low, high)
