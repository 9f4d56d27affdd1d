"""A band on the card by O(ND): see ``wavediff.core.kernels.pairwise.diagonal_transition.diagonal_band``.

A launch computes the points of all diagonals for ``LAUNCH_COSTS`` costs; the points of the last cost stay on the card.
Some points are recomputed on the CPU as a check.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Ops
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jit.bits import common_prefix
from wavediff.core.jobs.events import Event, Step
from wavediff.core.jobs.run_record import Span
from wavediff.core.kernels.pairwise.diagonal_transition.diagonal_band import DiagonalBand
from wavediff.core.kernels.pairwise.diagonal_transition.furthest_points import ANY, SHIFT, FurthestPoints, extend_points
from wavediff.core.kernels.pairwise.diagonal_transition.probe import make_ready
from wavediff.core.kernels.pairwise.estimate import clip_band
from wavediff.core.kernels.pairwise.problem import PairProblem
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.card.place_times import LAUNCHES, launch_name
from wavediff.gpu.pairwise.strips.spot_check import TimeBudget
from wavediff.gpu.pairwise.strips.strip_layout import LANES, DeltaBits

DIAGONALS_PER_THREAD = 2  # diagonals of a thread
LAUNCH_COSTS = 64  # costs of a launch
BLOCK_WARPS = 8  # of a block
MAX_EDITS_FACTOR = 1.5  # times the expected edits
POLL_SECONDS = 0.02  # seconds between two checks of results
POINT_MEMORY_SHARE = 0.3  # maximum share of the card's free memory for points
COST_SECONDS, POINT_SECONDS = 8.3e-7, 1.1e-12  # seconds per cost, and per point
STRIP_ROW_SECONDS = 4e-8  # seconds per row of a band of strips
STRETCH = np.dtype(
    [("from", np.uint64), ("to", np.uint64)]
    + [(name, np.int32) for name in ("from_low", "from_size", "to_low", "to_size", "cost", "steps")],
    align=True,
)


def instead_of_strips(
    card: Card, problem: PairProblem[Any], delta_bits: DeltaBits, band: tuple[int, int] | None, edits: int
) -> CardDiagonalBand | None:
    """Return the diagonals of a band if likely faster than strips and within memory, else None.

    Args:
        edits: expected; 0: unknown.
    """
    if band is None or not edits:
        return None
    low, high = clip_band(band, int(problem.a.size), int(problem.b.size))
    points, strips = seconds_of(problem, band, edits)
    fits = not problem.wants_path or edits // LAUNCH_COSTS * (high - low + 1) * 4 < POINT_MEMORY_SHARE * card.free()
    if points >= strips or not fits:
        return None
    return CardDiagonalBand(
        card, problem.a, problem.b, problem.n_codes, delta_bits, band, path=problem.wants_path, edits=edits
    )


def band_seconds(problem: PairProblem[Any], band: tuple[int, int], edits: int, rate: float) -> float:
    """Estimate the seconds of a band by the faster of the two methods; ``rate``: cells per second of the card."""
    points, strips = seconds_of(problem, band, edits)
    return min(points, strips + problem.a.size * (band[1] - band[0]) / rate)


def seconds_of(problem: PairProblem[Any], band: tuple[int, int], edits: int) -> tuple[float, float]:
    """Estimate the seconds of a band by points, and by strips."""
    low, high = clip_band(band, int(problem.a.size), int(problem.b.size))
    return edits * (COST_SECONDS + (high - low + 1) * POINT_SECONDS), max(
        problem.a.size, problem.b.size
    ) * STRIP_ROW_SECONDS


class CardDiagonalBand(DiagonalBand):
    """See ``DiagonalBand``.

    Args:
        n_codes: upper bound (exclusive) of the codes.
        edits: expected; the band is abandoned at many more.
    """

    leaves_band = True  # in a launch

    def __init__(
        self,
        card: Card,
        a: Letters,
        b: Letters,
        n_codes: int,
        delta_bits: DeltaBits,
        band: tuple[int, int],
        *,
        path: bool,
        edits: int,
    ) -> None:
        super().__init__(a, b, int(delta_bits), band, path=path, most=int(edits * MAX_EDITS_FACTOR) + LANES)
        self._card, self._method, self._steps = card, delta_bits, LAUNCH_COSTS
        self._letter = next(bits for bits in (2, 4, 8) if n_codes <= 1 << bits)

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        card = self._card
        yield from make_ready(step, self._signs)  # for samples and the traceback
        sampler = PointSpotChecker(self._a, self._b, self._method)
        start = perf_counter()
        n, m, nothing = int(self._a.size), int(self._b.size), int(np.iinfo(np.int32).max)
        macros = {
            "METHOD": int(self._method),
            "EACH": DIAGONALS_PER_THREAD,
            "STEPS": LAUNCH_COSTS,
            "WARPS": BLOCK_WARPS,
            "LETTER": self._letter,
        }
        kernel, pack = (card.kernel("diagonals.cu", name, **macros) for name in ("diagonals", "pack_letters"))
        if kernel.seconds or pack.seconds:
            yield step.compiled("blocks", kernel.seconds + pack.seconds)
            start = perf_counter()
        letters = [self._upload(pack, codes) for codes in (self._a, self._b)]
        first = int(common_prefix(self._a, self._b))
        self._fronts = [CardFurthestPoints(0, 0, card.upload(np.array([first], np.int32)), card)]
        cost_at_end = card.upload(np.array([nothing], np.int32))
        yield step.done("upload", start)
        used = LANES * DIAGONALS_PER_THREAD * BLOCK_WARPS - 2 * LAUNCH_COSTS
        self._cost = 0 if first == n == m else nothing
        batch, reported, launched = 8, 0, 0
        self._begin(LAUNCHES)
        while self._cost == nothing and self._fronts[-1].cost < self._most:
            stretches, kept = self._next_fronts(batch)
            table, shared = card.upload(stretches.view(np.int32)), (*letters, np.int32(n), np.int32(m))
            launches = [
                (-(-int(size) // used), (*shared, table, np.int32(k), cost_at_end))
                for k, size in enumerate(stretches["to_size"])
            ]
            seconds = card.launch_each(kernel, BLOCK_WARPS * LANES, 0, launches)
            ended = perf_counter()
            if kept < batch:
                del self._fronts[:-kept]  # not earlier: the launches have only their addresses
            self._cost = int(card.download(cost_at_end)[0])
            front = card.download(self._fronts[-1].points)
            done = self._mark(max(0, int(front.max())))
            span = Span(launch_name(launched + 1), LAUNCHES, ended - seconds, ended, batch, done - reported)
            yield step.took("blocks", seconds, batch, done - reported, (span,))
            yield from sampler.look(step, self._fronts[-2], self._fronts[-1], front, seconds)
            launched, reported = launched + batch, done
            batch = max(1, min(2 * batch, int(POLL_SECONDS / max(seconds, 1e-6) * batch)))
        if self._cost == nothing:
            self._cost = self._fronts[-1].cost + self._left(self._fronts[-1].low, front)
        yield step.took("blocks", 0.0, 0, self._mark(n) - reported)
        return False

    def _upload(self, pack: Any, codes: Letters) -> Any:
        n_words = codes.size * self._letter // 32 + 2
        words, sizes = self._card.zeros(n_words, np.uint32), (np.int64(codes.size), np.int64(n_words))
        self._card.launch(pack, -(-n_words // 256), 256, 0, self._card.upload(codes), *sizes, words)
        return words

    def _next_fronts(self, n: int) -> tuple[Any, int]:
        """Lay out the next ``n`` fronts (without a path only the last previous one); return their ranges and number
        stored."""
        stretches, card, (low, high) = np.zeros(n, STRETCH), self._card, self._band
        cost = self._fronts[-1].cost + LAUNCH_COSTS * np.arange(1, n + 1)
        lows = np.maximum(low, -cost)
        sizes = np.minimum(high, cost) - lows + 1
        most = int(sizes.max())
        # Without a path they serve the check only, and later ones replace them if memory is short.
        fit = int(POINT_MEMORY_SHARE * card.free()) // (4 * most)
        kept = n if self._path else max(2, min(n, fit))
        at = np.cumsum(sizes) - sizes if self._path else np.arange(n) % kept * most
        room = card.zeros(int(sizes.sum()) if self._path else kept * most, np.int32)
        if not self._path:
            del self._fronts[:-1]
        for k in range(n):
            before, start = self._fronts[-1], int(at[k])
            after = CardFurthestPoints(int(cost[k]), int(lows[k]), room[start : start + int(sizes[k])], card)
            self._fronts.append(after)
            points = card.address(before.points), card.address(after.points)
            stretches[k] = (*points, before.low, before.points.size, after.low, sizes[k], before.cost, LAUNCH_COSTS)
        return stretches, kept


@dataclass(frozen=True, slots=True, eq=False)
class CardFurthestPoints(FurthestPoints):
    """See ``FurthestPoints``; the points are an array of ``card``."""

    card: Card

    def _read(self, first: int, end: int) -> Any:
        return self.card.download(self.points[first:end])


class PointSpotChecker:
    """Recomputes sampled points from the previous front; at least one sample per run.

    Args:
        a, b: codes. delta_bits: selects the method.
    """

    def __init__(self, a: Letters, b: Letters, delta_bits: DeltaBits) -> None:
        self._a, self._b, self._signs = a, b, delta_bits
        self._allowance, self._sure = TimeBudget(), True

    def look(
        self, step: Step, before: FurthestPoints, after: FurthestPoints, points: Counts, seconds: float
    ) -> Generator[Event, None, None]:
        """Recompute one of ``points`` (front ``after``) if a check is due; ``seconds``: time since the last call.

        Raises:
            SelfCheckFailed: card and CPU have different results.
        """
        self._allowance.earn(seconds)
        if not self._sure and not self._allowance.is_due:
            return
        start = perf_counter()
        diagonal = after.low + np.arange(points.size)
        # Points at an edge may reach it at different costs here and there.
        known = (points >= 0) & (points < np.minimum(self._a.size, self._b.size - diagonal))
        if self._signs is DeltaBits.LCS:  # every cost has every second diagonal
            known &= (diagonal + after.cost) % 2 == 0
        if not known.any():
            return
        k = int(self._allowance.rng.choice(diagonal[known]))
        furthest, expected = int(points[k - after.low]), self._again(before, k, after.cost - before.cost)
        if furthest != expected:
            raise SelfCheckFailed(
                f"the furthest row on diagonal {k:+,} at cost {after.cost:,} came out as {furthest:,}, "
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
