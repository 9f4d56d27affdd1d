"""Two sequences as one text, with a letter between them that neither has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Letters
from core.errors import InputError
from core.sequence import Sequence

# What reads well first; never what would pass for a letter of a sequence or for ``$``.
_WANTED = bytes(dict.fromkeys(b"#|/;,:~\n" + bytes(range(0x21, 0x7F)).replace(b"$", b"") + bytes(range(256))))


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """``letters`` is A, the byte ``separator``, B; ``start_b`` the 0-based place of B's first letter."""

    letters: Letters
    separator: int
    start_b: int


def shown(byte: int) -> str:
    """Return a byte as a person reads it."""
    return f"'{chr(byte)}'" if 0x20 < byte < 0x7F else f"byte {byte}"


def folded(letters: Letters) -> Letters:
    """Return a copy with lower case as upper case, ASCII only."""
    table = np.arange(256, dtype=np.uint8)
    table[ord("a") : ord("z") + 1] -= ord("a") - ord("A")
    out: Letters = table[letters]
    out.setflags(write=False)
    return out


def join(a: Sequence, b: Sequence, separator: int | None = None) -> Joined:
    """Join A and B by ``separator``, or by a byte chosen here.

    Raises:
        InputError: the separator occurs in a sequence, or every byte does.
    """
    used = (a.counts > 0) | (b.counts > 0)
    if separator is None:
        separator = next((byte for byte in _WANTED if not used[byte]), None)
        if separator is None:
            raise InputError(a.source or a.name, "A and B use all 256 bytes", "a separator must occur in neither")
    elif used[separator]:
        where = "A" if a.counts[separator] else "B"
        found = a if where == "A" else b
        raise InputError(
            found.source or found.name,
            f"the separator {shown(separator)} occurs in {where}",
            "a separator must occur in neither sequence",
        )
    letters = np.concatenate([a.letters, np.array([separator], np.uint8), b.letters])
    letters.setflags(write=False)
    return Joined(letters, separator, len(a) + 1)
