"""Inputs of a lesson, checked before a trace is made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def of_inputs(**kinds: Callable[[Any, str], Any]) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Make what is decorated take the inputs of a lesson instead of a value for each of ``kinds``.

    A kind makes a value of what the inputs have, None where they have nothing, and of its name; it raises ValueError.

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
    """Return the kind of texts of ``most`` letters; None: of as many as there are, which another one checks."""

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
    """Return the kind of whole numbers from ``least`` to ``most``."""

    def taken(value: Any, name: str) -> int:
        value = default if value is None else value
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"'{name}' is {value!r}; a number is wanted")
        if not least <= value <= most:
            raise ValueError(f"'{name}' is {value:,}; {least:,} to {most:,} is possible")
        return value

    return taken


def sides(most: int, default: tuple[int, int] = (4, 4)) -> Callable[[Any, str], tuple[int, int]]:
    """Return the kind of rows and columns of a block, of 1 to ``most`` each."""

    def taken(value: Any, name: str) -> tuple[int, int]:
        match default if value is None else value:
            case [int(rows), int(cols)] if 1 <= rows <= most and 1 <= cols <= most:
                return rows, cols
        raise ValueError(f"'{name}' is {value}; rows and columns are wanted, as [4, 4]")

    return taken


def given(default: Any) -> Callable[[Any, str], Any]:
    """Return the kind of what is taken as it is, for another one to check."""
    return lambda value, _name: default if value is None else value


def refuse_others(inputs: Mapping[str, Any], *names: str) -> None:
    """Refuse what a trace does not take.

    Raises:
        ValueError: ``inputs`` have another name.
    """
    other = next((name for name in inputs if name not in names), None)
    if other is not None:
        raise ValueError(f"'{other}' means nothing here; {', '.join(names)} do")


def input_text(value: Any) -> str:
    """Return an input as a person types it.

    >>> input_text([4, 4]), input_text(["queue", "calls"]), input_text("ACGT")
    ('4, 4', 'queue, calls', 'ACGT')
    """
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def typed_inputs(texts: Mapping[str, str], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return inputs that were typed, each of the kind that it has now.

    Raises:
        ValueError: there is no such input, or a number is wanted.

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
