"""Compressibility of a text: move-to-front with runs of zeros on the last column; zlib and bzip2 on the text."""

from __future__ import annotations

import bz2
import zlib
from collections.abc import Callable, Generator

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.jit.decorators import jit_callee, jit_no_nrt
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.compression import N_SYMBOLS, CompressionJob, CompressionResult
from wavediff.core.jobs.events import Event, EventTotals, Step
from wavediff.core.kernels.bwt.clock import Clock, ranges

PIECE_LETTERS = 1 << 18  # letters between two looks at the clock: zlib takes 50 ms for as many of DNA
STRONGEST = 9  # level of both programs


def run(job: CompressionJob) -> Generator[Event, None, CompressionResult]:
    """Compute ``job``; see ``wavediff.core.jobs.compression.CompressionResult``."""
    work = EventTotals()
    counts = yield from work.watch(_counts(job))
    compressors = (("zlib", zlib.compressobj(STRONGEST)), ("bzip2", bz2.BZ2Compressor(STRONGEST)))
    sizes = []
    for name, compressor in compressors:
        sizes.append((yield from work.watch(_size(job, name, compressor.compress, compressor.flush))))
    letters, ranks, symbols = counts
    return CompressionResult(
        letters=letters,
        ranks=ranks,
        symbols=symbols,
        zlib_bytes=sizes[0],
        bzip2_bytes=sizes[1],
        **work.fields(job.id, "cpu"),
    )


def _counts(job: CompressionJob) -> Generator[Event, None, tuple[Counts, Counts, Counts]]:
    pace = Clock(job.id)
    yield from make_ready(pace)
    yield from pace.turn("move-to-front")
    letters, ranks, symbols, open_run = (np.zeros(size, np.int64) for size in (256, 256, N_SYMBOLS, 1))
    for lo, hi in ranges(job.n_letters):
        letters += np.bincount(job.last[lo:hi], minlength=256)
        yield from pace()
    front = np.argsort(letters == 0, kind="stable").astype(np.uint8)  # occurring letters in order, then the others
    for lo, hi in ranges(job.n_letters):
        count_ranks(job.last[lo:hi], front, ranks, symbols, open_run)
        yield from pace()
    end_run(ranks, symbols, open_run)
    yield from pace.turn()
    return letters, ranks, symbols


def _size(
    job: CompressionJob, name: str, compress: Callable[[bytes], bytes], flush: Callable[[], bytes]
) -> Generator[Event, None, int]:
    """Return the compressed size of the text in bytes; processed in pieces."""
    pace, size = Clock(job.id, name), 0
    for lo, hi in ranges(job.n_letters, PIECE_LETTERS):
        size += len(compress(job.text[lo:hi].tobytes()))
        yield from pace()
        yield pace.progress(name, hi, job.n_letters, "letters")
    size += len(flush())
    yield from pace.turn()
    return size


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile (or load) the kernels."""

    def walk() -> None:
        last = np.zeros(1, np.uint8)
        last.setflags(write=False)
        ranks, symbols, open_run = (np.zeros(size, np.int64) for size in (256, N_SYMBOLS, 1))
        count_ranks(last, np.arange(256, dtype=np.uint8), ranks, symbols, open_run)
        end_run(ranks, symbols, open_run)

    yield from warm_up(step, "move-to-front", "move-to-front", walk)


@jit_callee
def _close(ranks: Counts, symbols: Counts, run: int) -> None:
    ranks[0] += run
    while run > 0:
        digit = 2 - (run & 1)
        symbols[digit - 1] += 1
        run = (run - digit) >> 1


@jit_no_nrt
def end_run(ranks: Counts, symbols: Counts, open_run: Counts) -> None:
    """Count the open run of zeros at the end of the last piece."""
    _close(ranks, symbols, open_run[0])
    open_run[0] = 0


@jit_no_nrt
def count_ranks(last: Letters, front: Letters, ranks: Counts, symbols: Counts, open_run: Counts) -> None:
    """Count the move-to-front ranks of ``last``, and the symbols that encode them.

    Args:
        front: uint8, shape (256,): the move-to-front list, carried over between pieces.
        ranks, symbols: see ``wavediff.core.jobs.compression.CompressionResult``; added to.
        open_run: int64, shape (1,): trailing zeros, which the next piece may continue; not counted yet.
    """
    run = open_run[0]
    for k in range(last.size):
        letter = last[k]
        if letter == front[0]:
            run += 1
            continue
        _close(ranks, symbols, run)
        run = 0
        rank, moved = 0, letter
        while front[rank] != letter:
            front[rank], moved = moved, front[rank]
            rank += 1
        front[rank] = moved
        ranks[rank] += 1
        symbols[rank + 1] += 1
    open_run[0] = run
