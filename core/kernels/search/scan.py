"""Scan of a text chunk by automata of one group of patterns, recording every occurrence that ends in it.

A chunk has one segment per stream. Each stream starts up to one pattern length before its segment, so that no hit is
lost at a cut. If a stream reaches an accepting state in a block, the block is repeated word by word and step by step.
All state is in arrays, so a chunk with more hits than the hit buffer can store is suspended and resumed.

The first group of a chunk packs four letters per step, one block ahead of their use, so that memory access overlaps
with computation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.simd import trailing_zeros
from wavediff.core.kernels.search.simd_steps import PACK_LETTERS, block, pack_block, pack_letters
from wavediff.core.kernels.search.verify_hit import TOO_MANY, edits, mismatches, record_start

# Places of ``at``: where a scan stands.
BLOCK, OLD, FOUND, FIRST, SYMBOLS, BASE, STAGE, RAW = range(8)
N_SCAN_FIELDS = 8
# Stages.
BEGIN, BLOCKS, REST, END = range(4)


@jit_callee
def _report(end: int, who: int, text: Letters, search: Any, hits: Any, at: Counts) -> None:
    matches, letters, offsets, starts, rule, costs = search
    if end > text.size:
        return
    first, last = offsets[who], offsets[who + 1]
    begin = record_start(starts, end)
    most, length = rule[0], last - first
    if rule[1]:
        cost, length = edits(text, begin, end, letters, first, last, matches, most, costs)
    elif end - length < begin:
        cost = TOO_MANY
    else:
        cost = mismatches(text, end - length, letters, first, last, matches, most)
    if cost != TOO_MANY:
        n = at[FOUND]
        hits[0][n], hits[1][n], hits[2][n], hits[3][n] = end - length, length, who, cost
        at[FOUND] = n + 1


@jit_callee
def _walk(
    symbols: Letters, first: int, n: int, group: Any, state: Words, place: int, shape: Any, reports: bool,
    text: Letters, search: Any, hits: Any, at: Counts,
) -> None:  # fmt: skip
    """Advance one stream by ``n`` steps from ``symbols[first]``; report ends if ``reports``."""
    table, masks, owner, late = group
    width, step, rows, kind = len(shape[1]), len(shape[3]), len(shape[4]), len(shape[5])
    shift, one = np.uint64(step), np.uint64(1)
    for i in range(first, first + n):
        row = int(symbols[i]) * width
        reached = np.uint64(0)
        for w in range(width):
            keep = masks[w]
            before, after = np.uint64(0), np.uint64(0)
            for d in range(rows):
                x = state[place + d * width + w]
                new = ((x << shift) & keep) | table[row + w]
                if d > 0:
                    new &= (before << one) & keep if kind == 1 else before & (((before & after) << one) & keep)
                state[place + d * width + w] = new
                before, after = x, new
            reached |= ~after & masks[width + w]
        if reports and reached != 0:
            for w in range(width):
                bits = ~state[place + (rows - 1) * width + w] & masks[width + w]
                while bits != 0:
                    bit = w * 64 + trailing_zeros(bits)
                    bits &= bits - one
                    _report(at[BASE] + (i + 1) * step - late[bit], owner[bit], text, search, hits, at)


@jit_callee
def _reset(state: Words, place: int, masks: Words, shape: Any) -> None:
    """Reset one stream to the initial state: row d has its first d states set by deletions."""
    width, rows, kind = len(shape[1]), len(shape[4]), len(shape[5])
    for w in range(width):
        reached = np.uint64(0)
        for d in range(rows):
            state[place + d * width + w] = ~reached
            if kind == 2:
                reached |= masks[2 * width + w] << np.uint64(d)


@jit_callee
def _pack(text: Letters, first: int, n: int, out: Letters, place: int) -> None:
    """Pack ``n`` steps of four letters from ``text[first]`` into ``out[place]``, two bits each, first lowest.

    Codes beyond the end of the text are 0.
    """
    i, many = 0, PACK_LETTERS // 4
    while i + many <= n and first + 4 * i + PACK_LETTERS <= text.size:
        pack_letters(text, first + 4 * i, out, place + i)
        i += many
    for symbol in range(i, n):
        codes = 0
        for k in range(4):
            j = first + 4 * symbol + k
            if j < text.size:
                codes |= ((int(text[j]) >> 1) & 3) << (2 * k)
        out[place + symbol] = codes


@jit
def scan(symbols, packed, text, group, search, hits, state, at, before, room, shape):  # type: ignore[no-untyped-def]
    """Scan until the chunk is done or ``hits`` is nearly full, see ``at[STAGE]``.

    Args:
        symbols: uint8: the letters, or packed codes; ``symbols[0]`` starts at letter ``at[BASE]``.
        packed: uint8: ``symbols`` if they are codes; written while ``at[RAW]`` is not 0.
        group: table, masks, owner, late of a ``wavediff.core.sequences.shift_or.WordGroup``.
        search: matches, letters, offsets of ``PatternSet``; starts of the records; int64 (errors, edits or not); costs.
        hits: start, length, searched pattern, cost; output from index ``at[FOUND]``.
        state: uint64, twice ``streams * rows * width`` words.
        at: int64, shape (AT,).
        before: symbols read by a stream before its segment.
        room: maximum hits of a block.
        shape: see ``steps``.
    """
    streams, width, steps, rows = len(shape[0]), len(shape[1]), len(shape[2]), len(shape[4])
    words = rows * width
    half = streams * words
    first, n = at[FIRST], at[SYMBOLS]
    segment = max(0, n - 1) // streams // steps * steps  # all before the last step, which may lack letters
    if at[STAGE] == BEGIN:
        for s in range(streams):
            place, start = s * words, first + s * segment
            back = min(before, start)
            if at[RAW] != 0:
                ready = min(steps, segment)
                _pack(text, at[BASE] + 4 * (start - back), back + ready, packed, start - back)
            _reset(state, place, group[1], shape)
            _walk(symbols, start - back, back, group, state, place, shape, False, text, search, hits, at)
        at[BLOCK], at[OLD], at[STAGE] = 0, 0, BLOCKS
    capacity = hits[0].size
    if at[STAGE] == BLOCKS:
        i, old = at[BLOCK], at[OLD]
        while i < segment and at[FOUND] + room <= capacity:
            new = half - old
            if at[RAW] != 0 and i + steps < segment:
                place = first + i + steps
                pack_block(text, at[BASE] + 4 * place, segment, packed, place, shape)
            if block(symbols, first + i, segment, group[0], group[1], state, old, new, shape) != 0:
                for s in range(streams):
                    _walk(
                        symbols, first + s * segment + i, steps, group, state, old + s * words, shape, True,
                        text, search, hits, at,
                    )  # fmt: skip
            i, old = i + steps, new
        at[BLOCK], at[OLD] = i, old
        if i >= segment:
            at[STAGE], at[BLOCK] = REST, streams * segment
            if at[RAW] != 0:
                place = first + streams * segment
                _pack(text, at[BASE] + 4 * place, n - streams * segment, packed, place)
    if at[STAGE] == REST:
        place = at[OLD] + (streams - 1) * words  # the last stream goes on alone
        i = at[BLOCK]
        while i < n and at[FOUND] + room <= capacity:
            _walk(symbols, first + i, 1, group, state, place, shape, True, text, search, hits, at)
            i += 1
        at[BLOCK] = i
        if i >= n:
            at[STAGE] = END
