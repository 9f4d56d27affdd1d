"""Targets of ``Go to``: ``12,345``, ``A:5000``, ``B:77``, ``50%`` or ``#123``."""

from __future__ import annotations

import re

from core.errors import printable
from core.jobs.alignment_index import AlignmentIndex
from core.jobs.difference_index import Kinds

MAX_CHARACTERS = 24  # characters of a number: far more than any place needs
HELP = "12,345 column · A:5000 letter of A · B:77 letter of B · 50% · #123 difference"
_NUMBER = re.compile(r"(\d[\d,_ ]*|\d*\.\d+|\d+\.\d*)([kKmM]?)")
_FACTOR = {"": 1, "k": 1000, "m": 1000000}


class PlaceError(ValueError):
    """The text names no place of this alignment; ``str()`` says why in one line."""


def parse_place(text: str, index: AlignmentIndex, kinds: Kinds = Kinds.ANY) -> int:
    """Return the 0-based column that ``text`` names; what a person writes counts from 1.

    Args:
        text: see ``HELP``; thousands may be grouped by commas, ``10k`` and ``2.5M`` are understood.
        kinds: which differences ``#123`` counts.

    Raises:
        PlaceError: not understood, or outside.
    """
    text = text.strip()
    if not index.n_columns:
        raise PlaceError("the alignment is empty")
    if text.endswith("%"):
        return _percent(text[:-1], index.n_columns)
    if text.startswith("#"):
        total = index.n_differences(kinds)
        number = _counted(text[1:], total, "difference")
        return index.difference(number, kinds).col0
    name, colon, rest = text.rpartition(":")
    if not colon:
        return _counted(text, index.n_columns, "column")
    match name.strip().upper():
        case "A":
            return index.column_of_a(_counted(rest, index.n_a, "letter of A"))
        case "B":
            return index.column_of_b(_counted(rest, index.n_b, "letter of B"))
    raise PlaceError(f"'{printable(name.strip(), MAX_CHARACTERS)}' is neither A nor B; write {HELP}")


def _percent(text: str, n_columns: int) -> int:
    try:
        share = float(text.strip())
    except ValueError:
        raise _no_number(text) from None
    if not 0 <= share <= 100:
        raise PlaceError("a percentage lies between 0 and 100")
    return min(n_columns - 1, int(n_columns * share / 100))


def _counted(text: str, total: int, what: str) -> int:
    """Return a 1-based number as a 0-based one, checked against ``total``."""
    found = _NUMBER.fullmatch(text.strip()) if len(text) <= MAX_CHARACTERS else None
    if found is None:
        raise _no_number(text)
    digits, suffix = found.group(1), found.group(2).lower()
    digits = re.sub(r"[,_ ]", "", digits)
    number = round(float(digits) * _FACTOR[suffix]) if "." in digits else int(digits) * _FACTOR[suffix]
    if not total:
        raise PlaceError(f"there is no {what}")
    if not 1 <= number <= total:
        raise PlaceError(f"there is no {what} {number:,}: they go from 1 to {total:,}")
    return number - 1


def _no_number(text: str) -> PlaceError:
    return PlaceError(f"'{printable(text.strip(), MAX_CHARACTERS)}' is no number; write {HELP}")
