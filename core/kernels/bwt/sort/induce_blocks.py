"""Multithreaded induced sorting: the suffixes of a block induce together, with the result of the sequential scan.

Source: the parallel scans of libsais (Grebnov). A block ends at the last known entry of its bucket, so all suffixes of
a block are known at its start. Each thread reads the letters before its share of the block (the slow part) and stores
the induced suffixes. The counts of all threads then give the places in each bucket. In short blocks, such as runs of
one letter, the first thread continues alone.

A waiting thread reads the clock, and after some time returns to Python, releases its core and is called again. A limit
on polls would release the core at almost every block (a share takes 0.1 ms, a release 0.2 ms or more). A thread never
waits for one that was stopped.

If other programs use the cores, a block waits for its last scheduled thread, and one thread would be faster. The scan
compares the time lost in long waits with the time gained by threads. If the loss is larger, it ends early, and the
caller continues with one thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.atomics import fetch_add, load_acquire, store_release
from wavediff.core.jit.clock import clock, tick_bits
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.unaligned import PREFETCH_STEPS, prefetch_line
from wavediff.core.kernels.bwt.sort.induce_scans import letters_l, letters_s, order_l, order_s
from wavediff.core.kernels.bwt.sort.suffix_types import Positions

SHARE_PLACES = 1 << 14  # places of a block for each thread, at most: what it keeps of them stays in its cache
_MIN_SHARE_PLACES = 1 << 8  # places; a block with less for each thread is not shared
_ALONE_PLACES = 1 << 12  # places that one thread does before it looks for a block to share
_CALL_PLACES = 1 << 22  # places after which Python is looked at
_TICK_BITS = tick_bits(0)
_LOOKS = 64  # at the others between two looks at the clock
_WAIT_TICKS = 3000  # of some 0.1 us: what a thread waits before it rests, a little more than a rest takes
_FREE_RESTS = 32  # of each thread, before it is asked whether they pay
_BLOCKS_PER_REST = 5  # blocks by which each thread more saves what one rest costs: 0.5 ms
DONE, LETTER, STEP, ARRIVALS, SIZE, ROW, KEPT, BLOCKS = range(8)  # of the state of a thread
STATE_WORDS = 8
ARRIVED, RESTS, WHOLE, LAST, STOP = 0, 8, 16, 17, 18  # of what is shared, on their own lines
SHARED_WORDS = 24
_GATHER, _PLACE, _NEXT = range(3)  # steps of a block


@jit_callee
def _gather_l(
    T: Letters, SA: Positions, lo: int, hi: int, letters: bool, cache: Letters, values: Positions, counts: Counts
) -> Any:
    last, k = SA.size - 1, 0
    for i in range(lo, hi):
        prefetch_line(T, max(SA[min(i + PREFETCH_STEPS, last)] - 2, 0))
        j = SA[i]
        if j > 0:
            j -= 1
            c = T[np.uint64(j)]
            SA[i] = ~np.int32(c) if letters else ~(j + 1)
            cache[k], values[k] = c, ~j if j > 0 and T[np.uint64(j - 1)] < c else j
            counts[c] += 1
            k += 1
        elif j < 0 or not letters:
            SA[i] = ~j
    return k


@jit_callee
def _gather_s(
    T: Letters,
    SA: Positions,
    lo: int,
    hi: int,
    letters: bool,
    cache: Letters,
    values: Positions,
    counts: Counts,
    shared: Counts,
) -> Any:
    k = 0
    for i in range(hi - 1, lo - 1, -1):
        prefetch_line(T, max(SA[max(i - PREFETCH_STEPS, 0)] - 2, 0))
        j = SA[i]
        if j > 0:
            j -= 1
            c = T[np.uint64(j)]
            if letters:
                SA[i] = c
                before = T[np.uint64(max(j - 1, 0))]
                values[k] = ~np.int32(before) if j > 0 and before > c else j
            else:
                values[k] = ~j if j == 0 or T[np.uint64(j - 1)] > c else j
            cache[k] = c
            counts[c] += 1
            k += 1
        elif j < 0 or not letters:
            SA[i] = ~j
        else:
            shared[WHOLE] = i
    return k


@jit_callee
def _filled(bounds: Positions, free: Positions, forwards: bool, at: int, c: int) -> Any:
    """Return the bucket next to ``at``, and the end of the filled places beyond."""
    last = bounds.size - 2
    if forwards:
        while at >= bounds[c + 1]:
            c += 1
        if at < free[c]:
            return c, np.int64(free[c])
        d = c + 1
        while d <= last and bounds[d] == bounds[d + 1]:
            d += 1
        return c, np.int64(free[d] if d <= last else bounds[last + 1])
    while at <= bounds[c]:
        c -= 1
    if at > free[c]:
        return c, np.int64(free[c])
    d = c - 1
    while d >= 0 and bounds[d] == bounds[d + 1]:
        d -= 1
    return c, np.int64(free[d] if d >= 0 else 0)


@jit_callee
def _all_arrived(shared: Counts, arrivals: int) -> Any:
    since = clock()
    while True:
        for _ in range(_LOOKS):
            if load_acquire(shared, ARRIVED) >= arrivals:
                return True
        if (clock() - since) >> _TICK_BITS > _WAIT_TICKS:
            fetch_add(shared, RESTS, 1)
            return False


@jit_callee
def _pays(shared: Counts, state: Counts, threads: int) -> Any:
    """Return whether parallel blocks have saved more time than threads lost waiting."""
    rests = load_acquire(shared, RESTS) // (threads - 1) - _FREE_RESTS
    return rests * _BLOCKS_PER_REST < state[BLOCKS] * (threads - 1)


@jit
def scan_blocks(
    T: Letters,
    SA: Positions,
    bounds: Positions,
    forwards: bool,
    letters: bool,
    me: int,
    threads: int,
    free: Positions,
    caches: Letters,
    values: Positions,
    counts: Counts,
    shared: Counts,
    states: Counts,
) -> int:
    """Parallel version of ``order_l`` (``order_s`` without ``forwards``), or of ``letters_l`` and ``letters_s``.

    Args:
        bounds: shape (257,): suffixes that begin with a smaller letter.
        me: thread; each thread calls this repeatedly until ``states[me, DONE]`` is ``shared[LAST]``.
        free: shape (2, 256): heads or ends of the buckets; the row alternates from block to block.
        caches, values: shape (threads, ``SHARE_PLACES``).
        counts: int64, shape (threads, 256).
        shared: int64, shape (``SHARED_WORDS``,), initially 0, except ``LAST``: the number of places, reduced if threads
            are slower. ``WHOLE``: output, the place of the whole text. ``STOP``: all threads return after their current
            block.
        states: int64, shape (threads, ``STATE_WORDS``): initially 0, except ``LETTER``, the first letter of the scan;
            ``ROW`` is the current row of ``free``.

    Returns:
        Places done; 0 when waiting for other threads.
    """
    n, state = SA.size, states[me]
    begun = state[DONE]
    cache, value, count = caches[me], values[me], counts[me]
    while (
        state[DONE] < load_acquire(shared, LAST)
        and state[DONE] - begun < _CALL_PLACES
        and load_acquire(shared, STOP) == 0
    ):
        done, row = state[DONE], state[ROW]
        at = done if forwards else n - done
        heads = free[row]
        if state[STEP] == _GATHER:
            c, stop = _filled(bounds, heads, forwards, at, state[LETTER])
            state[LETTER] = c
            size = min(abs(stop - at), threads * SHARE_PLACES)
            if size < threads * _MIN_SHARE_PLACES:
                state[SIZE] = size = min(_ALONE_PLACES, n - done)
                state[STEP] = _NEXT
                if me == 0:
                    after = free[1 - row]
                    for d in range(256):
                        after[d] = heads[d]
                    if forwards and letters:
                        letters_l(T, SA, at, at + size, after)
                    elif forwards:
                        order_l(T, SA, at, at + size, after)
                    elif letters:
                        shared[WHOLE] = letters_s(T, SA, at - size, at, after, shared[WHOLE])
                    else:
                        order_s(T, SA, at - size, at, after)
            else:
                state[SIZE], state[STEP] = size, _PLACE
                share = (size + threads - 1) // threads
                lo, hi = min(size, me * share), min(size, (me + 1) * share)
                for d in range(256):
                    count[d] = 0
                if forwards:
                    kept = _gather_l(T, SA, at + lo, at + hi, letters, cache, value, count)
                else:
                    kept = _gather_s(T, SA, at - hi, at - lo, letters, cache, value, count, shared)
                state[KEPT] = kept
            state[ARRIVALS] += threads
            fetch_add(shared, ARRIVED, 1)
        if not _all_arrived(shared, state[ARRIVALS]):
            break
        if state[STEP] == _PLACE:
            sign = 1 if forwards else -1
            if me == 0:
                after = free[1 - row]
                for d in range(256):
                    after[d] = heads[d]
                for other in range(threads):
                    for d in range(256):
                        after[d] += sign * counts[other, d]
            place = np.empty(256, np.int64)
            for d in range(256):
                place[d] = heads[d] - (0 if forwards else 1)
            for other in range(me):
                for d in range(256):
                    place[d] += sign * counts[other, d]
            for k in range(state[KEPT]):
                d = cache[k]
                b = place[d]
                place[d] = b + sign
                SA[np.uint64(b)] = value[k]
            state[STEP] = _NEXT
            state[BLOCKS] += 1
            if me == 0 and not _pays(shared, state, threads):
                store_release(shared, LAST, state[DONE] + state[SIZE])
            state[ARRIVALS] += threads
            fetch_add(shared, ARRIVED, 1)
            if not _all_arrived(shared, state[ARRIVALS]):
                break
        state[STEP], state[ROW] = _GATHER, 1 - row
        state[DONE] += state[SIZE]
    return state[DONE] - begun  # type: ignore[no-any-return]
