"""Read sequences: FASTA, FASTQ, GenBank, EMBL, UniProt, SnapGene, raw sequences and plain text, compressed or not.

The content decides, never the file's name. What the rules leave open is decided here:

**Files.** Only regular files are opened; a file that changes while it is read is refused. A file, or what is
compressed in it, larger than the memory that is free is refused with both numbers. A record of 2^31 letters
or more is refused.

**Compression.** gzip (also many members, BGZF), bzip2, xz, zstd, and a zip with one file. Checksums are verified;
damaged or cut-off data are refused whole; a BGZF file that lacks only its end mark is read and reported, and so is what
unpacks to over 256 MB and a hundred times the size of the file. Zero bytes after the data, and
bytes that are no such data, are ignored and reported; but when a start of a member is buried in these bytes the
file is damaged. A container inside a container is opened, three deep, and reported.

**Read as** (``wavediff.core.sequences.read_as.ReadAs``): what follows is for *auto*. FASTA and FASTQ can be demanded,
then a file of another format is refused for what it lacks. *Plain text* is what a text is by the rules below, whatever
its lines begin with, and may be empty. *Bytes* takes the file as it is, compressed or not: all 256 values, all line
ends; it may be empty too. A refusal shows which of these would take the file.

**Text.** CR, LF and CRLF end a line. UTF-16 and UTF-32 are decoded and reported; UTF-8 byte-order marks at the start of
a line or before ``>`` are skipped and reported. A zero byte is refused.

**Prose**, a text most of whose lines are of words (``wavediff.core.reading.formats.is_prose``), is plain text, also
where lines begin with ``>``: mail and Markdown with quotations.

**FASTA** is what else starts with ``>`` (white space apart). The header is the line up to its end; its first word is
the name, the rest the description, as UTF-8 with undecodable bytes shown as ``\\xff``. Lines before the first ``>``
that start with ``#`` or ``;`` are ignored and told; other text there is refused. All ASCII white space in a sequence
is dropped and counted, and so are ``-`` and ``.``, the gaps of an alignment. Letters and ``*`` are kept as they are,
lower case too; anything else is refused with line, column and code point. A ``>`` inside a line starts a record, with
a notice: it is no letter, and two files joined without a line end are its usual cause. A record without letters loads
with a notice; a file without any letter is refused.

**FASTQ** is what starts with ``@`` and has a ``+`` before one of the next three lines (or looks like it otherwise);
letters and qualities may go over several lines. Gap characters are letters: each has a quality. Qualities are checked
(as many as letters, ``!`` to ``~``); stretches below Q20 become ``Spans``, which are shown and not compared.

**GenBank, EMBL and UniProt** are what starts with ``LOCUS`` or ``ID``; letters become capitals, and their numbers are
checked. A record is called by its version, else its accession, and ends with ``//``; without that the file is
refused as cut off, unless it has as many letters as its header names. **SnapGene** is known by its first packet.
Biopython reads features, which become ``Spans``. A notice reports those left out, which cannot be read, lie in another
record or have no letter, and of those cut off behind the last letter; on a circle they go on with the first one.

**GFF3, GTF and BED** next to a FASTA file, under the same name, give features to its records. A line that does not fit
is left out and told, but the first one: then nothing is read of the file, which is told too, or refused where the file
was named.

**Numbered lines** as below ORIGIN in GenBank: one record, the letters alone. Each number is checked. They
may begin at any line of the block, and a header line of FASTA may be before them.

**No ``>`` line**: one record. It is a *raw sequence*, its white space and gaps dropped, when it is DNA or RNA by the
rule below, or at least 20 capitals that are amino acids (97 % of them of the standard 20). Otherwise it is *plain
text*: each character is a letter, line ends become LF, and one line end at the very end is no part of it. Characters
are code points of UTF-8 (``wavediff.core.sequences.characters``), as many different ones as there are; each byte is a
letter where the text is no UTF-8. Either way there is a notice. A file without a byte is an empty text.

**Alphabet**, gaps and stops apart: DNA when all letters are IUPAC nucleotide codes and, N apart, at least half of them
(9 in 10, where there is no ``>`` line and under 20 letters) are A C G T U, either case (so too where there are none);
RNA when it has U and no T; else protein, or text where there is no ``>`` line.

Other formats (pictures, documents, archives, BAM, 2bit, VCF, SAM ...) are refused by name.
"""

from __future__ import annotations

import os

from wavediff.core.jobs.event_streams import run_to_end
from wavediff.core.jobs.read import PASTED, ReadJob
from wavediff.core.reading.load import Load
from wavediff.core.reading.run import run as _run
from wavediff.core.reading.run import run_text
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

__all__ = ["Load", "parse", "read"]


def read(path: str | os.PathLike[str], read_as: ReadAs = ReadAs.AUTO, alphabet: Alphabet | None = None) -> Load:
    """Read the file at ``path``; ``wavediff.core.reading.run.run`` reads in chunks.

    Args:
        alphabet: what the letters are, regardless of their form; None = guessed.

    Raises:
        InputError: it cannot be used; the message names file, record, line and column where known.
        NotEnoughMemory: it is larger than the memory that is free.
    """
    return run_to_end(_run(ReadJob(path=path, read_as=read_as, alphabet=alphabet)))


def parse(
    text: bytes | str, source: str = PASTED, read_as: ReadAs = ReadAs.AUTO, alphabet: Alphabet | None = None
) -> Load:
    """Parse text in memory (e.g. the clipboard) by the same rules as a file.

    Raises:
        InputError, NotEnoughMemory: as ``read``; ``source`` stands where the file's name would be.
    """
    load = None
    for load in run_text(text, source, read_as, alphabet):  # noqa: B007 (the last one is the result)
        pass
    assert load is not None
    return load
