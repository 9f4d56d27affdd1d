"""Template of a user lesson, reference of methods, and courses."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from wavediff.core.base.errors import InputError
from wavediff.core.reading.files import read_small
from wavediff.core.teach.lesson import MAX_FILE_BYTES, Lesson, Part, lesson_named, lessons, read_toml
from wavediff.core.teach.sentence import sentence_fields

STARTER = """\
# A lesson of your own. 'lesson FILE --check' checks it; 'lesson reference' lists methods, units, questions, names.
id = "my-lesson"
title = "My lesson"
source = "where it comes from"
topic = "My course"
minutes = 5
notes = \"\"\"
For who teaches.
\"\"\"

[[part]]
method = "edit"
a = "kitten"
b = "sitting"
units = ["cell", "row"]

[[part.scene]]
id = "start"
from = 0
say = "A number is a distance: {D[0,3]} letters of B against none of A."

[[part.scene]]
id = "first"
from = 1
ask = "value"

[[part.scene]]
id = "rest"
from = 2
to = 42

[[part.scene]]
id = "answer"
from = 42
say = "{answer} edits; optimal paths: {paths}."

[part.expect]
answer = 3
"""


def reference() -> str:
    """Return the reference: methods with inputs, units, questions, named steps and values."""
    parts: dict[str, list[Part]] = {}
    for lesson in lessons():
        for part in lesson.parts:
            parts.setdefault(part.method, []).append(part)
    return "\n\n".join("\n".join(_method(method, some)) for method, some in sorted(parts.items())) + "\n"


def _method(method: str, parts: list[Part]) -> Iterator[str]:
    yield method
    units = [(part, unit) for part in parts for unit in part.trace.units]
    for title, words in (
        ("inputs", [name for part in parts for name in (*part.trace.inputs, *part.inputs)]),
        ("units", [unit for _, unit in units]),
        ("questions", [kind for part, unit in units for kind in part.trace.kinds(unit)]),
        ("steps", ["start", "end", *(name for part, unit in units for name in part.trace.moments(unit))]),
        ("values", sorted(name for part in parts for name in _names(part))),
    ):
        if words:
            yield f"  {title.ljust(9)}  {', '.join(map(str, dict.fromkeys(words)))}"


def _names(part: Part) -> Iterator[str]:
    """Yield the value names used in a part, with letters in place of indices."""
    fields = [field for plan in part.plans for field in sentence_fields(plan.say)]
    for field in (*fields, *part.expect):
        numbers = iter("ijkl")
        yield "{" + re.sub(r"\d+", lambda _: next(numbers), field) + "}"  # noqa: B023 - called at once


def course_lessons(path: Path) -> tuple[str, list[Lesson]]:
    """Return title and lessons of a course: TOML with ``title`` and ``lessons`` (names or files next to it).

    Raises:
        InputError: not a course, or a lesson is missing or invalid.
    """
    source, raw = str(path), read_small(path, MAX_FILE_BYTES, "no course is as large")
    data = read_toml(raw, source)
    title, names = data.get("title"), data.get("lessons", [])
    is_list = isinstance(names, list) and names and all(isinstance(one, str) for one in names)
    if not is_list or not isinstance(title, str):
        right = 'title = "..." and lessons = ["lcs-table", "own.toml"] are wanted'
        raise InputError(source, "this is no course", right)
    files = (path.parent / name for name in names)
    chapters = [lesson_named(str(own) if os.path.isfile(own) else name) for own, name in zip(files, names, strict=True)]
    twice = sorted({one.id for one in chapters if [each.id for each in chapters].count(one.id) > 1})
    if twice:
        raise InputError(source, f"two lessons have the id '{twice[0]}'", "each page is called by it")
    return title, chapters
