"""Traces that are stepped in one unit alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from core.teach.questions import Kind, Question
from core.teach.scene import Scene
from core.teach.unit import Unit


class OneUnitTrace(ABC):
    """A ``Trace`` whose steps have one unit, so that only the number of a step matters.

    Attributes:
        units: the one. inputs: see ``Trace``. asked_kind: what can be asked of each step; None: nothing.
    """

    units: tuple[Unit, ...]
    inputs: Mapping[str, Any]
    asked_kind: Kind | None

    @abstractmethod
    def last_step(self) -> int:
        """Return the number of the last step."""

    @abstractmethod
    def scene_at(self, k: int) -> Scene:
        """Return what is seen after step ``k``."""

    @abstractmethod
    def say_at(self, k: int) -> str:
        """Return what happened in step ``k``, a sentence or two."""

    @abstractmethod
    def ask_at(self, k: int) -> tuple[str, object]:
        """Return a question that step ``k`` answers, and its one answer, or all that belong to it as a set."""

    def steps(self, unit: Unit) -> int:  # noqa: ARG002
        """Return the number of the last step."""
        return self.last_step()

    def scene(self, unit: Unit, k: int) -> Scene:  # noqa: ARG002
        """Return what is seen after step ``k``."""
        return self.scene_at(k)

    def say(self, unit: Unit, k: int) -> str:  # noqa: ARG002
        """Return what happened in step ``k``, a sentence or two."""
        return self.say_at(k)

    def same(self, unit: Unit, k: int, other: Unit) -> int:  # noqa: ARG002
        """Return ``k``."""
        return k

    def kinds(self, unit: Unit) -> tuple[Kind, ...]:  # noqa: ARG002
        """Return what can be asked of a step."""
        return () if self.asked_kind is None else (self.asked_kind,)

    def ask(self, unit: Unit, k: int, kind: Kind) -> Question:
        """Return the question of one of ``kinds`` that step ``k`` answers."""
        text, answer = self.ask_at(k)
        accepts = answer if isinstance(answer, set) else {str(answer)}
        return Question(kind, unit, k, text, frozenset(accepts), True, self.say_at(k))
