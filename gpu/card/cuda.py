"""Graphics card by CuPy: memory, compiled kernels, timed launches.

Further cards take part in large jobs, see ``wavediff.core.jobs.card_limits``. This module finds,
joins and compiles the CUDA sources in gpu/cuda, and times work with CUDA events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from functools import cached_property, wraps
from importlib.resources import files
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import DeviceError
from wavediff.gpu.card.driver import NOT_READY, PEER_ALREADY, CudaDriver, one_line, translated
from wavediff.gpu.card.queue import CardQueue, Streams
from wavediff.gpu.card.transfer_size import is_large

WATCH_SECONDS = 5e-4  # seconds between two polls of a running kernel
POLL_SECONDS = 5e-5  # seconds between two polls for its end, which delay the next launch
CUDA = files("wavediff.gpu") / "cuda"
SHARED = ("words.cuh",)
STRIPS = ("place_times.cuh", "matrix.cuh", "columns.cuh", "staggered.cuh", "sliced.cuh")
PAIRS = ("pair_columns.cuh",)
# Of some units only, after the shared ones.
HEADERS = {"strips.cu": STRIPS, "align.cu": STRIPS, "refine.cu": STRIPS, "pairs.cu": PAIRS, "swaps.cu": PAIRS}
if TYPE_CHECKING:
    from wavediff.gpu.card.pending_transfer import PendingTransfer
    from wavediff.gpu.card.transfer import Transfer

P = ParamSpec("P")
R = TypeVar("R")
Array = npt.NDArray[Any]
Launch = tuple[int, tuple[Any, ...]]  # blocks, arguments
Watch = Callable[[], None] | None


@dataclass(frozen=True, slots=True, eq=False)
class CudaKernel:
    """A compiled kernel.

    Attributes:
        function: handle to launch.
        seconds: compile time; 0 if it was cached.
    """

    function: Any
    seconds: float


def _telling(method: Callable[P, R]) -> Callable[P, R]:
    """Run ``method`` on its device and stream; convert CuPy's errors to ``DeviceError``."""

    @wraps(method)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        card: Any = args[0]
        try:
            with card.device, card.stream:
                return method(*args, **kwargs)
        except DeviceError:
            raise
        except Exception as error:
            failure = translated(error)
            if failure is None:
                raise
            raise failure from error

    return wrapped


