"""Numbers in sentences."""

from __future__ import annotations


def count_noun(n: int, noun: str, plural: str = "") -> str:
    """Return ``1 line``, ``2 lines``, ``12,345 lines``; ``plural`` where it is not ``noun`` with an s."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"
