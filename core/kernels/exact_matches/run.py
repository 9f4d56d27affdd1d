"""Maximal exact matches of two DNA sequences on both strands: k-mer sort, then extension."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple, TypeVar

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words, as_writable
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.events import Event, Step, run_to_end
from wavediff.core.jobs.exact_matches import ExactMatches, ExactMatchesJob
from wavediff.core.kernels.exact_matches import extend_seeds, kmer_sort
from wavediff.core.kernels.exact_matches.extend_seeds import A_START, B_START, LENGTH, MINUS, N_UNIQUE
from wavediff.core.kernels.exact_matches.kmer_sort import BETWEEN, KIND, LEFT_OUT, OF_A, OF_B, OF_COMPLEMENT, PAD
from wavediff.core.kernels.traceback.parallel import Piece, map_ranges
from wavediff.core.screening.nucleotides import nucleotide_codes
from wavediff.core.system.machine import available_memory, cores

T = TypeVar("T")
KEY = "exact matches"
PIECE_LETTERS = 1 << 19  # letters whose k-mers are placed at once
MATCHES_AT_ONCE = 1 << 16  # matches that a thread writes at once
MAX_BUCKET_BITS, BUCKET_KMERS_BITS = 12, 11  # log2 of the most buckets, and of the k-mers of one in short sequences
BYTES_PER_LETTER = 11  # an entry, two codes, the kind
_ROWS = 5
# % of the time of 2 x 5 Mbp on two cores, about
CODES, COUNTS, PLACES, SORTED, KINDS, MATCHES = (0, 2), (2, 10), (10, 24), (24, 30), (30, 70), (70, 100)


class SortedKmers(NamedTuple):
    """Sorted k-mers of A and B; see ``kmer_sort.place_kmers``.

    Attributes:
        ends: int64: end of each bucket.
    """

    text: Letters
    complement: Letters
    kinds: Letters
    entries: Words
    ends: Counts
    place_bits: int


def memory(job: ExactMatchesJob) -> int:
    return BYTES_PER_LETTER * job.n_letters + 2 * 8 * _ROWS * min(job.max_matches, job.n_letters)


def run(job: ExactMatchesJob) -> Generator[Event, None, ExactMatches]:
    """Compute ``job``.

    Raises:
        NotEnoughMemory: more is needed than is free.
    """
    size, free = memory(job), available_memory()
    if size > free:
        text = (
            f"matches of {job.n_letters:,} letters need {size / 2**30:,.2f} GiB, and {free / 2**30:,.2f} GiB are free"
        )
        raise NotEnoughMemory(f"{text}; take one record, or a range of it")
    yield from make_ready(job.step)
    return result_of(job, *(yield from _found(job)))


def result_of(job: ExactMatchesJob, rows: Counts, copies: int, left_out: int, of_b: Counts) -> ExactMatches:
    """Return the result with sorted matches.

    Args:
        rows: int64, shape (5, matches): the rows of ``extend_seeds``.
        of_b: see ``ExactMatches.b_left_out``.
    """
    on_minus = rows[MINUS].astype(np.bool_)
    diagonal = np.where(on_minus, rows[A_START] + rows[B_START] + rows[LENGTH], rows[B_START] - rows[A_START])
    rows = rows[:, np.lexsort((rows[A_START], diagonal, on_minus))]
    columns = rows[A_START], rows[B_START], rows[LENGTH], rows[MINUS].astype(np.bool_), rows[N_UNIQUE]
    return ExactMatches(int(job.a.size), int(job.b.size), job.k, copies, *columns, left_out, of_b)


def make_ready(step: Step) -> Generator[Event, None, None]:
    """Compile or load the kernels of exact matches."""

    def rehearse() -> None:
        letters = np.frombuffer(b"ACGTTGCAACCGT", np.uint8)
        run_to_end(_found(ExactMatchesJob(a=letters, b=letters, k=11)))

    yield from warm_up(step, "exact matches", KEY, rehearse)


def _found(job: ExactMatchesJob) -> Generator[Event, None, tuple[Counts, int, int, Counts]]:
    """Return the unsorted matches, int64, shape (5, matches), the maximum copies, and the skipped parts of A and B."""
    kmers = yield from _sorted(job)
    copies, left_out, of_b = job.max_copies, 0, np.empty(0, np.int64)
    while copies:
        left_out = yield from _mark(job, kmers, copies)
        if left_out:
            behind_a = PAD + int(job.a.size) + 1
            of_b = left_out_of_b(kmers.kinds[behind_a : behind_a + job.b.size])
        matches = yield from _extend(job, kmers)
        if matches is not None:
            return matches, copies, left_out, of_b
        copies //= 2
    return np.empty((_ROWS, 0), np.int64), 0, left_out, of_b


def left_out_of_b(kinds: Letters) -> Counts:
    """Return the borders of skipped ranges of B, int64, from the kinds of its positions."""
    borders: Counts = np.flatnonzero(np.diff((kinds & KIND) == LEFT_OUT, prepend=False, append=False))
    return borders


def _sorted(job: ExactMatchesJob) -> Generator[Event, None, SortedKmers]:
    n, m = int(job.a.size), int(job.b.size)
    size = n + m + 1 + 2 * PAD
    text, complement = np.full(size, OF_B, np.uint8), np.full(size, OF_COMPLEMENT, np.uint8)
    text[:PAD], text[PAD + n] = OF_A, BETWEEN
    codes = nucleotide_codes()
    for letters, other, at in ((job.a, OF_A, PAD), (job.b, OF_B, PAD + n + 1)):

        def write(first: int, last: int, letters: Letters = letters, other: int = other, at: int = at) -> None:
            some = as_writable(letters[first:last])
            kmer_sort.write_codes(some, codes, other, text, complement, at + first)

        yield from _mapped(job, "codes", CODES, write, int(letters.size), PIECE_LETTERS)
    kinds = np.zeros(size, np.uint8)
    bucket_bits = min(MAX_BUCKET_BITS, max(1, size.bit_length() - BUCKET_KMERS_BITS))
    place_bits, roll = (2 * size).bit_length(), kmer_sort.roll_table(job.k)
    heads = np.zeros((-(-size // PIECE_LETTERS), 1 << bucket_bits), np.int64)
    entries = np.empty(0, np.uint64)

    def place(first: int, last: int) -> None:
        arrays = heads[first // PIECE_LETTERS], entries, kinds, fill
        kmer_sort.place_kmers(text, first, last, job.k, roll, bucket_bits, place_bits, *arrays)

    fill = False
    yield from _mapped(job, "k-mers", COUNTS, place, size, PIECE_LETTERS)
    counts, fill = heads, True
    ends = np.cumsum(counts.sum(axis=0))
    heads = np.cumsum(counts, axis=0) - counts + (ends - counts.sum(axis=0))
    entries = np.empty(int(ends[-1]), np.uint64)
    yield from _mapped(job, "k-mers", PLACES, place, size, PIECE_LETTERS)
    largest = int(np.diff(ends, prepend=0).max())

    def sort(first: int, last: int) -> None:
        kmer_sort.sort_entries(entries, ends, first, last, np.empty(largest, np.uint64), np.zeros(4097, np.int64))

    yield from _mapped(job, "k-mer sort", SORTED, sort, ends.size, _buckets_at_once(ends))
    return SortedKmers(text, complement, kinds, entries, ends, place_bits)


def _mapped(
    job: ExactMatchesJob, kernel: str, part: tuple[int, int], task: Piece[T], size: int, piece: int
) -> Generator[Event, None, list[T]]:
    """Run ``map_ranges`` as ``part`` (%) of the job; the events have the progress of the whole job."""
    done, (low, high) = list[int](), part

    def counted(first: int, last: int) -> T:
        result = task(first, last)
        done.append(last - first)
        return result

    steps = map_ranges(job.step, kernel, counted, size, piece, job.threads or cores())
    try:
        while True:
            yield next(steps)
            share = low + (high - low) * sum(done) / max(1, size)
            yield job.step.progress("k-mers", round(share * job.n_letters / 100), job.n_letters, "letters")
    except StopIteration as end:
        results: list[T] = end.value
        return results
    finally:
        steps.close()


def _buckets_at_once(ends: Counts) -> int:
    return max(1, ends.size * PIECE_LETTERS // max(int(ends[-1]), 1))


def _mark(job: ExactMatchesJob, kmers: SortedKmers, copies: int) -> Generator[Event, None, int]:
    """Return how many positions of A are skipped with at most ``copies`` copies."""
    ends, n = kmers.ends, int(job.a.size)

    def mark(first: int, last: int) -> int:
        lo, hi = int(ends[first - 1]) if first else 0, int(ends[last - 1])
        some = kmers.text, kmers.complement, n, job.k, kmers.place_bits, copies, kmers.kinds
        return int(kmer_sort.mark_kinds(kmers.entries, lo, hi, *some))

    left_out = yield from _mapped(job, "k-mers", KINDS, mark, ends.size, _buckets_at_once(ends))
    return sum(left_out)


def _extend(job: ExactMatchesJob, kmers: SortedKmers) -> Generator[Event, None, Counts | None]:
    """Return all matches, int64, shape (5, matches), unsorted; None if too many."""
    ends, n, pieces, total = kmers.ends, int(job.a.size), list[Counts](), [0]

    def extend(first: int, last: int) -> None:
        at, hi = int(ends[first - 1]) if first else 0, int(ends[last - 1])
        room = np.empty((_ROWS, MATCHES_AT_ONCE), np.int64)
        some = kmers.text, kmers.complement, n, job.k, kmers.place_bits, kmers.kinds
        while at < hi and total[0] <= job.max_matches:
            at, n_found = extend_seeds.extend_seeds(kmers.entries, at, hi, *some, room)
            if at < hi and not n_found:
                room = np.empty((_ROWS, 2 * room.shape[1]), np.int64)
            pieces.append(room[:, :n_found].copy())
            total[0] += n_found

    yield from _mapped(job, "exact matches", MATCHES, extend, ends.size, _buckets_at_once(ends))
    if sum(piece.shape[1] for piece in pieces) > job.max_matches:
        return None
    return np.concatenate(pieces, axis=1) if pieces else np.empty((_ROWS, 0), np.int64)
