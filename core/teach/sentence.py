"""Sentence templates: text with ``{name}`` and ``{name[i,j]}`` only."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from wavediff.core.base.numbers import number
from wavediff.core.sequences.characters import alone
from wavediff.core.teach.scene import Trace

_SYNTAX = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")
_FIELD = re.compile(r"([A-Za-z]\w*(?:[ ,]\w+)*)(?:\[(\d{1,9}(?:,\d{1,9})*)\])?", re.ASCII)
_NOW = "now "


def sentence_fields(text: str) -> list[str]:
    """Return the fields of a sentence, without their braces.

    Raises:
        ValueError: an unpaired brace, or a field that is not a name with optional indices.

    >>> sentence_fields("{answer} edits, {D[5,5]} before")
    ['answer', 'D[5,5]']
    """
    fields = [piece[1:-1] for piece in _SYNTAX.findall(text) if piece not in ("{{", "}}")]
    wrong = next((field for field in fields if not _FIELD.fullmatch(field)), None)
    if wrong is not None:
        problem = f"'{{{wrong[:40]}}}' is no field" if wrong else "a brace has no partner or no name"
        raise ValueError(f"{problem}; write the name of a value, with its indices if it has any, such as {{L[1,2]}}")
    return fields


def filled(text: str, trace: Trace, now: str) -> str:
    """Return a sentence with its fields filled in.

    Args:
        now: unit and step: ``{now cells}`` is ``cells UNIT STEP``.

    Raises:
        ValueError: see ``sentence_fields``. LookupError: unknown name or index.
    """
    sentence_fields(text)

    def value(match: re.Match[str]) -> str:
        piece = match[0]
        return piece[0] if piece in ("{{", "}}") else _value(piece[1:-1], trace, now)

    return _SYNTAX.sub(value, text)


def _value(field: str, trace: Trace, now: str) -> str:
    parts = _FIELD.fullmatch(field)
    assert parts is not None, field
    name, index = parts[1], parts[2]
    letters = trace.inputs.get(name)
    if isinstance(letters, str):
        return letters if index is None else _letter(letters, int(index) if index.isdigit() else 0, field)
    if name.startswith(_NOW):
        name = f"{name.removeprefix(_NOW)} {now}"
    if index is None:
        return _shown(trace.value_of(name))
    try:
        value = trace.value_of(name)
    except KeyError:
        return _shown(trace.value_of(f"{name}[{index}]"))
    for place in index.split(","):
        if not isinstance(value, list | tuple | np.ndarray):
            raise LookupError(f"'{field}'")
        value = value[int(place)]
    return _shown(value)


def _letter(letters: str, place: int, field: str) -> str:
    if not 1 <= place <= len(letters):
        raise LookupError(f"'{field}'")
    return alone(letters[place - 1])


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple | np.ndarray):
        return ", ".join(map(_shown, value))
    return number(int(value)) if isinstance(value, int | np.integer) else str(value)
