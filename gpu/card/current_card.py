"""Graphics cards of this process: availability, properties, failures.

CuPy is imported on the first request that needs it, in its own thread: a driver may take seconds to wake a card, or
never answer. Two fast checks come first: CuPy is installed, and a driver is present.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from contextlib import suppress
from importlib.util import find_spec
from time import monotonic

from wavediff.core.base.errors import BackendUnavailable, DeviceError
from wavediff.core.jit.gc_control import import_frozen
from wavediff.core.jobs.choices import gpu_unused
from wavediff.core.system.machine import GraphicsCard
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.card.driver import NO_DEVICE, TOO_OLD, library, make_context, one_line, translated

MIN_CAPABILITY = (7, 5)  # Turing
DRIVER_TIMEOUT_SECONDS = 10.0  # seconds for the driver to answer
_CLOCK_RATE = 13  # cudaDevAttrClockRate, kHz


class CurrentCard:
    """Thread-safe access to the cards of the process.

    CUDA's current device runs every job. Other cards of the same kind share large jobs; ``CUDA_VISIBLE_DEVICES``
    selects them.
    """

    def __init__(self, patience: float = DRIVER_TIMEOUT_SECONDS) -> None:
        self._lock = threading.Lock()
        self._patience = patience
        self._asked: threading.Thread | None = None
        self._since = 0.0
        self._answer: GraphicsCard | str | None = None
        self._failed: str | None = None
        self._card: Card | None = None
        self._others: list[Card] | None = None

    def obstacle(self, patience: float = DRIVER_TIMEOUT_SECONDS) -> str | None:
        """Return why the card cannot be used, as a sentence, or None.

        Args:
            patience: seconds to wait for the driver's first answer; a later answer is used by the next call.
        """
        if self._failed is not None:
            return f"failed earlier in this session: {self._failed}"
        answer = self._ask(patience)
        return answer if isinstance(answer, str) else None

    def describe(self) -> GraphicsCard | None:
        """Return the properties of the card, even after a failure; None without one."""
        answer = self._ask()
        return None if isinstance(answer, str) else answer

    def wake(self) -> None:
        """Start creating the CUDA context in the background."""
        threading.Thread(target=make_context, name="wavediff-context", daemon=True).start()
        self._ask(0.0)

    def card(self) -> Card:
        """Return the card, the same object for every caller.

        Raises:
            BackendUnavailable: the card cannot be used.
            DeviceError: the driver failed after reporting the card.
        """
        reason = self.obstacle()
        if reason is not None:
            raise BackendUnavailable(gpu_unused(reason))
        with self._lock:
            if self._card is None:
                self._card = Card()
            return self._card

    def others(self) -> tuple[Card, ...]:
        """Return the other usable cards of the same kind."""
        devices = self._answer.devices[1:] if isinstance(self._answer, GraphicsCard) else ()
        with self._lock:
            if self._others is None:
                self._others = []
                for device in devices:
                    with suppress(DeviceError):  # another program may use it exclusively
                        self._others.append(Card(device))
            return tuple(self._others)

    def mark_failed(self, reason: str) -> None:
        with self._lock:
            self._failed = self._failed or reason

    def free_memory(self) -> int:
        """Return the free memory of the card in bytes, 0 if it is unusable. Creates a CUDA context."""
        return self.card().free() if self.obstacle() is None else 0

    def release(self) -> None:
        if self._card is not None and self._failed is None:
            for card in (self._card, *(self._others or ())):
                card.release()

    def _ask(self, patience: float = DRIVER_TIMEOUT_SECONDS) -> GraphicsCard | str:
        with self._lock:
            if self._asked is None:
                self._since = monotonic()
                self._asked = threading.Thread(target=self._probe, name="wavediff-graphics-card", daemon=True)
                self._asked.start()
        self._asked.join(max(0.0, min(self._since + self._patience - monotonic(), patience)))
        return self._answer or f"the driver has not answered for {monotonic() - self._since:.0f} s"

    def _probe(self) -> None:
        try:
            self._answer = probe()
        except Exception as error:
            self._answer = f"the driver could not be asked: {one_line(error)}"


def probe() -> GraphicsCard | str:
    """Return the current CUDA device, or why there is none, without creating a context."""
    if not _has_cupy():
        return "CuPy is not installed; see Optional packages on the page Installation"
    newest = driver_version()
    if newest is None:
        return "there is no NVIDIA driver"
    try:
        cupy = import_frozen("cupy")
    except Exception as error:  # a broken package may raise anything
        return f"CuPy cannot be loaded: {one_line(error)}"
    runtime = cupy.cuda.runtime
    built_for = _version(runtime.runtimeGetVersion())
    try:
        n_devices = runtime.getDeviceCount()
        if n_devices < 1:
            return "there is no graphics card that CUDA can use"
    except runtime.CUDARuntimeError as error:
        if error.status == TOO_OLD:
            return f"the driver is too old: it knows CUDA {_version(newest)}, CuPy here needs {built_for}"
        if error.status == NO_DEVICE:
            return "there is no graphics card that CUDA can use"
        raise
    at = runtime.getDevice()
    properties = runtime.getDeviceProperties(at)
    names = [runtime.getDeviceProperties(k)["name"] for k in range(n_devices)]
    others = [k for k in range(n_devices) if k != at]
    card = GraphicsCard(
        name=properties["name"].decode(errors="replace"),
        memory=int(properties["totalGlobalMem"]),
        capability=(int(properties["major"]), int(properties["minor"])),
        processors=int(properties["multiProcessorCount"]),
        hertz=1e3 * runtime.deviceGetAttribute(_CLOCK_RATE, at),
        cupy=str(cupy.__version__),
        runtime=built_for,
        driver=_version(newest),
        devices=(at, *(k for k in others if names[k] == properties["name"])),
        unlike=tuple(names[k].decode(errors="replace") for k in others if names[k] != properties["name"]),
    )
    if card.capability < MIN_CAPABILITY:
        has, least = (f"{major}.{minor}" for major, minor in (card.capability, MIN_CAPABILITY))
        return f"{card.name} is too old: it has compute capability {has}, {least} is needed"
    return card


def _has_cupy() -> bool:
    try:
        return "cupy" in sys.modules or find_spec("cupy") is not None
    except (ImportError, ValueError):
        return False


def driver_version() -> int | None:
    """Return the newest CUDA version of the driver (1000 major + 10 minor), or None."""
    try:
        driver = library()
        number = ctypes.c_int()
        return number.value if driver.cuDriverGetVersion(ctypes.byref(number)) == 0 else None
    except (OSError, AttributeError):
        return None


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


__all__ = ["card", "describe", "free_memory", "mark_failed", "obstacle", "others", "release", "translated", "wake"]
_device = CurrentCard()
obstacle = _device.obstacle
describe = _device.describe
card = _device.card
others = _device.others
free_memory = _device.free_memory
mark_failed = _device.mark_failed
release = _device.release
wake = _device.wake
