"""Drive ``cuda/radix.cu``: stable sort of 64-bit keys by some of their bits, with a 32-bit value each or without.

What the CuPy library sorts goes by all 64 bits and carries 64-bit positions; here keys have letters in bits that do not
count, and as many passes are made as there are bits that do.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from wavediff.core.jobs.events import Event
from wavediff.gpu.bwt.bwt_launches import NOTHING, LaunchQueue, spans
from wavediff.gpu.card.interface import Launch

UNIT = "radix.cu"
TILE_KEYS = 4096  # keys of a block of threads
DIGIT_BITS = 8  # bits of a pass
MAX_NARROW = 1 << 30  # keys whose counts leave two bits of a word


def sort(
    steps: LaunchQueue, keys: Any, bits: tuple[int, int], values: Any = None, *, order: bool = False
) -> Generator[Event, None, tuple[Any, Any]]:
    """Return ``keys`` (uint64, which is used up) in order, and ``values`` (uint32) with them.

    Args:
        bits: from which, below which bit they are compared; 64 bits at most, one at least.
        order: without ``values``: return where each key was, uint32.
    """
    card, n, (shift, end) = steps.card, int(keys.size), bits
    passes = -(-(end - shift) // DIGIT_BITS)
    counts = card.zeros(passes * 256, np.uint32)
    count, valued = np.int64(n), order or values is not None
    macros: dict[str, Any] = {"WIDE": int(n >= MAX_NARROW), "VALUES": int(valued)}
    yield from steps.run(UNIT, "count_digits", n, keys, np.int32(shift), np.int32(end - shift), counts, **macros)
    tiles = -(-n // TILE_KEYS)
    wide = np.uint64 if macros["WIDE"] else np.uint32
    states, turns = card.zeros(passes * tiles * 256, wide), card.zeros(passes, np.uint32)
    other, other_values = card.empty(n, np.uint64), card.empty(n, np.uint32) if valued else NOTHING
    given = NOTHING if values is None else values
    launches: list[Launch] = []
    for one in range(passes):
        low = shift + one * DIGIT_BITS
        arguments = (
            keys, other, given, other_values, count, np.int32(low), np.int32(min(DIGIT_BITS, end - low)),
            counts[one * 256 :], states[one * tiles * 256 :], turns[one:],
        )  # fmt: skip
        # Tiles are taken in turn, so that a launch goes on where the one before has ended.
        launches += [(some.size, arguments) for some in spans(tiles, TILE_KEYS, 1)]
        keys, other = other, keys
        if valued:
            given, other_values = other_values, card.empty(n, np.uint32) if given is NOTHING else given
    yield from steps.run_each(UNIT, "sort_digit", launches, TILE_KEYS, **macros)
    return keys, given if valued else None
