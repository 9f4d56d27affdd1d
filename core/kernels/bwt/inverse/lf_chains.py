"""LF steps of a Burrows-Wheeler transform, and walks along them.

Rows 0 to n are the rotations of ``T$`` in order; ``last`` stores the n letters of the last column, without the ``$`` of
row ``primary``. LF of a row is the row of the rotation that begins one letter earlier.

A step applies LF k times: LF increases among rows with the same preceding letter, so composing it reads one forward
stream per letter, and the row at the end of a step determines its letters. Each chain runs from its start to the next
marked row; many chains run interleaved, because a single one would wait for memory at each step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.atomics import fetch_add
from wavediff.core.jit.decorators import jit, jit_callee
from wavediff.core.jit.unaligned import prefetch_line

RowNumbers = npt.NDArray[Any]  # uint32, or uint64 in a text of more than ``MAX_INT32_LETTERS``
Units = npt.NDArray[Any]  # uint16 or uint32: the letters of one step
LANES = 48  # chains that a thread walks at the same time
CHUNK_UNITS = 1024  # units
CHAINS, CHUNKS = 0, 1  # places in ``shared``: what is taken next


@jit
def map_rows(
    last: Letters, lo: int, hi: int, shift: int, heads: Counts, every: int, seen: RowNumbers, LF: RowNumbers
) -> None:
    """Write LF of the rows of ``last[lo:hi]``; they are shifted by ``shift`` (0, after the primary row 1).

    Args:
        heads: int64, shape (256,): next row that begins with each letter; updated.
        seen: shape (-, 256 at most): ``heads`` at every multiple of ``every``, a power of two; output.
    """
    for i in range(lo, hi):
        if i & (every - 1) == 0:
            for c in range(256):
                seen[i // every, c] = heads[c]
        c = last[i]
        row = heads[c]
        heads[c] = row + 1
        LF[i + shift] = row


@jit
def heads_at(last: Letters, row: int, primary: int, every: int, seen: RowNumbers, out: Counts) -> None:
    """Write LF of each letter at ``row`` to ``out``, int64, shape (256,)."""
    i = row - (row > primary)
    base = min(i // every, seen.shape[0] - 1)
    for c in range(256):
        out[c] = seen[base, c]
    for k in range(base * every, i):
        out[last[k]] += 1


@jit
def double_steps(step: RowNumbers, lo: int, hi: int, out: RowNumbers) -> None:
    """Write steps of twice the length for rows ``lo`` to ``hi``."""
    for i in range(lo, hi):
        out[i] = step[step[i]]


@jit
def ends_of(starts: RowNumbers, LF: RowNumbers, out: RowNumbers) -> None:
    """Write the rows at which a chain may meet each start: the start and the preceding rows.

    Args:
        out: shape (starts, k), output; a chain of k letters per step meets one of the k rows.
    """
    for t in range(starts.size):
        row = starts[t]
        for j in range(out.shape[1]):
            out[t, j] = row
            row = LF[row]


@jit_callee
def _mark(step: RowNumbers) -> Any:
    """Return the highest bit of an entry, which marks chain ends."""
    return np.uint64(1) << np.uint64(8 * step.itemsize - 1)


@jit
def mark(ends: RowNumbers, step: RowNumbers, taken: Letters) -> None:
    """Mark ``ends`` in ``step``, except of starts too close to another; ``taken`` becomes 1 for marked ones."""
    bit = _mark(step)
    for t in range(ends.shape[0]):
        free = True
        for j in range(ends.shape[1]):
            free &= step[ends[t, j]] < bit
        taken[t] = free
        if free:
            for j in range(ends.shape[1]):
                step[ends[t, j]] |= bit


@jit
def walk_chains(
    step: RowNumbers,
    starts: RowNumbers,
    first: RowNumbers,
    guess: RowNumbers,
    shift: int,
    grams: Units,
    pool: Units,
    before: Counts,
    lanes: Counts,
    shared: Counts,
    chains: Counts,
    rounds: int,
) -> int:
    """Walk this thread's chains for up to ``rounds`` steps each; return the total steps.

    Args:
        step: row k letters earlier, with ``_mark``.
        starts: the row of each chain.
        first: first row of each k-gram that occurs; ``grams`` its letters; ``guess[row >> shift]`` a k-gram at or
            before that of ``row``.
        pool: units, written downwards in chunks of ``CHUNK_UNITS``; ``before[q]`` is the chunk of the same chain before
            q.
        lanes: int64, shape (LANES, 4): chain (-1: not started, -2: finished), row, next place in the pool, first place
            of its chunk.
        shared: int64: see ``CHAINS`` and ``CHUNKS``.
        chains: int64, shape (chains, 3): last chunk, lowest place written in it, last row; output.
    """
    done = 0
    bit = _mark(step)
    mask = bit - np.uint64(1)
    for _ in range(rounds):
        idle = True
        for x in range(lanes.shape[0]):
            chain = lanes[x, 0]
            if chain == -2:
                continue
            word = np.uint64(step[lanes[x, 1]]) if chain >= 0 else bit
            if word >= bit:
                if chain >= 0:
                    chains[chain, 1], chains[chain, 2] = lanes[x, 2] + 1, lanes[x, 1]
                chain = fetch_add(shared, CHAINS, 1)
                if chain >= starts.size:
                    lanes[x, 0] = -2
                    continue
                chunk = fetch_add(shared, CHUNKS, 1)
                before[chunk] = -1
                lanes[x, 0], lanes[x, 2], lanes[x, 3] = chain, (chunk + 1) * CHUNK_UNITS - 1, chunk * CHUNK_UNITS
                chains[chain, 0] = chunk
                word = np.uint64(step[starts[chain]])
            idle = False
            row = word & mask
            prefetch_line(step, np.int64(row))
            at = lanes[x, 2]
            if at < lanes[x, 3]:
                chunk = fetch_add(shared, CHUNKS, 1)
                before[chunk] = chains[chain, 0]
                chains[chain, 0] = chunk
                at = (chunk + 1) * CHUNK_UNITS - 1
                lanes[x, 3] = chunk * CHUNK_UNITS
            g = guess[row >> np.uint64(shift)]
            while first[g + 1] <= row:
                g += np.uint32(1)
            pool[at] = grams[g]
            lanes[x, 1], lanes[x, 2] = row, at - 1
            done += 1
        if idle:
            break
    return done


@jit
def count_units(chains: Counts, before: Counts, out: Counts) -> None:
    """Write how many units each chain has to ``out``."""
    for x in range(chains.shape[0]):
        q = chains[x, 0]
        out[x] = (q + 1) * CHUNK_UNITS - chains[x, 1]
        while before[q] >= 0:
            q = before[q]
            out[x] += CHUNK_UNITS


@jit
def copy_chains(
    pool: Letters, k: int, chains: Counts, before: Counts, order: Counts, lowest: Counts, drop: Counts, out: Letters
) -> None:
    """Copy the letters of the chains ``order`` to ``out``, without the first ``drop`` of each.

    Args:
        pool: uint8: the pool's letters, k a unit.
        lowest: place in ``out`` of the first copied letter.
    """
    for x in range(order.size):
        chain = order[x]
        q, at = chains[chain, 0], lowest[x]
        i = chains[chain, 1] * k + drop[x]
        while q >= 0:
            end = (q + 1) * CHUNK_UNITS * k
            while i < end:
                out[at] = pool[i]
                i += 1
                at += 1
            q = before[q]
            i = q * CHUNK_UNITS * k


@jit
def walk_alone(last: Letters, primary: int, LF: RowNumbers, out: Letters) -> int:
    """Invert a short transform by one chain into ``out``; return the length of its cycle."""
    row, i = np.int64(0), last.size
    while row != primary and i > 0:
        i -= 1
        out[i] = last[row - (row > primary)]
        row = np.int64(LF[row])
    return last.size - i if row == primary else -1
