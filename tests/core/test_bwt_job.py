"""How a transform behaves while it runs: how it stops, what it refuses, what it accepts."""

import numpy as np
import pytest

from tests.core.pairs import random_letters
from tests.core.running import stopped
from wavediff.core.base.errors import NotEnoughMemory, SelfCheckFailed
from wavediff.core.jobs.bwt import BwtJob, InverseBwtJob
from wavediff.core.jobs.events import KernelTiming, StepDone
from wavediff.core.kernels.bwt import memory_check
from wavediff.core.kernels.bwt import run as kernel
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.letters import CPU_METHODS, fibonacci, frozen

N = 3_000_000


@pytest.fixture(scope="module")
def text():
    return random_letters(np.random.default_rng(8), N, 5)


def seen(job):
    events = []
    return run_job(job, report=events.append), events


def test_what_is_reported_adds_up(text):
    result, events = seen(BwtJob(text=text, threads=2))
    assert result.strategy
    assert result.reason
    assert result.device == "cpu"
    timings = {e.kernel: e for e in events if isinstance(e, KernelTiming)}
    assert sum(t.seconds for t in timings.values()) == pytest.approx(result.kernel_seconds)
    assert timings["verify"].seconds == pytest.approx(result.check_seconds)
    assert 0 < result.check_seconds < result.kernel_seconds <= result.wall_seconds * 1.01
    back, events = seen(InverseBwtJob(last=result.last, primary=result.primary, threads=2))
    assert np.array_equal(back.text, text)
    assert {e.kernel for e in events if isinstance(e, KernelTiming)} == {"inverse"}


@pytest.mark.parametrize("after", [1, 8, 16])
@pytest.mark.parametrize("method", CPU_METHODS)
def test_stop_ends_the_job_and_its_threads(text, method, after):
    told = stopped(BwtJob(text=text, method=method, threads=2), after=after)
    assert sum(isinstance(each, StepDone) for each in told) == after


@pytest.mark.parametrize("method", CPU_METHODS)
def test_pieces_are_short(text, method):
    """A stop waits for one piece; they are counted, since their time depends on the machine."""
    _, events = seen(BwtJob(text=text, method=method))
    assert sum(e.calls for e in events if isinstance(e, StepDone)) > 50


def test_what_does_not_fit_is_refused_before_anything_is_allocated(monkeypatch):
    jobs = [
        BwtJob(text=frozen(b"banana" * 1000)),
        BwtJob(text=frozen(b"banana" * 1000), suffixes=True),
        InverseBwtJob(last=frozen(b"banana" * 1000), primary=0),
    ]
    monkeypatch.setattr(memory_check, "available_memory", lambda: 1000)
    monkeypatch.setattr(np, "empty", None)
    for job in jobs:
        with pytest.raises(NotEnoughMemory, match=r"of 6,000 letters needs .* GiB, and 0\.00 GiB are free"):
            run_job(job)


def test_more_rows_than_can_be_numbered_are_refused():
    with pytest.raises(NotEnoughMemory, match="at most 4,294,967,294 can be sorted"):
        memory_check.check_memory(1 << 32, 1, "the transform", "")


def spoilt_column(last, primary, wrong):
    """Change a last column (in place) or its primary row."""
    if wrong == "a letter":
        last[100] ^= 1
    elif wrong == "two letters swapped":
        at = int(np.flatnonzero(last[1:] != last[:-1])[0])
        last[[at, at + 1]] = last[[at + 1, at]]
    return last, primary + (wrong == "the row")


@pytest.mark.parametrize("wrong", ["a letter", "the row", "two letters swapped"])
def test_a_result_that_contradicts_itself_is_never_returned(monkeypatch, wrong):
    real = kernel.sort

    def spoilt(job, clock):
        found = yield from real(job, clock)
        return kernel.SortResult(*spoilt_column(found.last.copy(), found.primary, wrong), "spoilt", "")

    monkeypatch.setattr(kernel, "sort", spoilt)
    for text in (b"abracadabra" * 20, fibonacci(30_000)):
        with pytest.raises(SelfCheckFailed, match="discarded"):
            run_job(BwtJob(text=frozen(text)))


def test_a_primary_row_that_cannot_be_is_refused():
    for primary in (-1, 4):
        with pytest.raises(ValueError, match="must be 0 to 3"):
            InverseBwtJob(last=frozen(b"abc"), primary=primary)
