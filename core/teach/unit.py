"""Step units, importable without the tables."""

from __future__ import annotations

from enum import StrEnum


class Unit(StrEnum):
    """Unit of stepping: the cells or operations computed per step."""

    CELL = "cell"
    ROW = "row"
    COLUMN = "column"
    ANTIDIAGONAL = "antidiagonal"
    BLOCK = "block"
    WORD = "word"
    OPERATION = "operation"  # of a column's machine words
    CALL = "call"  # of a kernel: all blocks of an antidiagonal
    ROUND = "round"
    PART = "part"  # of Hirschberg's tree
    EDIT = "edit"
    LETTER = "letter"  # of a text that is read
    LEVEL = "level"  # of a sort
    PASS = "pass"
    TIME = "time"


UNIT_NAMES = {each: str(each) for each in Unit} | {Unit.OPERATION: "operation of a word"}
