"""Interface of a graphics card: memory, compiled kernels, timed launches.

Cards alongside the one that does a job, for jobs that ``wavediff.core.jobs.card_limits`` finds worth them.
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
        function: what the card launches.
        seconds: the time it took to compile; 0 where it was compiled before.
    """

    function: Any
    seconds: float


Launch = tuple[int, tuple[Any, ...]]  # blocks, arguments
Watch = Callable[[], None] | None


class Card(Protocol):
    """Protocol of a card. Its arrays support slicing, and stay on it until downloaded."""

    name: str
    processors: int
    shared_bytes: int  # shared memory that one block of threads may have
    cycles_per_second: float  # of a multiprocessor, at its fastest

    def free(self) -> int:
        """Return the free memory in bytes."""
        ...

    def zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """Allocate a zeroed array."""
        ...

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """Allocate an uninitialised array."""
        ...

    def fill(self, array: Any, value: int) -> None:
        """Fill an array with ``value``."""
        ...

    def upload(self, array: Array) -> Any:
        """Copy ``array`` to the card."""
        ...

    def download(self, array: Any) -> Array:
        """Copy an array to the host."""
        ...

    def download_to(self, array: Any, out: Array) -> None:
        """Copy an array to a contiguous host array of equal shape and type, ideally ``pinned``."""
        ...

    def address(self, array: Any) -> int:
        """Return the device address of an array, for pointers in structs."""
        ...

    def border(self, groups: int, writer: Card) -> Any:
        """Allocate uint32 zeros, shape (groups,), readable here while another card writes them.

        They lie here where the other can write here, else in the host's memory.
        """
        ...

    def running_sums(self, array: Any, dtype: npt.DTypeLike) -> tuple[Any, float]:
        """Return the inclusive prefix sums of a 1-D ``array``, and the seconds."""
        ...

    def kernel(self, unit: str, name: str, **macros: int) -> CudaKernel:
        """Compile ``name`` of the file ``unit``, once per macro set."""
        ...

    def resident(self, kernel: CudaKernel, threads: int, shared: int) -> int:
        """Return the number of blocks that run concurrently."""
        ...

    def launch(
        self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *args: Any, watch: Watch = None
    ) -> float:
        """Run a kernel to completion; return its seconds.

        Args:
            shared: bytes of shared memory a block.
            args: arrays of the card, NumPy scalars, and ``np.void`` for a struct by value.
            watch: called now and then while it runs, for what a card ``compile_in_parallel`` this one can see.
        """
        ...

    def begin(self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *args: Any) -> None:
        """Start a kernel asynchronously, in order with later calls."""
        ...

    def launch_each(self, kernel: CudaKernel, threads: int, shared: int, launches: Sequence[Launch]) -> float:
        """Run a kernel once per entry of ``launches``; return the total seconds."""
        ...

    def pinned(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Array:
        """Allocate an uninitialised pinned host array."""
        ...

    def beside(self) -> Card:
        """Return the same card with a separate stream, for another thread."""
        ...

    def queue(self) -> CardQueue:
        """Return a new queue, ordered after the calls above."""
        ...

    def bring(self, host: Letters, to: Any, queue: Any, threads: int) -> PendingTransfer:
        """Start copying ``host`` (bytes) to the start of ``to``; the queue waits for it.

        What is put into the queue once the delivery has ended comes behind it. ``wavediff.core.jit.pinned_copy`` is
        ready.

        Args:
            threads: that may be used, 0: one a core.
        """
        ...

    def release(self) -> None:
        """Return unused memory to the driver."""
        ...


OtherCards = Callable[[], Sequence[Card]]  # of the same kind, woken by the first call


def no_others() -> Sequence[Card]:
    """Return no other cards."""
    return ()
