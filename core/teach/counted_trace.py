"""The common part of traces; their units are told apart by how much is known after each of their steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from wavediff.core.teach.questions import Kind, Question
from wavediff.core.teach.scene import Scene
from wavediff.core.teach.unit import Unit


class CountedTrace(ABC):
    """A trace of which each unit says how much of one computation is known after each of its steps.

    Args:
        inputs: that it was made from.
        known: for each unit, of the steps from 0 on, in any measure that all of them share; it never falls.
        asks: the kind of the questions; None: there are none.
    """

    def __init__(
        self, inputs: Mapping[str, Any], known: Mapping[Unit, Sequence[int]], asks: Kind | None = None
    ) -> None:
        self.inputs: Mapping[str, Any] = inputs
        self.units: tuple[Unit, ...] = tuple(known)
        self._known, self._asks = known, asks

    def steps(self, unit: Unit) -> int:
        return len(self._known[unit]) - 1

    def same(self, unit: Unit, k: int, other: Unit) -> int:
        return bisect_right(self._known[other], self._known[unit][k]) - 1

    @abstractmethod
    def scene(self, unit: Unit, k: int) -> Scene:
        """Return what is seen after step ``k``."""

    @abstractmethod
    def say(self, unit: Unit, k: int) -> str:
        """Return what happened in step ``k``, a sentence or two."""

    def value_of(self, name: str) -> Any:
        """Return a value for sentences and expectations: ``steps UNIT``, or one of ``_value``.

        Raises:
            KeyError: nothing is called so.
        """
        first, _, rest = name.partition(" ")
        if first == "steps" and rest in self.units:
            return self.steps(Unit(rest))
        return self._value(name)

    @abstractmethod
    def _value(self, name: str) -> Any:
        """Return a value of this trace's own, or raise KeyError."""

    def kinds(self, unit: Unit) -> tuple[Kind, ...]:
        assert unit in self.units
        return () if self._asks is None else (self._asks,)

    def ask(self, unit: Unit, k: int, kind: Kind) -> Question:
        """Return the question of one of ``kinds`` that step ``k`` answers, or that the steps from there on do."""
        first = self.units[0]
        asked = bisect_left(self._known[first], self._known[unit][k])
        text, accepts = self._question(asked)
        return Question(kind, unit, k, text, frozenset(accepts), True, self.say(first, asked))

    def _question(self, k: int) -> tuple[str, set[str]]:
        """Return what is asked of step ``k`` of the first unit, and the right answers, all of which are wanted."""
        raise NotImplementedError(k)


class OneUnitTrace(CountedTrace):
    """A trace whose steps have one unit, so that only the number of a step matters.

    Attributes:
        last_step: the number of the last step.
    """

    def __init__(self, inputs: Mapping[str, Any], unit: Unit, last_step: int, asks: Kind | None = None) -> None:
        super().__init__(inputs, {unit: range(last_step + 1)}, asks)
        self.last_step = last_step

    @abstractmethod
    def scene_at(self, k: int) -> Scene:
        """Return what is seen after step ``k``."""

    @abstractmethod
    def say_at(self, k: int) -> str:
        """Return what happened in step ``k``, a sentence or two."""

    def scene(self, unit: Unit, k: int) -> Scene:  # noqa: ARG002
        return self.scene_at(k)

    def say(self, unit: Unit, k: int) -> str:  # noqa: ARG002
        return self.say_at(k)
