"""Overlaps that unrelated letters would have: how many with a score are expected by chance."""

from __future__ import annotations

from math import exp

import numpy as np

from core.base.arrays import Letters
from core.methods.free_ends import EDIT_PENALTY

LOWER, UPPER = slice(ord("a"), ord("z") + 1), slice(ord("A"), ord("Z") + 1)


def expected_overlaps(a: Letters, b: Letters, score: int, *, fold_case: bool) -> float | None:
    """Return how many overlaps with at least ``score`` are expected of random letters of these compositions.

    After Karlin and Altschul (1990), by substitutions alone, for an overlap that may end at any letter: about right for
    one sequence inside the other, too many for two ends. None where letters are equal so often that long overlaps of
    random letters have high scores.

    Args:
        a, b: uint8, neither empty.
    """
    counts = [np.bincount(one, minlength=256) for one in (a, b)]
    if fold_case:
        for one in counts:
            one[UPPER] += one[LOWER]
            one[LOWER] = 0
    equal = float((counts[0] / a.size) @ (counts[1] / b.size))
    loss = EDIT_PENALTY - 1
    if equal * 1 >= (1 - equal) * loss:
        return None
    low, high = 0.0, 50.0  # the root of p exp(x) + (1 - p) exp(-loss x) = 1 above 0
    for _ in range(60):
        middle = (low + high) / 2
        if equal * exp(middle) + (1 - equal) * exp(-loss * middle) < 1:
            low = middle
        else:
            high = middle
    return float((a.size + b.size) * exp(-low * score))
