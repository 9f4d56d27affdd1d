"""Misconceptions about table cells: the wrong answer, a sentence, and the cells it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wavediff.core.base.errors import capitalized
from wavediff.core.base.numbers import number
from wavediff.core.teach.questions import ARROWS, DIAGONAL, LEFT, SWAP, UP, Slip, cell_name, slip
from wavediff.core.teach.table import DpTable, LcsTable

NAMES = {DIAGONAL: "the diagonal", UP: "the cell above", LEFT: "the cell on the left", SWAP: "a swap"}


def value_slips(table: DpTable, i: int, j: int) -> Iterator[Slip]:
    """Yield slips for wrong values of cell (i, j): wrong neighbour, wrong cost, other row."""
    values, (x, y) = table.values, (table.a[i - 1], table.b[j - 1])
    diagonal, above, left = (int(values[cell]) for cell in ((i - 1, j - 1), (i - 1, j), (i, j - 1)))
    equal, neighbour = bool(table.match[i - 1, j - 1]), (i - 1, j) if above >= left else (i, j - 1)
    if isinstance(table, LcsTable):
        if equal:
            yield slip(diagonal, f"{x} = {y} adds one to the diagonal.", (i - 1, j - 1))
            yield slip(max(above, left), f"The largest neighbour. {x} = {y}: it comes from the diagonal.", neighbour)
        else:
            yield slip(diagonal + 1, f"One is added at a match only, and {x} and {y} differ.", (i - 1, j - 1))
            smaller = (i - 1, j) if above < left else (i, j - 1)
            yield slip(min(above, left), "That is the smaller of above and left: the larger counts.", smaller)
            yield slip(max(above, left) + 1, f"{x} and {y} differ: the larger neighbour counts as it is.", neighbour)
    else:
        candidates = table.candidates(i, j)
        near, swap = candidates[:3], candidates[3:]
        if swap and swap[0].wins:
            nearest = min(each.value for each in near)
            source = (swap[0].row, swap[0].col)
            yield slip(nearest, f"Not the neighbours only: a swap from {cell_name(source)} is less.", source)
        if equal:
            yield slip(diagonal + 1, f"{x} = {y} costs nothing: nothing is added to the diagonal.", (i - 1, j - 1))
        else:
            yield slip(diagonal, f"{x} and {y} differ: a substitution costs one.", (i - 1, j - 1))
        least = (i - 1, j) if above < left else (i, j - 1)
        yield slip(min(above, left), "An insertion or a deletion costs one.", least)
        most = max(near, key=lambda each: each.value)
        yield slip(most.value, f"The largest, from {NAMES[most.arrow]}: the smallest counts.", (most.row, most.col))
        for each in candidates:
            text = f"{capitalized(NAMES[each.arrow])} gives this value, but another source gives a smaller one."
            yield slip(each.value, text, (each.row, each.col))
    for row in (i - 1, i + 1):
        if row < len(values):
            yield slip(int(values[row, j]), f"That is the number of row {number(row)}: one row off.", (row, j))


def arrow_slips(table: DpTable, i: int, j: int) -> Iterator[Slip]:
    """Yield a slip for each arrow that does not lead to the cell."""
    candidates = {each.arrow: each for each in table.candidates(i, j)}
    x, y, value = table.a[i - 1], table.b[j - 1], int(table.values[i, j])
    near = {DIAGONAL: (i - 1, j - 1), UP: (i - 1, j), LEFT: (i, j - 1)}
    largest = max(near.values(), key=lambda cell: int(table.values[cell]))
    for arrow, name in ARROWS.items():
        each, cell = candidates.get(arrow), near.get(arrow)
        if each is not None and not each.wins:
            text = f"{capitalized(NAMES[each.arrow])} gives {number(each.value)}, and {number(value)} is written."
            text += " The largest neighbour need not be the source." if cell == largest else ""
            yield slip(name, text, (each.row, each.col))
        elif each is None and arrow == SWAP:
            yield slip(name, f"No swap ends here: {y} is not in a row above, or {x} not in a column on the left.")
        elif each is None and cell is not None:
            text = f"{x} = {y}: a match comes from the diagonal, however large the neighbours are."
            yield slip(name, text if table.match[i - 1, j - 1] else f"No match: {x} and {y} differ.", cell)


def reads_slips(table: DpTable, i: int, j: int) -> Iterator[Slip]:
    """Yield slips for wrong sets of cells that the value of (i, j) depends on."""
    diagonal, above, left = (i - 1, j - 1), (i - 1, j), (i, j - 1)
    x, y, candidates = table.a[i - 1], table.b[j - 1], table.candidates(i, j)
    near = _named(diagonal, above, left)
    if len(candidates) > 3:
        source = (candidates[3].row, candidates[3].col)
        yield slip(near, f"Not the neighbours only: a swap of {x} and {y} begins further up and left.", source)
    if len(candidates) == 1:
        yield slip(near, f"{x} = {y}: a match needs the diagonal alone.", above, left)
        yield slip(_named(above, left), f"{x} = {y}: a match looks at the diagonal, not beside it.", above, left)
    elif len(candidates) == 2:
        yield slip(near, f"{x} and {y} differ: the diagonal is not needed.", diagonal)
        yield slip(_named(diagonal), f"{x} and {y} differ: the diagonal is for a match.", diagonal)
    else:
        yield slip(_named(above, left), "A substitution or a match comes along the diagonal.", diagonal)
    yield slip(_named((i, j)), "That is the cell itself.", (i, j))


def bit_slips(word: str, order: str, others: Mapping[str, str]) -> Iterator[Slip]:
    """Yield slips for wrong words: reversed, complemented, shifted by a row, and ``others`` by name."""
    yield slip(word[::-1], f"The bits are reversed: {order}.")
    for name, other in others.items():
        yield slip(other, f"That is {name}.")
    yield slip(word.translate({48: "1", 49: "0"}), "Zeros and ones are exchanged.")
    for moved in (word[1:] + word[:1], word[-1:] + word[:-1]):
        yield slip(moved, "The bits are one place off.")


def _named(*cells: tuple[int, int]) -> set[str]:
    return {f"{row},{col}" for row, col in cells}
