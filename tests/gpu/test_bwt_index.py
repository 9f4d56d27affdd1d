"""An index whose text was sorted on a card is the CPU's, field by field."""

from dataclasses import fields

import numpy as np
import pytest

from tests.core.pairs import random_letters
from tests.core.texts import HARD
from wavediff.core.jobs.bwt import IndexJob
from wavediff.core.jobs.bwt_result import SavedBwt
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import run_to_end
from wavediff.core.run.runner import run_job
from wavediff.gpu.bwt import index
from wavediff.tests.bench.letters import frozen

SKIPPED = {"job_id", "wall_seconds", "ranks"}


@pytest.mark.parametrize("name", ["empty", "one NUL", "banana", "all bytes twice", "random"])
@pytest.mark.parametrize("every", [1, 7])
def test_it_is_the_cpus(card, name, every):
    text = random_letters(np.random.default_rng(3), 6000, 4).tobytes() if name == "random" else HARD[name]
    job = IndexJob(text=frozen(text), every=every)
    wanted = run_job(job, device=Device.CPU)
    unsampled = SavedBwt(name="", fold_case=False, last=wanted.last, primary=wanted.primary, n_runs=wanted.n_runs)
    for found in (run_to_end(index.run_on(card, one)) for one in (job, IndexJob(saved=unsampled, every=every))):
        for field in fields(wanted):
            if field.name not in SKIPPED:
                assert np.array_equal(getattr(found, field.name), getattr(wanted, field.name)), field.name
        assert all(map(np.array_equal, found.ranks, wanted.ranks))
