"""The run of a comparison as files: its record, and its trace events."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any

from wavediff.core.base.errors import ExportError
from wavediff.core.export.comparison import NOT_RECORDED, Comparison
from wavediff.core.export.json import digest, versions
from wavediff.core.jobs.events import Recorded
from wavediff.core.record import run_file, trace_events
from wavediff.core.record.run_file import StoredRun, StoredSequence
from wavediff.core.system.cpu_levels import processor_name
from wavediff.core.system.machine import cores


def record(found: Comparison) -> Iterator[bytes]:
    return run_file.document(_stored(found))


def trace(found: Comparison) -> Iterator[bytes]:
    return trace_events.document(_stored(found))


def _stored(found: Comparison) -> StoredRun:
    if found.recorded is None:
        raise ExportError(NOT_RECORDED)
    return run_of(found, found.recorded, found.threads, digests=True)


def run_of(found: Any, recorded: Recorded, threads: int, *, digests: bool = False) -> StoredRun:
    """Return the run of a comparison of this process as a file has it.

    Args:
        found: with ``a``, ``b``, ``method``, ``options``, ``fold_case`` and ``result``.
        digests: whether those of the letters are wanted, which takes long for long sequences.
    """
    sides = {side: getattr(found, side) for side in ("a", "b")}
    began = datetime.now(UTC) - timedelta(seconds=perf_counter() - recorded.start)
    return StoredRun(
        versions=versions(),
        method=found.method.id,
        options=dict(found.options),
        fold_case=found.fold_case,
        threads=threads,
        **{side: StoredSequence(one.name, len(one), digest(one) if digests else "") for side, one in sides.items()},
        value=found.method.value(found.result),
        when=began.isoformat(timespec="seconds"),
        machine=f"{processor_name()}, {cores()} cores",
        recorded=recorded,
    )
