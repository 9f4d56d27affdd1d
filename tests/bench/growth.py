"""Growth of the time with the letters, from 10^4 to 10^8: pairs that are alike, aligned on 1, 2, 4 and all cores."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np

from wavediff.core.base.arrays import freeze
from wavediff.core.system.machine import cores
from wavediff.tests.bench import edit
from wavediff.tests.bench.lcs import mutate_by_share
from wavediff.tests.bench.letters import random_letters
from wavediff.tests.bench.measure import in_turn
from wavediff.tests.bench.table import Row

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000)
QUICK = SIZES[:7:2]
SHARES = {0.001: 100_000_000, 0.01: 30_000_000, 0.05: 10_000_000}  # of letters that are changed; letters at most


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line, in turn on all numbers of threads, whose answers are compared.

    The remark is the power of the letters by which the time grew since the last.

    Args:
        quick: powers of ten alone, without the longest.
    """
    rng = np.random.default_rng(37)
    for share, most in SHARES.items():
        before: dict[int, tuple[int, float]] = {}
        for n in (one for one in (QUICK if quick else SIZES) if one <= most):
            a = freeze(random_letters(rng, n, 4))
            b = freeze(mutate_by_share(rng, a, share))
            counts = sorted({1, 2, 4, cores()})
            timings = in_turn([edit.job(a, b, path=True, threads=threads) for threads in counts])
            for threads, ours in zip(counts, timings, strict=True):
                note = ""
                if threads in before:
                    letters, seconds = before[threads]
                    note = f"n^{log(ours.best / seconds) / log(n / letters):.2f}"
                before[threads] = n, ours.best
                right = ours.answer == timings[0].answer
                what = f"{n:,} at {share:.1%}, threads {threads}"
                yield Row(what, int(a.size) * int(b.size), ours, note=note, right=right)
