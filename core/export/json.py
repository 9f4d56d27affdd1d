"""Results and times as JSON."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

from wavediff.core.base.notices import Notice
from wavediff.core.export import given, hunks, words
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.hits import SearchAnswer
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.jobs.features.effects import Effects
from wavediff.core.jobs.verification import Proof, Verification
from wavediff.core.methods.base import LINE, WORD
from wavediff.core.methods.statistics import DEFINITIONS, gcups, measures
from wavediff.core.sequences.characters import utf8_pieces
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.system.version import VERSION, schema


def comparison(comparison: Comparison) -> list[bytes]:
    return [text("comparison", compared(comparison))]


class HasTimings(Protocol):
    """Answer with times per kernel."""

    @property
    def timings(self) -> tuple[KernelTiming, ...]: ...


@dataclass(frozen=True, slots=True)
class Timings:
    """Time of each kernel."""

    timings: tuple[KernelTiming, ...]


def timings(answer: HasTimings) -> list[bytes]:
    return [text("timings", {"timings": timing(answer.timings), "versions": versions()})]


def compared(comparison: Comparison) -> dict[str, Any]:
    """Return the JSON of a comparison; times in seconds, coordinates 0-based.

    ``identity`` has a key per definition; without an alignment, the definitions that need an alignment are missing.
    """
    a, b, method, result = comparison.a, comparison.b, comparison.method, comparison.result
    figures = {measure.key: measure.value for measure in measures(method, result, len(a), len(b))}
    return {
        "method": method.id,
        "options": dict(comparison.options),
        "identical": method.same(result, len(a), len(b)),
        "value": method.value(result),
        "exact": getattr(result, "exact", True),
        **method.fields(result),
        **({"hunk_list": hunks.listed(comparison)} if method.unit == LINE else {}),
        **({"change_list": words.listed(comparison)} if method.unit == WORD else {}),
        "length_a": len(a),
        "length_b": len(b),
        "identity": {key: figures[key] for key in DEFINITIONS if figures[key] is not None},
        "statistics": {key: value for key, value in figures.items() if key not in DEFINITIONS},
        "columns": figures["columns"],
        "fold_case": comparison.fold_case,
        "ambiguity": {
            "rule": str(result.ambiguity),
            "columns_apart": result.apart.n,
            "edits_apart": None if result.alignment is None else result.apart.edits,
        },
        "strategy": result.strategy,
        "reason": result.reason,
        "device": result.device,
        "threads": comparison.threads,
        "matrix_cells": result.n_cells,
        "cells_computed": result.cells,
        "kernel_seconds": result.kernel_seconds,
        "wall_seconds": result.wall_seconds,
        "compile_seconds": sum(one.compile_seconds for one in comparison.timings),
        "gcups": gcups(result.n_cells, result.wall_seconds),
        "a": about(a),
        "b": about(b.original),
        "orientation": orientation(b),
        "notices": [
            {"kind": notice.kind, "text": notice.text, "numbers": dict(notice.numbers)} for notice in comparison.notices
        ],
        "effects": _effects(comparison.effects),
        "verified": result.verified,
        "verification": checked(result.verification),
        "proof": checked(result.proof),
        "ties": None if result.ties is None else result.ties._asdict(),
        "given": given.fields(comparison),
        "versions": versions(),
    }


def _effects(effects: Effects | None) -> dict[str, Any] | None:
    if effects is None:
        return None
    changes = [{"kind": str(one.kind), "text": one.text} for one in effects.changes]
    counts = {str(kind): n for kind, n in effects.counts.items()}
    return {"features_of": effects.side, "counts": counts, "changes": changes}


def checked(check: Verification | Proof | None) -> dict[str, Any] | None:
    """Return the JSON of a verification: its fields, and ``text`` as a clause; None without a verification."""
    return None if check is None else {**check._asdict(), "text": check.text}


def orientation(b: Sequence) -> dict[str, Any]:
    """Return strand and rotation of ``b``; ``origin``: position in its file (0-based) of the first compared letter."""
    how = b.orientation
    origin = b.place(0) if len(b) else 0
    return {"strand": str(how.strand), "origin": origin, "topology": "circular" if how.circular else "linear"}


def search(answer: SearchAnswer) -> list[bytes]:
    """Return the JSON statistics of a search and the hits per pattern; hits themselves are in TSV or BED."""
    job, result = answer.job, answer.result
    counts = zip(job.patterns, result.counts.tolist(), strict=True)
    value = {
        "method": "search",
        "hits": len(result.hits),
        "complete": result.complete,
        "limit": result.limit,
        "alphabet": str(job.rule),
        "fold_case": job.fold_case,
        "both_strands": job.both_strands,
        "errors": job.errors,
        "edits": job.edits,
        "n_letters": result.n_letters,
        "n_patterns_searched": result.n_searched,
        "strategy": result.strategy,
        "reason": result.reason,
        "device": result.device,
        "kernel_seconds": result.kernel_seconds,
        "wall_seconds": result.wall_seconds,
        "patterns": [{"name": one.name, "length": one.n_letters, "hits": n} for one, n in counts],
        "timings": timing(answer.timings),
        "versions": versions(),
    }
    return [text("search", value)]


def timing(timings: Iterable[KernelTiming]) -> list[dict[str, Any]]:
    """Return one object per kernel: name, device, calls, seconds."""
    lines = [{**one._asdict(), "gcups": one.gcups} for one in timings]
    for line in lines:
        del line["job_id"]
    return lines


def text(kind: str, value: Mapping[str, Any]) -> bytes:
    """Serialize a document in ASCII with a final newline; undecodable characters are escaped."""
    return (json.dumps({**schema(kind), **value}, indent=2, allow_nan=False) + "\n").encode("ascii")


def versions(names: Iterable[str] = ("numpy", "numba", "llvmlite")) -> dict[str, str]:
    """Return the versions of the program, Python and relevant packages without importing them."""
    versions = {"wavediff": VERSION, "python": platform.python_version()}
    for name in names:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "missing"
    return versions


def digest(sequence: Sequence) -> str:
    """Return the SHA-256 of the letters; of a text in UTF-8."""
    digest = hashlib.sha256(b"" if sequence.characters else sequence.letters.data)
    for piece in utf8_pieces(sequence.letters, sequence.characters) if sequence.characters else ():
        digest.update(piece)
    return digest.hexdigest()


def noticed(notices: Iterable[Notice]) -> list[dict[str, str]]:
    return [{"kind": str(notice.kind), "text": notice.text} for notice in notices]


def about(sequence: Sequence) -> dict[str, Any]:
    return {
        "name": sequence.name,
        "source": sequence.source,
        "record": sequence.record,
        "length": len(sequence),
        "alphabet": str(sequence.alphabet),
        "sha256": digest(sequence),
        "notices": noticed(sequence.notices),
    }
