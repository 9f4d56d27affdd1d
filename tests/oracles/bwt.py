"""The Burrows-Wheeler transform as it is defined, and searching by looking everywhere."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=64)  # tests ask for that of the same text, for each way to sort it
def suffix_order(text: bytes) -> list[int]:
    """Return where each of the n + 1 rows begins: sorted suffixes, an end being smaller than any byte."""
    return sorted(range(len(text) + 1), key=lambda i: text[i:])


def rotations(text: bytes) -> list[list[int]]:
    """Return the sorted rotations of ``T$`` as lists of bytes, ``$`` being -1."""
    whole = [*text, -1]
    return sorted(whole[i:] + whole[:i] for i in range(len(whole)))


@lru_cache(maxsize=256)
def bwt(text: bytes) -> tuple[bytes, int]:
    """Return the last column of the sorted rotations without ``$``, and the row of the text itself."""
    # Two bytes a letter, so that ``$`` has one that is smaller than all: compared as bytes, which is fast.
    n_rows = len(text) + 1
    whole = b"".join((1 + letter).to_bytes(2) for letter in text) + b"\0\0"
    twice = whole + whole
    order = sorted(range(n_rows), key=lambda i: twice[2 * i : 2 * i + 2 * n_rows])
    return bytes(text[i - 1] for i in order if i), order.index(0)


def find(text: bytes, pattern: bytes) -> list[int]:
    """Return every place at which ``pattern`` begins, overlaps included; the empty one begins everywhere."""
    found, at = [], text.find(pattern)
    while at >= 0:
        found.append(at)
        at = text.find(pattern, at + 1)
    return found
