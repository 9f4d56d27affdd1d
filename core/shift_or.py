"""Shift-Or automata of many patterns side by side in words of 64 bits: the host side of every search kernel.

Paper 3 (Kusudo, Ino, Hagihara), sections 3 and 4: ``S = (S << 1) | B[letter]``, a zero bit is a state that is
reached. We depart from it: a pattern's states lie together and never cross a word, so that no bit has to move
between words; what a shift carries from one pattern into the next is cleared (``keep``); patterns need no common
length, so there are no dummy bits; and where ``step`` is 4 one look-up takes four letters, each as a code of two
bits. Then a pattern has 3 more states, one for each place in a step where it may have ended.

The automaton is a filter that loses nothing: a pattern longer than a word is represented by its last letters, and
letters that share a code are one. Whatever it reports is compared with the whole pattern before it counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Letters, Words, aligned_words
from core.patterns.matching import Searched

WORD = 64
ALL = np.uint64(2**64 - 1)
_ONE = np.uint64(1)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Some words that are looked for in one pass over the text.

    Attributes:
        width: words.
        table: uint64, shape (256 * width,): row c has a zero bit where a state may follow when the symbol is c.
        masks: uint64, shape (4 * width,): ``keep`` (0 at the first ``step`` bits of each pattern), ``accept``
            (1 at accepting states), ``first`` (1 at the first bit of each pattern), ``tested`` (1 at accepting states
            and those that hold an end for a later test).
        owner: int32, shape (64 * width,): the searched pattern that an accepting bit belongs to, else -1.
        late: uint8, shape (64 * width,): how many letters of the step came after its end.
        ends: accepting bits.
        shift: bits that a step moves in ``core.cyclic``'s layout; 0 in the one of this module.
    """

    width: int
    table: Words
    masks: Words
    owner: npt.NDArray[np.int32]
    late: Letters
    ends: int
    shift: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """All patterns.

    Attributes:
        step: letters a step takes: 1 or 4.
        longest: letters of the longest pattern as far as it is represented.
        groups: at least one.
    """

    step: int
    longest: int
    groups: tuple[Group, ...]


def code_of(letters: Letters) -> Letters:
    """Return the two bits that stand for each letter in a step of four: A C G T and U get 0 1 3 2 in either case."""
    return ((letters >> 1) & 3).astype(np.uint8)


def automaton(searched: Searched, step: int, narrow: int, wide: int, most: int = WORD, held: int = 0) -> Automaton:
    """Lay the patterns out in words, and these in groups of ``wide``, or of ``narrow`` where that is enough.

    ``most`` letters of a pattern are represented, and as many as a word has room for. An end that was reached can be
    seen for ``held`` steps more, with ``step`` 1 only.
    """
    behind = step - 1 + held  # states after the last letter
    kept = np.minimum(searched.lengths, min(most, WORD - behind))
    lane, low = _packed(kept + behind)
    n_lanes = int(lane.max()) + 1
    symbols = _symbols(searched, step)
    groups, at = [], 0
    by_lane = np.argsort(lane, kind="stable")
    while at < n_lanes:
        width = narrow if n_lanes - at <= narrow else wide
        first, last = np.searchsorted(lane[by_lane], [at, at + width])
        groups.append(_group(searched, by_lane[first:last], lane - at, low, kept, symbols, step, held, width))
        at += width
    return Automaton(step, int(kept.max()), tuple(groups))


def _packed(sizes: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return word and lowest bit of each pattern: the longest first, each into the fullest word that has room."""
    lane, low = np.empty(sizes.size, np.int64), np.empty(sizes.size, np.int64)
    open_words: list[list[int]] = [[] for _ in range(WORD + 1)]  # by bits that are free
    n = 0
    for k in np.argsort(-sizes, kind="stable").tolist():
        size = int(sizes[k])
        room = next((room for room in range(size, WORD + 1) if open_words[room]), 0)
        if room:
            word = open_words[room].pop()
        else:
            room, word, n = WORD, n, n + 1
        lane[k], low[k] = word, WORD - room
        open_words[room - size].append(word)
    return lane, low


def _symbols(searched: Searched, step: int) -> npt.NDArray[np.bool_]:
    """Return for each letter of a pattern (row) the letters, or codes, of a text (column) that it may match."""
    if step == 1:
        return searched.matches.astype(np.bool_)
    codes = code_of(np.arange(256, dtype=np.uint8))
    return np.stack([searched.matches[:, codes == code].any(axis=1) for code in range(4)], axis=1)


def _group(
    searched: Searched,
    members: npt.NDArray[np.int64],
    lane: npt.NDArray[np.int64],
    low: npt.NDArray[np.int64],
    kept: npt.NDArray[np.int64],
    symbols: npt.NDArray[np.bool_],
    step: int,
    held: int,
    width: int,
) -> Group:
    letter_rows = np.full((symbols.shape[1], width), ALL)
    keep = np.full(width, ALL)
    accept, first, tested = (np.zeros(width, np.uint64) for _ in range(3))
    owner, late = np.full(WORD * width, -1, np.int32), np.zeros(WORD * width, np.uint8)
    for k in members.tolist():
        w, bit, n = int(lane[k]), int(low[k]), int(kept[k])
        end = int(searched.offsets[k + 1])
        fits = symbols[searched.letters[end - n : end]]  # shape (n, symbols)
        bits = np.left_shift(_ONE, np.arange(bit, bit + n, dtype=np.uint64))
        letter_rows[:, w] &= ~np.where(fits, bits[:, None], np.uint64(0)).sum(axis=0, dtype=np.uint64)
        for after in range(step + held):
            place = bit + n - 1 + after
            if after:  # any letter goes from an end to the places behind it
                letter_rows[:, w] &= ~(_ONE << np.uint64(place))
            tested[w] |= _ONE << np.uint64(place)
            if after < step:
                keep[w] &= ~(_ONE << np.uint64(bit + after))
                accept[w] |= _ONE << np.uint64(place)
                owner[WORD * w + place], late[WORD * w + place] = k, after
        first[w] |= _ONE << np.uint64(bit)
    table = letter_rows if step == 1 else _composed(letter_rows, first)
    lined_up = aligned_words(table.size)  # a row that lies across two cache lines is two loads
    lined_up[:] = table.reshape(-1)
    return Group(
        width,
        lined_up,
        np.concatenate([keep, accept, first, tested]),
        owner,
        late,
        int(members.size) * step,
    )


def _composed(rows: Words, first: Words) -> Words:
    """Return the rows of four letters at once; the first letter has the lowest two bits of the symbol."""
    symbol = np.arange(256)
    state = np.zeros((256, rows.shape[1]), np.uint64)  # all reached: what the rows alone decide is left
    for letter in range(4):
        state = ((state << _ONE) & ~first) | rows[(symbol >> (2 * letter)) & 3]
    return state
