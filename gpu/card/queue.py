"""Work queues of a card: in order internally, concurrent with each other and the host."""

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
    """Context: select a device, and convert CuPy's errors to ``DeviceError``."""
    try:
        with device:
            yield
    except Exception as error:
        failure = translated(error)
        if failure is None or failure is error:
            raise
        raise failure from error


class Streams:
    """Small round-robin pool of independent streams, as CuPy pools memory per stream."""

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._streams: list[Any] = []

    def next(self) -> Any:
        """Return the least recently returned stream."""
        room = len(self._streams) < STREAMS
        self._streams.append(self._cupy.cuda.Stream(non_blocking=True) if room else self._streams.pop(0))
        return self._streams[-1]


class StreamEvent:
    """Event of a queue, reached when all work enqueued before it is done."""

    def __init__(self, cupy: Any, device: Any, stream: Any) -> None:
        self._cupy, self._device = cupy, device
        self._event = cupy.cuda.Event()
        self._event.record(stream)

    def passed(self) -> bool:
        with _telling(self._device):
            return bool(self._event.done)

    def wait(self) -> None:
        with _telling(self._device):
            self._event.synchronize()

    def seconds_since(self, earlier: StreamEvent) -> float:
        """Return the seconds since an earlier event of the queue; both must be reached."""
        with _telling(self._device):
            return float(self._cupy.cuda.get_elapsed_time(earlier._event, self._event)) / 1e3


class CardQueue:
    """A stream that runs in order with the card's default stream.

    Only ``finish`` waits for the card. Host arrays must be ``Card.pinned``, and must not change.
    """

    def __init__(self, cupy: Any, device: Any) -> None:
        self._cupy, self._device = cupy, device
        self._stream = cupy.cuda.Stream()

    @property
    def handle(self) -> int:
        """Stream handle for the driver."""
        return int(self._stream.ptr)

    def upload(self, array: Any, staged: Array) -> None:
        """Copy ``staged`` (bytes) to the start of ``array``."""
        with _telling(self._device):
            array.data.copy_from_host_async(staged.ctypes.data, staged.nbytes, self._stream)

    def download(self, staged: Array, array: Any) -> None:
        """Copy the start of ``array`` to ``staged`` (same type)."""
        with _telling(self._device):
            array.data.copy_to_host_async(staged.ctypes.data, staged.nbytes, self._stream)

    def clear(self, array: Any) -> None:
        with _telling(self._device):
            array.data.memset_async(0, array.nbytes, self._stream)

    def sort(self, array: Any) -> None:
        with _telling(self._device), self._stream:
            array.sort()

    def launch(self, kernel: Any, blocks: int, threads: int, shared: int, *arguments: Any) -> None:
        """Run a kernel; arguments as in ``Card.launch``."""
        with _telling(self._device), self._stream:
            kernel.function((blocks,), (threads,), arguments, shared_mem=shared)

    def moment(self) -> StreamEvent:
        """Return an event after all work enqueued so far."""
        with _telling(self._device):
            return StreamEvent(self._cupy, self._device, self._stream)

    def finish(self) -> None:
        with _telling(self._device):
            self._stream.synchronize()
