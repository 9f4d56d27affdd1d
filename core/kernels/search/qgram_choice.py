"""Choice between q-grams, of how many letters, and automata: tried on a sample of the text, and counted, not timed."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.search.chunks import QGRAMS, one_letter
from wavediff.core.kernels.search.qgram_table import letter_bits, pattern_codes, qgram_table
from wavediff.core.kernels.search.scanner import QgramScanner
from wavediff.core.kernels.search.search_plan import NARROW_WORDS, WIDE_WORDS, QgramPlan, step_letters
from wavediff.core.sequences.matching import PatternSet
from wavediff.core.sequences.shift_or import WORD

QS = (8, 6, 4, 3, 2, 1)  # letters of a q-gram that are tried, until fewer cost more
SMALL_Q = 6  # letters where the text is too short to try
MIN_TRIED_LETTERS = 1 << 17  # letters of a text
STRETCHES, STRETCH_LETTERS = 8, 4096  # of a text, from all over it
MAX_COMPARISONS = 1 << 14  # of one trial, which is over sooner where places hold so many
# Nanoseconds, between those of AMD Zen 4 and 5 and an Intel Xeon of 2023; only their ratios matter.
PLACE_NS, COMPARISON_NS = 0.8, 3.0  # of a look-up, and of a comparison
STEP_NS = {1: 0.3, 4: 0.2}  # of a letter past a group of patterns, by the letters of a step
AUTOMATON_HIT_NS = 1000.0  # of an occurrence that an automaton finds: a block is stepped once more


def qgram_plan(job: SearchJob, pattern_set: PatternSet) -> Generator[Event, None, QgramPlan | None]:
    """Return how ``job`` looks up q-grams; None where automata are better, or were asked for."""
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
            reason = f"{q:,} letters are looked up at every place"
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
    """Return the nanoseconds, and the occurrences, for a letter of the sample, or of what of it is not too much."""
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
    return PLACE_NS / plan.table.stride + COMPARISON_NS * comparisons / letters, hits / letters


def _automaton_ns(job: SearchJob, pattern_set: PatternSet) -> float:
    """Return the nanoseconds that a letter takes past all patterns."""
    step, _ = step_letters(job, pattern_set)
    words = int((np.minimum(pattern_set.lengths, WORD) + step - 1).sum()) // WORD + 1
    groups = -(-words // (NARROW_WORDS if words <= NARROW_WORDS else WIDE_WORDS))
    return STEP_NS[step] * groups
