"""Run record as JSON: compared sequences, options, and the time of each block.

Times are in seconds since the start of the run; arrays of places are zlib in base64, little endian. The reader
validates every field before it uses any.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import InputError, NotEnoughMemory
from wavediff.core.jobs.axes import Axes
from wavediff.core.jobs.events import Planned, Recorded
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import Box, RunRecord, Span
from wavediff.core.reading.files import begins_with, read_small, size_text
from wavediff.core.system.machine import available_memory
from wavediff.core.system.version import SCHEMA_VERSION, schema

MAX_STORED_PLACES = 1 << 22  # of a block map: more than any that is written, and what a reader grants a file
MAX_STORED_PLACES_IN_ALL = 1 << 24  # of all attempts of a record
COMPRESSION = 6  # of zlib: 9 makes the largest record 2 % smaller and takes four times as long
MAX_FILE_BYTES = 1 << 28  # of a file; the largest record of one attempt has 13 MB
BYTES_PER_PLACE = 11  # a state, two times, the number of a lane
_SCHEMA = schema("record")
_BEGINS = json.dumps({"schema": _SCHEMA["schema"]})[:-1].encode("ascii")
_MAX_VALUES = 1 << 21  # of the JSON: Python takes up to 100 bytes for each
_RIGHT = "one is written by 'compare --record'"
_HEAD = ("versions", "method", "options", "fold_case", "threads", "a", "b", "value", "when", "machine")


class StoredSequence(NamedTuple):
    """One of the sequences, without letters.

    Attributes:
        sha256: hexadecimal, of the letters as compared; for a text, of its UTF-8. Empty for a run of this process,
            whose letters are in memory.
    """

    name: str
    length: int
    sha256: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StoredRun:
    """A recorded comparison, from any machine.

    Attributes:
        versions: versions of the program (``wavediff``) and its libraries.
        method: id of a ``wavediff.core.methods.base.Method``; may be unknown to this program.
        options: as typed on the command line, by their ids.
        value: the answer: a length, distance or score.
        when: start of the run, in ISO 8601 with the offset from UTC.
        machine: name of the processor and number of its cores.
        recorded: times of the run; a run from a file starts at 0.
    """

    versions: Mapping[str, str]
    method: str
    options: Mapping[str, str]
    fold_case: bool
    threads: int
    a: StoredSequence
    b: StoredSequence
    value: float
    when: str
    machine: str
    recorded: Recorded


def document(run: StoredRun) -> Iterator[bytes]:
    recorded = run.recorded
    head = {**_SCHEMA, **{name: getattr(run, name) for name in _HEAD}}
    head |= {"a": run.a._asdict(), "b": run.b._asdict(), "options": dict(run.options)}
    head |= {"device": recorded.device, "seconds": round(recorded.seconds, 9)}
    head["spans"] = [_span_fields(span) for span in recorded.spans]
    yield json.dumps(head, allow_nan=False)[:-1].encode("ascii") + b', "attempts": ['
    for k, attempt in enumerate(recorded.attempts):
        yield b", " * bool(k)
        yield json.dumps(_attempt_fields(attempt, recorded.start), allow_nan=False).encode("ascii")
    yield b"]}\n"


def _span_fields(span: Span) -> dict[str, Any]:
    fields = {**span._asdict(), "began": round(span.began, 9), "ended": round(span.ended, 9)}
    return {name: value for name, value in fields.items() if value or name not in ("calls", "cells", "box")}


def _attempt_fields(plan: Planned, start: float) -> dict[str, Any]:
    grid, record, axes = plan.grid, plan.record, plan.axes
    times = None if record is None else {
        "start": max(0.0, record.start - start),
        "seconds_per_tick": record.seconds_per_tick,
        "interpolated": record.interpolated,
        "lanes": list(record.names),
        "began": _packed(record.began, "<u4"),
        "ended": _packed(record.ended, "<u4"),
        "by": _packed(record.by, _lane_kind(len(record.names))),
    }  # fmt: skip
    return {
        **{name: getattr(plan, name) for name in ("strategy", "reason", "cells", "low", "high", "threshold")},
        "grid": [grid.n_rows, grid.n_cols, grid.block_rows, grid.block_cols, grid.row0, grid.col0],
        "shape": list(plan.block_map.shape),
        "states": _packed(plan.block_map, "u1"),
        **({} if axes is None else {"axes": {name: getattr(axes, name) for name in _AXES}}),
        "record": times,
    }


def _lane_kind(n: int) -> str:
    return "u1" if n <= 1 << 8 else "<u2"


def _packed(array: npt.NDArray[Any], kind: str) -> str:
    return b64encode(zlib.compress(np.ascontiguousarray(array, kind).data, COMPRESSION)).decode("ascii")


def is_record(path: str | os.PathLike[str]) -> bool:
    """Return whether the file is a run record; False if unreadable."""
    return begins_with(path, _BEGINS)


def read_record(path: str | os.PathLike[str]) -> StoredRun:
    """Read a run record.

    Raises:
        InputError: not a run record, or damaged; the text names the field.
        NotEnoughMemory: larger than free memory.
    """
    text = read_small(path, MAX_FILE_BYTES, f"no record of a run is as large: {_RIGHT}")
    return parse_record(text, os.fspath(path))


def parse_record(text: bytes, source: str) -> StoredRun:
    """Parse a run record; see ``read_record``."""
    if sum(map(text.count, (b",", b"[", b"{"))) > _MAX_VALUES:
        raise InputError(source, f"more than {_MAX_VALUES:,} values, and no record of a run has as many", _RIGHT)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        problem = "no JSON" if not text.startswith(_BEGINS) else "damaged: the JSON is not whole"
        raise InputError(source, problem, _RIGHT) from error
    if not isinstance(value, dict) or value.get("schema") != _SCHEMA["schema"]:
        raise InputError(source, "JSON, but not the record of a run", _RIGHT)
    if value.get("schema_version") != SCHEMA_VERSION:
        problem = f"schema_version {value.get('schema_version')!r}"
        raise InputError(source, problem, f"this program reads {SCHEMA_VERSION}")
    try:
        return _run(_fit(value, _RUN, ""))
    except _Unfit as error:
        raise InputError(source, f"damaged: {error}", _RIGHT) from error


class _Unfit(Exception):
    """Invalid field; the message names it and its value."""


Kind = Callable[[Any, str], Any]


def _kind(fits: Callable[[Any], bool], words: str = "") -> Kind:
    """Return a validator; ``words`` describes valid values."""

    def fit(value: Any, place: str) -> Any:
        if not fits(value):
            problem = str(value) if isinstance(value, float) else json.dumps(value)
            raise _Unfit(f"'{place}' is {words or problem[:40]}")
        return value

    return fit


def _from(low: float, high: float, *kinds: type) -> Kind:
    return _kind(lambda value: type(value) in kinds and low <= value <= high)


def _list(fits: Callable[[Any], bool], words: str, n: int | None = None) -> Kind:
    """Return a validator of lists with ``n`` values; None: one or more."""
    return _kind(
        lambda value: isinstance(value, list) and len(value) == (n or max(1, len(value))) and all(map(fits, value)),
        f"no list of {words}",
    )


def _counts(n: int) -> Kind:
    return _list(lambda item: type(item) is int and 0 <= item < 1 << 62, f"{n} numbers from 0 on", n)


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(datetime.fromisoformat(value))
    except ValueError:
        return False


def _texts(value: Any, place: str) -> Any:
    return _fit(value, dict.fromkeys(value if isinstance(value, dict) else (), _TEXT), place)


_TEXT, _FLAG = _kind(lambda value: isinstance(value, str)), _kind(lambda value: isinstance(value, bool))
_OBJECT, _NAMES = _kind(lambda value: isinstance(value, dict)), _list(lambda item: isinstance(item, str), "names")
_COUNT, _INTEGER = _from(0, (1 << 62) - 1, int), _from(1 - (1 << 62), (1 << 62) - 1, int)
_SECONDS = _from(0, 1e12, int, float)  # 30,000 years: a tick of more, times ticks, is no number
_SEQUENCE = {"name": _TEXT, "length": _COUNT, "sha256": _TEXT}
_SPAN: dict[str, Any] = {"name": _TEXT, "lane": _TEXT, "began": _SECONDS, "ended": _SECONDS}
_SPAN |= {"calls?": _COUNT, "cells?": _COUNT, "box?": _counts(4)}
_RECORD: dict[str, Any] = {"start": _SECONDS, "seconds_per_tick": _SECONDS, "interpolated": _FLAG, "lanes": _NAMES}
_RECORD |= dict.fromkeys(("began", "ended", "by"), _TEXT)
_ATTEMPT: dict[str, Any] = {"strategy": _TEXT, "reason": _TEXT, "cells": _COUNT, "low?": _INTEGER, "high?": _INTEGER}
_ATTEMPT |= {"threshold?": _INTEGER, "grid": _counts(6), "shape": _counts(2), "states": _TEXT, "record?": _RECORD}
_AXES: dict[str, Any] = {"unit": _TEXT, "n_rows": _COUNT, "n_columns": _COUNT}
_ATTEMPT |= {"axes?": _AXES}
# Of objects by the names of their fields, one that may be missing with a question mark; of lists that of each object.
_RUN = {
    "versions": {"wavediff": _TEXT}, "method": _TEXT, "options": _texts, "fold_case": _FLAG, "threads": _COUNT,
    "a": _SEQUENCE, "b": _SEQUENCE, "value": _from(-sys.float_info.max, sys.float_info.max, int, float),
    "when": _kind(_is_time, "no time"), "machine": _TEXT, "device": _TEXT, "seconds": _SECONDS,
    "spans": [_SPAN], "attempts": [_ATTEMPT],
}  # fmt: skip


def _fit(value: Any, shape: Any, place: str) -> Any:
    """Validate ``value`` against a schema; ``place``: its location for error messages."""
    if callable(shape):
        return shape(value, place)
    if isinstance(shape, list):
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise _Unfit(f"'{place}' is no list of objects")
        return [_fit(item, shape[0], f"{place}[{k}]") for k, item in enumerate(value)]
    fitted, before = {}, f"{place}." if place else ""
    for name, inner in shape.items():
        key = name.removesuffix("?")
        if key not in _OBJECT(value, place) and key == name:
            raise _Unfit(f"'{before}{key}' is missing")
        is_there = key == name or value.get(key) is not None
        fitted[key] = _fit(value[key], inner, f"{before}{key}") if is_there else None
    return fitted


def _run(fields: dict[str, Any]) -> StoredRun:
    """Return a run; memory of all attempts is checked before unpacking."""
    seconds, attempts = fields["seconds"], fields["attempts"]
    spans = tuple(_span(item, seconds, f"spans[{k}]") for k, item in enumerate(fields["spans"]))
    for k, item in enumerate(attempts):
        (rows, cols), (high, wide) = item["shape"], item["grid"][2:4]
        if rows * cols > MAX_STORED_PLACES or 0 in (high, wide):
            raise _Unfit(f"'attempts[{k}].shape' is {rows:,} x {cols:,} of blocks of {high:,} x {wide:,}")
    places = sum(rows * cols for rows, cols in (attempt["shape"] for attempt in attempts))
    if places > MAX_STORED_PLACES_IN_ALL:
        most = f"at most {MAX_STORED_PLACES_IN_ALL:,} are read"
        raise _Unfit(f"'attempts' have {places:,} places together; {most}")
    needed, free = places * BYTES_PER_PLACE, available_memory()
    if needed > free:
        raise NotEnoughMemory(f"the record needs {size_text(needed)} of memory, only {size_text(free)} are free")
    plans = tuple(_attempt(item, f"attempts[{k}]") for k, item in enumerate(attempts))
    sides = {side: StoredSequence(**fields[side]) for side in ("a", "b")}
    recorded = Recorded(0, fields["device"], 0.0, float(seconds), spans, plans)
    return StoredRun(**{name: fields[name] for name in _HEAD} | sides, recorded=recorded)


def _span(fields: dict[str, Any], seconds: float, place: str) -> Span:
    began, ended, box = float(fields["began"]), float(fields["ended"]), fields["box"]
    if not began <= ended <= seconds:
        raise _Unfit(f"'{place}.ended' is {ended}, which is not from {began} to {seconds}")
    box = None if box is None else Box(*box)
    return Span(fields["name"], fields["lane"], began, ended, fields["calls"] or 0, fields["cells"] or 0, box)


def _attempt(fields: dict[str, Any], place: str) -> Planned:
    shape, grid = tuple(fields["shape"]), BlockGrid(*fields["grid"])
    if any(side > max(1, most) for side, most in zip(shape, grid.shape, strict=True)):
        sizes = " x ".join(f"{side:,}" for side in shape), " x ".join(f"{side:,}" for side in grid.shape)
        raise _Unfit(f"'{place}.shape' is {sizes[0]}, and the grid has {sizes[1]}")
    states = _array(fields, "states", place, "u1", shape)
    if states.size and states.max() > max(BlockState):
        raise _Unfit(f"'{place}.states' has a state {states.max()}")
    record = None if fields["record"] is None else _record(fields["record"], f"{place}.record", shape)
    values = {name: fields[name] for name in ("strategy", "reason", "cells", "low", "high", "threshold")}
    axes = None if fields["axes"] is None else Axes(**fields["axes"])
    return Planned(0, grid, states, **values, record=record, axes=axes)


def _record(fields: dict[str, Any], place: str, shape: tuple[int, ...]) -> RunRecord:
    names = tuple(fields["lanes"])
    began, ended = (_array(fields, name, place, "<u4", shape) for name in ("began", "ended"))
    by, over = _array(fields, "by", place, _lane_kind(len(names)), shape), ended > 0
    if (ended[over] < began[over]).any() or (began[over] == 0).any():
        raise _Unfit(f"'{place}.ended' has a place that ended before it began")
    if by[over].max(initial=0) >= len(names):
        raise _Unfit(f"'{place}.by' has lane {by.max()}, and there are {len(names)}")
    times = float(fields["start"]), float(fields["seconds_per_tick"])
    return RunRecord(began, ended, by, names, *times, fields["interpolated"])


def _array(fields: dict[str, Any], name: str, place: str, kind: str, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    size = shape[0] * shape[1] * np.dtype(kind).itemsize
    unpack = zlib.decompressobj()
    try:
        data = unpack.decompress(b64decode(fields[name], validate=True), size + 1)
    except (ValueError, zlib.error) as error:
        raise _Unfit(f"'{place}.{name}' cannot be unpacked: {error}") from error
    if len(data) != size or not unpack.eof:
        raise _Unfit(f"'{place}.{name}' has not {size:,} bytes")
    return np.frombuffer(data, kind).reshape(shape).astype(np.dtype(kind).newbyteorder("="), copy=False)
