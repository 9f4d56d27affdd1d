"""The Burrows-Wheeler transform on the CPU: sort, invert what was found, compare, and only then return it.

Source: Burrows and Wheeler (1994). Paper 4 (Yamanaka, Ino and Hagihara) sorts rotations of the text itself; here those
of ``T$`` are sorted, ``$`` being smaller than every byte, so that the rows are the suffixes and the inverse needs one
number only.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from core.arrays import Letters, freeze
from core.bits import count_bytes
from core.bwt_jobs import BwtJob, BwtMethod
from core.errors import SelfCheckFailed
from core.events import Event
from core.kernels.bwt import induced, inverse, memory, packed, ternary, types
from core.kernels.bwt.invert import NoTransform, invert
from core.kernels.bwt.pace import FILL, PIECE, Pace, pieces
from core.kernels.bwt.work import Work
from core.kernels.warm import warm_up
from core.machine import cores
from core.results.bwt import BwtResult, Level, Places

CHECK = "check"


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a way of sorting came to."""

    last: Letters
    primary: int
    way: str
    reason: str
    suffixes: Places | None = None
    levels: tuple[Level, ...] = ()


def run(job: BwtJob) -> Generator[Event, None, BwtResult]:
    """Compute ``job``; see ``core.results.bwt.BwtResult``.

    Raises:
        NotEnoughMemory: the sorting or the check needs more than there is.
        SelfCheckFailed: the inverse is not the text.
    """
    memory.check_memory(
        job.text.size,
        memory.of_sorting(job.method is BwtMethod.TERNARY, job.suffixes),
        "the transform",
        "transform one record at a time",
    )
    work = Work()
    found, n_runs = yield from work.watch(transformed(job))
    return result_of(job, found, n_runs, "cpu", work)


def result_of(job: BwtJob, found: Found, n_runs: int, device: str, work: Work) -> BwtResult:
    """Return what was found, with its times."""
    return BwtResult(
        job_id=job.id,
        last=found.last,
        primary=found.primary,
        suffixes=found.suffixes,
        levels=found.levels,
        n_runs=n_runs,
        way=found.way,
        reason=found.reason,
        device=device,
        kernel_seconds=work.kernel_seconds,
        check_seconds=work.seconds.get(CHECK, 0.0),
        wall_seconds=work.wall_seconds,
    )


def transformed(job: BwtJob) -> Generator[Event, None, tuple[Found, int]]:
    """Return the transform, which was checked, and its runs."""
    yield from inverse.make_ready(job.id)
    found = yield from sort(job)
    for array in (found.last, found.suffixes):
        if array is not None:
            array.setflags(write=False)
    n_runs = yield from check(job, found)
    return found, n_runs


def sort(job: BwtJob) -> Generator[Event, None, Found]:
    """Return the transform by the way that was asked for, or that suits the text."""
    text = job.text
    if text.size < 2:
        return tiny(job)
    if job.method is BwtMethod.TERNARY:
        return (yield from _ternary(job))
    why_not = "linear in any text"
    if job.method is not BwtMethod.INDUCED and not job.suffixes:
        found = yield from _packed(job)
        if isinstance(found, Found):
            return found
        why_not = found
    return (yield from _induced(job, why_not))


def tiny(job: BwtJob) -> Found:
    """Return the transform of a text of less than two letters."""
    return _by_length(job, "tiny", "there is nothing to sort")


def one_letter(job: BwtJob) -> Found:
    """Return the transform of a text of one letter again and again."""
    return _by_length(job, "run", "one letter only: its suffixes are sorted by their lengths")


def _by_length(job: BwtJob, way: str, reason: str) -> Found:
    n = int(job.text.size)
    suffixes = freeze(np.arange(n, -1, -1, dtype=np.int32)) if job.suffixes else None
    return Found(freeze(job.text), n, way, reason, suffixes)


