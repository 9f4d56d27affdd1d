"""What a person should read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

RUN = "run"  # what a notice can be about, beside the sides


class Level(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Action:
    """What helps, for a button, and how it is done."""

    text: str
    do: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing a person should read; plain text.

    ``about``: the sides it complains of, or ``RUN``; it is out of date once one of them is replaced.
    ``action``: what would help; the notice is done with once it was chosen.
    """

    level: Level
    text: str
    about: frozenset[str] = frozenset()
    action: Action | None = field(default=None, compare=False)


def one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return f"not enough memory ({text})" if text else "not enough memory"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
