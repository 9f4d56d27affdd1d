"""What memory a job is said to take before it begins, against what it then has, and when anything is said."""

import io

import numpy as np
import pytest

from tests.core.pairs import in_no_memory
from wavediff.app.commands.progress import Reporter
from wavediff.core.jobs.bwt import BwtJob, IndexJob, InverseBwtJob
from wavediff.core.jobs.choices import BwtMethod, Device
from wavediff.core.jobs.events import MemoryForecast
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.pairwise.blocks import block_shape, matrix_plan
from wavediff.core.kernels.swap_edit.swap_matrix import FINEST, NOTHING, SwapMatrix
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run import rates
from wavediff.core.run.rates import MemoryEstimate, estimate_memory, memory_warning
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.core.sequences.sequence import SequencePool

MB = 10**6


def letters(seed, n):
    return np.random.default_rng(seed).integers(65, 69, n, np.uint8)


def sizes(state):
    return sum(one.nbytes for one in state if isinstance(one, np.ndarray))


@pytest.mark.parametrize("kept", [False, True])
def test_a_matrix_with_swaps_has_what_was_said(kept):
    a, b = letters(1, 30_000), letters(2, 20_000)
    path = TracebackMethod.BLOCKS if kept else TracebackMethod.NONE
    said = estimate_memory(SwapEditJob(a=a, b=b, path=path, threads=2))
    assert said.least == said.most
    has = sizes(SwapMatrix(a - 65, b - 65, 4, kept=FINEST if kept else NOTHING, swaps=True, threads=2).state)
    if kept:
        assert 0.7 * said.most <= has <= said.most
    else:
        assert has <= said.most < 20 * MB


@pytest.mark.parametrize("kind", [LcsJob, EditJob])
def test_a_matrix_without_a_band_keeps_what_was_said(kind, monkeypatch):
    states = []
    make = matrix_plan.MatrixState

    def noted(*arguments, **named):
        made = make(*arguments, **named)
        states.append(sizes(made))
        return made

    monkeypatch.setattr(matrix_plan, "MatrixState", noted)
    a, b = letters(1, 60_000), letters(2, 50_000)
    asked = {"strategy": Strategy.FULL} if kind is LcsJob else {"band": BandMode.NONE}
    job = kind(a=a, b=b, threads=2, **asked)
    said = estimate_memory(job)
    assert said.least == int(3.25 * 110_000)
    run_job(job, device=Device.CPU)
    assert states
    assert 0.5 * said.most <= max(states) <= said.most
    nothing = estimate_memory(kind(a=a, b=b, path=TracebackMethod.NONE, **asked))
    assert nothing == MemoryEstimate(said.least, said.least)


@pytest.mark.parametrize("asked", [{}, {"band": BandMode.SUDO}, {"band": BandMode.FIXED, "threshold": 9_000}])
def test_a_distance_whose_band_exceeds_memory_comes_from_the_whole_matrix(asked, monkeypatch):
    a, b = letters(1, 40_000), letters(2, 38_000)
    expected = run_job(EditJob(a=a, b=b, path=TracebackMethod.NONE, band=BandMode.NONE), device=Device.CPU)
    job = EditJob(a=a, b=b, path=TracebackMethod.NONE, threads=2, **asked)
    assert run_job(job, device=Device.CPU).strategy != "full" or not asked
    monkeypatch.setattr(block_shape, "UNCHECKED_BYTES", 1000)
    monkeypatch.setattr(block_shape, "available_memory", lambda: 6000)
    found = run_job(EditJob(a=a, b=b, path=TracebackMethod.NONE, threads=2, **asked), device=Device.CPU)
    assert (found.strategy, found.distance) == ("full", expected.distance)
    said = estimate_memory(job)
    assert said.most == said.least + 2000


def test_transforms_take_what_they_are_refused_by(monkeypatch):
    text, beside = letters(1, 1000), 1 << 20
    for job, each in (
        (BwtJob(text=text), 20),
        (BwtJob(text=text, suffixes=True), 24),
        (BwtJob(text=text, method=BwtMethod.TERNARY), 60),
        (IndexJob(text=text), 24),
        (InverseBwtJob(last=text, primary=3), 9),
    ):
        assert estimate_memory(job) == MemoryEstimate(1000 * each + beside, 1000 * each + beside)


def test_answers_of_a_batch_and_tables_of_patterns_are_counted():
    pool = SequencePool.of([letters(k, 60) for k in range(3000)])
    batch = estimate_memory(BatchJob(a=pool, b=None, threads=1))
    assert batch.most > 4 * 3000**2
    patterns = tuple(Pattern(letters(k, 40).tobytes(), str(k)) for k in range(500))
    search = estimate_memory(SearchJob(text=pool.letters, patterns=patterns))
    assert search.most > 500 * 40 // 64 * 256 * 8


def test_only_what_is_large_is_told_of(monkeypatch):
    def told(free, n):
        monkeypatch.setattr(rates, "available_memory", lambda: free)
        long = in_no_memory(n)
        return memory_warning(EditJob(a=long, b=long, path=TracebackMethod.NONE, band=BandMode.NONE))

    assert told(1 << 30, 1000) is None, "nobody cares, whatever is free"
    assert told(50_000 * MB, 100 * MB) is None
    assert told(5_000 * MB, 100 * MB) is not None, "more than a tenth"
    large = told(50_000 * MB, 200 * MB)
    assert large.text == "This needs about 1.3 GB of memory; 50.0 GB are free"
    either = MemoryForecast(1, 700 * MB, 7000 * MB, 9000 * MB)
    assert either.text == ("This needs 700 MB of memory, or up to 7.0 GB if the sequences differ much; 9.0 GB are free")


@pytest.fixture
def everything_is_large(monkeypatch):
    monkeypatch.setattr(rates, "WARN_BYTES", 1)
    monkeypatch.setattr(rates, "NEVER_WARN_BYTES", 1)
    monkeypatch.setattr("wavediff.core.methods.base.NEVER_WARN_LETTERS", 1)


@pytest.mark.usefixtures("everything_is_large")
def test_it_is_told_before_the_job_begins():
    events = []
    job = EditJob(a=letters(1, 900), b=letters(2, 900), threads=1)
    run_job(job, device=Device.CPU, report=events.append)
    at = [k for k, event in enumerate(events) if isinstance(event, MemoryForecast)]
    assert at in ([0], [1])
    assert events[at[0]].job_id == job.id
    assert not at[0] or type(events[0]).__name__ == "DeviceChosen"


@pytest.mark.usefixtures("everything_is_large")
def test_the_command_line_says_it_unless_it_shall_be_quiet(capsys):
    job = EditJob(a=letters(1, 900), b=letters(2, 900), threads=1)
    stream = io.StringIO()
    run_job(job, device=Device.CPU, report=Reporter(stream))
    assert "This needs " in stream.getvalue()
    assert " are free" in stream.getvalue()
    run_job(job, device=Device.CPU, report=Reporter(None))
    assert capsys.readouterr().err == ""
