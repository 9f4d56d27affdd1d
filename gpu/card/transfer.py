"""Chunked multithreaded transfers between host and card; see ``wavediff.core.jit.pinned_copy``.

Threads, their pinned memory and their events are reused for the next transfer: creating them takes longer than copying
a hundred million letters.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jit import pinned_copy
from wavediff.core.jobs.events import Event, Step
from wavediff.core.system.machine import cores
from wavediff.gpu.card.driver import CudaDriver
from wavediff.gpu.card.pending_transfer import PendingTransfer
from wavediff.gpu.card.transfer_size import is_large

PIECE_BYTES = 4 << 20  # bytes; with smaller chunks the card idles between them
MAX_THREADS = 6  # threads that fill the bus; more slow each other down
PIECES_PER_THREAD = 2  # pieces of a thread


def make_ready(step: Step, *arrays: Any) -> Generator[Event, None, None]:
    """Compile (or load) the copy functions for large arrays."""
    if any(is_large(array) for array in arrays):
        yield from pinned_copy.make_ready(step)


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """``way``: direction of the copy; ``host``, ``card``: addresses of ``n`` bytes; ``kept`` owns the host memory."""

    strategy: Any
    host: int
    card: int
    n: int
    queue: int
    delivery: PendingTransfer
    kept: Any


class Transfer:
    """Transfer threads of a card; concurrent transfers are processed in turn."""

    def __init__(self, driver: CudaDriver) -> None:
        self._driver = driver
        self._tasks: SimpleQueue[_Task] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    def bring(self, host: Letters, card: int, queue: int, threads: int = 0) -> PendingTransfer:
        """Start copying ``host`` (1-D contiguous bytes) to ``card``; ``queue`` waits for it.

        Args:
            card: device address.
            queue: handle of a stream.
            threads: maximum; 0: one per core.
        """
        return self._start(pinned_copy.copy_to_card, host, card, queue, threads)

    def fetch(self, card: int, host: Letters, queue: int, threads: int = 0) -> PendingTransfer:
        """Start copying from ``card`` after the queued work; the data are complete when the transfer has ended."""
        return self._start(pinned_copy.copy_from_card, host, card, queue, threads)

    def _start(self, strategy: Any, host: Letters, card: int, queue: int, threads: int) -> PendingTransfer:
        n = int(host.size)
        n_threads = max(1, min(MAX_THREADS, threads or cores(), -(-n // PIECE_BYTES)))
        delivery = PendingTransfer(n_threads)
        task = _Task(strategy, host.ctypes.data, card, n, queue, delivery, host)
        with self._lock:
            while len(self._threads) < n_threads:
                name = f"wavediff-ferry-{len(self._threads)}"
                self._threads.append(threading.Thread(target=self._work, name=name, daemon=True))
                self._threads[-1].start()
        for _ in range(n_threads):
            self._tasks.put(task)
        return delivery

    def _work(self) -> None:
        ring: _Ring | None = None
        while True:
            task = self._tasks.get()
            delivery = task.delivery
            try:
                ring = ring or _Ring(self._driver)
                ring.do(task)
            except BaseException as error:  # raised again by the waiting caller
                delivery.shared[pinned_copy.STOPPED] = 1
                delivery.errors.append(error)
            delivery.leave()
            del task, delivery  # not kept until the next transfer


class _Ring:
    """Ring of pinned chunks of one thread."""

    def __init__(self, driver: CudaDriver) -> None:
        driver.enter()
        self._driver, self._piece, self._turn = driver, PIECE_BYTES, 0
        pieces, events = (
            [driver.pinned(PIECE_BYTES) for _ in range(PIECES_PER_THREAD)],
            [driver.event() for _ in range(PIECES_PER_THREAD)],
        )
        self._slots, self._events = (np.array([one for one, _ in some], np.int64) for some in (pieces, events))
        self._kept = pieces, events

    def do(self, task: _Task) -> None:
        self._turn, code = task.strategy(
            task.delivery.shared, self._driver.calls, task.host, task.card, task.n, self._piece, task.queue,
            self._slots, self._events, self._turn,
        )  # fmt: skip
        if code:
            raise self._driver.failure(code)
