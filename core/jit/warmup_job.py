"""Warm-up jobs: small jobs that need certain kernels, run so that these get into the cache."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.events import Event

WARMUP_LETTERS = 1500  # letters: enough for a probe, and too many for the recursion to solve at once
ONE_STRIP_ROWS = 2048  # rows of a block that hold as many, so that nothing is needed to walk from strip to strip
DNA = 2  # bit planes
PLANES = (DNA, 5, 3, 1, 4, 6, 7, 8)  # DNA, proteins, DNA with N, then what is rarer


class WarmupJob(NamedTuple):
    """``names``: kernels that are ready after it (``wavediff.core.jit.warmup.kernel_name``); ``rank``: lower ones
    first.

    ``steps``: makes ready what no small job of the CPU needs; then there is no job. ``card``: only the walk behind the
    kernels of a graphics card needs it.
    """

    rank: int
    names: tuple[str, ...]
    job: Any
    steps: Callable[[], Generator[Event, None, Any]] | None = None
    card: bool = False


def letters(n_codes: int, seed: int) -> Letters:
    """Return ``WARMUP_LETTERS`` letters with exactly ``n_codes`` different ones, in another order for each seed."""
    chosen = np.arange(WARMUP_LETTERS, dtype=np.int64) % n_codes
    return np.random.default_rng(seed).permutation(chosen).astype(np.uint8)
