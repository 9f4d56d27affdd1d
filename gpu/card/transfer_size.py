"""Minimum size of multithreaded transfers (``wavediff.gpu.card.transfer``)."""

from __future__ import annotations

from typing import Any

THREADED_COPY_BYTES = 16 << 20  # bytes; one thread is as fast for smaller arrays


def is_large(array: Any) -> bool:
    return bool(array.nbytes >= THREADED_COPY_BYTES)
