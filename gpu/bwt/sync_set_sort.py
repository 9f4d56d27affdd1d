"""Suffix sorting by a synchronizing set; drives ``cuda/bwt_sample.cu`` and ``cuda/bwt_ranks.cu``.

Source: Kempa and Kociumaka, String Synchronizing Sets (2019), whose positions depend on a few letters that follow, so
that what begins alike has its next sample equally far on. Samples are sorted by as many letters as two words hold and
then by prefix doubling, all others by one word and the rank of their next sample, which two stable sorts are.
Nucleotides have some 14 samples in 100 letters, so long repeats cost a seventh of what doubling the ranks of all
suffixes would.

Drive ``cuda/radix.cu``: stable sort of 64-bit keys by some of their bits, with a 32-bit value each or without.

What the CuPy library sorts goes by all 64 bits and carries 64-bit positions; here keys have letters in bits that do not
count, and as many passes are made as there are bits that do.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.events import Event
from wavediff.gpu.bwt.bwt_launches import NOTHING, LaunchQueue, codes_of, spans
from wavediff.gpu.card.interface import Launch

UNIT = "radix.cu"
TILE_KEYS = 4096  # keys of a block of threads
DIGIT_BITS = 8  # bits of a pass
MAX_NARROW = 1 << 30  # keys whose counts leave two bits of a word
TEXT, SAMPLE, RANKS = "bwt_text.cu", "bwt_sample.cu", "bwt_ranks.cu"
WORD = 64  # bits of a key
KEY_LETTERS = 20  # letters of a key: samples are distinguished by one such, else by two
SOURCE = np.dtype([("packed", np.uint64), ("bits", np.int32), ("letters", np.int32)])
SMALL_GROUP_ITEMS = 6  # items of a group on average, up to which most are in groups that are sorted by counting
_HASHED = 8  # bits of the words whose hashes are compared, at least

# Bytes on the card at the worst moment: a letter of the text, and a sample in each round of doubling.
LETTER, SORTED_LETTER, SUFFIX, SAMPLE_BYTES = 3, 18, 8, 72


@dataclass(frozen=True, slots=True)
class KeyShape:
    """Sort key layout for a text with ``n_letters`` distinct letters.

    Attributes:
        bits: of a letter.
        letters: of a key.
        inner, reach: see the kernels: what follows within ``inner + 2 * reach`` letters says which sample is next.
        words: keys that samples are sorted by at first.
        step: samples that are known to lie within these.
    """

    bits: int
    letters: int
    inner: int
    reach: int
    words: int
    step: int


def shape_of(n_letters: int) -> KeyShape:
    """Return the key layout for ``n_letters`` (at least 2) distinct letters."""
    bits = (n_letters - 1).bit_length()
    letters = WORD // bits - 1  # the letter before is in a word too
    words, least = 1 if letters >= KEY_LETTERS else 2, -(-_HASHED // bits)
    # ``inner + 2 * reach - 1`` letters are needed; one word holds a second sample too if there is one more.
    held = letters if words == 1 else letters + 1
    reach = (held - least) // 2
    inner = held - 2 * reach
    return KeyShape(bits, letters, inner, reach, words, (words * letters - inner - reach) // reach)


class SyncSetSorter:
    """Sorter of the text ``on_card`` (uint8, at least two distinct ``letters``)."""

    def __init__(self, steps: LaunchQueue, on_card: Any, letters: Any) -> None:
        self.steps, self.card, self.text, self.n = steps, steps.card, on_card, int(on_card.size)
        self.letters, self.shape = letters, shape_of(letters.size)

    def last_column(self, suffixes: bool) -> Generator[Event, None, tuple[Any, int, Any]]:
        """Return last column, primary row and (if requested) suffix array, on the card.

        Raises:
            DeviceOutOfMemory: the card has too little, reported before it is used up.
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
        sums = yield from self.steps.sums(counts)
        starts = self.card.empty(self.steps.number(sums), np.int32)
        yield from self._run(SAMPLE, "list_samples", self.n, marks, sums, n, starts)
        return starts

    def _sort(self, starts: Any) -> Generator[Event, None, Any]:
        """Return the samples sorted by suffix, uint32."""
        m, card = int(starts.size), self.card
        self._require(SAMPLE_BYTES * m)
        self.steps.kernel = "name"
        items, heads = yield from self._names(starts)
        ranks, in_order = (card.empty(m, np.uint32) for _ in range(2))
        places: Any = NOTHING
        groups: Any = NOTHING
        step, bits = self.shape.step, max(1, (m - 1).bit_length())
        while True:
            listed = yield from self._split(items, heads, places, groups, ranks, in_order)
            if listed is None:
                return in_order
            items, places, groups, n_groups = listed
            self.steps.kernel = "double"
            keys = card.empty(items.size, np.uint64)
            yield from self._run(
                RANKS, "pair_ranks", items.size,
                items, groups, ranks, np.uint32(step), np.int32(bits), keys,
            )  # fmt: skip
            items, heads = yield from self._part(items, keys, bits, n_groups)
            del keys
            step *= 2

    def _part(self, items: Any, keys: Any, bits: int, n_groups: int) -> Generator[Event, None, tuple[Any, Any]]:
        """Sort the items of each group by key; return them with flags where the key changes."""
        card, m = self.card, int(items.size)
        if m > SMALL_GROUP_ITEMS * n_groups:  # most are in large ones
            keys, items = yield from sort(self.steps, keys, (0, 2 * bits), items)
            heads = card.empty(m, np.uint8)
            yield from self._run(RANKS, "split_groups", m, keys, heads)
            return items, heads
        out, heads, large = card.empty(m, np.uint32), card.empty(m, np.uint8), card.empty(m, np.uint8)
        total = card.zeros(1, np.uint32)
        yield from self._run(
            RANKS, "sort_small_groups", m, items, keys, np.int64(m), np.int32(bits), out, heads, large, total
        )
        n_large = self.steps.number(total)
        if n_large:
            sums = yield from self.steps.sums(large)
            some, places = (card.empty(n_large, np.uint32) for _ in range(2))
            some_keys = card.empty(n_large, np.uint64)
            yield from self._run(RANKS, "list_large", m, items, keys, large, sums, some, some_keys, places)
            del sums
            some_keys, some = yield from sort(self.steps, some_keys, (0, 2 * bits), some)
            yield from self._run(RANKS, "put_large", n_large, some, some_keys, places, out, heads)
        return out, heads

    def _names(self, starts: Any) -> Generator[Event, None, tuple[Any, Any]]:
        """Sort the samples by their first letters; return them with flags where these change."""
        shape, card, m = self.shape, self.card, int(starts.size)
        compared = 0, shape.bits * shape.letters
        keys, later = (yield from self._words(starts, 0)), None
        if shape.words == 1:
            keys, items = yield from sort(self.steps, keys, compared, order=True)
        else:
            later, used_up = (yield from self._words(starts, 1)), (yield from self._words(starts, 1))
            _, items = yield from sort(self.steps, used_up, compared, order=True)
            yield from self.steps.settle()
            del used_up
            in_order = card.empty(m, np.uint64)
            yield from self._run(SAMPLE, "gather_names", m, keys, items, in_order)
            keys, items = yield from sort(self.steps, in_order, compared, items)
        heads = card.empty(m, np.uint8)
        yield from self._run(
            SAMPLE, "split_samples", m,
            starts, items, keys, NOTHING if later is None else later, np.int64(self.n),
            np.int32(shape.words * shape.letters), heads,
        )  # fmt: skip
        return items, heads

    def _words(self, starts: Any, number: int) -> Generator[Event, None, Any]:
        """Return word ``number`` of the letters of every sample, uint64."""
        shape, m = self.shape, int(starts.size)
        keys = self.card.empty(m, np.uint64)
        bits, letters = np.int32(shape.bits), np.int32(shape.letters)
        yield from self._run(
            SAMPLE, "name_samples", m, self.packed, starts, bits, letters, np.int32(number * shape.letters), keys
        )
        return keys

    def _split(
        self, items: Any, heads: Any, places: Any, groups: Any, ranks: Any, in_order: Any
    ) -> Generator[Event, None, Any]:
        """Assign ranks to groups; return the unresolved items, places, ranks and number of groups, or None."""
        card, m = self.card, int(items.size)
        sums = yield from self.steps.sums(heads)
        n_groups = self.steps.number(sums)
        first, is_open = card.empty(n_groups, np.uint32), card.empty(m, np.uint8)
        yield from self._run(RANKS, "open_groups", m, heads, sums, places, np.int64(m), first, is_open)
        open_sums = yield from self.steps.sums(is_open)
        listed = [card.empty(self.steps.number(open_sums), np.uint32) for _ in range(3)]
        yield from self._run(
            RANKS, "rank_groups", m, items, sums, first, places, groups, is_open, open_sums, ranks, in_order, *listed
        )
        n_open = int(listed[0].size)
        return (*listed, n_groups - (m - n_open)) if n_open else None

    def _spread(self, starts: Any, sorted_samples: Any, suffixes: bool) -> Generator[Event, None, tuple[Any, int, Any]]:
        """Sort all suffixes by one key and the next sample; return the last column."""
        card, shape, m = self.card, self.shape, int(starts.size)
        n, count, letters = np.int64(self.n), np.int64(m), np.int32(shape.letters)
        tail = min(self.n, shape.letters - 1)
        self.steps.kernel = "spread"
        counts = card.empty(m, np.uint32)
        yield from self._run(SAMPLE, "count_suffixes", m, sorted_samples, starts, count, n, letters, counts)
        sums = yield from self.steps.sums(counts)
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


def sort(
    steps: LaunchQueue, keys: Any, bits: tuple[int, int], values: Any = None, *, order: bool = False
) -> Generator[Event, None, tuple[Any, Any]]:
    """Sort ``keys`` (uint64, overwritten) with ``values`` (uint32).

    Args:
        bits: from which, below which bit they are compared; 64 bits at most, one at least.
        order: without ``values``: return where each key was, uint32.
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
        # Tiles are taken in turn, so that a launch goes on where the one before has ended.
        launches += [(some.size, arguments) for some in spans(tiles, TILE_KEYS, 1)]
        keys, other = other, keys
        if valued:
            given, other_values = other_values, card.empty(n, np.uint32) if given is NOTHING else given
    yield from steps.run_each(UNIT, "sort_digit", launches, TILE_KEYS, **macros)
    return keys, given if valued else None
