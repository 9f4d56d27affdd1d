"""Codons and amino acids in alignment columns, as rows of coding features."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.app.compare.tracks.bars import Bars
from wavediff.core.base.arrays import Counts
from wavediff.core.sequences.genetic_code import STOP, translated
from wavediff.core.sequences.orientation import COMPLEMENT
from wavediff.core.sequences.spans import CODING

Codes = npt.NDArray[np.int32]
MAX_ROWS = 2  # over A and under B, each
MAX_FEATURES = 64  # in sight, that are translated
FEW_COLUMNS = 30  # an overlap of fewer makes no second row
AROUND = 8  # columns on either side that are looked at with those in sight: where codons at the edges begin
START, NUMBER, AMINO_ACID, MIDDLE, BAR = range(5)  # lines of the codons of a row
_COMPLEMENTS = np.frombuffer(COMPLEMENT, np.uint8)


class Look(IntEnum):
    """Style of a codon: alternating, or different from the other sequence."""

    EVEN = 0
    ODD = 1
    OTHER = 2  # another amino acid
    ONLY_A = 3  # none in the other one
    ONLY_B = 4


N_CODES = 1 + 2 * len(Look) * 128


class Coding(NamedTuple):
    """Coding features of a sequence, their rows, and frames 0 to 5."""

    bars: Bars
    rows: int
    frames: Counts


class Sight(NamedTuple):
    """Codons of a sequence in a range of columns.

    Attributes:
        letters: int64, shape (n,): letter of each column, -1 in gaps.
        rows: per codon row int64, shape (5, n), of the codon in each column: first letter as read, number from 0, amino
            acid, whether its second letter is in this column, and bar; -1: no codon.
    """

    bars: Bars
    letters: Counts
    rows: list[Counts]

    def within(self, some: slice) -> Sight:
        return Sight(self.bars, self.letters[some], [row[:, some] for row in self.rows])


def coding(bars: Bars) -> Coding | None:
    """Return the coding features, or None."""
    codes = np.array([one == CODING for one in bars.spans.types], np.bool_)
    coding_bars = bars.taken(np.flatnonzero(codes[bars.columns.owners]))
    if not len(coding_bars.columns):
        return None
    first, columns = coding_bars.first, coding_bars.columns
    frames = np.where(columns.minus, 3 + bars.spans.ends[first] % 3, bars.spans.starts[first] % 3)
    overlap = (coding_bars.until[:-1] - columns.starts[1:] > FEW_COLUMNS) & (np.diff(frames) != 0)
    return Coding(coding_bars, MAX_ROWS if overlap.any() else 1, frames)


def sight(coding: Coding, letters: Counts, first: int) -> Sight:
    """Return the codons in the columns from ``first``; ``letters``: of the sequence, -1 in gaps."""
    bars, rows = coding.bars, list[Counts]()
    used: dict[int, int] = {}  # frames of those that are in rows, and where the last one ends
    end, present = first + letters.size, np.flatnonzero(letters >= 0)
    few = present.size and bars.columns.count(first, end) <= MAX_FEATURES
    for bar in bars.touching(first, end).tolist() if few else ():
        (start, end), frame = bars.extent(bar), int(coding.frames[bar])
        if frame not in used and sum(each > start + FEW_COLUMNS for each in used.values()) >= coding.rows:
            continue  # most of it has no room
        low, high = int(letters[present[0]]), int(letters[present[-1]]) + 1
        codons = _read(bars, bar, low, high)
        if not codons.size:
            continue
        at = present[codons[0] - low]
        fits = (k for k, row in enumerate(rows) if ((row[START, at] < 0) | (row[START, at] == codons[1])).all())
        k = next(fits, len(rows))
        if k == coding.rows:
            continue
        if k == len(rows):
            rows.append(np.full((5, letters.size), -1))
        used[frame] = max(end, used.get(frame, 0))
        free = rows[k][START, at] < 0  # else another feature has the same codons
        rows[k][:, at[free]] = codons[1:, free]
    if rows and present.size < letters.size:  # codons go on over gaps
        n, gaps = letters.size, letters < 0
        before = np.maximum.accumulate(np.where(gaps, -1, np.arange(n)))
        behind = np.minimum.accumulate(np.where(gaps, n, np.arange(n))[::-1])[::-1]
        inside = np.flatnonzero(gaps & (before >= 0) & (behind < n))
        for row in rows:
            some = inside[row[START, before[inside]] == row[START, behind[inside]]]
            row[:, some] = row[:, before[some]]
            row[MIDDLE, some] = 0
    return Sight(bars, letters, rows)


def _read(bars: Bars, bar: int, low: int, high: int) -> Counts:
    """Return the letters of a feature in ``[low, high)`` and their amino acids, as lines of ``Sight.rows``."""
    feature = int(bars.columns.owners[bar])
    known = bars.spans.feature(feature)
    if not known.is_translated:
        return np.empty((6, 0), np.int64)
    some = bars.spans.parts(feature)
    starts, ends, minus = bars.spans.starts[some], bars.spans.ends[some], bars.spans.minus[some]
    offsets, shift = bars.spans.offsets[some], known.codon_start - 1
    letters, at = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for k in np.flatnonzero((starts < high) & (ends > low)).tolist():
        letters.append(np.arange(max(low, starts[k]), min(high, ends[k])))
        at.append(offsets[k] + (ends[k] - 1 - letters[-1] if minus[k] else letters[-1] - starts[k]))
    places, numbers = np.concatenate(letters), (np.concatenate(at) - shift) // 3
    codons, turned = bars.spans.read(feature, shift + 3 * numbers[:, None] + np.arange(3))
    kept = (numbers >= 0) & (codons >= 0).all(axis=1)  # else it is cut
    places, numbers, codons, turned = places[kept], numbers[kept], codons[kept], turned[kept]
    read_letters = bars.sequence.letters[codons]
    read_letters = np.where(turned, _COMPLEMENTS[read_letters], read_letters)
    amino_acids = translated(read_letters, known.table)
    for codon, letter in known.read_as.items():
        same = numbers == codon
        if feature >= bars.n_own:  # UGA is U, UAG is O; other exceptions are known for own features only
            same &= (amino_acids == STOP) & ((read_letters[:, 1] | 0x20 == ord("g")) == (letter == "U"))
        amino_acids[same] = ord(letter)
    middle = codons[:, 1] == places
    return np.stack([places, codons[:, 0], numbers, amino_acids, middle, np.full(numbers.size, bar)])


def looks(mine: Sight, other: Sight | None, alone: Look) -> list[Codes]:
    """Return a code per cell of codon rows: 0, or 1 + amino acid + 128 * (projected + 2 * ``Look``).

    A codon is compared with the one of the other sequence whose first letter is in the same column.

    Args:
        alone: look of a codon in a gap of the other sequence.
    """
    bars, letters, rows = mine
    firsts, present, different = np.zeros((2, letters.size), np.int64), np.flatnonzero(letters >= 0), list[Codes]()
    if other is not None:
        for row in other.rows:
            here = np.flatnonzero((row[START] >= 0) & (row[START] == other.letters))
            minus = other.bars.columns.minus[row[BAR, here]]
            firsts[minus.astype(np.int8), here] = row[AMINO_ACID, here]
    for row in rows:
        there = np.flatnonzero(row[START] >= 0)
        start, number, amino_acid, middle, bar = row[:, there]
        look, from_first = number % 2, start - int(letters[present[0]])
        if other is not None:
            seen = (from_first >= 0) & (from_first < present.size)
            minus = bars.columns.minus[bar]
            partner = firsts[minus.astype(np.int8), present[np.where(seen, from_first, 0)]]
            in_gap = (partner == 0) & np.isin(start, start[other.letters[there] < 0])
            look = np.where(seen & (partner != amino_acid), np.where(in_gap, alone, Look.OTHER), look)
        codes = np.zeros(letters.size, np.int32)
        codes[there] = 1 + amino_acid * middle + 128 * ((bars.columns.owners[bar] >= bars.n_own) + 2 * look)
        different.append(codes)
    return different
