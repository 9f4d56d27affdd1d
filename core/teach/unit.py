"""Units of stepping, which the command line names without loading the tables."""

from __future__ import annotations

from enum import StrEnum


class Unit(StrEnum):
    """Unit of stepping: the cells, or the operations, that one step computes."""

    CELL = "cell"
    ROW = "row"
    COLUMN = "column"
    ANTIDIAGONAL = "antidiagonal"
    BLOCK = "block"
    WORD = "word"
    OPERATION = "operation"  # of a column's machine words
