"""Density of differences along an alignment, reduced to the pixels of a strip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Counts
from core.jobs.alignment import Op
from core.jobs.alignment_index import AlignmentIndex


@dataclass(frozen=True, slots=True)
class Density:
    """One half of the strip; arrays of shape (pixels,).

    Attributes:
        height: float64, 0 to 1, on a logarithmic scale: 0 no difference, 1 nothing but differences.
        worst: uint8: the ``Op`` to colour it by; a gap is worse than a mismatch, for it shifts what follows.
    """

    height: npt.NDArray[np.float64]
    worst: npt.NDArray[np.uint8]


def strip_counts(index: AlignmentIndex, pixels: int) -> Counts:
    """Return the columns of each ``Op`` behind each pixel of a strip over the whole alignment, shape (4, pixels).

    Where there are more pixels than parts in the index's profile, neighbouring pixels share one.
    """
    bins = index.profile.shape[1]
    if not bins or pixels < 1:
        return np.zeros((len(Op), max(0, pixels)), np.int64)
    firsts = np.arange(pixels) * bins // pixels
    return index.profile[:, firsts] if bins < pixels else np.add.reduceat(index.profile, firsts, axis=1)


def density(counts: Counts, gap: Op) -> Density:
    """Return the strip of the sequence that has letters opposite ``gap``: DELETION for A, INSERTION for B."""
    different = counts[gap] + counts[Op.MISMATCH]
    columns = np.maximum(1, counts.sum(axis=0))
    height = np.log1p(different) / np.log1p(columns)
    worst = np.where(counts[gap] > 0, np.uint8(gap), np.uint8(Op.MISMATCH)).astype(np.uint8)
    return Density(height, worst)
