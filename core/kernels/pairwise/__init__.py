"""Comparison of two sequences by a matrix: one strategy for LCS and edit distance; ``compare.compare`` runs it."""

from __future__ import annotations
