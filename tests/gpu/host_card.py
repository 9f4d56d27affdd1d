"""A card that is the host: CUDA sources built with g++ and run on fibers, with NumPy arrays as its memory."""

from __future__ import annotations

import ctypes
import hashlib
import platform
import re
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from tests.gpu.host_queue import HostDriver, HostQueue
from tests.kept import kept
from wavediff.gpu.card import cuda
from wavediff.gpu.card.cuda import CudaKernel
from wavediff.gpu.card.pending_transfer import PendingTransfer
from wavediff.gpu.card.transfer import Transfer

HEADER = Path(__file__).with_name("cuda_on_host.hpp")
KERNELS = re.compile(r"__global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)\(")

NONSENSE = 0xA5  # each byte of memory that was not written, or was freed
FREED_KEPT = 32  # arrays whose memory is nobody else's for a while


class _Memory:
    """Bytes of a card, which NumPy takes as an array; nonsense before and after their use."""

    _freed: ClassVar[deque[Any]] = deque(maxlen=FREED_KEPT)

    def __init__(self, size: int) -> None:
        store = np.full(max(size, 1), NONSENSE, np.uint8)
        self.__array_interface__ = {**store.__array_interface__, "shape": (size,)}
        weakref.finalize(self, self._free, store)

    @classmethod
    def _free(cls, store: Any) -> None:
        store.fill(NONSENSE)
        cls._freed.append(store)


class HostCard:
    """See ``wavediff.gpu.card.cuda.Card``.

    Args:
        folder: where libraries are built, and kept by a digest of all they were made from.
    """

    name = "the host"
    processors = 1
    shared_bytes = 1 << 18
    cycles_per_second = 1e9

    # Of all such cards: the emulation has one set of fibers, and walks of several threads ask for the same kernels.
    _busy, _building = threading.Lock(), threading.Lock()

    def __init__(self, folder: Path, optimise: bool = True) -> None:
        self._folder, self._flag = folder, "-O2" if optimise else "-O1"
        self.launches = 0
        self._transfer = Transfer(HostDriver())

    def free(self) -> int:
        return 1 << 28

    def zeros(self, shape: Any, dtype: Any) -> Any:
        out = self.empty(shape, dtype)
        out[...] = np.zeros((), dtype)
        return out

    def empty(self, shape: Any, dtype: Any) -> Any:
        """Return an array of which a kernel that forgets to write, or that has its address only, finds nonsense."""
        memory = _Memory(int(np.prod(shape)) * np.dtype(dtype).itemsize)
        return np.asarray(memory).view(dtype).reshape(shape)

    def border(self, groups: int, writer: Any) -> Any:
        return np.zeros(groups, np.uint32)

    def fill(self, array: Any, value: int) -> None:
        array.fill(value)

    def running_sums(self, array: Any, dtype: Any) -> Any:
        return np.cumsum(array, dtype=dtype)

    def upload(self, array: Any) -> Any:
        out = self.empty(np.shape(array), array.dtype)
        out[...] = array
        return out

    def download(self, array: Any) -> Any:
        return np.array(array)

    def download_to(self, array: Any, out: Any) -> None:
        assert out.flags.c_contiguous
        assert (out.shape, out.dtype) == (array.shape, array.dtype)
        out[:] = array

    def sibling(self) -> HostCard:
        return self

    def address(self, array: Any) -> int:
        return int(array.ctypes.data)

    def kernel(self, unit: str, name: str, **macros: int) -> CudaKernel:
        start = perf_counter()
        # Macros may leave kernels out; without them all of a unit are built together.
        flags = (*(f"-D{key}={value}" for key, value in sorted(macros.items())), self._flag)
        with self._building:
            library = _library(self._folder, unit, name if macros else "", flags)
        return CudaKernel(getattr(library, f"launch_{name}"), perf_counter() - start)

    def launch_each(self, kernel: CudaKernel, threads: int, shared: int, launches: Any) -> float:
        return sum(self.launch(kernel, blocks, threads, shared, *arguments) for blocks, arguments in launches)

    def begin(self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *arguments: Any) -> None:
        self.launch(kernel, blocks, threads, shared, *arguments)

    def release(self) -> None:
        pass

    def resident(self, kernel: CudaKernel, threads: int, shared: int) -> int:
        return 2

    def launch(
        self, kernel: CudaKernel, blocks: int, threads: int, shared: int, *arguments: Any, watch: Any = None
    ) -> float:
        start = perf_counter()
        # An array is passed by its address, a scalar or a struct by its bytes.
        cells = [np.array(a.ctypes.data, np.uint64) if isinstance(a, np.ndarray) else np.array(a) for a in arguments]
        table = (ctypes.c_void_p * len(cells))(*(c.ctypes.data for c in cells))
        with self._busy:
            if watch is None:
                kernel.function(blocks, threads, shared, table)
            else:
                _watched(lambda: kernel.function(blocks, threads, shared, table), watch)
        self.launches += 1
        return perf_counter() - start

    def pinned(self, shape: Any, dtype: Any) -> Any:
        return np.full(shape, 0xAA, np.uint8).astype(dtype)  # as it comes

    def queue(self) -> HostQueue:
        return HostQueue(self)

    def bring(self, host: Any, to: Any, queue: Any, threads: int) -> PendingTransfer:
        return self._transfer.bring(host, self.address(to), queue.handle, threads)


@cache
def _library(folder: Path, unit: str, name: str, flags: tuple[str, ...]) -> ctypes.CDLL:
    code = cuda.text(unit)
    names = [name] if name else KERNELS.findall(code)
    text = "\n".join((HEADER.read_text(encoding="utf-8"), code, *map(_launcher, names)))
    digest = hashlib.sha256("\n".join((_compiler(), text, *flags)).encode()).hexdigest()[:16]
    return ctypes.CDLL(str(kept(folder / f"{unit}-{digest}.so", lambda new: _build(text, flags, new))))


def _build(text: str, flags: Sequence[str], library: Path) -> None:
    command = ["g++", "-x", "c++", "-std=c++20", "-w", "-shared", "-fPIC", *flags, "-", "-o", str(library)]
    subprocess.run(command, input=text, check=True, capture_output=True, text=True, timeout=300)


@cache
def _compiler() -> str:
    said = subprocess.run(["g++", "-v"], check=True, capture_output=True, text=True, timeout=60).stderr
    return said + platform.machine()


def _watched(work: Any, watch: Any) -> None:
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(work)
        while not running.done():
            watch()
        running.result()


def _launcher(name: str) -> str:
    call = f"emu::launch(grid, block, shared, [](void **a) {{ emu::call({name}, a); }}, a);"
    return f'extern "C" void launch_{name}(unsigned grid, unsigned block, unsigned shared, void **a) {{ {call} }}'
