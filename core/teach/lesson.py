"""Lessons: reading and validation of TOML files.

A lesson has parts, each a method with its inputs. A part has scenes, each a range of steps of a unit, with one sentence
or those of the steps. Numbers in sentences come from the trace, ``{L[4,5]}`` or ``{paths}``, so a text cannot differ
from the computation; expected values are listed and checked.
"""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from wavediff.core.base.errors import InputError, WavediffError, did_you_mean
from wavediff.core.base.numbers import number
from wavediff.core.methods.options import option_words
from wavediff.core.reading.files import read_small
from wavediff.core.system import program
from wavediff.core.teach.counted_trace import input_text, typed_inputs
from wavediff.core.teach.language import ENGLISH, LANGUAGES
from wavediff.core.teach.listing import Listed
from wavediff.core.teach.plan import Plan, Scene, scenes_of, unknown_name
from wavediff.core.teach.questions import Kind, can_ask
from wavediff.core.teach.scene import Trace
from wavediff.core.teach.sentence import filled, sentence_fields
from wavediff.core.teach.spoken import spoken
from wavediff.core.teach.toml_table import MAX_STEPS, Table
from wavediff.core.teach.traces import TRACES, InputsRefused, new_trace
from wavediff.core.teach.unit import Unit

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "lessons"
MAX_SENTENCE_LETTERS = 160  # of a scene: what a hall reads at a glance
MAX_MINUTES = 999
MAX_FILE_BYTES = 1 << 20  # of a lesson
FILE_INPUTS = ("record", "measured")  # that name a file
MAX_ERRORS = 10  # reported at once
LETTER_OPTIONS = ("a", "b")  # inputs with a separate command-line option


