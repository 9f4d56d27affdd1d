"""A CuPy of a few lines, with its exceptions and a card that does as it is told."""

from __future__ import annotations

import sys
import threading
from contextlib import nullcontext
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest


class CudaError(RuntimeError):
    """Stands in for ``CUDARuntimeError``."""

    def __init__(self, status: int, text: str = "cudaErrorFake: as the test has it") -> None:
        super().__init__(text)
        self.status = status


class DriverError(CudaError):
    """Stands in for ``CUDADriverError``."""


class OutOfMemoryError(MemoryError):
    pass


class CompileException(Exception):
    pass


class NVRTCError(RuntimeError):
    pass


class _Device(nullcontext[None]):
    """Stands in for ``cupy.cuda.Device``."""

    attributes: ClassVar[dict[str, int]] = {"MaxSharedMemoryPerBlockOptin": 65536, "ClockRate": 10**6}

    def __init__(self, number: int | None = None) -> None:
        super().__init__()
        self.id = number or 0


class FakeCard:
    """What the fake says and does; raise what is in ``errors`` when the call of that name comes."""

    def __init__(self) -> None:
        self.name, self.memory, self.free = "Fake 9000", 8 << 30, 6 << 30
        self.capability, self.count, self.built_for = (9, 0), 1, 13020
        self.names: list[str] = []  # of several cards
        self.errors: dict[str, BaseException] = {}
        self.gate: threading.Event | None = None
        self.calls: list[str] = []

    def call(self, name: str, value: Any = None) -> Any:
        self.calls.append(name)
        if name in self.errors:
            raise self.errors[name]
        return value

    def has(self, *names: str) -> None:
        """Be the first of so many cards."""
        self.names, self.name, self.count = list(names), names[0], len(names)

    def device_count(self) -> int:
        if self.gate is not None:
            self.gate.wait(20)
        return int(self.call("count", self.count))

    def properties(self, at: int) -> dict[str, Any]:
        major, minor = self.capability
        return {
            "name": (self.names or [self.name])[at].encode(), "totalGlobalMem": self.memory, "major": major,
            "minor": minor, "multiProcessorCount": 66,
        }  # fmt: skip

    def module(self) -> ModuleType:
        cupy: Any = ModuleType("cupy")
        pool = SimpleNamespace(free_bytes=lambda: 0, free_all_blocks=lambda: self.call("free_all_blocks"))
        event = SimpleNamespace(record=lambda: None, synchronize=lambda: self.call("synchronize"))
        event.done = True
        cupy.__version__ = "14.0.0"
        cupy.get_default_memory_pool = lambda: pool
        cupy.get_default_pinned_memory_pool = lambda: SimpleNamespace(free_all_blocks=lambda: None)
        cupy.zeros = lambda shape, dtype: self.call("zeros", np.zeros(shape, dtype))
        cupy.asarray = lambda array: self.call("upload", np.array(array))
        cupy.asnumpy = lambda array: self.call("download", np.array(array))
        cupy.RawModule = lambda **_: self.call("RawModule", SimpleNamespace(get_function=self._function))
        cupy.cuda = SimpleNamespace(
            runtime=SimpleNamespace(
                CUDARuntimeError=CudaError,
                getDeviceCount=self.device_count,
                getDevice=lambda: 0,
                getDeviceProperties=self.properties,
                deviceGetAttribute=lambda _what, _at: 1_980_000,
                runtimeGetVersion=lambda: self.built_for,
                memGetInfo=lambda: self.call("memGetInfo", (self.free, self.memory)),
            ),
            driver=SimpleNamespace(CUDADriverError=DriverError),
            memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
            compiler=SimpleNamespace(CompileException=CompileException),
            nvrtc=SimpleNamespace(NVRTCError=NVRTCError),
            Device=_Device,
            Event=lambda: event,
            get_elapsed_time=lambda _a, _b: self.call("elapsed", 2.5),
        )
        return cupy

    def _function(self, _name: str) -> Any:
        function: Any = lambda *_, **__: self.call("kernel")  # noqa: E731 - needs attributes
        function.shared_size_bytes = 0
        return function


def install(monkeypatch: pytest.MonkeyPatch, *, driver: int | None = 13020) -> FakeCard:
    """Put a fake in place of CuPy and the driver, and forget what the process knew of its card."""
    from wavediff.gpu.card import current_card

    fake = FakeCard()
    monkeypatch.setitem(sys.modules, "cupy", fake.module())
    monkeypatch.setattr(current_card, "driver_version", lambda: driver)
    fresh(monkeypatch)
    return fake


def fresh(monkeypatch: pytest.MonkeyPatch, patience: float = 10.0) -> None:
    """Let ``wavediff.gpu.card.current_card`` begin anew."""
    from wavediff.gpu.card import current_card

    new = current_card.CurrentCard(patience)
    for name in ("obstacle", "describe", "card", "others", "free_memory", "mark_failed", "release", "wake"):
        monkeypatch.setattr(current_card, name, getattr(new, name))
