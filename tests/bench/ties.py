"""What the default choice among equal costs takes on top of left-most gaps, and what the check of a score takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from wavediff.core.base.arrays import freeze
from wavediff.core.jobs.alignment import with_substitutions
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, StepDone
from wavediff.core.methods.base import Ties, TracebackMethod
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.lcs import mutate_by_share
from wavediff.tests.bench.letters import random_letters
from wavediff.tests.bench.measure import in_turn

SIZES, SHARES = (1_000, 10_000, 100_000, 1_000_000), (0.01, 0.05, 0.15)
QUICK = 100_000  # letters


@dataclass(frozen=True, slots=True)
class Row:
    """Best seconds on one core of the number alone, with left-most gaps and with the fewest gaps.

    Attributes:
        check: seconds of the check of the score, of the number alone. gaps: of both alignments, as they are shown.
        agrees: whether both cost the same.
    """

    what: str
    number: float
    left_most: float
    fewest: float
    check: float
    gaps: tuple[int, int]
    agrees: bool


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line."""
    rng = np.random.default_rng(36)
    for n in (one for one in SIZES if not quick or one <= QUICK):
        a = freeze(random_letters(rng, n, 4))
        for share in SHARES:
            b = freeze(mutate_by_share(rng, a, share))
            for kind, name in ((EditJob, "edit"), (LcsJob, "LCS")):
                job = partial(kind, a=a, b=b, threads=1)
                jobs = job(path=TracebackMethod.NONE), job(ties=Ties.LEFT_MOST), job(ties=Ties.FEWEST_GAPS)
                number, left, fewest = in_turn([partial(run_job, one, device=Device.CPU) for one in jobs])
                found = left.answer, fewest.answer
                values = {one.distance if kind is EditJob else one.length for one in (number.answer, *found)}
                read = with_substitutions if kind is LcsJob else lambda alignment: alignment
                gaps = read(found[0].alignment).n_gaps, read(found[1].alignment).n_gaps
                agrees = len(values) == 1 and gaps[1] <= gaps[0]
                what = f"{name}, DNA {n:,} at {share:.0%}"
                yield Row(what, number.best, left.best, fewest.best, _check_seconds(jobs[0]), gaps, agrees)


def _check_seconds(job: EditJob | LcsJob) -> float:
    found = []
    for _ in range(5):
        events: list[Event] = []
        run_job(job, device=Device.CPU, report=events.append)
        found.append(sum(one.seconds for one in events if isinstance(one, StepDone) and one.kernel == "verify"))
    return min(found)
