"""Copies between host and card memory in chunks through pinned memory.

A card copies at full speed only from and to pinned memory, and sequences are not pinned. So each of several threads
owns a few pinned buffers: it fills one while the card copies the previous one. A thread's work is a single compiled
call that uses the addresses of the driver's functions. It never takes the interpreter lock, since waiting for it would
leave the bus idle.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from wavediff.core.jit.atomics import fetch_add, load_acquire, store_release
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.quiet_numba import cgutils, ir, types
from wavediff.core.jit.simd_ir import intrinsic
from wavediff.core.jit.warmup import compiled_names, kernel_name, warm_up
from wavediff.core.jobs.events import Event, Step

NEXT, STOPPED = 0, 1  # of ``shared``
WAIT, TO_CARD, FROM_CARD, RECORD = range(4)  # of ``calls``
_I64: Any = ir.IntType(64)
_KERNEL, _KEY = "transfer", "pieces"


@intrinsic(lambda address, one, two, three, four: types.int64(*[types.int64] * 5))
def _call(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
    """Call a C function with up to these arguments; return its int."""
    function = ir.FunctionType(ir.IntType(32), [_I64] * 4)
    called = builder.call(builder.inttoptr(args[0], ir.PointerType(function)), args[1:])
    return builder.sext(called, _I64)


@intrinsic(lambda to, source, size: types.void(*[types.int64] * 3))
def _copy(context: Any, builder: Any, kinds: Any, args: Any) -> None:
    to, source = (builder.inttoptr(one, ir.PointerType(ir.IntType(8))) for one in args[:2])
    cgutils.raw_memcpy(builder, to, source, args[2], 1)


@jit
def copy_to_card(shared, calls, host, card, n, piece, queue, slots, events, turn):  # type: ignore[no-untyped-def]
    """Copy chunks of ``n`` bytes at ``host`` to ``card`` via ``queue`` until none is left.

    Args:
        shared: int64: the next piece, and whether to stop; shared by the copying threads.
        calls: int64: addresses of the driver's functions.
        slots, events: int64: addresses of this thread's pinned buffers, and an event for each.
        turn: the next slot.

    Returns:
        The next slot, and the driver's code of the first failed call, else 0. Copies may still be running.
    """
    n_pieces = (n + piece - 1) // piece
    while load_acquire(shared, STOPPED) == 0:
        k = fetch_add(shared, NEXT, 1)
        if k >= n_pieces:
            break
        size = min(piece, n - k * piece)
        error = _call(calls[WAIT], events[turn], 0, 0, 0)
        if error == 0:
            _copy(slots[turn], host + k * piece, size)
            error = _call(calls[TO_CARD], card + k * piece, slots[turn], size, queue)
        if error == 0:
            error = _call(calls[RECORD], events[turn], queue, 0, 0)
        if error != 0:
            store_release(shared, STOPPED, 1)
            return turn, error
        turn = (turn + 1) % slots.size
    return turn, 0


@jit
def copy_from_card(shared, calls, host, card, n, piece, queue, slots, events, turn):  # type: ignore[no-untyped-def]
    """The reverse of ``copy_to_card``; after all threads return, the data is at ``host``."""
    n_pieces = (n + piece - 1) // piece
    held = np.full(slots.size, -1, np.int64)  # piece that is on its way into each slot
    left = slots.size  # slots to be looked at once no piece is left
    while left > 0:
        error = _call(calls[WAIT], events[turn], 0, 0, 0)  # of whatever used the slot last
        if error == 0 and held[turn] >= 0:
            at = held[turn] * piece
            _copy(host + at, slots[turn], min(piece, n - at))
            held[turn] = -1
        k = fetch_add(shared, NEXT, 1) if load_acquire(shared, STOPPED) == 0 else n_pieces
        if k >= n_pieces:
            left -= 1
        elif error == 0:
            at = k * piece
            error = _call(calls[FROM_CARD], slots[turn], card + at, min(piece, n - at), queue)
            if error == 0:
                error = _call(calls[RECORD], events[turn], queue, 0, 0)
            held[turn] = k
        if error != 0:
            store_release(shared, STOPPED, 1)
            return turn, error
        turn = (turn + 1) % slots.size
    return turn, 0


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile (or load) both functions."""
    yield from warm_up(step, _KERNEL, _KEY, _rehearse)


def ready() -> bool:
    """Return whether both functions are compiled."""
    return NAME in compiled_names()


def _rehearse() -> None:
    calls, none = np.zeros(4, np.int64), np.zeros(0, np.int64)  # without slots nothing is called
    for strategy in (copy_to_card, copy_from_card):
        strategy(np.zeros(2, np.int64), calls, 0, 0, 0, 1, 0, none, none, 0)


NAME = kernel_name(_KERNEL, _KEY)
