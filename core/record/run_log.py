"""Log of a run: the spans of its stages and threads, gathered from its events as they come."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from time import perf_counter

from wavediff.core.jobs.events import Compiled, Event, Planned, Recorded, StepDone
from wavediff.core.jobs.run_record import COMPILING, STAGES, Span

GAP_SECONDS = 0.002  # between two pieces of one stage that are told as one
MAX_SPANS = 8192  # of a lane: twice as many pixels as any screen has; from there on neighbours become one


@dataclass(slots=True)
class RunLog:
    """Times of one run on one device, from where this was made."""

    device: str = ""
    start: float = field(default_factory=perf_counter)
    _lanes: dict[str, list[Span]] = field(default_factory=lambda: {STAGES: [], COMPILING: []})
    _attempts: list[Planned] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Take note of an event at the moment at which it comes."""
        now = perf_counter() - self.start
        if isinstance(event, StepDone):
            if event.kernel == "skipped":  # told of, and not computed
                return
            if event.calls or event.seconds:
                self._put(Span(event.kernel, STAGES, now - event.seconds, now, event.calls, event.cells))
            for part in event.parts:
                self._put(part._replace(began=part.began - self.start, ended=part.ended - self.start))
        elif isinstance(event, Planned):
            # What an attempt kept would stay to the end of the run.
            self._attempts.append(event if event.kept is None else event._replace(kept=None))
        elif isinstance(event, Compiled):
            self._put(Span(event.kernel, COMPILING, now - event.seconds, now, calls=1))

    def recorded(self, job_id: int) -> Recorded:
        spans = tuple(chain.from_iterable(self._lanes.values()))
        return Recorded(job_id, self.device, self.start, perf_counter() - self.start, spans, tuple(self._attempts))

    def _put(self, span: Span) -> None:
        """Add a span to its lane; one that would begin before the end of the last is cut off there."""
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
