"""As what a file can be read; apart from the reader, so that the command line can name them without loading it."""

from __future__ import annotations

from enum import StrEnum


class ReadAs(StrEnum):
    """Way in which the bytes of a file become letters; the rules are in ``wavediff.core.reading``."""

    AUTO = "auto"
    FASTA = "fasta"
    FASTQ = "fastq"
    TEXT = "text"
    BYTES = "bytes"

    @property
    def label(self) -> str:
        """The text of a menu entry."""
        return _TITLES[self]


_TITLES = {
    ReadAs.AUTO: "Auto",
    ReadAs.FASTA: "FASTA",
    ReadAs.FASTQ: "FASTQ",
    ReadAs.TEXT: "Plain text",
    ReadAs.BYTES: "Bytes",
}
