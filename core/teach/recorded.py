"""Replay of a recorded run: finished blocks and active threads over time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wavediff.core.base.numbers import count, number, percent
from wavediff.core.jobs.grid import BlockState
from wavediff.core.record.playback import Playback
from wavediff.core.record.run_file import StoredRun, read_record
from wavediff.core.system.program import ROOT
from wavediff.core.teach.counted_trace import OneUnitTrace, given, of_inputs
from wavediff.core.teach.questions import Asked, Kind, slip
from wavediff.core.teach.scene import NEVER, Grid, Lanes, Scene, Sheet, Times
from wavediff.core.teach.unit import Unit

STORED = ROOT / "resources" / "lessons" / "card-run.json"
N_STEPS = 64  # of equal time
MAX_ROWS, MAX_COLS = 8, 16  # of the table of places: more cannot be read across a hall, or in a low panel
MAX_LANES = 8
MAX_MACHINE_LETTERS = 60  # of a name in a sentence
LAST = "last"  # in place of a file: the last run of the window; where there is none, the one that ships
CALL_SIDE = 1024  # cells along a side of a block, Kawanami and Fujimoto 2011, Fig. 1


def _groups(n: int, most: int) -> tuple[int, int]:
    each = -(-n // most)
    return each, -(-n // each)


def _group_names(n: int, each: int) -> tuple[str, ...]:
    return tuple(str(first + 1) for first in range(0, n, each))


OPTIONS = (
    ("all", "All are at work"),
    ("begin", "Some wait: too little is ready yet"),
    ("end", "Some wait: too little is left"),
)


class RecordedTrace(OneUnitTrace):
    """The last timed attempt of a stored run, in ``N_STEPS`` steps of equal time.

    Args:
        path: of the record as entered; empty or ``LAST``: the built-in record. was_run_here: the record is of the run
            whose answer is displayed.

    Raises:
        ValueError: the record has no times.
    """

    def __init__(self, run: StoredRun, path: str, *, was_run_here: bool = False) -> None:
        playbacks = ((attempt, Playback.of(attempt, run.recorded)) for attempt in run.recorded.attempts)
        timed = [(attempt, playback) for attempt, playback in playbacks if playback]
        if not timed:
            raise ValueError("the record has no times of blocks, as of short or similar pairs; a whole matrix has some")
        super().__init__({"record": path}, Unit.TIME, N_STEPS, Kind.CHOICE)
        self.run, self.was_run_here = run, was_run_here
        self.attempt, playback = timed[-1]
        self.record, self.seconds_per_step = playback.record, playback.seconds / N_STEPS
        edges = np.linspace(0, playback.seconds, N_STEPS + 1)
        begun, done = (
            np.searchsorted(np.sort(times[times > 0]) * self.record.seconds_per_tick, edges, "right").tolist()
            for times in (self.record.began, self.record.ended)
        )
        self._done: list[int] = [*done[:-1], playback.n_timed]  # the last edge is the last end, but for its rounding
        self._at_work = [max(0, started - over) for started, over in zip(begun, done, strict=True)]
        self._at_work[-1] = 0
        self._is_skipped = np.isin(self.attempt.block_map, (BlockState.OUTSIDE_BAND, BlockState.MONOTONE)) & (
            self.record.ended == 0
        )
        self._n_computed = self.record.ended.size - int(self._is_skipped.sum())
        self._grid = self._table()
        shares = playback.shares(edges - self.record.seconds_per_tick)  # ticks count from 1
        each, _ = _groups(len(self.record.names), MAX_LANES)
        self._shares = np.array([shares[k : k + each].mean(0) for k in range(0, len(shares), each)])
        self._lanes = self._bars()
        # Where lanes share places, each counts for the one that ended it: that is no share of anybody's time.
        is_told = not playback.lanes_share_places
        self._busy = percent(float(np.mean([lane.busy for lane in playback.lanes]))) if is_told else ""
        launches = [span for span in run.recorded.spans if span.lane == "launches"]
        self._launches = len(launches)
        self._launch_seconds = sum(launch.seconds for launch in launches) / max(1, len(launches))

    def _seconds(self, k: int) -> str:
        """Return the end time of step ``k``, with enough digits to distinguish steps."""
        digits = 1 - math.floor(math.log10(max(self.seconds_per_step, 1e-6)))
        return number(k * self.seconds_per_step, max(3, digits))

    def _table(self) -> Grid:
        """Return the table of recorded places in groups, each with the step that completes it."""
        rows, cols = self.record.ended.shape
        (high, n_rows), (wide, n_cols) = _groups(rows, MAX_ROWS), _groups(cols, MAX_COLS)
        ended = np.full((n_rows * high, n_cols * wide), NEVER, np.int64)
        ends = self.record.ended * self.record.seconds_per_tick
        steps = np.clip(np.ceil(ends / self.seconds_per_step), 1, N_STEPS).astype(np.int64)
        # A place that was not ended keeps its group from ending; one that was skipped, or only fills it up, does not.
        ended[:rows, :cols] = np.where(self.record.ended > 0, steps, np.where(self._is_skipped, 0, NEVER))
        ended[rows:], ended[:, cols:] = 0, 0
        rank = ended.reshape(n_rows, high, n_cols, wide).max(axis=(1, 3)).astype(np.int32)
        rank[rank == 0] = NEVER  # all of the group was skipped
        values = np.where(rank == NEVER, 0, rank).astype(np.int32)
        return Grid("", values, rank, _group_names(rows, high), _group_names(cols, wide))

    def _bars(self) -> Lanes:
        """Return a bar for each span of time in which a lane is at least half busy."""
        names, lanes, began, ended = self.record.names, [], [], []
        each, n_groups = _groups(len(names), MAX_LANES)
        for group, shares in enumerate(self._shares[:n_groups]):
            turns = np.flatnonzero(np.diff(np.concatenate([[False], shares >= 0.5, [False]]).astype(np.int8)))
            began += turns[::2].tolist()
            ended += turns[1::2].tolist()
            lanes += [group] * (len(turns) // 2)
        firsts = range(0, len(names), each)
        lasts = [names[min(first + each, len(names)) - 1].rpartition(" ")[2] for first in firsts]
        shown = tuple(
            names[first] if each == 1 else f"{names[first]}–{last}" for first, last in zip(firsts, lasts, strict=True)
        )
        times: tuple[Times, Times] = (np.array(began, np.float64), np.array(ended, np.float64))
        return Lanes(shown, *times, np.array(lanes, np.int64), total=float(N_STEPS))

    def scene_at(self, k: int) -> Scene:
        bars = self._lanes
        lanes = Lanes(bars.names, bars.began, bars.ended, bars.lane, now=float(k), total=bars.total)
        return Scene((self._grid, self._facts(k), lanes))

    def _facts(self, k: int) -> Sheet:
        rows = [
            ("seconds", self._seconds(k)),
            ("places done", number(self._done[k])),
            ("workers at work", number(self._at_work[k])),
        ]
        if self._busy:
            rows.append(("busy in this step", percent(float(self._shares[:, k - 1].mean())) if k else "–"))
        return Sheet(self._title, ("", ""), tuple(rows))

    @property
    def _title(self) -> str:
        if self.was_run_here:
            return "Run of the answer"
        return "Run that ships" if self.inputs["record"] in ("", LAST) else "Run of a file"

    def say_at(self, k: int) -> str:
        total, n_lanes = self._n_computed, len(self.record.names)
        if k == 0:
            n_skipped = self.record.ended.size - total
            skipped = f" ({number(n_skipped)} more were skipped)" if n_skipped else ""
            return (
                f"{self.run.when[:10]}, {self._machine()}: {number(total)} places of the block map"
                f"{skipped}, {count(n_lanes, 'worker', 'workers')}."
            )
        done = f"{self._seconds(k)} s: {number(self._done[k])} of {number(total)} places are done"
        if k == N_STEPS and not self._busy:
            return f"{done}. A place counts for the worker that ended it."
        if k == N_STEPS:
            return f"{done}. The workers were busy {self._busy} of the whole run."
        return f"{done}, {number(self._at_work[k])} are at work."

    def _machine(self) -> str:
        name = self.run.machine
        return name if len(name) <= MAX_MACHINE_LETTERS else name[: MAX_MACHINE_LETTERS - 1] + "…"

    def _value(self, name: str) -> Any:
        """Return a value; ``calls``, ``call blocks``: their numbers if each antidiagonal of blocks were one call."""
        n_rows, n_cols = (-(-sequence.length // CALL_SIDE) for sequence in (self.run.a, self.run.b))
        return {
            "rows": self.run.a.length,
            "columns": self.run.b.length,
            "cells": self.attempt.cells,
            "call side": CALL_SIDE,
            "call blocks": n_rows * n_cols,
            "calls": n_rows + n_cols - 1 if n_rows and n_cols else 0,
            "places": self._n_computed,
            "place rows": self.record.ended.shape[0],
            "place columns": self.record.ended.shape[1],
            "strip rows": self.attempt.grid.block_rows,
            "lanes": len(self.record.names),
            "launches": self._launches,
            "launch milliseconds": round(self._launch_seconds * 1000),
            "seconds": number(self.record.seconds, 2) if self.record.seconds >= 1 else self._seconds(N_STEPS),
            "machine": self._machine(),
            "when": self.run.when[:10],
            "program": self.run.versions["wavediff"],
            "whose": self._whose(),
        }[name]

    def _whose(self) -> str:
        path = str(self.inputs["record"])
        if self.was_run_here:
            return f"The run of the current answer: {self.run.a.name} and {self.run.b.name}."
        if path in ("", LAST):
            return (
                "This run ships with the program. Compare something large of your own: while its answer is shown, this "
                "lesson plays its run."
            )
        return f"The run recorded in {path}: {self.run.a.name} and {self.run.b.name}."

    def _question(self, k: int) -> Asked:
        all_busy = self._at_work[k] >= len(self.record.names)
        answer = "all" if all_busy else "begin" if k < N_STEPS // 2 else "end"
        idle = f"{number(len(self.record.names) - self._at_work[k])} of {number(len(self.record.names))} wait."
        slips = [
            slip("all", idle),
            slip("begin", "All of them are at work." if all_busy else f"{idle} It is past the middle of the run."),
            slip("end", "All of them are at work." if all_busy else f"{idle} It is before the middle of the run."),
        ]
        return Asked(f"After {self._seconds(k)} s: what do the workers do?", [answer], slips, OPTIONS)


@of_inputs(record=given(""))
def recorded_trace(path: Any) -> RecordedTrace:
    """Return the trace of a run record; empty or ``LAST``: the built-in one.

    Raises:
        ValueError: not a file name. InputError: not a record.
    """
    if not isinstance(path, str):
        raise ValueError(f"'record' is {path!r}; the name of a file is wanted")
    return RecordedTrace(read_record(STORED if path in ("", LAST) else path), path)
