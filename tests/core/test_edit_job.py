"""How an edit distance job behaves while it runs: how it stops, what it refuses to return, what it accepts."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import Cancelled, SelfCheckFailed
from core.jobs.cancel import CancelToken
from core.jobs.events import Event, KernelTiming, Planned, StepDone
from core.jobs.grid import BlockState
from core.kernels.pairwise.edit import run as kernel
from core.methods.base import TracebackMethod
from core.methods.edit import BandMode, EditJob
from core.results.alignment import Alignment
from core.run.runner import run_job
from core.vector.simd import BITS
from tests.core.edits import planned_events, run_with_events
from tests.core.pairs import aligned_as, mutate, random_letters
from tests.core.threads import of_jobs as threads_of_jobs


def random_job(n: int, **choices: object) -> EditJob:
    rng = np.random.default_rng(n)
    return EditJob(a=random_letters(rng, n, 4), b=random_letters(rng, n - 7, 4), **choices)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "choices",
    [
        {"band": BandMode.NONE},
        {"band": BandMode.NONE, "threads": 2, "block_rows": 512, "block_cols": 256},
        {"band": BandMode.PAPER, "block_rows": 128, "block_cols": 1280},
        {"band": BandMode.AUTO},
        {"band": BandMode.FIXED, "threshold": 500},
        {"path": TracebackMethod.NONE},
    ],
)
def test_what_is_reported_adds_up(choices):
    rng = np.random.default_rng(3)
    a = random_letters(rng, 12_000, 4)
    result, events = run_with_events(a, mutate(rng, a, 2000, 4), **choices)
    assert planned_events(events)
    assert result.strategy == planned_events(events)[-1].strategy
    assert result.reason
    timings = [e for e in events if isinstance(e, KernelTiming)]
    assert events[-len(timings) :] == timings
    assert sum(t.seconds for t in timings) == pytest.approx(result.kernel_seconds)
    assert 0 < result.kernel_seconds <= result.wall_seconds * 1.01
    assert {t.device for t in timings} == {result.device} == {"cpu"}


@pytest.mark.parametrize(
    ("rows", "cols", "told"), [(128, 1280, True), (1, 1, True), (BITS, 1280, False), (0, 0, False)]
)
def test_blocks_of_another_size_than_asked_for_are_told_of(rows, cols, told):
    result = run_job(random_job(5_000, band=BandMode.PAPER, block_rows=rows, block_cols=cols))
    assert ("were asked" in result.reason) == told
    assert (f"blocks of {BITS:,} x " in result.reason) == told


@pytest.mark.parametrize("path", [TracebackMethod.BLOCKS, TracebackMethod.NONE])
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_the_job_and_its_threads(threads, path):
    token, events = CancelToken(), []

    def report(event: Event) -> None:
        events.append(event)
        if isinstance(event, StepDone) and event.kernel == "blocks":
            token.cancel()

    with pytest.raises(Cancelled):
        run_job(random_job(300_000, threads=threads, path=path, band=BandMode.NONE), report=report, cancel=token)
    assert not threads_of_jobs()
    assert [e for e in events if isinstance(e, KernelTiming) and e.kernel == "blocks"]
    block_map = next(e for e in reversed(events) if isinstance(e, Planned)).block_map
    assert (block_map == BlockState.DONE).any(), "the partial map stays"
    assert (block_map == BlockState.WAITING).any()


@pytest.mark.parametrize(
    "wrong",
    [
        Alignment(np.array([0], np.uint8), np.array([5], np.int64)),
        Alignment(np.array([0, 3, 0], np.uint8), np.array([2, 1, 2], np.int64)),
        Alignment(np.array([3, 2], np.uint8), np.array([5, 4], np.int64)),
        Alignment(np.array([1, 0], np.uint8), np.array([4, 1], np.int64)),
    ],
    ids=["unequal letters", "wrong letters left over", "dearer than claimed", "equal letters called different"],
)
def test_a_result_that_contradicts_itself_is_never_returned(monkeypatch, wrong):
    monkeypatch.setattr(kernel, "align", aligned_as(wrong))
    with pytest.raises(SelfCheckFailed, match="thrown away"):
        run_job(EditJob(a=np.frombuffer(b"abcde", np.uint8), b=np.frombuffer(b"abxe", np.uint8)))


def test_a_threshold_goes_with_a_fixed_band_only():
    letters = np.zeros(3, np.uint8)
    for choices in ({"band": BandMode.FIXED}, {"threshold": 4}, {"band": BandMode.FIXED, "threshold": -1}):
        with pytest.raises(ValueError, match="threshold"):
            EditJob(a=letters, b=letters, **choices)


def test_a_job_cannot_be_changed_from_outside():
    letters = np.zeros(10, np.uint8)
    job = EditJob(a=letters, b=letters)
    with pytest.raises(ValueError, match="read-only"):
        job.a[0] = 1
    letters[0] = 1
    assert job.a[0] == 0
