"""``race``: run several kernels on one pair; compare answers and times."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from importlib import import_module
from typing import Any

from wavediff.app.commands.command import Command
from wavediff.app.commands.compare_options import named_kernels
from wavediff.app.commands.inputs import read_pair, request_of
from wavediff.app.commands.pictures import write_pictures
from wavediff.app.commands.progress import Reporter
from wavediff.core.base.errors import BackendUnavailable
from wavediff.core.base.numbers import rate
from wavediff.core.export.race import RaceAnswer
from wavediff.core.export.registry import RACE
from wavediff.core.jobs.events import Event, RaceRun
from wavediff.core.methods import method as method_by_id
from wavediff.core.methods.base import Method
from wavediff.core.methods.race_job import MAX_KERNELS, make_race_job, race_kernels
from wavediff.core.methods.race_result import RaceEntryResult, RaceResult, Stage
from wavediff.core.run.race_run import race_obstacle
from wavediff.core.system.machine import cores

SAME, DIFFERENT, TROUBLE = 0, 1, 2
_BAR = 32  # letters of the longest bar
_MARKS = dict(zip(Stage, "prBwco", strict=True))


def run(arguments: argparse.Namespace) -> int:
    """Return the exit code: 0 if all kernels agree, 1 if answers differ, 2 if a kernel failed."""
    method, path = method_by_id(arguments.method), arguments.alignment
    command = Command(arguments, RACE, (arguments.a, arguments.b))
    reporter = command.reporter
    ids = _chosen(method, arguments.kernels, path, reporter)

    def report(event: Event) -> None:
        if not isinstance(event, RaceRun):
            reporter(event)
        elif event.result is None:
            reporter.note(f"{ids[event.leg]}, round {event.round + 1} of {job.most_rounds}")
        else:
            reporter.close()

    with command.working():
        request, threads = request_of(command, method, {}, *read_pair(command)), arguments.threads or cores()
        a, b, fold_case = request.a, request.b, request.fold_case
        job = make_race_job(method, ids, a, b, fold_case=fold_case, path=path, rounds=arguments.rounds, threads=threads)
        result: RaceResult = command.run(job, report=report)
        answer = RaceAnswer(a, b, fold_case, result, threads, path=path)
        command.write(answer)
        write_pictures(command.pictures, arguments, partial(_picture, answer))
    command.tell(_summary(result))
    if not result.agree:
        if arguments.quiet:
            sys.stderr.write(f"{result.verdict()}\n")
        return DIFFERENT
    return TROUBLE if any(leg.failure for leg in result.legs) else SAME


def _picture(answer: RaceAnswer, size: dict[str, Any]) -> Any:
    made = import_module("wavediff.app.race.race_view")
    return made.race_picture(answer, **size).by(made.race_recipe(answer))


def _chosen(method: Method, asked: str | None, path: bool, reporter: Reporter) -> tuple[str, ...]:
    known = race_kernels(method)
    if asked is None:
        usual = [known[id_] for id_ in method.usual]
        lacks = {one.id: race_obstacle(method, one, path=path) for one in usual}
        for one in usual:
            if lacks[one.id]:
                reporter.notice(f"{one.id} cannot run: {lacks[one.id]}")
        return tuple(one.id for one in usual if not lacks[one.id])[:MAX_KERNELS]
    ids = named_kernels(method, asked)
    for id_ in ids:
        lack = race_obstacle(method, known[id_], path=path)
        if lack is not None:
            raise BackendUnavailable(f"{id_} cannot race: {lack}")
    return ids


def _summary(result: RaceResult) -> list[str]:
    slowest = max((leg.best for leg in result.legs), default=0.0)
    rounds = "" if result.rounds == 1 else f", fastest of {result.rounds} runs each"
    lines = [f"{result.n:,} x {result.m:,} cells; one kernel at a time{rounds}; compilation not counted"]
    lines += [f"  {'kernel':<15} {'on':<4}{'answer':>14}", *(_line(leg, slowest) for leg in result.legs)]
    lines.append("  " + ", ".join(f"{mark} {stage}" for stage, mark in _MARKS.items()))
    return [*lines, result.verdict()]


def _line(leg: RaceEntryResult, slowest: float) -> str:
    if leg.answer is None:
        return f"  {leg.id:<15} failed: {leg.failure}"
    bar, at = "", 0.0
    for stage, seconds in leg.stages().items():
        at += seconds
        bar += _MARKS[stage] * (round(_BAR * at / slowest) - len(bar) if slowest else 0)
    spread = f" to {max(leg.seconds) * 1e3:,.2f}" if len(leg.seconds) > 1 else ""
    figures = f"{leg.best * 1e3:>12,.2f}{spread} ms {rate(leg.gcups):>10} GCUPS"
    return f"  {leg.id:<15} {leg.device:<4}{leg.answer:>14,}{figures}  {bar}"