class Card:
    """CUDA device, thread-safe; methods raise ``DeviceError``. Its arrays stay on it until downloaded.

    Args:
        number: of the device; None for the current one.

    Attributes:
        shared_bytes: maximum shared memory of a thread block.
        cycles_per_second: maximum clock rate of a multiprocessor.
    """

    device: Any = nullcontext()
    stream: Any = nullcontext()  # the thread's own

    def __init__(self, number: int | None = None) -> None:
        import cupy

        self._cupy = cupy
        self.device = cupy.cuda.Device(number)
        self._open()

    @_telling
    def _open(self) -> None:
        cupy, device = self._cupy, self.device
        self._kernels: dict[tuple[Any, ...], Any] = {}
        properties = cupy.cuda.runtime.getDeviceProperties(device.id)
        self.name = properties["name"].decode()
        self.processors = int(properties["multiProcessorCount"])
        self.shared_bytes = int(device.attributes["MaxSharedMemoryPerBlockOptin"])
        self.cycles_per_second = float(device.attributes["ClockRate"]) * 1e3
        self._clock, self._streams = EventTimer(cupy), Streams(cupy)

    @cached_property
    def _transfer(self) -> Transfer:
        from wavediff.gpu.card.transfer import Transfer  # imports Numba, which not every user of a card needs

        return Transfer(CudaDriver(self._cupy))

    def _large(self, array: Any) -> bool:
        """Return whether threads speed up the transfer of an array."""
        if not is_large(array) or not array.flags.c_contiguous:
            return False
        from wavediff.core.jit import pinned_copy

        return pinned_copy.ready()

    @_telling
    def free(self) -> int:
        pool = self._cupy.get_default_memory_pool()
        return int(self._cupy.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes())

    @_telling
    def zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        return self._cupy.zeros(shape, dtype)

    @_telling
    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        return self._cupy.empty(shape, dtype)

    @_telling
    def fill(self, array: Any, value: int) -> None:
        array.fill(value)

    @_telling
    def upload(self, array: Array) -> Any:
        if not self._large(array):
            return self._cupy.asarray(array)
        out, stream = self._cupy.empty(array.shape, array.dtype), self._cupy.cuda.get_current_stream()
        self._transfer.bring(array.reshape(-1).view(np.uint8), out.data.ptr, stream.ptr).wait()
        stream.synchronize()
        return out

    @_telling
    def download(self, array: Any) -> Array:
        out: Array
        if not self._large(array):
            out = self._cupy.asnumpy(array)
        else:
            out, stream = np.empty(array.shape, array.dtype), self._cupy.cuda.get_current_stream()
            self._transfer.fetch(array.data.ptr, out.reshape(-1).view(np.uint8), stream.ptr).wait()
        return out

    @_telling
    def download_to(self, array: Any, out: Array) -> None:
        """Copy an array to a contiguous host array of equal shape and type, ideally ``pinned``."""
        array.get(out=out)

    def address(self, array: Any) -> int:
        """Return the device address of an array, for pointers in structs."""
        return int(array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr)

    @_telling
    def border(self, groups: int, writer: Card) -> Any:
        """Allocate uint32 zeros, shape (groups,), that this card reads while another card writes.

        They are in this card's memory if the other card can write there, else in host memory.
        """
        if isinstance(writer, Card) and writer.reaches(self):
            array = self._cupy.zeros(groups, np.uint32)
            self._cupy.cuda.get_current_stream().synchronize()
            return array
        array = self.pinned(groups, np.uint32)
        array[:] = 0
        return array

    @_telling
    def reaches(self, other: Card) -> bool:
        """Enable peer access, and return whether it is possible."""
        runtime = self._cupy.cuda.runtime
        if not runtime.deviceCanAccessPeer(self.device.id, other.device.id):
            return False
        try:
            runtime.deviceEnablePeerAccess(other.device.id)
        except runtime.CUDARuntimeError as error:
            return bool(error.status == PEER_ALREADY)
        return True

    @_telling
    def running_sums(self, array: Any, dtype: npt.DTypeLike) -> Any:
        """Return the inclusive prefix sums of a 1-D ``array``, which a running kernel may still be writing."""
        return self._cupy.cumsum(array, dtype=dtype)

    @_telling
    def kernel(self, unit: str, name: str, **macros: int) -> CudaKernel:
        """Compile ``name`` of the file ``unit``, once per macro set."""
        key = (unit, name, *sorted(macros.items()))
        if key in self._kernels:
            return CudaKernel(self._kernels[key], 0.0)
        start = perf_counter()
        try:
            module = self._cupy.RawModule(code=text(unit), options=options(**macros), backend="nvrtc")
            function = module.get_function(name)
        except (RuntimeError, OSError) as error:
            if translated(error) is not None:
                raise
            # NVRTC is not installed, or CuPy's folder of compiled kernels cannot be written.
            raise DeviceError(f"a kernel could not be compiled: {one_line(error)}") from error
        function.max_dynamic_shared_size_bytes = self.shared_bytes - function.shared_size_bytes
        self._kernels[key] = function
        return CudaKernel(function, perf_counter() - start)

    @_telling
    def resident(self, kernel: CudaKernel, threads: int, shared: int) -> int:
        """Return the number of blocks that run concurrently."""
        driver = self._cupy.cuda.driver
        each = driver.occupancyMaxActiveBlocksPerMultiprocessor(kernel.function.kernel.ptr, threads, shared)
        return int(each) * self.processors

    @_telling
    def launch(
        self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *args: Any, watch: Watch = None
    ) -> float:
        """Run a kernel to completion; return its seconds.

        Args:
            shared: bytes of shared memory per block.
            args: arrays of the card, NumPy scalars, and ``np.void`` for a struct by value.
            watch: called repeatedly while it runs, e.g. to compile in parallel.
        """
        return self._timed(kernel, threads, shared, [(blocks, args)], watch)

    @_telling
    def begin(self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *args: Any) -> None:
        """Start a kernel asynchronously, in order with later calls."""
        kernel.function((blocks,), (threads,), args, shared_mem=shared)

    @_telling
    def launch_each(self, kernel: CudaKernel, threads: int, shared: int, launches: Sequence[Launch]) -> float:
        """Run a kernel once per entry of ``launches``; return the total seconds."""
        return self._timed(kernel, threads, shared, launches, None)

    def _timed(self, kernel: CudaKernel, threads: int, shared: int, launches: Sequence[Launch], watch: Watch) -> float:
        def run() -> None:
            for blocks, arguments in launches:
                kernel.function((blocks,), (threads,), arguments, shared_mem=shared)

        return self._clock.timed(run, watch)[1]

    @_telling
    def pinned(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Array:
        """Allocate an uninitialised pinned host array."""
        n_bytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return np.ndarray(shape, dtype, self._cupy.cuda.alloc_pinned_memory(n_bytes))

    @_telling
    def sibling(self) -> Card:
        """Return the same card with a separate stream, for another thread."""
        other = copy(self)
        other.stream, other._clock = self._streams.next(), EventTimer(self._cupy)
        return other

    @_telling
    def queue(self) -> CardQueue:
        """Return a new queue whose work follows all earlier calls of this card."""
        return CardQueue(self._cupy, self.device)

    @_telling
    def bring(self, host: Letters, to: Any, queue: Any, threads: int) -> PendingTransfer:
        """Start copying ``host`` (bytes) to the start of ``to``; the queue waits for it.

        Work enqueued after the transfer follows it. ``wavediff.core.jit.pinned_copy`` is ready.

        Args:
            threads: maximum; 0: one per core.
        """
        return self._transfer.bring(host, to.data.ptr, queue.handle, threads)

    @_telling
    def release(self) -> None:
        self._cupy.get_default_memory_pool().free_all_blocks()
        self._cupy.get_default_pinned_memory_pool().free_all_blocks()


OtherCards = Callable[[], Sequence[Card]]  # of the same kind, woken by the first call


def no_others() -> Sequence[Card]:
    """Return no other cards."""
    return ()


HEADERS |= {f"bwt_{part}.cu": ("bwt.cuh",) for part in ("text", "sample", "ranks", "walk")}
HEADERS |= dict.fromkeys(("radix.cu", "yamanaka.cu", "exact_matches.cu"), ("bwt.cuh",))
HEADERS["search.cu"] = ("automaton.cuh",)
HEADERS["kawanami.cu"] = ("place_times.cuh",)


def text(name: str) -> str:
    """Return a translation unit: shared headers, then ``name``, with #line marks.

    Headers are joined because CuPy's compile cache uses the source text and the options as its key, not the included
    files.
    """
    units = (*SHARED, *HEADERS.get(name, ()), name)
    return "\n".join(f'#line 1 "{unit}"\n{(CUDA / unit).read_text(encoding="utf-8")}' for unit in units)


def options(**macros: int) -> tuple[str, ...]:
    """Return the compiler options for these macros, sorted for a stable cache key."""
    return ("-std=c++17", *(f"-D{name}={value}" for name, value in sorted(macros.items())))


class EventTimer:
    """Pair of events around work in the current stream; single-threaded."""

    def __init__(self, cupy: Any) -> None:
        self._cuda = cupy.cuda
        self._begun, self._ended = cupy.cuda.Event(), cupy.cuda.Event()

    def timed(self, work: Callable[[], R], watch: Callable[[], None] | None = None) -> tuple[R, float]:
        """Return the result of ``work``, and its time on the card in seconds.

        Args:
            watch: called repeatedly until it ends.
        """
        start = perf_counter()
        self._begun.record()
        out = work()
        self._ended.record()
        try:
            while watch is not None and not self._ended.done:
                watch()
                self._pause()
        finally:  # arrays of a kernel are released after its end
            self._ended.synchronize()
        return out, self._seconds(perf_counter() - start)

    def _pause(self) -> None:
        until = perf_counter() + WATCH_SECONDS
        while perf_counter() < until and not self._ended.done:
            sleep(POLL_SECONDS)

    def _seconds(self, waited: float) -> float:
        """Return the time between the events; ``waited`` if the driver has none.

        The driver once reported an event as not passed although a later event of the same stream had passed (tests with
        many threads on an H200). Missing times must not fail the work.
        """
        try:
            return float(self._cuda.get_elapsed_time(self._begun, self._ended)) / 1e3
        except self._cuda.runtime.CUDARuntimeError as error:
            if error.status != NOT_READY:
                raise
            return waited
