"""Read the record of a run: nothing of it is used before every field was found to fit."""

from __future__ import annotations

import json
import os
import sys
import zlib
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import InputError, NotEnoughMemory
from wavediff.core.jobs.events import Planned, Recorded
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.jobs.run_record import Box, RunRecord, Span
from wavediff.core.jobs.stored_run import (
    FORMAT,
    MAX_STORED_PLACES,
    MAX_STORED_PLACES_IN_ALL,
    VERSION,
    StoredRun,
    StoredSequence,
    lane_kind,
)
from wavediff.core.reading.files import begins_with, read_small, size_text
from wavediff.core.system.machine import available_memory

_BEGINS = json.dumps({"format": FORMAT})[:-1].encode("ascii")
MAX_FILE_BYTES = 1 << 28  # of a file; the largest record of one attempt has 13 MB
_MAX_VALUES = 1 << 21  # of the JSON: Python takes up to 100 bytes for each
BYTES_PER_PLACE = 11  # a state, two times, the number of a lane
_RIGHT = "one is written by 'compare --record'"


def is_record(path: str | os.PathLike[str]) -> bool:
    """Return whether the file begins as ours do; False where it cannot be read at all."""
    return begins_with(path, _BEGINS)


def read_record(path: str | os.PathLike[str]) -> StoredRun:
    """Return the run that a file tells of.

    Raises:
        InputError: it is no such file, or damaged; the text names the field.
        NotEnoughMemory: it is larger than the memory that is free.
    """
    text = read_small(path, MAX_FILE_BYTES, f"no record of a run is as large: {_RIGHT}")
    return parse_record(text, os.fspath(path))


def parse_record(text: bytes, source: str) -> StoredRun:
    """Return the run that ``text`` tells of; see ``read_record``."""
    if sum(map(text.count, (b",", b"[", b"{"))) > _MAX_VALUES:
        raise InputError(source, f"more than {_MAX_VALUES:,} values, and no record of a run has as many", _RIGHT)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        found = "no JSON" if not text.startswith(_BEGINS) else "damaged: the JSON is not whole"
        raise InputError(source, found, _RIGHT) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(source, "JSON, but not the record of a run", _RIGHT)
    if value.get("version") != VERSION:
        found = f"version {value.get('version')!r} of the format"
        raise InputError(source, found, f"this program reads version {VERSION}")
    try:
        return _run(_Fields(value, ""))
    except _Unfit as error:
        raise InputError(source, f"damaged: {error}", _RIGHT) from error


