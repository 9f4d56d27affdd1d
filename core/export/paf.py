"""An alignment as one line of PAF: B is the query, A the target, both whole and on the forward strand."""

from __future__ import annotations

from collections.abc import Iterator

from core.export.cigar import cigar
from core.results.alignment import Alignment, Op
from core.sequence import Sequence

_UNKNOWN_QUALITY = 255


def paf(a: Sequence, b: Sequence, alignment: Alignment, *, method: str) -> Iterator[bytes]:
    """Yield the line in pieces, its end of line included.

    Tags: ``NM:i`` letters inserted, deleted and exchanged; ``AS:i`` letters equal; ``zk:Z`` the method;
    ``cg:Z`` the CIGAR with ``=`` and ``X``. Coordinates are 0-based and half-open.
    """
    matches = alignment.count(Op.EQUAL)
    columns = alignment.n_columns
    fields: list[object] = [_name(b), len(b), 0, len(b), "+", _name(a), len(a), 0, len(a)]
    fields += [matches, columns, _UNKNOWN_QUALITY, f"NM:i:{columns - matches}", f"AS:i:{matches}", f"zk:Z:{method}"]
    yield "\t".join(map(str, fields)).encode("utf-8", "backslashreplace") + b"\tcg:Z:"
    yield from cigar(alignment)
    yield b"\n"


def _name(sequence: Sequence) -> str:
    """Return the name as one field: what would end a field or a line becomes ``_``; ``*`` stands for no name."""
    return "".join(c if c.isprintable() and not c.isspace() else "_" for c in sequence.name) or "*"
