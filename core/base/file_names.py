r"""File names with a record or range: ``genome.fa:chr1``, ``genome.fa:chr1:1,001-2k``, ``genome.fa:10-20``.

The name of an existing file is used whole, so ``C:\a.fa`` and names with a colon work. Otherwise the file is the
longest existing name before a colon. The text after that colon is a record (as for ``--record``, colons allowed), a
record and a range, or a range alone for a file with a single record. Positions count from 1; both ends are included.
"""

from __future__ import annotations

import os
from typing import NamedTuple

TYPED = "data:,"  # begins letters in place of the name of a file (RFC 2397)


class Named(NamedTuple):
    """A file and the named part of it; None: the whole file."""

    file: str
    part: str | None = None

    @property
    def name(self) -> str:
        return self.file if self.part is None else f"{self.file}:{self.part}"


def split_name(name: str | os.PathLike[str]) -> Named:
    """Split a name into file and part; if no such file exists, the whole name is the file."""
    name = os.fspath(name)
    at = -1 if os.path.lexists(name) else name.rfind(":")
    while at > 0:
        file = name[:at]
        if file == "-" or (os.path.exists(file) and not os.path.isdir(file)):
            return Named(file, name[at + 1 :])
        at = name.rfind(":", 0, at)
    return Named(name)
