"""Search for many patterns on a graphics card: the twin of ``wavediff.core.kernels.search.run``.

Source: Kusudo, Ino and Hagihara (Kusudo, Ino, Hagihara); its automata as ``wavediff.core.sequences.shift_or`` lays
them out. A thread takes a segment of the text and the letters before it past a
group of patterns, and marks blocks of letters in which one may have ended; these are taken once more and compared. The
text comes in chunks, one of which is brought while another is searched, so it may be larger than the card's memory.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, closing
from time import perf_counter

from wavediff.core.jit import pinned_copy
from wavediff.core.jobs.events import Compiled, Event, HitsFound, Progress, StepDone
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob, SearchResult
from wavediff.core.kernels.search.collect_hits import Collector
from wavediff.core.kernels.search.search_plan import AutomatonPlan, plan, prepared
from wavediff.gpu.card.interface import Card
from wavediff.gpu.card.sharing import OtherCards, no_others
from wavediff.gpu.card.side_by_side import side_by_side
from wavediff.gpu.search.chunk import LaunchSizer, SearchContext
from wavediff.gpu.search.chunk_pipeline import ChunkPipeline, chunk_letters
from wavediff.gpu.search.hit_room import HitRoom
from wavediff.gpu.search.tables import upload, words_of


def run_on(card: Card, job: SearchJob, others: OtherCards = no_others) -> Generator[Event, None, SearchResult]:
    """Search on this card and on others; see ``wavediff.core.jobs.search.SearchResult``.

    Raises:
        InputError: a pattern cannot be searched for.
        NotEnoughMemory: the tables would not fit.
        DeviceError: the card failed, or has no room.
    """
    start, compiling, kernels = perf_counter(), 0.0, 0.0
    collector = Collector(job)
    events = _searched((card, *others()), job, collector)
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


def _searched(cards: tuple[Card, ...], job: SearchJob, collector: Collector) -> Generator[Event, None, AutomatonPlan]:
    """Fill ``collector``; return how it was done."""
    yield from pinned_copy.make_ready(job.step)
    n, letters = len(cards), int(job.text.size)
    size = min(chunk_letters(one, job, -(-letters // n)) for one in cards)
    with ExitStack() as under_way:
        pipelines = [
            under_way.enter_context(ChunkPipeline(one, job, size, k, n)) for k, one in enumerate(cards)
        ]  # fmt: skip
        for one in pipelines:
            one.fill()  # the text is under way while the patterns are laid out
        chosen = yield from plan(job, (yield from prepared(job)), words_of)
        found: dict[int, tuple[Hits, int]] = {}
        parts = [_on_card(*one, job, chosen, found, k, n) for k, one in enumerate(zip(cards, pipelines, strict=True))]
        with closing(side_by_side(parts)) as events:
            for event in events if letters else ():
                if not isinstance(event, Progress):
                    yield event
                    continue
                while not collector.full and (chunk := collector.letters // size) in found:
                    new = collector.take(*found.pop(chunk))
                    if len(new):
                        yield HitsFound(job.id, new)
                    yield job.step.progress("search", collector.letters, letters, "letters")
                if collector.full:
                    break
    return chosen


def _on_card(
    card: Card, pipeline: ChunkPipeline, job: SearchJob, chosen: AutomatonPlan, found: dict[int, tuple[Hits, int]],
    k: int, n: int,
) -> Generator[Event, None, None]:  # fmt: skip
    """Search every ``n``-th chunk from ``k`` on; its hits and letters are in ``found`` when a ``Progress`` comes."""
    tables = yield from upload(card, chosen)
    what = SearchContext(chosen, tables, LaunchSizer(card, job.errors), HitRoom(card, job, tables))
    before = None
    while (chunk := pipeline.next()) is not None:
        hits = yield from chunk.search(what, job.limit, before)
        before = chunk.arrived
        found[k] = hits, chunk.letters
        k += n
        pipeline.fill()
        yield job.step.progress("search", k, k, "chunks")
