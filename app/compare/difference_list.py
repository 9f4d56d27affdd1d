"""Rows of the list of differences: their texts, and what is said of all of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from wavediff.app.compare.alignment_model import KIND_NAMES, gap_text, kind_text
from wavediff.app.compare.differences_order import EFFECT, IN_A, IN_B, KIND, LENGTH, NUMBER, Listing, arranged
from wavediff.app.ui.number_text import as_wide_as
from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import count, number
from wavediff.core.export.hunks import ListedHunks
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.difference_rows import DifferenceRows, rows_of
from wavediff.core.sequences.ambiguity import common_rule, has_codes, missing_letter
from wavediff.core.sequences.letter_text import glyph, glyph_or_code, isolated
from wavediff.core.sequences.sequence import Sequence

SHOWN_EFFECT, USUAL_EFFECT = 200, "ORF1ab:3675-3677del"  # characters
SHOWN_LETTERS = 10  # of each side of a change, at least
CONTEXT_LETTERS = 12  # on each side of a change, in its tip
Listed = ListedDifferences | ListedHunks


class DifferenceList:
    """A row is one difference; its number is the one that the stepper says. Base of another kind of rows.

    ``listed`` is a ``Listed`` of this kind, ``rows`` what ``read`` returned.

    Attributes:
        columns: headings. words: one row, and several. tip: of the least length.
    """

    columns: tuple[str, ...] = ("#", "Kind", "A", "B", "Length", "Change", "Effect")
    words = "difference", "differences"
    tip = "Only differences of at least so many letters"

    def read(self, listed: Any, numbers: Counts) -> Any:
        """Return the rows of these numbers, from 0."""
        return rows_of(listed.index, numbers, listed.kinds)

    def op(self, rows: Any, k: int) -> int | tuple[int, ...]:
        """Return the signs of row ``k``."""
        return int(rows.op[k])

    def texts(self, listed: Any, rows: Any, k: int, room: int = 0) -> tuple[str, ...]:
        """Return what the columns of row ``k`` say; ``room``: characters that the change has."""
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
        """Return the letters of both sides with some of their neighbours, the change in brackets."""
        lines = []
        for name, sequence, start, end in (
            ("A", listed.a, int(rows.a0[k]), int(rows.a1[k])),
            ("B", listed.b, int(rows.b0[k]), int(rows.b1[k])),
        ):
            before = text_of(sequence.letters[max(0, start - CONTEXT_LETTERS) : start], sequence.characters)
            after = text_of(sequence.letters[end : end + CONTEXT_LETTERS], sequence.characters)
            shown = _shown(sequence, start, end, 4 * SHOWN_LETTERS) or "–"
            lines.append(f"{name}  {isolated(before)}[{isolated(shown)}]{isolated(after)}")
        return "\n".join(lines)

    def sentence(self, listed: Any, rows: Any, k: int) -> str:
        """Return a row for a screen reader."""
        which, kind, a, b, _, change, effect = self.texts(listed, rows, k)
        length = count(int(rows.columns[k]), "letter", "letters")
        told = (f"difference {which}: {kind}", length, f"A {a}", f"B {b}", change, effect)
        return ", ".join(filter(None, told))

    def arranged(self, listed: Any, asked: Listing, cancel: CancelToken | None = None) -> Any:
        """Return ``listed`` in the order that is asked for, the short ones left out."""
        return replace(listed, order=self.order(listed, asked.column, asked.descending, asked.least, cancel))

    def order(self, listed: Any, column: int, descending: bool, least: int, cancel: CancelToken | None) -> Any:
        """Return the numbers of what is listed, see ``differences_order.arranged``."""
        return arranged(listed, column, descending, least, cancel)

    def shown(self, listed: Any) -> str:
        """Return how many are listed, and of how many where that is not all."""
        shown, total = len(listed), listed.index.n_differences(listed.kinds)
        if shown < total:
            return f"{number(shown)} of {number(total)} differences"
        apart = listed.index.n_differences(listed.kinds & Kinds.APART)
        counted = count(total - apart, *self.words)
        effects = "" if listed.effects is None else f" · {listed.effects.sentence}"
        return (f"{counted}, {number(apart)} unknown" if apart else counted) + effects

    def none(self, listed: Any) -> str:
        """Return why there is nothing to list, of whatever kind; empty where there is."""
        if listed.index.n_differences():
            return ""
        whole = listed.index.aligned_columns == (0, listed.index.n_columns)
        return "No differences: A and B are the same." if whole else "No differences in the part that is aligned."

    def longest(self, listed: Any) -> int:
        """Return a length that none exceeds."""
        return int(listed.index.n_columns)

    def widest(self, listed: Any) -> dict[int, list[str]]:
        """Return texts of the columns as wide as any; the change has the rest."""
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
    """Return the first letter's place in its file, or after which letter a gap lies; 1-based."""
    return number(sequence.place(int(start)) + 1) if end > start else gap_text(sequence, int(start))


def effect_text(listed: ListedDifferences, rows: DifferenceRows, k: int) -> str:
    if listed.effects is None:
        return ""
    return printable(listed.effects.text(*(int(one[k]) for one in (rows.a0, rows.a1, rows.b0, rows.b1))), SHOWN_EFFECT)


def change_text(listed: ListedDifferences, rows: DifferenceRows, k: int, room: int = 0) -> str:
    """Return e.g. ``T → C``, ``+ CCCTTTTTTT…`` or ``− TAA``, in ``room`` characters or a few letters a side."""
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
