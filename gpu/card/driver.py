"""CUDA's driver, called past CuPy: what ``wavediff.gpu.card.transfer`` needs where the interpreter's lock is not
held."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

# In the order of the numbers in ``wavediff.core.jit.pinned_copy``.
_CALLS = ("cuEventSynchronize", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuEventRecord")


def library() -> Any:
    """Return the driver's library.

    Raises:
        OSError: no driver is installed.
    """
    return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")


def make_context() -> bool:
    """Make the context of the first card, which CuPy takes then; return whether there is one.

    It takes some tenths of a second, and as no lock of the interpreter is held, others can import meanwhile.
    """
    try:
        driver, device, context = library(), ctypes.c_int(), ctypes.c_void_p()
        return bool(
            driver.cuInit(0) == 0
            and driver.cuDeviceGet(ctypes.byref(device), 0) == 0
            and driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device) == 0
        )
    except (OSError, AttributeError):
        return False


class CudaDriver:
    """See ``wavediff.gpu.card.transfer.Driver``; the current device.

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
