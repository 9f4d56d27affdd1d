"""Between the host's memory and the card's, in pieces and on several threads.

A card copies at full speed from pinned memory only, and what holds a sequence is not. So pieces pass through a few
pinned buffers: threads fill (or empty) some while the card copies others.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from core.arrays import Letters
from core.machine import cores

PIECE = 4 << 20  # bytes
LEAST = 4 * PIECE  # a smaller transfer takes no time either
BUFFERS = 16
MOST_THREADS = 8


class Transfer:
    """Pinned buffers, and transfers through them, one at a time.

    Args:
        cupy: the module.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._buffers: list[tuple[Letters, Any]] = []  # bytes, event of the last copy

    def upload(self, host: Letters, card: Any) -> None:
        """Copy ``host`` (1-D bytes, contiguous) to ``card``, a pointer; returns when all is there."""

        def fill(lo: int, hi: int, buffer: Letters, event: Any) -> None:
            event.synchronize()
            np.copyto(buffer[: hi - lo], host[lo:hi])

        with self._threads() as pool:
            waiting: list[Future[None]] = []

            def send(piece: int) -> None:
                waiting[piece].result()
                lo, hi, buffer, event = self._piece(piece, host.size)
                (card + lo).copy_from_host_async(buffer.ctypes.data, hi - lo)
                event.record()

            for piece in range(-(-host.size // PIECE)):
                if piece >= BUFFERS:
                    send(piece - BUFFERS)
                waiting.append(pool.submit(fill, *self._piece(piece, host.size)))
            for piece in range(max(0, len(waiting) - BUFFERS), len(waiting)):
                send(piece)
        self._wait()

    def download(self, card: Any, host: Letters) -> None:
        """Copy from ``card``, a pointer, to ``host`` (1-D bytes, contiguous)."""

        def empty(lo: int, hi: int, buffer: Letters, event: Any) -> None:
            event.synchronize()
            np.copyto(host[lo:hi], buffer[: hi - lo])

        with self._threads() as pool:
            waiting: list[Future[None]] = []
            for piece in range(-(-host.size // PIECE)):
                if piece >= BUFFERS:
                    waiting[piece - BUFFERS].result()
                lo, hi, buffer, event = self._piece(piece, host.size)
                (card + lo).copy_to_host_async(buffer.ctypes.data, hi - lo)
                event.record()
                waiting.append(pool.submit(empty, lo, hi, buffer, event))
            for one in waiting:
                one.result()

    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(min(MOST_THREADS, cores()), "wavediff-transfer")

    def _piece(self, piece: int, n: int) -> tuple[int, int, Letters, Any]:
        if not self._buffers:
            for _ in range(BUFFERS):
                memory = self._cupy.cuda.alloc_pinned_memory(PIECE)
                self._buffers.append((np.frombuffer(memory, np.uint8, PIECE), self._cupy.cuda.Event()))
        return piece * PIECE, min(n, (piece + 1) * PIECE), *self._buffers[piece % BUFFERS]

    def _wait(self) -> None:
        self._cupy.cuda.get_current_stream().synchronize()
