"""The decorator of functions that only compiled code calls."""

from __future__ import annotations

from typing import Any

from numba import njit

# Without the wrappers that let Python and C call it, a function of many arguments compiles in half the time.
inner: Any = njit(nogil=True, cache=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
