"""Units of stepping, which the command line names without loading the tables."""

from __future__ import annotations

from enum import StrEnum

from core.translate import tr_noop


class Unit(StrEnum):
    """Unit of stepping: the cells, or the operations, that one step computes."""

    CELL = "cell"
    ROW = "row"
    COLUMN = "column"
    ANTIDIAGONAL = "antidiagonal"
    BLOCK = "block"
    WORD = "word"
    OPERATION = "operation"  # of a column's machine words


UNIT_NAMES = {
    Unit.CELL: tr_noop("cell"),
    Unit.ROW: tr_noop("row"),
    Unit.COLUMN: tr_noop("column"),
    Unit.ANTIDIAGONAL: tr_noop("antidiagonal"),
    Unit.BLOCK: tr_noop("block"),
    Unit.WORD: tr_noop("word"),
    Unit.OPERATION: tr_noop("operation of a word"),
}
