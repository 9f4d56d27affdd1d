"""Read sequences: FASTA, FASTQ, GenBank, EMBL, UniProt, SnapGene, raw sequences and plain text, compressed or not.

The content decides, never the file's name. Rules for ambiguous cases:

**Files.** Only regular files are opened; a file that changes while it is read is refused. A file, or its decompressed
content, larger than free memory is refused with both numbers. A record of 2^31 letters or more is refused.

**Compression.** gzip (also with several members, BGZF), bzip2, xz, zstd, and a zip with one file. Checksums are
verified; damaged or truncated data are refused as a whole. A BGZF file that lacks only its end mark is read and
reported, and so is a file that unpacks to over 256 MB and a hundred times its size. Zero bytes after the data, and
other trailing bytes, are ignored and reported; but if they contain the start of a member, the file is damaged. Nested
containers are opened up to three deep, and reported.

**Read as** (``ReadAs``): the following rules are for *auto*. The user can require FASTA
or FASTQ; a file of another format is then refused with the reason. *Plain text* is text by the rules below, with any
line starts, and may be empty. *Bytes* is the file as stored, compressed or not: all 256 values and line ends; it may be
empty too. A refusal lists the choices that would accept the file.

**Text.** CR, LF and CRLF end a line. UTF-16 and UTF-32 are decoded and reported; UTF-8 byte-order marks at the start of
a line or before ``>`` are skipped and reported. A zero byte is refused.

**Prose**, a text with mostly lines of words (``wavediff.core.reading.formats.is_prose``), is plain text, even if lines
begin with ``>``: mail and Markdown with quotations.

**FASTA** is any other content that starts with ``>`` (white space ignored). The header is the line up to its end; its
first word is the name, the other words the description, as UTF-8 with undecodable bytes shown as ``\\xff``. Lines
before the first ``>`` that start with ``#`` or ``;`` are ignored and reported; other text there is refused. All ASCII
white space in a sequence is dropped and counted, and so are ``-`` and ``.``, the gaps of an alignment. Letters and
``*`` are kept, including lower case; anything else is refused with line, column and code point. A ``>`` inside a line
starts a record, with a notice: it is not a letter, and usually comes from two files joined without a line end. A record
without letters loads with a notice; a file without any letter is refused.

**FASTQ** starts with ``@`` and has a ``+`` before one of the next three lines (or looks like FASTQ otherwise); letters
and qualities may be wrapped. Gap characters are letters: each has a quality. Qualities are checked (as many as letters,
``!`` to ``~``); ranges below Q20 become ``Spans``, which are shown and not compared.

**GenBank, EMBL and UniProt** start with ``LOCUS`` or ``ID``; letters become capitals, and their numbers are checked.
The name of a record is its version, else its accession. It ends with ``//``; without that the file is refused as
truncated, unless it has as many letters as its header states. **SnapGene** is recognised by its first packet. Biopython
reads features, which become ``Spans``. A notice reports features that are unreadable, in another record, without
letters, or truncated after the last letter; on a circle these continue with the first letter.

**GFF3, GTF and BED** next to a FASTA file, under the same name, give features to its records. An invalid line is
skipped and reported; if it is the first, the file is ignored and reported, or refused if the user named it.

**Numbered lines** as below ORIGIN in GenBank: one record of the letters only. Each number is checked. They may begin at
any line of the block, and after a FASTA header.

**No ``>`` line**: one record. It is a *raw sequence*, without white space and gaps, if it is DNA or RNA by the rule
below, or at least 20 capitals that are amino acids (97 % of them standard). Otherwise it is *plain text*: each
character is a letter, line ends become LF, and a final line end is dropped. Characters are code points of UTF-8
(``wavediff.core.sequences.characters``), any number of different ones; if the text is not UTF-8, each byte is a letter.
Both cases give a notice. An empty file is an empty text.

**Alphabet**, without gaps and stops: DNA if all letters are IUPAC nucleotide codes and, N excluded, at least half of
them (9 in 10 for under 20 letters without a ``>`` line) are A C G T U, in any case (also without any letters); RNA if
it has U and no T; else protein, or text without a ``>`` line.

Other formats (pictures, documents, archives, BAM, 2bit, VCF, SAM ...) are refused by name.
"""

from __future__ import annotations

import os

from wavediff.core.jobs.events import run_to_end
from wavediff.core.jobs.read import PASTED, ReadJob
from wavediff.core.reading.load import Load
from wavediff.core.reading.run import run as _run
from wavediff.core.reading.run import run_text
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

__all__ = ["Load", "parse", "read"]


def read(path: str | os.PathLike[str], read_as: ReadAs = ReadAs.AUTO, alphabet: Alphabet | None = None) -> Load:
    """Read the file at ``path`` in one call; ``wavediff.core.reading.run.run`` yields after each chunk.

    Args:
        alphabet: alphabet of the letters; None: guessed.

    Raises:
        InputError: invalid; the message names file, record, line and column if known.
        NotEnoughMemory: larger than free memory.
    """
    return run_to_end(_run(ReadJob(path=path, read_as=read_as, alphabet=alphabet)))


def parse(
    text: bytes | str, source: str = PASTED, read_as: ReadAs = ReadAs.AUTO, alphabet: Alphabet | None = None
) -> Load:
    """Parse text in memory (e.g. the clipboard) by the same rules as a file.

    Raises:
        InputError, NotEnoughMemory: as ``read``, with ``source`` as the file name.
    """
    return run_to_end(run_text(text, source, read_as, alphabet))
