"""The last column of a text of at most four letters by sorting words of 31 letters, without positions.

It returns a reason instead if long repeats make it slower than induced sorting: if sampled keys repeat, if one first
digit has most of the text, or if the comparison of suffixes with 31 equal letters exceeds its budget.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import pairwise

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.clock import FILL_PLACES, SCAN_PLACES, Clock, ranges, ranges_backwards
from wavediff.core.kernels.bwt.sort import packed_keys
from wavediff.core.kernels.bwt.sort.suffix_types import Positions, position_type
from wavediff.core.system.thread_loop import run_threads

MIN_LETTERS = 1 << 15  # letters; below, induced sorting takes no time either
MAX_LETTERS = 4
_REPEATS_REASON = "many stretches of 31 letters repeat after different letters"
_MAX_DIGIT_BITS = 12  # bits of the first digit: so many streams can be written at once
_BUCKET_BITS = 14  # bits: about so many words of a bucket fit into a cache
_LETTERS_PER_TIE = 32  # of so many letters one may have to be looked up
_MIN_SAMPLED_WORDS = 256  # sampled words that tell anything
_MAX_BUCKET_DIVISOR = 8  # a bucket may have one in so many words


def last_column(
    text: Letters, total: Counts, pace: Clock, threads: int
) -> Generator[Event, None, tuple[Letters, int] | str]:
    """Return last column and primary row of ``text`` (at least ``MIN_LETTERS`` letters, ``total`` of each byte).

    Returns:
        The reason, a sentence, if the text does not suit this sorter.
    """
    n, letters = text.size, np.flatnonzero(total).astype(np.uint8)
    codes = np.zeros(256, np.uint8)
    codes[letters] = np.arange(letters.size)
    alphabet = np.resize(letters, MAX_LETTERS)
    digit = 2 * min(_MAX_DIGIT_BITS // 2, max(1, (n.bit_length() - _BUCKET_BITS) // 2))
    shift = packed_keys.KEY_BITS - digit
    counts = np.zeros(1 << digit, np.int64)
    sample, n_sample, key = np.empty((n >> packed_keys.SAMPLE_BITS) * 2 + 1024, np.uint64), 0, 0
    for lo, hi in ranges_backwards(n):
        key, n_sample = packed_keys.count_digits(text, codes, lo, hi, key, shift, counts, sample, n_sample)
        yield from pace()
    whole = int(key)
    if counts.max() > n // _MAX_BUCKET_DIVISOR + SCAN_PLACES:
        return "half the text begins alike"
    if _share_of_ties(sample[:n_sample]) * _LETTERS_PER_TIE > 1:
        return _REPEATS_REASON
    ends = np.cumsum(counts)
    words = np.empty(n - 1, np.uint64)
    heads, key = ends - counts, 0
    for lo, hi in ranges_backwards(n):
        key = packed_keys.spread(text, codes, lo, hi, key, shift, heads, words)
        yield from pace()
    held = [words]
    del words  # so that they are gone when ties are looked up
    last = np.empty(n, np.uint8)
    last[0] = text[-1]
    ranked = yield from _sort(held.pop(), ends, shift + 2, whole, alphabet, last, pace, threads)
    if ranked is None:
        return _REPEATS_REASON
    rank, equal, ties = ranked
    if equal:  # where among them the whole text comes is to be looked up
        ties = np.insert(ties, int(np.searchsorted(ties[:, 0], rank)), (rank, rank + equal, whole), axis=0)
    if ties.size:
        settled = yield from _settle(text, codes, ties[:, 2].astype(np.uint64), ties, last, pace)
        if settled is None:
            return "stretches that repeat are long"
        rank = rank if settled < 0 else settled
    return last, rank + 1


def _sort(
    words: Words, ends: Counts, shift: int, whole: int, alphabet: Letters, last: Letters, pace: Clock, threads: int
) -> Generator[Event, None, tuple[int, int, Counts] | None]:
    """Sort all buckets on several threads and write the last column; see ``packed_keys.sort_buckets``.

    Returns:
        Words smaller than, and equal to, that of the whole text, and the ties in order; None for too many ties.
    """
    n = last.size
    largest = int(np.diff(ends, prepend=0).max())
    sorters = [Sorter(largest, n) for _ in range(min(threads, 1 + (n >> 17)))]
    batches = _batches(ends)

    def advance(me: int, _budget: int) -> int:
        batch, sorter = next(batches, None), sorters[me]
        if batch is None or sorter.state[0] < 0:
            sorter.done = True
            return 0
        arrays = sorter.room, sorter.tally, last, sorter.ties, sorter.state
        packed_keys.sort_buckets(words, ends, *batch, shift, whole, alphabet, *arrays)
        return 1

    def stop() -> None:
        for sorter in sorters:
            sorter.done = True

    for _ in run_threads(advance, lambda me: sorters[me].done, stop, len(sorters), pace.pieces):
        yield from pace()
    states = np.stack([sorter.state for sorter in sorters])
    if states[:, 0].min() < 0:
        return None
    ties = np.concatenate([sorter.ties[: sorter.state[0]] for sorter in sorters])
    return int(states[:, 1].sum()), int(states[:, 2].sum()), ties[np.argsort(ties[:, 0])]


class Sorter:
    """Scratch memory of a sorting thread.

    Attributes:
        room: scratch of the size of the largest bucket.
        ties, state, tally: see ``packed_keys.sort_buckets``.
        done: all buckets of the thread are sorted.
    """

    def __init__(self, largest: int, n: int) -> None:
        self.room, self.tally = np.empty(largest, np.uint64), np.zeros((1 << 12) + 1, np.int64)
        self.ties, self.state = np.empty((n // (2 * _LETTERS_PER_TIE) + 2, 3), np.int64), np.zeros(3, np.int64)
        self.done = False


def _batches(ends: Counts) -> Iterator[tuple[int, int]]:
    """Return a thread-safe iterator over batches of buckets with some hundred thousand words."""
    cuts = np.searchsorted(ends, np.arange(0, int(ends[-1]) + SCAN_PLACES // 4, SCAN_PLACES // 4))
    bounds = sorted({0, *np.minimum(cuts, ends.size).tolist(), int(ends.size)})
    return iter(list(pairwise(bounds)))


def _share_of_ties(sample: Words) -> float:
    """Return the fraction of sampled words with an equal key after another letter."""
    if sample.size < _MIN_SAMPLED_WORDS:
        return 0.0
    sample = np.sort(sample)
    _, inverse, counts = np.unique(sample >> np.uint64(2), return_inverse=True, return_counts=True)
    starts = np.cumsum(counts) - counts
    mixed = sample[starts] != sample[starts + counts - 1]
    return float(mixed[inverse].mean())


def _settle(
    text: Letters, codes: Letters, tied: Words, ties: Counts, last: Letters, pace: Clock
) -> Generator[Event, None, int | None]:
    """Find the positions of tied keys, sort them by suffix, and write the preceding letters.

    Returns:
        Keys smaller than that of the whole text if it is tied, else -1; None if over budget.
    """
    n = text.size
    sieve = np.zeros(1 << max(10, min(24, int(tied.size * 16).bit_length())), np.uint8)
    packed_keys.fill_sieve(tied, sieve)
    # One place more a stretch, for the whole text has a key too, but no word.
    starts = np.concatenate([[0], np.cumsum(ties[:, 1] - ties[:, 0] + 1)])
    if starts[-1] > n // _LETTERS_PER_TIE + 1024:
        return None
    places, heads, key = np.empty(int(starts[-1]), position_type(n)), starts[:-1].copy(), 0
    for lo, hi in ranges_backwards(n):
        key = packed_keys.look_up(text, codes, lo, hi, key, tied, sieve, heads, places)
        yield from pace()
    places, starts = _closed(places, starts, heads)
    budget = n
    for lo, hi in ranges(tied.size, 1 << 12):
        budget = packed_keys.sort_ties(text, places, starts, lo, hi, budget)
        yield from pace()
        if budget < 0:
            return None
    return _write(text, places, starts, ties, last)


def _closed(places: Positions, starts: Counts, heads: Counts) -> tuple[Positions, Counts]:
    sizes = heads - starts[:-1]
    keep = np.arange(places.size) < np.repeat(heads, np.diff(starts))
    return places[keep], np.concatenate([[0], np.cumsum(sizes)])


def _write(text: Letters, places: Positions, starts: Counts, ties: Counts, last: Letters) -> int:
    """Write the letters before the sorted positions; return the value described in ``_settle``."""
    rank = -1
    at = np.repeat(ties[:, 0] - starts[:-1], np.diff(starts)) + np.arange(places.size)
    zero = np.flatnonzero(places == 0)
    if zero.size:
        x = int(zero[0])
        stretch = int(np.searchsorted(starts, x, side="right")) - 1
        rank = int(at[x])
        at[x + 1 : starts[stretch + 1]] -= 1
        at, places = np.delete(at, x), np.delete(places, x)
    for lo, hi in ranges(places.size, FILL_PLACES):
        last[at[lo:hi] + 1] = text[places[lo:hi] - 1]
    return rank
