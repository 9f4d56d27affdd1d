"""Exercises of a lesson: a sheet of random questions, and its key."""

from __future__ import annotations

from typing import NamedTuple

from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import count, number
from wavediff.core.teach.language import in_language
from wavediff.core.teach.lesson import Lesson, Part
from wavediff.core.teach.player import Frame
from wavediff.core.teach.questions import CLICKED, LEVELS, Question, fresh_question
from wavediff.core.teach.unit import UNIT_NAMES

TRIES = 20  # for each exercise, until one is not there yet
MAX_EXERCISES = 200


class Exercise(NamedTuple):
    """Question about a step of a part."""

    part: Part
    question: Question

    @property
    def asked(self) -> Frame:
        """Frame shown with the question."""
        return Frame(self.part, None, self.question.unit, self.question.shown)

    @property
    def solved(self) -> Frame:
        return Frame(self.part, None, self.question.unit, self.question.step)

    @property
    def text(self) -> str:
        options = ", ".join(name for _, name in self.question.options)
        return f"{self.question.text} ({options})" if options else self.question.text

    @property
    def after(self) -> str:
        """Name of the step shown, for sheets without pictures."""
        question = self.question
        after = f"After {UNIT_NAMES[question.unit]} {number(question.shown)}: "
        return in_language(self.part.language, after if question.shown else "At the start: ")

    @property
    def key(self) -> str:
        """Answer with the reason."""
        question = self.question
        if question.kind not in CLICKED:
            return question.answer
        grid = self.part.trace.scene(question.unit, question.shown).grid
        first = int(grid is not None and len(grid.left) == len(grid.values))  # blocks are counted from 1
        cells = sorted(tuple(int(place) + first for place in cell.split(",")) for cell in question.accepts)
        return f"{', '.join(map(str, cells))}. {question.why}"


def exercises(lesson: Lesson, n: int, seed: int, level: int = len(LEVELS)) -> list[Exercise]:
    """Return ``n`` distinct exercises, from the parts of a lesson in turn; equal seeds give equal exercises.

    Args:
        level: highest level of the questions, see ``LEVELS``.

    Raises:
        WavediffError: the lesson has fewer exercises, or ``n`` exceeds ``MAX_EXERCISES``.
    """
    if not 1 <= n <= MAX_EXERCISES:
        raise WavediffError(f"{number(n)} exercises cannot be made; 1 to {number(MAX_EXERCISES)} can")
    found: dict[tuple[int, str, str], Exercise] = {}
    for k in range(TRIES * n):
        at = k % len(lesson.parts)
        part = lesson.parts[at]
        question = fresh_question(part.trace, part.units, seed * TRIES * MAX_EXERCISES + k, level)
        if question is not None:
            found.setdefault((at, question.text, question.why), Exercise(part, question))
        if len(found) == n:
            return [found[key] for key in sorted(found, key=lambda key: key[0])]
    raise WavediffError(f"'{lesson.id}' has {count(len(found), 'exercise', 'exercises')}, not {number(n)}")


def exercise_text(lesson: Lesson, some: list[Exercise], *, answers: bool) -> str:
    """Return the exercises ``some`` as text, with the key if ``answers``."""
    blocks = [f"{lesson.title}\n{lesson.source}"]
    for part in dict.fromkeys(one.part for one in some):
        inputs = [f"{name.upper()} {text}" for name, text in part.texts.items()]
        blocks += ["\n".join(inputs), part.sentence(part.scenes[0], part.scenes[0].first)]
        blocks += [f"{k}. {one.after}{one.text}" for k, one in enumerate(some, 1) if one.part is part]
    if answers:
        blocks += [in_language(lesson.language, "Key"), *(f"{k}. {one.key}" for k, one in enumerate(some, 1))]
    return "\n\n".join(filter(None, blocks)) + "\n"
