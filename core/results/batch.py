"""Distances of many pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import freeze
from core.choices import Pairing
from core.methods.base import Method


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BatchResult:
    """Answer to a ``BatchJob``.

    Attributes:
        values: int32 (float64 where fractions occur), shape (pairs,) pair by pair, (sequences of A, of B) all against
            all: distances, of the LCS lengths. One file against itself gives both halves of a symmetric table.
        method, pairs: as asked.
        own: whether it was one file against itself.
        n_pairs: pairs computed, each of one file against itself once and none with itself.
        n_cells: cells of their full matrices.
        device: ``cpu`` or ``gpu``.
        kernel_seconds, wall_seconds: time inside kernels, and of the whole job without compiling.
        shares: float32, of the shape of ``values``: how alike each pair is, 0 to 1; None where that follows from the
            value (``Method.batch_identity``).
    """

    job_id: int
    values: npt.NDArray[np.int32] | npt.NDArray[np.float64]
    method: Method
    pairs: Pairing
    own: bool
    n_pairs: int
    n_cells: int
    device: str
    kernel_seconds: float
    wall_seconds: float
    shares: npt.NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", freeze(self.values))
        if self.shares is not None:
            object.__setattr__(self, "shares", freeze(self.shares))
