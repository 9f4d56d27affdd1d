"""Base classes of traces whose units divide one computation into different steps, and parsing of their inputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from wavediff.core.teach.questions import Asked, Kind, Question, new_question
from wavediff.core.teach.scene import Scene
from wavediff.core.teach.unit import Unit

T = TypeVar("T")


def of_inputs(**kinds: Callable[[Any, str], Any]) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator that parses the inputs of a trace from a lesson.

    Each of ``kinds`` converts an input (None if missing), given its name, or raises ValueError.

    >>> of_inputs(a=letters(4), n=whole(1, 9, 5))(str.ljust)({"a": "ACGT"})
    'ACGT '
    """

    def decorated(make: Callable[..., T]) -> Callable[..., T]:
        def trace(inputs: Mapping[str, Any], *more: Any) -> T:
            refuse_others(inputs, *kinds)
            return make(*(kind(inputs.get(name), name) for name, kind in kinds.items()), *more)

        return trace

    return decorated


def letters(most: int | None = None) -> Callable[[Any, str], str]:
    """Return the validator of texts of up to ``most`` letters; None: unlimited."""

    def taken(value: Any, name: str) -> str:
        if value is not None and not isinstance(value, str):
            raise ValueError(f"'{name}' is {value!r}; letters are wanted")
        if not value:
            raise ValueError(f"'{name}' has no letters; one or more are wanted")
        if most is not None and len(value) > most:
            raise ValueError(f"'{name}' has {len(value):,} letters; up to {most:,} can be stepped")
        return value

    return taken


def whole(least: int, most: int, default: int) -> Callable[[Any, str], int]:
    """Return the validator of integers from ``least`` to ``most``."""

    def taken(value: Any, name: str) -> int:
        value = default if value is None else value
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"'{name}' is {value!r}; a number is wanted")
        if not least <= value <= most:
            raise ValueError(f"'{name}' is {value:,}; {least:,} to {most:,} is possible")
        return value

    return taken


def sides(most: int, default: tuple[int, int] = (4, 4)) -> Callable[[Any, str], tuple[int, int]]:
    """Return the validator of block sizes, 1 to ``most`` rows and columns."""

    def taken(value: Any, name: str) -> tuple[int, int]:
        match default if value is None else value:
            case [int(rows), int(cols)] if 1 <= rows <= most and 1 <= cols <= most:
                return rows, cols
        raise ValueError(f"'{name}' is {value}; rows and columns are wanted, as [4, 4]")

    return taken


def given(default: Any) -> Callable[[Any, str], Any]:
    """Return the validator that accepts any value, with ``default`` for a missing one."""
    return lambda value, _name: default if value is None else value


def refuse_others(inputs: Mapping[str, Any], *names: str) -> None:
    """Raise ValueError for unknown ``inputs``."""
    other = next((name for name in inputs if name not in names), None)
    if other is not None:
        raise ValueError(f"'{other}' means nothing here; {', '.join(names)} do")


def input_text(value: Any) -> str:
    """Format an input as typed by the user.

    >>> input_text([4, 4]), input_text(["queue", "calls"]), input_text("ACGT")
    ('4, 4', 'queue, calls', 'ACGT')
    """
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def typed_inputs(texts: Mapping[str, str], now: Mapping[str, Any]) -> dict[str, Any]:
    """Parse typed inputs, each to the type of its current value.

    Raises:
        ValueError: unknown input, or no number where one is expected.

    >>> typed_inputs({"workers": "6", "rules": "queue,strips"}, {"workers": 2, "rules": ["queue"]})
    {'workers': 6, 'rules': ['queue', 'strips']}
    """
    refuse_others(texts, *now)
    values: dict[str, Any] = {}
    for name, text in texts.items():
        before = now[name]
        if isinstance(before, list | tuple):
            several = [piece.strip() for piece in text.split(",")]
            numbers = all(isinstance(piece, int) for piece in before)
            values[name] = [_whole(name, piece) for piece in several] if numbers else several
        else:
            values[name] = _whole(name, text) if isinstance(before, int) else text
    return values


def _whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"'{name}' is '{text}'; a whole number is wanted") from None


class CountedTrace(ABC):
    """Trace whose units divide the same computation into different steps.

    Args:
        inputs: of the trace.
        known: for each unit, the amount computed after each step from 0, in the same measure for all units.
        asks: the kind of all questions; None: no questions.
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
        """Return the scene after step ``k``."""

    @abstractmethod
    def say(self, unit: Unit, k: int) -> str:
        """Return one or two sentences about step ``k``."""

    def value_of(self, name: str) -> Any:
        """Return a value for sentences and expectations: ``steps UNIT``, or a value of ``_value``.

        Raises:
            KeyError: unknown name.
        """
        first, _, rest = name.partition(" ")
        if first == "steps" and rest in self.units:
            return self.steps(Unit(rest))
        return self._value(name)

    @abstractmethod
    def _value(self, name: str) -> Any:
        """Return a value of this trace, or raise KeyError."""

    def kinds(self, unit: Unit) -> tuple[Kind, ...]:
        assert unit in self.units
        return () if self._asks is None else (self._asks,)

    def moments(self, unit: Unit) -> Mapping[str, Sequence[int]]:
        """Return the named steps; for other units than the first, the steps that complete one of the first."""
        first = self.units[0]
        if unit is first:
            return self._moments()
        ends = {bisect_left(self._known[unit], known) for known in self._known[first][1:]}
        return {str(first): sorted(ends)}

    def _moments(self) -> Mapping[str, Sequence[int]]:
        return {}

    def ask(self, unit: Unit, k: int, kind: Kind) -> Question:
        """Return the question of the first unit's first step that knows as much as step ``k`` of ``unit``."""
        first = self.units[0]
        at = bisect_left(self._known[first], self._known[unit][k])
        return new_question(kind, unit, k, self._question(at), self.say(first, at))

    def _question(self, k: int) -> Asked:
        """Return the question that step ``k`` of the first unit answers, with all correct answers."""
        raise NotImplementedError(k)


class OneUnitTrace(CountedTrace):
    """Trace with one unit; ``last_step``: the number of the last step."""

    def __init__(self, inputs: Mapping[str, Any], unit: Unit, last_step: int, asks: Kind | None = None) -> None:
        super().__init__(inputs, {unit: range(last_step + 1)}, asks)
        self.last_step = last_step

    @abstractmethod
    def scene_at(self, k: int) -> Scene:
        """Return the scene after step ``k``."""

    @abstractmethod
    def say_at(self, k: int) -> str:
        """Return one or two sentences about step ``k``."""

    def scene(self, unit: Unit, k: int) -> Scene:  # noqa: ARG002
        return self.scene_at(k)

    def say(self, unit: Unit, k: int) -> str:  # noqa: ARG002
        return self.say_at(k)
