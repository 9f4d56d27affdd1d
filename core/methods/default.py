"""Default method for a pair, and reasons why a method cannot compare a pair."""

from __future__ import annotations

from wavediff.core.base.errors import InputError
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import LETTER, Method
from wavediff.core.methods.lines import BINARY, LINES
from wavediff.core.sequences.sequence import Alphabet, Sequence


def default_method(a: Sequence, b: Sequence, *, single_lines: bool = False) -> Method:
    """Return lines for two texts if one has several lines (or if ``single_lines``), else the first method."""
    several = single_lines or any(sequence.counts[ord("\n")] for sequence in (a, b))
    return LINES if several and are_texts(a, b) else METHODS[0]


def are_texts(*pair: Sequence) -> bool:
    """Return whether the pair can be compared by lines and words."""
    return all(sequence.alphabet is Alphabet.TEXT and sequence.format != "bytes" for sequence in pair)


def refused(*pair: Sequence) -> InputError | None:
    """Return the error for a text paired with a sequence, else None."""
    return None if are_texts(*pair) else next((one.refusal for one in pair if one.refusal), None)


def obstacle(method: Method, *pair: Sequence) -> str:
    """Return why ``method`` cannot compare ``pair``, or an empty string."""
    if method.unit == LETTER or are_texts(*pair):
        return ""
    kinds = sorted({str(sequence.alphabet) for sequence in pair} - {str(Alphabet.TEXT)})
    return f"{method.name} are for texts, and this is {' and '.join(kinds)}" if kinds else BINARY
