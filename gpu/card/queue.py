"""Queues of work on a card: what is in one runs in order, alongside what other queues hold and what the host does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy.typing as npt

from wavediff.gpu.card.driver import translated

Array = npt.NDArray[Any]
STREAMS = 4


@contextmanager
def _telling(device: Any) -> Iterator[None]:
    """Be on a device, and raise a ``DeviceError`` for whatever CuPy raises inside."""
    try:
        with device:
            yield
    except Exception as error:
        failure = translated(error)
        if failure is None or failure is error:
            raise
        raise failure from error


class Streams:
    """Streams that wait for no other, the same few in turn: each has memory of its own in CuPy's pool."""

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._streams: list[Any] = []

    def next(self) -> Any:
        """Return the one that was not returned for longest."""
        room = len(self._streams) < STREAMS
        self._streams.append(self._cupy.cuda.Stream(non_blocking=True) if room else self._streams.pop(0))
        return self._streams[-1]


class StreamEvent:
    """Event of a queue: reached when all earlier work is done."""

    def __init__(self, cupy: Any, device: Any, stream: Any) -> None:
        self._cupy, self._device = cupy, device
        self._event = cupy.cuda.Event()
        self._event.record(stream)

    def passed(self) -> bool:
        """Return whether the queue has come there."""
        with _telling(self._device):
            return bool(self._event.done)

    def wait(self) -> None:
        """Return when it has."""
        with _telling(self._device):
            self._event.synchronize()

    def seconds_since(self, earlier: StreamEvent) -> float:
        """Return the seconds from an earlier moment of the same queue, both passed."""
        with _telling(self._device):
            return float(self._cupy.cuda.get_elapsed_time(earlier._event, self._event)) / 1e3


class CardQueue:
    """A stream that runs in order with the card's default stream.

    Nothing here waits for the card but ``finish``. Arrays of the host must be ``Card.pinned``, and be left alone.
    """

    def __init__(self, cupy: Any, device: Any) -> None:
        self._cupy, self._device = cupy, device
        self._stream = cupy.cuda.Stream()

    @property
    def handle(self) -> int:
        """The stream's, for the driver."""
        return int(self._stream.ptr)

    def upload(self, array: Any, staged: Array) -> None:
        """Copy ``staged`` to the start of ``array``, both of bytes."""
        with _telling(self._device):
            array.data.copy_from_host_async(staged.ctypes.data, staged.nbytes, self._stream)

    def download(self, staged: Array, array: Any) -> None:
        """Copy the start of ``array`` to ``staged``, of the same kind."""
        with _telling(self._device):
            array.data.copy_to_host_async(staged.ctypes.data, staged.nbytes, self._stream)

    def clear(self, array: Any) -> None:
        """Fill ``array`` with zeros."""
        with _telling(self._device):
            array.data.memset_async(0, array.nbytes, self._stream)

    def sort(self, array: Any) -> None:
        """Put ``array``, 1-D, in order."""
        with _telling(self._device), self._stream:
            array.sort()

    def launch(self, kernel: Any, blocks: int, threads: int, shared: int, *arguments: Any) -> None:
        """Run a kernel; arguments as in ``Card.launch``."""
        with _telling(self._device), self._stream:
            kernel.function((blocks,), (threads,), arguments, shared_mem=shared)

    def moment(self) -> StreamEvent:
        """Return the moment after all that was put into the queue before."""
        with _telling(self._device):
            return StreamEvent(self._cupy, self._device, self._stream)

    def finish(self) -> None:
        """Return when the queue is empty."""
        with _telling(self._device):
            self._stream.synchronize()
