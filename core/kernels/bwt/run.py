"""The Burrows-Wheeler transform on the CPU: sort, verify by the inverse, return.

Source: Burrows and Wheeler (1994). Yamanaka, Ino and Hagihara sort rotations of the text; we sort those of ``T$``, with
``$`` smaller than every byte. So the rows are the suffixes, and the inverse needs one number only.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import Letters, freeze
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jit.bits import count_bytes
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.bwt import BwtJob
from wavediff.core.jobs.bwt_result import BwtResult, Positions, SortLevel
from wavediff.core.jobs.choices import BwtMethod
from wavediff.core.jobs.events import Event, EventTotals, Step, run_to_end
from wavediff.core.kernels.bwt import memory_check
from wavediff.core.kernels.bwt.clock import FILL_PLACES, SCAN_PLACES, Clock, count_letters, ranges
from wavediff.core.kernels.bwt.inverse import run as inverse_run
from wavediff.core.kernels.bwt.inverse.invert import InvalidTransform, invert
from wavediff.core.kernels.bwt.sort import packed_sort, sais, suffix_types, ternary_sort
from wavediff.core.kernels.bwt.sort.team import Team
from wavediff.core.system.machine import cores

CHECK = "verify"


class SortResult(NamedTuple):
    """Result of a sorting algorithm."""

    last: Letters
    primary: int
    strategy: str
    reason: str
    suffixes: Positions | None = None
    levels: tuple[SortLevel, ...] = ()


def run(job: BwtJob) -> Generator[Event, None, BwtResult]:
    """Compute ``job``; see ``wavediff.core.jobs.bwt_result.BwtResult``.

    Raises:
        NotEnoughMemory: the sorting or the check exceeds memory.
        SelfCheckFailed: the inverse is not the text.
    """
    ternary = job.method is BwtMethod.TERNARY
    memory_check.check_memory(
        job.n_letters,
        memory_check.sorting_bytes(job.n_letters, ternary, job.suffixes),
        "the ternary transform" if ternary else "the transform",
        "transform one record at a time",
        suffix_types.MAX_INT32_LETTERS if ternary else memory_check.MAX_LETTERS,
    )
    work = EventTotals()
    sorting, n_runs = yield from work.watch(checked_transform(job))
    return result_of(job, sorting, n_runs, "cpu", work)


def result_of(job: BwtJob, sorting: SortResult, n_runs: int, device: str, work: EventTotals) -> BwtResult:
    """Return the result with its times."""
    return BwtResult(
        **sorting._asdict(), n_runs=n_runs, check_seconds=work.seconds.get(CHECK, 0.0), **work.fields(job.id, device)
    )


def checked_transform(job: BwtJob) -> Generator[Event, None, tuple[SortResult, int]]:
    clock = Clock(job.id)
    yield from inverse_run.make_ready(clock)
    sorting = yield from sort(job, clock)
    for array in (sorting.last, sorting.suffixes):
        if array is not None:
            array.setflags(write=False)
    n_runs = yield from check(job, sorting, clock)
    return sorting, n_runs


def sort(job: BwtJob, clock: Clock) -> Generator[Event, None, SortResult]:
    """Return the transform by the requested or best-suited sorter."""
    if job.text.size < 2:
        return tiny(job)
    if job.method is BwtMethod.TERNARY:
        return (yield from _ternary(job, clock))
    why_not = "linear in any text"
    if job.method is not BwtMethod.SAIS and not job.suffixes:
        sorting = yield from _packed(job, clock)
        if isinstance(sorting, SortResult):
            return sorting
        why_not = sorting
    return (yield from _induced(job, why_not, clock))


def tiny(job: BwtJob) -> SortResult:
    """Return the transform of a text of less than two letters."""
    return _by_length(job, "trivial", "there is nothing to sort")


def single_letter_transform(job: BwtJob) -> SortResult:
    """Return the transform of a text that repeats one letter."""
    return _by_length(job, "run", "one letter only: its suffixes are sorted by their lengths")


def _by_length(job: BwtJob, strategy: str, reason: str) -> SortResult:
    n = int(job.text.size)
    suffixes = freeze(np.arange(n, -1, -1, dtype=suffix_types.position_type(n))) if job.suffixes else None
    return SortResult(freeze(job.text), n, strategy, reason, suffixes)


def _packed(job: BwtJob, clock: Clock) -> Generator[Event, None, SortResult | str]:
    """Return the transform, or the reason against packed keys for this text."""
    least = packed_sort.MIN_LETTERS if job.method is BwtMethod.AUTO else 2
    if job.text.size < least:
        return "a short text"
    yield from check_ready(clock)
    total = yield from clock.phase("packed", count_letters(job.text, clock))
    n_letters = int(np.count_nonzero(total))
    if n_letters > packed_sort.MAX_LETTERS:
        return f"{n_letters} different letters"
    if n_letters == 1:
        return single_letter_transform(job)
    yield from warm_up(clock, "packed", "packed", _pack_a_little)
    steps = packed_sort.last_column(job.text, total, clock, job.threads or cores())
    sorting = yield from clock.phase("packed", steps)
    if isinstance(sorting, str):
        return sorting
    return SortResult(*sorting, "packed", "at most four letters, and few stretches of 31 repeat after different ones")


def _pack_a_little() -> None:
    """Compile the packed sorter: sort a text with a long repeat after different letters."""
    text = np.random.default_rng(5).integers(0, 4, 3000).astype(np.uint8)
    text[2000:2100] = text[100:200]
    text[1999] = 3 - text[99]
    run_to_end(packed_sort.last_column(freeze(text), count_bytes(text), Clock(0), 1))


def _ternary(job: BwtJob, clock: Clock) -> Generator[Event, None, SortResult]:
    yield from warm_up(clock, "induced", "induced", _sort_a_little)
    text = freeze(np.zeros(2 * ternary_sort.MAX_DEPTH_LETTERS, np.uint8))
    yield from warm_up(clock, "ternary", "ternary", lambda: run_to_end(ternary_sort.sort(text, False, Clock(0))))
    suffixes, levels = yield from clock.phase("ternary", ternary_sort.sort(job.text, job.levels, clock))
    last, primary = yield from clock.phase("ternary", sais.last_column_of(job.text, suffixes, clock))
    why = "asked for: ternary quicksort level by level, as Yamanaka, Ino and Hagihara have it"
    return SortResult(last, primary, "ternary", why, suffixes if job.suffixes else None, levels)


def _induced(job: BwtJob, reason: str, clock: Clock) -> Generator[Event, None, SortResult]:
    yield from warm_up(clock, "induced", "induced", _sort_a_little)
    team = Team(job.threads or cores(), clock)
    if not job.suffixes:
        last, primary = yield from clock.phase("induced", sais.last_column(job.text, team))
        return SortResult(last, primary, "sais", reason)
    last, primary, suffixes = yield from clock.phase("induced", sais.with_suffixes(job.text, team))
    return SortResult(last, primary, "sais", reason, suffixes)


def _sort_a_little() -> None:
    """Compile induced sorting: sort texts that reach every step."""
    text = freeze(np.random.default_rng(4).integers(0, 2, 512).astype(np.uint8))
    for threads in (1, 2):
        run_to_end(sais.last_column(text, Team(threads, Clock(0), 16)))
        run_to_end(sais.with_suffixes(text, Team(threads, Clock(0), 16)))
    suffix_types.count_runs(text, 0, text.size)


def check_ready(step: Step) -> Generator[Event, None, None]:
    """Compile (or load) the kernels that count letters and runs."""
    empty = freeze(np.zeros(0, np.uint8))
    yield from warm_up(step, CHECK, "bwt check", lambda: (suffix_types.count_runs(empty, 0, 0), count_bytes(empty)))


def check(job: BwtJob, sorting: SortResult, clock: Clock) -> Generator[Event, None, int]:
    """Verify the inverse against the text; return the number of runs.

    Raises:
        SelfCheckFailed: the inverse is not the text.
    """
    yield from check_ready(clock)
    return (yield from clock.phase(CHECK, _compared(job, sorting, clock)))


def _compared(job: BwtJob, sorting: SortResult, clock: Clock) -> Generator[Event, None, int]:
    n, n_runs, right = job.text.size, 0, True
    try:
        text = yield from invert(sorting.last, sorting.primary, clock, job.threads or cores())
    except InvalidTransform:
        right = False
    else:
        for lo, hi in ranges(n, FILL_PLACES):
            right &= np.array_equal(text[lo:hi], job.text[lo:hi])
            yield from clock()
    if not right:
        raise wrong(n, sorting.strategy)
    for lo, hi in ranges(n, 4 * SCAN_PLACES):
        n_runs += suffix_types.count_runs(sorting.last, lo, hi)
        yield from clock()
    return n_runs


def wrong(n: int, strategy: str) -> SelfCheckFailed:
    """Return the error for a transform whose inverse is not the text."""
    return SelfCheckFailed(
        f"the inverse of the transform of {n:,} letters ({strategy}) is not the text; the result was discarded"
    )


def memory(job: BwtJob) -> int:
    """Return the memory of ``job`` in bytes, without its text."""
    ternary = job.method is BwtMethod.TERNARY
    return memory_check.needed_bytes(job.n_letters, memory_check.sorting_bytes(job.n_letters, ternary, job.suffixes))
