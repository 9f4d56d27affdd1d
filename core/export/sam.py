"""An alignment as SAM text: A is the one reference, B the one record, on its forward strand from end to end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.arrays import Letters
from core.errors import ExportError, printable
from core.export import record_names
from core.export.cigar import cigar
from core.export.comparison import Comparison
from core.jobs.alignment import Alignment, Op
from core.methods.statistics import Statistics
from core.sequences.sequence import Sequence
from core.system.version import VERSION

_UNMAPPED = 4
# Nothing else was asked for than this place, and callers of variants leave records of unknown quality (255) out.
_QUALITY = 60
_MAX_LETTERS = (1 << 31) - 1  # LN of @SQ
_CHUNK_LETTERS = 1 << 20  # of the query in a piece
_CHUNK_RUNS = 1 << 14  # of the alignment in a piece of MD: some ms of work
_UPPER = np.arange(256, dtype=np.uint8)
_UPPER[ord("a") : ord("z") + 1] -= ord("a") - ord("A")
_ALLOWED_BYTES = {ord("."), ord("="), *range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1)}


def check(a: Sequence, b: Sequence) -> None:
    """Refuse a pair that SAM cannot hold, before anything is computed for it.

    Raises:
        ExportError: the query has letters that are not of ``[A-Za-z.]``, or the reference has over 2^31 - 1.
    """
    if len(a) > _MAX_LETTERS:
        raise ExportError(f"{printable(a.name, 60)}: SAM holds references of up to {_MAX_LETTERS:,} letters")
    for code in np.flatnonzero(b.counts):
        # '=' would be read as "the letter of the reference".
        if int(code) not in _ALLOWED_BYTES or code == ord("="):
            where = int(np.flatnonzero(b.letters == code)[0]) + 1
            character = b.character(int(code))
            shown = repr(character) if character and code >= 0x20 and code != 0x7F else f"byte 0x{int(code):02X}"
            raise ExportError(
                f"{printable(b.name, 60)}, position {where:,}: SAM cannot hold {shown}; "
                "PAF and CIGAR can express this alignment"
            )


def sam(found: Comparison) -> Iterator[bytes]:
    """Yield header and record in pieces.

    POS is 1-based; the CIGAR has ``=`` and ``X`` and covers both from end to end, so a gap may come first or last.
    ``NM:i`` counts the letters inserted, deleted and exchanged. ``MD:Z``, which knows the letters A to Z without
    case, is there where that is all the reference needs. What has nothing to lie on (no letters in A or in B)
    comes as an unmapped record, a reference of no letters without its ``@SQ``. MAPQ is 60, the most that common
    aligners give. Swaps have the tags that PAF gives them.

    Raises:
        ExportError: at once, as ``check``.
    """
    check(found.a, found.b)
    return _lines(found)


def _lines(found: Comparison) -> Iterator[bytes]:
    a, b, alignment, swaps = found.a, found.b, found.alignment, found.swaps
    reference = record_names.sam_reference(a)
    head = "@HD\tVN:1.6\tSO:unsorted\n"
    if len(a):
        head += f"@SQ\tSN:{reference}\tLN:{len(a)}\n"
    head += f"@PG\tID:wavediff\tPN:wavediff\tVN:{VERSION}\tDS:{found.method}\n"
    yield head.encode("ascii")
    mapped = bool(len(a) and len(b))
    place = [0, reference, 1, _QUALITY] if mapped else [_UNMAPPED, "*", 0, 0]
    yield "\t".join(map(str, [record_names.sam_query(b), *place])).encode("ascii") + b"\t"
    if mapped:
        yield from cigar(alignment)
    else:
        yield b"*"
    yield b"\t*\t0\t0\t"
    for first in range(0, len(b), _CHUNK_LETTERS):
        yield b.letters[first : first + _CHUNK_LETTERS].tobytes()
    yield b"\t*" if len(b) else b"*\t*"
    if mapped:
        edits = Statistics.of(alignment).edits
        yield f"\tNM:i:{edits}".encode("ascii")
        if swaps is not None:
            yield f"\tzd:i:{edits - len(swaps)}".encode("ascii")
            yield f"\tzs:Z:{swaps.text()}".encode("ascii") if len(swaps) else b""
        if _md_can_tell(a, found.fold_case):
            yield b"\tMD:Z:"
            yield from _md(_UPPER[a.letters], alignment)
    yield b"\n"


def _md_can_tell(a: Sequence, fold_case: bool) -> bool:
    codes = set(np.flatnonzero(a.counts).tolist())
    known = set(range(ord("A"), ord("Z") + 1))
    return codes <= (known | set(range(ord("a"), ord("z") + 1)) if fold_case else known)


def _md(a: Letters, alignment: Alignment) -> Iterator[bytes]:
    """Yield MD: numbers of equal columns, between them the letters of A that B has otherwise (``^``: not at all)."""
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
