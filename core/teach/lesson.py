"""Lessons: files in TOML, read and checked.

A lesson has parts, each a pair of sequences and the method whose table is stepped; a part has scenes, each some steps
of a unit, with a sentence of its own or those of the steps. Numbers in sentences are not typed but asked of the trace,
``{L[4,5]}`` or ``{paths}``, so that a text cannot drift from what is computed; what is expected is listed and checked.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.teach.questions import Kind, kinds
from core.teach.table import MAX_TABLE_LETTERS, DpTable, LcsTable
from core.teach.trace import TABLES, TableTrace, table_trace
from core.teach.unit import Unit
from core.teach.words import EDIT_OPERATORS, LCS_OPERATORS
from core.translate import number, tr

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "lessons"
MAX_SENTENCE_LETTERS = 160  # of a scene: what a hall reads at a glance
_CELL = re.compile(r"^[LD]\[(\d+),(\d+)\]$")


@dataclass(frozen=True, slots=True)
class Scene:
    """Some steps of a unit; ``say``: a sentence in place of those of the steps; ``ask``: what is asked of ``first``."""

    id: str
    unit: Unit
    first: int
    last: int
    say: str = ""
    ask: Kind | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """A pair of sequences, stepped; ``expect``: what must come out, by the names of ``found``."""

    method: str
    a: str
    b: str
    units: tuple[Unit, ...]
    block: tuple[int, int]
    scenes: tuple[Scene, ...]
    expect: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def trace(self) -> TableTrace:
        return table_trace(self.method, self.a, self.b, self.units, self.block)

    def sentence(self, scene: Scene, step: int) -> str:
        """Return what is said at a step of a scene."""
        return tr(scene.say).format_map(_Names(self.trace)) if scene.say else self.trace.say(scene.unit, step)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson; ``source``: the paper that it follows; ``notes``: for who teaches."""

    id: str
    title: str
    source: str
    minutes: int
    parts: tuple[Part, ...]
    notes: str = ""

    def with_inputs(self, a: str | None, b: str | None, unit: Unit | None = None) -> Lesson:
        """Return the lesson's first part with other sequences or in another unit, each unit from its first step on."""
        part = self.parts[0]
        a, b = part.a if a is None else a, part.b if b is None else b
        units = part.units if unit is None else (unit,)
        other = replace(part, a=a, b=b, units=units, scenes=(), expect={})
        scenes = tuple(Scene(str(one), one, 0, other.trace.steps(one)) for one in units)
        return replace(self, parts=(replace(other, scenes=scenes),))


def lessons() -> list[Lesson]:
    """Return the lessons that ship, in the order of their files."""
    return [read_lesson(path) for path in sorted(FOLDER.glob("*.toml"))]


def read_lesson(path: Path) -> Lesson:
    """Read and check a lesson.

    Raises:
        InputError: it is no lesson, or what it expects does not come out.
    """
    source = str(path)
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(source, error.strerror or "it cannot be read") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(source, f"this is no TOML: {error}", "a lesson is a text file in TOML, see README") from error
    table = _Table(source, "the lesson", data)
    lesson = Lesson(
        id=table.text("id"),
        title=table.text("title"),
        source=table.text("source"),
        minutes=table.number("minutes", 1, 999),
        parts=tuple(_part(one) for one in table.tables("part")),
        notes=table.text("notes", ""),
    )
    table.end()
    for place, part in enumerate(lesson.parts, 1):
        _check(source, f"part {place}", part)
    return lesson


def found(trace: TableTrace, name: str) -> Any:
    """Return what ``name`` is in a trace, for texts and expectations.

    ``L[4,5]`` or ``D[4,5]``: a cell; ``row 4``: a row of the table; ``answer``, ``cells``, ``paths``; of an LCS
    ``matchings`` and ``subsequences``; ``steps UNIT``; ``new UNIT``: cells by step; ``word NAME``: that word of each
    column; ``lcs operators``, ``edit operators``: of a word and a column.

    Raises:
        KeyError: nothing is called so.
    """
    table, cell = trace.table, _CELL.match(name)
    if cell and name[0] == table.name:
        row, col = int(cell[1]), int(cell[2])
        if row > len(table.a) or col > len(table.b):
            raise KeyError(name)
        return int(table.values[row, col])
    first, _, rest = name.partition(" ")
    if first == "row" and rest.isdigit() and int(rest) <= len(table.a):
        return table.values[int(rest)].tolist()
    if first in ("steps", "new") and rest in trace.units:
        unit = Unit(rest)
        steps = trace.steps(unit)
        return steps if first == "steps" else [len(trace.new_cells(unit, k)) for k in range(1, steps + 1)]
    if first == "word" and trace.columns:
        words = [trace.words(Unit.COLUMN, k) for k in range(1, len(table.b) + 1)]
        return [dict(one.rows)[rest] for one in words if one is not None]
    if isinstance(table, LcsTable) and name in ("matchings", "subsequences"):
        return getattr(table, name)
    simple = {"answer": table.answer, "cells": len(table.a) * len(table.b)}
    simple |= {"lcs operators": LCS_OPERATORS, "edit operators": EDIT_OPERATORS}
    return table.n_paths if name == "paths" else simple[name]


class _Names(dict[str, Any]):
    """Names that a sentence may ask for: those of ``found``, and letters as ``{a[1]}``."""

    def __init__(self, trace: TableTrace) -> None:
        super().__init__(a=_Letters(trace.table.a), b=_Letters(trace.table.b))
        self[trace.table.name] = _Cells(trace.table)
        self._trace = trace

    def __missing__(self, name: str) -> Any:
        value = found(self._trace, name)
        return ", ".join(map(str, value)) if isinstance(value, list) else number(value)


