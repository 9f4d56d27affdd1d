"""How jobs of LCS and edit distance behave while they run: what they report, how they stop, what they never return."""

import numpy as np
import pytest

from tests.core.edits import planned_events
from tests.core.methods import EDIT, LCS, every_method
from tests.core.pairs import aligned_as, letters, mutate, random_letters
from tests.core.threads import of_jobs as threads_of_jobs
from wavediff.core.base.arrays import freeze
from wavediff.core.base.errors import Cancelled, SelfCheckFailed
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import Event, KernelTiming, Planned, StepDone
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.pairwise import compare, cpu, estimate
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode
from wavediff.core.methods.lcs import Strategy
from wavediff.core.run.runner import run_job


@pytest.mark.parametrize(
    ("method", "choices"),
    [
        (LCS, {"strategy": Strategy.FULL}),
        (LCS, {"strategy": Strategy.FULL, "threads": 2, "block_rows": 512, "block_cols": 256}),
        (LCS, {"strategy": Strategy.BAND}),
        (LCS, {"strategy": Strategy.DIAGONALS}),
        (LCS, {"path": TracebackMethod.NONE}),
        (LCS, {"path": TracebackMethod.HIRSCHBERG}),
        (EDIT, {"band": BandMode.NONE}),
        (EDIT, {"band": BandMode.NONE, "threads": 2, "block_rows": 512, "block_cols": 256}),
        (EDIT, {"band": BandMode.SUDO, "block_rows": 128, "block_cols": 1280}),
        (EDIT, {"band": BandMode.AUTO}),
        (EDIT, {"band": BandMode.FIXED, "threshold": 500}),
        (EDIT, {"path": TracebackMethod.NONE}),
    ],
)
def test_what_is_reported_adds_up(method, choices):
    rng = np.random.default_rng(3)
    a = random_letters(rng, 12_000, 4)
    events = []
    result = method.run(a, mutate(rng, a, 2000, 4), report=events.append, **choices)
    plans = planned_events(events)
    assert plans
    assert result.strategy == plans[-1].strategy
    assert result.reason
    steps = [event for event in events if isinstance(event, StepDone)]
    if choices.get("path") is not TracebackMethod.HIRSCHBERG:
        assert sum(e.cells for e in steps if e.kernel in ("blocks", "skipped")) == sum(plan.cells for plan in plans)
    assert result.cells == sum(e.cells for e in steps if e.kernel != "skipped")
    for plan in plans:
        assert not plan.block_map.flags.writeable
        assert plan.block_map.shape == plan.grid.shape
        assert not np.isin(plan.block_map, [BlockState.WAITING, BlockState.RUNNING, BlockState.FAILED]).any()
    timings = [event for event in events if isinstance(event, KernelTiming)]
    assert events[-len(timings) :] == timings
    assert sum(t.seconds for t in timings) == pytest.approx(result.kernel_seconds)
    assert 0 < result.kernel_seconds <= result.wall_seconds * 1.01
    assert {t.device for t in timings} == {result.device} == {"cpu"}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        (LCS, TracebackMethod.BLOCKS),
        (LCS, TracebackMethod.HIRSCHBERG),
        (EDIT, TracebackMethod.BLOCKS),
        (EDIT, TracebackMethod.NONE),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_the_job_and_its_threads(method, threads, path):
    token, events = CancelToken(), list[Event]()
    rng = np.random.default_rng(4)
    n = 400_000 if method is LCS else 300_000
    a, b = random_letters(rng, n, 4), random_letters(rng, n - 7, 4)

    def report(event):
        events.append(event)
        if isinstance(event, StepDone) and event.kernel == "blocks":
            token.cancel()

    with pytest.raises(Cancelled):
        run_job(method.job(a=a, b=b, threads=threads, path=path, **method.full), report=report, cancel=token)
    assert not threads_of_jobs()
    assert [e for e in events if isinstance(e, KernelTiming) and e.kernel == "blocks"]
    block_map = next(e for e in reversed(events) if isinstance(e, Planned)).block_map
    assert (block_map == BlockState.DONE).any(), "the partial map stays"
    assert (block_map == BlockState.WAITING).any()


@every_method
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
def test_a_result_that_contradicts_itself_is_never_returned(method, wrong, monkeypatch):
    monkeypatch.setattr(compare, "align", aligned_as(wrong))
    with pytest.raises(SelfCheckFailed, match="thrown away"):
        method.run(letters(b"abcde"), letters(b"abxe"))


@every_method
def test_a_job_cannot_be_changed_from_outside(method):
    changing = np.zeros(10, np.uint8)
    job = method.job(a=changing, b=changing)
    with pytest.raises(ValueError, match="read-only"):
        job.a[0] = 1
    changing[0] = 1
    assert job.a[0] == 0
    frozen = freeze(changing)
    assert freeze(frozen) is frozen, "what is frozen is not copied again"


@every_method
@pytest.mark.parametrize("unlike", ["random", "a third", "unequal", "many letters"])
def test_pairs_that_share_no_seed_take_one_attempt(method, unlike, monkeypatch):
    """Their prefixes tell how wide a band must be, or that none is worth it."""
    monkeypatch.setattr(cpu, "NO_BAND_CELLS", 0)
    monkeypatch.setattr(estimate, "PREFIX_LETTERS", 1024)
    rng = np.random.default_rng(3)
    n, n_letters = 6_000, 200 if unlike == "many letters" else 4
    a = random_letters(rng, n, n_letters)
    b = random_letters(rng, n // 2 if unlike == "unequal" else n, n_letters)
    if unlike == "a third":
        b = np.where(rng.random(n) < 0.45, b, a).astype(np.uint8)
    events = []
    asked = {"path": TracebackMethod.NONE, "block_rows": 512, "block_cols": 128, "threads": 1}
    result = method.run(a, b, report=events.append, **asked)
    assert getattr(result, method.score) == method.peer(a, b)
    attempts = [plan.strategy for plan in planned_events(events)]
    assert attempts == [result.strategy] == ["full" if unlike == "many letters" else "band"]
    if method is EDIT:
        assert [attempt.proven for attempt in result.bands] == ([] if unlike == "many letters" else [True])
        assert unlike == "many letters" or "tell how much is changed" in result.reason
