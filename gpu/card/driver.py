"""Driver of a card, and the meaning of its errors."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

from wavediff.core.base.errors import DeviceError, DeviceLost, DeviceOutOfMemory

# In the order of the numbers in ``wavediff.core.jit.pinned_copy``.
_CALLS = ("cuEventSynchronize", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuEventRecord")


def library() -> Any:
    """Return the driver's library.

    Raises:
        OSError: no driver is installed.
    """
    return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")


def make_context() -> bool:
    """Create the context of the first card for CuPy; return whether there is one.

    It takes some tenths of a second; the interpreter lock is released, so other threads can import modules meanwhile.
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
    """Driver of the current device; ``cupy``: the module.

    Attributes:
        calls: int64, addresses of its C functions, by the numbers of ``wavediff.core.jit.pinned_copy``.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy, self._device, driver = cupy, cupy.cuda.Device().id, library()
        self.calls = np.array([ctypes.cast(getattr(driver, name), ctypes.c_void_p).value for name in _CALLS], np.int64)

    def enter(self) -> None:
        """Activate the card in the calling thread."""
        self._cupy.cuda.Device(self._device).use()

    def pinned(self, size: int) -> tuple[int, Any]:
        """Allocate pinned host memory; return its address and owner."""
        memory = self._cupy.cuda.alloc_pinned_memory(size)
        return memory.ptr, memory

    def event(self) -> tuple[int, Any]:
        """Create an event; return its handle and owner."""
        event = self._cupy.cuda.Event(disable_timing=True)
        return event.ptr, event

    def failure(self, code: int) -> Exception:
        """Convert an error code to an exception."""
        error: Exception = self._cupy.cuda.driver.CUDADriverError(code)
        return error


# Error codes of the runtime and of the driver are the same.
NO_MEMORY = 2
TOO_OLD = 35
NO_DEVICE = 100
NOT_READY = 600
PEER_ALREADY = 704  # the requested state is already set
# After these, every later call fails too: memory faults, time-outs, uncorrectable errors.
LOST = frozenset({4, 214, 220, 226, 700, 702, 708, 709, 710, *range(714, 721), 999})


def translated(error: BaseException) -> DeviceError | None:
    """Return the card error that ``error`` means, or None."""
    if isinstance(error, DeviceError):
        return error
    cupy = sys.modules.get("cupy")
    if cupy is None:
        return None
    cuda, text = cupy.cuda, one_line(error)
    if isinstance(error, cuda.memory.OutOfMemoryError):
        return DeviceOutOfMemory(text)
    if isinstance(error, (cuda.runtime.CUDARuntimeError, cuda.driver.CUDADriverError)):
        if error.status == NO_MEMORY:
            return DeviceOutOfMemory(text)
        return DeviceLost(text) if error.status in LOST else DeviceError(text)
    if isinstance(error, (cuda.compiler.CompileException, cuda.nvrtc.NVRTCError)):
        return DeviceError(f"a kernel could not be compiled: {text}")
    return None


def one_line(error: BaseException, limit: int = 200) -> str:
    """Return the message of ``error`` on one line."""
    lines = (" ".join(line.split()) for line in str(error).splitlines())
    text = "; ".join(line for line in lines if line.strip("=-"))
    if not text:
        return type(error).__name__
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
