"""Schedules on the blocks of a run: the speed-up of each rule by the number of workers, and one of them as a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavediff.core.base.errors import Cancelled
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import Planned, Recorded
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.record.playback import Playback
from wavediff.core.teach.schedule import Rule, Schedule, simulate

WORKERS = (1, 2, 4, 8, 16, 32, 64)
RULES = {
    Rule.QUEUE: "Queue (Sudo and Shinohara, 2009)",
    Rule.CALLS: "Calls (Kawanami and Fujimoto, 2011)",
    Rule.STRIPS: "Strips (this program)",
}
_TICKS = 1 << 31  # of a schedule, however long it is


@dataclass(frozen=True, slots=True, eq=False)
class SpeedUps:
    """Speed-up of each rule over one worker, for each number of ``WORKERS``.

    Attributes:
        real: lanes of the run itself, and its speed-up.
    """

    of: dict[Rule, tuple[float, ...]]
    real: tuple[int, float]


def speed_ups(record: RunRecord, cancel: CancelToken) -> SpeedUps:
    """Return what the rules would gain on the places of ``record``; up to some seconds.

    Raises:
        Cancelled: nobody waits for it any more.
        TooManyBlocks: there are more than can be simulated.
    """
    took = Playback(record).durations
    alone = float(took.sum())
    found: dict[Rule, tuple[float, ...]] = {}
    for rule in RULES:
        gains = []
        for workers in WORKERS:
            if cancel.cancelled:
                raise Cancelled
            gains.append(alone / max(simulate(took, workers, rule).seconds, 1e-12))
        found[rule] = tuple(gains)
    return SpeedUps(found, (len(record.names), alone / max(record.seconds, 1e-12)))


def as_run(plan: Planned, workers: int, rule: Rule) -> Recorded:
    """Return the schedule of ``rule`` on the places that a run computed, as the record of a run.

    Args:
        plan: of the run, with its record.
    """
    assert plan.record is not None
    record = _recorded(simulate(Playback(plan.record).durations, workers, rule), plan.record, workers)
    return Recorded(0, "", 0.0, record.seconds, (), (plan._replace(job_id=0, record=record),))


def _recorded(schedule: Schedule, real: RunRecord, workers: int) -> RunRecord:
    per_tick = max(schedule.seconds, 1e-9) / _TICKS
    began, ended = (
        np.where(real.ended > 0, 1 + np.round(times / per_tick), 0).astype(np.uint32)
        for times in (schedule.began, schedule.ended)
    )
    names = tuple(f"worker {k + 1:,}" for k in range(workers))
    return RunRecord(began, ended, schedule.by.astype(np.uint8), names, 0.0, per_tick)
