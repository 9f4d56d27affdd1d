"""Decorators of compiled functions, by who calls them and by whether they make arrays."""

from __future__ import annotations

from typing import Any

from numba import njit

from core.embedded import AsWritten, Embedded

_COMMON = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
# Without the wrappers that let Python and C call it, a function of many arguments compiles in half the time. It is
# kept on the disk as part of what calls it, and made machine code with that only.
INNER = {**_COMMON, "no_cpython_wrapper": True, "pipeline_class": Embedded}
# Without counts of references, to every array of every tuple that is handed on, in half the time again.
LEAN_INNER = {**INNER, "_nrt": False, "pipeline_class": AsWritten}

inner: Any = njit(**INNER)  # only compiled code calls it
lean: Any = njit(cache=True, _nrt=False, **_COMMON)  # Python calls it too; it allocates nothing and returns numbers
lean_inner: Any = njit(**LEAN_INNER)  # both
part_of: Any = njit(inline="always", **INNER)  # only compiled code calls it; it returns parts of arrays that it gets
