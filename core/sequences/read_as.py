"""As what a file can be read; apart from the reader, so that the command line can name them without loading it."""

from __future__ import annotations

from enum import StrEnum

from core.base.translate import tr_noop


class ReadAs(StrEnum):
    """Way in which the bytes of a file become letters; the rules are in ``core.reading``."""

    AUTO = "auto"
    FASTA = "fasta"
    FASTQ = "fastq"
    TEXT = "text"
    BYTES = "bytes"

    @property
    def label(self) -> str:
        """For a menu, said with ``tr``."""
        return _TITLES[self]


_TITLES = {
    ReadAs.AUTO: tr_noop("Auto"),
    ReadAs.FASTA: "FASTA",
    ReadAs.FASTQ: "FASTQ",
    ReadAs.TEXT: tr_noop("Plain text"),
    ReadAs.BYTES: tr_noop("Bytes"),
}
