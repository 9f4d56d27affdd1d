"""The Burrows-Wheeler transform as it is defined, and searching by looking everywhere."""

from __future__ import annotations


def suffix_order(text: bytes) -> list[int]:
    """Return where each of the n + 1 rows begins: sorted suffixes, an end being smaller than any byte."""
    return sorted(range(len(text) + 1), key=lambda i: text[i:])


def rotations(text: bytes) -> list[list[int]]:
    """Return the sorted rotations of ``T$`` as lists of bytes, ``$`` being -1."""
    whole = [*text, -1]
    return sorted(whole[i:] + whole[:i] for i in range(len(whole)))


def bwt(text: bytes) -> tuple[bytes, int]:
    """Return the last column of the sorted rotations without ``$``, and the row of the text itself."""
    table = rotations(text)
    primary = next(row for row, rotation in enumerate(table) if rotation[-1] == -1)
    return bytes(rotation[-1] for rotation in table if rotation[-1] != -1), primary


def inverse(last: bytes, primary: int) -> bytes:
    """Return the text by sorting the last column again and again in front of what is sorted already."""
    column = [*last[:primary], -1, *last[primary:]]
    table: list[list[int]] = [[] for _ in column]
    for _ in column:
        table = sorted([letter, *row] for letter, row in zip(column, table, strict=True))
    return bytes(next(row for row in table if row[-1] == -1)[:-1])


def find(text: bytes, pattern: bytes) -> list[int]:
    """Return every place at which ``pattern`` begins, overlaps included; the empty one begins everywhere."""
    return [i for i in range(len(text) - len(pattern) + 1) if text[i : i + len(pattern)] == pattern]
