"""Names as one field of a table: what would end a field or a line becomes ``_``."""

from __future__ import annotations

from wavediff.core.sequences.sequence import Sequence

_SAM_MAX_NAME = 254
_SAM_NOT_IN_A_REFERENCE = set("\\,\"`'()[]{}<>")


def field(sequence: Sequence) -> str:
    """Return the name of ``sequence`` without white space and control characters; ``*`` where there is none."""
    return word(sequence.name)


def word(name: str) -> str:
    """Return ``name`` without white space and control characters; ``*`` where there is none."""
    return "".join(c if c.isprintable() and not c.isspace() else "_" for c in name) or "*"


def sam_query(sequence: Sequence) -> str:
    """Return the name as SAM allows it for a query: ``[!-?A-~]{1,254}``; ``*`` where there is none."""
    return "".join(c if "!" <= c <= "~" and c != "@" else "_" for c in sequence.name)[:_SAM_MAX_NAME] or "*"


def sam_reference(sequence: Sequence) -> str:
    """Return the name as SAM allows it for a reference, which cannot do without one."""
    name = "".join(c if "!" <= c <= "~" and c not in _SAM_NOT_IN_A_REFERENCE else "_" for c in sequence.name)
    return ("_" + name[1:] if name[:1] in ("*", "=") else name) or "A"
