"""A race of kernels as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from wavediff.core.export.json import about, text, timing, versions
from wavediff.core.methods.race_result import RaceEntryResult, RaceResult, Stage
from wavediff.core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True, eq=False)
class RaceAnswer:
    """A race and its pair.

    Attributes:
        disturbed: whether another job ran during the race. path: whether the kernels also computed the alignment.
    """

    a: Sequence
    b: Sequence
    fold_case: bool
    result: RaceResult
    threads: int
    disturbed: bool = False
    path: bool = True


COLUMNS = ("kernel", "device", "answer", "seconds", "slowest_seconds", "gcups", "cells_computed", "compile_seconds")


def tsv(legs: Iterable[RaceEntryResult]) -> str:
    """Return a header and one line per kernel; seconds of the fastest round, except ``slowest_seconds``."""
    stages = tuple(stage.replace(" ", "_") for stage in Stage)
    lines = ["\t".join((*COLUMNS, *stages, "strategy", "failure"))]
    lines += ["\t".join(_cells(leg)) for leg in legs]
    return "\n".join(lines) + "\n"


def _cells(leg: RaceEntryResult) -> Iterable[str]:
    ran = leg.answer is not None
    numbers = (leg.best, max(leg.seconds, default=0.0), leg.gcups)
    yield from (leg.id, leg.device, str(leg.answer) if ran else "")
    yield from (f"{number:.9g}" if ran else "" for number in numbers)
    yield from (str(leg.cells) if ran else "", f"{leg.compile_seconds:.9g}")
    yield from (f"{stage:.9g}" if ran else "" for stage in leg.stages().values())
    yield from (leg.strategy, " ".join(leg.failure.split()))


def table(answer: RaceAnswer) -> list[bytes]:
    return [tsv(answer.result.legs).encode()]


def document(answer: RaceAnswer) -> list[bytes]:
    """Return the race as JSON; times in seconds."""
    result = answer.result
    value = {
        "method": result.method,
        "agree": result.agree,
        "summary": result.verdict(),
        "rounds": result.rounds,
        "sequential": True,
        "other_load": answer.disturbed,
        "length_a": result.n,
        "length_b": result.m,
        "fold_case": answer.fold_case,
        "threads": answer.threads,
        "kernels": [_leg(leg) for leg in result.legs],
        "a": about(answer.a),
        "b": about(answer.b),
        "versions": versions(("numpy", "numba", "llvmlite", "cupy-cuda13x", "cupy-cuda12x")),
    }
    return [text("race", value)]


def _leg(leg: RaceEntryResult) -> dict[str, Any]:
    return {
        "kernel": leg.id,
        "name": leg.name,
        "device": leg.device or None,
        "answer": leg.answer,
        "same_alignment_as_first": leg.same_alignment,
        "failure": leg.failure or None,
        "strategy": leg.strategy,
        "reason": leg.reason,
        "seconds": list(leg.seconds),
        "best_seconds": leg.best if leg.seconds else None,
        "gcups": leg.gcups,
        "matrix_cells": leg.n_cells,
        "cells_computed": leg.cells,
        "compile_seconds": leg.compile_seconds,
        "stages": {str(stage): seconds for stage, seconds in leg.stages().items()},
        "timings": timing(leg.timings),
    }
