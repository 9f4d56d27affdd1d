"""Format detection by the first bytes, and the context of a reading."""

from __future__ import annotations

import re
from typing import NamedTuple

from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet


class Reading(NamedTuple):
    """Source being read, and its format.

    Attributes:
        size: size of the source in bytes.
        fallback: name for a record without a name.
        alphabet: alphabet of the letters; None: guessed.
        counted: whether to count the letters of a text.
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


GZIP, BZIP2, XZ, ZSTD, ZIP = "gzip", "bzip2", "xz", "zstd", "zip"

LONGEST_MAGIC = 14
"""Bytes of a start of file or member that are enough for ``container`` and to know BGZF from gzip."""

_CONTAINERS = (
    (re.compile(rb"\x1f\x8b"), GZIP),
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), BZIP2),
    (re.compile(rb"\xfd7zXZ\0"), XZ),
    (re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), ZSTD),
    (re.compile(rb"PK(?:\x03\x04|\x05\x06)"), ZIP),
)

_BINARY: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (0, b"\xff\xd8\xff", "a JPEG picture"),
    (0, b"GIF8", "a GIF picture"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (8, b"WEBP", "a WebP picture"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"%!PS", "a PostScript document"),
    (0, b"{\\rtf", "an RTF document"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Microsoft Office document"),
    (0, b"BAM\1", "a BAM file of alignments"),
    (0, b"BAI\1", "an index of a BAM file"),
    (0, b"BCF\2", "a BCF file of variants"),
    (0, b"TBI\1", "a tabix index"),
    (0, b"CSI\1", "a CSI index"),
    (0, b"CRAM\2", "a CRAM file of alignments"),
    (0, b"CRAM\3", "a CRAM file of alignments"),
    (0, b"\x43\x27\x41\x1a", "a 2bit file of sequences"),
    (0, b"\x1a\x41\x27\x43", "a 2bit file of sequences"),
    (0, b"ABIF\0", "an ABI trace"),
    (0, b".scf\0", "an SCF trace"),
    (0, b".sff\0", "an SFF file of reads"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file (FAST5?)"),
    (0, b"SQLite format 3\0", "an SQLite database"),
    (0, b"PAR1\x15", "a Parquet file"),
    (0, b"\x7fELF", "an ELF program"),
    (0, b"\xcf\xfa\xed\xfe", "a macOS program"),
    (0, b"\xca\xfe\xba\xbe", "a macOS program or Java class"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x1f\x9d", "a file of the old compress program (.Z)"),
    (0, b"LZIP\1", "an lzip archive"),
    (0, b"\x04\x22\x4d\x18", "an lz4 archive"),
)

_OF_SEQUENCES: tuple[tuple[re.Pattern[bytes], str], ...] = (
    (re.compile(rb"(?:CLUSTAL|MUSCLE \()"), "Clustal format (an alignment)"),
    (re.compile(rb"#NEXUS", re.I), "Nexus format"),
    (re.compile(rb"# STOCKHOLM"), "Stockholm format (an alignment)"),
    (re.compile(rb">(?:[PF]1|D[LC]|R[LC]|N[13]|XX);"), "PIR/NBRF format"),
)
SEQUENCE_FORMATS = frozenset(name for _, name in _OF_SEQUENCES)
"""Names of formats whose sequences are not read here, and lie among numbers, names and blanks."""

GFF = "GFF or GTF, features without letters"
SAM = "SAM (alignments)"
TRACE = "a timeline of Wavediff"
ALIGNMENTS = (SAM, "MAF (an alignment)", "a BAM file of alignments", "Clustal format (an alignment)")
"""Formats that ``wavediff.core.reading.alignments`` reads."""

_TEXTUAL: tuple[tuple[re.Pattern[bytes], str], ...] = (
    *_OF_SEQUENCES,
    (re.compile(rb"##fileformat=VCF"), "VCF (variants)"),
    (re.compile(rb"#{9,}\n# Program: "), "a pairwise alignment as EMBOSS writes it"),
    (re.compile(rb'\{\s*"schema":\s*"wavediff/'), "JSON of Wavediff, results without the sequences"),
    (re.compile(rb'\{"displayTimeUnit": "ms", "otherData": \{"schema": "wavediff/'), TRACE),
    (re.compile(rb"number(?:_a)?\t(?:op|strand|a)\t"), "a table of Wavediff, results without the sequences"),
    (re.compile(rb"##gff-version"), GFF),
    (re.compile(rb"##maf"), "MAF (an alignment)"),
    (re.compile(rb"@(?:HD\tVN:|SQ\tSN:|SQ\t|RG\tID:|PG\tID:|CO\t)"), SAM),
    (re.compile(rb"[^\t\n>]+\t\d+\t[^\t\n]+\t\d+\t\d+\t[^\t\n]+\t[^\t\n]+\t\d+\t-?\d+\t"), SAM),
    (re.compile(rb"(?:#[^\n]*\n)*[^\t\n>#]+\t[^\t\n]*\t[^\t\n]+\t\d+\t\d+\t[^\t\n]+\t[-+.?]\t[.012]\t"), GFF),
    (re.compile(rb"<(?:!doctype html|html)", re.I), "an HTML page"),
    (re.compile(rb"<\?xml"), "an XML document"),
)


LEAST_WORDS = 3  # of a line that is no line of a sequence
_NO_NUCLEOTIDE = re.compile(rb"[efijlopqxz]")
_RESIDUES = re.compile(rb"[A-Za-z.*-]+")


def container(head: bytes) -> str | None:
    """Return the container format of ``head`` (one of the constants above), or None."""
    return next((name for magic, name in _CONTAINERS if magic.match(head)), None)


def foreign(head: bytes) -> str | None:
    """Return the name of an unsupported format by its first bytes, or None."""
    for offset, magic, name in _BINARY:
        if head.startswith(magic, offset):
            return name
    if head.startswith(b"MZ") and b"\0" in head[:512]:
        return "a Windows program"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:4096].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return next((name for pattern, name in _TEXTUAL if pattern.match(start)), None)


def is_fastq(head: bytes) -> bool:
    """Return whether text is FASTQ, even if damaged, rather than other text.

    Text with ``@`` is FASTQ if it has less than three lines, one of the next three starts with ``+`` (perhaps
    indented), or the second has only letters (wrapped lines); the reader then reports damage of a FASTQ file. Text
    without ``@`` is FASTQ if its other three lines fit a record.
    """
    lines = [line.strip() for line in head.lstrip().split(b"\n", 4)[:4]]
    if lines[0].startswith(b"@"):
        return (
            len(lines) < 3
            or any(line.startswith(b"+") for line in lines[1:])
            or _RESIDUES.fullmatch(lines[1]) is not None
        )
    if len(lines) < 4 or lines[0].startswith(b">"):
        return False
    return lines[2] == b"+" and len(lines[1]) == len(lines[3]) and _RESIDUES.fullmatch(lines[1]) is not None


def is_prose(head: bytes) -> bool:
    """Return whether most lines are prose (mail, Markdown), even if lines begin with ``>``.

    Prose has three or more words separated by blanks, not all of one length like blocks of letters, with lower-case
    letters that are not nucleotides. Lines that begin with ``>``, ``;`` or ``#`` are ignored.
    """
    lines = [line for line in head.split(b"\n") if line.strip() and not line.lstrip().startswith((b">", b";", b"#"))]
    return 2 * sum(_has_words(line) for line in lines) > len(lines)


def _has_words(line: bytes) -> bool:
    lengths = [len(word) for word in line.split()]
    return len(lengths) >= LEAST_WORDS and len({*lengths[:-1]}) > 1 and _NO_NUCLEOTIDE.search(line) is not None
