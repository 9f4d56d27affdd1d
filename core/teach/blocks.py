"""Tables divided into blocks: the blocks of each call, and the bits passed between blocks.

A block needs the V of its left neighbour and the carries of the block above. Source: Kawanami and Fujimoto 2011,
section 3.2 and Fig. 1.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from wavediff.core.base.numbers import count, number
from wavediff.core.teach.counted_trace import OneUnitTrace, given, letters, of_inputs, sides, whole
from wavediff.core.teach.questions import Asked, Candidate, Kind, slip
from wavediff.core.teach.scene import Grid, Line, Mark, Scene, Sheet
from wavediff.core.teach.table import MAX_TABLE_LETTERS, EditTable, LcsTable
from wavediff.core.teach.table_slips import bit_slips
from wavediff.core.teach.table_trace import TableTrace
from wavediff.core.teach.unit import Unit
from wavediff.core.teach.words import bits, lcs_columns

MINUS = "−"
MAX_BLOCKS = 64  # of a side: what can be seen one by one
MAX_LETTERS = 1 << 30  # of a side of which only the length is given
Block = tuple[int, int]  # row and column of a block, from 0


def new_blocks(n_rows: int, n_cols: int, call: int) -> list[Block]:
    """Return the blocks of call ``call`` (from 1): an antidiagonal of blocks, top right first.

    >>> new_blocks(3, 4, 3)
    [(0, 2), (1, 1), (2, 0)]
    """
    rows = range(max(0, call - n_cols), min(n_rows, call))
    return [(row, call - 1 - row) for row in rows]


class CallsTrace(OneUnitTrace):
    """Blocks by call, for a table given by size only.

    Args:
        rows, cols: letters of A and B. block: rows and columns of a block. first: side at which the first rows are
            drawn; the paper draws them at the bottom.
    """

    def __init__(self, rows: int, cols: int, block: tuple[int, int], first: Literal["top", "bottom"]) -> None:
        self._n_letters, self._block, self._first = (rows, cols), block, first
        self.shape = -(-rows // block[0]), -(-cols // block[1])
        inputs = {"rows": rows, "cols": cols, "block": block, "first": first}
        super().__init__(inputs, Unit.CALL, sum(self.shape) - 1, Kind.WRITES)
        calls = np.add.outer(np.arange(self.shape[0]), np.arange(self.shape[1])).astype(np.int32) + 1
        self._calls = calls[::-1].copy() if first == "bottom" else calls

    def _shown(self, block: Block) -> Block:
        return (self.shape[0] - 1 - block[0] if self._first == "bottom" else block[0]), block[1]

    def _new(self, call: int) -> list[Block]:
        return [self._shown(new_block) for new_block in new_blocks(*self.shape, call)]

    def scene_at(self, k: int) -> Scene:
        down, names = (-1 if self._first == "bottom" else 1), []
        for part in range(self.shape[0]):
            last = min((part + 1) * self._block[0], self._n_letters[0])
            names.append(f"{number(part * self._block[0] + 1)}–{number(last)}")
        lines = []
        for row, col in self._new(k) if k else ():
            if col:
                lines.append(Line(((row + 0.5, col - 0.25), (row + 0.5, col + 0.25)), "carry"))
            if 0 <= row - down < self.shape[0]:
                edge = row if down > 0 else row + 1
                lines.append(Line(((edge - 0.25 * down, col + 0.5), (edge + 0.25 * down, col + 0.5)), "carry"))
        top = tuple(str(col + 1) for col in range(self.shape[1]))
        left = tuple(self._shown((part, 0))[0] for part in range(self.shape[0]))
        grid = Grid("", self._calls, self._calls, tuple(names[part] for part in left), top, lines=tuple(lines))
        return Scene((grid,))

    def say_at(self, k: int) -> str:
        rows, cols = self._n_letters
        if k == 0:
            return (
                f"{number(rows)} × {number(cols)} cells are {number(self.shape[0])} × {number(self.shape[1])} blocks. "
                "The number of a block will be that of its call."
            )
        if k == 1:
            return f"Call {number(k)}: the corner has no neighbours to wait for."
        return (
            f"Call {number(k)}: {count(len(self._new(k)), 'block', 'blocks at once')}. V comes from the left, carries "
            "from the rows before."
        )

    def _value(self, name: str) -> Any:
        first, _, rest = name.partition(" ")
        if first == "row" and rest.isdigit() and 1 <= int(rest) <= self.shape[0]:
            return self._calls[int(rest) - 1].tolist()
        return {
            "calls": self.last_step,
            "blocks": self.shape[0] * self.shape[1],
            "new call": [len(self._new(k)) for k in range(1, self.last_step + 1)],
            "rows": self.shape[0],
            "cols": self.shape[1],
            "at once": min(self.shape),
        }[name]

    def _question(self, k: int) -> Asked:
        named = [{f"{row},{col}" for row, col in self._new(call)} for call in (k, k - 1, k + 1)]
        slips = [
            slip(named[1], "These ran in the call before."),
            slip(named[2], "One call too far: their neighbours are not done yet."),
        ]
        return Asked(f"Which blocks can run in call {number(k)}?", named[0], slips)


class BlocksTrace(OneUnitTrace):
    """Base class of traces by blocks that also explain the cells of the table."""

    _table: TableTrace

    def candidates(self, row: int, col: int) -> list[Candidate]:
        return self._table.candidates(row, col)

    def explain(self, row: int, col: int) -> str:
        return self._table.explain(row, col)


class BlockWordsTrace(BlocksTrace):
    """Blocks of an LCS table with their input and output bits.

    Args:
        table: with the displayed lengths. block: rows and columns of a block.
    """

    def __init__(self, table: LcsTable, block: tuple[int, int]) -> None:
        self._table, self._block = TableTrace(table, block), block
        n, m = table.shape
        self._columns = lcs_columns(table.a, table.b)
        self.shape = -(-n // block[0]), -(-m // block[1])
        inputs = {"a": table.a, "b": table.b, "block": block}
        super().__init__(inputs, Unit.CALL, sum(self.shape) - 1, Kind.BITS)

    def _rows(self, row: int) -> range:
        return range(row * self._block[0], min((row + 1) * self._block[0], len(self._table.table.a)))

    def _cols(self, col: int) -> range:
        return range(col * self._block[1], min((col + 1) * self._block[1], len(self._table.table.b)))

    def _v(self, row: int, after: int) -> str:
        """Return the bits of V in the rows of a block after column ``after`` (0: before the first)."""
        rows = self._rows(row)
        return bits(self._columns[after - 1].after >> rows.start, len(rows)) if after else "1" * len(rows)

    def _carries(self, below: int, cols: range) -> str:
        n, some = len(self._table.table.a), [self._columns[col] for col in cols]
        return "".join(str(column.carry_out if below == n else column.carries >> below & 1) for column in some)

    def scene_at(self, k: int) -> Scene:
        (h, w), table = self._block, self._table.table
        lines, rows = [], []
        for row, col in new_blocks(*self.shape, k) if k else ():
            down, across = self._rows(row), self._cols(col)
            middle = (down.start + 1 + len(down) / 2, across.start + 1 + len(across) / 2)
            if col:
                lines.append(Line(((middle[0], col * w + 0.6), (middle[0], col * w + 1.4)), "carry"))
            if row:
                lines.append(Line(((row * h + 0.6, middle[1]), (row * h + 1.4, middle[1])), "carry"))
            where = [f"{number(span.start + 1)}–{number(span.stop)}" for span in (down, across)]
            handed = (self._v(row, across.start), self._carries(down.start, across))
            rows.append((*where, *handed, self._v(row, across.stop), self._carries(down.stop, across)))
        none = ("",) * 6
        rows += [none] * (min(self.shape) - len(rows))
        marks = tuple((Mark.PLAIN,) * 4 + ((Mark.NEW if row[0] else Mark.PLAIN),) * 2 for row in rows)
        heads = ("rows", "columns", "V in", "carries in", "V out", "carries out")
        rank = self._table.rank(Unit.BLOCK)
        grid = Grid("L", table.values, rank, table.a, table.b, block=self._block, lines=tuple(lines))
        return Scene((grid, Sheet("What the blocks of this call take and hand on", heads, tuple(rows), marks,
                                  mono=True)))  # fmt: skip

    def say_at(self, k: int) -> str:
        if k == 0:
            return (
                f"Blocks of {number(self._block[0])} × {number(self._block[1])} cells. Before the first column V is "
                "all ones; into the first row no carry comes."
            )
        row, col = new_blocks(*self.shape, k)[0]
        here, n_blocks = f"row {number(row + 1)}, column {number(col + 1)}", len(new_blocks(*self.shape, k))
        cols = self._cols(col)
        v, carries = self._v(row, cols.stop), self._carries(self._rows(row).stop, cols)
        if n_blocks == 1:
            hands = f"1 block. It hands V = {v} to its right, a bit a row, and the carries {carries} down."
        else:
            blocks = f"{number(n_blocks)} blocks. The one in {here}"
            hands = f"{blocks} hands on V = {v} to the right and {carries} down."
        return f"Call {number(k)}: {hands}"

    def _value(self, name: str) -> Any:
        (n, m), (first, _, rest) = self._table.table.shape, name.partition(" after ")
        if first == "V" and rest.isdigit() and int(rest) <= m:
            return [self._v(row, int(rest)) for row in range(self.shape[0])]
        first, _, rest = name.partition(" below ")
        if first == "carries" and rest.isdigit() and int(rest) <= n:
            return self._carries(int(rest), range(m))
        if name == "corners":
            values = self._table.table.values
            ends = [self._rows(row).stop for row in range(self.shape[0])]
            return [[int(values[i, self._cols(col).stop]) for col in range(self.shape[1])] for i in ends]
        if name == "calls":
            return self.last_step
        return self._table.value_of(name)

    def _question(self, k: int) -> Asked:
        row, col = new_blocks(*self.shape, k)[0]
        rows, cols = self._rows(row), self._cols(col)
        n_bits = count(len(rows), "bit", "bits")
        text = (
            f"Which V does the block of rows {number(rows.start + 1)} to {number(rows.stop)}, columns "
            f"{number(cols.start + 1)} to {number(cols.stop)} hand on? {n_bits}, its first row first."
        )  # fmt: skip
        word, name = self._v(row, cols.stop), "the V that comes in from the left"
        return Asked(text, [word], bit_slips(word, "the first row is the first bit", {name: self._v(row, cols.start)}))


class BlockBordersTrace(BlocksTrace):
    """Blocks of an edit distance table, one per step, with the bits of their borders (Sudo and Shinohara, 2.3).

    Args:
        table: with the displayed distances. block: rows and columns of a block.
    """

    def __init__(self, table: EditTable, block: tuple[int, int]) -> None:
        self._table, (n, m) = TableTrace(table, block), table.shape
        shape = -(-n // block[0]), -(-m // block[1])
        places = [place for call in range(1, sum(shape)) for place in new_blocks(*shape, call)]
        self._corners = [(row * block[0], col * block[1]) for row, col in places]
        self._rank, (h, w) = np.zeros((n + 1, m + 1), np.int32), block
        for k, (row, col) in enumerate(self._corners, 1):
            self._rank[row + 1 : row + h + 1, col + 1 : col + w + 1] = k
        inputs = {"a": table.a, "b": table.b, "block": block}
        super().__init__(inputs, Unit.BLOCK, len(places), Kind.BITS)

    def _borders(self, k: int) -> dict[str, tuple[str, str]]:
        """Return the input and output words of the block of step ``k``, by name."""
        (h, w), (row, col) = self._table.block, self._corners[k - 1]
        cells = self._table.table.values[row : row + h + 1, col : col + w + 1]
        found = {}
        for sign, name in ((1, "P"), (-1, "N")):
            for word, steps in (("V" + name, np.diff(cells, axis=0).T), ("gH" + name, np.diff(cells, axis=1))):
                found[word] = _word(steps[0] == sign), _word(steps[-1] == sign)
        return {name: found[name] for name in ("VP", "VN", "gHP", "gHN")}

    def scene_at(self, k: int) -> Scene:
        table, (h, w) = self._table.table, self._table.block
        words = self._borders(k) if k else dict.fromkeys(("VP", "VN", "gHP", "gHN"), ("", ""))
        rows = tuple((name, *both) for name, both in words.items())
        marks = ((Mark.PLAIN, Mark.CITED, Mark.NEW) if k else (Mark.PLAIN,) * 3,) * 4
        grid = Grid(table.name, table.values, self._rank, table.a, table.b, block=(h, w))
        return Scene((grid, Sheet("Borders of the block", ("", "takes", "returns"), rows, marks, mono=True)))

    def _named(self, k: int) -> str:
        row, col = self._corners[k - 1]
        (h, w), (n, m) = self._table.block, self._table.table.shape
        ends = min(row + h, n), min(col + w, m)
        return f"rows {number(row + 1)} to {number(ends[0])}, columns {number(col + 1)} to {number(ends[1])}"

    def say_at(self, k: int) -> str:
        if k == 0:
            return (
                "A number is the fewest edits. A block needs the steps along its left and upper border, and no number."
            )
        words = self._borders(k)
        down, across = words["VP"][1].count("1") - words["VN"][1].count("1"), words["gHP"][1].count("1")
        across -= words["gHN"][1].count("1")
        return (
            f"Block of {self._named(k)}: it returns VP and VN of its last column, {down:+d} in all, and gHP and gHN of "
            f"its last row, {across:+d}."
        ).replace("-", MINUS)

    def _value(self, name: str) -> Any:
        """Return ``blocks``: their number; ``borders K``: words into and out of block K, from 1; or a table value."""
        first, _, rest = name.partition(" ")
        if first == "borders" and rest.isdigit() and 1 <= int(rest) <= self.last_step:
            return {name: list(both) for name, both in self._borders(int(rest)).items()}
        return self.last_step if name == "blocks" else self._table.value_of(name)

    def _question(self, k: int) -> Asked:
        words = self._borders(k)
        text = f"Which gHP does the block of {self._named(k)} return? A bit a column, the first on the left."
        others = {"the gHP that it takes": words["gHP"][0], "gHN": words["gHN"][1], "VP": words["VP"][1]}
        return Asked(text, [words["gHP"][1]], bit_slips(words["gHP"][1], "the first column is on the left", others))


def _word(is_set: npt.NDArray[np.bool_]) -> str:
    return "".join("01"[one] for one in is_set.tolist())


@of_inputs(
    rows=whole(1, MAX_LETTERS, 4096),
    cols=whole(1, MAX_LETTERS, 4096),
    block=sides(MAX_LETTERS, (1024, 1024)),
    first=given("top"),
)
def calls_trace(rows: int, cols: int, block: tuple[int, int], first: Any) -> CallsTrace:
    """Return the trace of blocks for a table of given size."""
    if first not in ("top", "bottom"):
        raise ValueError(f"'first' is {first!r}; the first rows are at the 'top' or at the 'bottom'")
    n, m = -(-rows // block[0]), -(-cols // block[1])
    if max(n, m) > MAX_BLOCKS:
        raise ValueError(f"{n:,} × {m:,} blocks cannot be seen one by one; up to {MAX_BLOCKS} × {MAX_BLOCKS} can")
    return CallsTrace(rows, cols, block, first)


@of_inputs(a=letters(), b=letters(), block=sides(MAX_TABLE_LETTERS))
def block_words_trace(a: str, b: str, block: tuple[int, int]) -> BlockWordsTrace:
    """Return the trace of blocks with bits; TableTooLarge: more letters than ``MAX_TABLE_LETTERS``."""
    return BlockWordsTrace(LcsTable(a, b), block)


@of_inputs(a=letters(), b=letters(), block=sides(MAX_TABLE_LETTERS))
def block_borders_trace(a: str, b: str, block: tuple[int, int]) -> BlockBordersTrace:
    """Return the trace of blocks with borders; TableTooLarge: see ``block_words_trace``."""
    return BlockBordersTrace(EditTable(a, b), block)
