"""Search for many patterns on the CPU.

Source: paper 3 (Kusudo, Ino, Hagihara): Shift-Or for patterns of different lengths side by side, vectors, the text cut
between threads with an overlap. We depart from it: patterns share words as ``core.shift_or`` says, eight streams of the
text are interleaved, hits are tested for once a block and all are reported, also of patterns with a common end. Its
future work, approximate search, is Wu and Manber's: a row of states for each number of errors.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from core.events import Compiled, Event, HitsFound, Progress, StepDone
from core.hits import Hits
from core.jobs import SearchJob
from core.kernels.pipeline import drive
from core.kernels.search.chunks import Chunks
from core.kernels.search.plan import plan
from core.kernels.search.ready import make_ready
from core.machine import cores
from core.results.search import SearchResult


def run(job: SearchJob) -> Generator[Event, None, SearchResult]:
    """Search as ``job`` says; see ``core.results.search.SearchResult``.

    Raises:
        InputError: a pattern cannot be searched for.
        NotEnoughMemory: the tables would not fit.
    """
    start, compile_seconds, kernel_seconds = perf_counter(), 0.0, 0.0
    chosen = plan(job)
    for event in make_ready(chosen):
        if isinstance(event, Compiled):
            compile_seconds += event.seconds
        yield event
    chunks = Chunks(chosen, job.threads or cores())
    collector = _Collector(chunks, job.limit)
    before = perf_counter()
    steps = drive(chunks.advance, chunks.finished, chunks.stop, min(job.threads or cores(), max(1, chunks.n)))
    groups = len(chosen.automaton.groups)
    try:
        for passes in steps:
            new = collector.collect()
            if len(new):
                yield HitsFound(job.id, new)
            now = perf_counter()
            share = passes / max(1, chunks.n * groups)
            yield StepDone(job.id, "scan", passes, int(chosen.cells * share), now - before)
            yield Progress(job.id, "search", collector.letters, job.text.size, "letters")
            kernel_seconds += now - before
            before = now
            if collector.full:
                break
    finally:
        steps.close()
    new = collector.collect()
    if len(new):
        yield HitsFound(job.id, new)
    hits = _ordered(collector.hits)
    return SearchResult(
        job_id=job.id,
        hits=hits,
        counts=hits.counts(len(job.patterns)),
        complete=not collector.full,
        limit=job.limit,
        n_letters=int(job.text.size),
        n_searched=chosen.searched.n,
        way=chosen.way,
        reason=chosen.reason,
        cells=chosen.cells,
        device="cpu",
        kernel_seconds=kernel_seconds,
        wall_seconds=perf_counter() - start - compile_seconds,
    )


class _Collector:
    """Takes the chunks' hits in the order of the text, until there are more than the limit."""

    def __init__(self, chunks: Chunks, limit: int) -> None:
        self._chunks, self._limit = chunks, limit
        self._done = self._n = 0
        self._parts: list[Hits] = []
        self.full = False

    @property
    def letters(self) -> int:
        return min(self._done * self._chunks.size, int(self._chunks.plan.job.text.size))

    @property
    def hits(self) -> Hits:
        return Hits.joined(self._parts)

    def collect(self) -> Hits:
        """Return what follows without a gap on what was collected before, at most up to the limit."""
        new: list[Hits] = []
        while not self.full and self._done < self._chunks.n and self._done in self._chunks.found:
            hits = self._chunks.found.pop(self._done)
            self._done += 1
            if self._n + len(hits) > self._limit:
                hits, self.full = hits.take(slice(self._limit - self._n)), True
            self._n += len(hits)
            if len(hits):
                new.append(hits)
        self._parts += new
        return Hits.joined(new)


def _ordered(hits: Hits) -> Hits:
    """Chunks are told by where hits end: a long one may have begun before those of the chunk ahead."""
    if len(hits) and (np.diff(hits.start) < 0).any():
        return hits.take(np.argsort(hits.start, kind="stable"))
    return hits
