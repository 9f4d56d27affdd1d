"""Separation of compile time from run time: kernels are called with tiny input before timing."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from time import perf_counter
from typing import TYPE_CHECKING

from wavediff.core.jit import background_compile, compile_cache, compile_log
from wavediff.core.jobs.events import Event, Step

if TYPE_CHECKING:
    from wavediff.core.base.arrays import Letters

_ready: dict[Hashable, str] = {}


def warm_up(step: Step, kernel: str, key: Hashable, call: Callable[[], object]) -> Generator[Event, None, None]:
    """Run ``call`` once per ``key`` and process, reporting its time as compilation.

    If a window must stay responsive, another process compiles first, and ``call`` only loads.
    """
    if key in _ready:
        return
    start = perf_counter()
    name = kernel_name(kernel, key)
    yield from background_compile.wait_for(step, kernel, name)
    with compile_log.compiles(kernel):
        call()
    _ready[key] = name
    compile_cache.mark_ready(name)
    yield step.compiled(kernel, perf_counter() - start)


def variant(key: Hashable, *letters: Letters) -> Hashable:
    """Return the variant of ``key`` for this letter type; unchanged for bytes."""
    for each in letters:  # no list: jobs of microseconds come here five times
        if each.itemsize > 1:
            return " ".join((str(key), *(str(wide.dtype) for wide in letters if wide.itemsize > 1)))
    return key


def is_compiled(name: str) -> bool:
    """Return whether the kernel is known to be compiled."""
    return name in compiled_names() or background_compile.is_cached(name)


def kernel_name(kernel: str, key: Hashable) -> str:
    """Return the persistent name of ``kernel`` in variant ``key``."""
    return f"{kernel} {key}"


def compiled_names() -> set[str]:
    """Return the names of all kernels called in this process."""
    return set(_ready.values())
