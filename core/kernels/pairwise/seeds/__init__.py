"""Proof of narrow bands: the diagonals that good paths can use, given shared seeds."""

from __future__ import annotations
