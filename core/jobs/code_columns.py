"""Find the columns of an alignment in which an ambiguity code stands."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Alignment, Op
from wavediff.core.jobs.apart import Apart, CodeColumns
from wavediff.core.jobs.swap_result import Swaps
from wavediff.core.sequences.ambiguity import missing_letter, residues_any_case
from wavediff.core.sequences.letter_rules import LetterRule

_CHUNK_LETTERS = 1 << 17  # codes looked at between two looks at whether to go on: some ms of work


class _Runs:
    """Ends of the runs of an alignment in A and in B, and the runs that face each other across a gap."""

    def __init__(self, alignment: Alignment) -> None:
        self.ops, self.lengths = alignment.ops, alignment.lengths
        self.ends = tuple(np.cumsum(self.lengths * consumes[self.ops]) for consumes in (CONSUMES_A, CONSUMES_B))
        ops, lengths = self.ops, self.lengths
        gap = np.concatenate([[False], (ops == Op.INSERTION) | (ops == Op.DELETION), [False]])
        gap[: alignment.head_runs + 1] = gap[gap.size - 1 - alignment.tail_runs :] = False  # overhang faces nothing
        pairs = gap[1:-2] & gap[2:-1] & ~gap[:-3] & ~gap[3:] & (lengths[:-1] == lengths[1:])
        self.partner = np.arange(ops.size)  # the run itself where it has no other
        first = np.flatnonzero(pairs)
        self.partner[first], self.partner[first + 1] = first + 1, first

    def facing(self, places: Counts, side: int) -> tuple[Counts, Counts]:
        """Return the run of each letter of one side (0: A, 1: B) and the letter of the other that it faces, or -1."""
        run = np.searchsorted(self.ends[side], places, "right")
        offset = places - self.ends[side][run] + self.lengths[run]
        partner = self.partner[run]
        consumed = (CONSUMES_B if side == 0 else CONSUMES_A)[self.ops[partner]] != 0
        other = self.ends[1 - side][partner] - self.lengths[partner] + offset
        return run, np.where(consumed, other, -1)


def code_columns(
    alignment: Alignment, a: Letters, b: Letters, rule: LetterRule, swaps: Swaps | None = None
) -> Generator[None, None, CodeColumns]:
    """Count the columns with ambiguity codes, whatever the case; the work goes with the codes there are.

    A deletion and an insertion of as many letters side by side face each other letter by letter. Letters that swap
    places are not looked at.
    """
    bits = residues_any_case(rule)
    is_code, letter = bits & (bits - 1) != 0, missing_letter(rule)
    is_missing = np.zeros(256, np.bool_)
    is_missing[list((letter + letter.lower()).encode("ascii"))] = True
    runs = _Runs(alignment)
    missing, compatible = _Tally(runs), _Tally(runs)
    swapped = ((), ()) if swaps is None else ((swaps.a_first, swaps.a_last), (swaps.b_first, swaps.b_last))
    for side, letters, others in ((0, a, b), (1, b, a)):
        for first in range(0, letters.size, _CHUNK_LETTERS):
            yield
            places = first + np.flatnonzero(is_code[letters[first : first + _CHUNK_LETTERS]])
            run, facing = runs.facing(places, side)
            kept = facing >= 0
            for ends in swapped[side]:
                kept &= ~np.isin(places, ends)
            one, other, run = letters[places[kept]], others[facing[kept]], run[kept]
            if side == 1:
                new = ~is_code[other]  # a column of two codes was counted already
                one, other, run = one[new], other[new], run[new]
            missing.add(run[is_missing[one] | is_missing[other]])
            compatible.add(run[(runs.ops[run] != Op.EQUAL) & (bits[one] & bits[other] != 0)])
    return CodeColumns(letter, missing.apart(match=False), compatible.apart(match=True))


class _Tally:
    """Counts of columns by their runs, those of a pair by its run of deletions."""

    def __init__(self, runs: _Runs) -> None:
        self._runs = runs
        self._counts = np.zeros(runs.ops.size, np.int64)

    def add(self, run: Counts) -> None:
        runs = self._runs
        own = np.where(runs.ops[run] == Op.INSERTION, runs.partner[run], run)
        first = int(own.min(initial=runs.ops.size))
        columns = np.bincount(own - first)
        self._counts[first : first + columns.size] += columns

    def apart(self, *, match: bool) -> Apart:
        ops, counts = self._runs.ops, self._counts
        equal, substituted, paired = (int(counts[ops == op].sum()) for op in (Op.EQUAL, Op.MISMATCH, Op.DELETION))
        opens = 2 * int(np.count_nonzero((ops == Op.DELETION) & (counts == self._runs.lengths)))
        return Apart(equal, substituted, paired, opens, match)
