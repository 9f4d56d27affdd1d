"""Cores, memory and vector width of this machine, without slow imports."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from wavediff.core.system.memory_limits import free_in_cgroups, free_under_rlimits, unused_by_all

NICE_STEPS = (
    5  # steps of priority, each a fifth of a core's time: at 10 a thread that waits to go on holds up the others
)
PRIMING_BLOCK_BYTES = (1 << 25) - (1 << 16)  # bytes; what is larger than 32 MiB the library always gives back
NUMBA_VARIABLES_KEPT = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


@dataclass(frozen=True, slots=True)
class GraphicsCard:
    """Graphics card with its driver.

    Attributes:
        name: name of the model.
        memory: memory in bytes.
        capability: compute capability (major, minor).
        processors: number of multiprocessors.
        hertz: maximum clock rate in Hz.
        cupy: version of CuPy.
        runtime, driver: CUDA versions: the one CuPy was built for, and the newest one of the driver.
        devices: CUDA numbers of this card and of others of its kind, which may share its jobs.
        unlike: names of other cards, which are not used.
    """

    name: str
    memory: int
    capability: tuple[int, int]
    processors: int
    hertz: float
    cupy: str
    runtime: str
    driver: str
    devices: tuple[int, ...] = (0,)
    unlike: tuple[str, ...] = ()

    def __str__(self) -> str:
        n = len(self.devices)
        return f"{f'{n} x ' if n > 1 else ''}{self.name}, {self.memory / 2**30:.0f} GiB"


def cores() -> int:
    """Return the cores this process may use (affinity)."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def lower_thread_priority() -> None:
    """Lower the priority of this thread, on Linux."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        # A sandbox may forbid it: then the window depends on the system's scheduling.
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + NICE_STEPS))


def start_child(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> subprocess.Popen[str]:
    """Start a process with line-based pipes; its stderr is discarded.

    Args:
        folder: working directory.

    Raises:
        OSError: the process cannot be started.
    """
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=environment,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def set_library_variables() -> None:
    """Set environment variables for NumPy, Numba and child processes; call before importing either.

    Numba's variables are removed, except those of the target processor: NUMBA_DISABLE_JIT would disable all kernels,
    an invalid number would end in a traceback. OpenBLAS is limited to one thread, as it would start a spinning thread
    per core at the import of NumPy: 0.05-0.3 s of CPU time on two cores, for products of vectors of 256 numbers.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in [name for name in os.environ if name.startswith("NUMBA_") and name not in NUMBA_VARIABLES_KEPT]:
        del os.environ[name]


def raise_mmap_threshold() -> None:
    """Keep freed memory (up to 64 MiB) in the process for the next job.

    The GNU C library returns large blocks to the system at once and requests them again page by page (half a
    millisecond in a job of 20 ms), until a large block has been freed once. So this function allocates and frees a
    large block without writing to it. Other C libraries are unaffected.
    """
    bytes(PRIMING_BLOCK_BYTES)


def available_memory() -> int:
    """Return the memory in bytes that can be allocated without swapping, within all limits."""
    rooms = unused_by_all(), free_under_rlimits(), free_in_cgroups()
    return min(room for room in rooms if room is not None)
