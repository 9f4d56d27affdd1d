"""Shift-Or automata of many patterns in 64-bit words: host part of all search kernels.

Kusudo, Ino and Hagihara, sections 3 and 4: ``S = (S << 1) | B[letter]``; a zero bit is an active state. Differences:
the states of a pattern are adjacent in one word, so no bit moves between words; carries of a shift into the next
pattern are cleared (``keep``); patterns need no common length, so there are no dummy bits; and with ``step`` 4 one
lookup takes four letters as codes of two bits. A pattern then has 3 more states, one for each other position of its end
in a step.

The automaton is a filter without false negatives: a pattern longer than a word is represented by its last letters, and
letters with one code are equal. Each candidate is compared with the whole pattern.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Letters, Words, aligned_words
from wavediff.core.sequences.matching import PatternSet

WORD = 64
ALL = np.uint64(2**64 - 1)
BUILD_WORDS = 32  # words made at once, a multiple of any width
_ONE = np.uint64(1)


@dataclass(frozen=True, slots=True, eq=False)
class WordGroup:
    """Words searched in one pass over the text.

    Attributes:
        width: words.
        table: uint64, shape (256 * width,): row c has a zero bit for each state that symbol c allows.
        masks: uint64, shape (4 * width,): ``keep`` (0 at the first ``step`` bits of each pattern), ``accept`` (1 at
            accepting states), ``first`` (1 at the first bit of each pattern), ``tested`` (1 at accepting states and
            states that hold an end for a later test).
        owner: int32, shape (64 * width,): searched pattern of each accepting bit, else -1.
        late: uint8, shape (64 * width,): letters of the step after its end.
        ends: accepting bits.
    """

    width: int
    table: Words
    masks: Words
    owner: npt.NDArray[np.int32]
    late: Letters
    ends: int


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """All patterns.

    Attributes:
        step: letters per step: 1 or 4.
        longest: represented letters of the longest pattern.
        groups: at least one.
    """

    step: int
    longest: int
    groups: tuple[WordGroup, ...]


def two_bit_code(letters: Letters) -> Letters:
    """Return the two-bit code of each letter in four-letter steps: A C G T/U are 0 1 3 2, any case."""
    return ((letters >> 1) & 3).astype(np.uint8)


def automaton(
    searched: PatternSet, step: int, widths: Sequence[int], most: int = WORD, held: int = 0
) -> Generator[int, None, Automaton]:
    """Assign patterns to words, and words to groups of the last of ``widths`` or a sufficient one.

    At most ``most`` letters of a pattern are represented, limited by the room in a word. With ``step`` 1, the end of a
    pattern stays visible for ``held`` more steps.

    Yields:
        Words assigned so far, about every millisecond.
    """
    behind = step - 1 + held  # states after the last letter
    kept = np.minimum(searched.lengths, min(most, WORD - behind))
    yield 0
    lane, low = _packed(kept + behind)
    yield 0
    lanes = _Lanes(searched, lane, low, kept, step, held)
    groups: list[WordGroup] = []
    for at in range(0, lanes.n, BUILD_WORDS):
        groups += lanes.groups(at, min(at + BUILD_WORDS, lanes.n), widths)
        yield at
    return Automaton(step, int(kept.max()), tuple(groups))


def _packed(sizes: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return word and lowest bit of each pattern, by best-fit decreasing."""
    lane, low = np.empty(sizes.size, np.int64), np.empty(sizes.size, np.int64)
    words: list[npt.NDArray[np.int64]] = [np.empty(0, np.int64) for _ in range(WORD + 1)]  # by bits that are free
    n = 0
    order = np.argsort(-sizes, kind="stable")
    for size in sorted(set(sizes.tolist()), reverse=True):
        waiting = order[slice(*np.searchsorted(-sizes[order], [-size, 1 - size]))]
        for room in range(size, WORD + 1):
            if not waiting.size or (room < WORD and not words[room].size):
                continue
            each = room // size
            if room == WORD:  # new words
                more = -(-waiting.size // each)
                words[room] = np.concatenate([words[room], np.arange(n, n + more)])
                n += more
            used = words[room][: -(-waiting.size // each)]
            words[room] = words[room][used.size :]
            put, waiting = waiting[: used.size * each], waiting[used.size * each :]
            turn = np.arange(put.size)
            lane[put], low[put] = used[turn // each], WORD - room + size * (turn % each)
            left = room - size * np.minimum(each, put.size - each * np.arange(used.size))  # the last may have fewer
            for rest in sorted(set(left.tolist())):
                words[rest] = np.concatenate([words[rest], used[left == rest]])
    return lane, low


class _Lanes:
    """All words, built incrementally."""

    def __init__(
        self,
        searched: PatternSet,
        lane: npt.NDArray[np.int64],
        low: npt.NDArray[np.int64],
        kept: npt.NDArray[np.int64],
        step: int,
        held: int,
    ) -> None:
        self.n = int(lane.max()) + 1
        self._searched, self._low, self._kept, self._step, self._held = searched, low, kept, step, held
        self._order = np.argsort(lane, kind="stable")
        self._lane = lane[self._order]
        self._symbols = _symbols(searched, step)

    def groups(self, at: int, last: int, widths: Sequence[int]) -> Iterator[WordGroup]:
        """Yield the groups of words ``at`` to ``last``."""
        here = slice(*np.searchsorted(self._lane, [at, last]))
        members, step, searched = self._order[here], self._step, self._searched
        n_words = -(-(last - at) // widths[-1]) * widths[-1]  # those behind the last one stay empty
        n_bits = WORD * n_words
        kept = self._kept[members]
        place = WORD * (self._lane[here] - at) + self._low[members]
        within = np.arange(kept.sum()) - np.repeat(np.cumsum(kept) - kept, kept)
        letters = searched.letters[np.repeat(searched.offsets[members + 1] - kept, kept) + within]
        follows = np.zeros((self._symbols.shape[1], n_bits), np.bool_)
        follows[:, np.repeat(place, kept) + within] = self._symbols[letters].T
        moves = np.ones(n_bits, np.bool_)
        accept, first, tested = (np.zeros(n_bits, np.bool_) for _ in range(3))
        owner, late = np.full(n_bits, -1, np.int32), np.zeros(n_bits, np.uint8)
        first[place] = True
        for after in range(step + self._held):
            end = place + kept - 1 + after
            tested[end] = True
            if after:  # any letter goes from an end to the places behind it
                follows[:, end] = True
            if after < step:
                moves[place + after] = False
                accept[end] = True
                owner[end], late[end] = members, after
        rows = ~_words(follows)
        masks = np.stack([_words(bit_sets) for bit_sets in (moves, accept, first, tested)])
        if step > 1:
            rows = _composed(rows, masks[2])
        w, rest = 0, last - at
        while w < rest:
            width = next((size for size in widths if rest - w <= size), widths[-1])
            table = aligned_words(256 * width)  # a row that lies across two cache lines is two loads
            table[:] = rows[:, w : w + width].reshape(-1)
            bits = slice(WORD * w, WORD * (w + width))
            yield WordGroup(
                width, table, masks[:, w : w + width].reshape(-1), owner[bits], late[bits], int(accept[bits].sum())
            )
            w += width


def _words(bits: npt.NDArray[np.bool_]) -> Words:
    whole = np.packbits(bits, axis=-1, bitorder="little")
    return whole.view("<u8").astype(np.uint64)


def _symbols(searched: PatternSet, step: int) -> npt.NDArray[np.bool_]:
    """Return for each pattern letter (row) the letters or codes (column) that it matches."""
    if step == 1:
        return searched.matches.astype(np.bool_)
    codes = two_bit_code(np.arange(256, dtype=np.uint8))
    return np.stack([searched.matches[:, codes == code].any(axis=1) for code in range(4)], axis=1)


def _composed(rows: Words, first: Words) -> Words:
    """Return the rows of four-letter symbols; the first letter has the lowest two bits."""
    symbol = np.arange(256)
    state = np.zeros((256, rows.shape[1]), np.uint64)  # all reached: what the rows alone decide is left
    for letter in range(4):
        state = ((state << _ONE) & ~first) | rows[(symbol >> (2 * letter)) & 3]
    return state
