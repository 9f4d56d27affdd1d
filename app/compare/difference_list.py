"""List of differences with sorting and filters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import or_
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from wavediff.app.compare.alignment_model import KIND_NAMES, gap_text, kind_text
from wavediff.app.ui.number_text import as_wide_as
from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, number
from wavediff.core.export.registry import DIFFERENCES, Format
from wavediff.core.export.tsv import ListedDifferences, listed_tsv
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Column, DifferenceKind
from wavediff.core.jobs.difference_index import EACH_KIND, Kinds
from wavediff.core.jobs.difference_rows import DifferenceRows, all_rows, rows_of
from wavediff.core.sequences.ambiguity import common_rule, has_codes, missing_letter
from wavediff.core.sequences.letter_text import glyph, glyph_or_code, isolated
from wavediff.core.sequences.orientation import FORWARD
from wavediff.core.sequences.sequence import Sequence

NUMBER, KIND, IN_A, IN_B, LENGTH, CHANGE, EFFECT = range(7)  # columns of the list
SHORT_COLUMNS = 0xFFFF  # a longer difference is compared by itself: NumPy sorts 16 bits in linear time
_KEY_LETTERS = 4  # of each side, by which changes are compared

DESCENDING = ":desc"  # behind a column, as typed

Order = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Listing:
    """Requested rows of the list.

    Attributes:
        column, descending: sort order. least: minimum columns of a difference.
        kinds: kinds of listed differences. first: number, from 1, of the difference in the first row; 0: any.
    """

    column: int = NUMBER
    descending: bool = False
    least: int = 1
    kinds: Kinds = Kinds.COUNTED
    first: int = 0

    @property
    def words(self) -> dict[str, str]:
        """Command-line options for these rows, if not the default."""
        options = {}
        if (self.column, self.descending) != (NUMBER, False):
            options["sort"] = list(Column)[self.column] + DESCENDING * self.descending
        if self.least > 1:
            options["least"] = str(self.least)
        if self.kinds != Kinds.COUNTED:
            pairs = zip(DifferenceKind, EACH_KIND, strict=True)
            options["kinds"] = ",".join(name for name, kind in pairs if kind & self.kinds)
        if self.first > 1:
            options["at"] = f"#{self.first}"
        return options

    @classmethod
    def of(cls, words: Mapping[str, Any]) -> Listing:
        """Parse options; ValueError: invalid value."""
        sort, at = words.get("sort", str(Column.NUMBER)), words.get("at", "#0")
        kinds = dict(zip(DifferenceKind, EACH_KIND, strict=True))
        chosen = [kinds[DifferenceKind(name)] for name in words["kinds"].split(",")] if "kinds" in words else []
        if not at.startswith("#"):
            raise ValueError(f"--at {at}: --view differences takes a row number, such as #120")
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
    """Return the numbers of ``listed.kinds`` in display order; None: natural order of all.

    Positions ascend with the number, so sorting by position is sorting by number, except for a sequence that is not
    read as in its file. Changes are compared by their first letters. Ties keep the order of the numbers.

    Args:
        least: minimum columns of a difference.

    Raises:
        Cancelled: no longer needed.
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
    """Return sort keys of the first letters of A and B; missing letters sort first."""
    key = np.zeros(len(rows), np.uint64)
    for letters, start, end in ((listed.a.letters, rows.a0, rows.a1), (listed.b.letters, rows.b0, rows.b1)):
        for k in range(_KEY_LETTERS):
            there = start + k < end
            letter = np.zeros(len(rows), np.uint64)
            letter[there] = letters[start[there] + k]
            key = key << np.uint64(8) | letter
    return key


SHOWN_EFFECT, USUAL_EFFECT = 200, "ORF1ab:3675-3677del"  # characters
SHOWN_LETTERS = 10  # of each side of a change, at least
CONTEXT_LETTERS = 12  # on each side of a change, in its tip


@dataclass(frozen=True, eq=False)
class ListedParts:
    """Listed parts of an answer; ``order``: number (from 0) of each listed part, in display order."""

    index: Any
    order: Counts

    def __len__(self) -> int:
        return int(self.order.size)

    @property
    def a(self) -> Sequence:
        a: Sequence = self.index.a
        return a


