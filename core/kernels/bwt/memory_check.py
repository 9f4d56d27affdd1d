"""Memory check of transforms, before allocation."""

from __future__ import annotations

from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.kernels.bwt.sort import suffix_types
from wavediff.core.system.machine import available_memory

MAX_LETTERS = (1 << 32) - 2  # names of LMS substrings, at most one for two letters, have 31 bits
# Bytes a letter at the worst moment, besides the text that is there already, and how many more with longer positions.
INDUCED_BYTES = 20  # of random bytes; a third to a half of it where LMS substrings come again
LONG_INDUCED_BYTES = 11
TERNARY_BYTES = 60
INVERSE_BYTES = 9
LONG_INVERSE_BYTES = 8
SUFFIX_ARRAY_BYTES = 4
INDEX_BYTES = 24
_FIXED_BYTES = 1 << 20


def needed_bytes(n: int, bytes_a_letter: int) -> int:
    """Return the bytes for ``n`` letters."""
    return n * bytes_a_letter + _FIXED_BYTES


def sorting_bytes(n: int, ternary: bool, suffixes: bool) -> int:
    """Return the bytes per letter of a verified transform of ``n`` letters."""
    is_long = n > suffix_types.MAX_INT32_LETTERS
    induced = INDUCED_BYTES + LONG_INDUCED_BYTES * is_long
    kept = SUFFIX_ARRAY_BYTES * (1 + is_long) * suffixes
    return max(TERNARY_BYTES if ternary else induced, 1 + inverse_bytes(n)) + kept


def inverse_bytes(n: int) -> int:
    """Return the bytes per letter of an inverse of ``n`` letters."""
    return INVERSE_BYTES + LONG_INVERSE_BYTES * (n > suffix_types.MAX_INT32_LETTERS)


def index_bytes(ternary: bool) -> int:
    return TERNARY_BYTES + SUFFIX_ARRAY_BYTES if ternary else INDEX_BYTES


def check_memory(n: int, bytes_a_letter: int, what: str, way_out: str, most: int = MAX_LETTERS) -> None:
    """Raise an error if memory is insufficient, or the text has more than ``most`` letters.

    Raises:
        NotEnoughMemory: too little free memory, or too many rows for their integer type.
    """
    if n > most:
        raise NotEnoughMemory(f"{what} of {n:,} letters: at most {most:,} can be sorted; take one record")
    size, free = needed_bytes(n, bytes_a_letter), available_memory()
    if size > free:
        raise NotEnoughMemory(
            f"{what} of {n:,} letters needs {size / 2**30:,.2f} GiB, and {free / 2**30:,.2f} GiB are free; {way_out}"
        )
