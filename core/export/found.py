"""Positions of patterns in an index as a table."""

from __future__ import annotations

import os
from collections.abc import Iterator

from core.errors import printable
from core.export.bwt import FindAnswer

_LINES = 1 << 14  # in a piece


def tsv(answer: FindAnswer) -> Iterator[bytes]:
    """Yield a line for each position: name of the sequence, pattern, start and end as a person counts them."""
    yield b"sequence\tpattern\tstart\tend\n"
    name = _field(answer.index.name)
    for number, pattern in enumerate(answer.patterns):
        places, shown = answer.result.positions_of(number), _field(printable(os.fsdecode(pattern)))
        for start in range(0, places.size, _LINES):
            some = places[start : start + _LINES].tolist()
            yield "".join(f"{name}\t{shown}\t{p + 1}\t{p + len(pattern)}\n" for p in some).encode("utf-8", "replace")


def _field(text: str) -> str:
    return "".join(c if c.isprintable() and c != "\t" else "_" for c in text) or "*"
