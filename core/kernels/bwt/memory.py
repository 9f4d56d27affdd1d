"""What a transform needs, told before anything is allocated."""

from __future__ import annotations

from core.errors import NotEnoughMemory
from core.machine import available_memory

MOST_LETTERS = (1 << 31) - 2  # rows are numbered in 31 bits
# Bytes a letter at the worst moment, beside the text that is there already.
INDUCED = 11
PACKED = 11
TERNARY = 60
INVERSE = 9
SUFFIXES = 4
INDEX = 16
_BESIDE = 1 << 20


def needed(n: int, bytes_a_letter: int) -> int:
    """Return the bytes for ``n`` letters."""
    return n * bytes_a_letter + _BESIDE


def of_sorting(ternary: bool, suffixes: bool) -> int:
    """Return the bytes a letter of a transform with its check."""
    return max(TERNARY if ternary else INDUCED, 1 + INVERSE) + SUFFIXES * suffixes


def of_index(ternary: bool) -> int:
    """Return the bytes a letter of an index."""
    return TERNARY + SUFFIXES if ternary else INDEX


def check_memory(n: int, bytes_a_letter: int, what: str, way_out: str) -> None:
    """Refuse what cannot be held.

    Raises:
        NotEnoughMemory: more is needed than is free, or rows could not be numbered.
    """
    if n > MOST_LETTERS:
        raise NotEnoughMemory(f"{what} of {n:,} letters: at most {MOST_LETTERS:,} can be sorted; take one record")
    size, free = needed(n, bytes_a_letter), available_memory()
    if size > free:
        raise NotEnoughMemory(
            f"{what} of {n:,} letters needs {size / 2**30:,.2f} GiB, and {free / 2**30:,.2f} GiB are free; {way_out}"
        )
