"""Stack memory for nested calls, which CPython allocates in chunks."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

_ROOM_SLOTS = 70_000  # of 8 bytes; pieces are of powers of two bytes, so that with this frame one has 1 MiB

_Returned = TypeVar("_Returned")


def call_with_room(function: Callable[[], _Returned]) -> _Returned:
    """Call ``function`` with all nested frames (some hundreds) in one chunk.

    CPython keeps frames in pieces of 16 KiB. One is got where a call finds no room, and given back when that call
    returns: calls made again and again from near the end of a piece, as imports are, get one from the system each time,
    2,300 times in a small comparison. A frame that claims more than a piece gets a larger one, whose rest is the room.
    """

    def caller() -> _Returned:
        return function()

    roomy = caller.__code__.replace(co_stacksize=_ROOM_SLOTS)
    called: _Returned = FunctionType(roomy, globals(), closure=caller.__closure__)()
    return called
