"""Suffix sorting by a synchronizing set; drives ``cuda/bwt_sample.cu`` and ``cuda/bwt_ranks.cu``.

Source: Kempa and Kociumaka, String Synchronizing Sets (2019). The set's positions depend on a few following letters, so
equal substrings have their next sample at the same distance. Samples are sorted by one word of letters, then by prefix
doubling; all other suffixes by one word and the rank of their next sample, in two stable sorts. Nucleotides have about
14 samples per 100 letters, so long repeats take a seventh of the time of ranks for all suffixes.

``cuda/radix.cu`` sorts 64-bit keys stably by some of their bits, with or without a 32-bit value each.

CuPy's sort compares all 64 bits and uses 64-bit positions; here some bits of a key are ignored and need no passes.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.events import Event
from wavediff.gpu.bwt.bwt_launches import NOTHING, LaunchQueue, codes_of, spans
from wavediff.gpu.card.cuda import Launch

UNIT = "radix.cu"
TILE_KEYS = 4096  # keys per thread block
DIGIT_BITS = 8  # bits of a pass
MAX_NARROW = 1 << 30  # maximum keys whose counts leave two bits of a word
TEXT, SAMPLE, RANKS = "bwt_text.cu", "bwt_sample.cu", "bwt_ranks.cu"
WORD = 64  # bits of a key
SOURCE = np.dtype([("packed", np.uint64), ("bits", np.int32), ("letters", np.int32)])
WARP = 32
SMALL_GROUP_ITEMS = 64  # items of a group sorted by counting: 64 reads per item instead of seven passes
FEW_ITEMS, FEW_GROUP_ITEMS = 1 << 21, 1024  # items of a list that take less time than the launches of the passes
MIN_CHECKED_ITEMS = 1 << 22  # items of a round that take longer than counting the equal ones
UNCHECKED_ROUNDS = 4  # consecutive rounds of fewer items
MAX_KEPT_SHARE = 0.75  # share of equal items; below, the list is rebuilt
_HASHED = 8  # minimum bits of the words whose hashes are compared

# Peak bytes on the card: per letter of the text, and per sample in each round of doubling.
LETTER, SORTED_LETTER, SUFFIX, SAMPLE_BYTES = 3, 18, 8, 72
HELD_BYTES = 17 * UNCHECKED_ROUNDS  # per item, in rounds without waiting


@dataclass(frozen=True, slots=True)
class KeyShape:
    """Sort key layout for a text with ``n_letters`` distinct letters.

    Attributes:
        bits: of a letter.
        letters: number of letters in the key of a suffix, with the preceding one. names: those in the first sort.
        inner, reach: see the kernels: the next ``inner + 2 * reach`` letters determine the next sample.
    """

    bits: int
    letters: int
    names: int
    inner: int
    reach: int


def shape_of(n_letters: int) -> KeyShape:
    """Return the key layout for ``n_letters`` (at least 2) distinct letters."""
    bits = (n_letters - 1).bit_length()
    names, least = WORD // bits, -(-_HASHED // bits)
    # A key needs ``inner + 2 * reach - 1`` letters; a name has one more, hence the next sample too.
    reach = (names - least) // 2
    return KeyShape(bits, names - 1, names, names - 2 * reach, reach)


class Alike(NamedTuple):
    """Items whose groups are not split yet; items of a group are adjacent. Device arrays, shape (count,).

    Attributes:
        items: numbers of samples, uint32. places: of the items in the current order, uint32.
        groups: place of the first item of its group, uint32. kinds: uint8, see the kernels.
    """

    items: Any
    places: Any
    groups: Any
    kinds: Any


class SyncSetSorter:
    """Sorter of the text ``on_card`` (uint8, at least two distinct ``letters``)."""

    def __init__(self, steps: LaunchQueue, on_card: Any, letters: Any) -> None:
        self.steps, self.card, self.text, self.n = steps, steps.card, on_card, int(on_card.size)
        self.letters, self.shape = letters, shape_of(letters.size)

    def last_column(self, suffixes: bool) -> Generator[Event, None, tuple[Any, int, Any]]:
        """Return last column, primary row and (if requested) suffix array, on the card.

        Raises:
            DeviceOutOfMemory: too little memory on the card; raised before it is used up.
        """
        self._require((LETTER + SORTED_LETTER + SUFFIX * suffixes) * self.n)
        yield from self._pack()
        starts = yield from self._sample()
        sorted_samples = yield from self._sort(starts)
        return (yield from self._spread(starts, sorted_samples, suffixes))

    def _run(self, unit: str, name: str, n: int, *arguments: Any) -> Generator[Event, None, None]:
        yield from self.steps.run(unit, name, int(n), *arguments)

    def _require(self, needed: int) -> None:
        free = self.card.free()
        if needed > free:
            raise DeviceOutOfMemory(
                f"the transform of {self.n:,} letters needs {needed / 2**30:,.2f} GiB on {self.card.name}, "
                f"{free / 2**30:,.2f} GiB are free"
            )

    def _pack(self) -> Generator[Event, None, None]:
        bits = self.shape.bits
        n_words = (self.n + 2 * WORD) * bits // 32 + 4
        self.packed = self.card.empty(n_words, np.uint32)
        self.codes = self.card.upload(codes_of(self.letters))
        self.steps.kernel = "pack"
        yield from self._run(
            TEXT, "pack_text", n_words,
            self.text, np.int64(self.n), self.codes, np.int32(bits), self.packed,
        )  # fmt: skip

    def _sample(self) -> Generator[Event, None, Any]:
        """Return the sample positions, int32, descending."""
        shape, n = self.shape, np.int64(self.n)
        self.steps.kernel = "sample"
        marks, counts = (self.card.empty(-(-self.n // 32), np.uint32) for _ in range(2))
        yield from self._run(
            SAMPLE, "mark_samples", self.n,
            self.packed, n, np.int32(shape.bits), np.int32(shape.inner), np.int32(shape.reach), marks, counts,
        )  # fmt: skip
        sums = self.steps.sums(counts)
        starts = self.card.empty(self.steps.number(sums), np.int32)
        yield from self._run(SAMPLE, "list_samples", self.n, marks, sums, n, starts)
        return starts

    def _sort(self, starts: Any) -> Generator[Event, None, Any]:
        """Return the samples sorted by suffix, uint32."""
        m, card = int(starts.size), self.card
        self._require(SAMPLE_BYTES * m + HELD_BYTES * min(m, MIN_CHECKED_ITEMS))
        self.steps.kernel = "name"
        items, heads = yield from self._names(starts)
        ranks, in_order = (card.empty(m, np.uint32) for _ in range(2))
        small, large = yield from self._split(items, heads, NOTHING, NOTHING, ranks, in_order)
        del items, heads
        step, rounds = 1, 0
        self.steps.kernel = "double"
        while step < m and small.items.size + large.items.size:
            rounds += 1
            if small.items.size:
                small = yield from self._double_small(small, step, ranks, in_order)
                if small.items.size >= MIN_CHECKED_ITEMS or rounds % UNCHECKED_ROUNDS == 0:
                    small, _ = yield from self._listed(small, MAX_KEPT_SHARE)
            if large.items.size:
                more, large = yield from self._double_large(large, step, ranks, in_order)
                small = Alike(*map(self._joined, small, more))
            step *= 2
        return in_order

    def _double_small(self, alike: Alike, step: int, ranks: Any, in_order: Any) -> Generator[Event, None, Alike]:
        """Sort the items of each small group by the rank ``step`` samples later."""
        card, m = self.card, int(alike.items.size)
        keys = yield from self._pairs(alike, step, ranks)
        alike_rows = Alike(card.empty(m, np.uint32), alike.places, card.empty(m, np.uint32), card.empty(m, np.uint8))
        yield from self._run(
            RANKS, "sort_small_groups", m,
            alike.items, alike.places, alike.kinds, keys, np.int64(m), np.int32(rank_bits(ranks)),
            ranks, in_order, alike_rows.items, alike_rows.groups, alike_rows.kinds,
        )  # fmt: skip
        return alike_rows

    def _double_large(
        self, alike: Alike, step: int, ranks: Any, in_order: Any
    ) -> Generator[Event, None, tuple[Alike, Alike]]:
        """Sort the items of each large group by the rank ``step`` samples later; return those still alike."""
        keys = yield from self._pairs(alike, step, ranks)
        keys, items = yield from sort(self.steps, keys, (0, 2 * rank_bits(ranks)), alike.items)
        heads = self.card.empty(items.size, np.uint8)
        yield from self._run(RANKS, "split_groups", items.size, keys, heads)
        del keys
        return (yield from self._split(items, heads, alike.places, alike.groups, ranks, in_order))

    def _pairs(self, alike: Alike, step: int, ranks: Any) -> Generator[Event, None, Any]:
        m, bits = int(alike.items.size), np.int32(rank_bits(ranks))
        keys = self.card.empty(m, np.uint64)
        yield from self._run(
            RANKS, "pair_ranks", m, alike.items, alike.groups, alike.kinds, ranks, np.uint32(step), bits, keys
        )
        return keys

    def _joined(self, first: Any, second: Any) -> Any:
        both = self.card.empty(first.size + second.size, first.dtype)
        both[: first.size], both[first.size :] = first, second
        return both

    def _counted(self, flags: Any, kinds: int) -> Generator[Event, None, Any]:
        """Return running totals, per 32 flags, of the flags of kind 1, followed by those of kind 2."""
        n_words = -(-flags.size // WARP)
        counts = self.card.empty(kinds * n_words, np.uint32)
        yield from self._run(RANKS, "count_flags", flags.size, flags, np.int64(n_words), np.int32(kinds), counts)
        return self.steps.sums(counts)

    def _listed(self, alike: Alike, most: float = 1) -> Generator[Event, None, tuple[Alike, Alike]]:
        """Return the items of small and of large groups; all count as small if more than the share ``most`` is."""
        m = int(alike.items.size)
        sums = yield from self._counted(alike.kinds, 2)
        yield from self.steps.settle()
        n_small, count = self.card.download(sums[sums.size // 2 - 1 :: sums.size // 2]).tolist()
        if n_small > most * m:
            return alike, Alike(*(each[m:] for each in alike))
        listed = Alike(*(self.card.empty(count, each.dtype) for each in alike))
        n_words = np.int64(sums.size // 2)
        yield from self._run(RANKS, "list_items", m, sums, n_words, alike.kinds, *alike[:3], *listed)
        return Alike(*(each[:n_small] for each in listed)), Alike(*(each[n_small:] for each in listed))

    def _names(self, starts: Any) -> Generator[Event, None, tuple[Any, Any]]:
        """Sort the samples by their first letters; return them with flags where these change."""
        shape, card, m = self.shape, self.card, int(starts.size)
        bits, letters = np.int32(shape.bits), np.int32(shape.names)
        keys, heads = card.empty(m, np.uint64), card.empty(m, np.uint8)
        yield from self._run(SAMPLE, "name_samples", m, self.packed, starts, bits, letters, keys)
        keys, items = yield from sort(self.steps, keys, (0, shape.bits * shape.names), order=True)
        yield from self._run(SAMPLE, "split_samples", m, starts, items, keys, np.int64(self.n), letters, heads)
        return items, heads

    def _split(
        self, items: Any, heads: Any, places: Any, groups: Any, ranks: Any, in_order: Any
    ) -> Generator[Event, None, tuple[Alike, Alike]]:
        """Rank sorted items by their groups; return the items of small groups and of large groups."""
        card, m = self.card, int(items.size)
        sums = yield from self._counted(heads, 1)
        begins = card.empty(self.steps.number(sums) + 1, np.uint32)
        yield from self._run(RANKS, "list_begins", m, heads, sums, np.int64(m), begins)
        alike_rows = Alike(items, card.empty(m, np.uint32), card.empty(m, np.uint32), card.empty(m, np.uint8))
        most = np.int32(SMALL_GROUP_ITEMS if m > FEW_ITEMS else FEW_GROUP_ITEMS)
        yield from self._run(
            RANKS, "rank_groups", m, items, heads, sums, begins, places, groups, most, ranks, in_order, *alike_rows[1:]
        )
        del sums, begins
        return (yield from self._listed(alike_rows))

    def _spread(self, starts: Any, sorted_samples: Any, suffixes: bool) -> Generator[Event, None, tuple[Any, int, Any]]:
        """Sort all suffixes by one key and the next sample; return the last column."""
        card, shape, m = self.card, self.shape, int(starts.size)
        n, count, letters = np.int64(self.n), np.int64(m), np.int32(shape.letters)
        tail = min(self.n, shape.letters - 1)
        self.steps.kernel = "spread"
        counts = card.empty(m, np.uint32)
        yield from self._run(SAMPLE, "count_suffixes", m, sorted_samples, starts, count, n, letters, counts)
        sums = self.steps.sums(counts)
        del counts
        keys = card.empty(self.n, np.uint64)
        positions = card.empty(self.n, np.uint32) if suffixes else None
        whole, rank = card.zeros(1, np.int64), card.zeros(1, np.uint32)
        yield from self._run(
            SAMPLE, "list_suffixes", max(m, tail),
            self._source(), sorted_samples, starts, sums, count, n, np.int64(tail),
            keys, NOTHING if positions is None else positions, whole,
        )  # fmt: skip
        yield from self.steps.settle()
        del sums, sorted_samples, starts
        bits = np.int32(shape.bits)
        yield from self._run(SAMPLE, "rank_whole", self.n, keys, bits, whole, rank)
        self.steps.kernel = "sort"
        keys, positions = yield from sort(self.steps, keys, (shape.bits, shape.bits * (shape.letters + 1)), positions)
        self.steps.kernel = "last column"
        last, table = card.empty(self.n, np.uint8), card.upload(self.letters)
        yield from self._run(SAMPLE, "write_last", self.n, self.text, table, keys, n, bits, rank, last)
        order = None
        if positions is not None:
            order = card.empty(self.n + 1, np.int32)
            yield from self._run(SAMPLE, "write_suffixes", self.n + 1, positions, n, order)
        return last, self.steps.number(rank) + 1, order

    def _source(self) -> Any:
        struct: Any = np.zeros((), SOURCE)
        struct["packed"] = self.card.address(self.packed)
        struct["bits"], struct["letters"] = self.shape.bits, self.shape.letters
        return struct[()]


def rank_bits(ranks: Any) -> int:
    return max(1, (int(ranks.size) - 1).bit_length())


def sort(
    steps: LaunchQueue, keys: Any, bits: tuple[int, int], values: Any = None, *, order: bool = False
) -> Generator[Event, None, tuple[Any, Any]]:
    """Sort ``keys`` (uint64, overwritten) with ``values`` (uint32).

    Args:
        bits: range (first, end) of the compared bits; 1 to 64 bits.
        order: without ``values``: return the original place of each key, uint32.
    """
    card, n, (shift, end) = steps.card, int(keys.size), bits
    passes = -(-(end - shift) // DIGIT_BITS)
    counts = card.zeros(passes * 256, np.uint32)
    count, valued = np.int64(n), order or values is not None
    macros: dict[str, Any] = {"WIDE": int(n >= MAX_NARROW), "VALUES": int(valued)}
    yield from steps.run(UNIT, "count_digits", n, keys, np.int32(shift), np.int32(end - shift), counts, **macros)
    tiles = -(-n // TILE_KEYS)
    wide = np.uint64 if macros["WIDE"] else np.uint32
    states, turns = card.zeros(passes * tiles * 256, wide), card.zeros(passes, np.uint32)
    other, other_values = card.empty(n, np.uint64), card.empty(n, np.uint32) if valued else NOTHING
    given = NOTHING if values is None else values
    launches: list[Launch] = []
    for one in range(passes):
        low = shift + one * DIGIT_BITS
        arguments = (
            keys, other, given, other_values, count, np.int32(low), np.int32(min(DIGIT_BITS, end - low)),
            counts[one * 256 :], states[one * tiles * 256 :], turns[one:],
        )  # fmt: skip
        # Tiles are processed in order, so that a launch continues after the previous one.
        launches += [(some.size, arguments) for some in spans(tiles, TILE_KEYS, 1)]
        keys, other = other, keys
        if valued:
            given, other_values = other_values, card.empty(n, np.uint32) if given is NOTHING else given
    yield from steps.run_each(UNIT, "sort_digit", launches, TILE_KEYS, **macros)
    return keys, given if valued else None
