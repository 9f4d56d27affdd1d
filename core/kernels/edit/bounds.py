"""What two sequences tell before any matrix is computed (paper 2, section 4): a subsequence, an upper bound."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from core.arrays import Counts, Letters


@njit(nogil=True, cache=True)
def hamming(a: Letters, b: Letters) -> int:
    """Return the mismatches of the common length plus what is longer: an upper bound of the edit distance."""
    n = min(a.size, b.size)
    differ = 0
    for i in range(n):
        differ += a[i] != b[i]
    return differ + max(a.size, b.size) - n


@njit(nogil=True, cache=True)
def is_subsequence(part: Letters, whole: Letters) -> bool:
    """Whether ``part`` is a subsequence of ``whole``."""
    i, n = 0, part.size
    left = whole.size
    for j in range(whole.size):
        if i == n or n - i > left - j:
            break
        if part[i] == whole[j]:
            i += 1
    return i == n


@njit(nogil=True, cache=True)
def subsequence_path(part: Letters, whole: Letters, equal: int, gap: int) -> tuple[npt.NDArray[np.uint8], Counts]:
    """Return the runs of the alignment of a subsequence with the whole, last column first, matched from the end."""
    ops, lengths = np.empty(2 * part.size + 1, np.uint8), np.empty(2 * part.size + 1, np.int64)
    i, runs, last = part.size, 0, -1
    for j in range(whole.size - 1, -1, -1):
        op = gap
        if i > 0 and part[i - 1] == whole[j]:
            op = equal
            i -= 1
        if op == last:
            lengths[runs - 1] += 1
        else:
            ops[runs] = op
            lengths[runs] = 1
            runs += 1
            last = op
    return ops[:runs], lengths[:runs]
