"""Edit distance with free ends, by the textbook: every cell (Sellers 1980)."""

from __future__ import annotations

from tests.oracles.edit import Letters

PENALTY = 3  # of an overlap: its letters less so many for each edit


def table(a: Letters, b: Letters, free_rows: bool = False, free_columns: bool = False) -> list[list[int]]:
    """Costs of all prefixes of ``a`` (rows) and ``b`` (columns)."""
    costs = [[0 if free_columns else j for j in range(len(b) + 1)]]
    for i, x in enumerate(a, 1):
        row = [0 if free_rows else i]
        for j, y in enumerate(b, 1):
            row.append(min(costs[-1][j - 1] + (x != y), costs[-1][j] + 1, row[-1] + 1))
        costs.append(row)
    return costs


def last_column(a: Letters, b: Letters, free_rows: bool = False, free_columns: bool = False) -> list[int]:
    """What each prefix of ``a`` costs with all of ``b``."""
    return [row[-1] for row in table(a, b, free_rows, free_columns)]


def inside(host: bytes, guest: bytes) -> tuple[int, int, int]:
    """Return the fewest edits of ``guest`` with any part of ``host``, and that part: of those that cost as much the
    one that ends first, then begins first; then as far to the right as it goes."""
    edits, end, start = min(
        (cost, end, start)
        for start in range(len(host) + 1)
        for end, cost in enumerate(last_column(host[start:], guest), start)
    )
    longest = max(end for end, cost in enumerate(last_column(host[start:], guest), start) if cost == edits)
    assert longest >= end
    return edits, start, longest


def loci(host: bytes, guest: bytes, limit: int) -> list[tuple[int, int, int]]:
    """Return start, end and edits of all places of ``guest`` with at most ``limit`` edits: the best one of ``inside``,
    then those of what is left on either side."""
    if not host:
        return []
    edits, start, end = inside(host, guest)
    if edits > limit:
        return []
    behind = [(first + end, last + end, cost) for first, last, cost in loci(host[end:], guest, limit)]
    return [*loci(host[:start], guest, limit), (start, end, edits), *behind]


def overlap_score(a: bytes, b: bytes) -> int:
    """Return the largest score of an overlap of ``a`` and ``b``, 0 where there is none."""
    scores = [len(b) - PENALTY * inside(a, b)[0], len(a) - PENALTY * inside(b, a)[0]]
    for first, second in ((a, b), (b, a)):
        for start in range(len(first) + 1):
            row = table(first[start:], second)[-1]
            scores.append(max(letters - PENALTY * cost for letters, cost in enumerate(row)))
    return max(0, *scores)
