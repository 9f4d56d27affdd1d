"""Decorators of compiled functions, by who calls them and by whether they make arrays.

Code of what Python calls is kept between runs (``wavediff.core.jit.kernel_cache``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wavediff.core.jit import quiet_numba  # before all that imports Numba
from wavediff.core.jit.kernel_cache import cached

PLAIN: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# Without counts of references, to every array of every tuple that is handed on, it compiles in half the time.
NO_NRT = {**PLAIN, "no_cfunc_wrapper": True, "_nrt": False}
# Without the wrappers that let Python and C call it, a function of many arguments compiles in half the time.
INNER = {**PLAIN, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}
LEAN_INNER = {**INNER, "_nrt": False}


def jit_with(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator ``jit`` with more of Numba's options."""
    return lambda function: cached(quiet_numba.njit(nogil=True, **options)(function))


def jit_no_nrt(function: Callable[..., Any]) -> Any:
    """Compile what Python and compiled code call, and what allocates nothing and returns numbers."""
    return cached(quiet_numba.njit(**NO_NRT)(function))


jit: Any = jit_with()  # Python calls it, and compiled code may
jit_callee: Any = quiet_numba.njit(**INNER)  # only compiled code calls it
jit_callee_no_nrt: Any = quiet_numba.njit(**LEAN_INNER)  # as lean, and only compiled code calls it
jit_inline: Any = quiet_numba.njit(
    inline="always", **INNER
)  # only compiled code calls it; it returns parts of arrays that it gets
