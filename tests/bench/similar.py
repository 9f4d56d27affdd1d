"""Long pairs that are alike, on all cores: edit distance beside edlib, and the LCS, for which nobody has a band."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from core.arrays import Letters
from core.jobs.choices import Device
from core.methods.base import TracebackMethod
from core.methods.lcs import LcsJob
from core.run.runner import run_job
from core.system.machine import cores
from tests.bench import edit
from tests.bench.edit import Row, measured
from tests.bench.lcs import mutate_by_share
from tests.bench.letters import random_letters

SIZES = ((1_000_000, 0.01), (10_000_000, 0.001), (10_000_000, 0.01), (100_000_000, 0.0001), (250_000_000, 0.0001))
QUICK = 10_000_000  # letters
PEERS_CELLS = 1e10  # letters times edits up to which edlib is asked for the distance; its path takes all memory


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line; ``quick`` leaves out the longest."""
    rng, many = np.random.default_rng(34), cores()
    for n, share in SIZES:
        if quick and n > QUICK:
            return
        a = random_letters(rng, n, 4)
        b = mutate_by_share(rng, a, share)
        what = f"DNA {n:,} at {share:.2%}"
        asked = {} if quick or n * n * share > PEERS_CELLS else edit.peers(a, b)
        asked.pop("rapidfuzz", None)
        yield measured(f"edit distance, {what}", a, b, edit.job(a, b, threads=many), asked, slow=True)
        yield measured(f"edit path, {what}", a, b, edit.job(a, b, path=True, threads=many), {}, slow=True)
        yield measured(f"LCS length, {what}", a, b, partial(_lcs, a, b, TracebackMethod.NONE), {}, slow=True)
        yield measured(f"whole LCS, {what}", a, b, partial(_lcs, a, b, TracebackMethod.BLOCKS), {}, slow=True)


def _lcs(a: Letters, b: Letters, path: TracebackMethod) -> int:
    return int(run_job(LcsJob(a=a, b=b, path=path), device=Device.CPU).length)
