"""Units of stepping, which the command line names without loading the tables."""

from __future__ import annotations

from enum import StrEnum

from core.base.translate import tr_noop


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
    Unit.CELL: tr_noop("cell"),
    Unit.ROW: tr_noop("row"),
    Unit.COLUMN: tr_noop("column"),
    Unit.ANTIDIAGONAL: tr_noop("antidiagonal"),
    Unit.BLOCK: tr_noop("block"),
    Unit.WORD: tr_noop("word"),
    Unit.OPERATION: tr_noop("operation of a word"),
    Unit.CALL: tr_noop("call"),
    Unit.ROUND: tr_noop("round"),
    Unit.PART: tr_noop("part"),
    Unit.EDIT: tr_noop("edit"),
    Unit.LETTER: tr_noop("letter"),
    Unit.LEVEL: tr_noop("level"),
    Unit.PASS: tr_noop("pass"),
    Unit.TIME: tr_noop("time"),
}
