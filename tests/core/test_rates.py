"""What is learnt of the speed of a device, and how it is said."""

from itertools import pairwise

import numpy as np
import pytest

from tests.core.pairs import in_no_memory
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.run import rates
from wavediff.core.run.runner import run_job


def test_a_band_tells_nothing_of_the_cells_of_a_matrix(monkeypatch):
    monkeypatch.setattr(rates, "MIN_MEASURED_CELLS", 2)
    letters = np.random.default_rng(1).integers(0, 4, 6000, np.uint8)
    for strategy, told in ((Strategy.BAND, False), (Strategy.FULL, True)):
        job = LcsJob(a=letters, b=letters[9:-5], strategy=strategy, path=TracebackMethod.NONE, block_rows=512)
        before = rates.cpu_seconds(job)
        found = run_job(job)
        assert found.strategy == str(strategy)
        assert (rates.cpu_seconds(job) != before) is told


ENOUGH = rates.MIN_MEASURED_CELLS


@pytest.fixture
def job():
    long = in_no_memory(10_000_000)
    return LcsJob(a=long, b=long, path=TracebackMethod.NONE)


@pytest.mark.parametrize("device", ["cpu", "gpu"])
@pytest.mark.parametrize(
    ("cells", "seconds", "told"), [(ENOUGH - 1, 1.0, False), (ENOUGH, 1.0, True), (ENOUGH, 0.0, False)]
)
def test_a_run_is_measured_from_a_size_on(job, device, cells, seconds, told):
    expected = rates.cpu_seconds if device == "cpu" else rates.gpu_seconds
    before = expected(job)
    rates.record_rate(job, device, cells, seconds)
    assert expected(job) == (pytest.approx(job.n_cells * seconds / cells, rel=1.0) if told else before)
    assert (expected(job) != before) is told


def test_kernels_are_loaded_once_whatever_ran_on_the_card(job):
    load, wake = rates.KERNEL_LOAD_SECONDS, rates.DRIVER_WAKE_SECONDS
    assert [rates.start_seconds(job, awake=awake) for awake in (False, True)] == [load + wake, load]
    rates.record_rate(job, "cpu", 1, 1.0)
    assert rates.start_seconds(job, awake=True) == load
    rates.record_rate(job, "gpu", 1, 1.0)
    assert [rates.start_seconds(job, awake=awake) for awake in (False, True)] == [0.0, 0.0]


def test_only_large_matrices_feed_many_threads():
    """Threads of blocks that follow each other gain nothing where one core takes milliseconds."""

    def seconds(n, threads):
        letters = np.zeros(n, np.uint8)
        return rates.cpu_seconds(EditJob(a=letters, b=letters, threads=threads))

    assert seconds(30_000, 16) == seconds(30_000, 1)
    assert seconds(10**5, 16) == pytest.approx(14e-3, rel=0.3)  # as measured; one core takes 33 ms
    assert seconds(4 * 10**5, 16) == pytest.approx(89e-3, rel=0.3)
    gains = [seconds(n, 1) / seconds(n, 16) for n in (10**5, 10**6, 10**7)]
    assert gains == sorted(gains)
    assert gains[-1] == 16


def test_a_rate_between_two_of_the_table_is_on_a_line_of_powers(job):
    curve = job.rates.card
    assert len(curve) > 1
    middles = [((x0 * x1) ** 0.5, (y0 * y1) ** 0.5) for (x0, y0), (x1, y1) in pairwise(curve)]
    (first, slow), (last, fast) = curve[0], curve[-1]
    for cells, rate in (*curve, *middles, (first / 4, slow), (4 * last, fast)):
        n = in_no_memory(round(cells**0.5))
        one = LcsJob(a=n, b=n, path=TracebackMethod.NONE)
        assert rates.gpu_seconds(one) == pytest.approx(max(cells / rate, rates.GPU_JOB_SECONDS), rel=1e-3)
