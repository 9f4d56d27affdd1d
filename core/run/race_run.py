"""Run a race: job after job, nothing at the same time, each with a stopwatch of its own."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.code_columns import columns_of
from wavediff.core.jobs.event_streams import EventTotals, run_to_end
from wavediff.core.jobs.events import DeviceChosen, Event, RaceRunEnded, RaceRunStarted
from wavediff.core.methods import method_of
from wavediff.core.methods.base import Method, RaceKernel, TracebackMethod
from wavediff.core.methods.race_job import SHORT_RUN_SECONDS, RaceEntry, RaceJob
from wavediff.core.methods.race_result import RaceEntryResult, RaceResult
from wavediff.core.run.dispatch import gpu_failure, gpu_obstacle, record_measurement, release_gpu, resolve
from wavediff.core.sequences.letter_rules import Ambiguity, LetterRule

ONLY_NUMBER = "it is a way to the alignment, and only the number is asked for"
ONLY_PATH = "it gives the number only, and the alignment is asked for"


def unfit(method: Method, race_kernel: RaceKernel, *, path: bool) -> str | None:
    """Return in a part of a sentence why a kernel is not for such a race, whatever the machine; None where it is.

    Args:
        path: whether the race is for the alignment too.
    """
    if race_kernel.needs_path and not path:
        return ONLY_NUMBER
    if path and method.values(race_kernel.options)["traceback"] is TracebackMethod.NONE:
        return ONLY_PATH
    return None


def race_obstacle(method: Method, race_kernel: RaceKernel, *, path: bool) -> str | None:
    """Return in a part of a sentence why a kernel cannot race here, None where it can; may wait for a driver."""
    lack = unfit(method, race_kernel, path=path)
    if lack is None and race_kernel.device == Device.GPU:
        lack = gpu_obstacle(method.job_type)
    return lack


@dataclass(slots=True)
class _Best:
    """Best result of a race entry so far."""

    result: RaceEntryResult
    compile_seconds: float = 0.0

    def add(self, new: RaceEntryResult, compile_seconds: float) -> None:
        self.compile_seconds += compile_seconds
        seconds = (*self.result.seconds, *new.seconds)
        if new.failure:
            kept = replace(new, seconds=())  # one round without an answer is one too many
        else:
            kept = new if not self.result.seconds or new.best < self.result.best else self.result
            kept = replace(kept, seconds=seconds)
        self.result = replace(kept, compile_seconds=self.compile_seconds)


def run(job: RaceJob) -> Generator[Event, None, RaceResult]:
    """Compute ``job``; the events of a leg carry the id of its own job, between a ``RaceRunStarted`` and a
    ``RaceRunEnded``.

    A kernel that fails, for want of memory or for any other reason, has no answer, and the others go on: nothing else
    takes its place, unlike in ``wavediff.core.run.runner``.
    """
    best = [_Best(RaceEntryResult(leg.race_kernel.id, leg.race_kernel.name)) for leg in job.legs]
    path: list[Alignment] = []  # of the first kernel that found one
    for number in range(job.most_rounds):
        for at, leg in enumerate(job.legs):
            so_far = best[at].result
            if so_far.failure or (number and not job.rounds and so_far.seconds[0] >= SHORT_RUN_SECONDS):
                continue
            yield RaceRunStarted(job.id, leg.job.id, at, number)
            watch = EventTotals()
            result = yield from _run(leg, watch, path, job.ambiguity)
            best[at].add(result, sum(one.compile_seconds for one in result.timings or watch.timings(leg.job.id)))
            yield RaceRunEnded(job.id, leg.job.id, at, number, best[at].result)
    first = job.legs[0].job
    return RaceResult(
        job_id=job.id,
        method=job.method.id,
        n=int(first.a.size),
        m=int(first.b.size),
        rounds=max(len(one.result.seconds) for one in best) or 1,
        legs=tuple(one.result for one in best),
    )


def _run(
    leg: RaceEntry, watch: EventTotals, path: list[Alignment], ambiguity: Ambiguity
) -> Generator[Event, None, RaceEntryResult]:
    """Run one job to its end, as ``wavediff.core.run.runner`` would without its way out."""
    failed = RaceEntryResult(leg.race_kernel.id, leg.race_kernel.name)
    on = ""
    try:
        choice = resolve(leg.job, Device(leg.race_kernel.device))
        on = str(choice.device)
        watch.device = on
        if choice.free:
            yield DeviceChosen(leg.job.id, on, choice.reason)
        answer: Any = yield from watch.watch(choice.begin(leg.job))
    except GeneratorExit:
        raise
    except Exception as error:
        failure = gpu_failure(error) if on == Device.GPU else None
        if failure is None and not isinstance(error, WavediffError | MemoryError):
            raise
        text = str(failure or error) or "out of memory"
    else:
        record_measurement(leg.job, choice.device, *watch.total("blocks"))
        return _told(leg, on, choice.reason, replace(answer, ambiguity=ambiguity), watch, path)
    # The error is gone by here, and with it the frames that held arrays on the card.
    if on == Device.GPU:
        release_gpu()
    return replace(failed, device=on, failure=text)


def _told(leg: RaceEntry, on: str, why: str, answer: Any, watch: EventTotals, path: list[Alignment]) -> RaceEntryResult:
    same = None
    if answer.alignment is not None:
        path[:] = path or [answer.alignment]
        same = np.array_equal(path[0].ops, answer.alignment.ops) and np.array_equal(
            path[0].lengths, answer.alignment.lengths
        )
    reason = answer.reason
    if leg.race_kernel.device == Device.AUTO:
        reason = f"{on.upper()}: {why}; {answer.reason}"
    return RaceEntryResult(
        id=leg.race_kernel.id,
        name=leg.race_kernel.name,
        device=on,
        strategy=answer.strategy,
        reason=reason,
        answer=method_of(leg.job).value(answer),
        counted=_counted(leg.job, answer),
        seconds=(answer.wall_seconds,),
        n_cells=answer.n_cells,
        cells=answer.cells,
        timings=tuple(watch.timings(leg.job.id)),
        same_alignment=same,
    )


def _counted(job: Any, answer: Any) -> int | float:
    """Return the number of the answer as a comparison shows it: less what ambiguity codes alone make different."""
    method = method_of(job)
    if job.codes is LetterRule.LITERAL or answer.alignment is None:
        return method.value(answer)
    shown = method.measures(replace(answer, codes=run_to_end(columns_of(job, answer))))[0].value
    return method.value(answer) if shown is None else shown
