"""CUDA's driver, called past CuPy: what ``gpu.card.transfer`` needs where the interpreter's lock is not held."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

# In the order of the numbers in ``core.jit.pinned_copy``.
_CALLS = ("cuEventSynchronize", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuEventRecord")


def library() -> Any:
    """Return the driver's library.

    Raises:
        OSError: no driver is installed.
    """
    return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")


class CudaDriver:
    """See ``gpu.card.transfer.Driver``; the current device.

    Args:
        cupy: the module.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy, self._device, driver = cupy, cupy.cuda.Device().id, library()
        self.calls = np.array([ctypes.cast(getattr(driver, name), ctypes.c_void_p).value for name in _CALLS], np.int64)

    def enter(self) -> None:
        self._cupy.cuda.Device(self._device).use()

    def pinned(self, size: int) -> tuple[int, Any]:
        memory = self._cupy.cuda.alloc_pinned_memory(size)
        return memory.ptr, memory

    def event(self) -> tuple[int, Any]:
        event = self._cupy.cuda.Event(disable_timing=True)
        return event.ptr, event

    def failure(self, code: int) -> Exception:
        error: Exception = self._cupy.cuda.driver.CUDADriverError(code)
        return error
