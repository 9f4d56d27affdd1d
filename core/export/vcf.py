"""The differences of two DNA sequences as VCF 4.3: A is the reference, B the one sample, which is haploid.

The VCF specification, version 4.3 (Global Alliance for Genomics and Health). Tan, Abecasis and Kang (2015), Unified
representation of genetic variants, Bioinformatics 31(13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import ExportError, printable
from wavediff.core.export import record_names
from wavediff.core.export.changes import Change, changes
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.segments import in_file_order
from wavediff.core.sequences.sequence import Alphabet, Sequence
from wavediff.core.system.version import VERSION

_CHUNK_LETTERS = 1 << 16  # of an allele in a piece
_CHUNK_LINES = 1 << 13  # some ms of work
_BASES, _CODES = b"ACGT", b"NRYSWKMBDHVU"
# How each letter is written: all but the bases as N. Neither the specification nor its readers have codes such as R.
_ALLELE = bytes(code if code in _BASES else ord("N") for code in bytes(range(256)).upper())
_ALLELES = np.frombuffer(_ALLELE, np.uint8)
_REST = b"\t.\t.\t.\tGT\t1\n"  # of a record, behind its alleles


def check(a: Sequence, b: Sequence) -> None:
    """Refuse a pair that VCF cannot hold, before anything is computed for it.

    Raises:
        ExportError: one is no DNA, has a letter that is no nucleotide code, or one alone has no letters at all.
    """
    for one in (a, b):
        name = printable(one.name, 60)
        if not len(one) and len(a) + len(b):
            raise ExportError(f"{name}: VCF cannot hold a sequence of no letters; the table of differences can")
        if one.alphabet is not Alphabet.DNA:
            raise ExportError(f"{name}: VCF holds DNA only, this is {one.alphabet}; the table of differences holds any")
        for code in np.flatnonzero(one.counts):
            if int(code) not in (_BASES + _CODES + (_BASES + _CODES).lower()):
                where = int(np.flatnonzero(one.letters == code)[0]) + 1
                raise ExportError(
                    f"{name}, position {where:,}: VCF cannot hold {one.character(int(code))!r}; "
                    "the table of differences can"
                )


def vcf(found: Comparison) -> Iterator[bytes]:
    """Yield header and records in pieces.

    A substituted letter is a record of its own, neighbours too: as most callers of variants have it, so that the same
    substitution is the same record whatever stands beside it; the genotypes say that B has them all. Deletions and
    insertions lie left-most and begin with the letter before them, at the start of A they end with the letter behind
    them. Where that letter is substituted itself, both are one record, as records must not share a letter.

    A letter that B leaves open (``N``, ``R``, ...) is no variant: its record has no ALT, and a genotype that is
    missing. ``bcftools consensus`` leaves the letter of A there, or writes N with ``--sample B --missing N``. In longer
    alleles all but A, C, G and T are N. One letter that A leaves open by another code than N gives no record.

    Raises:
        ExportError: at once, as ``check``.
    """
    check(found.a, found.b)
    return _lines(found)


def _lines(found: Comparison) -> Iterator[bytes]:
    a, b = found.a.letters, found.b.letters
    contig = record_names.sam_reference(found.a)
    seal = f"##wavediffProof={found.seal}\n" if found.seal else ""
    yield (
        "##fileformat=VCFv4.3\n"
        f"##source=wavediff {VERSION}, {found.method}\n"
        f"{seal}##contig=<ID={contig},length={a.size}>\n"
        '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype, missing where the sample leaves a letter open">\n'
        f"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t{record_names.field(found.b)}\n"
    ).encode("utf-8", "backslashreplace")
    lines: list[bytes] = []
    start = contig.encode("ascii")
    letters_a, letters_b = a.data, b.data  # their elements are numbers of Python
    for one in _changes(found):
        if one.is_substitution:
            lines.append(_substitution(start, found.a.place(one.a0), letters_a[one.a0], letters_b[one.b0]))
        elif max(one.a1 - one.a0, one.b1 - one.b0) <= _CHUNK_LETTERS:
            ref, alt = bytes(letters_a[one.a0 : one.a1]), bytes(letters_b[one.b0 : one.b1])
            alleles = ref.translate(_ALLELE), alt.translate(_ALLELE)
            lines.append(b"%s\t%d\t.\t%s\t%s%s" % (start, found.a.place(one.a0) + 1, *alleles, _REST))
        else:
            lines.append(b"%s\t%d\t.\t" % (start, found.a.place(one.a0) + 1))
            yield from _flushed(lines)
            yield from _allele(a[one.a0 : one.a1])
            yield b"\t"
            yield from _allele(b[one.b0 : one.b1])
            lines.append(_REST)
        if len(lines) >= _CHUNK_LINES:
            yield from _flushed(lines)
    yield from _flushed(lines)


def _changes(found: Comparison) -> Iterator[Change]:
    """Yield the changes in the order of the file of A."""
    for one in in_file_order(found.a, found.alignment):
        begins = one.a0 and found.a.place(one.a0) == 0  # the letter before it is the last one of the file
        yield from anchored(changes(one), (one.a0, one.b0) if begins else (0, 0))


def anchored(found: Iterable[Change], first: tuple[int, int] = (0, 0)) -> Iterator[Change]:
    """Yield ``found`` with letters of A and of B in each: a gap takes the letter before it, the first one else behind.

    Changes that would share a letter become one.

    Args:
        first: letters of A and of B that there are.
    """
    held: Change | None = None
    for one in found:
        if held is not None:
            # The letter that a gap needs is a changed one, or that behind a gap at the start.
            touching = one.is_gap and one.a0 == held.a1 and one.b0 == held.b1
            at_start = held.is_gap and (held.a0, held.b0) == first and one.a0 - held.a1 <= int(one.is_gap)
            if touching or at_start:
                held = Change(held.a0, one.a1, held.b0, one.b1)
                continue
            yield _with_neighbour(held, first)
        held = one
    if held is not None:
        yield _with_neighbour(held, first)


def _with_neighbour(one: Change, first: tuple[int, int]) -> Change:
    if not one.is_gap:
        return one
    before, behind = (1, 0) if one.a0 > first[0] and one.b0 > first[1] else (0, 1)
    return Change(one.a0 - before, one.a1 + behind, one.b0 - before, one.b1 + behind)


def _substitution(start: bytes, at: int, ref: int, alt: int) -> bytes:
    """Return the line of one letter; nothing where VCF has no letter for that of A, or none but the case differs."""
    before, after = _ALLELE[ref], _ALLELE[alt]
    if after not in _BASES:
        after = ord(".")
    if before == after or (before not in _BASES and ref not in b"Nn"):
        return b""
    return b"%s\t%d\t.\t%c\t%c\t.\t.\t.\tGT\t%c\n" % (start, at + 1, before, after, b"." if after == ord(".") else b"1")


def _allele(letters: Letters) -> Iterator[bytes]:
    for first in range(0, letters.size, _CHUNK_LETTERS):
        yield _ALLELES[letters[first : first + _CHUNK_LETTERS]].tobytes()


def _flushed(lines: list[bytes]) -> Iterator[bytes]:
    yield b"".join(lines)
    lines.clear()