def _packed(job: BwtJob) -> Generator[Event, None, Found | str]:
    """Return the transform, or why this is no way for the text."""
    n = job.text.size
    least = packed.LEAST if job.method is BwtMethod.DEFAULT else 2
    if n < least:
        return "a short text"
    yield from check_ready(job.id)
    pace = Pace(job.id, "packed")
    total = np.zeros(256, np.int64)
    for lo, hi in pieces(n, FILL):
        total += count_bytes(job.text[lo:hi])
        yield from pace()
    n_letters = int(np.count_nonzero(total))
    if n_letters > packed.MOST_LETTERS:
        return f"{n_letters} different letters"
    if n_letters == 1:
        yield from pace.turn()
        return one_letter(job)
    yield from warm_up(job.id, "packed", "packed", lambda: _pack_a_little(job.id))
    found = yield from packed.last_column(job.text, total, pace, job.threads or cores())
    yield from pace.turn()
    if isinstance(found, str):
        return found
    return Found(*found, "packed", "at most four letters, and few stretches of 31 repeat after different ones")


def _pack_a_little(job_id: int) -> None:
    """Sort a text in which two long stretches repeat after different letters."""
    text = np.random.default_rng(5).integers(0, 4, 3000).astype(np.uint8)
    text[2000:2100] = text[100:200]
    text[1999] = 3 - text[99]
    text.setflags(write=False)
    for _ in packed.last_column(text, count_bytes(text), Pace(job_id, "packed"), 1):
        pass


def _ternary(job: BwtJob) -> Generator[Event, None, Found]:
    yield from _ready(job.id)
    text = np.zeros(2 * ternary.LETTERS, np.uint8)
    text.setflags(write=False)

    def sort_a_little() -> None:
        for _ in ternary.sort(text, False, Pace(job.id, "ternary")):
            pass

    yield from warm_up(job.id, "ternary", "ternary", sort_a_little)
    pace = Pace(job.id, "ternary")
    suffixes, levels = yield from ternary.sort(job.text, job.levels, pace)
    last, primary = yield from induced.last_column_of(job.text, suffixes, pace)
    yield from pace.turn()
    kept = suffixes if job.suffixes else None
    return Found(last, primary, "ternary", "asked for: ternary quicksort level by level, as in paper 4", kept, levels)


def _ready(job_id: int) -> Generator[Event, None, None]:
    yield from warm_up(job_id, "induced", "induced", lambda: _sort_a_little(job_id))


def _induced(job: BwtJob, reason: str) -> Generator[Event, None, Found]:
    yield from _ready(job.id)
    pace = Pace(job.id, "induced")
    suffixes = None
    if job.suffixes:
        last, primary, suffixes = yield from induced.with_suffixes(job.text, pace)
    else:
        last, primary = yield from induced.last_column(job.text, pace)
    yield from pace.turn()
    return Found(last, primary, "induced", reason, suffixes)


def _sort_a_little(job_id: int) -> None:
    """Sort texts that need every step of induced sorting, names and all."""
    text = np.random.default_rng(4).integers(0, 2, 512).astype(np.uint8)
    text.setflags(write=False)
    for way in (induced.last_column, induced.with_suffixes):
        for _ in way(text, Pace(job_id, "induced")):
            pass
    types.count_runs(text, 0, text.size)


def check_ready(job_id: int) -> Generator[Event, None, None]:
    """Compile (or load) what counts letters and runs."""
    empty = np.zeros(0, np.uint8)
    empty.setflags(write=False)
    yield from warm_up(job_id, CHECK, "bwt check", lambda: (types.count_runs(empty, 0, 0), count_bytes(empty)))


def check(job: BwtJob, found: Found) -> Generator[Event, None, int]:
    """Compare the inverse with the text and return the number of runs.

    Raises:
        SelfCheckFailed: they differ.
    """
    yield from check_ready(job.id)
    pace = Pace(job.id, CHECK)
    n, n_runs, right = job.text.size, 0, True
    try:
        text = yield from invert(found.last, found.primary, pace, job.threads or cores())
    except NoTransform:
        right = False
    else:
        for lo, hi in pieces(n, FILL):
            right &= np.array_equal(text[lo:hi], job.text[lo:hi])
            yield from pace()
    if not right:
        raise wrong(n, found.way)
    for lo, hi in pieces(n, 4 * PIECE):
        n_runs += types.count_runs(found.last, lo, hi)
        yield from pace()
    yield from pace.turn()
    return n_runs


def wrong(n: int, way: str) -> SelfCheckFailed:
    """Return the error for a transform whose inverse is not the text."""
    return SelfCheckFailed(
        f"the inverse of the transform of {n:,} letters ({way}) is not the text; the result was thrown away"
    )