class DifferenceList:
    """One row per difference, numbered as in the stepper. Base class of other lists.

    In methods, ``listed`` has the listed items, and ``rows`` is the result of ``read`` for some of them.

    Attributes:
        columns, tips: headings and their tips. left, greatest_first: see ``Table``. stretched: column that takes the
            remaining width.
        at_top: columns whose sorting scrolls to the top instead of the current row.
        signs: maximum number of signs in the kind's cell. usual: initial listing, unless stored with the pair.
        words: noun of a row, singular and plural. tip: tip of the field for the minimum length.
        formats, save_text, save_tip: formats of saved files; text and tip of the button.
    """

    columns: tuple[str, ...] = ("#", "Kind", "A", "B", "Length", "Change", "Effect")
    tips: ClassVar[Mapping[int, str]] = {}
    left = frozenset({KIND, CHANGE, EFFECT})
    greatest_first = frozenset({LENGTH})
    at_top: ClassVar[frozenset[int]] = frozenset({KIND, LENGTH, CHANGE, EFFECT})
    signs, stretched = 1, CHANGE
    usual: Listing | None = None
    words = "difference", "differences"
    tip = "Hide differences with fewer letters"
    formats: tuple[Format, ...] = DIFFERENCES
    save_text, save_tip = "Save list…", "Save the listed rows as TSV"

    def read(self, listed: Any, numbers: Counts) -> Any:
        return rows_of(listed.index, numbers, listed.kinds)

    def op(self, rows: Any, k: int) -> int | tuple[int, ...]:
        return int(rows.op[k])

    def tip_of(self, column: int, *place: Any) -> str | None:
        """Return the tip of a cell, or None; ``place``: the arguments of ``texts``."""
        return self.around(*place) if column == CHANGE else None

    def grows(self, _listed: Any) -> bool:
        """Return whether the list still gets new rows."""
        return False

    def names(self, listed: Any) -> tuple[str, str]:
        """Return the names of A and B for a file name."""
        return listed.a.name, listed.b.name

    def texts(self, listed: Any, rows: Any, k: int, room: int = 0) -> tuple[str, ...]:
        """Return the cell texts of row ``k``; ``room``: characters for the change."""
        return (
            number(int(rows.number[k]) + 1),
            _kind(listed, rows, k),
            place_text(listed.a, rows.a0[k], rows.a1[k]),
            place_text(listed.b, rows.b0[k], rows.b1[k]),
            number(int(rows.columns[k])),
            change_text(listed, rows, k, room),
            effect_text(listed, rows, k),
        )

    def around(self, listed: Any, rows: Any, k: int) -> str:
        lines = []
        for name, sequence, start, end in (
            ("A", listed.a, int(rows.a0[k]), int(rows.a1[k])),
            ("B", listed.b, int(rows.b0[k]), int(rows.b1[k])),
        ):
            before = text_of(sequence.letters[max(0, start - CONTEXT_LETTERS) : start], sequence.characters)
            after = text_of(sequence.letters[end : end + CONTEXT_LETTERS], sequence.characters)
            letters = _shown(sequence, start, end, 4 * SHOWN_LETTERS) or "–"
            lines.append(f"{name}  {isolated(before)}[{isolated(letters)}]{isolated(after)}")
        return "\n".join(lines)

    def sentence(self, listed: Any, rows: Any, k: int) -> str:
        which, kind, a, b, _, change, effect = self.texts(listed, rows, k)
        length = count(int(rows.columns[k]), "letter", "letters")
        parts = (f"difference {which}: {kind}", length, f"A {a}", f"B {b}", change, effect)
        return ", ".join(filter(None, parts))

    def arranged(self, listed: Any, asked: Listing, cancel: CancelToken | None = None) -> Any:
        """Return ``listed`` sorted as ``asked``, without differences shorter than ``asked.least``."""
        return replace(listed, order=self.order(listed, asked.column, asked.descending, asked.least, cancel))

    def order(self, listed: Any, column: int, descending: bool, least: int, cancel: CancelToken | None) -> Any:
        """Return the numbers in display order, see ``arranged``."""
        return arranged(listed, column, descending, least, cancel)

    def some_of(self, listed: Any, total: int) -> str:
        """Return e.g. ``12 of 40 differences``: how many of ``total`` are listed."""
        return (f"{number(len(listed))} of " if len(listed) < total else "") + count(total, *self.words)

    def shown(self, listed: Any) -> str:
        shown, total = len(listed), listed.index.n_differences(listed.kinds)
        if shown < total:
            return self.some_of(listed, total)
        apart = listed.index.n_differences(listed.kinds & Kinds.APART)
        counted = count(total - apart, *self.words)
        effects = "" if listed.effects is None else f" · {listed.effects.sentence}"
        return (f"{counted}, {number(apart)} unknown" if apart else counted) + effects

    def tsv(self, listed: Any) -> bytes:
        """Return the list as TSV for the clipboard."""
        return b"".join(listed_tsv(listed))

    def none(self, listed: Any) -> str:
        """Return why the list is empty; an empty string if it is not."""
        if listed.index.n_differences():
            return ""
        whole = listed.index.aligned_columns == (0, listed.index.n_columns)
        return "No differences: A and B are the same." if whole else "No differences in the aligned part."

    def longest(self, listed: Any) -> int:
        return int(listed.index.n_columns)

    def widest(self, listed: Any) -> dict[int, list[str]]:
        """Return the widest texts of each column; the change takes the rest."""
        rule = common_rule(listed.a, listed.b)
        codes = has_codes(rule, listed.a, listed.b)
        kinds_of_codes = [f"insertion, {number(88)} {missing_letter(rule)}", "compatible code"] if codes else []
        return {
            NUMBER: [number(as_wide_as(listed.index.n_differences()))],
            KIND: [*KIND_NAMES.values(), *kinds_of_codes],
            IN_A: [f"after {number(as_wide_as(len(listed.a)))}"],
            IN_B: [gap_text(listed.b, 0), f"after {number(as_wide_as(len(listed.b)))}"],
            LENGTH: [number(as_wide_as(listed.index.n_columns))],
            EFFECT: [USUAL_EFFECT],
        }


