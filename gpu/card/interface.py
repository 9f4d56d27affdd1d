"""Interface of a graphics card: memory, compiled kernels, timed launches.

Further cards take part in large jobs, see ``wavediff.core.jobs.card_limits``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.gpu.card.queue import CardQueue

if TYPE_CHECKING:
    from wavediff.gpu.card.pending_transfer import PendingTransfer

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class CudaKernel:
    """A compiled kernel.

    Attributes:
        function: handle to launch.
        seconds: compile time; 0 if it was cached.
    """

    function: Any
    seconds: float


Launch = tuple[int, tuple[Any, ...]]  # blocks, arguments
Watch = Callable[[], None] | None


class Card(Protocol):
    """Protocol of a card. Its arrays support slicing, and stay on the card until downloaded."""

    name: str
    processors: int
    shared_bytes: int  # maximum shared memory of a thread block
    cycles_per_second: float  # maximum clock rate of a multiprocessor

    def free(self) -> int: ...

    def zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any: ...

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any: ...

    def fill(self, array: Any, value: int) -> None: ...

    def upload(self, array: Array) -> Any: ...

    def download(self, array: Any) -> Array: ...

    def download_to(self, array: Any, out: Array) -> None:
        """Copy an array to a contiguous host array of equal shape and type, ideally ``pinned``."""

    def address(self, array: Any) -> int:
        """Return the device address of an array, for pointers in structs."""

    def border(self, groups: int, writer: Card) -> Any:
        """Allocate uint32 zeros, shape (groups,), that this card reads while another card writes.

        They are in this card's memory if the other card can write there, else in host memory.
        """

    def running_sums(self, array: Any, dtype: npt.DTypeLike) -> Any:
        """Return the inclusive prefix sums of a 1-D ``array``, which a running kernel may still be writing."""

    def kernel(self, unit: str, name: str, **macros: int) -> CudaKernel:
        """Compile ``name`` of the file ``unit``, once per macro set."""

    def resident(self, kernel: CudaKernel, threads: int, shared: int) -> int:
        """Return the number of blocks that run concurrently."""

    def launch(
        self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *args: Any, watch: Watch = None
    ) -> float:
        """Run a kernel to completion; return its seconds.

        Args:
            shared: bytes of shared memory per block.
            args: arrays of the card, NumPy scalars, and ``np.void`` for a struct by value.
            watch: called repeatedly while it runs, e.g. to compile in parallel.
        """

    def begin(self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *args: Any) -> None:
        """Start a kernel asynchronously, in order with later calls."""

    def launch_each(self, kernel: CudaKernel, threads: int, shared: int, launches: Sequence[Launch]) -> float:
        """Run a kernel once per entry of ``launches``; return the total seconds."""

    def pinned(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Array:
        """Allocate an uninitialised pinned host array."""

    def sibling(self) -> Card:
        """Return the same card with a separate stream, for another thread."""

    def queue(self) -> CardQueue:
        """Return a new queue whose work follows all earlier calls of this card."""

    def bring(self, host: Letters, to: Any, queue: Any, threads: int) -> PendingTransfer:
        """Start copying ``host`` (bytes) to the start of ``to``; the queue waits for it.

        Work enqueued after the transfer follows it. ``wavediff.core.jit.pinned_copy`` is ready.

        Args:
            threads: maximum; 0: one per core.
        """

    def release(self) -> None: ...


OtherCards = Callable[[], Sequence[Card]]  # of the same kind, woken by the first call


def no_others() -> Sequence[Card]:
    """Return no other cards."""
    return ()
