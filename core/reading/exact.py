"""A file as the bytes that it is: one record, nothing unpacked, decoded or left out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.reading.letters import Counter, LetterBuffer, freeze_base
from core.reading.load import Load
from core.sequences.sequence import Alphabet


def read_exact(
    pieces: Iterator[bytes], source: str, size: int, fallback: str, alphabet: Alphabet | None
) -> Iterator[Load | None]:
    """Yield None after each piece, and the ``Load`` at the end; there may be no bytes at all.

    Args:
        size: bytes there are at most.
        alphabet: what they are; None = text.
    """
    letters, counter, counts = LetterBuffer(size), Counter(), np.zeros(256, np.int64)
    for piece in pieces:
        letters.append(piece)
        counts += counter.count(piece)
        yield None
    whole = letters.assemble()
    yield Load(
        source=source,
        format="bytes",
        letters=freeze_base(whole),
        starts=np.array([0, whole.size]),
        headers=b"\n",
        header_starts=np.array([0, 1]),
        counts={0: counts},
        alphabet=alphabet or Alphabet.TEXT,
        fallback=fallback,
    )
