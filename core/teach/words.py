"""Columns of a table as machine words: bit ``i`` of a Python integer stands for row ``i + 1``.

The recurrences are those of the kernels: LCS: Crochemore's, as in Kawanami and Fujimoto (section 2.4); edit distance:
Myers' (1999) in Hyyrö's form (2003), as in Sudo and Shinohara (section 2.1); with swaps:
``core/kernels/swap_edit/swap_column.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wavediff.core.jobs.kept_matrix import WordBits

LCS_OPERATORS, EDIT_OPERATORS = 5, 16  # of a word and a column: &, +, ~, &, | ; with (HP << 1) | 1 formed once
EDIT_OPERATORS_AS_WRITTEN = 18  # with it formed twice


class LcsColumn(NamedTuple):
    """Words of one column of an LCS table, V' = (V + (V & M)) | (V & ~M).

    Attributes:
        letter: of B. m: rows with that letter. v: previous V, 0 in rows where the length grows from the row above.
        both: V & M. total: V + (V & M). carries: bit i: carry into row i + 1 of the sum, the growth of row i since the
            previous column. carry_out: carry out of the last row. rest: V & ~M. after: V'.
    """

    letter: str
    m: int
    v: int
    both: int
    total: int
    carries: int
    carry_out: int
    rest: int
    after: int


class EditColumn(NamedTuple):
    """Words of one column of an edit distance table.

    Attributes:
        letter: of B. eq: rows with that letter. d0: rows whose value equals its upper left neighbour. hp, hn: rows
            whose value rose or fell since the previous column. vp, vn: rows whose value is one more or less than in the
            row above; ``vp_before``, ``vn_before``: in the previous column.
    """

    letter: str
    eq: int
    d0: int
    hp: int
    hn: int
    vp: int
    vn: int
    vp_before: int
    vn_before: int


def match_mask(text: str, letter: str) -> int:
    """Return the positions of ``letter`` in ``text`` as a mask: bit i for letter i + 1."""
    return sum(1 << i for i, other in enumerate(text) if other == letter)


def lcs_columns(a: str, b: str, v: int | None = None, entering: Sequence[int] = ()) -> list[LcsColumn]:
    """Return the bit vectors of every column; row i is letter i of A.

    Args:
        v: before the first column; None: all ones. entering: growth of the row above row 1 in each column; empty: none.

    >>> [bits(column.after, 5) for column in lcs_columns("abcde", "baexd")][:2]
    ['10111', '01111']
    """
    ones, columns = (1 << len(a)) - 1, []
    v = ones if v is None else v
    for letter, carry in zip(b, entering or (0,) * len(b), strict=True):
        m = match_mask(a, letter)
        both = v & m
        total = v + both + carry
        rest = v & ~m
        after = total & ones | rest
        columns.append(
            LcsColumn(letter, m, v, both, total & ones, (v ^ both ^ total) & ones, total >> len(a), rest, after)
        )
        v = after
    return columns


def edit_columns(
    a: str, b: str, before: tuple[int, int] | None = None, entering: Sequence[int] = ()
) -> list[EditColumn]:
    """Return the bit vectors of every column; row i is letter i of A.

    Args:
        before: VP and VN before the first column; None: each row is one more than the row above. entering: change of
            the row above row 1 in each column, -1, 0 or 1; empty: 1.

    >>> [bits(column.d0, 6) for column in edit_columns("kitten", "sitting")][:2]
    ['000000', '011111']
    """
    ones = (1 << len(a)) - 1
    (vp, vn), columns = before or (ones, 0), []
    for letter, rise in zip(b, entering or (1,) * len(b), strict=True):
        eq = match_mask(a, letter)
        seen = eq | (rise < 0)  # where row 0 falls, row 1 costs no more than its upper left neighbour
        d0 = ((((seen & vp) + vp) ^ vp) | seen | vn) & ones
        hp, hn = (vn | ~(d0 | vp)) & ones, d0 & vp
        shifted, before = (hp << 1 | (rise > 0)) & ones, (vp, vn)
        vp, vn = ((hn << 1 | (rise < 0)) | ~(d0 | shifted)) & ones, d0 & shifted
        columns.append(EditColumn(letter, eq, d0, hp, hn, vp, vn, *before))
    return columns


def bits(word: int, width: int) -> str:
    """Return a word as text, row 1 first."""
    return "".join(str(word >> i & 1) for i in range(width))


SWAP_OPERATIONS = ("down", "across", "D0", "HP", "HN", "VP", "VN")


def swap_words(a: str, b: str) -> WordBits:
    """Return the bit vectors of every column; row i is letter i of A.

    Returns:
        uint8 0 or 1, shape (len(a), len(b)) each, by name: ``EQ``: rows with the column's letter; ``down``, ``across``:
        rows where a swap of the last two letters of B, or of A, gives the value of the diagonal neighbour; the others
        as in Hyyrö 2003.

    >>> swap_words("CA", "ABC")["across"].tolist()
    [[0, 0, 0], [0, 0, 1]]
    """
    n, ones = len(a), (1 << len(a)) - 1
    words = {name: np.zeros((n, len(b)), np.uint8) for name in ("EQ", *SWAP_OPERATIONS)}
    vp, vn, d0, o2, eq_before = ones, 0, 0, 0, 0
    for j, letter in enumerate(b):
        eq = match_mask(a, letter)
        starts = eq & ~d0
        through = vp | starts
        o1 = ((through + starts) ^ through ^ starts) & ones
        down, across = o1 & eq_before, o2 & eq << 1
        reached = eq | down | across
        d0 = (((reached & vp) + vp) ^ vp | reached | vn) & ones
        hp, hn = (vn | ~(d0 | vp)) & ones, d0 & vp
        up, fell = (hp << 1 | 1) & ones, hn << 1 & ones
        o2 = eq & ~(d0 << 1) | o2 & up
        vp, vn, eq_before = (fell | ~(d0 | up)) & ones, d0 & up, eq
        for name, word in zip(words, (eq, down, across, d0, hp, hn, vp, vn), strict=True):
            octets = np.frombuffer(word.to_bytes(-(-n // 8), "little"), np.uint8)
            words[name][:, j] = np.unpackbits(octets, count=n, bitorder="little")
    return words
