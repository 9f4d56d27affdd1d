"""A transfer between the host and a card that is under way (``wavediff.gpu.card.transfer``)."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wavediff.core.jit import pinned_copy

Numbers = npt.NDArray[np.int64]


@dataclass(slots=True, eq=False)
class PendingTransfer:
    """A transfer that is under way.

    Attributes:
        left: threads that are not done with it.
    """

    left: int
    shared: Numbers = field(default_factory=lambda: np.zeros(2, np.int64))
    errors: list[BaseException] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self) -> None:
        """Return when nothing is left to do for the host: what is put into its queue now comes behind it.

        Raises:
            Exception: of the driver, or of a thread.
        """
        self._ended.wait()
        if self.errors:
            raise self.errors[0]

    def stop(self) -> None:
        """Stop the transfer and wait for its threads."""
        self.shared[pinned_copy.STOPPED] = 1
        self._ended.wait()

    def leave(self) -> None:
        """For each thread, once."""
        with self._lock:
            self.left -= 1
            last = not self.left
        if last:
            self._ended.set()
