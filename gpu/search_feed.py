"""Bring a text to the card piece by piece, through memory that the card reads by itself.

A copy straight from a text goes through such memory of the driver's, which one thread fills: a third of what the way
to the card can do. Here several threads do, each one piece while the card fetches the one before.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import numpy as np

from core.arrays import Letters
from gpu.card import Card
from gpu.queue import Moment, Queue

PIECE = 1 << 23  # bytes
MOST_THREADS = 6  # more of them hold each other up
RING = 2  # pieces of a thread


@dataclass(slots=True, eq=False)
class Delivery:
    """A stretch of text on its way."""

    left: int
    arrived: threading.Event = field(default_factory=threading.Event)
    errors: list[BaseException] = field(default_factory=list)

    def wait(self) -> None:
        """Return when the last piece is under way: what is put into the queue from then on finds it there."""
        self.arrived.wait()
        if self.errors:
            raise self.errors[0]


Task = tuple[Letters, Queue, Any, Delivery]


class Feed:
    """Keep it until the queues that it fed are finished: the card reads what it has.

    Args:
        most: bytes of a delivery.
        threads: that may be used.
    """

    def __init__(self, card: Card, most: int, threads: int) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._stopped = False
        n_threads = max(1, min(MOST_THREADS, threads, -(-most // PIECE)))
        self._rings = [[card.pinned(min(PIECE, most), np.uint8) for _ in range(RING)] for _ in range(n_threads)]
        self._threads = [
            threading.Thread(target=self._work, args=(k,), name=f"wavediff-feed-{k}", daemon=True)
            for k in range(n_threads)
        ]

    def start(self) -> None:
        """Start the threads: each the next one, as a start takes longer than the first letters may wait."""
        self._threads[0].start()

    def stop(self) -> None:
        """End the threads; what they have not begun with is not brought any more."""
        self._stopped = True
        for _thread in self._threads:
            self._tasks.put(None)
        for thread in self._threads:  # the one before has ended, so this one was started
            thread.join()

    def bring(self, text: Letters, queue: Queue, to: Any) -> Delivery:
        """Begin to let ``queue`` copy ``text`` to the start of ``to``, and nothing else until that has arrived."""
        firsts = range(0, text.size, PIECE)
        delivery = Delivery(len(firsts))
        for first in firsts:
            piece = text[first : first + PIECE]
            self._tasks.put((piece, queue, to[first : first + piece.size], delivery))
        return delivery

    def _work(self, me: int) -> None:
        if me + 1 < len(self._threads):
            self._threads[me + 1].start()
        ring = self._rings[me]
        fetched: list[Moment | None] = [None] * len(ring)
        turn = 0
        while (task := self._tasks.get()) is not None:
            piece, queue, to, delivery = task
            try:
                if not self._stopped:
                    before = fetched[turn]
                    if before is not None:
                        before.wait()
                    staged = ring[turn][: piece.size]
                    np.copyto(staged, piece)
                    queue.upload(to, staged)
                    fetched[turn] = queue.moment()
            except Exception as error:  # raised again where the delivery is waited for
                delivery.errors.append(error)
            turn = (turn + 1) % len(ring)
            with self._lock:
                delivery.left -= 1
            if not delivery.left:
                delivery.arrived.set()
