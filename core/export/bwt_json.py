"""Transforms and what was found in them as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from core.events import KernelTiming
from core.export.json import about, versions
from core.results.bwt import BwtResult, InverseBwtResult
from core.results.bwt_index import BwtIndex, FindResult
from core.sequence import Sequence


def bwt(
    sequences: list[Sequence],
    result: BwtResult,
    *,
    fold_case: bool,
    separator: int | None,
    timings: Iterable[KernelTiming],
) -> dict[str, Any]:
    """Return everything a script may want of a transform; ``runs`` are those of the n stored letters."""
    return {
        "method": "bwt",
        "length": result.length,
        "primary": result.primary,
        "runs": result.n_runs,
        "letters_a_run": result.letters_a_run,
        "rule": "rotations of T$ sorted, $ smaller than every byte and not stored",
        "last_sha256": hashlib.sha256(result.last.data).hexdigest(),
        "separator": separator,
        "fold_case": fold_case,
        "way": result.way,
        "reason": result.reason,
        "device": result.device,
        "kernel_seconds": result.kernel_seconds,
        "check_seconds": result.check_seconds,
        "wall_seconds": result.wall_seconds,
        "compile_seconds": sum(one.compile_seconds for one in timings),
        "sequences": [about(one) for one in sequences],
        "versions": versions(),
    }


def inverse_bwt(source: str, primary: int, result: InverseBwtResult) -> dict[str, Any]:
    """Return what there is to say of an inverse."""
    return {
        "method": "inverse bwt",
        "source": source,
        "length": int(result.text.size),
        "primary": primary,
        "sha256": hashlib.sha256(result.text.data).hexdigest(),
        "device": result.device,
        "kernel_seconds": result.kernel_seconds,
        "wall_seconds": result.wall_seconds,
        "versions": versions(),
    }


def found(index: BwtIndex, patterns: tuple[bytes, ...], result: FindResult, *, located: bool) -> dict[str, Any]:
    """Return counts, rows and positions (0-based) of each pattern; bytes above 127 are escaped as Python does."""
    entries = []
    for number, pattern in enumerate(patterns):
        entry: dict[str, Any] = {
            "pattern": pattern.decode("utf-8", "surrogateescape"),
            "count": int(result.counts[number]),
            "rows": [int(result.lows[number]), int(result.highs[number])],
        }
        if located:
            entry["positions"] = result.positions_of(number).tolist()
        entries.append(entry)
    return {
        "method": "find",
        "name": index.name,
        "length": index.length,
        "fold_case": index.fold_case,
        "patterns": entries,
        "index_seconds": index.wall_seconds,
        "find_seconds": result.wall_seconds,
        "versions": versions(),
    }
