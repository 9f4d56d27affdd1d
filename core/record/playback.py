"""Log of a run, and its times on a common clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import BlockMap, Counts
from wavediff.core.jobs.events import Compiled, Event, Planned, Recorded, StepDone
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.run_record import COMPILING, STAGES, RunRecord, Span, Ticks

GAP_SECONDS = 0.002  # maximum pause inside a span of one stage, seconds
MAX_SPANS = 8192  # of a lane: twice as many pixels as any screen has; from there on neighbours become one


@dataclass(slots=True)
class RunLog:
    """Times of one run on one device, from the creation of this object."""

    device: str = ""
    start: float = field(default_factory=perf_counter)
    _lanes: dict[str, list[Span]] = field(default_factory=lambda: {STAGES: [], COMPILING: []})
    _attempts: list[Planned] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Record an event at its arrival."""
        now = perf_counter() - self.start
        if isinstance(event, StepDone):
            if event.kernel == "skipped":  # reported, not computed
                return
            if event.calls or event.seconds:
                self._put(Span(event.kernel, STAGES, now - event.seconds, now, event.calls, event.cells))
            for part in event.parts:
                self._put(part._replace(began=part.began - self.start, ended=part.ended - self.start))
        elif isinstance(event, Planned):
            # The data kept by an attempt would stay until the end of the run.
            self._attempts.append(event if event.kept is None else event._replace(kept=None))
        elif isinstance(event, Compiled):
            self._put(Span(event.kernel, COMPILING, now - event.seconds, now, calls=1))

    def recorded(self, job_id: int) -> Recorded:
        spans = tuple(chain.from_iterable(self._lanes.values()))
        return Recorded(job_id, self.device, self.start, perf_counter() - self.start, spans, tuple(self._attempts))

    def _put(self, span: Span) -> None:
        """Append a span to its lane, clipped to the end of the previous one."""
        lane = self._lanes.setdefault(span.lane, [])
        last = lane[-1] if lane else None
        since = 0.0 if last is None else last.ended
        if span.began < since:
            span = span._replace(began=since, ended=max(span.ended, since))
        if last is not None and span.name == last.name and span.box == last.box and span.began - since < GAP_SECONDS:
            lane[-1] = _joined(last, span)
            return
        lane.append(span)
        if len(lane) > MAX_SPANS:
            lane[:] = [_joined(*lane[k : k + 2]) for k in range(0, MAX_SPANS, 2)] + lane[MAX_SPANS:]


def _joined(span: Span, other: Span) -> Span:
    names = dict.fromkeys([*span.name.split("+"), *other.name.split("+")])
    box = span.box if other.box is None else other.box if span.box is None else span.box.around(other.box)
    calls, cells = span.calls + other.calls, span.cells + other.cells
    return Span("+".join(names), span.lane, span.began, other.ended, calls, cells, box)


Seconds = npt.NDArray[np.float64]
MAX_TICKS = 2**32 - 1
SHARED_TIME_RATIO = 1.05  # of the places' times to that of the lanes, from which lanes share places
BESIDE = 0.25  # maximum margin of an axis before and after all blocks, as a share of their time


class Wait(NamedTuple):
    """Idle time of a lane; seconds since the start of the attempt."""

    lane: str
    began: float
    ended: float


class Lane(NamedTuple):
    """Thread of a run, or lane of a card.

    Attributes:
        n_places: number of block map entries that the lane completed. busy: share of the run spent on entries.
        wait: longest pause, including the pauses before the first and after the last entry.
    """

    name: str
    n_places: int
    busy: float
    wait: Wait


class TimedPlace(NamedTuple):
    """Block map entry (0-based row and column), the lane that completed it, and its computing time in seconds."""

    row: int
    col: int
    lane: str
    seconds: float


