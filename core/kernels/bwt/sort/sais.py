"""Suffix array by induced sorting (SA-IS): linear time, in cancellable pieces.

Source: Nong, Zhang and Chan, two efficient algorithms for linear time suffix array construction (2011), with places as
in Mori's sais; unique names are left out of the recursion as in libsais (Grebnov). The naming of LMS substrings is
ours: see ``lms_numbers`` and ``lms_names``.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.bits import count_bytes
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.bwt.clock import Clock, ranges, ranges_backwards
from wavediff.core.kernels.bwt.sort import induce_blocks, induce_scans, lms_names, lms_numbers, suffix_types
from wavediff.core.kernels.bwt.sort.suffix_types import Positions, Text, position_type
from wavediff.core.kernels.bwt.sort.team import Scratch, Team

SCRATCH_BYTES = 8  # a letter: LMS suffixes, names, the shorter text and its order, or the order of the text
LONG_SCRATCH_BYTES = 5  # a letter more where positions are int64
_DIGESTS = 1 << 17  # of LMS substrings, for each thread: they stay in its cache until they are numbered


def last_column(text: Letters, team: Team) -> Generator[Event, None, tuple[Letters, int]]:
    """Return the last column, uint8, shape (n,), and the primary row of ``text`` (at least two letters)."""
    n = text.size
    team.scratch = _scratch(n)
    SA = team.scratch.take(n, position_type(n))  # which is not used while the LMS suffixes are sorted
    bounds = yield from _bounds_of_bytes(text, SA.dtype, team)
    yield from _up_to_stage_two(text, bounds, SA, 0, team)
    whole = yield from _stage_two(text, bounds, SA, True, team)
    last = np.empty(n, np.uint8)
    last[0] = text[-1]

    def take(lo: int, hi: int) -> None:
        last[lo + 1 : min(hi, whole) + 1] = SA[lo : min(hi, whole)]
        lo = max(lo, whole + 1)
        last[lo:hi] = SA[lo:hi]

    yield from team.each(take, team.pieces(n))
    return last, whole + 1


def _scratch(n: int) -> Scratch:
    return Scratch((SCRATCH_BYTES + LONG_SCRATCH_BYTES * (position_type(n) is np.int64)) * n)


def with_suffixes(text: Letters, team: Team) -> Generator[Event, None, tuple[Letters, int, Positions]]:
    """Return the last column, the primary row, and the suffixes of all rows, shape (n + 1,)."""
    suffixes = np.empty(text.size + 1, position_type(text.size))
    suffixes[0] = text.size
    bounds = yield from _bounds_of_bytes(text, suffixes.dtype, team)
    team.scratch = _scratch(text.size)
    yield from suffix_order(text, bounds, suffixes[1:], team)
    team.scratch = Scratch(0)
    last, primary = yield from last_column_of(text, suffixes, team.pace)
    return last, primary, suffixes


def last_column_of(text: Letters, suffixes: Positions, pace: Clock) -> Generator[Event, None, tuple[Letters, int]]:
    """Return last column and primary row for the suffix order ``suffixes``."""
    last, whole = np.empty(text.size, np.uint8), -1
    last[:1] = text[-1:]
    for lo, hi in ranges(text.size):
        whole = suffix_types.letters_before(text, suffixes[1:], lo, hi, whole, last)
        yield from pace()
    return last, whole + 1


def _bounds_of_bytes(text: Letters, kind: npt.DTypeLike, team: Team) -> Generator[Event, None, Positions]:
    counts = yield from team.each(lambda lo, hi: count_bytes(text[lo:hi]), team.pieces(text.size))
    bounds = np.zeros(257, kind)
    np.cumsum(np.sum(counts, axis=0), out=bounds[1:])
    return bounds


def suffix_order(T: Text, bounds: Positions, SA: Positions, team: Team) -> Generator[Event, None, None]:
    """Write the suffix array of ``T`` to ``SA``, of equal shape.

    Args:
        bounds: as ``SA``, shape (letters + 1,): how many suffixes begin with a smaller letter.
    """
    if T.size < 2:
        SA[:] = 0
        return
    yield from _up_to_stage_two(T, bounds, SA, team.scratch.at, team)
    yield from _stage_two(T, bounds, SA, False, team)


def _stage_two(T: Text, bounds: Positions, SA: Positions, letters: bool, team: Team) -> Generator[Event, None, int]:
    """Induce all suffixes from the sorted LMS suffixes, or the letters before them.

    Returns:
        The place of the whole text, if letters are requested.
    """
    n, whole = T.size, 0
    heads = bounds[:-1].copy()
    at = bounds[T[n - 1]]
    SA[at] = ~(n - 1) if T[n - 2] < T[n - 1] else n - 1
    heads[T[n - 1]] += 1
    done, _ = yield from _scan_blocks(T, SA, bounds, True, letters, heads, team)
    for lo, hi in ranges(n - done):
        (induce_scans.letters_l if letters else induce_scans.order_l)(T, SA, done + lo, done + hi, heads)
        yield from team.pace()
    ends = bounds[1:].copy()
    done, whole = yield from _scan_blocks(T, SA, bounds, False, letters, ends, team)
    for lo, hi in ranges_backwards(n - done):
        if letters:
            whole = induce_scans.letters_s(T, SA, lo, hi, ends, whole)
        else:
            induce_scans.order_s(T, SA, lo, hi, ends)
        yield from team.pace()
    return whole


def _scan_blocks(
    T: Text, SA: Positions, bounds: Positions, forwards: bool, letters: bool, free: Positions, team: Team
) -> Generator[Event, None, tuple[int, int]]:
    """Scan with several threads as long as that is faster.

    Args:
        free: heads or ends of the buckets; updated.

    Returns:
        The number of places done, and the place of the whole text if these include it.
    """
    n, threads = T.size, team.threads_for(T.size)
    if threads == 1 or T.dtype != np.uint8:  # buckets of names are too many to be counted ahead
        return 0, 0
    rows = np.array([free, free])
    caches = np.empty((threads, induce_blocks.SHARE_PLACES), np.uint8)
    values = np.empty((threads, induce_blocks.SHARE_PLACES), SA.dtype)
    counts = np.zeros((threads, 256), np.int64)
    shared = np.zeros(induce_blocks.SHARED_WORDS, np.int64)
    states = np.zeros((threads, induce_blocks.STATE_WORDS), np.int64)
    shared[induce_blocks.LAST], states[:, induce_blocks.LETTER] = n, 0 if forwards else 255
    done = [False] * threads

    def advance(me: int, _budget: int) -> int:
        places = induce_blocks.scan_blocks(
            T, SA, bounds, forwards, letters, me, threads, rows, caches, values, counts, shared, states
        )
        done[me] |= bool(states[me, induce_blocks.DONE] == shared[induce_blocks.LAST])
        return int(places)

    def stop() -> None:
        shared[induce_blocks.STOP] = 1

    yield from team.run(advance, done, stop)
    free[:] = rows[states[0, induce_blocks.ROW]]
    return int(states[0, induce_blocks.DONE]), int(shared[induce_blocks.WHOLE])


def _up_to_stage_two(T: Text, bounds: Positions, SA: Positions, free: int, team: Team) -> Generator[Event, None, None]:
    """Sort the LMS suffixes and move them to the ends of their buckets.

    Args:
        free: scratch position; memory behind it (perhaps ``SA`` itself) is usable until the suffixes are sorted.
    """
    taken = team.scratch.at
    first = np.zeros(bounds.size, SA.dtype)
    lms = yield from _sorted_lms(T, first, free, team)
    team.scratch.at = taken  # and nothing is taken until the suffixes are where they belong

    def clear(lo: int, hi: int) -> None:
        SA[lo:hi] = 0

    yield from team.each(clear, team.pieces(T.size))
    np.cumsum(first, out=first)

    def spread(lo: int, hi: int) -> None:
        c = int(np.searchsorted(first, first.dtype.type(lo), side="right")) - 1
        induce_scans.spread_lms(SA, lms, lo, hi, c, first, bounds)

    yield from team.each(spread, team.pieces(lms.size))


def _lms_suffixes(T: Text, kind: npt.DTypeLike, team: Team) -> Generator[Event, None, Positions]:
    lms, pieces = team.scratch.take(T.size // 2 + 2, kind), team.pieces(T.size)[::-1]
    if team.threads_for(T.size) == 1:
        state = suffix_types.at_end()
        yield from team.each(lambda lo, hi: suffix_types.find_lms(T, lo, hi, state, lms), pieces)
        return team.scratch.resize(lms, int(state[2]))
    states = suffix_types.states_at(T, [hi for _, hi in pieces])
    counts = yield from team.each(
        lambda lo, hi, state: suffix_types.count_lms(T, lo, hi, state),
        [(*piece, state) for piece, state in zip(pieces, states, strict=True)],
    )

    def find(lo: int, hi: int, state: Counts, at: int) -> None:
        places = np.empty((hi - lo) // 2 + 2, kind)  # as one more is written than there are
        suffix_types.find_lms(T, lo, hi, state, places)
        lms[at : at + state[2]] = places[: state[2]]

    starts = list(accumulate(counts, initial=0))
    yield from team.each(find, [(*piece, *begun) for piece, *begun in zip(pieces, states, starts, strict=False)])
    return team.scratch.resize(lms, starts[-1])


def _sorted_lms(T: Text, lms_counts: Positions, free: int, team: Team) -> Generator[Event, None, Positions]:
    """Return the sorted LMS suffixes, of the type of ``lms_counts``; count their first letters, by letter + 1."""
    taken, team.scratch.at = team.scratch.at, free
    kind = lms_counts.dtype
    lms = yield from _lms_suffixes(T, kind, team)
    m = lms.size
    if m == 0:
        return lms
    R, first, bounds = yield from _named(T, lms, lms_counts, team)
    pieces = team.pieces(m)
    shorter = team.scratch.take(m, np.int32)
    starts = yield from team.starts(lambda lo, hi: lms_names.count_kept(R, lo, hi), pieces)
    yield from team.each(
        lambda lo, hi, at: lms_names.shorten(R, lo, hi, at, shorter, bounds),
        [(*piece, at) for piece, at in zip(pieces, starts, strict=True)],
    )
    shorter = team.scratch.resize(shorter, int(starts[-1][0]))
    np.cumsum(bounds, out=bounds)
    order = team.scratch.take(shorter.size, np.int32)
    yield from suffix_order(shorter, bounds, order, team)
    team.scratch.at = max(team.scratch.at, taken)
    out = team.scratch.take(m, kind)
    places = shorter if kind == shorter.dtype else team.scratch.take(shorter.size, kind)
    starts = yield from team.starts(lambda lo, hi: lms_names.count_kept(R, lo, hi), pieces)
    yield from team.each(
        lambda lo, hi, at: lms_names.place_names(lms, R, lo, hi, at, first, out, places),
        [(*piece, at) for piece, at in zip(pieces, starts, strict=True)],
    )

    def merge(lo: int, hi: int) -> None:
        x = int(np.searchsorted(bounds, bounds.dtype.type(lo), side="right")) - 1
        lms_names.merge(order, places, lo, hi, x, bounds, first, out)

    yield from team.each(merge, team.pieces(order.size))
    return out


def _named(
    T: Text, lms: Positions, lms_counts: Positions, team: Team
) -> Generator[Event, None, tuple[Positions, Positions, Positions]]:
    """Return the ranks of all LMS suffixes in text order, and by rank (from 1) the first position.

    The third array has the letters of each name in the reduced text, by name from 1; 0 for a unique name.
    """
    R = team.scratch.take(lms.size, lms.dtype)
    taken = team.scratch.at
    known, given = yield from _numbered(T, lms, R, team)
    n_names = sum(hi - lo for lo, hi in given)
    bits = lms_names.letter_bits(lms_counts.size - 1)
    keys, order = yield from _sorted_holders(T, bits, known, given, team)
    names, pieces = team.scratch.take(given[-1][1], np.int32), team.pieces(n_names)
    first, counts = np.empty(n_names + 1, np.int32), np.zeros(n_names + 1, np.int32)
    starts = yield from team.starts(lambda lo, hi: lms_names.count_members(order, known, lo, hi), pieces)
    members = yield from team.each(
        lambda lo, hi, at: lms_names.name_numbers(
            order, known, keys, bits, lo, hi, at, names, first, counts, lms_counts
        ),
        [(*piece, at) for piece, at in zip(pieces, starts, strict=True)],
    )
    for (lo, _), n_members in zip(pieces, members, strict=True):
        lms_counts[lms_names.first_letter(int(keys[lo]), bits) + 1] += n_members
    yield from team.each(lambda lo, hi: lms_names.name_suffixes(R, lo, hi, names), team.pieces(lms.size))
    team.scratch.at = taken
    return R, first, counts


def _numbered(
    T: Text, lms: Positions, R: Positions, team: Team
) -> Generator[Event, None, tuple[Words, list[tuple[int, int]]]]:
    """Number all LMS substrings; return the table of numbers, and the assigned ranges."""
    m = lms.size
    parts = team.threads_for(m)
    # most of what is made of names differs, and to enlarge a table takes time
    size = 1 << max(15, (m // (2 * parts)).bit_length() - 1 if T.dtype != np.uint8 else 0)
    states, shared = np.zeros((parts, 8), np.int64), np.zeros(1, np.int64)
    known, tables = team.scratch.take(0, np.uint64), np.zeros((parts, 0), np.uint64)
    digests = np.empty(min(m, parts * _DIGESTS), np.uint64)
    part_of = np.empty(digests.size, np.uint8)

    def digest(lo: int, first: int, stop: int) -> None:
        of = slice(first, stop)
        lms_numbers.digests_of(T, lms, lo + first, lo + stop, parts, digests[of], part_of[of])

    def number(lo: int, hi: int, part: int) -> None:
        lms_numbers.find_alike(
            T, lms, lo, digests[: hi - lo], part_of, tables[part], known, R, part, parts, shared, states[part]
        )

    for lo, hi in ranges(m, digests.size):
        yield from team.each(digest, [(lo, *piece) for piece in team.pieces(hi - lo)])
        while states[:, lms_numbers.AT].min() < hi:
            if tables.size == 0 or states[:, lms_numbers.FULL].any():
                size, tables = 2 * size, np.empty((0, 0), np.uint64)  # the old ones are gone before there are new ones
                known = team.scratch.resize(known, 2 * (min(m, parts * size) + parts * lms_numbers.RUN))
                tables = team.scratch.take_last(parts * size, np.uint64).reshape(parts, size)
                states[:, lms_numbers.FULL] = 0
                yield from team.each(_fill, [(known, int(shared[0]), tables, part) for part in range(parts)])
            yield from team.each(number, [(lo, hi, part) for part in range(parts)])
    rests = sorted((int(state[lms_numbers.NEXT]), int(state[lms_numbers.END])) for state in states)
    bounds = [0, *(place for rest in rests for place in rest), int(shared[0])]
    return known, [(lo, hi) for lo, hi in zip(bounds[::2], bounds[1::2], strict=True) if lo < hi]


def _fill(known: Words, n: int, tables: Words, part: int) -> None:
    tables[part] = 0
    lms_numbers.fill_table(known, n, tables[part], part, len(tables))


def _sorted_holders(
    T: Text, bits: int, known: Words, given: list[tuple[int, int]], team: Team
) -> Generator[Event, None, tuple[Words, Positions]]:
    """Return the numbers in the order of their representatives' suffixes, int32, and the keys."""
    pieces, n = [], 0
    for start, stop in given:
        pieces += [(start + lo, start + hi, n + lo) for lo, hi in team.pieces(stop - start)]
        n += stop - start
    keys, order = team.scratch.take(n, np.uint64), team.scratch.take(n, np.int32)

    def take(lo: int, hi: int, to: int) -> Counts:
        counts = np.zeros((8, 256), np.int64)
        lms_names.take_keys(T, known, lo, hi, to, bits, keys, order, counts)
        return counts

    counts = np.sum((yield from team.each(take, pieces)), axis=0)
    keys_to, order_to = team.scratch.take(n, np.uint64), team.scratch.take(n, np.int32)
    for digit in range(8):
        if counts[digit].max() < n:
            yield from _distribute(keys, order, digit, counts[digit], keys_to, order_to, team)
            keys, keys_to, order, order_to = keys_to, keys, order_to, order
    yield from team.each(lambda lo, hi: lms_names.sort_ties(T, known, keys, lo, hi, order, order_to), team.pieces(n))
    return keys, order


def _distribute(
    keys: Words, order: Positions, digit: int, total: Counts, keys_to: Words, order_to: Positions, team: Team
) -> Generator[Event, None, None]:
    """Stable sort by a byte of the keys; ``total``: counts per byte."""
    pieces, heads = team.pieces(keys.size), np.cumsum(total) - total
    starts = [heads] * len(pieces)  # which the pieces of one thread share
    if team.threads_for(keys.size) > 1:

        def count(lo: int, hi: int) -> Counts:
            counts = np.zeros(256, np.int64)
            lms_names.count_digit(keys, lo, hi, digit, counts)
            return counts

        counts = np.array((yield from team.each(count, pieces)))
        starts = list(heads + np.cumsum(counts, axis=0) - counts)
    yield from team.each(
        lambda lo, hi, at: lms_names.radix_pass(keys, order, lo, hi, digit, at, keys_to, order_to),
        [(*piece, at) for piece, at in zip(pieces, starts, strict=True)],
    )
