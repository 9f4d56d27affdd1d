"""Inputs of a lesson, checked before a trace is made from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def taken_letters(inputs: Mapping[str, Any], name: str, most: int | None = None) -> str:
    """Return a text of ``inputs``.

    Args:
        most: letters; None: as many as there are, which another one checks.

    Raises:
        ValueError: it is no text, is empty or has more letters.
    """
    value = inputs.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"'{name}' is {value!r}; letters are wanted")
    if not value:
        raise ValueError(f"'{name}' has no letters; one or more are wanted")
    if most is not None and len(value) > most:
        raise ValueError(f"'{name}' has {len(value):,} letters; up to {most:,} can be stepped")
    return value


def taken_number(inputs: Mapping[str, Any], name: str, least: int, most: int, default: int) -> int:
    """Return a whole number of ``inputs``.

    Raises:
        ValueError: it is none, or not ``least`` to ``most``.
    """
    value = inputs.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"'{name}' is {value!r}; a number is wanted")
    if not least <= value <= most:
        raise ValueError(f"'{name}' is {value:,}; {least:,} to {most:,} is possible")
    return value


def taken_block(inputs: Mapping[str, Any], most: int, default: tuple[int, int] = (4, 4)) -> tuple[int, int]:
    """Return rows and columns of a block.

    Raises:
        ValueError: they are no two numbers of 1 to ``most``.
    """
    value = inputs.get("block", default)
    match value:
        case [int(rows), int(cols)] if 1 <= rows <= most and 1 <= cols <= most:
            return rows, cols
    raise ValueError(f"'block' is {value}; rows and columns are wanted, as [4, 4]")


def refuse_others(inputs: Mapping[str, Any], *names: str) -> None:
    """Refuse what a trace does not take.

    Raises:
        ValueError: ``inputs`` have another name.
    """
    other = next((one for one in inputs if one not in names), None)
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
    found: dict[str, Any] = {}
    for name, text in texts.items():
        before = now[name]
        if isinstance(before, list | tuple):
            several = [one.strip() for one in text.split(",")]
            numbers = all(isinstance(one, int) for one in before)
            found[name] = [_whole(name, one) for one in several] if numbers else several
        else:
            found[name] = _whole(name, text) if isinstance(before, int) else text
    return found


def _whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"'{name}' is '{text}'; a whole number is wanted") from None
