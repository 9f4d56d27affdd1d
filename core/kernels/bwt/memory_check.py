"""Memory that a transform needs, told before anything is allocated."""

from __future__ import annotations

from core.base.errors import NotEnoughMemory
from core.system.machine import available_memory

MAX_LETTERS = (1 << 31) - 2  # rows are numbered in 31 bits
# Bytes a letter at the worst moment, beside the text that is there already.
INDUCED_BYTES = 20  # of random bytes; a third to a half of it where LMS substrings come again
TERNARY_BYTES = 60
INVERSE_BYTES = 9
SUFFIX_ARRAY_BYTES = 4
INDEX_BYTES = 24
_FIXED_BYTES = 1 << 20


def needed_bytes(n: int, bytes_a_letter: int) -> int:
    """Return the bytes for ``n`` letters."""
    return n * bytes_a_letter + _FIXED_BYTES


def sorting_bytes(ternary: bool, suffixes: bool) -> int:
    """Return the bytes a letter of a transform with its check."""
    return max(TERNARY_BYTES if ternary else INDUCED_BYTES, 1 + INVERSE_BYTES) + SUFFIX_ARRAY_BYTES * suffixes


def index_bytes(ternary: bool) -> int:
    """Return the bytes a letter of an index."""
    return TERNARY_BYTES + SUFFIX_ARRAY_BYTES if ternary else INDEX_BYTES


def check_memory(n: int, bytes_a_letter: int, what: str, way_out: str) -> None:
    """Refuse what cannot be held.

    Raises:
        NotEnoughMemory: more is needed than is free, or rows could not be numbered.
    """
    if n > MAX_LETTERS:
        raise NotEnoughMemory(f"{what} of {n:,} letters: at most {MAX_LETTERS:,} can be sorted; take one record")
    size, free = needed_bytes(n, bytes_a_letter), available_memory()
    if size > free:
        raise NotEnoughMemory(
            f"{what} of {n:,} letters needs {size / 2**30:,.2f} GiB, and {free / 2**30:,.2f} GiB are free; {way_out}"
        )
