"""Input formats, separate from the readers so that the command line can name them."""

from __future__ import annotations

from enum import StrEnum


class ReadAs(StrEnum):
    """Input format; the rules are in ``wavediff.core.reading``."""

    label: str  # of a menu entry

    AUTO = "auto", "Auto"
    FASTA = "fasta", "FASTA"
    FASTQ = "fastq", "FASTQ"
    TEXT = "text", "Plain text"
    BYTES = "bytes", "Bytes"

    def __new__(cls, value: str, label: str = "") -> ReadAs:
        member = str.__new__(cls, value)
        member._value_, member.label = value, label
        return member
