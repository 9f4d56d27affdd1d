"""Memory that the steps of a sort use one after another: a page that was written to before costs nothing again."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_LINE_BYTES = 64


class Scratch:
    """A block from which arrays are taken one behind the other; whoever sets ``at`` back gives back all behind it.

    Attributes:
        at: bytes taken.
    """

    def __init__(self, n_bytes: int) -> None:
        self._block = np.empty(n_bytes, np.uint8)
        self.at = 0

    def take(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an uninitialised array of shape (n,): of the block, or one of its own where the block is used up."""
        start = -(-self.at // _LINE_BYTES) * _LINE_BYTES
        end = start + n * np.dtype(dtype).itemsize
        if end > self._block.size:
            return np.empty(n, dtype)
        self.at = end
        return self._block[start:end].view(dtype)

    def resize(self, array: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
        """Return the array that was taken last with ``n`` elements, the old ones kept; it must not be used any more."""
        if array.size == n:
            return array
        if array.base is not self._block:
            larger = np.empty(n, array.dtype)
            larger[: array.size] = array[:n]
            return larger
        self.at -= array.nbytes
        resized = self.take(n, array.dtype)
        if resized.base is not self._block:
            resized[: array.size] = array[:n]
        return resized

    def take_last(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array at the very end, which lasts until the next one is taken; see ``take``."""
        start = (self._block.size - n * np.dtype(dtype).itemsize) // _LINE_BYTES * _LINE_BYTES
        if start < self.at:
            return np.empty(n, dtype)
        return self._block[start : start + n * np.dtype(dtype).itemsize].view(dtype)
