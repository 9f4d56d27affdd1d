"""Queues of a card that is the host: see ``tests.gpu.host_card``."""

from __future__ import annotations

import ctypes
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.gpu.card.cuda import CudaKernel


class HostMoment:
    """See ``wavediff.gpu.card.queue.StreamEvent``."""

    def __init__(self) -> None:
        self._at = perf_counter()

    def passed(self) -> bool:
        return True

    def wait(self) -> None:
        pass

    def seconds_since(self, earlier: HostMoment) -> float:
        return self._at - earlier._at


class HostQueue:
    """See ``wavediff.gpu.card.queue.CardQueue``; everything is done at once."""

    def __init__(self, card: Any) -> None:
        self._card = card

    handle = 0

    def upload(self, array: Any, staged: Any) -> None:
        array.reshape(-1).view(np.uint8)[: staged.nbytes] = staged.reshape(-1).view(np.uint8)

    def download(self, staged: Any, array: Any) -> None:
        staged.reshape(-1)[:] = array.reshape(-1)[: staged.size]

    def clear(self, array: Any) -> None:
        array[...] = 0

    def sort(self, array: Any) -> None:
        array.sort()

    def launch(self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *arguments: Any) -> None:
        self._card.launch(kernel, blocks, threads, shared, *arguments)

    def moment(self) -> HostMoment:
        return HostMoment()

    def finish(self) -> None:
        pass


class HostDriver:
    """See ``wavediff.gpu.card.driver.CudaDriver``; everything is done at once, by calls from compiled code as those of
    the card are."""

    def __init__(self) -> None:
        self._kept = tuple(map(_CALL, (_nothing, self.copy, self.copy, _nothing)))
        self.calls = np.array([ctypes.cast(one, ctypes.c_void_p).value for one in self._kept], np.int64)

    def enter(self) -> None:
        pass

    def pinned(self, size: int) -> tuple[int, Any]:
        memory = np.empty(size, np.uint8)
        return memory.ctypes.data, memory

    def event(self) -> tuple[int, Any]:
        return 1, None

    def failure(self, code: int) -> Exception:
        return OSError(code, "as the test has it")

    def copy(self, to: int, source: int, size: int, queue: int) -> int:
        ctypes.memmove(to, source, size)
        return 0


_CALL = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_int64] * 4)


def _nothing(*_: int) -> int:
    return 0
