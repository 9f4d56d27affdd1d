"""Running transfer between host and card (``wavediff.gpu.card.transfer``)."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wavediff.core.jit import pinned_copy

Numbers = npt.NDArray[np.int64]


@dataclass(slots=True, eq=False)
class PendingTransfer:
    """Running transfer; ``left``: threads still copying."""

    left: int
    shared: Numbers = field(default_factory=lambda: np.zeros(2, np.int64))
    errors: list[BaseException] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self) -> None:
        """Wait until the host's part is done; work enqueued afterwards follows the transfer.

        Raises:
            Exception: of the driver, or of a thread.
        """
        self._ended.wait()
        if self.errors:
            raise self.errors[0]

    def stop(self) -> None:
        """Cancel the transfer and wait for its threads."""
        self.shared[pinned_copy.STOPPED] = 1
        self._ended.wait()

    def leave(self) -> None:
        """Called once per finishing thread."""
        with self._lock:
            self.left -= 1
            last = not self.left
        if last:
            self._ended.set()
