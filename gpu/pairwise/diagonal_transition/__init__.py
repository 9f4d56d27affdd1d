"""O(ND) on a graphics card: what is reached on the diagonals of a band."""

from __future__ import annotations
