"""An alignment as one line of PAF: B is the query, A the target, both whole and on the forward strand."""

from __future__ import annotations

from collections.abc import Iterator

from core.export import record_names
from core.export.cigar import cigar
from core.export.comparison import Comparison
from core.methods.statistics import Statistics

_UNKNOWN_QUALITY = 255


def paf(found: Comparison) -> Iterator[bytes]:
    """Yield the line in pieces, its end of line included.

    Tags: ``NM:i`` letters inserted, deleted and exchanged (for an edit distance: that distance); ``AS:i`` letters
    equal; ``de:f`` 1 - gap-compressed identity; ``zk:Z`` the method; ``cg:Z`` the CIGAR with ``=`` and ``X``.
    Coordinates are 0-based and half-open.

    A swap is an X, a gap or nothing, and an X of the CIGAR, so that every reader can follow it; where there are swaps
    ``zd:i`` has the distance that counts each of them once, and ``zs:Z`` which letters swap places (0-based; first and
    last of the target, then of the query): ``12-13/12-13,40-44/39-40``.
    """
    a, b, alignment, swaps = found.a, found.b, found.alignment, found.swaps
    counts = Statistics.of(alignment)
    fields: list[object] = [record_names.field(b), len(b), 0, len(b), "+", record_names.field(a), len(a), 0, len(a)]
    fields += [counts.matches, counts.columns, _UNKNOWN_QUALITY, f"NM:i:{counts.edits}", f"AS:i:{counts.matches}"]
    fields += [f"de:f:{1 - counts.identity['gap_compressed']:.6f}", f"zk:Z:{found.method}"]
    if swaps is not None:
        fields += [f"zd:i:{counts.edits - len(swaps)}"] + [f"zs:Z:{swaps.text()}"] * bool(len(swaps))
    yield "\t".join(map(str, fields)).encode("utf-8", "backslashreplace") + b"\tcg:Z:"
    yield from cigar(alignment)
    yield b"\n"
