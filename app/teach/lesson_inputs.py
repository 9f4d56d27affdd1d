"""Lessons on the letters and on the run of the window."""

from __future__ import annotations

from dataclasses import replace

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.record.run_file import StoredRun
from wavediff.core.sequences.characters import decoded, folding_of
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.teach.lesson import LETTER_OPTIONS, Lesson, Part
from wavediff.core.teach.recorded import LAST, RecordedTrace


def _letters(part: Part) -> dict[str, str]:
    return {name: text for name, text in part.trace.inputs.items() if name in LETTER_OPTIONS and isinstance(text, str)}


def _kind(part: Part) -> tuple[object, ...]:
    letters = _letters(part)
    return letters.keys(), part.trace.scene(part.units[0], 0).grid is None, len(" ".join(letters.values()).split())


def with_letters_of(lesson: Lesson, own: Part) -> Lesson:
    """Return ``lesson`` with the letters of ``own``, a part of another lesson, if both have the same kind of inputs."""
    try:
        return lesson.with_inputs(_letters(own)) if _letters(own) and _kind(own) == _kind(lesson.parts[0]) else lesson
    except WavediffError:
        return lesson


def plays_last(lesson: Lesson) -> bool:
    return any(part.inputs.get("record") == LAST for part in lesson.parts)


def with_run(lesson: Lesson, run: StoredRun) -> Lesson:
    """Return a lesson that plays ``run`` as the last run; its exported command names a record file instead."""
    parts = tuple(
        replace(part, made=RecordedTrace(run, LAST, was_run_here=True), expect={})
        if part.inputs.get("record") == LAST
        else part
        for part in lesson.parts
    )
    return replace(lesson, parts=parts, options=("--set", "record=run.json"))


def compared(each: Sequence, *, own: bool) -> str:
    """Return letters in the case in which they are compared; with U as T, if compared so, unless ``own``."""
    folds = each.alphabet.folds_case
    letters = each.letters if own else each.comparable(folds)
    return decoded(folding_of(folds, letters)[letters], each.characters)


def taken(lesson: Lesson) -> set[str]:
    """Return which of A and B the lesson uses: both, A alone (a single text), or none."""
    names = (set(LETTER_OPTIONS) & set(part.trace.inputs) for part in lesson.parts if not part.fixed)
    return max(names, key=len, default=set[str]())


def with_letters(lesson: Lesson, a: str, b: str, _cancel: CancelToken) -> tuple[None, Lesson]:
    """Return a lesson on those of A and B that it uses; computes its table, 0.1 s for 512 x 512."""
    names = taken(lesson)
    other = lesson.with_inputs({name: text for name, text in {"a": a, "b": b}.items() if name in names})
    part = other.parts[0]
    grid = part.trace.scene(part.units[0], 0).grid
    if grid is not None and grid.arrows is not None:
        grid.arrows.on_path  # noqa: B018 - kept, and tinted at the end
    return None, other
