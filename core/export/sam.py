"""Alignment as SAM: A is the only reference, B the only read.

It has one record, or two for a rotated circle, as in minimap2: the longer one primary with all letters and soft clips,
the other supplementary with hard clips, each named in ``SA:Z`` of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_letters

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import ExportError, printable
from wavediff.core.export import letter_fields
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.letter_fields import CAN_HOLD, require_letters
from wavediff.core.export.paf import cigar, cigar_bytes
from wavediff.core.export.segments import Placed, segments
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.methods.statistics import Statistics
from wavediff.core.sequences.characters import fold_table
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.sequence import Alphabet, Sequence
from wavediff.core.system.version import VERSION

_UNMAPPED, _REVERSE, _SUPPLEMENTARY = 4, 16, 2048
# Callers of variants leave records of unknown quality out.
_QUALITY, _UNKNOWN_QUALITY = 60, 255
_MAX_LETTERS = (1 << 31) - 1  # LN of @SQ
CHUNK_LETTERS = 1 << 20  # of the query in a piece
_CHUNK_RUNS = 1 << 14  # of the alignment in a piece of MD: some ms of work
_UPPER = fold_table(True)
_ALLOWED = frozenset(f".{ascii_letters}")  # '=' would be read as "the letter of the reference"


def check(a: Sequence, b: Sequence) -> None:
    """Raise an error for a pair that SAM cannot hold, before any computation.

    Raises:
        ExportError: the query has letters outside ``[A-Za-z.]``, or the reference has over 2^31 - 1 letters.
    """
    if len(a) > _MAX_LETTERS:
        raise ExportError(f"{printable(a.name, 60)}: SAM holds references of up to {_MAX_LETTERS:,} letters")
    require_letters(b, _ALLOWED.__contains__, "SAM", CAN_HOLD)


def sam(comparison: Comparison) -> Iterator[bytes]:
    """Yield header and records in chunks.

    POS is 1-based; the CIGAR has ``=`` and ``X`` and covers both sequences completely, so a gap may come first or last.
    With free ends it begins at POS, and overhanging letters of B are clipped (``S``). On the minus strand (flag 16) the
    letters are the reverse complement of the file. ``NM:i`` counts inserted, deleted and substituted letters. ``MD:Z``
    allows only letters A to Z without case and is omitted for other references. Without letters in A or B the record is
    unmapped, and an empty reference has no ``@SQ``. MAPQ is 60, the maximum of common aligners, for a global alignment.
    With free ends MAPQ is 255 (unknown). If the places were listed, it is 60, or 0 for one of several equally good
    places. Swaps have the tags of PAF.
    """
    a, b = comparison.a, comparison.b
    yield header(comparison, comparison.seal).encode("ascii")
    # What has no letter of A lies nowhere: it is clipped.
    found_segments = segments(a, b, comparison.alignment, comparison.swaps)
    mapped = [Placed.of(segment, b) for segment in found_segments if segment.a1 > segment.a0]
    if not mapped or not len(b):
        yield f"{letter_fields.sam_query(b)}\t{_UNMAPPED}\t*\t0\t0\t*\t*\t0\t0\t".encode("ascii")
        yield from _letters(_strand(b, minus=False))
        yield b"\t*\n"
        return
    yield from records(comparison, mapped)


def header(comparison: Comparison, seal: str) -> str:
    """Return the header lines; ``seal``: see ``Comparison``."""
    a, b = comparison.a, comparison.b
    head = "@HD\tVN:1.6\tSO:unsorted\n"
    if len(a):
        circle = "\tTP:circular" if a.orientation.circular or b.orientation.circular else ""
        head += f"@SQ\tSN:{letter_fields.sam_reference(a)}\tLN:{len(a)}{circle}\n"
    head += f"@PG\tID:wavediff\tPN:wavediff\tVN:{VERSION}\tDS:{comparison.method}\n"
    head += f"@CO\t{seal}\n" if seal else ""
    return head


def records(comparison: Comparison, mapped: list[Placed]) -> Iterator[bytes]:
    """Yield one record per segment, longest first: it is primary with all letters, the others supplementary."""
    mapped = sorted(mapped, key=lambda one: one.segment.b0 - one.segment.b1)
    strands = {minus: _strand(comparison.b, minus=minus) for minus in {one.minus for one in mapped}}
    elsewhere = [_elsewhere(comparison, one) for one in mapped]
    for k, placed in enumerate(mapped):
        others = "".join(elsewhere[:k] + elsewhere[k + 1 :])
        yield from _record(comparison, placed, strands[placed.minus], others, is_primary=k == 0)


def _record(
    comparison: Comparison, placed: Placed, letters: bytes, others: str, *, is_primary: bool
) -> Iterator[bytes]:
    a, b, segment = comparison.a, comparison.b, placed.segment
    flag = _REVERSE * placed.minus | (0 if is_primary else _SUPPLEMENTARY)
    place = [
        letter_fields.sam_query(b),
        flag,
        letter_fields.sam_reference(a),
        a.place(segment.a0) + 1,
        _quality(comparison),
    ]
    before, behind = _clipped(placed, b)
    clips = [f"{n}{'S' if is_primary else 'H'}" if n else "" for n in (before, behind)]
    yield ("\t".join(map(str, place)) + f"\t{clips[0]}").encode("ascii")
    yield from cigar(segment.alignment)
    yield f"{clips[1]}\t*\t0\t0\t".encode("ascii")
    yield from _letters(letters if is_primary else letters[before : len(b) - behind])
    tags = [f"NM:i:{Statistics.of(segment.alignment).edits}", *segment.swap_tags(b)]
    if others:
        tags.append(f"SA:Z:{others}")
    yield "\t".join(["\t*", *tags]).encode("ascii")
    if _md_can_tell(a, comparison.fold_case):
        yield b"\tMD:Z:"
        yield from _md(_UPPER[a.letters[segment.a0 : segment.a1]], segment.alignment)
    yield b"\n"


def _quality(comparison: Comparison) -> int:
    """Return MAPQ: 255 (unknown) if there may be an equally good place of B, 0 if there is one."""
    loci = comparison.loci
    if loci is None:
        return _QUALITY if getattr(comparison.result, "place", None) is None else _UNKNOWN_QUALITY
    return _QUALITY if sum(locus.edits == comparison.result.distance for locus in loci) < 2 else 0


def _clipped(placed: Placed, b: Sequence) -> tuple[int, int]:
    return (len(b) - placed.b1, placed.b0) if placed.minus else (placed.b0, len(b) - placed.b1)


def _elsewhere(comparison: Comparison, placed: Placed) -> str:
    """Return a segment as an entry of ``SA:Z``, its CIGAR shortened like minimap2's."""
    segment, (before, behind) = placed.segment, _clipped(placed, comparison.b)
    in_a, in_b = segment.a1 - segment.a0, segment.b1 - segment.b0
    parts = ((before, "S"), (min(in_a, in_b), "M"), (in_b - in_a, "I"), (in_a - in_b, "D"), (behind, "S"))
    short, strand = "".join(f"{n}{letter}" for n, letter in parts if n > 0), "-" if placed.minus else "+"
    place = [letter_fields.sam_reference(comparison.a), comparison.a.place(segment.a0) + 1, strand, short]
    edits = Statistics.of(segment.alignment).edits
    return ",".join(map(str, [*place, _quality(comparison), edits])) + ";"


