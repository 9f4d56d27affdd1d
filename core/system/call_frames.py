"""Stack memory for nested calls, which CPython allocates in chunks."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

_ROOM_SLOTS = 70_000  # of 8 bytes; pieces are of powers of two bytes, so that with this frame one has 1 MiB

_Returned = TypeVar("_Returned")


def call_with_room(function: Callable[[], _Returned]) -> _Returned:
    """Call ``function`` so that the frames of some hundred nested calls fit into one chunk.

    CPython keeps frames in chunks of 16 KiB. A call that does not fit gets a new chunk and frees it on return. Repeated
    calls near the end of a chunk, such as imports, thus request memory each time, 2,300 times in a small comparison. A
    frame larger than a chunk gets a larger chunk, whose remaining space is then used.
    """

    def caller() -> _Returned:
        return function()

    roomy = caller.__code__.replace(co_stacksize=_ROOM_SLOTS)
    called: _Returned = FunctionType(roomy, globals(), closure=caller.__closure__)()
    return called
