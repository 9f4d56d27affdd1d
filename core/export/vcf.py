"""Differences of two nucleotide sequences as VCF 4.3: A is the reference, B the one haploid sample.

The VCF specification, version 4.3 (Global Alliance for Genomics and Health). Tan, Abecasis and Kang (2015), Unified
representation of genetic variants, Bioinformatics 31(13).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import ExportError, printable
from wavediff.core.base.numbers import count
from wavediff.core.export import letter_fields
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.letter_fields import require_letters
from wavediff.core.export.segments import Change, changes, in_file_order
from wavediff.core.sequences.ambiguity import NUCLEOTIDES
from wavediff.core.sequences.characters import FOLDED
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.system.version import VERSION

_EFFECT = "EFFECT"  # key of INFO
_EFFECT_HEADER = (
    f'##INFO=<ID={_EFFECT},Number=.,Type=String,Description="Effects on the features of a file: S:N501Y, S:69-70del, '
    'ORF8:L27fs, S:T20= (synonymous)">\n'
)
CHUNK_LETTERS = 1 << 16  # of an allele in a piece
_CHUNK_LINES = 1 << 13  # some ms of work
_BASES, _CODES = b"ACGT", b"NRYSWKMBDHVU"


def _alleles(*, strict: bool) -> bytes:
    """Return the REF letter for each letter: upper case, ambiguity codes as their first base; N stays N."""
    base = {code: _BASES[(bits & -bits).bit_length() - 1] for code, bits in NUCLEOTIDES.items() if code != ord("N")}
    return bytes(base.get(code, code) if strict else code for code in FOLDED)


_REF = {strict: _alleles(strict=strict) for strict in (False, True)}
# ALT has no codes, so what B leaves open is N there.
_ALT = bytes(code if code in _BASES else ord("N") for code in FOLDED)
_IS_CODE = np.array([code in _CODES and code not in b"NU" for code in bytes(range(256)).upper()])
_LETTERS = frozenset((_BASES + _CODES + (_BASES + _CODES).lower()).decode())
_TABLE_CAN = "the table of differences can"
_ESCAPED = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "%;=, \t"})  # in a value of INFO


def check(a: Sequence, b: Sequence) -> None:
    """Raise an error for a pair that VCF cannot hold, before any computation.

    Raises:
        ExportError: a sequence is neither DNA nor RNA, has another letter than nucleotide codes, or is empty while the
            other is not.
    """
    for sequence in (a, b):
        name = printable(sequence.name, 60)
        if not len(sequence) and len(a) + len(b):
            raise ExportError(f"{name}: VCF cannot hold a sequence of no letters; {_TABLE_CAN}")
        if not sequence.alphabet.is_nucleotide:
            raise ExportError(
                f"{name}: VCF holds nucleotides, this is {sequence.alphabet}; the table of differences holds any"
            )
        require_letters(sequence, _LETTERS.__contains__, "VCF", _TABLE_CAN)


def vcf(comparison: Comparison) -> Iterator[bytes]:
    """Yield header and records in chunks.

    Each substituted letter is a separate record, also next to another one, as in most variant callers, so that a
    substitution has the same record in any context; their genotypes say that B has all of them. Deletions and
    insertions are left-most and begin with the preceding letter; at the start of A they end with the following one. If
    that letter is substituted, both form one record, as records must not share a letter.

    An ambiguous letter of B (``N``, ``R``, ...) is no variant: its record has no ALT and a missing genotype. ``bcftools
    consensus`` keeps the letter of A there, or writes N with ``--sample B --missing N``. In longer ALT alleles such
    letters are N.

    REF has the ambiguity codes of A, because ``bcftools consensus`` compares REF with the file of A. With
    ``comparison.vcf_strict`` it has the first base of a code, by section 1.6.1 of the specification; if B has that
    base, the record has no ALT and genotype 0.

    With features in A or B, INFO has the effects of each record; blanks and VCF signs in names are ``%HH``.
    """
    seal = f"##wavediffProof={comparison.seal}\n" if comparison.seal else ""
    yield header(comparison, seal, _EFFECT_HEADER if comparison.effects else "")
    yield from records(comparison, _changes(comparison), comparison.b.letters)


def header(comparison: Comparison, seal: str, meta: str) -> bytes:
    contig = letter_fields.sam_reference(comparison.a)
    return (
        "##fileformat=VCFv4.3\n"
        f"##source=wavediff {VERSION}, {comparison.method}\n"
        f"{seal}##contig=<ID={contig},length={len(comparison.a)}>\n{meta}"
        '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype, missing where the sample leaves a letter open">\n'
        f"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t{letter_fields.field(comparison.b)}\n"
    ).encode("utf-8", "backslashreplace")


def ref_letter(letter: int, *, strict: bool) -> str:
    return chr(_REF[strict][letter])


def alt_letters(letters: Letters) -> str:
    return letters.tobytes().translate(_ALT).decode()


def records(comparison: Comparison, of: Iterable[Change], b: Letters) -> Iterator[bytes]:
    """Yield the records of the changes ``of``; ``b``: letters of B at their positions."""
    lines: list[bytes] = []
    a, start, as_ref = (
        comparison.a.letters,
        letter_fields.sam_reference(comparison.a).encode("ascii"),
        _REF[comparison.vcf_strict],
    )
    letters_a, letters_b = a.data, b.data  # their elements are numbers of Python
    for change in of:
        if change.is_substitution:
            ref, alt = letters_a[change.a0], letters_b[change.b0]
            if _REF[False][ref] != _REF[False][alt]:  # else they differ in case alone
                info = _info(comparison, change)
                lines.append(_substitution(start, comparison.a.place(change.a0), as_ref[ref], _ALT[alt], info))
        elif max(change.a1 - change.a0, change.b1 - change.b0) <= CHUNK_LETTERS:
            alleles = (
                bytes(letters_a[change.a0 : change.a1]).translate(as_ref),
                bytes(letters_b[change.b0 : change.b1]).translate(_ALT),
            )
            rest = _rest(_info(comparison, change))
            lines.append(b"%s\t%d\t.\t%s\t%s%s" % (start, comparison.a.place(change.a0) + 1, *alleles, rest))
        else:
            lines.append(b"%s\t%d\t.\t" % (start, comparison.a.place(change.a0) + 1))
            yield from _flushed(lines)
            yield from _allele(a[change.a0 : change.a1], as_ref)
            yield b"\t"
            yield from _allele(b[change.b0 : change.b1], _ALT)
            lines.append(_rest(_info(comparison, change)))
        if len(lines) >= _CHUNK_LINES:
            yield from _flushed(lines)
    yield from _flushed(lines)


def notice(comparison: Comparison) -> str:
    """Return how many records have ambiguity codes of A in REF, and which programs reject them; empty if none has."""
    a, b = comparison.a.letters.data, comparison.b.letters.data
    spans = (
        (change.a0, change.a1)
        for change in _changes(comparison)
        if not change.is_substitution or _REF[False][a[change.a0]] != _REF[False][b[change.b0]]
    )
    return notice_of_spans(comparison.a, spans, strict=comparison.vcf_strict)


def notice_of_spans(a: Sequence, spans: Iterable[tuple[int, int]], *, strict: bool) -> str:
    """Return the text of ``notice`` for records with REF ranges ``spans``, which is not read if A has no codes."""
    if not a.counts[_IS_CODE].any():
        return ""
    places = np.flatnonzero(_IS_CODE[a.letters])
    n = sum(bisect_left(places, first) < bisect_left(places, last) for first, last in spans)
    if not n:
        return ""
    records = f"VCF: {count(n, 'record', 'records')} at ambiguity codes of A"
    if strict:
        return f"{records}: REF is the first base of the code; bcftools consensus and norm -c e reject that beside A"
    return (
        f"{records}: REF is the code itself, which bcftools consensus applies and norm -c e rejects; --vcf-strict "
        "writes the first base of the code"
    )


def _changes(comparison: Comparison) -> Iterator[Change]:
    for one in in_file_order(comparison.a, comparison.alignment):
        begins = one.a0 and comparison.a.place(one.a0) == 0  # the letter before it is the last one of the file
        yield from anchored(changes(one), (one.a0, one.b0) if begins else (0, 0))


def anchored(changes: Iterable[Change], first: tuple[int, int] = (0, 0)) -> Iterator[Change]:
    """Yield ``changes`` with at least one letter of A and of B: gaps include the preceding letter, or the next at the
    start.

    Changes that share a letter become one.

    Args:
        first: start of the part in A and in B; a gap there includes the next letter instead of the preceding one.
    """
    held: Change | None = None
    for one in changes:
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


def _with_neighbour(change: Change, first: tuple[int, int]) -> Change:
    if not change.is_gap:
        return change
    before, behind = (1, 0) if change.a0 > first[0] and change.b0 > first[1] else (0, 1)
    return Change(change.a0 - before, change.a1 + behind, change.b0 - before, change.b1 + behind)


def _info(comparison: Comparison, change: Change) -> bytes:
    if comparison.effects is None:
        return b"."
    texts = (one.text.translate(_ESCAPED) for one in comparison.effects.between(*change))
    return f"{_EFFECT}={','.join(texts)}".encode("utf-8", "backslashreplace")


def _rest(info: bytes) -> bytes:
    return b"\t.\t.\t%b\tGT\t1\n" % info


def _substitution(start: bytes, at: int, ref: int, alt: int, info: bytes) -> bytes:
    genotype = b"." if alt == ord("N") else b"0" if ref == alt else b"1"
    fields = start, at + 1, ref, alt if genotype == b"1" else ord("."), info, genotype
    return b"%s\t%d\t.\t%c\t%c\t.\t.\t%b\tGT\t%s\n" % fields


def _allele(letters: Letters, alleles: bytes) -> Iterator[bytes]:
    for first in range(0, letters.size, CHUNK_LETTERS):
        yield letters[first : first + CHUNK_LETTERS].tobytes().translate(alleles)


def _flushed(lines: list[bytes]) -> Iterator[bytes]:
    yield b"".join(lines)
    lines.clear()