class _Unfit(Exception):
    """A field that cannot be; the text says which, and what it is."""


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of an object; ``place`` names it, with a dot behind."""

    values: Mapping[str, Any]
    place: str

    def get(self, name: str, kind: type | tuple[type, ...]) -> Any:
        found = self.values.get(name)
        if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
            is_missing = name not in self.values
            raise _Unfit(f"'{self.place}{name}' is {'missing' if is_missing else json.dumps(found)[:40]}")
        return found

    def text(self, name: str) -> str:
        return str(self.get(name, str))

    def count(self, name: str, most: int = 1 << 62) -> int:
        found = int(self.get(name, int))
        if not 0 <= found <= most:
            raise _Unfit(f"'{self.place}{name}' is {found:,}"[:80])
        return found

    def number(self, name: str) -> float:
        """Return a number that a double can hold; a whole one stays whole."""
        found: float = self.get(name, (int, float))
        if not abs(found) <= sys.float_info.max:
            raise _Unfit(f"'{self.place}{name}' is {str(found)[:40]}")
        return found

    def seconds(self, name: str) -> float:
        found = float(self.number(name))
        if found < 0:
            raise _Unfit(f"'{self.place}{name}' is {found}")
        return found

    def counts(self, name: str, n: int) -> list[int]:
        found = self.get(name, list)
        if len(found) != n or not all(type(one) is int and 0 <= one < 1 << 62 for one in found):
            raise _Unfit(f"'{self.place}{name}' is no list of {n} numbers from 0 on")
        return list(found)

    def optional_int(self, name: str) -> int | None:
        if self.values.get(name) is None:
            return None
        found = int(self.get(name, int))
        if abs(found) >= 1 << 62:
            raise _Unfit(f"'{self.place}{name}' is {str(found)[:40]}")
        return found

    def inside(self, name: str) -> _Fields:
        return _Fields(self.get(name, dict), f"{self.place}{name}.")

    def each(self, name: str) -> list[_Fields]:
        found = self.get(name, list)
        if not all(isinstance(one, dict) for one in found):
            raise _Unfit(f"'{self.place}{name}' is no list of objects")
        return [_Fields(one, f"{self.place}{name}[{k}].") for k, one in enumerate(found)]

    def array(self, name: str, kind: str, shape: tuple[int, int]) -> npt.NDArray[Any]:
        size = shape[0] * shape[1] * np.dtype(kind).itemsize
        unpack = zlib.decompressobj()
        try:
            data = unpack.decompress(b64decode(self.text(name), validate=True), size + 1)
        except (ValueError, zlib.error) as error:
            raise _Unfit(f"'{self.place}{name}' cannot be unpacked: {error}") from error
        if len(data) != size or not unpack.eof:
            raise _Unfit(f"'{self.place}{name}' has not {size:,} bytes")
        return np.frombuffer(data, kind).reshape(shape).astype(np.dtype(kind).newbyteorder("="), copy=False)


def _run(fields: _Fields) -> StoredRun:
    options = fields.inside("options")
    seconds = fields.seconds("seconds")
    spans = tuple(_span(one, seconds) for one in fields.each("spans"))
    attempts = _attempts(fields)
    return StoredRun(
        program=fields.inside("versions").text("wavediff"),
        method=fields.text("method"),
        options={name: options.text(name) for name in options.values},
        fold_case=fields.get("fold_case", bool),
        threads=fields.count("threads"),
        a=_sequence(fields.inside("a")),
        b=_sequence(fields.inside("b")),
        value=fields.number("value"),
        when=_when(fields),
        machine=fields.text("machine"),
        recorded=Recorded(0, fields.text("device"), 0.0, seconds, spans, attempts),
    )


def _when(fields: _Fields) -> str:
    found = fields.text("when")
    try:
        datetime.fromisoformat(found)
    except ValueError as error:
        raise _Unfit(f"'{fields.place}when' is no time: {found[:40]}") from error
    return found


def _sequence(fields: _Fields) -> StoredSequence:
    return StoredSequence(fields.text("name"), fields.count("length"), fields.text("sha256"))


def _span(fields: _Fields, seconds: float) -> Span:
    began, ended = fields.seconds("began"), fields.seconds("ended")
    if not began <= ended <= seconds:
        raise _Unfit(f"'{fields.place}ended' is {ended}, which is not from {began} to {seconds}")
    calls, cells = (fields.count(name) if name in fields.values else 0 for name in ("calls", "cells"))
    box = Box(*fields.counts("box", 4)) if "box" in fields.values else None
    return Span(fields.text("name"), fields.text("lane"), began, ended, calls, cells, box)


def _attempts(fields: _Fields) -> tuple[Planned, ...]:
    """Return the attempts; the memory of all of them is checked before the first array is unpacked."""
    each = fields.each("attempts")
    places = sum(rows * cols for rows, cols in map(_shape, each))
    if places > MAX_STORED_PLACES_IN_ALL:
        most = f"at most {MAX_STORED_PLACES_IN_ALL:,} are read"
        raise _Unfit(f"'{fields.place}attempts' have {places:,} places together; {most}")
    needed, free = places * BYTES_PER_PLACE, available_memory()
    if needed > free:
        raise NotEnoughMemory(f"the record needs {size_text(needed)} of memory, only {size_text(free)} are free")
    return tuple(map(_attempt, each))


def _shape(fields: _Fields) -> tuple[int, int]:
    rows, cols = fields.counts("shape", 2)
    sides = fields.counts("grid", 6)
    if rows * cols > MAX_STORED_PLACES or 0 in sides[2:4]:
        raise _Unfit(f"'{fields.place}shape' is {rows:,} x {cols:,} of blocks of {sides[2]:,} x {sides[3]:,}")
    return rows, cols


def _attempt(fields: _Fields) -> Planned:
    rows, cols = _shape(fields)
    sides = fields.counts("grid", 6)
    grid = BlockGrid(*sides)
    if not (rows <= max(1, grid.shape[0]) and cols <= max(1, grid.shape[1])):
        raise _Unfit(
            f"'{fields.place}shape' is {rows:,} x {cols:,}, and the grid has {grid.shape[0]:,} x {grid.shape[1]:,}"
        )
    states = fields.array("states", "u1", (rows, cols))
    if states.size and states.max() > max(BlockState):
        raise _Unfit(f"'{fields.place}states' has a state {states.max()}")
    return Planned(
        0,
        grid,
        states,
        fields.text("strategy"),
        fields.text("reason"),
        fields.count("cells"),
        fields.optional_int("low"),
        fields.optional_int("high"),
        fields.optional_int("threshold"),
        None if fields.values.get("record") is None else _record(fields.inside("record"), (rows, cols)),
    )


def _record(fields: _Fields, shape: tuple[int, int]) -> RunRecord:
    names = fields.get("lanes", list)
    if not names or not all(isinstance(one, str) for one in names):
        raise _Unfit(f"'{fields.place}lanes' is no list of names")
    began, ended = (fields.array(name, "<u4", shape) for name in ("began", "ended"))
    by = fields.array("by", lane_kind(len(names)), shape)
    over = ended > 0
    if (ended[over] < began[over]).any() or (began[over] == 0).any():
        raise _Unfit(f"'{fields.place}ended' has a place that ended before it began")
    if by[over].max(initial=0) >= len(names):
        raise _Unfit(f"'{fields.place}by' has lane {by.max()}, and there are {len(names)}")
    start, per_tick = fields.seconds("start"), fields.seconds("seconds_per_tick")
    return RunRecord(began, ended, by, tuple(names), start, per_tick, fields.get("interpolated", bool))
