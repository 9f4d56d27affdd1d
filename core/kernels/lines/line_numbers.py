"""Compiled line numbering of byte texts without copies, by a hash table."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, Words, as_writable
from wavediff.core.jit.decorators import jit
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.events import Event, Step

KEY = "lines"
LINES_A_STEP = 1 << 15  # numbered between two reports
NO_NUMBER = -1
_PRIME = np.uint64(0x100000001B3)


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile (or load) the line numbering."""
    tiny, starts, blank = np.zeros(1, np.uint8), np.array([0, 1]), np.zeros(256, bool)

    def rehearse() -> None:
        slots, hashes, seen, blanks = _table(1)
        numbers = np.zeros(1, np.uint32)
        number_some(tiny, starts, 0, 1, tiny, starts, 0, blank, slots, hashes, seen, blanks, numbers, 0)

    yield from warm_up(step, "lines", KEY, rehearse)


def compiled_numbers(
    step: Step, texts: tuple[tuple[Letters, Counts], ...], spaces: npt.NDArray[np.bool_]
) -> Generator[Event, None, tuple[list[npt.NDArray[np.uint32]], npt.NDArray[np.bool_]]]:
    """Number the lines of both texts by first occurrence; return the numbers and the blank lines.

    Args:
        texts: letters (uint8); and the start of each line, then the number of letters.
        spaces: bool, shape (256,): which letters are white space.
    """
    yield from make_ready(step)
    (a, starts_a), _ = texts = tuple((as_writable(letters), starts) for letters, starts in texts)
    slots, hashes, seen, blank = _table(sum(starts.size - 1 for _, starts in texts))
    numbered, n, before = [], 0, 0
    for text, starts in texts:
        numbers = np.empty(starts.size - 1, np.uint32)
        for first in range(0, numbers.size, LINES_A_STEP):
            since, end = perf_counter(), min(numbers.size, first + LINES_A_STEP)
            n = number_some(
                text, starts, first, end, a, starts_a, before, spaces, slots, hashes, seen, blank, numbers, n
            )
            yield step.done("lines", since)
        numbered.append(numbers)
        before = numbers.size
    return numbered, blank[:n].copy()


def _table(n: int) -> tuple[npt.NDArray[np.int64], Words, Counts, npt.NDArray[np.bool_]]:
    """Allocate a hash table for ``n`` lines, with first occurrence and blank flag per number."""
    size = 1 << max(4, (2 * n).bit_length())
    return np.full(size, NO_NUMBER, np.int64), np.empty(size, np.uint64), np.empty(n, np.int64), np.empty(n, bool)


@jit
def number_some(
    text: Letters, starts: Counts, first: int, end: int, a: Letters, starts_a: Counts, before: int,
    spaces: npt.NDArray[np.bool_], slots: Counts, hashes: Words, seen: Counts, blank: npt.NDArray[np.bool_],
    numbers: npt.NDArray[np.uint32], n: int,
) -> Any:  # fmt: skip
    """Number lines ``first`` to ``end`` of ``text``, ignoring line ends.

    Args:
        a: the first text. before: its number of lines if ``text`` is the second text, else 0.
        n: numbers in use.

    Returns:
        Numbers in use now.
    """
    mask = np.uint64(slots.size - 1)
    for k in range(first, end):
        lo, hi = starts[k], starts[k + 1]
        if hi > lo and text[hi - 1] == 10:
            hi -= 1
        key = np.uint64(0xCBF29CE484222325)
        for i in range(lo, hi):
            key = (key ^ np.uint64(text[i])) * _PRIME
        key ^= key >> np.uint64(32)
        slot = key & mask
        while True:
            number = slots[slot]
            if number < 0:
                slots[slot], hashes[slot], seen[n], number = n, key, before + k, n
                blank[n] = True
                for i in range(lo, hi):
                    if not spaces[text[i]]:
                        blank[n] = False
                        break
                n += 1
                break
            if hashes[slot] == key:
                other = seen[number]
                whole = other < before  # a line of the first text
                old, at = (a, starts_a[other]) if whole else (text, starts[other - before])
                until = starts_a[other + 1] if whole else starts[other - before + 1]
                if until > at and old[until - 1] == 10:
                    until -= 1
                same = until - at == hi - lo
                i = 0
                while same and i < hi - lo:
                    same = old[at + i] == text[lo + i]
                    i += 1
                if same:
                    break
            slot = (slot + np.uint64(1)) & mask
        numbers[k] = number
    return n
