"""Results and timings as JSON."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from core.events import KernelTiming
from core.results.identity import identities, of_lengths
from core.results.lcs import LcsResult
from core.sequence import Sequence
from core.version import VERSION


def lcs(
    a: Sequence, b: Sequence, result: LcsResult, *, fold_case: bool, threads: int, timings: Iterable[KernelTiming]
) -> dict[str, Any]:
    """Return everything a script may want of an LCS; times in seconds, coordinates 0-based.

    ``identity`` names each definition; those that need an alignment are missing where only the length was asked for.
    """
    timings = list(timings)
    if result.alignment is not None:
        identity = identities(result.alignment)
    else:
        identity = {"two_matches_over_lengths": of_lengths(result.length, len(a), len(b))}
    return {
        "method": "lcs",
        "same": len(a) == len(b) == result.length,
        "length_a": len(a),
        "length_b": len(b),
        "lcs": result.length,
        "identity": identity,
        "columns": None if result.alignment is None else result.alignment.n_columns,
        "fold_case": fold_case,
        "way": result.way,
        "reason": result.reason,
        "device": result.device,
        "threads": threads,
        "cells": result.n_cells,
        "cells_computed": result.cells,
        "kernel_seconds": result.kernel_seconds,
        "wall_seconds": result.wall_seconds,
        "compile_seconds": sum(one.compile_seconds for one in timings),
        "gcups": result.n_cells / result.wall_seconds / 1e9 if result.wall_seconds > 0 else 0.0,
        "a": _sequence(a),
        "b": _sequence(b),
        "versions": versions(),
    }


def timing(timings: Iterable[KernelTiming]) -> list[dict[str, Any]]:
    """Return one object a kernel: what it did, on which device, how often, how long."""
    lines = [{**asdict(one), "gcups": one.gcups} for one in timings]
    for line in lines:
        del line["job_id"]
    return lines


def text(value: Mapping[str, Any] | list[dict[str, Any]]) -> bytes:
    """Return ``value`` as JSON in UTF-8 with a final end of line; undecodable characters are escaped."""
    return (json.dumps(value, indent=2, allow_nan=False) + "\n").encode("ascii")


def versions(names: Iterable[str] = ("numpy", "numba", "llvmlite")) -> dict[str, str]:
    """Return the versions of the program, Python and the packages that matter, importing none of them."""
    found = {"wavediff": VERSION, "python": platform.python_version()}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    return found


def _sequence(sequence: Sequence) -> dict[str, Any]:
    return {
        "name": sequence.name,
        "source": sequence.source,
        "record": sequence.record,
        "length": len(sequence),
        "alphabet": str(sequence.alphabet),
        "sha256": hashlib.sha256(sequence.letters.data).hexdigest(),
        "notices": list(sequence.notices),
    }
