"""``lesson``: recurrences step by step, as text or as a page with a player, without Qt; also pictures."""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path

from wavediff.app.commands.files import STDOUT, Files, take_outputs, written_line
from wavediff.app.commands.pager import tell
from wavediff.app.commands.pictures import pictures_of, require_qt, write_pictures
from wavediff.app.draw.page import INDEX, course_page, lesson_page
from wavediff.core.base.errors import ExportError, WavediffError, printable
from wavediff.core.export.atomic import write_atomic
from wavediff.core.export.registry import FILMS, LESSON, PICTURES
from wavediff.core.teach.exercises import Exercise, exercise_text, exercises
from wavediff.core.teach.lesson import LETTER_OPTIONS, Lesson, check_lesson, lesson_named, lessons
from wavediff.core.teach.lesson_data import lesson_text
from wavediff.core.teach.own_lesson import STARTER, course_lessons, reference
from wavediff.core.teach.player import frame_at
from wavediff.core.teach.unit import Unit

ALL, NEW, REFERENCE, MEASURED = "all", "new", "reference", "measured"


def run(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        _list(arguments.language)
        return 0
    if arguments.name == NEW:
        _begin_own(arguments)
        return 0
    if arguments.file is not None:
        raise WavediffError(f"unexpected name {arguments.file}; '{NEW} FILE' creates a lesson")
    if arguments.name == REFERENCE:
        tell(reference().splitlines(), sys.stdout, paged=not arguments.no_pager)
        return 0
    if arguments.name == ALL or (arguments.html_folder is not None and arguments.name.endswith(".toml")):
        _course(arguments)
        return 0
    lesson = lesson_named(arguments.name, arguments.language)
    if arguments.check:
        if not lesson.file:  # one that does not ship was checked as it was read
            check_lesson(lesson, arguments.name)
        return 0
    texts = typed_texts(arguments)
    if texts or arguments.unit is not None:
        lesson = lesson.with_typed(texts, None if arguments.unit is None else Unit(arguments.unit))
    if arguments.measure is not None:
        lesson = _measured(lesson, arguments)
    _write(lesson, arguments)
    return 0


def _measured(lesson: Lesson, arguments: argparse.Namespace) -> Lesson:
    tables = [part.inputs for part in lesson.parts if MEASURED in part.trace.inputs]
    if not tables:
        raise WavediffError(f"'{lesson.id}' has no table of results to measure")
    speeds = import_module("wavediff.core.run.measured").measure(tables, lambda line: sys.stderr.write(f"{line}\n"))
    _save(arguments.measure, json.dumps(speeds, indent=1) + "\n")
    return lesson.with_inputs({MEASURED: arguments.measure})


def typed_texts(arguments: argparse.Namespace) -> dict[str, str]:
    if "" in (arguments.a, arguments.b):
        raise WavediffError("--a and --b need one letter or more")
    letters = {name: text for name in LETTER_OPTIONS if (text := getattr(arguments, name)) is not None}
    for one in arguments.set:
        name, equals, text = one.partition("=")
        if not equals:
            raise WavediffError(f"--set {one}: a name and a value are needed, such as workers=6")
        letters[name.strip()] = text
    return letters


def _list(language: str) -> None:
    shipped = lessons(language)
    width = max(len(one.id) for one in shipped)
    sys.stdout.writelines(
        f"{one.id.ljust(width)}  {one.minutes:>2} min  {one.title} ({one.source})\n" for one in shipped
    )


def _write(lesson: Lesson, arguments: argparse.Namespace) -> None:
    if arguments.html_folder is not None:
        raise ExportError("--html-folder is for 'lesson all' or a course; --html writes one lesson")
    take_outputs(arguments, LESSON)
    inputs = (str(lesson.file),) if lesson.file else ()
    files, pictures = Files.of(arguments, LESSON, inputs), pictures_of(arguments, inputs)
    others: list[str] = []
    some = (
        [] if arguments.exercises is None else exercises(lesson, arguments.exercises, arguments.seed, arguments.level)
    )
    if pictures.paths or arguments.notes is not None or arguments.slides is not None:
        others = _paint(lesson, arguments, pictures, some)
    elif some or not files.paths:
        answers = not arguments.no_answers
        text = exercise_text(lesson, some, answers=answers) if some else lesson_text(lesson, arguments.step)
        tell(map(printable, text.removesuffix("\n").split("\n")), sys.stdout, paged=not arguments.no_pager)
    for kind, path in files.paths.items():
        step = arguments.step if kind.id == "text" else None
        _save(path, b"".join(kind.chunks(lesson)) if step is None else lesson_text(lesson, step))
    asked = arguments.measure, *files.paths.values(), arguments.notes, arguments.slides, *pictures.paths.values()
    _report(arguments, *filter(None, asked), *dict.fromkeys(others))


def _report(arguments: argparse.Namespace, *paths: str) -> None:
    if not arguments.quiet:
        stream = sys.stderr if STDOUT in paths else sys.stdout
        stream.writelines(f"{line}\n" for line in written_line(paths))


def _paint(lesson: Lesson, arguments: argparse.Namespace, pictures: Files, some: list[Exercise]) -> list[str]:
    require_qt()
    frame = frame_at(lesson, arguments.step, arguments.scene)
    # By name: all else of this command must not need Qt, not even for an import.
    painted = import_module("wavediff.app.teach.lesson_pictures")
    write_pictures(pictures.only(PICTURES), arguments, lambda size: painted.lesson_picture(lesson, frame, **size))
    others = write_pictures(pictures.only(FILMS), arguments, lambda size: painted.filmed(lesson, **size))
    with import_module("wavediff.app.ui.picture_sheet").offscreen():
        if arguments.notes is not None:
            chosen = {"answers": not arguments.no_answers, "a_page": arguments.a_page, "notes": arguments.teacher_notes}
            _save(arguments.notes, painted.hand_out(lesson, **chosen, some=some))
        if arguments.slides is not None:
            _save(arguments.slides, painted.slides(lesson))
    return others


def _begin_own(arguments: argparse.Namespace) -> None:
    if arguments.file is None:
        raise WavediffError(f"'lesson {NEW}' needs a file: lesson {NEW} mine.toml")
    if os.path.exists(arguments.file):
        raise ExportError(f"{printable(arguments.file)} already exists")
    _save(arguments.file, STARTER)
    _report(arguments, arguments.file)


def _course(arguments: argparse.Namespace) -> None:
    title, shipped = (
        ("Lessons", lessons(arguments.language)) if arguments.name == ALL else course_lessons(Path(arguments.name))
    )
    if arguments.check:
        for one in shipped:
            check_lesson(one, one.id)
        return
    if arguments.html_folder is None:
        raise ExportError("'lesson all' writes pages into a folder: --html-folder DIR is needed")
    folder = Path(arguments.html_folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"{printable(str(folder))}: {error.strerror}") from error
    pages = {one: str(folder / f"{one.id}.html") for one in shipped}
    for one, path in pages.items():
        _save(path, lesson_page(one, one.command("--html", f"{one.id}.html"), shipped))
    _save(str(folder / INDEX), course_page(shipped, title))
    _report(arguments, str(folder / INDEX), *pages.values())


def _save(path: str, content: str | bytes) -> None:
    raw = content.encode() if isinstance(content, str) else content
    if path != STDOUT:
        write_atomic(path, raw)
    elif isinstance(content, str):
        sys.stdout.write(content)
    else:
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
