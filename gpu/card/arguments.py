"""Argument struct of the strip kernels: ``Matrix`` of ``cuda/matrix.cuh``."""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.gpu.card import place_times
from wavediff.gpu.card.cuda import Card

_POINTERS = (
    "tables", "columns", "tickets", "mail", "v", "flight", "done", "step", "begun", "counter", "entering", "leaving",
)  # fmt: skip
_KEPT = ("kept_v", "kept_h", "lo")
_STRIDES = ("kept_v_stride", "kept_h_stride")
_NUMBERS = ("kept_width", "n_tickets", "table_rows", "ring", "mail_groups", "batch", "keep_groups", "keep_lanes")
STRUCT = np.dtype(
    [(name, np.uint64) for name in _POINTERS + _KEPT]
    + [(name, np.int64) for name in _STRIDES]
    + [(name, np.int32) for name in _NUMBERS]
    + [("slice", np.uint64), ("times", place_times.STRUCT)],
    align=True,
)


def filled(card: Card, arrays: dict[str, Any], **numbers: int) -> Any:
    """Return the struct with ``numbers`` and the addresses of ``arrays`` (None: null), which the caller keeps alive."""
    struct: Any = np.zeros((), STRUCT)
    for name, array in arrays.items():
        struct[name] = 0 if array is None else card.address(array)
    for name, number in numbers.items():
        struct[name] = number
    return struct[()]
