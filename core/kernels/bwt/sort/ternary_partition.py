"""One level of the ternary quicksort: two passes over all segments together.

Source: Yamanaka, Ino and Hagihara, section 3: the first kernel finds where the equal ones
of each segment start, the second puts every suffix to the less, equal or greater ones. A segment is cut into blocks, so
that long and short segments keep every thread busy alike.

The key of a suffix is the letter ``depth`` further on (-1 for ``$``), or, once every segment shares as many letters,
the rank of the suffix that begins there; ``$`` then has rank 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.kernels.bwt.sort.suffix_types import Positions

BLOCK_SUFFIXES = 1 << 14  # suffixes of a block at most


class Keys(NamedTuple):
    """Text, ranks (empty while letters are compared), order of the suffixes; depth and pivot of each segment."""

    text: Letters
    ranks: Positions
    order: Positions
    depths: Counts
    pivots: Counts


class Blocks(NamedTuple):
    """Segment of each block, and its places from ``start`` to before ``end``."""

    segment: Counts
    start: Counts
    end: Counts


@jit_callee
def _key(keys: Keys, place: int, segment: int) -> Any:
    """Return what the suffix at a place is compared by."""
    at = keys.order[place] + keys.depths[segment]
    if keys.ranks.size:
        return keys.ranks[at] if at < keys.ranks.size else 0
    return keys.text[at] if at < keys.text.size else -1


@jit_callee
def _middle(keys: Keys, segment: int, first: int, second: int, third: int) -> Any:
    a, b, c = _key(keys, first, segment), _key(keys, second, segment), _key(keys, third, segment)
    return max(min(a, b), min(max(a, b), c))


@jit
def choose_pivots(keys: Keys, starts: Counts, ends: Counts) -> None:
    """Write the pivot of each segment: the middle of three keys, of nine in long segments."""
    for s in range(starts.size):
        start, size = starts[s], ends[s] - starts[s]
        if size < 64:
            keys.pivots[s] = _middle(keys, s, start, start + size // 2, start + size - 1)
            continue
        third, step = size // 3, size // 9
        a = _middle(keys, s, start, start + step, start + 2 * step)
        b = _middle(keys, s, start + third, start + third + step, start + third + 2 * step)
        c = _middle(keys, s, start + 2 * third, start + 2 * third + step, start + 2 * third + 2 * step)
        keys.pivots[s] = max(min(a, b), min(max(a, b), c))


@jit
def count_parts(keys: Keys, blocks: Blocks, lo: int, hi: int, less: Counts, equal: Counts) -> None:
    """First kernel: count the keys less than and equal to the pivot in blocks ``lo`` to ``hi``."""
    for b in range(lo, hi):
        s = blocks.segment[b]
        n_less, n_equal = 0, 0
        for i in range(blocks.start[b], blocks.end[b]):
            key = _key(keys, i, s)
            n_less += key < keys.pivots[s]
            n_equal += key == keys.pivots[s]
        less[b], equal[b] = n_less, n_equal


@jit
def place_parts(
    keys: Keys, blocks: Blocks, lo: int, hi: int, less_at: Counts, equal_at: Counts, greater_at: Counts, out: Positions
) -> None:
    """Second kernel: put the suffixes of blocks ``lo`` to ``hi`` where their parts of the segment are."""
    for b in range(lo, hi):
        s = blocks.segment[b]
        less, equal, greater = less_at[b], equal_at[b], greater_at[b]
        for i in range(blocks.start[b], blocks.end[b]):
            key = _key(keys, i, s)
            if key < keys.pivots[s]:
                out[less] = keys.order[i]
                less += 1
            elif key == keys.pivots[s]:
                out[equal] = keys.order[i]
                equal += 1
            else:
                out[greater] = keys.order[i]
                greater += 1


@jit
def rank_segments(
    order: Positions, starts: Counts, ends: Counts, lo: int, hi: int, alike: bool, ranks: Positions
) -> None:
    """Give each suffix of the segments ``lo`` to ``hi`` its place as its rank, or where ``alike`` that of the last."""
    for s in range(lo, hi):
        for i in range(starts[s], ends[s]):
            ranks[order[i]] = ends[s] - 1 if alike else i


@jit
def copy_back(blocks: Blocks, lo: int, hi: int, room: Positions, order: Positions) -> None:
    """Copy blocks ``lo`` to ``hi`` from ``room`` to ``order``."""
    for b in range(lo, hi):
        for i in range(blocks.start[b], blocks.end[b]):
            order[i] = room[i]
