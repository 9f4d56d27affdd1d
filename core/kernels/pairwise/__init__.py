"""Comparison of two sequences by a matrix: common strategy of LCS and edit distance; entry point
``compare.compare``.
"""

from __future__ import annotations
