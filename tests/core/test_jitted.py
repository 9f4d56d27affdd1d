"""What only compiled code calls is part of what calls it: compiled to the same answers, never run by itself."""

import numpy as np
from numba import njit
from numba.extending import overload

from wavediff.core.jit.decorators import LEAN_INNER, jit_callee, jit_callee_no_nrt, jit_no_nrt

MASK = np.uint64(0x9E3779B97F4A7C15)


def mixed(x, y):
    raise NotImplementedError


@overload(mixed, jit_options=LEAN_INNER)
def _mixed(x, y):
    return lambda x, y: (x ^ y) * MASK


@jit_callee_no_nrt
def deepest(words, i):
    return mixed(words[i], MASK) >> np.uint64(7)


@jit_callee
def filled(n, word):
    out = np.full(n, word)  # allocates
    out[n // 2] = 0
    return out


@jit_callee_no_nrt
def summed(words):
    total = np.uint64(0)
    for i in range(words.size):
        total += deepest(words, i)
    return total


@jit_no_nrt
def outer(words):
    return summed(words)


@njit
def other(words):
    return summed(filled(words.size, words[0])) + deepest(words, 0)


def plain(words):
    return sum((((int(word) ^ int(MASK)) * int(MASK)) % (1 << 64)) >> 7 for word in words) % (1 << 64)


def test_embedded_functions_compute_what_they_say():
    for n in (1, 2, 63, 64, 1000):
        words = np.random.default_rng(n).integers(0, 1 << 64, n, np.uint64)
        assert int(outer(words)) == plain(words)
        again = np.full(n, words[0])
        again[n // 2] = 0
        assert int(other(words)) == (plain(again) + plain(words[:1])) % (1 << 64)
