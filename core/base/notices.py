"""Notices about reading a sequence or about a pair."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class NoticeKind(StrEnum):
    """Kinds of notices by their names in JSON; hints and buttons depend on them."""

    UNPACKED = "unpacked"
    DAMAGED = "damaged"  # compressed data with bytes behind their end, or without an end mark
    DECODED = "decoded"  # by an encoding, or line ends and byte-order marks
    NOT_UTF8 = "not_utf8"  # so that each byte is a letter
    BYTES = "bytes"  # each is a letter, for another reason
    FORMAT = "format"  # as what the file was read
    DROPPED = "dropped"
    KEPT = "kept"  # signs that are letters here
    CASE = "case"
    HEADERS = "headers"
    FEATURES = "features"  # left out or cut off, or where they were found
    EMPTY = "empty"
    T_AND_U = "t_and_u"
    U_IS_T = "u_is_t"
    NORMALIZED = "normalized"
    OTHER_FORM = "other_form"
    # Of a pair:
    ALPHABETS = "alphabets"  # nucleotides next to a protein or a text
    CHANCE = "chance"
    NOT_JUDGED = "not_judged"
    UNRELATED = "unrelated"
    OTHER_STRAND = "other_strand"
    ORIGIN_MOVED = "origin_moved"
    INVERTED_PART = "inverted_part"
    MOVED_PARTS = "moved_parts"
    OVERLAP = "overlap"
    CONTAINED = "contained"


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice.

    Attributes:
        kind: kind of the notice, for programs. text: the notice as a sentence, without a full stop.
    """

    kind: NoticeKind
    text: str

    def __str__(self) -> str:
        return self.text