class Playback:
    """One attempt; time 0 is its start.

    Attributes:
        spans: time spans of stages and lanes of the run, in seconds; times before the attempt are negative.
        seconds: from the start to the end of the last block. n_timed: number of completed block map entries.
    """

    def __init__(self, record: RunRecord, spans: Sequence[Span] = ()) -> None:
        self.record, self.spans = record, tuple(spans)
        self.seconds = record.seconds
        self.n_timed = int(np.count_nonzero(record.ended))

    @classmethod
    def of(cls, plan: Planned, recorded: Recorded | None) -> Playback | None:
        """Return the playback of an attempt; None if block times are unknown."""
        record = plan.record
        if record is None or not record.is_complete:
            return None
        if recorded is None:
            return cls(record)
        ago = record.start - recorded.start
        return cls(record, [span._replace(began=span.began - ago, ended=span.ended - ago) for span in recorded.spans])

    def at(self, seconds: float, final: BlockMap) -> BlockMap:
        """Return the block map at ``seconds``.

        Args:
            final: the map after the attempt; blocks not computed keep their state in it.
        """
        record = self.record
        tick = np.uint32(min(seconds / record.seconds_per_tick, MAX_TICKS) if record.seconds_per_tick else 0)
        computed, states = record.began > 0, final.copy()
        np.copyto(states, np.uint8(BlockState.DONE), where=computed & (final == BlockState.PATH))
        # A place that was begun and is not ended belongs to a run that was stopped: 0 less 1 is later than any.
        unended = record.ended - np.uint32(1) >= tick
        np.copyto(states, np.uint8(BlockState.RUNNING), where=computed & unended)
        np.copyto(states, np.uint8(BlockState.WAITING), where=record.began > tick)
        return states

    @cached_property
    def took(self) -> Ticks:
        return np.where(self.record.ended > 0, self.record.ended - self.record.began, np.uint32(0))

    @property
    def durations(self) -> Seconds:
        return self.took * np.float64(self.record.seconds_per_tick)

    @property
    def stages(self) -> tuple[Span, ...]:
        return tuple(span for span in self.spans if span.lane == STAGES)

    @property
    def axis(self) -> tuple[float, float]:
        """Time range of the attempt, and of stages up to ``BESIDE`` of its duration before and after it."""
        margin = BESIDE * self.seconds  # kernels may have been compiled for long
        first = min([0.0, *(span.began for span in self.stages)])
        last = max([self.seconds, *(span.ended for span in self.stages)])
        return max(-margin, first), min(self.seconds + margin, last)

    def places_of_lanes(self, times: Ticks) -> list[Counts]:
        """Return the entries completed by each lane, as row-major indices, in the order of ``times``.

        Sorting takes 0.1 s for 1,024 x 1,024 entries.
        """
        record = self.record
        over = np.flatnonzero(record.ended)
        by = record.by.ravel()[over]
        order = np.argsort(by.astype(np.uint64) << np.uint64(32) | times.ravel()[over])
        places = over[order]
        return np.split(places, np.searchsorted(by[order], np.arange(1, len(record.names))))

    @cached_property
    def _turns(self) -> list[tuple[Counts, Counts]]:
        """Ticks of start and end of each lane's entries, sorted; overlaps count once."""
        spans = []
        for places in self.places_of_lanes(self.record.began):
            began = self.record.began.ravel()[places].astype(np.int64)
            ended = np.maximum.accumulate(self.record.ended.ravel()[places].astype(np.int64))
            since = np.concatenate([[1], ended])[: places.size]  # end of the preceding work of the lane
            spans.append((np.maximum(began, since), ended))
        return spans

    @cached_property
    def lanes(self) -> list[Lane]:
        """Statistics of each lane; for a stopped run, of the completed entries only."""
        end, per_tick = int(self.record.ended.max(initial=0)), self.record.seconds_per_tick
        lanes = []
        for name, (began, ended) in zip(self.record.names, self._turns, strict=True):
            since = np.concatenate([[1], ended])
            gaps = np.append(began, max(end, int(since[-1]))) - since
            k = int(np.argmax(gaps))
            wait = Wait(name, per_tick * (since[k] - 1), per_tick * (since[k] - 1 + gaps[k]))
            busy = 1 - int(gaps.sum()) / max(1, end - 1) if began.size else 0.0
            lanes.append(Lane(name, int(began.size), busy, wait))
        return lanes

    def shares(self, edges: Seconds) -> Seconds:
        """Return the load of each lane between consecutive ``edges``.

        Args:
            edges: seconds, evenly spaced, at least two.

        Returns:
            float64, lanes x (edges - 1), 0 to 1; an entry counts only for the lane that completed it.
        """
        lane = np.repeat(np.arange(len(self._turns)), [began.size for began, _ in self._turns])
        began, ended = (np.concatenate(ticks) for ticks in zip(*self._turns, strict=True))
        busy = self._ramps(began, lane, edges) - self._ramps(ended, lane, edges)
        return np.clip(np.diff(busy, axis=1) / np.diff(edges), 0, 1)

    def _ramps(self, ticks: Counts, lane: Counts, edges: Seconds) -> Seconds:
        """Return for each lane and edge the summed time since its earlier ``ticks``."""
        n, size = edges.size - 1, len(self._turns)
        times = (ticks - 1) * self.record.seconds_per_tick
        step = (edges[-1] - edges[0]) / n
        # The last part takes what is behind it too: it is before none of the edges.
        part = np.clip(np.ceil((times - edges[0]) / step), 0, n + 1).astype(np.intp) + lane * (n + 2)
        count = np.bincount(part, minlength=size * (n + 2)).reshape(size, n + 2)[:, :-1].cumsum(1)
        total = np.bincount(part, times, minlength=size * (n + 2)).reshape(size, n + 2)[:, :-1].cumsum(1)
        busy: Seconds = count * edges - total
        return busy

    def slowest(self, n: int = 10) -> list[TimedPlace]:
        """Return the ``n`` slowest entries, slowest first."""
        took, record = self.took.ravel(), self.record
        most = np.argpartition(took, -n)[-n:] if took.size > n else np.arange(took.size)
        most = most[took[most] > 0]
        columns = record.began.shape[1]
        return [
            TimedPlace(
                k // columns, k % columns, record.names[record.by.flat[k]], float(took[k]) * record.seconds_per_tick
            )
            for k in most[np.argsort(-took[most].astype(np.int64), kind="stable")].tolist()
        ]

    @cached_property
    def lanes_share_places(self) -> bool:
        """True if entry times are interpolated, or exceed the lanes' busy time because several lanes share an entry."""
        busy = sum(lane.busy for lane in self.lanes) * max(1, int(self.record.ended.max(initial=0)) - 1)
        return self.record.interpolated or bool(self.took.sum() > SHARED_TIME_RATIO * busy + 0.5)  # ticks are whole

    @cached_property
    def ideal_seconds(self) -> float | None:
        """Lower bound of the time for these entries on the same lanes.

        The bound is the longer of two times: that of the slowest chain of entries, each left of or above the next, and
        that with all lanes always busy. None if ``lanes_share_places``, or if an entry began before its left or upper
        neighbour ended: parts computed at the same time (pieces of a band, both halves) form no chain.
        """
        began, ended = self.record.began, self.record.ended
        neighbours = ((ended[:-1], began[1:]), (ended[:, :-1], began[:, 1:]))
        if self.lanes_share_places or any(((after > 0) & (after < before)).any() for before, after in neighbours):
            return None
        took = self.took.astype(np.int64)
        chain = np.zeros(took.shape[1], np.int64)
        for row in took:
            along = np.cumsum(row)
            chain = along + np.maximum.accumulate(chain - along + row)
        work = int(took.sum()) / max(1, len(self.record.names))
        return max(float(chain.max(initial=0)), work) * self.record.seconds_per_tick
