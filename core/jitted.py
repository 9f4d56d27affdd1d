"""Decorators of compiled functions, by who calls them and by whether they make arrays.

Code of what Python calls is kept between runs (``core.kernel_cache``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from core.embedded import AsWritten, Embedded
from core.kernel_cache import kept

_COMMON = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
# Without the wrappers that let Python and C call it, a function of many arguments compiles in half the time. It is
# kept on the disk as part of what calls it, and made machine code with that only.
INNER = {**_COMMON, "no_cpython_wrapper": True, "pipeline_class": Embedded}
# Without counts of references, to every array of every tuple that is handed on, in half the time again.
LEAN_INNER = {**INNER, "_nrt": False, "pipeline_class": AsWritten}


def jit_with(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator ``jit`` with more of Numba's options."""
    return lambda function: kept(njit(nogil=True, **options)(function))


def lean(function: Callable[..., Any]) -> Any:
    """Compile what Python and compiled code call, and what allocates nothing and returns numbers."""
    return kept(njit(_nrt=False, **_COMMON)(function))


jit: Any = jit_with()  # Python calls it, and compiled code may
inner: Any = njit(**INNER)  # only compiled code calls it
lean_inner: Any = njit(**LEAN_INNER)  # as lean, and only compiled code calls it
part_of: Any = njit(inline="always", **INNER)  # only compiled code calls it; it returns parts of arrays that it gets