class _Letters:
    def __init__(self, text: str) -> None:
        self._text = text

    def __getitem__(self, place: int) -> str:
        return self._text[place - 1]


class _Cells:
    def __init__(self, table: DpTable) -> None:
        self._table = table

    def __getitem__(self, place: str) -> int:
        row, col = place.split(",")
        return int(self._table.values[int(row), int(col)])


class _Table:
    """A table of a TOML file; what is asked for is taken out of it, and what is left at the end is refused."""

    def __init__(self, source: str, where: str, data: dict[str, Any]) -> None:
        self.source, self.where, self._data = source, where, dict(data)

    def _take(self, key: str, kind: type, right: str, default: Any = None) -> Any:
        value = self._data.pop(key, default)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise InputError(self.source, f"{self.where}: '{key}' is {value!r}", f"{right} is wanted")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        return str(self._take(key, str, "a text", default))

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        value = int(self._take(key, int, "a number", default))
        if not least <= value <= most:
            raise InputError(self.source, f"{self.where}: '{key}' is {value:,}", f"{least:,} to {most:,} is possible")
        return value

    def one_of(self, key: str, names: tuple[str, ...], default: str | None = None) -> str:
        value = self.text(key, default)
        if value not in names:
            raise InputError(self.source, f"{self.where}: '{key}' is '{value}'", f"one of {', '.join(names)} is wanted")
        return value

    def values(self, key: str, default: list[Any]) -> list[Any]:
        return list(self._take(key, list, "a list", default))

    def mapping(self, key: str) -> dict[str, Any]:
        return dict(self._take(key, dict, "a table", {}))

    def tables(self, key: str) -> list[_Table]:
        found = self.values(key, [])
        if not found or not all(isinstance(one, dict) for one in found):
            raise InputError(self.source, f"{self.where} has no [[{key}]]", "one or more are wanted")
        return [_Table(self.source, f"{key} {place}", one) for place, one in enumerate(found, 1)]

    def end(self) -> None:
        if self._data:
            raise InputError(self.source, f"{self.where}: '{next(iter(self._data))}' means nothing here")


def _part(table: _Table) -> Part:
    block = table.values("block", [4, 4])
    if len(block) != 2 or not all(isinstance(one, int) and 1 <= one <= MAX_TABLE_LETTERS for one in block):
        raise InputError(table.source, f"{table.where}: 'block' is {block}", "rows and columns are wanted, as [4, 4]")
    names = tuple(str(one) for one in Unit)
    units = table.values("units", [str(Unit.CELL)])
    if not units or not set(units) <= set(names):
        raise InputError(table.source, f"{table.where}: 'units' is {units}", f"some of {', '.join(names)} are wanted")
    part = Part(
        method=table.one_of("method", tuple(TABLES)),
        a=table.text("a"),
        b=table.text("b"),
        units=tuple(Unit(one) for one in units),
        block=(block[0], block[1]),
        scenes=tuple(_scene(one, tuple(units)) for one in table.tables("scene")),
        expect=table.mapping("expect"),
    )
    table.end()
    if not part.a or not part.b or max(len(part.a), len(part.b)) > MAX_TABLE_LETTERS:
        raise InputError(
            table.source, f"{table.where} has {len(part.a)} and {len(part.b)} letters", f"1 to {MAX_TABLE_LETTERS} go"
        )
    return part


def _scene(table: _Table, units: tuple[str, ...]) -> Scene:
    kind = table.one_of("ask", ("", *(str(one) for one in Kind)), "")
    scene = Scene(
        id=table.text("id"),
        unit=Unit(table.one_of("unit", units, units[0])),
        first=table.number("from", 0, MAX_TABLE_LETTERS**2),
        last=table.number("to", 0, MAX_TABLE_LETTERS**2),
        say=table.text("say", ""),
        ask=Kind(kind) if kind else None,
    )
    table.end()
    return scene


def _check(source: str, where: str, part: Part) -> None:
    trace, ids = part.trace, set[str]()
    for scene in part.scenes:
        here, steps = f"{where}, scene '{scene.id}'", trace.steps(scene.unit)
        if scene.id in ids:
            raise InputError(source, f"{here} is there twice")
        ids.add(scene.id)
        if not scene.first <= scene.last <= steps:
            raise InputError(source, f"{here} is steps {scene.first} to {scene.last}", f"0 to {steps} are there")
        if scene.ask is not None and (scene.ask not in kinds(trace, scene.unit) or scene.first < 1):
            raise InputError(source, f"{here}: '{scene.ask}' cannot be asked of step {scene.first} of {scene.unit}")
        if re.search(r"\d", re.sub(r"\{[^}]*\}", "", scene.say)):
            raise InputError(source, f"{here} has a number in its sentence", "ask for it by name, as in {L[1,2]}")
        try:
            said = part.sentence(scene, scene.first)
        except (LookupError, ValueError) as error:
            raise InputError(source, f"{here}: {error} is nothing that a sentence can ask for") from error
        if len(said) > MAX_SENTENCE_LETTERS:
            most = f"up to {MAX_SENTENCE_LETTERS} can be read at a glance"
            raise InputError(source, f"{here}: its sentence has {len(said)} letters", most)
    for name, expected in part.expect.items():
        try:
            value = found(trace, name)
        except KeyError as error:
            raise InputError(source, f"{where} expects '{name}', which nothing is called here") from error
        if value != expected:
            raise InputError(source, f"{where} expects '{name}' to be {expected}, and it is {value}")
