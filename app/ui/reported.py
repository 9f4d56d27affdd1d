"""Qt overrides that never raise: exceptions are reported, and Qt gets a value.

If Python calls Qt and Qt calls an override that raises, PySide stores the exception until Qt returns. Meanwhile Qt
continues with an undefined return value, and a failed delegate ends in a segmentation fault. PySide 6.11 under Python
3.11 also crashes on exceptions of compiled code, e.g. ``[][1]``, because it expects arguments where only the text
exists. So each override is ``reported``.
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
