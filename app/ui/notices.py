"""Notices for the user."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import partial

from PySide6.QtCore import QObject, Signal

from wavediff.core.base.errors import NotEnoughMemory, WavediffError
from wavediff.core.jobs.events import MemoryForecast, NoticeRaised
from wavediff.core.methods import METHODS
from wavediff.core.methods.options import Choice

_OPTION = re.compile(
    r"(?P<quote>'?)(?:\b(?:compare|bwt) )?--(?P<id>[a-z][a-z-]*)(?P<rest> (?P<value>[\w.]+))?(?P=quote)"
)
_OTHERS = {  # of no method; a value in capitals stands for one
    "alignment": "Open alignment…", "record-alignment": "the chooser of Given alignment", "prove": "Prove",
    "topology linear": "Linear below the name of B", "unit": "Step by",
    "save-index": "Save… of the transform",
}  # fmt: skip
Choose = Callable[..., object]
RUN = "run"  # what a notice can be about, next to the sides


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Action:
    """Remedy, offered as a button unless ``is_done`` returns True: then it would change nothing."""

    text: str
    do: Callable[[], object]
    is_done: Callable[[], bool] = bool


@dataclass(frozen=True, slots=True, init=False)
class Notice:
    """Notice in plain text; options are named by their labels.

    ``about``: sides it refers to, or ``RUN``; replacing one removes the notice. ``actions``: remedies, then
    alternatives; choosing one removes the notice unless others still apply.
    """

    level: Severity
    text: str
    about: frozenset[str] = frozenset()
    actions: tuple[Action, ...] = field(default=(), compare=False)

    @property
    def offered(self) -> tuple[Action, ...]:
        return tuple(each for each in self.actions if not each.is_done())

    def __init__(
        self, level: Severity, text: str, about: frozenset[str] = frozenset(), *actions: Action | None
    ) -> None:
        values = level, by_controls(text), about, tuple(filter(None, actions))
        for each, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, each.name, value)


def error_text(error: BaseException) -> str:
    """Return the message of an error, with its type unless it is a ``WavediffError``."""
    return by_controls(str(error)) if isinstance(error, WavediffError) else one_line(error)


def one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return f"not enough memory ({text})" if text else "not enough memory"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class Notifier(QObject):
    """Base of objects that emit notices.

    Signals:
        noticed: a ``Notice``. replaced: the subject of its notices changed, see ``Notice.about``.
        crashed: an unexpected exception.
    """

    noticed = Signal(object)
    replaced = Signal(object)
    crashed = Signal(object)

    def notice(self, level: Severity, text: str, *about: str) -> None:
        """Show ``text`` until the thing it is ``about`` (sides, ``RUN``) is replaced, or it is dismissed."""
        self.noticed.emit(Notice(level, text, frozenset(about)))

    def pass_on(self, event: NoticeRaised | MemoryForecast, *about: str) -> None:
        """Emit the notice of a job event: a warning or a forecast."""
        self.notice(Severity.WARNING if isinstance(event, NoticeRaised) else Severity.INFO, event.text, *about)

    def report_error(self, error: BaseException, what: str, *about: str, choose: Choose | None = None) -> None:
        """Report an error, prefixed by ``what`` unless a ``WavediffError``; defects also emit ``crashed``.

        Args:
            choose: offers the options that an error of memory has; called with a label and the changed options.
        """
        if isinstance(error, WavediffError):
            ways: list[Action] = []
            if choose is not None and isinstance(error, NotEnoughMemory) and error.remedy:
                label = by_controls(" ".join(f"--{id_} {value}" for id_, value in error.remedy.items()))
                ways = [Action(label, partial(choose, label, **error.remedy))]
            self.noticed.emit(Notice(Severity.ERROR, str(error), frozenset(about), *ways))
            return
        self.notice(Severity.ERROR, f"{what}: {one_line(error)}", *about)
        if not isinstance(error, MemoryError | OSError):
            self.crashed.emit(error)


def by_controls(text: str) -> str:
    """Replace options of the command line in ``text`` by the labels of their controls and values."""
    return _OPTION.sub(_control, text) if "--" in text else text


def _control(match: re.Match[str]) -> str:
    id_, value = match["id"], match["value"] or ""
    if id_ == "method":
        return next((f"Method: {each.name}" for each in METHODS if each.id == value), match[0])
    if known := _OTHERS.get(f"{id_} {value}"):
        return known
    if known := _OTHERS.get(id_):
        return known + ("" if value.isupper() else match["rest"] or "")
    on = id_.removeprefix("no-")
    options = [option for each in METHODS for option in each.options if option.id == on and option.shown]
    if options and on != id_:
        return f"{options[0].label}: no"
    for option in options:
        with suppress(ValueError):
            entry = option.entry(option.parse(value)[id_]) if isinstance(option, Choice) else None
            if entry is not None:
                return f"{option.label}: {entry.name}"
    return f"{options[0].label} {value}".rstrip() if options else match[0]
