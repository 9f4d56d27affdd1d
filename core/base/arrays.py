"""Read-only arrays for sharing between threads, and type aliases."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Letters = npt.NDArray[np.unsignedinteger[Any]]  # uint8 but for texts of many characters
LetterType = type[np.unsignedinteger[Any]]
Words = npt.NDArray[np.uint64]
BlockMap = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Ops = npt.NDArray[np.uint8]  # of runs of an alignment
Runs = tuple[Ops, Counts]  # ops and lengths


def letter_type(n_codes: int) -> LetterType:
    """Return the smallest type for codes below ``n_codes``: uint8, uint16 or uint32."""
    return np.uint8 if n_codes <= 1 << 8 else np.uint16 if n_codes <= 1 << 16 else np.uint32


ALIGN_BYTES = 128  # bytes: two cache lines, as the neighbour is prefetched too
SOON_COPIED_BYTES = 1 << 14  # copying is faster than wrapping them in place


def aligned_words(n: int) -> Words:
    """Return an uninitialised uint64 array of shape (n,) that starts on a cache line of its own."""
    space = np.empty(n + ALIGN_BYTES // 8, np.uint64)
    skip = -space.__array_interface__["data"][0] % ALIGN_BYTES // 8
    return space[skip : skip + n]


def ratio(part: Counts, whole: Counts) -> npt.NDArray[np.float64]:
    """Return ``part`` / ``whole``, 1 where ``whole`` is 0."""
    return np.where(whole > 0, part / np.maximum(whole, 1), 1.0)


def freeze(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return ``array`` as a read-only C-contiguous array.

    An array that is already read-only, contiguous and owns its memory (or is a view of such an array) is returned
    unchanged; others are copied.
    """
    if array.flags.c_contiguous and not array.flags.writeable and _frozen_to_the_root(array):
        return array
    out = np.array(array, order="C", copy=True)
    out.setflags(write=False)
    return out


def freeze_fields(one: Any) -> None:
    """Make the array fields of a frozen dataclass read-only; see ``freeze``."""
    for name in one.__dataclass_fields__:
        value = getattr(one, name)
        if isinstance(value, np.ndarray):
            object.__setattr__(one, name, freeze(value))


def _frozen_to_the_root(array: npt.NDArray[Any]) -> bool:
    base = array.base
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return False
        base = base.base
    return base is None or isinstance(base, bytes) or (isinstance(base, memoryview) and base.readonly)


class _Writable:
    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.owner = array  # which stays as long as its letters are looked at
        interface = array.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


def as_writable(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a writable view of ``array`` for compiled functions that only read it.

    A read-only array has another type for the compiler, so readers would be compiled twice.
    """
    if array.flags.writeable:
        return array
    return array.copy() if array.nbytes <= SOON_COPIED_BYTES else np.asarray(_Writable(array))
