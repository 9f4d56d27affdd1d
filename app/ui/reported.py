"""Overrides of Qt's that never raise: what goes wrong in them is reported, and Qt gets an answer.

Where Python code called Qt, and Qt an override that raised, PySide keeps the exception until Qt returns. Meanwhile Qt
goes on with an answer that was never made, and with a delegate that fails the next call ends in a segmentation fault.
So ``data`` of every model and all that delegates override are ``reported``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

P = ParamSpec("P")


def report(error: BaseException) -> None:
    """Hand over to whoever reports errors that nobody foresaw (``wavediff.app.window.frame.errors_dialog``)."""
    sys.excepthook(type(error), error, error.__traceback__)


def reported(method: Callable[P, Any]) -> Callable[P, Any]:
    """Make ``method`` report what it raises, and answer None instead."""

    @wraps(method)
    def guarded(*arguments: P.args, **named: P.kwargs) -> Any:
        try:
            return method(*arguments, **named)
        except Exception as error:
            report(error)
            return None

    return guarded
