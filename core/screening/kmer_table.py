"""Hash table of the canonical k-mers of a DNA sequence, and lookup from another."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit, jit_callee_no_nrt
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.events import Event, Step
from wavediff.core.screening.nucleotides import NO_CODE, nucleotide_codes

EMPTY, MANY = -1, -2  # instead of a place: none, and more than one
SLOTS_PER_KMER = 4
KEY = "screening"
PRIME = np.uint64(0x9E3779B97F4A7C15)


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile (or load) the scan."""
    tiny = np.zeros(1, np.uint8)
    tiny.setflags(write=False)  # like the letters of a job; another type for Numba

    def rehearse() -> None:
        keys, places = table(1)
        scan_kmers(tiny, 0, 1, nucleotide_codes(), 1, 1, keys, places, places.copy(), 0, True)

    yield from warm_up(step, "screening", KEY, rehearse)


def table(n_kmers: int) -> tuple[Words, Counts]:
    """Allocate a table for ``n_kmers`` k-mers: keys, and ``EMPTY`` positions."""
    size = 1 << max(4, (SLOTS_PER_KMER * n_kmers).bit_length())
    return np.zeros(size, np.uint64), np.full(size, EMPTY, np.int64)


@jit_callee_no_nrt
def mixed(key):  # type: ignore[no-untyped-def]
    """Return a 64-bit hash of the key."""
    bits = (key + np.uint64(1)) * PRIME
    bits ^= bits >> np.uint64(29)
    bits *= PRIME
    return bits ^ (bits >> np.uint64(32))


@jit
def scan_kmers(
    text: Letters,
    lo: int,
    hi: int,
    codes: Letters,
    k: int,
    sampled: int,
    keys: Words,
    places: Counts,
    met: Counts,
    used: int,
    insert: bool,
) -> Any:
    """Insert the canonical k-mers of ``text[lo:hi]`` into the table, or record where the table's occur.

    A position is reported doubled, plus 1 if the reverse complement is the smaller word.

    Args:
        codes: see ``nucleotide_codes``.
        sampled: a power of two: only k-mers whose hash is a multiple of it are used.
        keys: uint64, shape (slots,), slots being a power of two.
        places: int64, shape (slots,): the position of the k-mer, ``EMPTY`` or ``MANY``.
        met: positions of k-mers that occur once in the table; written unless ``insert``.
        used: occupied slots; no new k-mer is inserted once half are.

    Returns:
        The number of occupied slots.
    """
    mask, top = ~np.uint64(0) >> np.uint64(64 - 2 * k), np.uint64(2 * (k - 1))
    wrap, rest, two = np.uint64(keys.size - 1), np.uint64(sampled - 1), np.uint64(2)
    forward, backward, known = np.uint64(0), np.uint64(0), 0
    for i in range(lo, min(text.size, hi + k - 1)):
        code = codes[text[i]]
        if code == NO_CODE:
            known = 0
            continue
        forward = ((forward << two) | np.uint64(code)) & mask
        backward = (backward >> two) | (np.uint64(3 - code) << top)
        known += 1
        if known < k or forward == backward:
            continue
        key = min(forward, backward)
        bits = mixed(key)
        if bits & rest:
            continue
        slot = (bits >> np.uint64(24)) & wrap
        while places[slot] != EMPTY and keys[slot] != key:
            slot = (slot + np.uint64(1)) & wrap
        place = 2 * (i - k + 1) + (backward < forward)
        if not insert:
            if places[slot] >= 0:
                met[slot] = place if met[slot] == EMPTY else MANY
        elif places[slot] != EMPTY:
            places[slot] = MANY
        elif 2 * used < keys.size:
            keys[slot] = key
            places[slot] = place
            used += 1
    return used
