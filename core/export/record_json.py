"""The record of a run as JSON: what was compared, how, and when each place of the block map was computed."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import ExportError
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.json import about, versions
from wavediff.core.jobs.events import Planned, Recorded
from wavediff.core.jobs.run_record import RunRecord, Span
from wavediff.core.jobs.stored_run import FORMAT, VERSION, lane_kind
from wavediff.core.system.cpu_levels import processor_name
from wavediff.core.system.machine import cores

COMPRESSION = 6  # of zlib: 9 makes the largest record 2 % smaller and takes four times as long


def recorded_run(found: Comparison) -> Recorded:
    """Return the times of a comparison.

    Raises:
        ExportError: there are none.
    """
    if found.recorded is None:
        raise ExportError("when each thing was computed is not known of this comparison; run it again")
    return found.recorded


def document(found: Comparison) -> Iterator[bytes]:
    """Yield the document; times in seconds since the run began, arrays of places as zlib in base64, little endian."""
    recorded = recorded_run(found)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "versions": versions(),
        "method": found.method.id,
        "options": dict(found.options),
        "fold_case": found.fold_case,
        "threads": found.threads,
        "a": _sequence(about(found.a)),
        "b": _sequence(about(found.b)),
        "value": found.method.value(found.result),
        "when": _began(recorded).isoformat(timespec="seconds"),
        "machine": f"{processor_name()}, {cores()} cores",
        "device": recorded.device,
        "seconds": round(recorded.seconds, 9),
        "spans": [_span(span) for span in recorded.spans],
    }
    yield json.dumps(head, allow_nan=False)[:-1].encode("ascii") + b', "attempts": ['
    for k, attempt in enumerate(recorded.attempts):
        yield b", " * bool(k)
        yield json.dumps(_attempt(attempt, recorded.start), allow_nan=False).encode("ascii")
    yield b"]}\n"


def _began(recorded: Recorded) -> datetime:
    """Return when the run began, by the clock of now: it was run by this process."""
    return datetime.now(UTC) - timedelta(seconds=perf_counter() - recorded.start)


def _sequence(known: dict[str, Any]) -> dict[str, Any]:
    return {key: known[key] for key in ("name", "length", "sha256")}


def _span(span: Span) -> dict[str, Any]:
    """Return a span without what it does not have, as there may be thousands."""
    times = {"began": round(span.began, 9), "ended": round(span.ended, 9)}
    fields: dict[str, Any] = {"name": span.name, "lane": span.lane, **times}
    fields |= {key: value for key, value in (("calls", span.calls), ("cells", span.cells)) if value}
    return fields | ({} if span.box is None else {"box": list(span.box)})


def _attempt(plan: Planned, start: float) -> dict[str, Any]:
    grid = plan.grid
    return {
        "strategy": plan.strategy,
        "reason": plan.reason,
        "cells": plan.cells,
        "low": plan.low,
        "high": plan.high,
        "threshold": plan.threshold,
        "grid": [grid.n_rows, grid.n_cols, grid.block_rows, grid.block_cols, grid.row0, grid.col0],
        "shape": list(plan.block_map.shape),
        "states": _packed(plan.block_map, "u1"),
        "record": None if plan.record is None else _record(plan.record, start),
    }


def _record(record: RunRecord, start: float) -> dict[str, Any]:
    return {
        "start": max(0.0, record.start - start),
        "seconds_per_tick": record.seconds_per_tick,
        "interpolated": record.interpolated,
        "lanes": list(record.names),
        "began": _packed(record.began, "<u4"),
        "ended": _packed(record.ended, "<u4"),
        "by": _packed(record.by, lane_kind(len(record.names))),
    }


def _packed(array: npt.NDArray[Any], kind: str) -> str:
    return b64encode(zlib.compress(np.ascontiguousarray(array, kind).data, COMPRESSION)).decode("ascii")