@dataclass(frozen=True, eq=False)
class Part:
    """Part of a lesson: a method with its inputs, shown step by step.

    Attributes:
        plans: scene definitions. expect: expected values, by the names of ``Trace.value_of``.
        made: the trace, if already created. fixed: keeps its inputs if the user changes those of the lesson.
        own: its inputs were changed. language: of the trace, one of ``LANGUAGES``.
        file, where: the file and the part in it.
    """

    method: str
    inputs: Mapping[str, Any]
    units: tuple[Unit, ...]
    plans: tuple[Plan, ...]
    expect: Mapping[str, Any] = field(default_factory=dict)
    made: Trace | None = None
    fixed: bool = False
    own: bool = False
    language: str = ENGLISH
    file: str = ""
    where: str = ""

    @cached_property
    def trace(self) -> Trace:
        """The stepped computation; InputsRefused: invalid inputs."""
        return spoken(new_trace(self.method, self.inputs), self.language) if self.made is None else self.made

    @property
    def texts(self) -> dict[str, str]:
        """Text inputs that the user can change."""
        names = self.trace.inputs
        return {name: text for name, text in self.inputs.items() if name in names and isinstance(text, str)}

    @cached_property
    def shown(self) -> Listed:
        """Scenes of the trace, with the listing of the method."""
        return Listed(self.trace, self.method, self.language)

    @cached_property
    def listing(self) -> Listed:
        """Listing of the method alone."""
        return Listed(self.trace, self.method, self.language, alone=True)

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """Scenes for these inputs, one or more with a question if the lesson asks; without scenes, all steps as one."""
        unit = self.units[0]
        whole = Scene(str(unit), unit, 0, self.trace.steps(unit))
        scenes = [*scenes_of(self.plans, self.trace, own=self.own)] or [whole]
        if self.own and any(plan.ask for plan in self.plans) and not any(scene.ask for scene in scenes):
            for place, scene in reversed([*enumerate(scenes)]):
                kinds = [kind for kind in self.trace.kinds(scene.unit) if scene.first]
                if kinds and can_ask(self.trace, scene.unit, scene.first, kinds[0]):
                    scenes[place] = replace(scene, ask=kinds[0])
                    break
        return tuple(scenes)

    def sentence(self, scene: Scene, step: int) -> str:
        if not scene.say or (self.own and self.fixed):
            return self.trace.say(scene.unit, step)
        try:
            said = filled(scene.say, self.trace, f"{scene.unit} {step}")
        except LookupError as error:
            if not self.own:
                here = f"{self.where}, scene '{scene.id}'"
                raise InputError(self.file, f"{here}: {error} is nothing that a sentence can ask for") from error
            return self.trace.say(scene.unit, step)
        return self.trace.say(scene.unit, step) if self.own and len(said) > MAX_SENTENCE_LETTERS else said


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Attributes:
        source: its paper. topic: heading in a course. notes: for teachers.
        language: one of ``LANGUAGES``.
        options: command-line options for changes by the user. file: path of a user's lesson; empty: built-in lesson.
    """

    id: str
    title: str
    source: str
    minutes: int
    parts: tuple[Part, ...]
    topic: str = ""
    notes: str = ""
    language: str = ENGLISH
    options: tuple[str, ...] = ()
    file: str = ""

    def command(self, *words: str) -> str:
        """Return the command that opens this lesson, with files by name only; ``words``: further options."""
        file = os.path.basename(self.file)
        return shlex.join([*program.name().split(), "lesson", file or self.id, *self.words, *words])

    @property
    def words(self) -> tuple[str, ...]:
        """Command-line options: the language of a built-in lesson, and ``options``."""
        return self.options if self.file or self.language == ENGLISH else ("--language", self.language, *self.options)

    def with_inputs(self, inputs: Mapping[str, Any], unit: Unit | None = None, part: Part | None = None) -> Lesson:
        """Return the lesson with other inputs. With ``unit`` it has one part, shown in the steps of this unit.

        Args:
            part: changed with all parts that have the same inputs; None: all parts that are not fixed.

        Raises:
            InputsRefused: invalid inputs. WavediffError: no such ``unit``.
        """
        first = part or self._part_with(inputs)
        alike = [
            each
            for each in self._parts_with(inputs)
            if part is None or all(each.inputs.get(name) == part.inputs.get(name) for name in inputs)
        ]
        chosen = [first] if unit else [first, *alike]
        changed = list[Part]()
        for each in [first] if unit else self.parts:
            try:
                changed.append(_changed(each, inputs, unit) if each in chosen else each)
            except InputsRefused:
                if each is first:
                    raise
                changed.append(each)
        if unit is not None and unit not in changed[0].trace.units:
            possible = ", ".join(changed[0].trace.units)
            raise WavediffError(f"'{self.id}' is not stepped by {unit}; {possible} are possible")
        words = [(f"--{name}", value) for name, value in inputs.items() if name in LETTER_OPTIONS]
        texts = {name: without_folder(name, input_text(value)) for name, value in inputs.items()}
        words += [("--set", f"{name}={text}") for name, text in texts.items() if name not in LETTER_OPTIONS]
        words += [] if unit is None else [("--unit", str(unit))]
        options = tuple(option for name, text in words for option in option_words(name, str(text)))
        return replace(self, parts=tuple(changed), options=options)

    def with_typed(self, texts: Mapping[str, str], unit: Unit | None = None, part: Part | None = None) -> Lesson:
        """Return the lesson with inputs typed by the user.

        Raises:
            InputsRefused: see ``with_inputs``, or a typed text is not the number expected.
        """
        first = part or self._part_with(texts)
        part = None if texts and set(texts) <= set(FILE_INPUTS) else part  # a file is of all parts that take one
        try:
            return self.with_inputs(typed_inputs(texts, first.trace.inputs), unit, part)
        except ValueError as error:
            raise InputsRefused(str(error)) from error

    def _parts_with(self, inputs: Mapping[str, Any]) -> list[Part]:
        return [part for part in self.parts if set(inputs) <= set(part.trace.inputs) and not part.fixed]

    def _part_with(self, inputs: Mapping[str, Any]) -> Part:
        return next(iter(self._parts_with(inputs)), self.parts[0])


def _changed(part: Part, inputs: Mapping[str, Any], unit: Unit | None) -> Part:
    """Return a part with other inputs, optionally limited to ``unit``."""
    made = None if inputs else part.made
    own = part.own or bool(inputs)
    other = replace(part, inputs={**part.inputs, **inputs}, expect={}, own=own, made=made)
    units = other.units if set(other.units) <= set(other.trace.units) else other.trace.units
    if unit is None and units == other.units:
        return other
    units = units if unit is None else (unit,)
    return replace(other, units=units, plans=tuple(Plan(str(one), one, 0, "end") for one in units), made=other.trace)


def without_folder(name: str, text: str) -> str:
    """Return an input as pictures store it: a file by its name, without folders."""
    return os.path.basename(text) if name in FILE_INPUTS else text


def trace_lesson(trace: Trace, title: str) -> Lesson:
    """Return a lesson that shows only ``trace``, in its first unit."""
    unit = trace.units[0]
    part = Part("", trace.inputs, trace.units, (Plan("all", unit, 0, "end"),), made=trace)
    return Lesson("", title, "", 1, (part,))


@dataclass(frozen=True, slots=True)
class Heading:
    """Heading of a lesson file; ``read_lesson(path)`` reads the whole lesson."""

    id: str
    title: str
    source: str
    topic: str
    minutes: int
    path: Path


def headings(language: str = ENGLISH) -> list[Heading]:
    """Return the headings of the built-in lessons by topic, then by file.

    Args:
        language: of the headings; a lesson without a translation has an English heading.
    """
    headings: dict[str, list[Heading]] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        translated = FOLDER / language / path.name
        heading = _heading(translated if os.path.exists(translated) else path)
        headings.setdefault(heading.topic, []).append(heading)
    return [each for some in headings.values() for each in some]


def translations() -> list[Heading]:
    """Return the headings of translated built-in lessons."""
    return [_heading(path) for path in sorted(FOLDER.glob("*/*.toml"))]


def _heading(path: Path) -> Heading:
    text, _, _ = path.read_text("utf-8").partition("[[part]]")
    table = Table(str(path), "the lesson", read_toml(text.encode(), str(path)))
    id_, title, source, topic = (table.text(name) for name in ("id", "title", "source", "topic"))
    return Heading(id_, title, source, topic, table.number("minutes", 1, MAX_MINUTES), path)


def lessons(language: str = ENGLISH) -> list[Lesson]:
    """Return the built-in lessons in the order of ``headings``."""
    return [read_lesson(heading.path) for heading in headings(language)]


def lesson_named(name: str, language: str = ENGLISH) -> Lesson:
    """Return a built-in lesson by name, or the lesson of a file.

    Raises:
        InputError: no such lesson, or see ``read_lesson``.
    """
    shipped = {one.id: one.path for one in headings(language)}
    if name not in shipped and os.sep not in name and not os.path.exists(name):
        right = did_you_mean(name, shipped) or f"the lessons are {', '.join(shipped)}"
        raise InputError(name, "there is no such lesson and no such file", right)
    return read_lesson(shipped.get(name, Path(name)))


def read_lesson(path: Path) -> Lesson:
    """Read a lesson file. A lesson that is not built in is validated by ``check_lesson``.

    Raises:
        InputError: not a lesson, or a check failed.
    """
    source = str(path)
    raw = read_small(path, MAX_FILE_BYTES, "no lesson is as large")
    return parse_lesson(raw, source, is_own=FOLDER not in (path.parent, path.parent.parent))


def parse_lesson(raw: bytes, source: str, *, is_own: bool = True) -> Lesson:
    """Parse a lesson from TOML.

    Args:
        is_own: a lesson of the user, which is validated by ``check_lesson``.

    Raises:
        InputError: see ``read_lesson``.
    """
    data = read_toml(raw, source)
    if "lessons" in data:
        raise InputError(source, "this is a course of several lessons", "--html-folder DIR writes their pages")
    table = Table(source, "the lesson", data)
    language = table.one_of("language", LANGUAGES, ENGLISH)
    lesson = Lesson(
        id=table.text("id"),
        title=table.text("title"),
        source=table.text("source"),
        minutes=table.number("minutes", 1, MAX_MINUTES),
        parts=tuple(_part(part, language) for part in table.tables("part")),
        topic=table.text("topic", ""),
        notes=table.text("notes", "").strip(),
        language=language,
        file=source if is_own else "",
    )
    table.end()
    if is_own:
        check_lesson(lesson, source)
    return lesson


def read_toml(raw: bytes, source: str) -> dict[str, Any]:
    """Parse TOML; InputError: invalid."""
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(
            source, f"this is no TOML: {error}", "a lesson or course is a text file in TOML, see README"
        ) from error


def check_lesson(lesson: Lesson, source: str) -> None:
    """Check the expected values, scenes, sentences and questions of a lesson by computing them.

    Args:
        source: the name of its file.

    Raises:
        InputError: an unexpected value, a scene with missing steps, or an impossible question.
    """
    errors = [error for place, part in enumerate(lesson.parts, 1) for error in _errors(source, f"part {place}", part)]
    if errors:
        raise joined(source, errors)


def joined(source: str, errors: Sequence[InputError]) -> InputError:
    """Return one error that lists up to ``MAX_ERRORS`` errors of a file."""
    if len(errors) == 1:
        return errors[0]
    each = (f"({k}) {error.found}{error.expected and f'; {error.expected}'}" for k, error in enumerate(errors, 1))
    return InputError(source, f"{number(len(errors))} errors: {' '.join(islice(each, MAX_ERRORS))}")


def plain(value: Any) -> Any:
    """Convert a value to TOML types."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return value.item() if isinstance(value, np.generic) else value


