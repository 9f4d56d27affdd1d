"""Record of a run: every computed place has its times, in an order that the recurrence allows, and can be replayed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.errors import Cancelled
from core.jobs.cancel import CancelToken
from core.jobs.choices import Device
from core.jobs.events import Event, Planned, StepDone
from core.jobs.grid import BlockState
from core.jobs.run_record import RunRecord
from core.methods.base import PairJob, TracebackMethod
from core.methods.edit import BandMode, EditJob
from core.methods.lcs import LcsJob, Strategy
from core.run.runner import run_job

N = 30_000  # letters of a side: several strips


def letters(seed: int, n: int = N) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 4, n).astype(np.uint8)


def changed() -> np.ndarray:
    """The first sequence with every fifth letter another one."""
    b = letters(1)
    b[::5] = (b[::5] + 1) % 4
    return b


def recorded(job: PairJob, cancel_after: int = 0) -> tuple[Planned, RunRecord]:
    """Run a job and return its last attempt; ``cancel_after``: stop it after so many reports of blocks."""
    plans, cancel, reports = [], CancelToken(), 0

    def report(event: Event) -> None:
        nonlocal reports
        if isinstance(event, Planned):
            plans.append(event)
        reports += isinstance(event, StepDone) and event.kernel == "blocks"
        if cancel_after and reports >= cancel_after:
            cancel.cancel()

    if cancel_after:
        with pytest.raises(Cancelled):
            run_job(job, device=Device.CPU, report=report, cancel=cancel)
    else:
        run_job(job, device=Device.CPU, report=report)
    record = plans[-1].record
    assert record is not None
    return plans[-1], record


JOBS = {
    "lcs": lambda: LcsJob(a=letters(1), b=letters(2), strategy=Strategy.FULL, threads=2),
    "edit": lambda: EditJob(a=letters(1), b=letters(2), band=BandMode.NONE, threads=2),
    "one thread": lambda: EditJob(a=letters(1), b=letters(2), band=BandMode.NONE, threads=1),
    "banded": lambda: EditJob(a=letters(1), b=changed(), band=BandMode.FIXED, threshold=9000, threads=2),
    "number only": lambda: LcsJob(a=letters(1), b=letters(2), strategy=Strategy.FULL, path=TracebackMethod.NONE),
}


@pytest.mark.parametrize("name", JOBS)
def test_every_block_has_its_times_and_its_thread(name: str) -> None:
    job = JOBS[name]()
    plan, record = recorded(job)
    computed = np.isin(plan.block_map, (BlockState.DONE, BlockState.PATH))
    assert computed.any()
    assert record.is_complete
    assert (record.began[computed] > 0).all()
    assert (record.ended[computed] >= record.began[computed]).all()
    assert (record.by < len(record.names)).all()
    assert not record.began[plan.block_map == BlockState.OUTSIDE_BAND].any()
    assert 0 < record.seconds < 60
    assert sum(lane.n_places for lane in record.lanes()) == np.count_nonzero(record.ended)
    assert all(0 <= lane.busy <= 1 for lane in record.lanes())


@pytest.mark.parametrize("name", ["lcs", "edit", "banded"])
def test_no_block_begins_before_what_it_needs_has_ended(name: str) -> None:
    plan, record = recorded(JOBS[name]())
    began, ended = record.began.astype(np.int64), record.ended.astype(np.int64)
    assert plan.block_map.shape[0] > 1
    for row, col in np.argwhere(began > 0).tolist():
        if col and began[row, col - 1]:
            assert began[row, col] >= ended[row, col - 1]
        if row and began[row - 1, col]:
            assert began[row, col] >= ended[row - 1, col]


@pytest.mark.parametrize("name", ["edit", "one thread"])
def test_a_thread_is_at_one_block_at_a_time(name: str) -> None:
    _, record = recorded(JOBS[name]())
    for thread in range(len(record.names)):
        mine = np.argwhere((record.by == thread) & (record.ended > 0))
        times = sorted((int(record.began[tuple(at)]), int(record.ended[tuple(at)])) for at in mine)
        # A block at the end of a row of blocks may be of several parts, which other threads go on with.
        overlaps = sum(begin < before for (_, before), (begin, _) in pairwise(times))
        assert overlaps <= len(times) // 20


def test_a_replay_begins_with_nothing_and_ends_with_the_map_without_its_path() -> None:
    plan, record = recorded(JOBS["edit"]())
    final = plan.block_map
    assert (record.at(0.0, final) == BlockState.WAITING).all()
    at_end = record.at(record.seconds * 1.01, final)
    assert (at_end == np.where(final == BlockState.PATH, BlockState.DONE, final)).all()
    done = [np.count_nonzero(record.at(record.seconds * k / 20, final) == BlockState.DONE) for k in range(21)]
    assert done == sorted(done)
    assert np.count_nonzero(record.at(record.seconds / 2, final) == BlockState.RUNNING) <= 2


def test_a_stopped_run_has_a_record_too() -> None:
    a, b = letters(3, 300_000), letters(4, 300_000)
    plan, record = recorded(EditJob(a=a, b=b, band=BandMode.NONE, threads=2), cancel_after=3)
    assert record.is_complete
    assert 0 < np.count_nonzero(record.ended) < record.ended.size
    assert np.count_nonzero(record.at(record.seconds, plan.block_map) == BlockState.WAITING)


def test_what_is_not_computed_by_blocks_has_none() -> None:
    plans = []
    run_job(EditJob(a=letters(1, 500), b=letters(2, 500)), device=Device.CPU, report=plans.append)
    assert all(each.record is None for each in plans if isinstance(each, Planned))
    nothing = np.zeros((2, 2), np.uint32)
    assert not RunRecord(nothing, nothing, nothing.astype(np.uint8), ("1",), seconds_per_tick=1.0).is_complete
