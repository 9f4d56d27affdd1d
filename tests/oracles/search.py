"""Search by the definition: every stretch against every pattern, letter by letter."""

from __future__ import annotations

from collections.abc import Callable, Iterator

Match = Callable[[int, int], bool]
Hit = tuple[int, int, int]  # start, end, cost


def literal(pattern: int, text: int) -> bool:
    return pattern == text


def mismatches(text: bytes, pattern: bytes, most: int, match: Match = literal) -> Iterator[Hit]:
    """Yield every stretch with at most ``most`` mismatches, first one first."""
    for start in range(len(text) - len(pattern) + 1):
        cost = sum(not match(p, text[start + i]) for i, p in enumerate(pattern))
        if cost <= most:
            yield start, start + len(pattern), cost


def edits(text: bytes, pattern: bytes, most: int, match: Match = literal) -> Iterator[Hit]:
    """Yield for every end the stretch of the least cost, the shortest of these, where that is at most ``most``.

    Sellers' matrix, column by column, with pairs of cost and length that are compared in this order.
    """
    column = [(i, 0) for i in range(len(pattern) + 1)]
    for end, letter in enumerate(text, 1):
        last, column[0] = column[0], (0, 0)
        for i, p in enumerate(pattern, 1):
            here, (up, up_n), (old, old_n) = column[i], column[i - 1], last
            column[i] = min((up + 1, up_n), (here[0] + 1, here[1] + 1), (old + (not match(p, letter)), old_n + 1))
            last = here
        cost, n = column[-1]
        if cost <= most:
            yield end - n, end, cost


def edits_by_definition(text: bytes, pattern: bytes, most: int) -> Iterator[Hit]:
    """The same by trying every stretch."""
    for end in range(1, len(text) + 1):
        cost, n = min((distance(pattern, text[start:end]), end - start) for start in range(end))
        if cost <= most:
            yield end - n, end, cost


def distance(pattern: bytes, stretch: bytes) -> int:
    """Edit distance with unit costs, by the textbook."""
    row = list(range(len(stretch) + 1))
    for i, p in enumerate(pattern, 1):
        last, row[0] = row[0], i
        for j, t in enumerate(stretch, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (p != t))
    return row[-1]
