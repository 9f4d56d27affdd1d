"""A card that is the host: CUDA sources built with g++ and run on fibers, with NumPy arrays as its memory."""

from __future__ import annotations

import ctypes
import hashlib
import subprocess
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from gpu import source
from gpu.card import Kernel

HEADER = Path(__file__).with_name("cuda_on_host.hpp")


class HostCard:
    """See ``gpu.card.Card``.

    Args:
        folder: where libraries are built.
    """

    name = "the host"
    processors = 1
    shared_bytes = 1 << 18
    cycles_per_second = 1e9

    def __init__(self, folder: Path, optimise: bool = True) -> None:
        self._folder, self._flag = folder, "-O2" if optimise else "-O1"
        self.launches = 0

    def free(self) -> int:
        return 1 << 28

    def zeros(self, shape: Any, dtype: Any) -> Any:
        return np.zeros(shape, dtype)

    def upload(self, array: Any) -> Any:
        return np.array(array, order="C")

    def download(self, array: Any) -> Any:
        return np.array(array)

    def address(self, array: Any) -> int:
        return int(array.ctypes.data)

    def kernel(self, unit: str, name: str, **macros: int) -> Kernel:
        start = perf_counter()
        text = "\n".join(
            (
                HEADER.read_text(encoding="utf-8"),
                source.text(unit),
                'extern "C" void launch_it(unsigned grid, unsigned block, unsigned shared, void **a) {',
                f"    emu::launch({{grid, 1, 1}}, {{block, 1, 1}}, shared, [&] {{ emu::call({name}, a); }});",
                "}",
            )
        )
        flags = [*(f"-D{key}={value}" for key, value in sorted(macros.items())), self._flag]
        digest = hashlib.sha256("\n".join((text, *flags)).encode()).hexdigest()[:16]
        library = self._folder / f"{name}-{digest}.so"
        if not library.exists():
            unit_file = library.with_suffix(".cpp")
            unit_file.write_text(text, encoding="utf-8")
            subprocess.run(
                ["g++", "-std=c++20", "-w", "-shared", "-fPIC", *flags, str(unit_file), "-o", str(library)],
                check=True,
                capture_output=True,
                text=True,
            )
        return Kernel(ctypes.CDLL(str(library)), perf_counter() - start)

    def launch_each(self, kernel: Kernel, threads: int, shared: int, launches: Any) -> float:
        return sum(self.launch(kernel, blocks, threads, shared, *arguments) for blocks, arguments in launches)

    def resident(self, kernel: Kernel, threads: int, shared: int) -> int:
        return 2

    def launch(self, kernel: Kernel, blocks: int, threads: int, shared: int, *arguments: Any) -> float:
        start = perf_counter()
        # An array is passed by its address, a scalar or a struct by its bytes.
        cells = [np.array(a.ctypes.data, np.uint64) if isinstance(a, np.ndarray) else np.array(a) for a in arguments]
        table = (ctypes.c_void_p * len(cells))(*(c.ctypes.data for c in cells))
        kernel.function.launch_it(blocks, threads, shared, table)
        self.launches += 1
        return perf_counter() - start
