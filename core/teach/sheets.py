"""Traces of sheets, one line per step; results of papers next to measurements."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wavediff.core.base.numbers import number
from wavediff.core.reading.files import read_small
from wavediff.core.teach.counted_trace import OneUnitTrace, given, of_inputs
from wavediff.core.teach.questions import Asked, Kind
from wavediff.core.teach.scene import Mark, Scene, Sheet
from wavediff.core.teach.unit import Unit

MAX_MEASURED_BYTES = 1 << 20
MAX_LINES = 40
NONE = "–"


class Line(NamedTuple):
    """Line of a sheet; ``names``: names of its step, see ``Trace.moments``."""

    texts: tuple[str, ...]
    say: str
    asked: Asked | None = None
    names: tuple[str, ...] = ()


class SheetTrace(OneUnitTrace):
    """Sheet that grows by a line per step.

    Args:
        begin: sentence of step 0. values: by name, for sentences and expectations. below: sheets under it.

    Raises:
        ValueError: more than ``MAX_LINES`` lines.
    """

    def __init__(
        self, inputs: Mapping[str, Any], title: str, heads: tuple[str, ...], lines: Sequence[Line], begin: str,
        values: Mapping[str, Any], *below: Sheet,
    ) -> None:  # fmt: skip
        super().__init__(inputs, Unit.ROW, len(lines), Kind.VALUE if lines and lines[0].asked else None)
        if len(lines) > MAX_LINES:
            raise ValueError(f"{len(lines):,} lines cannot be seen at once; up to {MAX_LINES} can")
        self._below = below
        self._title, self._heads, self._lines, self._begin, self._values = title, heads, lines, begin, values

    def scene_at(self, k: int) -> Scene:
        n, none = len(self._heads), ("",) * len(self._heads)
        rows = tuple(line.texts if at < k else none for at, line in enumerate(self._lines))
        marks = tuple((Mark.NEW if at == k - 1 else Mark.PLAIN,) * n for at in range(len(rows)))
        return Scene((Sheet(self._title, self._heads, rows, marks, mono=True), *self._below))

    def say_at(self, k: int) -> str:
        return self._lines[k - 1].say if k else self._begin

    def _value(self, name: str) -> Any:
        return self._values[name]

    def _moments(self) -> Mapping[str, Sequence[int]]:
        names = dict.fromkeys(name for line in self._lines for name in line.names)
        return {name: [k for k, line in enumerate(self._lines, 1) if name in line.names] for name in names}

    def _question(self, k: int) -> Asked:
        asked = self._lines[k - 1].asked
        assert asked is not None
        return asked


def shown_figure(value: float | str) -> str:
    """Return a figure as text, with all its digits.

    >>> shown_figure(10306.66), shown_figure(0.221), shown_figure("50 %")
    ('10,306.66', '0.221', '50 %')
    """
    return value if isinstance(value, str) else number(value, len(str(value).partition(".")[2]))


def in_unit(unit: str, seconds: float, letters: int) -> float:
    """Convert a measurement to the unit of a table (s, ms, Gbps of ``letters``), three digits."""
    value = {"s": seconds, "ms": 1000 * seconds, "Gbps": 8e-9 * letters / seconds}[unit]
    rounded = float(f"{value:.3g}")
    return int(rounded) if rounded == int(rounded) else rounded


def _read(path: str) -> Mapping[str, Any]:
    if not path:
        return {"seconds": {}, "machine": "", "date": ""}
    try:
        found = json.loads(read_small(Path(path), MAX_MEASURED_BYTES, "no measured results are as large"))
        seconds = {str(name): float(value) for name, value in found["seconds"].items()}
        return {"seconds": seconds, "machine": str(found["machine"])[:60], "date": str(found["date"])[:10]}
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise ValueError(f"'measured' is {path}; a file that 'lesson NAME --measure FILE' wrote is wanted") from error


@of_inputs(measured=given(""), table=given(""), machines=given([]), unit=given("s"), rows=given([]), of=given({}))
def results_trace(
    measured: str, table: str, machines: list[str], unit: str, rows: list[dict[str, Any]], of: Mapping[str, Any]
) -> SheetTrace:
    """Return the results of a paper, line by line.

    Args:
        measured: file of ``core.run.measured``, or empty. table: its name in the paper. machines: one for each column.
        unit: of the figures. rows: ``what``, ``figures``, and measured values. of: inputs common to all rows.

    Raises:
        ValueError: no such file of measurements. InputError: unreadable.
    """
    del of
    here, lines = _read(measured), []
    for row in rows:
        took = here["seconds"].get(f"{table}: {row['what']}")
        own = NONE if took is None else shown_figure(in_unit(unit, took, row.get("n", 0)))
        figures = [shown_figure(each) for each in row["figures"]]
        units = [f"{each} {unit}" if isinstance(one, int | float) else each
                 for each, one in zip(figures, row["figures"], strict=True)]  # fmt: skip
        paper = ", ".join(f"{each} ({machine})" for each, machine in zip(units, machines, strict=True) if each != NONE)
        said = "not measured here." if took is None else f"{own} {unit} here."
        lines.append(Line((row["what"], *figures, own), f"{row['what']}: {paper}; {said}"))
    machine = f"{here['machine']}, {here['date']}" if here["machine"] else "not measured yet"
    begin = f"{table}, and what this machine needs: {machine}."
    are_times = any(isinstance(figure, int | float) for row in rows for figure in row["figures"])
    title, ours = (f"{table}, {unit}", "this machine") if are_times else (table, f"this machine, {unit}")
    values = {
        "figures": [row["figures"] for row in rows], "measured": sum(line.texts[-1] != NONE for line in lines),
        "rows": len(rows), "machine": here["machine"], "date": here["date"],
    }  # fmt: skip
    below = Sheet("This machine", ("",), ((machine,),))
    return SheetTrace({"measured": measured}, title, ("", *machines, ours), lines, begin, values, below)
