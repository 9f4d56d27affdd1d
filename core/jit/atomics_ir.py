"""Atomic operations on NumPy int64 arrays for ``nogil`` threads.

Compiled code may read a polled array element once and keep it in a register. These functions read memory every time;
writes before a ``store_release`` are visible after the ``load_acquire`` that reads it.
"""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import types
from wavediff.core.jit.simd_ir import _item, intrinsic


@intrinsic
def load_acquire(_: Any, array: Any, index: Any) -> Any:
    """Load ``array[index]`` (int64) with acquire ordering."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load_atomic(_item(context, builder, sig.args[0], *args), "acquire", 8)

    return types.int64(array, types.intp), build


@intrinsic
def store_release(_: Any, array: Any, index: Any, value: Any) -> Any:
    """Store ``array[index]`` (int64) with release ordering."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _item(context, builder, sig.args[0], args[0], args[1]), "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.int64), build


@intrinsic
def fetch_add(_: Any, array: Any, index: Any, amount: Any) -> Any:
    """Atomically add ``amount`` to ``array[index]`` (int64); return the old value."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _item(context, builder, sig.args[0], args[0], args[1])
        return builder.atomic_rmw("add", pointer, args[2], "acq_rel")

    return types.int64(array, types.intp, types.int64), build
