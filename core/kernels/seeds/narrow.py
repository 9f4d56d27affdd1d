"""A narrower band for the next try of a method, where seeds prove one and to look for them is worth it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from core.events import Event
from core.kernels.bands import gap_band
from core.kernels.engine import Engine
from core.kernels.problem import Core
from core.kernels.seeds.band import SeedBand, looking_seconds, seed_band

NARROWEST = 64  # edits, beside the difference of the lengths, that a band is enough for at least
REACH = 1.1  # times the edits that are likely are looked for, so that a first band can be a little wider
SEEDS_WORTH = 1.5  # times what looking for them costs a narrower band must save
NARROWED = 6  # times as narrow as the band of gaps is what seeds leave of it, when ways are weighed


class Narrowing:
    """What seeds tell of one pair, try after try.

    Args:
        n_signs: tells the method, see ``core.kernels.blocks.method``.
        alike: whether any seed is shared; without that there is nothing to look for.
    """

    def __init__(self, core: Core[Any], engine: Engine[Any], n_signs: int, *, alike: bool) -> None:
        self._core, self._engine, self._n_signs, self._alike = core, engine, n_signs, alike
        self._met: SeedBand | None = None
        self._n, self._m = int(core.a.size), int(core.b.size)

    def band(self, edits: int, *, found: bool) -> Generator[Event, None, tuple[int, tuple[int, int], str]]:
        """Return for how many edits the next band is, its diagonals, and what to add to a reason.

        Args:
            edits: a guess, in place of which all seeds may tell better, or what a path that was ``found`` costs.
        """
        n, m = self._n, self._m
        if self._alike and (self._met is None or self._met.reach < edits):
            self._met = yield from self._look(int(edits * REACH))
            if self._met is not None and not found:
                edits = min(self._met.reach, max(self._met.likely(min(n, m)), abs(n - m) + NARROWEST))
        wide = gap_band(n, m, edits)
        if self._met is None:
            return edits, wide, ""
        margin = self._met.margin(edits)
        narrow = max(wide[0], self._met.low - margin), min(wide[1], self._met.high + margin)
        told = f", which allows {margin:,} diagonals beside those on which seeds are met" if narrow != wide else ""
        return edits, narrow, told

    def _look(self, edits: int) -> Generator[Event, None, SeedBand | None]:
        """Return what seeds prove for so many edits; None where to look costs more than it saves, likely."""
        core, (low, high) = self._core, gap_band(self._n, self._m, edits)
        wide = self._engine.band_seconds(core, (low, high), edits)
        narrow = self._engine.band_seconds(core, (low // NARROWED, high // NARROWED), edits)
        if wide - narrow < SEEDS_WORTH * looking_seconds(self._n, self._m, high - low, core.threads):
            return None
        return (yield from seed_band(core.job.id, core.a, core.b, core.n_codes, self._n_signs, edits, core.threads))
