"""Drive ``cuda/bwt_walk.cu``: the text of a last column, both on the card.

A walk from row to row waits for memory at each letter, so many are needed: a chain begins about every
``MEAN_CHAIN_ROWS`` rows at a row that a hash chooses. That needs nothing kept with the transform, and no text has more
than chance would of long chains; all are walked twice, once to see which follows which, and once to spell.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from core.base.errors import DeviceOutOfMemory
from core.jobs.events import Event
from core.kernels.bwt.invert import InvalidTransform
from gpu.bwt.bwt_launches import LaunchQueue, codes_of

UNIT = "bwt_walk.cu"
TILE_LETTERS = 4096  # letters of a block of threads
MEAN_CHAIN_ROWS = 128
LAUNCH_ROWS = 1 << 13  # rows of one launch: some 10 ms
BYTES_PER_LETTER = 7  # bytes a letter on the card: links, counts of tiles, chains, the text; the last column is there


def invert_on_card(
    steps: LaunchQueue, last: Any, primary: int, spacing: int = MEAN_CHAIN_ROWS, most: int = LAUNCH_ROWS
) -> Generator[Event, None, Any]:
    """Return the text, uint8, shape (n,), on the card; ``last`` has at least one letter.

    Args:
        spacing: rows to a chain. most: rows of one launch.

    Raises:
        NoTransform: there is no such text.
        DeviceOutOfMemory: there is no room for the links.
    """
    card, n = steps.card, int(last.size)
    if n * BYTES_PER_LETTER > card.free():
        raise DeviceOutOfMemory(
            f"the inverse of {n:,} letters needs {n * BYTES_PER_LETTER / 2**30:,.2f} GiB on {card.name}, "
            f"{card.free() / 2**30:,.2f} GiB are free"
        )
    letters = yield from steps.letters(last)
    link, first = yield from _link(steps, last, primary, letters)
    n_chains = (n + 1) // spacing
    shape = np.int64(n_chains), np.int64(spacing)
    count = n_chains + 1
    rows, lengths = (card.empty(count, np.uint32) for _ in range(2))
    leads = card.empty(count, np.int32)
    yield from _until_all(
        steps, most, n, spacing, "measure_chains", count,
        lambda begin, limit, left: (link, np.int64(primary), *shape, limit, begin, rows, lengths, leads, left),
    )  # fmt: skip
    ends = yield from _join(steps, leads, lengths)
    if ends is None or steps.number(ends) != n:
        raise InvalidTransform(f"{n:,} letters with primary row {primary:,} are the last column of no text")
    text, todo = card.empty(n, np.uint8), card.empty(count, np.uint32)
    table = card.upload(letters)
    yield from _until_all(
        steps, most, n, spacing, "spell_chains", count,
        lambda begin, limit, left: (
            link, first, table, np.int32(letters.size), *shape, lengths, ends, limit, begin, rows, todo, text, left
        ),
    )  # fmt: skip
    return text


def _link(steps: LaunchQueue, last: Any, primary: int, letters: Any) -> Generator[Event, None, tuple[Any, Any]]:
    """Return where each row leads, and the first row of each letter and one past the last row."""
    card, n = steps.card, int(last.size)
    n_tiles, n_codes = -(-n // TILE_LETTERS), int(letters.size)
    codes = card.upload(codes_of(letters))
    counts = card.empty(n_codes * n_tiles, np.uint32)
    tiled = np.int32(n_codes), np.int64(n_tiles)
    threads = n_tiles * 256
    yield from steps.run(
        UNIT, "count_tiles", threads, last, np.int64(n), codes, *tiled, counts, each=TILE_LETTERS // 256
    )
    sums = yield from steps.sums(counts)
    link = card.empty(n + 1, np.uint32)
    yield from steps.run(
        UNIT, "link_rows", threads,
        last, np.int64(n), np.int64(primary), codes, *tiled, counts, sums, link, each=TILE_LETTERS // 256,
    )  # fmt: skip
    ends = card.download(sums[n_tiles - 1 :: n_tiles])
    first = np.concatenate([[1], 1 + ends.astype(np.int64)]).astype(np.uint32)
    return link, card.upload(first)


def _until_all(
    steps: LaunchQueue, most: int, n: int, spacing: int, name: str, count: int, arguments: Any
) -> Generator[Event, None, None]:
    """Launch again and again until every chain is through."""
    left = steps.card.zeros(1, np.uint32)
    for launch in range(n // most + 2):
        left[:] = 0
        begin, limit = np.int32(launch == 0), np.int32(most)
        yield from steps.run(UNIT, name, count, *arguments(begin, limit, left), spread=True, each=spacing)
        if steps.number(left) == 0:
            return


def _join(steps: LaunchQueue, leads: Any, lengths: Any) -> Generator[Event, None, Any]:
    """Return how far the start of each chain is from the end; None where some never come there."""
    card, count = steps.card, int(leads.size)
    ends = lengths
    left = card.zeros(1, np.uint32)
    for _ in range(count.bit_length() + 1):
        leads_then, ends_then = card.empty(count, np.int32), card.empty(count, np.uint32)
        left[:] = 0
        yield from steps.run(UNIT, "join_chains", count, leads, ends, leads_then, ends_then, left)
        leads, ends = leads_then, ends_then
        if steps.number(left) == 0:
            return ends
    return None
