"""Table of the patterns' q-grams, to find candidate places in a text.

``q`` letters of the text are looked up at every ``stride``-th place. The first such place at or after the start of an
occurrence is 0 to ``stride`` - 1 letters behind it, so the table has the q-grams at these offsets of each pattern. A
match at a place starts at most ``stride`` - 1 letters before it, so all matches of one place start before those of the
next. The entries of a slot are sorted by start, length and pattern, so all matches come in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.search.qgram_scan import MULTIPLIER
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.matching import PatternSet

HEAD_LETTERS = 8  # letters of a word of the machine
MAX_STRIDE = 16  # letters
MAX_ENTRIES = 1 << 18  # unless there are so many patterns
MIN_SLOT_BITS, MAX_SLOT_BITS = 12, 22
SLOT_BITS_OF_AN_ENTRY = 5  # slots for each entry, as a power of 2: few are filled
_NUCLEOTIDE_BITS, _CASELESS_BITS, _ALL_BITS = 0x06, 0xDF, 0xFF  # of a letter; see ``shift_or.two_bit_code``


@dataclass(frozen=True, slots=True, eq=False)
class QgramTable:
    """Slots with the patterns that contain a q-gram.

    Attributes:
        q, stride: letters.
        mask: bits of eight letters that form the q-gram.
        only: the single q-gram, with stride 1; else None.
        down: 64 minus the bits of a slot number.
        filled: uint8, shape (n_slots,): 1 where a slot has entries.
        firsts: int32, shape (n_slots + 1,): first entry of each slot.
        who: int32, shape (n_entries,): the searched pattern.
        ahead: int32, shape (n_entries,): letters of the pattern ahead of the q-gram.
        head, head_mask: uint64, shape (n_entries,): the first eight letters of the pattern that have a single code, and
            the bits to compare.
        decided: letters that ``head`` compares completely: 8; 0 if letters match others.
    """

    q: int
    stride: int
    mask: int
    only: np.uint64 | None
    down: int
    filled: Letters
    firsts: npt.NDArray[np.int32]
    who: npt.NDArray[np.int32]
    ahead: npt.NDArray[np.int32]
    head: Words
    head_mask: Words
    decided: int

    @property
    def arrays(self) -> tuple[Any, ...]:
        """Arguments of ``scan_qgrams``."""
        return self.filled, self.firsts, self.who, self.ahead, self.head, self.head_mask, self.decided

    @property
    def rule(self) -> tuple[int, np.uint64, np.uint64, bool, np.uint64]:
        """Arguments of ``scan_qgrams``."""
        only = np.uint64(0) if self.only is None else self.only
        return self.stride, np.uint64(self.mask), np.uint64(self.down), self.only is not None, only


def letter_bits(job: SearchJob) -> int:
    """Return the number of significant bits per letter."""
    if job.rule is LetterRule.NUCLEOTIDE:
        return _NUCLEOTIDE_BITS
    return _CASELESS_BITS if job.fold_case else _ALL_BITS


@dataclass(frozen=True, slots=True, eq=False)
class PatternCodes:
    """Letter codes of all patterns, shared by the tables of every ``q``.

    Attributes:
        bits: of a letter, see ``letter_bits``.
        n_codes: int64, shape (256,): for each letter of a pattern, the number of codes of matching letters.
        codes: uint64, shape (256, 256): these codes.
        head, head_mask: uint64, shape (n,): see ``QgramTable``, for each pattern.
    """

    searched: PatternSet
    bits: int
    n_codes: Counts
    codes: Words
    head: Words
    head_mask: Words


def pattern_codes(searched: PatternSet, bits: int) -> PatternCodes:
    """Return the input of ``qgram_table`` for ``searched``."""
    n_codes, codes = _codes(searched, bits)
    return PatternCodes(searched, bits, n_codes, codes, *_heads(searched, n_codes, codes, bits))


def qgram_table(patterns: PatternCodes, q: int) -> QgramTable | None:
    """Return the table with the longest stride that fits, or with a single q-gram per pattern; None if ambiguity codes
    match too many letters.

    Args:
        q: letters, at most the length of the shortest pattern.
    """
    searched, bits, n_codes, codes = patterns.searched, patterns.bits, patterns.n_codes, patterns.codes
    room = max(MAX_ENTRIES, 2 * searched.n)
    alone = searched.n == 1 and bool((n_codes[searched.letters[:q]] == 1).all())
    stride = 1 if alone else max(1, min(MAX_STRIDE, int(searched.lengths.min()) - q + 1, room // searched.n))
    who = np.repeat(np.arange(searched.n, dtype=np.int32), stride)
    ahead = np.tile(np.arange(stride, dtype=np.int32), searched.n)
    grams: Words = np.zeros(who.size, np.uint64)
    for letter in range(q):  # an entry for each letter of the text that may stand here
        given = searched.letters[searched.offsets[who] + ahead + letter]
        each = n_codes[given]
        if int(each.sum()) > room:
            return None
        of = np.repeat(np.arange(each.size), each)
        turn = np.arange(of.size) - np.repeat(np.cumsum(each) - each, each)
        who, ahead = who[of], ahead[of]
        grams = grams[of] | codes[given[of], turn] << np.uint64(8 * letter)
    slot_bits = min(MAX_SLOT_BITS, max(MIN_SLOT_BITS, who.size.bit_length() + SLOT_BITS_OF_AN_ENTRY))
    slots = (grams * MULTIPLIER) >> np.uint64(64 - slot_bits)
    rank: Counts = np.empty(searched.n, np.int64)
    rank[np.argsort(searched.lengths, kind="stable")] = np.arange(searched.n)
    order = np.lexsort((rank[who], -ahead, slots))
    counts = np.bincount(slots.astype(np.int64), minlength=1 << slot_bits)
    who, ahead = who[order], ahead[order]
    return QgramTable(
        q=q,
        stride=stride,
        mask=int.from_bytes(bytes([bits]) * q, "little"),
        only=grams[0] if alone else None,
        down=64 - slot_bits,
        filled=(counts > 0).astype(np.uint8),
        firsts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        who=who,
        ahead=ahead,
        head=patterns.head[who],
        head_mask=patterns.head_mask[who],
        decided=HEAD_LETTERS if bits == _ALL_BITS and bool((n_codes <= 1).all()) else 0,
    )


def _heads(searched: PatternSet, n_codes: Counts, codes: Words, bits: int) -> tuple[Words, Words]:
    """Return the first letters of each pattern, and their significant bits."""
    head, mask = np.zeros(searched.n, np.uint64), np.zeros(searched.n, np.uint64)
    for letter in range(min(HEAD_LETTERS, int(searched.lengths.max()))):
        here = np.flatnonzero(searched.lengths > letter)
        given = searched.letters[searched.offsets[here] + letter]
        here, given = here[n_codes[given] == 1], given[n_codes[given] == 1]
        head[here] |= codes[given, 0] << np.uint64(8 * letter)
        mask[here] |= np.uint64(bits << (8 * letter))
    return head, mask


def _codes(searched: PatternSet, bits: int) -> tuple[Counts, Words]:
    """Return for each pattern letter the number of matching codes, and these codes as uint64."""
    n_codes, codes = np.zeros(256, np.int64), np.zeros((256, 256), np.uint64)
    for letter in np.flatnonzero(np.bincount(searched.letters, minlength=256)):
        matched = np.flatnonzero(np.bincount(np.flatnonzero(searched.matches[letter]) & bits))
        n_codes[letter] = matched.size
        codes[letter, : matched.size] = matched
    return n_codes, codes
