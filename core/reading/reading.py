"""Source that is read, and what is known of it before its first byte."""

from __future__ import annotations

from typing import NamedTuple

from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet


class Reading(NamedTuple):
    """Source that is read, and the format it is read as.

    Attributes:
        size: bytes there are.
        fallback: name of a record that has none.
        alphabet: what the letters are; None = guessed.
        counted: whether the letters of a text are counted.
        encoding, or_text: as in ``wavediff.core.jobs.read.ReadJob``.
    """

    source: str
    size: int
    fallback: str
    read_as: ReadAs = ReadAs.AUTO
    alphabet: Alphabet | None = None
    counted: bool = True
    encoding: str = ""
    or_text: bool = False
