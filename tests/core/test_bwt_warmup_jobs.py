"""What the compiling child runs for the transform: after it no job of the transform compiles anything."""

import numpy as np
from numba.core import event

from tests.core.compilers import nothing_ready
from tests.core.pairs import random_letters
from wavediff.core.jit import warmup
from wavediff.core.jobs.bwt import BwtJob, FindJob, IndexJob, InverseBwtJob, LocateRowsJob
from wavediff.core.run.compile_worker import all_warmup_jobs
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.letters import CPU_METHODS, fibonacci, frozen


def test_each_rehearsal_makes_ready_what_it_names_and_nothing_is_compiled_after_it(monkeypatch):
    nothing_ready(monkeypatch)
    ours = [one for one in all_warmup_jobs() if isinstance(one.job, BwtJob | IndexJob)]
    promised = set()
    for one in sorted(ours, key=lambda one: one.rank):
        run_job(one.job)
        promised |= set(one.names)
        assert set(one.names) <= warmup.compiled_names()
    assert promised == warmup.compiled_names()
    rng = np.random.default_rng(1)
    texts = [random_letters(rng, 50_000, n).tobytes() for n in (1, 4, 20)] + [fibonacci(50_000)]
    with event.install_recorder("numba:compile") as recorder:
        for text in map(frozen, texts):
            for method in CPU_METHODS:
                result = run_job(BwtJob(text=text, method=method))
            run_job(InverseBwtJob(last=result.last, primary=result.primary))
            index = run_job(IndexJob(text=text))
            again = run_job(IndexJob(saved=index.saved()))
            for one in (index, again):
                run_job(FindJob(index=one, patterns=(b"abc", b"\0"), locate=True, trace=True))
                run_job(LocateRowsJob(index=one, rows=np.arange(10)))
    assert [one.data["dispatcher"].py_func.__name__ for _, one in recorder.buffer if one.is_start] == []
