"""A quick guess of how different two sequences are, from sampled seeds; a guess only, the band proves itself."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.arrays import Letters

SAMPLES = 1024
SLOTS = 1 << 14  # of the seed table, a power of two well above SAMPLES
FILTER = 1 << 16
PRIME = np.uint64(0x9E3779B97F4A7C15)


def seed_length(n: int, n_codes: int) -> int:
    """Return the letters of a seed that would hardly occur by chance among ``n`` letters of that many codes."""
    return int(np.ceil(np.log(max(n, 2)) / np.log(max(n_codes, 2)))) + 3


@njit(nogil=True, cache=True)
def shared_seeds(a: Letters, b: Letters, length: int) -> tuple[int, int]:
    """Return how many seeds were sampled evenly from ``a`` (codes), and how many of them occur in ``b``."""
    n_seeds = min(SAMPLES, a.size - length + 1)
    if n_seeds <= 0 or b.size < length:
        return 0, 0
    keys = np.zeros(SLOTS, np.uint64)
    holds = np.zeros(SLOTS, np.uint8)  # 1: a seed, 2: met in b
    sieve = np.zeros(FILTER, np.uint8)
    out_power = np.uint64(1)
    for _ in range(length):
        out_power *= PRIME
    sampled = 0
    for x in range(n_seeds):
        start = x * (a.size - length) // max(1, n_seeds - 1)
        key = np.uint64(0)
        for i in range(start, start + length):
            key = key * PRIME + np.uint64(a[i]) + np.uint64(1)
        slot = key >> np.uint64(50)
        while holds[slot] and keys[slot] != key:
            slot = (slot + np.uint64(1)) & np.uint64(SLOTS - 1)
        if not holds[slot]:
            keys[slot], holds[slot] = key, 1
            sieve[key >> np.uint64(48)] = 1
            sampled += 1
    met, key = 0, np.uint64(0)
    for j in range(b.size):
        key = key * PRIME + np.uint64(b[j]) + np.uint64(1)
        if j >= length:
            key -= (np.uint64(b[j - length]) + np.uint64(1)) * out_power
        if j >= length - 1 and sieve[key >> np.uint64(48)]:
            slot = key >> np.uint64(50)
            while holds[slot] and keys[slot] != key:
                slot = (slot + np.uint64(1)) & np.uint64(SLOTS - 1)
            if holds[slot] == 1:
                holds[slot] = 2
                met += 1
                if met == sampled:
                    break
    return sampled, met


def changed_share(a: Letters, b: Letters, n_codes: int) -> float | None:
    """Return about which share of the letters is changed, a little too much rather than too little; None: unrelated.

    If each letter is changed with chance e, a seed of k letters survives with (1 - e)^k.
    """
    length = seed_length(max(a.size, b.size), n_codes)
    sampled, met = shared_seeds(a, b, length)
    if met < 0.1 * sampled or not sampled:
        return None
    survive = met / sampled
    doubt = ((1 - survive) / (survive * sampled)) ** 0.5 / length  # one standard deviation
    return float(1 - survive ** (1 / length) + 1.5 * doubt + 0.2 / (length * sampled))
