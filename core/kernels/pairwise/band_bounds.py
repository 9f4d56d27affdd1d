"""Diagonals of a band: those that hold every path of so many edits, and those that a matrix has."""

from __future__ import annotations


def ukkonen_band(n: int, m: int, edits: int) -> tuple[int, int]:
    """Return the diagonals (low, high) that gaps of so many edits reach and come back from (Ukkonen 1985)."""
    slack = max(edits - abs(n - m), 0) // 2
    return min(0, m - n) - slack, max(0, m - n) + slack


def clip_band(band: tuple[int, int], n: int, m: int) -> tuple[int, int]:
    """Return the diagonals of a band that ``n`` rows and ``m`` columns have."""
    return max(band[0], -n), min(band[1], m)
