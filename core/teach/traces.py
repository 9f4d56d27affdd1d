"""All traces by the name that a lesson gives its method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.errors import WavediffError
from core.teach.scene import Trace
from core.teach.table import EditTable, LcsTable
from core.teach.table_trace import table_trace

Inputs = Mapping[str, Any]
TRACES: dict[str, Callable[[Inputs], Trace]] = {
    "lcs": lambda inputs: table_trace(LcsTable, inputs),
    "edit": lambda inputs: table_trace(EditTable, inputs),
}


class InputsRefused(WavediffError):
    """Inputs of which a method has no trace; the text says what is possible."""


def new_trace(method: str, inputs: Inputs) -> Trace:
    """Return the trace of a method of ``TRACES``.

    Args:
        inputs: ``a``, ``b``, ``block`` and whatever else the method takes.

    Raises:
        InputsRefused: with what is possible.
    """
    try:
        return TRACES[method](inputs)
    except (ValueError, WavediffError) as error:
        raise InputsRefused(str(error)) from error