def _part(table: Table, language: str) -> Part:
    names = tuple(str(each) for each in Unit)
    units = table.values("units", [str(Unit.CELL)])
    if not units or not all(unit in names for unit in units):
        raise InputError(table.source, f"{table.where}: 'units' is {units}", f"some of {', '.join(names)} are wanted")
    part = Part(
        method=table.one_of("method", tuple(TRACES)),
        inputs={**table.optional("a", "b", "block"), **table.mapping("inputs")},
        units=tuple(Unit(unit) for unit in units),
        plans=tuple(_plan(scene, tuple(units)) for scene in table.tables("scene")),
        expect=table.mapping("expect"),
        fixed=table.is_true("fixed"),
        language=language,
        file=table.source,
        where=table.where,
    )
    table.end()
    return part


def _plan(table: Table, units: tuple[str, ...]) -> Plan:
    kind = table.one_of("ask", ("", *(str(word) for word in Kind)), "")
    first = table.step("from", "next")
    plan = Plan(
        id=table.text("id"),
        unit=Unit(table.one_of("unit", units, units[0])),
        first=first,
        last=table.step("to", first if isinstance(first, int) else "this"),
        say=table.text("say", ""),
        ask=Kind(kind) if kind else None,
        each=table.is_true("each"),
        every=table.number("every", 0, MAX_STEPS, 0),
        given=table.is_true("given"),
    )
    table.end()
    try:
        sentence_fields(plan.say)
    except ValueError as error:
        raise InputError(table.source, f"{table.where}, '{plan.id}': {error}") from error
    return plan


