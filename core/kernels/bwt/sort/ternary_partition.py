"""One level of the ternary quicksort: two passes over all segments together.

Source: Yamanaka, Ino and Hagihara, section 3: the first kernel finds where the equal ones
of each segment start, the second puts every suffix to the less, equal or greater ones. A segment is cut into blocks, so
that long and short segments keep every thread busy alike.

The key of a suffix is the letter ``depth`` further on (-1 for ``$``), or, once every segment shares as many letters,
the rank of the suffix that begins there; ``$`` then has rank 0.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.kernels.bwt.sort.suffix_types import Positions

BLOCK_SUFFIXES = 1 << 14  # suffixes of a block at most


@jit_callee
def key_of(text: Letters, ranks: Positions, suffix: int, depth: int) -> int:
    """Return what the suffix is compared by; ``ranks`` is empty while it is a letter."""
    at = suffix + depth
    if ranks.size:
        return ranks[at] if at < ranks.size else 0
    letter: int = text[at] if at < text.size else -1
    return letter


@jit_callee
def middle(a: int, b: int, c: int) -> int:
    return max(min(a, b), min(max(a, b), c))


@jit
def choose_pivots(
    text: Letters,
    ranks: Positions,
    order: Positions,
    starts: Counts,
    ends: Counts,
    depths: Counts,
    lo: int,
    hi: int,
    out: Counts,
) -> None:
    """Write the pivot of each segment ``lo`` to ``hi``: the middle of three keys, of nine in long segments."""
    for s in range(lo, hi):
        start, size, depth = starts[s], ends[s] - starts[s], depths[s]
        if size < 64:
            out[s] = middle(
                key_of(text, ranks, order[start], depth),
                key_of(text, ranks, order[start + size // 2], depth),
                key_of(text, ranks, order[start + size - 1], depth),
            )
            continue
        found = np.empty(3, np.int64)
        for third in range(3):
            at, step = start + third * (size // 3), size // 9
            found[third] = middle(
                key_of(text, ranks, order[at], depth),
                key_of(text, ranks, order[at + step], depth),
                key_of(text, ranks, order[at + 2 * step], depth),
            )
        out[s] = middle(found[0], found[1], found[2])


@jit
def count_parts(
    text: Letters,
    ranks: Positions,
    order: Positions,
    depths: Counts,
    pivots: Counts,
    block_of: Counts,
    block_start: Counts,
    block_end: Counts,
    lo: int,
    hi: int,
    less: Counts,
    equal: Counts,
) -> None:
    """First kernel: count the keys less than and equal to the pivot in blocks ``lo`` to ``hi``."""
    for b in range(lo, hi):
        s = block_of[b]
        depth, pivot = depths[s], pivots[s]
        n_less, n_equal = 0, 0
        for i in range(block_start[b], block_end[b]):
            key = key_of(text, ranks, order[i], depth)
            n_less += key < pivot
            n_equal += key == pivot
        less[b], equal[b] = n_less, n_equal


@jit
def place_parts(
    text: Letters,
    ranks: Positions,
    order: Positions,
    depths: Counts,
    pivots: Counts,
    block_of: Counts,
    block_start: Counts,
    block_end: Counts,
    lo: int,
    hi: int,
    less_at: Counts,
    equal_at: Counts,
    greater_at: Counts,
    out: Positions,
) -> None:
    """Second kernel: put the suffixes of blocks ``lo`` to ``hi`` where their parts of the segment are."""
    for b in range(lo, hi):
        s = block_of[b]
        depth, pivot = depths[s], pivots[s]
        less, equal, greater = less_at[b], equal_at[b], greater_at[b]
        for i in range(block_start[b], block_end[b]):
            suffix = order[i]
            key = key_of(text, ranks, suffix, depth)
            if key < pivot:
                out[less] = suffix
                less += 1
            elif key == pivot:
                out[equal] = suffix
                equal += 1
            else:
                out[greater] = suffix
                greater += 1


@jit
def assign_group_ranks(order: Positions, starts: Counts, ends: Counts, lo: int, hi: int, ranks: Positions) -> None:
    """Give all suffixes of each segment ``lo`` to ``hi`` the rank of its last."""
    for s in range(lo, hi):
        for i in range(starts[s], ends[s]):
            ranks[order[i]] = ends[s] - 1


@jit
def rank_all(order: Positions, lo: int, hi: int, ranks: Positions) -> None:
    """Give each suffix its place as its rank."""
    for i in range(lo, hi):
        ranks[order[i]] = i


@jit
def rank_segments(order: Positions, starts: Counts, ends: Counts, lo: int, hi: int, ranks: Positions) -> None:
    """Give each suffix of the segments ``lo`` to ``hi`` its place as its rank."""
    for s in range(lo, hi):
        for i in range(starts[s], ends[s]):
            ranks[order[i]] = i


@jit
def copy_back(block_start: Counts, block_end: Counts, lo: int, hi: int, room: Positions, order: Positions) -> None:
    """Copy blocks ``lo`` to ``hi`` from ``room`` to ``order``."""
    for b in range(lo, hi):
        for i in range(block_start[b], block_end[b]):
            order[i] = room[i]
