"""Order of the list of differences: sorted by any column, the short ones left out; ten million in a second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Column, DifferenceKind
from wavediff.core.jobs.difference_index import EACH_KIND, Kinds
from wavediff.core.jobs.difference_rows import DifferenceRows, all_rows
from wavediff.core.sequences.orientation import FORWARD

NUMBER, KIND, IN_A, IN_B, LENGTH, CHANGE, EFFECT = range(7)  # columns of the list
SHORT_COLUMNS = 0xFFFF  # a longer difference is compared by itself: NumPy sorts 16 bits in linear time
_KEY_LETTERS = 4  # of each side, by which changes are compared

DESCENDING = ":desc"  # behind a column, as typed

Order = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Listing:
    """Rows of the list that are asked for.

    Attributes:
        column, descending: by which they are sorted. least: columns of the alignment that a difference must have.
        kinds: that are counted. first: number, from 1, of the difference in the first row; 0: whichever comes first.
    """

    column: int = NUMBER
    descending: bool = False
    least: int = 1
    kinds: Kinds = Kinds.COUNTED
    first: int = 0

    @property
    def words(self) -> dict[str, str]:
        """Options of the command line that ask for these rows, where they are not the usual ones."""
        found = {}
        if (self.column, self.descending) != (NUMBER, False):
            found["sort"] = list(Column)[self.column] + DESCENDING * self.descending
        if self.least > 1:
            found["least"] = str(self.least)
        if self.kinds != Kinds.COUNTED:
            pairs = zip(DifferenceKind, EACH_KIND, strict=True)
            found["kinds"] = ",".join(name for name, kind in pairs if kind & self.kinds)
        if self.first > 1:
            found["at"] = f"#{self.first}"
        return found

    @classmethod
    def of(cls, words: Mapping[str, Any]) -> Listing:
        """Return what options ask for.

        Raises:
            ValueError: one has no such value.
        """
        sort, at = words.get("sort", str(Column.NUMBER)), words.get("at", "#0")
        kinds = dict(zip(DifferenceKind, EACH_KIND, strict=True))
        chosen = [kinds[DifferenceKind(name)] for name in words["kinds"].split(",")] if "kinds" in words else []
        if not at.startswith("#"):
            raise ValueError(f"--at {at}: with --view differences the first row is a number, as in #120")
        return cls(
            list(Column).index(Column(sort.removesuffix(DESCENDING))),
            sort.endswith(DESCENDING),
            max(1, int(words.get("least", 1))),
            reduce(or_, chosen) if chosen else Kinds.COUNTED,
            int(at[1:]),
        )


def arranged(
    listed: ListedDifferences, column: int, descending: bool, least: int, cancel: CancelToken | None = None
) -> Order | None:
    """Return the numbers of the differences of ``listed.kinds`` as they are listed; None for all, as they are.

    Places rise with the number, so sorting by one of them is sorting by the number, but for a sequence that is read
    otherwise than its file. Changes are compared by their first letters. Ties stay in the order of the number.

    Args:
        least: columns that a difference must have.

    Raises:
        Cancelled: nobody waits for it any more.
    """
    sides = {IN_A: listed.a, IN_B: listed.b}
    in_order = [NUMBER, *(side for side, one in sides.items() if one.orientation == FORWARD)]
    if least <= 1 and column in in_order and not descending:
        return None
    columns: list[npt.NDArray[np.uint32]] = []
    keys: list[npt.NDArray[np.generic]] = []
    for rows in all_rows(listed.index, listed.kinds):
        if cancel is not None:
            cancel.raise_if_cancelled()
        columns.append(rows.columns.astype(np.uint32))
        if column in (KIND, CHANGE):
            keys.append(rows.op if column == KIND else _change_keys(listed, rows))
        elif column == EFFECT:
            keys.append(rows.number if listed.effects is None else listed.effects.order(rows.a0 + rows.b0))
        elif column not in (*in_order, LENGTH):
            start, end = (rows.a0, rows.a1) if column == IN_A else (rows.b0, rows.b1)
            keys.append(sides[column].place(np.where(end > start, start, start - 1)))
    lengths = np.concatenate([np.empty(0, np.uint32), *columns])
    numbers = np.flatnonzero(lengths >= least).astype(np.uint32)
    if column in in_order:
        return numbers[::-1] if descending else numbers
    lengths = lengths[numbers]
    if column == LENGTH:
        return numbers[_by_length(lengths, descending)]
    key = np.concatenate(keys)[numbers]
    return numbers[np.argsort(~key if descending else key, kind="stable")]


def _by_length(lengths: npt.NDArray[np.uint32], descending: bool) -> npt.NDArray[np.intp]:
    short = np.minimum(lengths, SHORT_COLUMNS).astype(np.uint16)
    order = np.argsort(~short if descending else short, kind="stable")
    n_long = int(np.count_nonzero(lengths >= SHORT_COLUMNS))
    if n_long:
        part = slice(0, n_long) if descending else slice(lengths.size - n_long, None)
        some = lengths[order[part]]
        order[part] = order[part][np.argsort(~some if descending else some, kind="stable")]
    return order


def _change_keys(listed: ListedDifferences, rows: DifferenceRows) -> npt.NDArray[np.uint64]:
    """Return the first letters of A and of B in one number each; letters that are not there come first."""
    key = np.zeros(len(rows), np.uint64)
    for letters, start, end in ((listed.a.letters, rows.a0, rows.a1), (listed.b.letters, rows.b0, rows.b1)):
        for k in range(_KEY_LETTERS):
            there = start + k < end
            letter = np.zeros(len(rows), np.uint64)
            letter[there] = letters[start[there] + k]
            key = key << np.uint64(8) | letter
    return key
