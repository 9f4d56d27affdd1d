"""Word layout of Kusudo, Ino and Hagihara (sections 3.1 and 4.2), for display.

The states of q patterns are interleaved in one word of 256 bits, so that one shift by q moves all of them. Shorter
patterns are padded with dummy bits at the low end, which are always active (0). So the accepting states are adjacent:
bits 224 to 224 + q - 1, counted from 0. Higher bits are never active (1). ``q <= 32`` and ``(M - 1) * q <= 224`` with M
the longest pattern; larger sets are split over several words. There are two differences from the paper: every accepting
bit is reported, so patterns may share a suffix; and a pattern of more than 225 letters is represented by its last 225,
and compared as a whole at their ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from wavediff.core.sequences.matching import PatternSet

BITS, ACCEPT_BIT = 256, 224
MAX_PATTERNS = BITS - ACCEPT_BIT  # patterns of a word
MAX_STATES = ACCEPT_BIT + 1
_ALL = (1 << BITS) - 1


@dataclass(frozen=True, slots=True)
class CyclicWord:
    """One word of 256 bits and its patterns.

    Attributes:
        members: searched patterns in the word; bit 224 + k is the accepting state of pattern k.
        lengths: number of represented letters of each pattern.
        table: the masks B of the paper, by letter of the text: a bit is 0 where a state may become active.
        start: the state word S before the first letter.
    """

    members: tuple[int, ...]
    lengths: tuple[int, ...]
    table: tuple[int, ...]
    start: int

    @property
    def q(self) -> int:
        return len(self.members)

    @property
    def lowest(self) -> int:
        """The lowest bit of any state, including dummies."""
        return ACCEPT_BIT - (max(self.lengths) - 1) * self.q

    def state(self, bit: int) -> tuple[int, int]:
        """Return pattern (index in ``members``) and matched letters at ``bit``; <= 0: a dummy."""
        above, k = divmod(bit - ACCEPT_BIT, self.q)
        return k, self.lengths[k] + above

    def follow(self, letters: Iterable[int]) -> Iterator[int]:
        """Yield the state word S after each letter."""
        state = self.start
        for letter in letters:
            state = ((state << self.q) | self.table[letter]) & _ALL
            yield state


def cyclic_words(searched: PatternSet) -> list[CyclicWord]:
    """Return words that contain every searched pattern, longest first."""
    return [_word(searched, members) for members in _shared_out(searched)]


def _shared_out(searched: PatternSet) -> Iterator[list[int]]:
    """Yield the patterns of each word."""
    lengths = np.minimum(searched.lengths, MAX_STATES)
    members: list[int] = []
    for k in np.argsort(-lengths, kind="stable").tolist():
        longest = int(lengths[members[0]]) if members else int(lengths[k])
        if members and (len(members) == MAX_PATTERNS or (longest - 1) * (len(members) + 1) > ACCEPT_BIT):
            yield members
            members = []
        members.append(k)
    yield members


def _word(searched: PatternSet, members: list[int]) -> CyclicWord:
    q = len(members)
    table = [_ALL] * 256
    lengths = [min(int(searched.lengths[k]), MAX_STATES) for k in members]
    reached = (1 << (ACCEPT_BIT - (max(lengths) - 1) * q)) - 1  # below the states
    for place, (k, n) in enumerate(zip(members, lengths, strict=True)):
        end = int(searched.offsets[k + 1])
        for i in range(max(lengths)):
            bit = 1 << (ACCEPT_BIT + place - q * i)
            if i >= n:
                reached |= bit  # a dummy
                continue
            for letter in np.flatnonzero(searched.matches[searched.letters[end - 1 - i]]).tolist():
                table[letter] &= ~bit
    return CyclicWord(tuple(members), tuple(lengths), tuple(row & ~reached for row in table), _ALL & ~reached)
