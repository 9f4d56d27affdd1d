"""Translation of CuPy's exceptions to the errors of this program. Looks at CuPy only where it is loaded already."""

from __future__ import annotations

import sys

from wavediff.core.base.errors import DeviceError, DeviceLost, DeviceOutOfMemory

# Codes of the runtime and of the driver; the two share them.
NO_MEMORY = 2
TOO_OLD = 35
NO_DEVICE = 100
NOT_READY = 600
PEER_ALREADY = 704  # what was asked for is so already
# After these every later call fails too, whatever it asks for: memory faults, time-outs, uncorrectable errors.
LOST = frozenset({4, 214, 220, 226, 700, 702, 708, 709, 710, *range(714, 721), 999})


def translated(error: BaseException) -> DeviceError | None:
    """Return what ``error`` means for the graphics card; None where it does not come from it."""
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
    """Return what ``error`` says without the frames of lines and the blanks that CuPy puts into it."""
    lines = (" ".join(line.split()) for line in str(error).splitlines())
    text = "; ".join(line for line in lines if line.strip("=-"))
    if not text:
        return type(error).__name__
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
