"""Run a race: job after job, nothing at the same time, each with a stopwatch of its own."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.dispatch import Device, gpu_failure, measured, release_gpu, resolve, why_no_gpu
from core.errors import WavediffError
from core.events import Chosen, Event, LegBegan, LegEnded
from core.jobs import EditJob, LcsJob
from core.race_entrants import Entrant, RaceMethod
from core.race_jobs import Leg, RaceJob
from core.results.alignment import Alignment
from core.results.race import LegResult, RaceResult
from core.timing import Stopwatch

JOB_TYPES: dict[RaceMethod, type] = {RaceMethod.LCS: LcsJob, RaceMethod.EDIT: EditJob}
ONLY_NUMBER = "it is a way to the alignment, and only the number is asked for"


def why_not(method: RaceMethod, entrant: Entrant, *, path: bool) -> str | None:
    """Return in a part of a sentence why a kernel cannot race here, None where it can; may wait for a driver.

    Args:
        path: whether the race is for the alignment too.
    """
    if entrant.needs_path and not path:
        return ONLY_NUMBER
    return why_no_gpu(JOB_TYPES[method]) if entrant.device == Device.GPU else None


@dataclass(slots=True)
class _Best:
    """What a leg came to so far."""

    result: LegResult
    compile_seconds: float = 0.0

    def add(self, new: LegResult, compile_seconds: float) -> None:
        self.compile_seconds += compile_seconds
        seconds = (*self.result.seconds, *new.seconds)
        if new.failure:
            kept = replace(new, seconds=())  # one round without an answer is one too many
        else:
            kept = new if not self.result.seconds or new.best < self.result.best else self.result
            kept = replace(kept, seconds=seconds)
        self.result = replace(kept, compile_seconds=self.compile_seconds)


def run(job: RaceJob) -> Generator[Event, None, RaceResult]:
    """Compute ``job``; the events of a leg carry the id of its own job, between a ``LegBegan`` and a ``LegEnded``.

    A kernel that fails, for want of memory or for any other reason, has no answer, and the others go on: nothing else
    takes its place, unlike in ``core.runner``.
    """
    best = [_Best(LegResult(leg.entrant.id, leg.entrant.name)) for leg in job.legs]
    path: list[Alignment] = []  # of the first kernel that found one
    for number in range(job.rounds):
        for at, leg in enumerate(job.legs):
            if best[at].result.failure:
                continue
            yield LegBegan(job.id, leg.job.id, at, number)
            watch = Stopwatch("")
            result = yield from _run(leg, watch, path)
            best[at].add(result, sum(one.compile_seconds for one in result.timings or watch.timings(leg.job.id)))
            yield LegEnded(job.id, leg.job.id, at, number, best[at].result)
    first = job.legs[0].job
    return RaceResult(
        job_id=job.id,
        method=str(job.method),
        n=int(first.a.size),
        m=int(first.b.size),
        rounds=job.rounds,
        legs=tuple(one.result for one in best),
    )


def _run(leg: Leg, watch: Stopwatch, path: list[Alignment]) -> Generator[Event, None, LegResult]:
    """Run one job to its end, as ``core.runner`` would without its way out."""
    failed = LegResult(leg.entrant.id, leg.entrant.name)
    on = ""
    try:
        choice = resolve(leg.job, Device(leg.entrant.device))
        on = str(choice.device)
        watch.device = on
        if choice.free:
            yield Chosen(leg.job.id, on, choice.reason)
        steps = choice.run(leg.job)
        try:
            while True:
                event = next(steps)
                watch.add(event)
                yield event
        except StopIteration as stop:
            answer: Any = stop.value
        finally:
            steps.close()
    except GeneratorExit:
        raise
    except Exception as error:
        failure = gpu_failure(error) if on == Device.GPU else None
        if failure is None and not isinstance(error, WavediffError | MemoryError):
            raise
        text = str(failure or error) or "out of memory"
    else:
        measured(leg.job, choice.device, *watch.total("blocks"))
        return _told(leg, on, choice.reason, answer, watch, path)
    # The error is gone by here, and with it the frames that held arrays on the card.
    if on == Device.GPU:
        release_gpu()
    return replace(failed, device=on, failure=text)


def _told(leg: Leg, on: str, why: str, answer: Any, watch: Stopwatch, path: list[Alignment]) -> LegResult:
    same = None
    if answer.alignment is not None:
        path[:] = path or [answer.alignment]
        same = np.array_equal(path[0].ops, answer.alignment.ops) and np.array_equal(
            path[0].lengths, answer.alignment.lengths
        )
    chosen = f"{on.upper()}: {why}; " if leg.entrant.device == Device.AUTO else ""
    return LegResult(
        id=leg.entrant.id,
        name=leg.entrant.name,
        device=on,
        way=answer.way,
        reason=f"{chosen}{answer.reason}",
        answer=int(answer.distance if isinstance(leg.job, EditJob) else answer.length),
        seconds=(answer.wall_seconds,),
        n_cells=answer.n_cells,
        cells=answer.cells,
        timings=tuple(watch.timings(leg.job.id)),
        same_path=same,
    )
