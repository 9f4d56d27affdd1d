"""Scan of a text chunk by a q-gram table, reporting every occurrence that ends in it.

Only every ``stride``-th q-gram of the text is looked up, as any occurrence covers one of these (the idea of Karp and
Rabin 1987; for many patterns Wu and Manber 1994, without their data-dependent shifts). Without branches, in batches, it
collects places whose q-gram occurs in a pattern, then (place, pattern) pairs with equal first letters; these are
compared. A single q-gram is compared with 64 places at once instead. Occurrences come in order of their starts, see
``wavediff.core.kernels.search.qgram_table``, so no sorting is needed.
"""

from __future__ import annotations

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.simd import trailing_zeros
from wavediff.core.jit.unaligned import load_u64
from wavediff.core.kernels.search.simd_steps import places_of
from wavediff.core.kernels.search.verify_hit import TOO_MANY, mismatches

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # Knuth's: 2^64 by the golden ratio
BATCH = 1024  # places looked up, and heads of patterns found, before what remains is compared
# Places of ``at``: where a scan stands.
PLACE, ENTRY, RECORD, FOUND, WORK = range(5)
N_QGRAM_FIELDS = 5


@jit_callee
def _slot(text: Letters, place: int, mask: int, down: int) -> int:
    """Return the slot of the q-gram at ``place``; past the end letters have code 0."""
    if place + 8 <= text.size:
        word = load_u64(text, place)
    else:
        word = np.uint64(0)
        for i in range(text.size - place):
            word |= np.uint64(text[place + i]) << np.uint64(8 * i)
    return int(((word & mask) * MULTIPLIER) >> down)


@jit_callee
def _note(starts_at, entries, n_pairs, text, table, search, hits, at, begin, end):  # type: ignore[no-untyped-def]
    """Compare whole patterns at candidate places and record the hits."""
    who, decided = table[2], table[6]
    matches, letters, offsets, pattern, strand, starts = search
    n, record = at[FOUND], at[RECORD]
    for k in range(n_pairs):
        start, owner = starts_at[k], who[entries[k]]
        first, last = offsets[owner], offsets[owner + 1]
        length = last - first
        if start < 0 or start + length <= begin or start + length > end:
            continue
        known = min(decided, length) if start + 8 <= text.size else 0
        if mismatches(text, start + known, letters, first + known, last, matches, 0) == TOO_MANY:
            continue
        while starts[record + 1] <= start:
            record += 1
        if start + length <= starts[record + 1]:
            hits[0][n], hits[1][n], hits[2][n], hits[3][n] = pattern[owner], strand[owner], start, length
            n += 1
    at[FOUND], at[RECORD] = n, record


@jit
def scan_qgrams(text, rule, table, search, hits, waiting, at, begin, end):  # type: ignore[no-untyped-def]
    """Scan until all hits ending in (``begin``, ``end``] are recorded, or ``at[WORK]`` or ``hits`` is exhausted.

    Args:
        text: uint8.
        rule: ``QgramTable.rule``: stride, uint64 mask and shift, whether there is only one q-gram, and that q-gram.
        table: filled, firsts, who, ahead, head, head_mask, decided of the ``QgramTable``.
        search: matches, letters, offsets, pattern, strand of the ``PatternSet``; starts of the records.
        hits: pattern, strand, start, length: output from index ``at[FOUND]``; at least ``BATCH`` free entries.
        waiting: three of int64, shape (BATCH,): places; starts and entries to compare.
        at: int64, shape (N_QGRAM_FIELDS,): the next place, a multiple of the stride; the next entry there, from 0; a
            record at or before the next occurrence; hits; comparisons left.

    Returns:
        Whether the scan is done.
    """
    stride, mask, down, alone, only = rule
    filled, firsts, _, ahead, head, head_mask, _ = table
    places, starts_at, entries = waiting
    place, entry, capacity, m = at[PLACE], at[ENTRY], hits[0].size, 0
    while place < end:
        stop = min(end, place + BATCH * stride)
        whole = max(place, min(stop, text.size - 7))  # before it eight letters can be loaded
        held, hashed = 0, place
        if alone:
            for here in range(place, whole - 63, 64):
                bits = places_of(text, here, only, mask)
                while bits != 0:
                    places[held] = here + trailing_zeros(bits)
                    held += 1
                    bits &= bits - np.uint64(1)
                hashed = here + 64
        for here in range(hashed, whole, stride):
            places[held] = here
            held += filled[((load_u64(text, here) & mask) * MULTIPLIER) >> down]
        for here in range(place + (whole - place + stride - 1) // stride * stride, stop, stride):
            places[held] = here
            held += filled[_slot(text, here, mask, down)]
        for k in range(held):
            here = places[k]
            slot = _slot(text, here, mask, down)
            first = entry if entry > 0 else firsts[slot]
            entry = 0
            at[WORK] -= 1 + firsts[slot + 1] - first
            for one in range(first, firsts[slot + 1]):
                if m == BATCH:
                    _note(starts_at, entries, m, text, table, search, hits, at, begin, end)
                    m = 0
                    if at[WORK] <= 0 or at[FOUND] + BATCH > capacity:
                        at[PLACE], at[ENTRY] = here, one
                        return False
                start = here - ahead[one]
                starts_at[m], entries[m] = start, one
                if start >= 0 and start + 8 <= text.size:
                    m += (load_u64(text, start) & head_mask[one]) == head[one]
                else:
                    m += 1
        _note(starts_at, entries, m, text, table, search, hits, at, begin, end)
        m = 0
        place += BATCH * stride
        if at[WORK] <= 0 or at[FOUND] + BATCH > capacity:
            at[PLACE], at[ENTRY] = place, 0
            return place >= end
    return True