def _strand(b: Sequence, *, minus: bool) -> bytes:
    letters = b.original.letters.tobytes()
    return reverse_complement(letters, rna=b.alphabet is Alphabet.RNA) if minus else letters


def _letters(letters: bytes) -> Iterator[bytes]:
    for start in range(0, len(letters), CHUNK_LETTERS):
        yield letters[start : start + CHUNK_LETTERS]
    if not letters:
        yield b"*"


def _md_can_tell(a: Sequence, fold_case: bool) -> bool:
    codes = set(np.flatnonzero(a.counts).tolist())
    known = set(range(ord("A"), ord("Z") + 1))
    return codes <= (known | set(range(ord("a"), ord("z") + 1)) if fold_case else known)


def _md(a: Letters, alignment: Alignment) -> Iterator[bytes]:
    """Yield MD: runs of equal columns, and the letters of A that B replaces or (``^``) deletes."""
    same = at = 0  # equal columns since the last letter; letters of A passed
    for first in range(0, alignment.ops.size, _CHUNK_RUNS):
        out = bytearray()
        ops, lengths = (
            alignment.ops[first : first + _CHUNK_RUNS].tolist(),
            alignment.lengths[first : first + _CHUNK_RUNS].tolist(),
        )
        for op, n in zip(ops, lengths, strict=True):
            if op == Op.EQUAL:
                same += n
            elif op == Op.MISMATCH:
                out += b"%d" % same + b"0".join(a[at + k : at + k + 1].tobytes() for k in range(n))
                same = 0
            elif op == Op.DELETION:
                out += b"%d^" % same + a[at : at + n].tobytes()
                same = 0
            at += n if op != Op.INSERTION else 0
        yield bytes(out)
    yield b"%d" % same


def sam_bytes(comparison: Comparison) -> int:
    """Return the minimum size of the SAM in bytes: CIGAR and query."""
    return cigar_bytes(comparison) + len(comparison.b)
