"""Made-up letters that benchmarks and tests share; an installation has the former without what the latter need."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.choices import BwtMethod

CPU_METHODS = tuple(one for one in BwtMethod if one is not BwtMethod.YAMANAKA)


def random_letters(rng: np.random.Generator, n: int, n_letters: int) -> Letters:
    """``n`` letters of an alphabet of ``n_letters`` byte values spread over all 256."""
    return (rng.integers(0, n_letters, n) * 256 // n_letters).astype(np.uint8)


def fibonacci(n: int) -> bytes:
    """The Fibonacci string: as repetitive as a text can be whose letters do not just alternate."""
    a, b = b"b", b"a"
    while len(b) < n:
        a, b = b, b + a
    return b[:n]


def frozen(text: bytes) -> Letters:
    return np.frombuffer(text, np.uint8)
