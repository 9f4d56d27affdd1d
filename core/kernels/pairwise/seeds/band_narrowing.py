"""Narrower band for the next attempt, if seeds prove one and their search pays off."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from wavediff.core.jobs.events import Event
from wavediff.core.kernels.pairwise.estimate import ukkonen_band
from wavediff.core.kernels.pairwise.matrix import MatrixBackend
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.core.kernels.pairwise.seeds.proven_band import SeedBand, lookup_seconds, seed_band

MIN_BAND_EDITS = 64  # edits, next to the difference of the lengths, that a band is enough for at least
REACH_FACTOR = 1.1  # times the edits that are likely are searched for, so that a first band can be a little wider
MIN_SAVING_FACTOR = 1.5  # times what looking for them costs a narrower band must save
EXPECTED_NARROWING = 6  # times as narrow as the band of gaps is what seeds leave of it, when ways are weighed


class Narrowing:
    """Seed evidence of one pair over all attempts.

    Args:
        n_delta_bits: selects the method, see ``wavediff.core.kernels.pairwise.blocks.method_dispatch``.
        alike: whether any seed is shared.
    """

    def __init__(
        self, problem: PairProblem[Any], backend: MatrixBackend[Any], n_delta_bits: int, *, alike: bool
    ) -> None:
        self._problem, self._backend, self._n_signs, self._alike = problem, backend, n_delta_bits, alike
        self._met: SeedBand | None = None
        self._n, self._m = int(problem.a.size), int(problem.b.size)

    def band(self, edits: int, *, found: bool) -> Generator[Event, None, tuple[int, tuple[int, int], int | None]]:
        """Return edits and diagonals of the next band, and the seed margin that narrowed it.

        Args:
            edits: a guess, which the seeds may improve; or the cost of a path, if ``found``.
        """
        n, m = self._n, self._m
        if self._alike and (self._met is None or self._met.reach < edits):
            self._met = yield from self._narrowed(int(edits * REACH_FACTOR))
            self._problem.course = None if self._met is None else self._met.course()
            if self._met is not None and not found:
                edits = min(self._met.reach, max(self._met.likely(min(n, m)), abs(n - m) + MIN_BAND_EDITS))
        wide = ukkonen_band(n, m, edits)
        if self._met is None:
            return edits, wide, None
        margin = self._met.margin(edits)
        narrow = max(wide[0], self._met.low - margin), min(wide[1], self._met.high + margin)
        return edits, narrow, margin if narrow != wide else None

    def _narrowed(self, edits: int) -> Generator[Event, None, SeedBand | None]:
        """Return the band proved by seeds for ``edits``; None if the search is likely too slow."""
        problem, (low, high) = self._problem, ukkonen_band(self._n, self._m, edits)
        wide = self._backend.band_seconds(problem, (low, high), edits)
        narrow = self._backend.band_seconds(problem, (low // EXPECTED_NARROWING, high // EXPECTED_NARROWING), edits)
        if wide - narrow < MIN_SAVING_FACTOR * lookup_seconds(self._n, self._m, high - low, problem.threads):
            return None
        return (
            yield from seed_band(
                problem.step, problem.a, problem.b, problem.n_codes, self._n_signs, edits, problem.threads
            )
        )
