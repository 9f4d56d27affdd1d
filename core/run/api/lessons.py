"""Lessons in a notebook, played by the page of ``wavediff lesson --html``."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from wavediff.core.export.registry import LESSON, of_id
from wavediff.core.run.api.running import require_one_of

if TYPE_CHECKING:
    from wavediff.core.teach.lesson import Lesson

PAGE_HEIGHT_PX = 680


class LessonPage:
    """Lesson; a notebook plays it, ``print`` shows each step as text.

    Attributes:
        lesson: parts, scenes and sentences of the lesson.
    """

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson

    def to(self, format: str) -> bytes:
        """Export the lesson as bytes: ``html``, ``text`` or ``json``."""
        return b"".join(of_id(LESSON, format).chunks(self.lesson))

    def save(self, path: str | Path, format: str = "html") -> None:
        of_id(LESSON, format).save(path, self.lesson)

    def __str__(self) -> str:
        return self.to("text").decode()

    def __repr__(self) -> str:
        return f"<Lesson: {self.lesson.title}>"

    def _repr_html_(self) -> str:
        page, title = escape(self.to("html").decode()), escape(self.lesson.title)
        style = f"width: 100%; height: {PAGE_HEIGHT_PX}px; border: 0"
        return f'<iframe srcdoc="{page}" title="{title}" style="{style}"></iframe>'


def lesson(name: str | Path, *, unit: str | None = None, **inputs: object) -> LessonPage:
    """Return a built-in lesson, or a lesson file.

    Args:
        name: a built-in lesson (``wavediff lesson`` lists them), or a TOML file.
        unit: what one step computes: ``cell``, ``row``...
        inputs: inputs that replace those of the lesson: ``a="kitten"``, ``workers=6``, ``record="run.json"``.

    Raises:
        WavediffError: unknown lesson, or invalid inputs.

    >>> lesson("edit-table", a="kitten", b="sitting")
    <Lesson: The fewest edits>
    """
    from wavediff.core.teach.lesson import lesson_named  # all traces, which a comparison needs none of
    from wavediff.core.teach.unit import Unit

    if unit is not None:
        require_one_of("unit", unit, Unit)
    lesson = lesson_named(str(name))
    if inputs or unit is not None:
        typed = {key: str(value) for key, value in inputs.items()}
        lesson = lesson.with_typed(typed, None if unit is None else Unit(unit))
    return LessonPage(lesson)
