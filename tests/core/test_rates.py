"""What is learnt of the speed of a device, and how it is said."""

import numpy as np

from wavediff.core.methods.base import TracebackMethod
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
