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
    CALL = "call"  # of a kernel: all blocks of an antidiagonal
    ROUND = "round"
    PART = "part"  # of Hirschberg's tree
    EDIT = "edit"
    LETTER = "letter"  # of a text that is read
    LEVEL = "level"  # of a sort
    PASS = "pass"
    TIME = "time"


UNIT_NAMES = {
    Unit.CELL: "cell",
    Unit.ROW: "row",
    Unit.COLUMN: "column",
    Unit.ANTIDIAGONAL: "antidiagonal",
    Unit.BLOCK: "block",
    Unit.WORD: "word",
    Unit.OPERATION: "operation of a word",
    Unit.CALL: "call",
    Unit.ROUND: "round",
    Unit.PART: "part",
    Unit.EDIT: "edit",
    Unit.LETTER: "letter",
    Unit.LEVEL: "level",
    Unit.PASS: "pass",
    Unit.TIME: "time",
}
