"""Construction of the index from a text or a saved transform."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words, freeze
from wavediff.core.jit.bits import count_bytes, encode
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.bwt import BwtJob, IndexJob
from wavediff.core.jobs.bwt_result import (
    BLOCK_BITS,
    BLOCK_WORDS,
    HEAD_WORDS,
    BwtIndex,
    Positions,
    RankMatrix,
    SavedBwt,
    stored_fields,
)
from wavediff.core.jobs.choices import BwtMethod
from wavediff.core.jobs.events import Event, EventTotals, Step
from wavediff.core.kernels.bwt import memory_check
from wavediff.core.kernels.bwt import run as transform
from wavediff.core.kernels.bwt.clock import FILL_PLACES, Clock, count_letters, ranges
from wavediff.core.kernels.bwt.index import wavelet_matrix
from wavediff.core.kernels.bwt.inverse import run as inverse_run
from wavediff.core.kernels.bwt.inverse.invert import invert
from wavediff.core.kernels.bwt.sort import suffix_types
from wavediff.core.system.machine import cores

PIECE_LETTERS = BLOCK_BITS << 11  # letters, whole blocks
LETTERS_PER_KMER_ROW = 64  # of the text for each word whose rows are known
MAX_KMER_ROWS = 1 << 22
TransformRun = Callable[[BwtJob], Generator[Event, None, tuple[transform.SortResult, int]]]


def run(job: IndexJob) -> Generator[Event, None, BwtIndex]:
    """Compute ``job``; see ``wavediff.core.jobs.bwt_result.BwtIndex``.

    Raises:
        NotEnoughMemory: the suffix order or the ranks exceed memory.
        SelfCheckFailed: the inverse of the transform is not the text.
        NoTransform: no text has this last column.
    """
    if job.method is BwtMethod.TERNARY:
        memory_check.check_memory(
            job.n_letters,
            memory_check.index_bytes(ternary=True),
            "the index",
            "take the default way of sorting",
            suffix_types.MAX_INT32_LETTERS,
        )
    return (yield from run_with(job, transform.checked_transform))


def run_with(job: IndexJob, transformed: TransformRun) -> Generator[Event, None, BwtIndex]:
    """Compute ``job``; ``transformed`` sorts the text."""
    memory_check.check_memory(
        job.n_letters,
        memory_check.index_bytes(ternary=False),
        "the index",
        "take one record at a time",
        suffix_types.MAX_INT32_LETTERS,
    )
    work = EventTotals()
    return (yield from work.watch(_steps(job, work, transformed)))


def _steps(job: IndexJob, work: EventTotals, transformed: TransformRun) -> Generator[Event, None, BwtIndex]:
    clock, saved = Clock(job.id), job.saved
    if saved is None or saved.samples is None:
        text = job.text
        if text is None:
            assert saved is not None  # which the job has seen to
            yield from inverse_run.make_ready(clock)
            steps = invert(saved.last, saved.primary, clock, job.threads or cores())
            text = yield from clock.phase("inverse", steps)
        sort = BwtJob(text=text, suffixes=True, method=job.method, threads=job.threads, id=job.id)
        done, n_runs = yield from transformed(sort)
        yield from make_ready(clock)
        marks, samples = yield from clock.phase("sample", _sampled(done, job.every, clock))
        saved = SavedBwt(
            name=job.name if job.saved is None else job.saved.name,
            fold_case=job.fold_case if job.saved is None else job.saved.fold_case,
            last=done.last,
            primary=done.primary,
            n_runs=n_runs,
            every=job.every,
            marks=marks,
            samples=samples,
        )
    yield from make_ready(clock)
    return (yield from clock.phase("ranks", _ranked(job, saved, work, clock)))


def _sampled(done: transform.SortResult, every: int, clock: Clock) -> Generator[Event, None, tuple[Words, Positions]]:
    """Return the marks of the sampled rows, and their positions."""
    assert done.suffixes is not None
    n_rows, n_found = done.suffixes.size, 0
    marks, samples = _level(n_rows), np.empty((n_rows - 1) // every + 1, np.int32)
    for lo, hi in ranges(n_rows):
        n_found = wavelet_matrix.mark_rows(done.suffixes, every, lo, hi, marks, samples, n_found)
        yield from clock()
    return marks.reshape(-1, BLOCK_WORDS)[:, HEAD_WORDS:].ravel()[: (n_rows - 1) // 64 + 1], samples


def _level(n: int) -> Words:
    return np.zeros((n // BLOCK_BITS + 1) * BLOCK_WORDS, np.uint64)


def _ranked(job: IndexJob, saved: SavedBwt, work: EventTotals, clock: Clock) -> Generator[Event, None, BwtIndex]:
    assert saved.marks is not None
    assert saved.samples is not None
    n = saved.last.size
    total = yield from count_letters(saved.last, clock)
    letters = np.flatnonzero(total).astype(np.uint8)
    first = np.append(1 + np.cumsum(total)[letters] - total[letters], n + 1).astype(np.int64)
    levels, stride = max(1, (letters.size - 1).bit_length()), (n // BLOCK_BITS + 1) * BLOCK_WORDS
    words, zeros = yield from _matrix(saved.last, letters, levels, stride, clock)
    # The letters of a code begin on the lowest level behind those whose bits, lowest first, are a smaller number.
    codes = sorted(range(letters.size), key=lambda code: f"{code:0{levels}b}"[::-1])
    starts = np.zeros(letters.size, np.int64)
    starts[codes] = np.cumsum(total[letters[codes]]) - total[letters[codes]]
    matrix = RankMatrix(words, stride, levels, zeros, first[:-1] - starts, saved.primary)
    for array in (words, zeros, matrix.offsets):
        array.setflags(write=False)  # without a copy
    marks = yield from _marks(saved.marks, n + 1, clock)
    seed, seeds = yield from _seeds(matrix, n, letters.size, clock)
    fields = stored_fields(saved) | {"marks": marks, "letters": letters, "first": first, "ranks": matrix}
    return BwtIndex(**fields, job_id=job.id, seed=seed, seeds=seeds, wall_seconds=work.wall_seconds)


def _matrix(
    last: Letters, letters: Letters, levels: int, stride: int, clock: Clock
) -> Generator[Event, None, tuple[Words, Counts]]:
    """Return the bits of the codes level by level, and the number of zeros per level."""
    n, table = last.size, np.zeros(256, np.uint8)
    table[letters] = np.arange(letters.size)
    codes, other = np.empty(n, np.uint8), np.empty(n, np.uint8)
    for lo, hi in ranges(n, FILL_PLACES):
        encode(last[lo:hi], table, codes[lo:hi])
        yield from clock()
    matrix, zeros = np.zeros(levels * stride, np.uint64), np.zeros(levels, np.int64)
    for level in range(levels):
        bit, base = levels - 1 - level, level * stride
        for lo, hi in ranges(n, PIECE_LETTERS):
            wavelet_matrix.write_bits(codes, bit, lo, hi, matrix, base)
            yield from clock()
        zeros[level] = n - (yield from _count(matrix, base, stride // BLOCK_WORDS, clock))
        if level + 1 < levels:
            at = np.array([0, zeros[level]], np.int64)
            for lo, hi in ranges(n, PIECE_LETTERS):
                wavelet_matrix.partition_bits(codes, bit, lo, hi, at, other)
                yield from clock()
            codes, other = other, codes
    return matrix, zeros


def _marks(saved: Words, n_rows: int, clock: Clock) -> Generator[Event, None, Words]:
    marks = _level(n_rows)
    bits = np.zeros(marks.size // BLOCK_WORDS * (BLOCK_WORDS - HEAD_WORDS), np.uint64)
    bits[: saved.size] = saved
    marks.reshape(-1, BLOCK_WORDS)[:, HEAD_WORDS:] = bits.reshape(-1, BLOCK_WORDS - HEAD_WORDS)
    yield from _count(marks, 0, marks.size // BLOCK_WORDS, clock)
    return marks


def _count(blocks: Words, base: int, n_blocks: int, clock: Clock) -> Generator[Event, None, int]:
    total = 0
    for lo, hi in ranges(n_blocks, PIECE_LETTERS // BLOCK_BITS):
        total = wavelet_matrix.count_blocks(blocks, base, lo, hi, total)
        yield from clock()
    return total


def _seeds(matrix: RankMatrix, n: int, n_letters: int, clock: Clock) -> Generator[Event, None, tuple[int, Positions]]:
    """Return the length of words with precomputed rows, and these rows, extended letter by letter."""
    most = min(n // LETTERS_PER_KMER_ROW, MAX_KMER_ROWS)
    nothing = freeze(np.zeros(0, np.int32))
    if n_letters < 2 or most < n_letters:
        return 0, nothing
    seed, lows, highs = 0, np.zeros(1, np.int64), np.full(1, n + 1, np.int64)
    while lows.size * n_letters <= most:
        codes = np.repeat(np.arange(n_letters, dtype=np.uint8), lows.size)
        lows, highs = np.tile(lows, n_letters), np.tile(highs, n_letters)
        for lo, hi in ranges(codes.size, 1 << 16):
            wavelet_matrix.search_patterns(matrix, codes, np.arange(codes.size + 1), lo, hi, 0, nothing, lows, highs)
            yield from clock()
        seed += 1
    return seed, np.stack([lows, highs], axis=1).ravel().astype(np.int32)


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile (or load) the kernels for building and searching an index."""

    def search_nothing() -> None:
        codes, blocks, zeros = np.zeros(1, np.uint8), _level(1), np.zeros(1, np.int64)
        read, samples, suffixes = freeze(codes), freeze(np.zeros(1, np.int32)), freeze(np.array([1, 0], np.int32))
        matrix = RankMatrix(freeze(blocks.copy()), BLOCK_WORDS, 1, freeze(zeros.copy()), freeze(zeros.copy()), 0)
        count_bytes(read)
        encode(read, np.zeros(256, np.uint8), codes)
        wavelet_matrix.write_bits(codes, 0, 0, 1, blocks, 0)
        wavelet_matrix.count_blocks(blocks, 0, 0, 1, 0)
        wavelet_matrix.partition_bits(codes, 0, 0, 1, np.zeros(2, np.int64), codes.copy())
        wavelet_matrix.mark_rows(suffixes, 1, 0, 1, blocks, np.zeros(1, np.int32), 0)
        wavelet_matrix.search_patterns(matrix, codes, np.zeros(2, np.int64), 0, 1, 0, samples, zeros, zeros.copy())
        wavelet_matrix.locate(
            matrix, matrix.words, samples, 1, zeros, np.zeros(2, np.int64), 0, 0, np.zeros(0, np.int32)
        )
        wavelet_matrix.lf_step(matrix, zeros[:0], zeros[:0])
        wavelet_matrix.marked_row(matrix.words, 0)

    yield from warm_up(step, "ranks", "ranks", search_nothing)


def memory(job: IndexJob) -> int:
    """Return the memory of ``job`` in bytes, without its text."""
    return memory_check.needed_bytes(job.n_letters, memory_check.index_bytes(job.method is BwtMethod.TERNARY))
