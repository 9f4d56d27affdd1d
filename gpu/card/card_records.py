"""Letters of many records on the card: packed in fours for columns, as bit planes for rows."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.jobs.events import Event, Step
from wavediff.core.sequences.characters import fold_table
from wavediff.core.sequences.sequence import SequencePool
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.card.transfer import make_ready

UNIT = "letters.cu"
READ_LETTERS = 4  # letters per read of a column
WORD = 32  # rows of a word
PLANES = 8
MAX_BLOCKS = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class CardRecords:
    """Records of a pool, arrays of the card.

    Attributes:
        letters: uint32, four letters each; records start at whole words, see ``groups``.
        planes: uint32, 8 for every 32 letters; those of a record start at 8 * ``words``. None if not requested.
        starts, groups, words: int64, one per record, then the end.
    """

    letters: Any
    planes: Any
    starts: Any
    groups: Any
    words: Any


def bytes_needed(pool: SequencePool, *, planes: bool) -> int:
    """Return the device memory of ``upload`` in bytes, including raw letters."""
    n, letters = len(pool), int(pool.starts[-1])
    return 2 * letters + 4 * n + (letters + 32 * n if planes else 0) + 3 * 8 * (n + 1)


def upload(
    card: Card, step: Step, pool: SequencePool, *, fold_case: bool, planes: bool
) -> Generator[Event, None, CardRecords]:  # fmt: skip
    """Upload a pool; yields the times of copying and packing."""
    pad, cut = card.kernel(UNIT, "pad_letters"), card.kernel(UNIT, "row_planes")
    if pad.seconds + cut.seconds:
        yield step.compiled("pack", pad.seconds + cut.seconds)
    yield from make_ready(step, pool.letters)
    start, n = perf_counter(), len(pool)
    places = np.zeros((3, n + 1), np.int64)
    places[0] = pool.starts
    sizes = pool.sizes
    for at, letters in enumerate((READ_LETTERS, WORD), 1):
        np.cumsum((sizes + (letters - 1)) // letters, out=places[at, 1:])
    on_card = card.upload(places)
    starts, groups, words = on_card[0], on_card[1], on_card[2]
    raw, fold = card.upload(pool.letters), card.upload(fold_table(fold_case))
    letters = card.zeros(max(1, int(places[1, -1])), np.uint32)
    yield step.done("upload", start)
    cut_up, seconds = None, 0.0
    if n:
        blocks, count = min(n, MAX_BLOCKS), np.int32(n)
        seconds = card.launch(pad, blocks, 128, 0, raw, starts, groups, count, fold, letters)
    if planes:
        cut_up = card.zeros(max(1, int(places[2, -1])) * PLANES, np.uint32)
        if n:
            seconds += card.launch(cut, blocks, 64, 0, letters, starts, groups, words, count, cut_up)
    yield step.took("pack", seconds, 1 + planes)
    return CardRecords(letters, cut_up, starts, groups, words)
