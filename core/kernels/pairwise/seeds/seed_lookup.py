"""Look-up of the seeds of A in B."""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jit.decorators import jit
from wavediff.core.kernels.pairwise.estimate import PRIME
from wavediff.core.kernels.pairwise.seeds.chain import BROKEN, Diagonals

MAX_SEED_COPIES = 8  # seeds of the same letters; more say nothing


@jit
def find_seeds(
    a: Letters,
    b: Letters,
    first: int,
    last: int,
    length: int,
    code_bits: int,
    low: int,
    high: int,
    lowest: Diagonals,
    highest: Diagonals,
) -> None:
    """Write for seeds ``first`` to ``last`` the lowest and highest of diagonals ``low`` to ``high`` where ``b`` has it.

    Seed s is ``a[s * length : (s + 1) * length]``. One that more than ``MAX_SEED_COPIES`` have is met everywhere.
    """
    n_seeds, shift = last - first, np.uint64(code_bits)
    bits = 4
    while 1 << bits < 4 * n_seeds:
        bits += 1
    wrap, to_slot, to_sieve = (1 << bits) - 1, np.uint64(64 - bits), np.uint64(64 - bits - 2)
    mask = ~np.uint64(0) >> np.uint64(64 - length * code_bits)
    newest, shared = np.full(1 << bits, -1, np.int32), np.zeros(1 << bits, np.int32)
    keys, older = np.empty(1 << bits, np.uint64), np.empty(n_seeds, np.int32)
    sieve = np.zeros(1 << (bits + 2 - 3), np.uint8)
    for s in range(n_seeds):
        key, start = np.uint64(0), (first + s) * length
        for i in range(start, start + length):
            key = key << shift | np.uint64(a[i])
        mixed = (key + np.uint64(1)) * PRIME
        mixed ^= mixed >> np.uint64(29)
        mixed *= PRIME
        slot = np.int64(mixed >> to_slot)
        while newest[slot] >= 0 and keys[slot] != key:
            slot = (slot + 1) & wrap
        keys[slot], older[s] = key, newest[slot]
        newest[slot] = s
        shared[slot] += 1
        place = np.int64(mixed >> to_sieve)
        sieve[place >> 3] |= np.uint8(1 << (place & 7))
    for at in range(wrap + 1):
        if shared[at] > MAX_SEED_COPIES:
            same = int(newest[at])
            while same >= 0:
                lowest[first + same], highest[first + same] = -BROKEN, BROKEN
                same = int(older[same])
            newest[at] = -1 - n_seeds  # taken, by none that could be met
    start, end = max(0, first * length + low), min(b.size, last * length + high)
    key = np.uint64(0)
    for j in range(start, end):
        key = (key << shift | np.uint64(b[j])) & mask
        if j - start + 1 < length:
            continue
        mixed = (key + np.uint64(1)) * PRIME
        mixed ^= mixed >> np.uint64(29)
        mixed *= PRIME
        place = np.int64(mixed >> to_sieve)
        if not sieve[place >> 3] >> (place & 7) & 1:
            continue
        slot = np.int64(mixed >> to_slot)
        while newest[slot] != -1 and keys[slot] != key:
            slot = (slot + 1) & wrap
        s = newest[slot]
        while s >= 0:
            diagonal = j - length + 1 - (first + s) * length
            if low <= diagonal <= high:
                lowest[first + s] = min(lowest[first + s], diagonal)
                highest[first + s] = max(highest[first + s], diagonal)
            s = older[s]
