"""How jobs behave while they run, whatever their method: what they report, how they stop, that they are fixed."""

import numpy as np
import pytest

from tests.core.pairs import mutate, random_letters
from tests.core.running import steps_of, stopped
from wavediff.core.base.arrays import freeze
from wavediff.core.jobs.bwt import BwtJob, InverseBwtJob
from wavediff.core.jobs.events import KernelTiming, Planned, StepDone
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.time_left import PLANNED
from wavediff.core.methods.affine import AffineJob
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.scoring.scheme import default_scheme

DNA = {"scoring": default_scheme(proteins=False)}
SMALL_BLOCKS = {"threads": 2, "block_rows": 512, "block_cols": 256}
HALVES = {"path": TracebackMethod.HIRSCHBERG}
NUMBER = {"path": TracebackMethod.NONE}
ALIKE = (12_000, 12_000)
SIZES = [(9_000, 7_000), (20, 5_000), (5_000, 20), (30, 30)]
SHAPES = [(n, m, {"threads": threads} | path) for n, m in SIZES for threads in (1, 2) for path in ({}, NUMBER)]
REPORTED = [
    *((LcsJob, *ALIKE, {"strategy": one}) for one in (Strategy.FULL, Strategy.BAND, Strategy.DIAGONALS)),
    (LcsJob, *ALIKE, {"strategy": Strategy.FULL} | SMALL_BLOCKS),
    *((LcsJob, *ALIKE, path) for path in (NUMBER, HALVES)),
    *((EditJob, *ALIKE, {"band": one}) for one in (BandMode.NONE, BandMode.AUTO)),
    (EditJob, *ALIKE, {"band": BandMode.NONE} | SMALL_BLOCKS),
    (EditJob, *ALIKE, {"band": BandMode.SUDO, "block_rows": 128, "block_cols": 1280}),
    (EditJob, *ALIKE, {"band": BandMode.FIXED, "threshold": 500}),
    (EditJob, *ALIKE, NUMBER),
    *((SwapEditJob, *shape) for shape in SHAPES),
    *((AffineJob, n, m, DNA | choices) for n, m, choices in SHAPES),
]


def pair(kind, n, m):
    """Return letters of so many: alike ones of the same number, unrelated ones else."""
    rng = np.random.default_rng(n)
    letters = np.zeros(256, np.uint8)
    letters[::64] = np.frombuffer(b"ACGT", np.uint8)  # what an affine score is known of
    a = random_letters(rng, n, 4)
    b = mutate(rng, a, 2000, 4) if (n, m) == ALIKE else random_letters(rng, m, 4)
    return {"a": letters[a], "b": letters[b]}


@pytest.mark.parametrize(("kind", "n", "m", "choices"), REPORTED)
def test_what_is_reported_adds_up(kind, n, m, choices):
    events, job = [], kind(**pair(kind, n, m), **choices)
    result = run_job(job, report=events.append)
    plans = [event for event in events if isinstance(event, Planned)]
    steps = [event for event in events if isinstance(event, StepDone)]
    if job.path is not TracebackMethod.HIRSCHBERG:
        computed = sum(step.cells for step in steps if step.kernel in {*PLANNED, "skipped"})
        assert computed == sum(plan.cells for plan in plans)
    for plan in plans:
        assert not plan.block_map.flags.writeable
        assert plan.block_map.shape == plan.grid.shape
        assert not np.isin(plan.block_map, [BlockState.WAITING, BlockState.RUNNING, BlockState.FAILED]).any()
    assert (plans[-1].block_map == BlockState.PATH).any() == (job.path is not TracebackMethod.NONE)
    timings = [event for event in events if isinstance(event, KernelTiming)]
    assert events[-len(timings) :] == timings
    assert sum(each.seconds for each in timings) == pytest.approx(result.kernel_seconds)
    assert 0 < result.kernel_seconds <= result.wall_seconds * 1.01
    assert {each.device for each in timings} == {result.device} == {"cpu"}
    assert (result.strategy, bool(result.reason)) == (plans[-1].strategy, True)
    if kind in (LcsJob, EditJob):
        assert result.cells == sum(e.cells for e in steps if e.kernel != "skipped")
    else:
        assert set(np.unique(plans[-1].block_map)) <= {BlockState.DONE, BlockState.PATH}
        assert plans[-1].cells == n * m or kind is SwapEditJob


@pytest.mark.parametrize(
    ("kind", "n", "choices"),
    [
        (LcsJob, 400_000, {"strategy": Strategy.FULL}),
        (LcsJob, 400_000, {"strategy": Strategy.FULL} | HALVES),
        (EditJob, 300_000, {"band": BandMode.NONE}),
        (EditJob, 300_000, {"band": BandMode.NONE} | NUMBER),
        (SwapEditJob, 60_000, {}),
        (AffineJob, 60_000, DNA),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_the_job_and_its_threads(kind, n, choices, threads):
    told = stopped(kind(**pair(kind, n, n - 7), threads=threads, **choices), "blocks")
    assert [each for each in told if isinstance(each, KernelTiming) and each.kernel == "blocks"]
    assert steps_of(told)
    block_map = next(each for each in reversed(told) if isinstance(each, Planned)).block_map
    assert (block_map == BlockState.DONE).any(), "the partial map stays"
    assert (block_map == BlockState.WAITING).any()


@pytest.mark.parametrize(
    ("kind", "fields", "more"),
    [
        (LcsJob, "ab", {}),
        (EditJob, "ab", {}),
        (SwapEditJob, "ab", {}),
        (AffineJob, "ab", DNA),
        (BwtJob, ["text"], {}),
        (InverseBwtJob, ["last"], {"primary": 10}),
    ],
)
def test_a_job_cannot_be_changed_from_outside(kind, fields, more):
    changing = np.zeros(10, np.uint8)
    job = kind(**dict.fromkeys(fields, changing), **more)
    changing[0] = 1
    for field in fields:
        letters = getattr(job, field)
        assert letters[0] == 0
        with pytest.raises(ValueError, match="read-only"):
            letters[0] = 1
        assert freeze(letters) is letters, "what is frozen is not copied again"
