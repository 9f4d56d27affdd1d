"""The run of a comparison as a record file and as trace events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.errors import ExportError
from wavediff.core.export.comparison import NOT_RECORDED, Comparison
from wavediff.core.export.json import digest, versions
from wavediff.core.jobs.events import Planned, Recorded
from wavediff.core.record import run_file
from wavediff.core.record.playback import Playback
from wavediff.core.record.run_file import StoredRun, StoredSequence
from wavediff.core.system.cpu_levels import processor_name
from wavediff.core.system.machine import cores
from wavediff.core.system.version import schema

MAX_EVENTS = 200_000  # of blocks; viewers become slow beyond; adjacent blocks of a lane are merged
EVENTS_A_PIECE = 2000


def record(comparison: Comparison) -> Iterator[bytes]:
    return run_file.document(_stored(comparison))


def _stored(comparison: Comparison) -> StoredRun:
    if comparison.recorded is None:
        raise ExportError(NOT_RECORDED)
    return run_of(comparison, comparison.recorded, comparison.threads, digests=True)


def run_of(comparison: Any, recorded: Recorded, threads: int, *, digests: bool = False) -> StoredRun:
    """Return the run record, ready to be stored, of a comparison computed by this process.

    Args:
        comparison: with ``a``, ``b``, ``method``, ``options``, ``fold_case`` and ``result``.
        digests: whether to add SHA-256 digests of the letters, which is slow for long sequences.
    """
    sides = {side: getattr(comparison, side) for side in ("a", "b")}
    began = datetime.now(UTC) - timedelta(seconds=perf_counter() - recorded.start)
    return StoredRun(
        versions=versions(),
        method=comparison.method.id,
        options=dict(comparison.options),
        fold_case=comparison.fold_case,
        threads=threads,
        **{side: StoredSequence(one.name, len(one), digest(one) if digests else "") for side, one in sides.items()},
        value=comparison.method.value(comparison.result),
        when=began.isoformat(timespec="seconds"),
        machine=f"{processor_name()}, {cores()} cores",
        recorded=recorded,
    )


def trace(comparison: Comparison) -> Iterator[bytes]:
    """Yield the run as trace events for Perfetto or ``chrome://tracing``, by lane.

    Source: Google's Trace Event Format (2016), complete events and metadata. Times are in microseconds.
    """
    run = _stored(comparison)
    recorded = run.recorded
    lanes = dict.fromkeys(span.lane for span in recorded.spans)
    lanes |= dict.fromkeys(
        lane for attempt in recorded.attempts if attempt.record is not None for lane in attempt.record.names
    )
    numbers = {lane: k for k, lane in enumerate(lanes)}
    sides = {"a": run.a.name, "length_a": run.a.length, "b": run.b.name, "length_b": run.b.length}
    about = {**schema("trace"), "method": run.method, **sides, **run.options, **run.versions}
    yield b'{"displayTimeUnit": "ms", "otherData": ' + json.dumps(about).encode("ascii") + b', "traceEvents": ['
    events = _events(recorded, numbers, f"{run.method}: {run.a.name} × {run.b.name}")
    first = True
    while piece := list(islice(events, EVENTS_A_PIECE)):
        yield (b"" if first else b",") + b"\n" + ",\n".join(json.dumps(event) for event in piece).encode("ascii")
        first = False
    yield b"\n]}\n"


def _events(recorded: Recorded, numbers: dict[str, int], title: str) -> Iterator[dict[str, Any]]:
    yield {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": title}}
    for lane, number in numbers.items():
        yield {"ph": "M", "pid": 1, "tid": number, "name": "thread_name", "args": {"name": lane}}
        yield {"ph": "M", "pid": 1, "tid": number, "name": "thread_sort_index", "args": {"sort_index": number}}
    for span in recorded.spans:
        known: dict[str, Any] = {key: n for key, n in (("calls", span.calls), ("cells", span.cells)) if n}
        if span.box is not None:
            known["box"] = span.box._asdict()
        yield _complete(numbers[span.lane], span.name, "stage", span.began, span.seconds, known)
    played = [(plan, Playback(plan.record)) for plan in recorded.attempts if plan.record is not None]
    at_once = max(1, -(-sum(one.n_timed for _, one in played) // MAX_EVENTS))
    for plan, playback in played:
        yield from _blocks(plan, playback, playback.record.start - recorded.start, numbers, at_once)


def _blocks(
    plan: Planned, playback: Playback, start: float, numbers: dict[str, int], at_once: int
) -> Iterator[dict[str, Any]]:
    """Yield the blocks of an attempt, merging ``at_once`` neighbours of a lane.

    Complete events of a lane may not overlap. If several threads computed a place, its event starts at the end of the
    preceding place of the thread that finished it.
    """
    record, columns = playback.record, playback.record.ended.shape[1]
    also = {"interpolated": True} if record.interpolated else {}
    for name, places in zip(record.names, playback.places_of_lanes(record.ended), strict=True):
        began, ended = (times.ravel()[places] * record.seconds_per_tick for times in (record.began, record.ended))
        began[1:] = np.maximum(began[1:], ended[:-1])
        if record.interpolated:  # of those that were timed together one stands for all
            alone = ended > began
            places, began, ended = places[alone], began[alone], ended[alone]
        for first in range(0, places.size, at_once):
            part = slice(first, min(first + at_once, places.size))
            row, column = divmod(int(places[first]), columns)
            known: dict[str, Any] = {"row": row + 1, "column": column + 1}
            text = f"row {row + 1}, column {column + 1}"
            if (n := part.stop - first) > 1:
                text, known["blocks"] = f"{text} on", n
                known["busy"] = float(np.add.reduce(ended[part] - began[part]))
            seconds = float(ended[part.stop - 1] - began[first])
            yield _complete(numbers[name], text, plan.strategy, start + float(began[first]), seconds, known | also)


def _complete(lane: int, name: str, kind: str, began: float, seconds: float, known: dict[str, Any]) -> dict[str, Any]:
    times = {"ts": round(began * 1e6, 3), "dur": round(seconds * 1e6, 3)}
    return {"ph": "X", "pid": 1, "tid": lane, "name": name, "cat": kind, **times, "args": known}
