"""Targets of ``Go to``: ``12,345``, ``A:5000``, ``chr1:10k-20k``, ``50%``, ``#123``, ``S`` or ``S:N501Y``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.core.base.errors import printable
from wavediff.core.base.numbers import MAX_CHARACTERS, RANGE_SIGN, number, plain_number, position
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.features.effects import features_of
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import CODING, Spans

TRY = "5000, A:5000, 50% or #12"
MAX_QUOTED_CHARACTERS = 12  # of what was typed, in a message that a narrow window shows whole
HELP = "12,345 column · A:5000 letter of A · chr1:10k-20k range of a record · 50% · #123 difference · S:501 codon of S"
_CODONS = re.compile(r"[^\W\d]?\*?([1-9]\d{,8})(?:[-–](\d{1,9}))?(?!\d)\S*")  # 501, N501Y, 69-70del


class PlaceError(ValueError):
    """The text names no place of this alignment; the message is one line."""


@dataclass(frozen=True, slots=True)
class Place:
    """Columns ``[col0, col1)``, 0-based; ``col1`` is None for a single place."""

    col0: int
    col1: int | None = None


@dataclass(frozen=True, slots=True)
class _Axis:
    """Axis of a position with its error messages; ``step``: columns between positions, -1 on the minus strand."""

    total: int
    column: Callable[[int], int]
    none: str
    missing: str
    step: int = 1


def parse_place(text: str, model: AlignmentModel, kinds: Kinds = Kinds.COUNTED) -> Place:
    """Parse a place; typed positions count from 1.

    Args:
        text: see ``HELP``; digits may be grouped as in the locale, ``10k`` and ``2.5M`` are valid. ``A``, ``B`` or the
            name of a record may precede, with a colon.
        kinds: of the differences counted by ``#123``.

    Raises:
        PlaceError: invalid text, or position out of range.
    """
    try:
        return _numbered(text.strip(), model, kinds)
    except PlaceError:
        if (feature := _feature(text.strip(), model)) is None:
            raise
        return feature


def _numbered(text: str, model: AlignmentModel, kinds: Kinds) -> Place:
    index = model.index
    if text.endswith("%"):
        return Place(_percent(text[:-1], index.n_columns))
    if text.startswith("#"):
        axis = _Axis(
            model.steps.n_differences(kinds),
            lambda number: model.steps.difference(number, kinds).col0,
            "there is no difference",
            "there is no difference",
        )
        return Place(_counted(text[1:], axis))
    name, colon, rest = text.rpartition(":")
    axis = _axis(name.strip(), model) if colon else _columns(model)
    first, *last = RANGE_SIGN.split(rest, maxsplit=1)
    if not last or not first.strip():
        return Place(_counted(rest, axis))
    col0, col1 = _counted(first, axis), _counted(last[0], axis)
    if (col1 - col0) * axis.step < 0:
        if _number_of(last[0]) > _number_of(first):
            raise PlaceError("B begins inside this range: its letters are at both ends of the alignment")
        raise PlaceError("the range ends before it begins")
    return Place(min(col0, col1), max(col0, col1) + 1)


def _feature(text: str, model: AlignmentModel) -> Place | None:
    """Return the first letter of a feature, or the columns of its codons, or None; coding features first, then those of
    A."""
    name, _, typed = text.rpartition(":")
    tried = [(text, None), (name.strip(), _CODONS.fullmatch(typed.strip()))]
    for sequence, column in ((model.a, model.index.column_of_a), (model.b, model.index.column_of_b)):
        if (spans := features_of(sequence)) is None:
            continue
        for called, codons in tried[: 1 + (tried[1][1] is not None)]:
            named = [k for k, one in enumerate(spans.names) if one.casefold() == called.casefold()]
            if named:
                k = min(named, key=lambda one: spans.types[one] != CODING)
                columns = sorted(map(column, _letters(spans, k, codons)))
                return Place(columns[0], columns[-1] + 1 if codons else None)
    return None


def _letters(spans: Spans, k: int, codons: re.Match[str] | None) -> list[int]:
    """Return the first letter of feature ``k``, or the first and last of its codons."""
    feature, places = spans.feature(k), spans.offsets[spans.parts(k)][:1]
    if codons is not None:
        first, last = int(codons[1]), int(codons[2] or codons[1])
        places = feature.codon_start - 1 + np.array((3 * first - 3, 3 * last - 1))
    letters: list[int] = spans.read(k, places)[0].tolist()
    if codons is not None and (feature.type != CODING or min(letters) < 0):
        missing = number(first if letters[0] < 0 else last)
        raise PlaceError(f"{printable(feature.name, MAX_QUOTED_CHARACTERS)} has no codon {missing}")
    return letters


def _columns(model: AlignmentModel) -> _Axis:
    return _Axis(model.n_columns, lambda column: column, "there is no column", "there is no column")


def _axis(name: str, model: AlignmentModel) -> _Axis:
    """Return the axis of the sequence ``name``: A, B, a record name, or its first word."""
    index, wanted = model.index, name.casefold()
    sides = (
        ("a", model.a, index.n_a, index.column_of_a, "A has no letter"),
        ("b", model.b, index.n_b, index.column_of_b, "B has no letter"),
    )
    calls: tuple[Callable[[str, str], str], ...] = (
        lambda side, _name: side,
        lambda _side, name: name.casefold(),
        lambda _side, name: (name.casefold().split() or [""])[0],
    )
    for called in calls:
        for side, sequence, total, column, missing in sides:
            if wanted == called(side, sequence.name):
                none = f"{side.upper()} has no letters"
                step = -1 if sequence.orientation.strand is Strand.MINUS else 1
                return _Axis(total, partial(_column_of, sequence, column), none, missing, step)
    raise PlaceError(f"“{printable(name, MAX_QUOTED_CHARACTERS)}” is not A, B or one of their names")


def _column_of(sequence: Sequence, column: Callable[[int], int], place: int) -> int:
    return column(sequence.index(place))


def _percent(text: str, n_columns: int) -> int:
    try:
        share = float(plain_number(text.strip()))
    except ValueError:
        raise _no_number(text) from None
    if not 0 <= share <= 100:
        raise PlaceError("a percentage lies between 0 and 100")
    return min(n_columns - 1, int(n_columns * share / 100))


def _counted(text: str, axis: _Axis) -> int:
    place = _number_of(text)
    if not axis.total:
        raise PlaceError(axis.none)
    if not 1 <= place <= axis.total:
        raise PlaceError(f"{axis.missing} {number(place)}, only 1 to {number(axis.total)}")
    return axis.column(place - 1)


def _number_of(text: str) -> int:
    try:
        return position(text)
    except ValueError:
        raise _no_number(text) from None


def _no_number(text: str) -> PlaceError:
    typed = text.strip()
    if len(typed) > MAX_CHARACTERS and typed.isdecimal():
        return PlaceError(f"{typed[:MAX_QUOTED_CHARACTERS]}… is beyond the end: try {TRY}")
    return PlaceError(
        f"“{printable(typed, MAX_QUOTED_CHARACTERS)}” is not a number: try {TRY}" if typed else f"try {TRY}"
    )
