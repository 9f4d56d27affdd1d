"""Search plans: automata (letters per step, words, streams), or a q-gram table."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.events import Event, pass_on
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.search.qgram_table import QgramTable
from wavediff.core.kernels.search.simd_steps import UNTESTED_STEPS
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.matching import PatternSet, build_pattern_set
from wavediff.core.sequences.shift_or import WORD, Automaton, automaton
from wavediff.core.system.machine import available_memory

NARROW_WORDS, WIDE_WORDS = 4, 8  # words of a vector: for few patterns and for more
SAMPLE_LETTERS, SAMPLE_RUN_LETTERS = (
    1 << 16,
    1 << 8,
)  # letters looked at, in stretches of so many: each is a way to the memory
MIN_NUCLEOTIDE_SHARE = 0.9  # of these must be nucleotides for four of them to be taken at a step
MAX_FULL_PATTERN_LETTERS = (
    2048  # letters of all patterns together: with more, only the ends of nucleotide patterns are represented
)
UNCHECKED_BYTES = 1 << 24  # bytes of tables: to ask for the free memory takes longer than to lay them out
SUFFIX_LETTERS = 13  # letters: with 3 more states four patterns share a word, and few places end like one by chance
_NUCLEOTIDES = b"ACGTU"
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class SearchPlan:
    """Plan of a search; see ``wavediff.core.jobs.search.SearchResult``."""

    job: SearchJob
    searched: PatternSet
    strategy: str
    reason: str

    @property
    def cells(self) -> int:
        return int(self.job.text.size) * int(self.searched.letters.size)


@dataclass(frozen=True, slots=True, eq=False)
class AutomatonPlan(SearchPlan):
    """``before``: symbols that a stream processes ahead of its segment."""

    automaton: Automaton

    @property
    def before(self) -> int:
        step = self.automaton.step
        return -(-(self.automaton.longest + self.job.errors + step) // step)

    @property
    def rule(self) -> tuple[int, bool]:
        return self.job.errors, self.job.edits and self.job.errors > 0


@dataclass(frozen=True, slots=True, eq=False)
class QgramPlan(SearchPlan):
    """See ``wavediff.core.kernels.search.qgram_scan``."""

    table: QgramTable


def prepared(job: SearchJob) -> Generator[Event, None, PatternSet]:
    """Prepare the patterns of ``job``.

    Raises:
        InputError: a pattern is invalid.
    """
    steps = build_pattern_set(
        job.patterns, job.rule, fold_case=job.fold_case, both_strands=job.both_strands, errors=job.errors,
        characters=job.characters,
    )  # fmt: skip
    pattern_set = yield from _told(job, "patterns", steps)
    yield job.step.progress("lay out", len(job.patterns), 0, "patterns")
    return pattern_set


def plan(
    job: SearchJob, pattern_set: PatternSet, words: Callable[[int], tuple[int, ...]]
) -> Generator[Event, None, AutomatonPlan]:
    """Return the automaton plan of ``job``.

    Args:
        words: returns the allowed 64-bit words of a group, ascending, for a number of errors.

    Raises:
        NotEnoughMemory: the tables exceed memory.
    """
    step, reason = step_letters(job, pattern_set)
    _require_memory(pattern_set, step)
    strategy = SearchLayout.QUAD if step > 1 else SearchLayout.SINGLE
    most = SUFFIX_LETTERS if step > 1 and int(pattern_set.lengths.sum()) > MAX_FULL_PATTERN_LETTERS else WORD
    held = UNTESTED_STEPS if step == 1 and not job.errors else 0
    many = automaton(pattern_set, step, words(job.errors), most, held)
    return AutomatonPlan(job, pattern_set, strategy, reason, (yield from _told(job, "words", many)))


def _told(job: SearchJob, what: str, steps: Generator[int, None, T]) -> Generator[Event, None, T]:
    """Run ``steps`` with progress events, because many patterns take long."""
    return pass_on(steps, lambda done: job.step.progress("lay out", done, 0, what))


def step_letters(job: SearchJob, pattern_set: PatternSet) -> tuple[int, str]:
    """Return the letters per automaton step, and the reason."""
    if job.layout is SearchLayout.SINGLE:
        return 1, "one letter a step was asked for"
    if job.layout is SearchLayout.QUAD:
        if job.errors:
            return 1, "four letters a step were asked for, but rows of errors take one"
        return 4, "four letters a step were asked for"
    if job.errors:
        kind = "edits" if job.edits else "mismatches"
        rows = f"{job.errors + 1:,} rows of states, for up to {job.errors:,} {kind}"
        return 1, rows
    used = np.zeros(256, np.bool_)
    for first in range(0, pattern_set.letters.size, SAMPLE_LETTERS):  # an index of all of them would be long
        used[pattern_set.letters[first : first + SAMPLE_LETTERS]] = True
    here = np.asarray(pattern_set.matches[used].max(axis=0))  # letters that any pattern can match
    nucleotides: npt.NDArray[np.bool_] = np.zeros(256, np.bool_)
    nucleotides[list(_NUCLEOTIDES + _NUCLEOTIDES.lower())] = True
    if job.rule is not LetterRule.NUCLEOTIDE and (used & ~nucleotides).any():
        return 1, "patterns are not DNA or RNA, so no IUPAC codes"
    cases = np.zeros(256, np.bool_)
    for letters in (_NUCLEOTIDES, _NUCLEOTIDES.lower()):
        cases[list(letters)] = here[list(letters)].any()
    if not _share(job, cases) >= MIN_NUCLEOTIDE_SHARE:
        return 1, "most of the text is not DNA or RNA that a pattern could match"
    return 4, "nucleotides: four letters a step"


def _share(job: SearchJob, good: npt.NDArray[np.bool_]) -> float:
    """Return the fraction of ``good`` letters in a sample of the text; 1 if empty."""
    n = int(job.text.size)
    if n <= SAMPLE_LETTERS:
        return float(good[job.text].mean()) if n else 1.0
    starts = np.linspace(0, n - SAMPLE_RUN_LETTERS, SAMPLE_LETTERS // SAMPLE_RUN_LETTERS, dtype=np.int64)
    seen = np.lib.stride_tricks.sliding_window_view(job.text, SAMPLE_RUN_LETTERS)[starts]
    return float(good[seen].mean())


def table_bytes(lengths: npt.ArrayLike, strands: int, step: int = 4) -> int:
    """Return the table size in bytes for patterns of these lengths, without hits."""
    words = strands * int((np.minimum(lengths, WORD) + step - 1).sum()) // WORD + 1
    return words * 256 * 8 * 3


def _require_memory(pattern_set: PatternSet, step: int) -> None:
    needed = table_bytes(pattern_set.lengths, 1, step)
    if needed < UNCHECKED_BYTES:
        return
    free = available_memory()
    if needed > free:
        raise NotEnoughMemory(
            f"the tables of {pattern_set.n:,} patterns need {needed / 1e9:.1f} GB, only {free / 1e9:.1f} GB are free;"
            " search for them in several runs"
        )


def words_a_vector(errors: int) -> tuple[int, int]:
    """Return the words per vector for few patterns, and for many."""
    return (NARROW_WORDS, NARROW_WORDS) if errors else (NARROW_WORDS, WIDE_WORDS)


def shape(width: int, step: int, errors: int, edits: bool) -> tuple[Any, ...]:
    """Return the ``shape`` argument of ``steps``: as many streams as registers allow."""
    rows = errors + 1
    if rows > 1:
        streams, steps = max(1, min(4, 12 // rows)), 8
    elif width > NARROW_WORDS:
        streams, steps = 6, 16
    else:
        streams, steps = 8, 32 if step > 1 else 64
    return tuple((0,) * n for n in (streams, width, steps, step, rows, 2 if edits else 1))
