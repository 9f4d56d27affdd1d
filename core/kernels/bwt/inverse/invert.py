"""Inverse transform: recover the text from the last column, with many chains in parallel.

The usual inverse waits for memory at every letter, or needs positions saved with the transform. Here many chains start
at chosen rows; the position of a chain is known when it meets the start of another. Needs up to 9 bytes per letter
besides the last column, and 17 beyond ``MAX_INT32_LETTERS``.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.clock import FILL_PLACES, Clock, count_letters, ranges
from wavediff.core.kernels.bwt.inverse import lf_chains
from wavediff.core.kernels.bwt.inverse.lf_chains import CHAINS, CHUNK_UNITS, CHUNKS, LANES, RowNumbers, Units
from wavediff.core.kernels.bwt.sort.suffix_types import position_type
from wavediff.core.system.thread_loop import run_threads

SINGLE_CHAIN_ROWS = 1 << 13  # rows up to which one chain does
MEAN_CHAIN_LETTERS = 1 << 14  # letters of a chain on average
_FOUR_LETTER_SIGMA = 16  # letters of an alphabet that are fewer are walked four at a time, else two
_TABLE_SIZE = 1 << 16  # entries of the table that guesses a row's letters


class InvalidTransform(WavediffError):
    """The last column and primary row belong to no text."""


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """The k-grams of ``T$`` (cyclic) in order: ``first`` row of each, then the number of rows; their letters."""

    k: int
    first: RowNumbers
    units: Units
    guess: RowNumbers
    shift: int


def invert(last: Letters, primary: int, pace: Clock, threads: int) -> Generator[Event, None, Letters]:
    """Return the text (uint8, shape (n,), read-only) with transform ``last`` (read-only) and ``primary``.

    Raises:
        NoTransform: no text has this transform.
    """
    n = last.size
    total = yield from count_letters(last, pace)
    if np.count_nonzero(total) == 1:  # row r leads to row r + 1 up to the primary one, and that to row 0
        _expect(primary, n)
        same = np.full(n, last[0], np.uint8)
        same.setflags(write=False)
        return same
    heads = 1 + np.cumsum(total) - total
    LF, every, seen = yield from _map(last, primary, heads.copy(), total, pace)
    if n < SINGLE_CHAIN_ROWS:
        out = np.empty(n, np.uint8)
        _expect(int(lf_chains.walk_alone(last, primary, LF, out)), n)
        out.setflags(write=False)
        return out
    grams = _grams(last, primary, total, heads, every, seen, 4 if np.count_nonzero(total) < _FOUR_LETTER_SIGMA else 2)
    held = [LF]
    del LF  # so that the steps of one letter are gone once those of two are there
    starts, ends, step = yield from _steps(held.pop(), grams.k, pace)
    pool, before, chains = yield from _walk(step, starts, grams, pace, threads if n >= SINGLE_CHAIN_ROWS << 7 else 1)
    del step
    return (yield from _assemble(pool, grams.k, before, chains, ends, n, pace))


def _map(
    last: Letters, primary: int, heads: Counts, total: Counts, pace: Clock
) -> Generator[Event, None, tuple[RowNumbers, int, RowNumbers]]:
    """Return LF of all rows, and the bucket heads at regular rows."""
    n = last.size
    every = 1 << 14
    kind = np.uint32 if position_type(n) is np.int32 else np.uint64
    seen = np.empty((n // every + 1, 256), kind)
    seen[-1] = heads + (total if n % every == 0 else 0)
    LF = np.empty(n + 1, kind)
    LF[primary] = 0
    for start, stop, shift in ((0, primary, 0), (primary, n, 1)):
        for lo, hi in ranges(stop - start):
            lf_chains.map_rows(last, start + lo, start + hi, shift, heads, every, seen, LF)
            yield from pace()
    return LF, every, seen


def _grams(last: Letters, primary: int, total: Counts, heads: Counts, every: int, seen: RowNumbers, k: int) -> Grams:
    """Return the k-grams, extended letter by letter."""
    n_rows = last.size + 1
    letters = np.flatnonzero(total)
    first = np.concatenate([[0], heads[letters]]).astype(np.int64)
    words = np.concatenate([[0], letters]).astype(np.uint64)
    seen_at = np.empty(256, np.int64)
    for _ in range(k - 1):
        bounds = np.append(first, n_rows)
        before = np.empty((bounds.size, letters.size + 1), np.int64)
        for x, row in enumerate(bounds):
            lf_chains.heads_at(last, int(row), primary, every, seen, seen_at)
            before[x, 0] = row > primary
            before[x, 1:] = seen_at[letters]
        gram, letter = np.nonzero(before[1:] > before[:-1])
        first = before[gram, letter]
        order = np.argsort(first)
        put = np.concatenate([[0], letters]).astype(np.uint64)
        words = (put[letter] | (words[gram] << np.uint64(8)))[order]
        first = first[order]
    shift = max(0, int(n_rows - 1).bit_length() - (_TABLE_SIZE.bit_length() - 1))
    at = np.arange(0, n_rows, 1 << shift)
    guess = (np.searchsorted(first, at, side="right") - 1).astype(np.uint32)
    units = words.astype(np.uint32 if k == 4 else np.uint16)
    return Grams(k, np.append(first, n_rows).astype(seen.dtype), units, guess, shift)


def _steps(LF: RowNumbers, k: int, pace: Clock) -> Generator[Event, None, tuple[RowNumbers, RowNumbers, RowNumbers]]:
    """Return the starts of the chains, their end rows (k per start), and the marked k-letter steps."""
    n_chains = max(1, LF.size // MEAN_CHAIN_LETTERS)
    starts = (np.arange(n_chains) * LF.size // n_chains).astype(LF.dtype)
    taken, ends = np.zeros(n_chains, np.uint8), np.empty((n_chains, k), LF.dtype)
    lf_chains.ends_of(starts, LF, ends)
    step = LF
    del LF
    for _ in range(k.bit_length() - 1):
        longer = np.empty_like(step)
        for lo, hi in ranges(step.size):
            lf_chains.double_steps(step, lo, hi, longer)
            yield from pace()
        step = longer
    lf_chains.mark(ends, step, taken)
    keep = taken == 1
    return starts[keep], ends[keep], step


def _walk(
    step: RowNumbers, starts: RowNumbers, grams: Grams, pace: Clock, threads: int
) -> Generator[Event, None, tuple[Units, Counts, Counts]]:
    n_chains = starts.size
    n_chunks = (step.size // grams.k + n_chains) // CHUNK_UNITS + n_chains + 1
    pool = np.empty(n_chunks * CHUNK_UNITS, grams.units.dtype)
    before = np.full(n_chunks, -1, np.int64)
    chains = np.zeros((n_chains, 3), np.int64)
    shared = np.zeros(2, np.int64)
    lanes = [np.full((LANES, 4), -1, np.int64) for _ in range(threads)]

    def advance(me: int, budget: int) -> int:
        return int(
            lf_chains.walk_chains(
                step, starts, grams.first, grams.guess, grams.shift, grams.units, pool, before, lanes[me], shared,
                chains, budget,
            )
        )  # fmt: skip

    def stop() -> None:
        shared[CHAINS] = n_chains  # no new ones; those under way end their piece
        for each in lanes:
            each[:, 0] = -2

    for _ in run_threads(advance, lambda me: bool((lanes[me][:, 0] == -2).all()), stop, threads, pace.pieces):
        yield from pace()
    return pool[: int(shared[CHUNKS]) * CHUNK_UNITS], before, chains


def _assemble(
    pool: Units, k: int, before: Counts, chains: Counts, ends: RowNumbers, n: int, pace: Clock
) -> Generator[Event, None, Letters]:
    """Order the chains: each is followed by the chain at whose start it ended."""
    units = np.empty(chains.shape[0], np.int64)
    lf_chains.count_units(chains, before, units)
    flat = ends.ravel().astype(np.int64)
    order = np.argsort(flat)
    flat_places = order[np.searchsorted(flat, chains[:, 2], sorter=order)]
    following, drop = flat_places // k, flat_places % k
    length = units * k - drop
    chain, at = 0, n + 1
    sequence, lowest = [], []
    while at > 0:
        at -= int(length[chain])
        sequence.append(chain)
        lowest.append(at)
        chain = int(following[chain])
        if chain == 0:
            break
    _expect(n - at, n)
    out = np.empty(n + 1, np.uint8)
    letters = pool.view(np.uint8)
    places = np.array(sequence, np.int64), np.array(lowest, np.int64)
    each = max(1, FILL_PLACES // MEAN_CHAIN_LETTERS)
    for lo, hi in ranges(len(sequence), each):
        some = places[0][lo:hi]
        lf_chains.copy_chains(letters, k, chains, before, some, places[1][lo:hi], drop[some], out)
        yield from pace()
    out.setflags(write=False)
    return out[1:]


def _expect(n_letters: int, n: int) -> None:
    if n_letters != n:
        raise InvalidTransform(f"this is the last column of no text: its rows do not form one cycle of {n + 1:,}")
