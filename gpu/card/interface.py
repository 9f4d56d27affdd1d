"""A graphics card as the kernels' drivers see it: memory, compiled kernels, launches with their times.

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
    """Protocol of a card. Its arrays are sliced like NumPy's and stay on it until downloaded."""

    name: str
    processors: int
    shared_bytes: int  # shared memory that one block of threads may have
    cycles_per_second: float  # of a multiprocessor, at its fastest

    def free(self) -> int:
        """Return the bytes that could be allocated now."""
        ...

    def zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """Return a new array of zeros on the card."""
        ...

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """Return a new array on the card with anything in it."""
        ...

    def fill(self, array: Any, value: int) -> None:
        """Set all of an array of the card to ``value``."""
        ...

    def upload(self, array: Array) -> Any:
        """Return a copy of ``array`` on the card."""
        ...

    def download(self, array: Any) -> Array:
        """Return a copy of an array of the card."""
        ...

    def download_to(self, array: Any, out: Array) -> None:
        """Copy an array of the card to one of the host, of its shape and type and in one piece; ``pinned`` is best."""
        ...

    def address(self, array: Any) -> int:
        """Return where an array of the card begins, for a pointer inside a struct."""
        ...

    def border(self, groups: int, writer: Card) -> Any:
        """Return uint32 zeros, shape (groups,), that kernels here read while those of another card write to them.

        They lie here where the other can write here, else in the host's memory.
        """
        ...

    def running_sums(self, array: Any, dtype: npt.DTypeLike) -> tuple[Any, float]:
        """Return the sums of a 1-D ``array`` up to and with each item, and the seconds that took."""
        ...

    def kernel(self, unit: str, name: str, **macros: int) -> CudaKernel:
        """Compile ``name`` of the file ``unit`` (once for the same macros)."""
        ...

    def resident(self, kernel: CudaKernel, threads: int, shared: int) -> int:
        """Return how many blocks of threads run at the same time."""
        ...

    def launch(
        self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *args: Any, watch: Watch = None
    ) -> float:
        """Run a kernel to its end and return its seconds.

        Args:
            shared: bytes of shared memory a block.
            args: arrays of the card, NumPy scalars, and ``np.void`` for a struct by value.
            watch: called now and then while it runs, for what a card ``compile_in_parallel`` this one can see.
        """
        ...

    def begin(self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *args: Any) -> None:
        """Let a kernel run, and what is asked of this card next after it, without waiting for its end."""
        ...

    def launch_each(self, kernel: CudaKernel, threads: int, shared: int, launches: Sequence[Launch]) -> float:
        """Run a kernel once for each of ``launches``, one after the other, and return the seconds of all."""
        ...

    def pinned(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Array:
        """Return a new array of the host, as it comes, that queues copy from and to without waiting."""
        ...

    def beside(self) -> Card:
        """Return the same card for another thread: what it does waits for nothing that is asked of this one."""
        ...

    def queue(self) -> CardQueue:
        """Return a new queue of work; what the methods above did before is done when its work begins."""
        ...

    def bring(self, host: Letters, to: Any, queue: Any, threads: int) -> PendingTransfer:
        """Begin to let ``queue`` copy ``host``, of bytes, to the start of ``to``, and nothing else before it is there.

        What is put into the queue once the delivery has ended comes behind it. ``wavediff.core.jit.pinned_copy`` is
        ready.

        Args:
            threads: that may be used, 0: one a core.
        """
        ...

    def release(self) -> None:
        """Give memory that nothing uses back to the driver, for larger pieces."""
        ...


OtherCards = Callable[[], Sequence[Card]]  # of the same kind, woken by the first call


def no_others() -> Sequence[Card]:
    """Return no cards: where one does all."""
    return ()
