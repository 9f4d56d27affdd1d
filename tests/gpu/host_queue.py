"""Queues of a card that is the host: see ``tests.gpu.host_card``."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from gpu.card import Kernel


class HostMoment:
    """See ``gpu.queue.Moment``."""

    def __init__(self) -> None:
        self._at = perf_counter()

    def passed(self) -> bool:
        return True

    def wait(self) -> None:
        pass

    def seconds_since(self, earlier: HostMoment) -> float:
        return self._at - earlier._at


class HostQueue:
    """See ``gpu.queue.Queue``; everything is done at once."""

    def __init__(self, card: Any) -> None:
        self._card = card

    def upload(self, array: Any, staged: Any) -> None:
        array.reshape(-1).view(np.uint8)[: staged.nbytes] = staged.reshape(-1).view(np.uint8)

    def download(self, staged: Any, array: Any) -> None:
        staged.reshape(-1)[:] = array.reshape(-1)[: staged.size]

    def clear(self, array: Any) -> None:
        array[...] = 0

    def launch(self, kernel: Kernel, blocks: int, threads: int, shared: int, *arguments: Any) -> None:
        self._card.launch(kernel, blocks, threads, shared, *arguments)

    def moment(self) -> HostMoment:
        return HostMoment()

    def finish(self) -> None:
        pass
