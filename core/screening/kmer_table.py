"""Hash table of the canonical k-mers of one DNA sequence, and where another one has them.

Of a k-mer and its reverse complement the smaller word stands for both, so one pass over each sequence finds the seeds
of both strands. A k-mer that is its own reverse complement has no strand and is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit, jit_callee_no_nrt
from wavediff.core.screening.nucleotides import NO_CODE

EMPTY, MANY = -1, -2  # instead of a place: none, and more than one
_PRIME = np.uint64(0x9E3779B97F4A7C15)


@jit_callee_no_nrt
def _mixed(key):  # type: ignore[no-untyped-def]
    """Return 64 bits in which each bit of the key counts."""
    mixed = (key + np.uint64(1)) * _PRIME
    mixed ^= mixed >> np.uint64(29)
    mixed *= _PRIME
    return mixed ^ (mixed >> np.uint64(32))


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
    """Put the canonical k-mers that begin in ``text[lo:hi]`` into the table, or note where those of the table begin.

    A place is told twice as large, and larger by 1 where the reverse complement is the smaller word.

    Args:
        codes: see ``nucleotide_codes``.
        sampled: a power of two: only k-mers whose hash is a multiple of it are looked at.
        keys: uint64, a power of two of slots. places: int64, as many: the place, ``EMPTY`` or ``MANY``.
        met: the same of k-mers that the table has once; written where not to ``insert``.
        used: slots that are taken so far. Once half are, no new k-mer is taken up.

    Returns:
        The slots that are taken.
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
        mixed = _mixed(key)
        if mixed & rest:
            continue
        slot = (mixed >> np.uint64(24)) & wrap
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
