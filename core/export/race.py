"""A race of kernels as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.export.json import about, timing, versions
from core.results.race import LegResult, RaceResult, Stage
from core.sequence import Sequence

COLUMNS = ("kernel", "device", "answer", "seconds", "slowest", "gcups", "cells_computed", "compile_seconds")


def tsv(result: RaceResult) -> str:
    """Return a header and a line a kernel; times in seconds, of the fastest round but for ``slowest``."""
    stages = tuple(stage.replace(" ", "_") for stage in Stage)
    lines = ["\t".join((*COLUMNS, *stages, "way", "failure"))]
    lines += ["\t".join(_cells(leg)) for leg in result.legs]
    return "\n".join(lines) + "\n"


def _cells(leg: LegResult) -> Iterable[str]:
    ran = leg.answer is not None
    numbers = (leg.best, max(leg.seconds, default=0.0), leg.gcups)
    yield from (leg.id, leg.device, str(leg.answer) if ran else "")
    yield from (f"{one:.9g}" if ran else "" for one in numbers)
    yield from (str(leg.cells) if ran else "", f"{leg.compile_seconds:.9g}")
    yield from (f"{one:.9g}" if ran else "" for one in leg.stages().values())
    yield from (leg.way, " ".join(leg.failure.split()))


def document(
    a: Sequence, b: Sequence, result: RaceResult, *, fold_case: bool, threads: int, disturbed: bool = False
) -> dict[str, Any]:
    """Return everything a script may want; times in seconds.

    Args:
        disturbed: whether something else was computed meanwhile.
    """
    return {
        "method": result.method,
        "agree": result.agree,
        "verdict": result.verdict(),
        "rounds": result.rounds,
        "one_after_the_other": True,
        "disturbed": disturbed,
        "length_a": result.n,
        "length_b": result.m,
        "fold_case": fold_case,
        "threads": threads,
        "kernels": [_leg(leg) for leg in result.legs],
        "a": about(a),
        "b": about(b),
        "versions": versions(("numpy", "numba", "llvmlite", "cupy-cuda13x", "cupy-cuda12x")),
    }


def _leg(leg: LegResult) -> dict[str, Any]:
    return {
        "kernel": leg.id,
        "name": leg.name,
        "device": leg.device or None,
        "answer": leg.answer,
        "same_alignment_as_first": leg.same_path,
        "failure": leg.failure or None,
        "way": leg.way,
        "reason": leg.reason,
        "seconds": list(leg.seconds),
        "best_seconds": leg.best if leg.seconds else None,
        "gcups": leg.gcups,
        "cells": leg.n_cells,
        "cells_computed": leg.cells,
        "compile_seconds": leg.compile_seconds,
        "stages": {str(stage): seconds for stage, seconds in leg.stages().items()},
        "timings": timing(leg.timings),
    }
