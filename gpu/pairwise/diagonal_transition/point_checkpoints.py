"""Fronts of furthest-reaching points that a card keeps (see ``matrix``), and some of them again on the CPU."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.events import Event, Step
from wavediff.core.kernels.pairwise.diagonal_transition.furthest_points import ANY, SHIFT, FurthestPoints, extend_points
from wavediff.gpu.card.interface import Card
from wavediff.gpu.pairwise.strips.spot_check import TimeBudget
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits


@dataclass(frozen=True, slots=True, eq=False)
class CardFurthestPoints(FurthestPoints):
    """See ``FurthestPoints``; the points are an array of ``card``."""

    card: Card

    def _read(self, first: int, end: int) -> Any:
        return self.card.download(self.points[first:end])


class PointSpotChecker:
    """Computes a point again from the front before its own; each run has one sample at least.

    Args:
        a, b: codes. signs: which method.
    """

    def __init__(self, a: Letters, b: Letters, delta_bits: DeltaBits) -> None:
        self._a, self._b, self._signs = a, b, delta_bits
        self._allowance, self._sure = TimeBudget(), True

    def look(
        self, step: Step, before: FurthestPoints, after: FurthestPoints, points: Counts, seconds: float
    ) -> Generator[Event, None, None]:
        """``estimated_seconds`` went by until ``points``, those of ``after``, were found: check one of them, if that is
        due.

        Raises:
            SelfCheckFailed: the card found something else than the CPU.
        """
        self._allowance.earn(seconds)
        if not self._sure and not self._allowance.is_due:
            return
        start = perf_counter()
        diagonal = after.low + np.arange(points.size)
        # One that has come to an edge may say so at another cost here than there.
        known = (points >= 0) & (points < np.minimum(self._a.size, self._b.size - diagonal))
        if self._signs is DeltaBits.LCS:  # every cost has every second diagonal
            known &= (diagonal + after.cost) % 2 == 0
        if not known.any():
            return
        k = int(self._allowance.rng.choice(diagonal[known]))
        found, expected = int(points[k - after.low]), self._again(before, k, after.cost - before.cost)
        if found != expected:
            raise SelfCheckFailed(
                f"the furthest row on diagonal {k:+,} at cost {after.cost:,} came out as {found:,}, "
                f"and as {expected:,} on the CPU"
            )
        self._sure, spent = False, perf_counter() - start
        self._allowance.spend(spent)
        yield step.took("spot-check", spent)

    def _again(self, before: FurthestPoints, k: int, steps: int) -> int:
        width = 2 * steps + 1
        seen, points = np.empty((steps + 1) * width, np.uint32), before.fetch(k - steps - 1, width + 2)
        nothing = np.zeros(width, np.int64)
        extend_points(
            (0,) * int(self._signs), self._a, self._b, nothing, 0, k, steps, points, seen, 1, steps + 1, ANY, 1
        )
        return int(seen[steps * width + steps]) - SHIFT
