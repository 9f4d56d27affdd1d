"""Warm-up jobs: small jobs whose kernels get cached."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters, LetterType, letter_type
from wavediff.core.jit.warmup import kernel_name, variant
from wavediff.core.jobs.events import REHEARSAL, Event

WARMUP_LETTERS = 1500  # letters: enough for a probe, and too many for the recursion to solve at once
ONE_STRIP_ROWS = 2048  # rows of a block that hold as many, so that nothing is needed to walk from strip to strip
DNA = 2  # bit planes
# For codes of each type: the bit planes that kernels of a pair are compiled for, and a number of codes that needs them.
PLANES: dict[LetterType, dict[int, int]] = {
    np.uint8: {planes: 1 << planes for planes in (DNA, 5, 3, 1, 4, 6, 7, 8)},  # DNA, proteins, DNA with N, then rarer
    np.uint16: {12: 257, 16: 4097},
}


class WarmupJob(NamedTuple):
    """``names``: kernels ready afterwards (``wavediff.core.jit.warmup.kernel_name``); ``rank``: lower first.

    ``steps``: prepares a kernel that no small CPU job uses, in place of a job. ``card``: needed only by tracebacks of
    GPU matrices.
    """

    rank: int
    names: tuple[str, ...]
    job: Any
    steps: Callable[[], Generator[Event, None, Any]] | None = None
    card: bool = False


def name_for(codes: LetterType, kernel: str, key: Hashable) -> str:
    """Return the name of ``kernel`` in variant ``key`` for this code type."""
    return kernel_name(kernel, variant(key, np.empty(0, codes)))


def letters(n_codes: int, seed: int) -> Letters:
    """Return letters with exactly ``n_codes`` distinct values, in an order given by ``seed``.

    Their number is ``WARMUP_LETTERS``, or the number of codes if larger; uint8, wider for more codes.
    """
    chosen = np.arange(max(WARMUP_LETTERS, n_codes), dtype=np.int64) % n_codes
    return np.random.default_rng(seed).permutation(chosen).astype(letter_type(n_codes))


def kernel_job(
    rank: int, codes: LetterType, kernel: str, key: Hashable, make_ready: Callable[..., Any], *arguments: Any,
    card: bool = False,
) -> WarmupJob:  # fmt: skip
    """Return the warm-up job of a kernel that no small CPU job uses.

    Args:
        make_ready: the steps, from a ``Step`` and ``arguments``.
    """
    return WarmupJob(rank, (name_for(codes, kernel, key),), None, partial(make_ready, REHEARSAL, *arguments), card)
