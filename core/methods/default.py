"""The method by which a pair is compared where none was chosen, and those by which it cannot be."""

from __future__ import annotations

from wavediff.core.base.errors import InputError
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import LETTER, Method
from wavediff.core.methods.lines import BINARY, LINES
from wavediff.core.sequences.sequence import Alphabet, Sequence


def default_method(a: Sequence, b: Sequence, *, single_lines: bool = False) -> Method:
    """Return lines for two texts of which one has several, or with ``single_lines`` for all texts; else the first
    method."""
    several = single_lines or any(sequence.counts[ord("\n")] for sequence in (a, b))
    return LINES if several and are_texts(a, b) else METHODS[0]


def are_texts(*pair: Sequence) -> bool:
    """Return whether the parts of a pair can be compared by lines and words."""
    return all(sequence.alphabet is Alphabet.TEXT and sequence.format != "bytes" for sequence in pair)


def refused(*pair: Sequence) -> InputError | None:
    """Return why a pair is not compared as it was read: texts in place of sequences are compared with texts alone."""
    return None if are_texts(*pair) else next((one.refusal for one in pair if one.refusal), None)


def obstacle(method: Method, *pair: Sequence) -> str:
    """Return why ``pair`` cannot be compared by ``method``, in a sentence; empty where it can be."""
    if method.unit == LETTER or are_texts(*pair):
        return ""
    kinds = sorted({str(sequence.alphabet) for sequence in pair} - {str(Alphabet.TEXT)})
    return f"{method.name} are for texts, and this is {' and '.join(kinds)}" if kinds else BINARY
