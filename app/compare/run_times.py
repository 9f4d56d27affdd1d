"""Times of a run: its lanes, stages and waits as they are shown, and the busy share of every pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavediff.core.jobs.run_record import STAGES, Lane, RunRecord, Span, TimedPlace, Wait

Shares = npt.NDArray[np.float64]
MAX_LANES = 8  # that are shown one by one; of more the busiest ones, and what all of them did together
N_SLOWEST = 10
BESIDE = 0.25  # of the time of all blocks, that is shown before them and behind them at most


@dataclass(frozen=True, slots=True, eq=False)
class RunTimes:
    """Times of a run; seconds since its attempt began, so that stages before it have times below 0.

    Attributes:
        first, last: ends of the axis: all blocks, and what lies at most a quarter of their time before and behind.
        stages: in the order of time.
        lanes: those that are shown, and their numbers in the record; None: all of them together.
        slowest, ideal_seconds: see ``RunRecord``. wait: the longest of all lanes.
    """

    record: RunRecord
    first: float
    last: float
    stages: tuple[Span, ...]
    lanes: tuple[tuple[Lane, int | None], ...]
    slowest: tuple[TimedPlace, ...]
    wait: Wait | None
    ideal_seconds: float | None

    @classmethod
    def of(cls, record: RunRecord, spans: Sequence[Span]) -> RunTimes:
        """Return the times of a record that is complete; 0.2 s where there are 1,024 x 1,024 places."""
        stages = tuple(span for span in spans if span.lane == STAGES)
        whole, beside = record.seconds, BESIDE * record.seconds  # kernels may have been compiled for long
        first = max(-beside, min([0.0, *(span.began for span in stages)]))
        last = min(whole + beside, max([whole, *(span.ended for span in stages)]))
        all_lanes = [] if record.interpolated else record.lanes()
        lanes, waits = _shown(all_lanes), [lane.wait for lane in all_lanes]
        wait = max(waits, key=lambda one: one.ended - one.began, default=None)
        slowest = () if record.interpolated else tuple(record.slowest(N_SLOWEST))
        return cls(record, first, last, stages, lanes, slowest, wait, record.ideal_seconds(all_lanes))

    def shares(self, n: int) -> Shares:
        """Return which share of each of ``n`` equal parts of the axis each lane was busy, (lanes, n), 0 to 1."""
        edges = np.linspace(self.first, self.last, n + 1)
        found = busy_shares(self.record, edges)
        rows = [found.mean(0) if number is None else found[number] for _, number in self.lanes]
        return np.array(rows).reshape(len(rows), n)


def _shown(lanes: list[Lane]) -> tuple[tuple[Lane, int | None], ...]:
    if len(lanes) <= MAX_LANES:
        return tuple((lane, k) for k, lane in enumerate(lanes))
    busiest = sorted(sorted(range(len(lanes)), key=lambda k: -lanes[k].busy)[: MAX_LANES - 1])
    busy = sum(lane.busy for lane in lanes) / len(lanes)
    together = Lane("", sum(lane.n_places for lane in lanes), busy, Wait("", 0.0, 0.0))
    return (*((lanes[k], k) for k in busiest), (together, None))


def busy_shares(record: RunRecord, edges: Shares) -> Shares:
    """Return which share of the time between two ``edges`` each lane of a record was at a place.

    Args:
        edges: seconds since the attempt began, evenly spaced, at least two.

    Returns:
        float64, lanes x (edges less one), 0 to 1; a place is its last lane's all the time.
    """
    over = record.ended > 0
    by = record.by[over].astype(np.intp)
    busy = _ramps(record.began[over], by, record, edges) - _ramps(record.ended[over], by, record, edges)
    return np.clip(np.diff(busy, axis=1) / np.diff(edges), 0, 1)


def _ramps(ticks: npt.NDArray[np.uint32], by: npt.NDArray[np.intp], record: RunRecord, edges: Shares) -> Shares:
    """Return for each lane and edge how long ago its ``ticks`` were in all, those before the edge alone."""
    n = edges.size - 1
    times = (ticks - np.float64(1)) * record.seconds_per_tick
    step = (edges[-1] - edges[0]) / n
    # The last part takes what is behind it too: it is before none of the edges.
    part = np.clip(np.ceil((times - edges[0]) / step), 0, n + 1).astype(np.intp) + by * (n + 2)
    size = len(record.names) * (n + 2)
    count = np.bincount(part, minlength=size).reshape(-1, n + 2)[:, :-1].cumsum(1)
    total = np.bincount(part, times, minlength=size).reshape(-1, n + 2)[:, :-1].cumsum(1)
    found: Shares = count * edges - total
    return found
