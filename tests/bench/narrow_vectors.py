"""The same kernels compiled for a processor without AVX-512, measured in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from wavediff.tests.bench.table import Row, once

ROOT = Path(__file__).parents[2]
FEATURES = "+sse4.2,+avx,+avx2,+bmi,+bmi2,+popcnt,+lzcnt,+fma"
CASES = (("DNA", 4, 100_000), ("protein", 20, 100_000), ("bytes", 256, 100_000))


def rows(_quick: bool) -> Iterator[Row]:
    """Whole matrices on one core, length or distance only."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": FEATURES, "WAVEDIFF_CACHE_DIR": folder,
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-m", "wavediff.tests.bench.narrow_vectors"],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=900,
        )  # fmt: skip
    for what, seconds, cells in json.loads(done.stdout):
        yield Row(what, cells, once(seconds))


def _measure() -> list[tuple[str, float, int]]:
    import numpy as np

    from wavediff.core.methods.base import TracebackMethod
    from wavediff.core.methods.edit import BandMode, EditJob
    from wavediff.core.methods.lcs import LcsJob, Strategy
    from wavediff.core.run.runner import run_job
    from wavediff.tests.bench.letters import random_letters

    out = []
    rng = np.random.default_rng(20)
    for name, n_letters, n in CASES:
        a, b = random_letters(rng, n, n_letters), random_letters(rng, n, n_letters)
        for method, job in (
            ("LCS length", LcsJob(a=a, b=b, path=TracebackMethod.NONE, strategy=Strategy.FULL, threads=1)),
            ("edit distance", EditJob(a=a, b=b, path=TracebackMethod.NONE, band=BandMode.NONE, threads=1)),
        ):
            run_job(job)
            best = min(_seconds(job) for _ in range(7))
            out.append((f"{method}, random {name} {n:,}, every cell", best, n * n))
    return out


def _seconds(job: object) -> float:
    from wavediff.core.run.runner import run_job

    start = perf_counter()
    run_job(job)
    return perf_counter() - start


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_measure()))
