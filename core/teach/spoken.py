"""Translated traces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

from wavediff.core.teach.language import ENGLISH, in_language
from wavediff.core.teach.questions import Question
from wavediff.core.teach.scene import CellTrace, Scene, Sheet, Trace


class SpokenTrace:
    """Trace with translated sentences, questions and explanations."""

    def __init__(self, trace: Trace, language: str) -> None:
        self._trace = trace
        self._spoken: Callable[[str], str] = partial(in_language, language)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._trace, name)

    def say(self, *step: Any) -> str:
        return self._spoken(self._trace.say(*step))

    def ask(self, *step: Any) -> Question:
        """Return a question with translated text, reason, choices and slips."""
        asked, spoken = self._trace.ask(*step), self._spoken
        return replace(
            asked,
            text=spoken(asked.text),
            why=spoken(asked.why),
            options=tuple((id_, spoken(name)) for id_, name in asked.options),
            slips=tuple(each._replace(text=spoken(each.text)) for each in asked.slips),
            either=spoken(asked.either),
        )

    def scene(self, *step: Any) -> Scene:
        scene, spoken = self._trace.scene(*step), self._spoken
        parts = (
            replace(part, title=spoken(part.title), heads=tuple(map(spoken, part.heads)))
            if isinstance(part, Sheet)
            else part
            for part in scene.parts
        )
        return replace(scene, parts=tuple(parts))


class SpokenCells(SpokenTrace):
    """Translated trace with explanations of cells."""

    def candidates(self, row: int, col: int) -> Any:
        return cast(CellTrace, self._trace).candidates(row, col)

    def explain(self, row: int, col: int) -> str:
        return self._spoken(cast(CellTrace, self._trace).explain(row, col))


def spoken(trace: Trace, language: str) -> Trace:
    """Return a trace in one of ``LANGUAGES``."""
    kind = SpokenCells if isinstance(trace, CellTrace) else SpokenTrace
    return trace if language == ENGLISH else cast(Trace, kind(trace, language))
