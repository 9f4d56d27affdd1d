"""Search for many patterns on the CPU.

Source: Kusudo, Ino and Hagihara: Shift-Or for patterns of different lengths side by side, vectors, the text cut between
threads with an overlap. Our differences: patterns share words as in ``wavediff.core.sequences.shift_or``, eight streams
of the text are interleaved, and hits are tested once per block; all are reported, including patterns with a common end.
Approximate search, their future work, is Wu and Manber's: a row of states per number of errors.

Exact patterns are searched by their q-grams instead, if a sample of the text shows that this is faster: see
``wavediff.core.kernels.search.qgram_scan``.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from time import perf_counter

import numpy as np

from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.events import Event, EventTotals, HitsFound, pass_on
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.run_record import thread_spans
from wavediff.core.jobs.search import SearchJob, SearchResult
from wavediff.core.kernels.search.chunks import QGRAMS, ChunkScan, make_ready, one_letter
from wavediff.core.kernels.search.collect_hits import Collector
from wavediff.core.kernels.search.qgram_table import letter_bits, pattern_codes, qgram_table
from wavediff.core.kernels.search.scanner import QgramScanner
from wavediff.core.kernels.search.search_plan import (
    NARROW_WORDS,
    WIDE_WORDS,
    AutomatonPlan,
    QgramPlan,
    plan,
    prepared,
    step_letters,
    table_bytes,
    words_a_vector,
)
from wavediff.core.sequences.characters import BYTE_CHARACTERS, character_starts, folded_utf8, utf8_pieces
from wavediff.core.sequences.matching import PatternSet
from wavediff.core.sequences.shift_or import WORD
from wavediff.core.system.machine import cores
from wavediff.core.system.thread_loop import Piece, run_threads

QS = (8, 6, 4, 3, 2, 1)  # letters of a q-gram that are tried, until fewer cost more
SMALL_Q = 6  # letters where the text is too short to try
MIN_TRIED_LETTERS = 1 << 17  # letters of a text
STRETCHES, STRETCH_LETTERS = 8, 4096  # of a text, from all over it
MAX_COMPARISONS = 1 << 14  # of one trial, which is over sooner where places hold so many
# Nanoseconds, between those of AMD Zen 4 and 5 and an Intel Xeon of 2023; only their ratios matter.
PLACE_NS, ONLY_PLACE_NS, COMPARISON_NS = 0.8, 0.1, 3.0  # of a look-up, of one among 64, and of a comparison
STEP_NS = {1: 0.3, 4: 0.2}  # of a letter past a group of patterns, by the letters of a step
AUTOMATON_HIT_NS = 1000.0  # of an occurrence that an automaton finds: a block is stepped once more


def qgram_plan(job: SearchJob, pattern_set: PatternSet) -> Generator[Event, None, QgramPlan | None]:
    """Return the q-gram plan of ``job``; None if automata are faster, or requested."""
    if job.layout is not SearchLayout.AUTO or job.errors:
        return None
    shortest, codes = int(pattern_set.lengths.min()), pattern_codes(pattern_set, letter_bits(job))
    tried = job.text.size >= MIN_TRIED_LETTERS
    best: tuple[float, float, QgramPlan] | None = None
    for q in [q for q in QS if q <= shortest] if tried else [min(SMALL_Q, shortest)]:
        yield job.step.progress("lay out", pattern_set.n, 0, "patterns")
        table = qgram_table(codes, q)
        if table is None:
            continue
        reason = f"{q:,} letters are looked up at places {table.stride:,} apart"
        if table.stride == 1:
            reason = f"{q:,} letters are {'looked up' if table.only is None else 'compared'} at every place"
        made = QgramPlan(job, pattern_set, QGRAMS, reason, table)
        yield from warm_up(job.step, "scan", QGRAMS, one_letter(made))
        if not tried:
            return made
        cost, hits = _trial(made)
        if best is not None and cost >= best[0]:
            break
        best = cost, hits, made
    if best is None or best[0] > _automaton_ns(job, pattern_set) + AUTOMATON_HIT_NS * best[1]:
        return None
    return best[2]


def _trial(plan: QgramPlan) -> tuple[float, float]:
    """Return nanoseconds and occurrences per letter, measured on a (limited) sample of the text."""
    scanner, n = QgramScanner(plan), int(plan.job.text.size)
    letters = comparisons = hits = 0
    for begin in np.linspace(0, n - STRETCH_LETTERS, STRETCHES, dtype=np.int64).tolist():
        scanner.take(0, begin, begin + STRETCH_LETTERS)
        while not scanner.done and comparisons < MAX_COMPARISONS:
            scanner.advance()
            comparisons += scanner.compared
        letters += STRETCH_LETTERS
        hits += sum(map(len, scanner.kept))
        if comparisons >= MAX_COMPARISONS:
            break
    place_ns = PLACE_NS / plan.table.stride if plan.table.only is None else ONLY_PLACE_NS
    return place_ns + COMPARISON_NS * comparisons / letters, hits / letters


def _automaton_ns(job: SearchJob, pattern_set: PatternSet) -> float:
    """Estimate the nanoseconds per letter of automata for all patterns."""
    step, _ = step_letters(job, pattern_set)
    words = int((np.minimum(pattern_set.lengths, WORD) + step - 1).sum()) // WORD + 1
    groups = -(-words // (NARROW_WORDS if words <= NARROW_WORDS else WIDE_WORDS))
    return STEP_NS[step] * groups


def run(job: SearchJob) -> Generator[Event, None, SearchResult]:
    """Run the search ``job``; see ``wavediff.core.jobs.search.SearchResult``.

    Raises:
        InputError: a pattern is invalid.
        NotEnoughMemory: the tables exceed memory.
    """
    if job.text.itemsize > 1:
        return (yield from _in_utf8(job))
    totals, kernel_seconds = EventTotals(), 0.0
    chosen = yield from totals.watch(_planned(job))
    chunks = ChunkScan(chosen, job.threads or cores())
    collector = Collector(job)
    before = perf_counter()
    pieces: list[Piece] = []
    threads = min(job.threads or cores(), max(1, chunks.n))
    steps = run_threads(chunks.advance, chunks.finished, chunks.stop, threads, pieces)
    try:
        for passes in steps:
            new = _collect(chunks, collector)
            if len(new):
                yield HitsFound(job.id, new)
            now = perf_counter()
            share = passes / max(1, chunks.passes)
            parts = thread_spans("scan", pieces)
            yield job.step.took("scan", now - before, passes, int(chosen.cells * share), parts)
            yield job.step.progress("search", collector.letters, job.text.size, "letters")
            kernel_seconds += now - before
            before = now
            if collector.full:
                break
    finally:
        steps.close()
    new = _collect(chunks, collector)
    if len(new):
        yield HitsFound(job.id, new)
    return collector.result(chosen, "cpu", kernel_seconds, totals.wall_seconds)


def _in_utf8(job: SearchJob) -> Generator[Event, None, SearchResult]:
    """Search the UTF-8 bytes of a text with wide letters; UTF-8 is self-synchronizing.

    Raises:
        InputError: errors are allowed, which would count bytes.
    """
    if job.errors:
        raise job.patterns[0].refused(
            f"is one of patterns with more than {BYTE_CHARACTERS} different characters beyond ASCII",
            "search for fewer at once, or allow no errors",
        )
    utf8 = b"".join(utf8_pieces(job.text, job.characters))
    patterns = job.patterns
    if job.fold_case:
        patterns = tuple(replace(pattern, letters=folded_utf8(pattern.letters)) for pattern in patterns)
        utf8 = folded_utf8(utf8)
    text = np.frombuffer(utf8, np.uint8)
    begins = np.append(character_starts(text), text.size)
    starts = None if job.starts is None else begins[job.starts]
    steps = run(replace(job, text=text, starts=starts, patterns=patterns, characters=""))

    def in_characters(hits: Hits) -> Hits:
        start, end = np.searchsorted(begins, hits.start), np.searchsorted(begins, hits.end)
        return replace(hits, start=start, length=end - start)

    def changed(event: Event) -> Event:
        return event._replace(hits=in_characters(event.hits)) if isinstance(event, HitsFound) else event

    result = yield from pass_on(steps, changed)
    return replace(result, hits=in_characters(result.hits), n_letters=int(job.text.size))


def _planned(job: SearchJob) -> Generator[Event, None, AutomatonPlan | QgramPlan]:
    patterns = yield from prepared(job)
    looked_up = yield from qgram_plan(job, patterns)
    if looked_up is not None:
        return looked_up
    stepped = yield from plan(job, patterns, words_a_vector)
    yield from make_ready(stepped)
    return stepped


def _collect(chunks: ChunkScan, collector: Collector) -> Hits:
    """Collect the contiguous finished chunks; return their hits, up to the limit."""
    new: list[Hits] = []
    while not collector.full and (number := collector.letters // chunks.size) in chunks.found:
        hits = collector.take(chunks.found.pop(number), min(chunks.size, chunks.n_letters - collector.letters))
        if len(hits):
            new.append(hits)
    return Hits.joined(new)


def memory(job: SearchJob) -> int:
    """Return the size of the tables of ``job`` in bytes."""
    return table_bytes([len(pattern.letters) for pattern in job.patterns], job.strands)
