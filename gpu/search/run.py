"""Search for many patterns on a graphics card: the twin of ``core.kernels.search.run``.

Source: Kusudo, Ino and Hagihara (Kusudo, Ino, Hagihara); its automata as ``core.sequences.shift_or`` and
``core.sequences.cyclic_layout`` lay them out. A thread takes a segment of the text and the letters before it past a
group of patterns, and marks blocks of letters in which one may have ended; these are taken once more and compared. The
text comes in chunks, one of which is brought while another is searched, so it may be larger than the card's memory.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

from core.jit import pinned_copy
from core.jobs.events import Compiled, Event, HitsFound, Progress, StepDone
from core.jobs.hits import Hits
from core.jobs.search import SearchJob, SearchResult
from core.kernels.search.collect_hits import Collector
from core.kernels.search.search_plan import AutomatonPlan, plan, prepared
from gpu.card.interface import Card
from gpu.search.chunk import HitSteps, LaunchSizer, SearchContext
from gpu.search.chunk_pipeline import ChunkPipeline
from gpu.search.tables import upload, words_of


def run_on(card: Card, job: SearchJob) -> Generator[Event, None, SearchResult]:
    """Search on this card as ``job`` says; see ``core.jobs.search.SearchResult``.

    Raises:
        InputError: a pattern cannot be searched for.
        NotEnoughMemory: the tables would not fit.
        DeviceError: the card failed, or has no room.
    """
    start, compiling, kernels = perf_counter(), 0.0, 0.0
    collector = Collector(job)
    events = _searched(card, job, collector)
    try:
        while True:
            event = next(events)
            if isinstance(event, Compiled):
                compiling += event.seconds
            elif isinstance(event, StepDone) and event.kernel in ("scan", "report"):
                kernels += event.seconds
            yield event
    except StopIteration as stop:
        chosen: AutomatonPlan = stop.value
    finally:
        events.close()
    return collector.result(chosen, "gpu", kernels, perf_counter() - start - compiling)


def _searched(card: Card, job: SearchJob, collector: Collector) -> Generator[Event, None, AutomatonPlan]:
    """Fill ``collector``; return how it was done."""
    yield from pinned_copy.make_ready(job.id)
    with ChunkPipeline(card, job) as conveyor:
        conveyor.fill()  # the text is under way while the patterns are laid out
        chosen = yield from plan(job, (yield from prepared(job)), words_of)
        if not job.text.size:
            return chosen
        tables = yield from upload(card, chosen)
        what, before = SearchContext(chosen, tables, LaunchSizer(card, job.errors)), None
        while not collector.full and (chunk := conveyor.next()) is not None:
            hits = yield from _waited(chunk.search(what, job.limit, before))
            before = chunk.arrived
            new = collector.take(hits, chunk.letters)
            conveyor.fill()
            if len(new):
                yield HitsFound(job.id, new)
            yield Progress(job.id, "search", collector.letters, int(job.text.size), "letters")
    return chosen


def _waited(steps: HitSteps) -> Generator[Event, None, Hits]:
    """Return what ``steps`` return, waiting for the card where they say so."""
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            hits: Hits = stop.value
            return hits
        if isinstance(step, StepDone):
            yield step
        else:
            step.wait()
