"""Results and timings as JSON."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

from core.export.comparison import Comparison
from core.export.hits import FoundHits
from core.jobs.events import KernelTiming
from core.jobs.search import SearchJob
from core.results.edit import EditResult
from core.results.identity import DEFINITIONS
from core.results.lcs import LcsResult
from core.results.search import SearchResult
from core.results.statistics import PairResult, measures
from core.results.swap_edit import SwapEditResult
from core.sequences.sequence import Sequence
from core.version import VERSION


def comparison(found: Comparison) -> list[bytes]:
    """Return the whole document of a comparison."""
    document = _DOCUMENTS[found.method](
        found.a, found.b, found.result, fold_case=found.fold_case, threads=found.threads, timings=found.timings
    )
    return [text(document)]


class HasTimings(Protocol):
    """An answer that says how long each kernel took."""

    @property
    def timings(self) -> tuple[KernelTiming, ...]: ...


@dataclass(frozen=True, slots=True)
class Timings:
    """Time of each kernel, whatever they computed."""

    timings: tuple[KernelTiming, ...]


def timings(answer: HasTimings) -> list[bytes]:
    """Return the time of each kernel as a list of objects."""
    return [text(timing(answer.timings))]


def lcs(
    a: Sequence, b: Sequence, result: LcsResult, *, fold_case: bool, threads: int, timings: Iterable[KernelTiming]
) -> dict[str, Any]:
    """Return everything a script may want of an LCS; times in seconds, coordinates 0-based.

    ``identity`` names each definition; those that need an alignment are missing where only the length was asked for.
    """
    answer = {"method": "lcs", "same": len(a) == len(b) == result.length, "lcs": result.length}
    return _document(answer, a, b, result, fold_case, threads, list(timings))


def edit(
    a: Sequence, b: Sequence, result: EditResult, *, fold_case: bool, threads: int, timings: Iterable[KernelTiming]
) -> dict[str, Any]:
    """Return everything a script may want of an edit distance; times in seconds, diagonals ``column - row``.

    ``distance`` is an upper bound where ``exact`` is false. ``skips`` is the ledger of cells not computed, ``bands``
    each band that was tried.
    """
    answer = {
        "method": "edit",
        "same": result.distance == 0,
        "distance": result.distance,
        "exact": result.exact,
        "bands": [{**asdict(one), "proven": one.proven} for one in result.bands],
        "skips": [{**asdict(one), "reason": str(one.reason)} for one in result.skips],
    }
    return _document(answer, a, b, result, fold_case, threads, list(timings))


def swap_edit(
    a: Sequence, b: Sequence, result: SwapEditResult, *, fold_case: bool, threads: int, timings: Iterable[KernelTiming]
) -> dict[str, Any]:
    """Return everything a script may want of an edit distance with swaps; times in seconds.

    ``distance`` is that of the job: with swaps unless they were left out. ``swapped`` lists the first and the last
    letter of each swap, 0-based, in A and in B; null where only the distance was asked for.
    """
    swaps = result.swaps
    answer = {
        "method": "swap",
        "same": result.distance == 0,
        "distance": result.distance,
        "distance_with_swaps": result.distance_with_swaps,
        "distance_without_swaps": result.distance_without_swaps,
        "swapped": None if swaps is None else [{"a": list(one[:2]), "b": list(one[2:])} for one in swaps.rows()],
    }
    return _document(answer, a, b, result, fold_case, threads, list(timings))


@dataclass(frozen=True, slots=True)
class SearchAnswer(FoundHits):
    """A search of one job, with its figures."""

    job: SearchJob
    result: SearchResult
    timings: tuple[KernelTiming, ...]


def search(answer: SearchAnswer) -> list[bytes]:
    """Return the figures of a search, and how often each pattern was found; the hits themselves go to TSV or BED."""
    job, result = answer.job, answer.result
    counts = zip(job.patterns, result.counts.tolist(), strict=True)
    value = {
        "method": "search",
        "hits": len(result.hits),
        "complete": result.complete,
        "limit": result.limit,
        "letters": str(job.rule),
        "fold_case": job.fold_case,
        "both_strands": job.both_strands,
        "errors": job.errors,
        "edits": job.edits,
        "n_letters": result.n_letters,
        "n_searched": result.n_searched,
        "strategy": result.strategy,
        "reason": result.reason,
        "device": result.device,
        "kernel_seconds": result.kernel_seconds,
        "wall_seconds": result.wall_seconds,
        "patterns": [{"name": one.name, "length": len(one.letters), "hits": n} for one, n in counts],
        "timings": timing(answer.timings),
    }
    return [text(value)]


def _document(
    answer: dict[str, Any],
    a: Sequence,
    b: Sequence,
    result: PairResult,
    fold_case: bool,
    threads: int,
    timings: list[KernelTiming],
) -> dict[str, Any]:
    figures = {one.key: one.value for one in measures(result, len(a), len(b))}
    return {
        **answer,
        "length_a": len(a),
        "length_b": len(b),
        "identity": {key: figures[key] for key in DEFINITIONS if figures[key] is not None},
        "statistics": {key: value for key, value in figures.items() if key not in DEFINITIONS},
        "columns": figures["columns"],
        "fold_case": fold_case,
        "strategy": result.strategy,
        "reason": result.reason,
        "device": result.device,
        "threads": threads,
        "cells": result.n_cells,
        "cells_computed": result.cells,
        "kernel_seconds": result.kernel_seconds,
        "wall_seconds": result.wall_seconds,
        "compile_seconds": sum(one.compile_seconds for one in timings),
        "gcups": result.n_cells / result.wall_seconds / 1e9 if result.wall_seconds > 0 else 0.0,
        "a": about(a),
        "b": about(b),
        "versions": versions(),
    }


# By id of a method.
_DOCUMENTS: dict[str, Callable[..., dict[str, Any]]] = {"lcs": lcs, "edit": edit, "swap": swap_edit}


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


def about(sequence: Sequence) -> dict[str, Any]:
    """Return what there is to say of a sequence."""
    return {
        "name": sequence.name,
        "source": sequence.source,
        "record": sequence.record,
        "length": len(sequence),
        "alphabet": str(sequence.alphabet),
        "sha256": hashlib.sha256(sequence.letters.data).hexdigest(),
        "notices": list(sequence.notices),
    }
