"""Atomic operations on NumPy int64 arrays for ``nogil`` threads.

Compiled code may read a polled array element once and keep it in a register. These functions read memory every time;
writes before a ``store_release`` are visible after the ``load_acquire`` that reads it.
"""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import types
from wavediff.core.jit.simd_ir import _item, intrinsic


@intrinsic(lambda array, index: types.int64(array, types.intp))
def load_acquire(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Load ``array[index]`` (int64) with acquire ordering."""
    return builder.load_atomic(_item(context, builder, kinds[0], *args), "acquire", 8)


@intrinsic(lambda array, index, value: types.void(array, types.intp, types.int64))
def store_release(context: Any, builder: Any, kinds: Any, args: Any) -> None:
    """Store ``array[index]`` (int64) with release ordering."""
    builder.store_atomic(args[2], _item(context, builder, kinds[0], args[0], args[1]), "release", 8)


@intrinsic(lambda array, index, amount: types.int64(array, types.intp, types.int64))
def fetch_add(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Atomically add ``amount`` to ``array[index]`` (int64); return the old value."""
    pointer = _item(context, builder, kinds[0], args[0], args[1])
    return builder.atomic_rmw("add", pointer, args[2], "acq_rel")
