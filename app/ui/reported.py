"""Qt overrides that never raise: exceptions are reported, and Qt gets a value.

Where Python code called Qt, and Qt an override that raised, PySide keeps the exception until Qt returns. Meanwhile Qt
goes on with an answer that was never made, and with a delegate that fails the next call ends in a segmentation fault.
PySide 6.11 itself ends in one under Python 3.11 if the exception was raised by compiled code, as by ``[][1]``: it looks
for the arguments of an exception in what is only its text yet. So every override of every class is ``reported``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType, MethodDescriptorType
from typing import Any, ParamSpec

from PySide6.QtCore import QObject

P = ParamSpec("P")


def reported(method: Callable[P, Any]) -> Callable[P, Any]:
    """Wrap ``method``: report exceptions and return None."""

    @wraps(method)
    def guarded(*arguments: P.args, **named: P.kwargs) -> Any:
        try:
            return method(*arguments, **named)
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)  # see ``wavediff.app.window.frame.dialogs``
            return None

    return guarded


def _report_overrides(kind: type, **options: Any) -> None:
    super(QObject, kind).__init_subclass__(**options)  # type: ignore[misc]
    for name, method in list(vars(kind).items()):
        of_qt = any(isinstance(vars(base).get(name), MethodDescriptorType) for base in kind.__mro__)
        if of_qt and isinstance(method, FunctionType) and not name.startswith("__"):
            setattr(kind, name, reported(method))


QObject.__init_subclass__ = classmethod(_report_overrides)  # type: ignore[assignment, arg-type]
