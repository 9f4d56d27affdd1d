"""Decorators of compiled functions, by who calls them and by whether they make arrays.

Code of what Python calls is kept between runs (``core.jit.kernel_cache``).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core import config

from core.jit.callee_pipeline import CalleeCompiler, UnoptimizedCalleeCompiler
from core.jit.kernel_cache import cached

# Numba reads this file of the working folder, which may be anybody's, when it is imported and at every compilation.
_config: Any = config
_config._config_fname = os.devnull
_config.reload_config()

_COMMON = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
# Without the wrappers that let Python and C call it, a function of many arguments compiles in half the time. It is
# kept on the disk as part of what calls it, and made machine code with that only.
INNER = {**_COMMON, "no_cpython_wrapper": True, "pipeline_class": CalleeCompiler}
# Without counts of references, to every array of every tuple that is handed on, in half the time again.
LEAN_INNER = {**INNER, "_nrt": False, "pipeline_class": UnoptimizedCalleeCompiler}


def jit_with(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator ``jit`` with more of Numba's options."""
    return lambda function: cached(njit(nogil=True, **options)(function))


def jit_no_nrt(function: Callable[..., Any]) -> Any:
    """Compile what Python and compiled code call, and what allocates nothing and returns numbers."""
    return cached(njit(_nrt=False, **_COMMON)(function))


jit: Any = jit_with()  # Python calls it, and compiled code may
jit_callee: Any = njit(**INNER)  # only compiled code calls it
jit_callee_no_nrt: Any = njit(**LEAN_INNER)  # as lean, and only compiled code calls it
jit_inline: Any = njit(inline="always", **INNER)  # only compiled code calls it; it returns parts of arrays that it gets
