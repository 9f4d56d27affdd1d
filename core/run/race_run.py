"""Run a race: one job at a time, each timed separately."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.choices import Device, gpu_unused
from wavediff.core.jobs.code_columns import columns_of
from wavediff.core.jobs.events import DeviceChosen, Event, EventTotals, RaceRun, pass_on, run_to_end
from wavediff.core.methods import method_of
from wavediff.core.methods.base import Method, RaceKernel, TracebackMethod
from wavediff.core.methods.race_job import SHORT_RUN_SECONDS, RaceEntry, RaceJob
from wavediff.core.methods.race_result import RaceEntryResult, RaceResult
from wavediff.core.record.playback import RunLog
from wavediff.core.run.dispatch import gpu_failure, gpu_obstacle, record_measurement, resolve
from wavediff.core.run.graphics_cards import graphics_cards
from wavediff.core.sequences.letter_rules import Ambiguity, LetterRule

ONLY_NUMBER = "it differs only in the traceback, and no alignment is requested"
ONLY_PATH = "it computes no alignment, which is requested"


def unfit(method: Method, race_kernel: RaceKernel, *, path: bool) -> str | None:
    """Return why a kernel cannot take part on any machine, as a clause, or None.

    Args:
        path: whether the race includes the alignment.
    """
    if race_kernel.needs_path and not path:
        return ONLY_NUMBER
    if path and method.values(race_kernel.options)["traceback"] is TracebackMethod.NONE:
        return ONLY_PATH
    return None


def race_obstacle(method: Method, race_kernel: RaceKernel, *, path: bool) -> str | None:
    """Return why a kernel cannot race on this machine, as a clause, or None; may wait for the driver."""
    lack = unfit(method, race_kernel, path=path)
    if lack is None and race_kernel.device == Device.GPU and (reason := gpu_obstacle(method.job_type)):
        return gpu_unused(reason)
    return lack


def run(job: RaceJob) -> Generator[Event, None, RaceResult]:
    """Run ``job``; the events of each kernel have the id of its own job and are between two ``RaceRun`` events.

    A failed kernel (e.g. out of memory) has no answer; the others continue, without a fallback as in
    ``wavediff.core.run.runner``.
    """
    results = [RaceEntryResult(leg.race_kernel.id, leg.race_kernel.name) for leg in job.legs]
    path: list[Alignment] = []  # of the first kernel that found one
    for number in range(job.most_rounds):
        for at, leg in enumerate(job.legs):
            so_far = results[at]
            if so_far.failure or (number and not job.rounds and so_far.seconds[0] >= SHORT_RUN_SECONDS):
                continue
            yield RaceRun(job.id, at, number)
            result = yield from _run(leg, path, job.ambiguity)
            results[at] = so_far.joined(result)
            yield RaceRun(job.id, at, number, results[at])
    first = job.legs[0].job
    return RaceResult(
        job_id=job.id,
        method=job.method.id,
        n=int(first.a.size),
        m=int(first.b.size),
        rounds=max(len(one.seconds) for one in results) or 1,
        legs=tuple(results),
    )


def _run(leg: RaceEntry, path: list[Alignment], ambiguity: Ambiguity) -> Generator[Event, None, RaceEntryResult]:
    """Run one job without the fallbacks of ``wavediff.core.run.runner``."""
    job, kernel = leg.job, leg.race_kernel
    log, watch = RunLog(), EventTotals()

    def heard(event: Event) -> Event:
        log.add(event)
        return watch.add(event)

    try:
        choice = resolve(job, Device(kernel.device), compiled=True)
        log.device = watch.device = str(choice.device)
        if choice.free:
            yield DeviceChosen(job.id, log.device, choice.reason)
        answer: Any = yield from pass_on(choice.begin(job), heard)
    except GeneratorExit:
        raise
    except Exception as error:
        failure = gpu_failure(error) if log.device == Device.GPU else None
        if failure is None and not isinstance(error, WavediffError | MemoryError):
            raise
        fields: dict[str, Any] = {"failure": str(failure or error) or "out of memory"}
    else:
        record_measurement(job, choice.device, *watch.total("blocks"))
        on = f"{log.device.upper()}: {choice.reason}; " if kernel.device == Device.AUTO else ""
        fields = _answered(job, replace(answer, ambiguity=ambiguity), path)
        fields |= {"reason": on + answer.reason, "timings": tuple(watch.timings(job.id))}
    # The error, and its frames with arrays on the card, is released by now.
    if "failure" in fields and log.device == Device.GPU:
        graphics_cards().release()
    compiled = sum(timing.compile_seconds for timing in watch.timings(job.id))
    fields |= {"device": log.device, "compile_seconds": compiled, "recorded": log.recorded(job.id)}
    return RaceEntryResult(kernel.id, kernel.name, **fields)


def _answered(job: Any, answer: Any, path: list[Alignment]) -> dict[str, Any]:
    same = None
    if answer.alignment is not None:
        path[:] = path or [answer.alignment]
        same = all(np.array_equal(getattr(path[0], of), getattr(answer.alignment, of)) for of in ("ops", "lengths"))
    return {
        "strategy": answer.strategy,
        "answer": method_of(job).value(answer),
        "counted": _counted(job, answer),
        "seconds": (answer.wall_seconds,),
        "n_cells": answer.n_cells,
        "cells": answer.cells,
        "same_alignment": same,
    }


def _counted(job: Any, answer: Any) -> int | float:
    method = method_of(job)
    if job.codes is LetterRule.LITERAL or answer.alignment is None:
        return method.value(answer)
    value = method.measures(replace(answer, codes=run_to_end(columns_of(job, answer))))[0].value
    return method.value(answer) if value is None else value
