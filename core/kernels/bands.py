"""Which diagonals a band must hold for it to hold every path of so many edits."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from core.events import Event
from core.kernels.engine import Engine
from core.kernels.problem import Core
from core.kernels.seeds.band import SeedBand, looking_seconds, seed_band

REACH = 1.1  # times the edits that are likely are looked for, so that a first band can be a little wider
SEEDS_WORTH = 1.5  # times what looking for them costs a narrower band must save
NARROWED = 6  # times as narrow as the band of gaps is what seeds leave of it, when ways are weighed


def gap_band(n: int, m: int, edits: int) -> tuple[int, int]:
    """Return the diagonals (low, high) that gaps of so many edits reach and come back from (Ukkonen 1985)."""
    slack = max(edits - abs(n - m), 0) // 2
    return min(0, m - n) - slack, max(0, m - n) + slack


def look_for_band(
    core: Core[Any], engine: Engine[Any], n_signs: int, edits: int
) -> Generator[Event, None, SeedBand | None]:
    """Return what seeds prove for ``edits`` and some more; None where to look costs more than it saves, likely."""
    n, m, edits = int(core.a.size), int(core.b.size), int(edits * REACH)
    low, high = gap_band(n, m, edits)
    wide = engine.band_seconds(core, (low, high), edits)
    narrow = engine.band_seconds(core, (low // NARROWED, high // NARROWED), edits)
    if wide - narrow < SEEDS_WORTH * looking_seconds(n, m, high - low, core.threads):
        return None
    return (yield from seed_band(core.job.id, core.a, core.b, core.n_codes, n_signs, edits, core.threads))


def narrowed(band: tuple[int, int], met: SeedBand | None, edits: int) -> tuple[tuple[int, int], str]:
    """Return what is left of the band of gaps of so many edits where seeds are known, and what to add to a reason."""
    if met is None:
        return band, ""
    margin = met.margin(edits)
    narrow = max(band[0], met.low - margin), min(band[1], met.high + margin)
    if narrow == band:
        return band, ""
    return narrow, f", which allows {margin:,} diagonals beside those on which seeds are met"