def _errors(source: str, where: str, part: Part) -> Iterator[InputError]:
    try:
        trace = part.trace
    except InputsRefused as error:
        yield InputError(source, f"{where}: {error}")
        return
    other = [str(unit) for unit in part.units if unit not in trace.units]
    if other:
        yield InputError(source, f"{where} is not stepped by {other[0]}", f"{', '.join(trace.units)} are possible")
        return
    unknown = False
    for plan in part.plans:
        for step in (plan.first, plan.last):
            if name := unknown_name(trace, plan.unit, step):
                names = ", ".join(trace.moments(plan.unit)) or "none"
                yield InputError(source, f"{where}, scene '{plan.id}': '{name}' is no step", f"names: {names}")
                unknown = True
    if unknown:  # steps in words are found by these names
        return
    for missing in sorted({plan.id for plan in part.plans} - {scene.id for scene in part.scenes}):
        yield InputError(source, f"{where}, scene '{missing}': no step is as it says")
    ids = set[str]()
    for scene in part.scenes:
        here = f"{where}, scene '{scene.id}'"
        if scene.id in ids:
            yield InputError(source, f"{here} is there twice")
        ids.add(scene.id)
        try:
            _check_scene(here, source, part, scene)
        except InputError as error:
            yield error
    for name, expected in part.expect.items():
        try:
            value = plain(trace.value_of(name))
        except KeyError:
            yield InputError(source, f"{where} expects '{name}', which nothing is called here")
        else:
            if value != expected:
                yield InputError(source, f"{where} expects '{name}' to be {expected}, and it is {value}")


def _check_scene(here: str, source: str, part: Part, scene: Scene) -> None:
    trace, steps = part.trace, part.trace.steps(scene.unit)
    if not scene.first <= scene.last <= steps:
        raise InputError(source, f"{here} is steps {scene.first} to {scene.last}", f"0 to {steps} are there")
    if scene.ask is not None and not can_ask(trace, scene.unit, scene.first, scene.ask):
        raise InputError(source, f"{here}: '{scene.ask}' cannot be asked of step {scene.first} of {scene.unit}")
    if re.search(r"\d", re.sub(r"\{[^}]*\}", "", scene.say)):
        raise InputError(source, f"{here} has a number in its sentence", "ask for it by name, as in {L[1,2]}")
    part.sentence(scene, scene.last)
    if len(said := part.sentence(scene, scene.first)) > MAX_SENTENCE_LETTERS:
        most = f"up to {MAX_SENTENCE_LETTERS} can be read at a glance"
        raise InputError(source, f"{here}: its sentence has {len(said)} letters", most)