def _kind(listed: ListedDifferences, rows: DifferenceRows, k: int) -> str:
    a0, a1, b0, b1 = (int(one[k]) for one in (rows.a0, rows.a1, rows.b0, rows.b1))
    return kind_text(listed.a, listed.b, int(rows.op[k]), slice(a0, a1), slice(b0, b1))


def place_text(sequence: Sequence, start: int, end: int) -> str:
    """Return the 1-based position in the file of the first letter, or after which letter a gap lies."""
    return number(sequence.place(int(start)) + 1) if end > start else gap_text(sequence, int(start))


def effect_text(listed: ListedDifferences, rows: DifferenceRows, k: int) -> str:
    if listed.effects is None:
        return ""
    return printable(listed.effects.text(*(int(one[k]) for one in (rows.a0, rows.a1, rows.b0, rows.b1))), SHOWN_EFFECT)


def change_text(listed: ListedDifferences, rows: DifferenceRows, k: int, room: int = 0) -> str:
    """Return e.g. ``T → C``, ``+ CCCTTTTTTT…`` or ``− TAA`` in ``room`` characters or a few letters a side."""
    a0, a1, b0, b1 = (int(one[k]) for one in (rows.a0, rows.a1, rows.b0, rows.b1))
    signs = len(" → ……") if a1 > a0 and b1 > b0 else len("+ …")
    each = max(SHOWN_LETTERS, (room - signs) // (2 if a1 > a0 and b1 > b0 else 1))
    sides = (listed.a, a0, a1, each), (listed.b, b0, b1, each)
    before, after = (_shown(*side) for side in sides)
    if before == after:  # by signs that several characters share
        before, after = (_shown(*side, by_code=True) for side in sides)
    before, after = isolated(before), isolated(after)
    return f"{before} → {after}" if before and after else f"+ {after}" if after else f"− {before}"


def text_of(letters: Letters, characters: str) -> str:
    return "".join(glyph(code, characters) for code in letters.tolist())


def _shown(sequence: Sequence, start: int, end: int, most: int, *, by_code: bool = False) -> str:
    of_each = glyph_or_code if by_code else partial(glyph, differs=True)
    letters = sequence.letters[start : min(end, start + most)].tolist()
    return "".join(of_each(code, sequence.characters) for code in letters) + ("…" if end - start > most else "")
