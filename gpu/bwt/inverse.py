"""Inverse of a transform on a card."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.bwt import InverseBwtJob
from wavediff.core.jobs.bwt_result import InverseBwtResult
from wavediff.core.jobs.events import Event, EventTotals
from wavediff.core.kernels.bwt.inverse.invert import InvalidTransform
from wavediff.core.kernels.bwt.inverse.run import result_of
from wavediff.gpu.bwt.bwt_launches import LaunchQueue, codes_of
from wavediff.gpu.card.cuda import Card

UNIT = "bwt_walk.cu"
TILE_LETTERS = 4096  # letters per thread block
MEAN_CHAIN_ROWS = 128
CHUNK_LETTERS = 128  # letters of a chain buffered together
LAUNCH_ROWS = 1 << 13  # rows of one launch: some 10 ms
BYTES_PER_LETTER = 9  # bytes per letter on the card: links, tile counts, chains, chunks, text; without the column


def invert_on_card(
    steps: LaunchQueue, last: Any, primary: int, spacing: int = MEAN_CHAIN_ROWS, most: int = LAUNCH_ROWS
) -> Generator[Event, None, Any]:
    """Return the text, uint8, shape (n,), on the card; ``last`` must not be empty.

    Args:
        spacing: rows per chain. most: rows of one launch.

    Raises:
        NoTransform: no text has this transform.
        DeviceOutOfMemory: the links exceed the card's memory.
    """
    card, n = steps.card, int(last.size)
    if n * BYTES_PER_LETTER > card.free():
        raise DeviceOutOfMemory(
            f"the inverse of {n:,} letters needs {n * BYTES_PER_LETTER / 2**30:,.2f} GiB on {card.name}, "
            f"{card.free() / 2**30:,.2f} GiB are free"
        )
    letters = yield from steps.letters(last)
    link, first = yield from _link(steps, last, primary, letters)
    count, table = max(1, (n + 1) // spacing), card.upload(letters)
    rows, lengths, chunks = (card.empty(count, np.uint32) for _ in range(3))
    leads = card.empty(count, np.int32)
    most_chunks = count + (n + 1) // CHUNK_LETTERS
    aside = card.empty(most_chunks * CHUNK_LETTERS, np.uint8)
    owners, before = (card.empty(most_chunks, np.uint32) for _ in range(2))
    taken, left = card.zeros(1, np.uint32), card.zeros(1, np.uint32)
    for launch in range(n // most + 2):
        left[:] = 0
        yield from steps.run(
            UNIT, "walk_chains", count,
            link, np.int64(primary), first, table, np.int32(letters.size), np.int64(count), np.int64(spacing),
            np.int32(most), np.int32(launch == 0), rows, lengths, chunks, leads, aside, owners, before, taken, left,
            spread=True, each=spacing,
        )  # fmt: skip
        if steps.number(left) == 0:
            break
    ends = yield from _join(steps, leads, lengths)
    if ends is None or steps.number(ends, 0) != n:
        raise InvalidTransform(f"{n:,} letters with primary row {primary:,} are the last column of no text")
    text = card.empty(n, np.uint8)
    yield from steps.run(
        UNIT, "place_letters", 32 * steps.number(taken), aside, owners, before, lengths, ends, text,
        each=CHUNK_LETTERS // 32,
    )  # fmt: skip
    return text


def _link(steps: LaunchQueue, last: Any, primary: int, letters: Any) -> Generator[Event, None, tuple[Any, Any]]:
    """Return the LF mapping, and the first row of each letter (with an end)."""
    card, n = steps.card, int(last.size)
    n_tiles, n_codes = -(-n // TILE_LETTERS), int(letters.size)
    codes = card.upload(codes_of(letters))
    counts = card.empty(n_codes * n_tiles, np.uint32)
    tiled = np.int32(n_codes), np.int64(n_tiles)
    threads = n_tiles * 256
    yield from steps.run(
        UNIT, "count_tiles", threads, last, np.int64(n), codes, *tiled, counts, each=TILE_LETTERS // 256
    )
    sums = steps.sums(counts)
    link = card.empty(n + 1, np.uint32)
    yield from steps.run(
        UNIT, "link_rows", threads,
        last, np.int64(n), np.int64(primary), codes, *tiled, counts, sums, link, each=TILE_LETTERS // 256,
    )  # fmt: skip
    ends = card.download(sums[n_tiles - 1 :: n_tiles])
    first = np.concatenate([[1], 1 + ends.astype(np.int64)]).astype(np.uint32)
    return link, card.upload(first)


def _join(steps: LaunchQueue, leads: Any, lengths: Any) -> Generator[Event, None, Any]:
    """Return the distance of each chain start from the end of the text; None if a chain never reaches the end."""
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


def run_on(card: Card, job: InverseBwtJob) -> Generator[Event, None, InverseBwtResult]:
    """Compute ``job`` on this card; see ``wavediff.core.jobs.bwt_result.InverseBwtResult``.

    Raises:
        DeviceOutOfMemory: the rows exceed the card's memory.
        NoTransform: no text has this ``last`` and ``primary``.
    """
    work = EventTotals()
    text = yield from work.watch(_steps(LaunchQueue(card, job.step, "upload"), job))
    return result_of(job, text, "gpu", work)


def _steps(steps: LaunchQueue, job: InverseBwtJob) -> Generator[Event, None, Letters]:
    if not job.last.size:
        return job.last
    last = yield from steps.upload(job.last)
    steps.kernel = "inverse"
    text = yield from invert_on_card(steps, last, job.primary)
    letters: Letters = yield from steps.download(text)
    return letters
