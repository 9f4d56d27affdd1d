"""Shared unique k-mers of two DNA sequences: seconds for chromosomes, milliseconds for plasmids.

In long sequences only k-mers whose hash is a multiple of a power of two are used, i.e. all occurrences of a k-mer or
none (as in Ondov and others 2016). So the table of the shorter sequence stays small, and the share of common k-mers is
estimated without bias.

A k-mer and its reverse complement have the same key, the smaller of their codes, so one pass over each sequence finds
the seeds of both strands. A k-mer that equals its reverse complement has no strand and is skipped.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jobs.events import Event
from wavediff.core.methods.base import SHORT_LETTERS
from wavediff.core.screening.nucleotides import NO_CODE, nucleotide_codes
from wavediff.core.screening.shared_kmers import ScreenJob, SharedKmers, strand_seeds

SHORT_K, LONG_K, LONG_LETTERS = 16, 24, 1_000_000  # letters of the longer sequence from which k is LONG_K
MAX_INSERTED = 1 << 18  # approximate k-mers of the shorter sequence in the table
MAX_LOOKED_UP = 1 << 24  # approximate k-mers of the longer sequence to look up
MAX_COUNTED = 1 << 20  # approximate letters to estimate the composition
SLICE_LETTERS = 1 << 21  # letters between two checks for a stop


def run(job: ScreenJob) -> Generator[Event, None, SharedKmers]:
    """Compute ``job``; no seeds for sequences shorter than k, empty, or all N."""
    codes = nucleotide_codes()
    n, m = int(job.a.size), int(job.b.size)
    short, long = (job.a, job.b) if n <= m else (job.b, job.a)
    k = SHORT_K if long.size < LONG_LETTERS else LONG_K
    sampled, start = sampling(int(short.size), int(long.size)), perf_counter()
    if long.size <= SHORT_LETTERS:
        of_short, of_long, n_unique = _of_short(short, long, codes, k)
    else:
        of_short, of_long, n_unique = yield from _of_long(job, short, long, codes, k, sampled)
        start = perf_counter()
    of_a, of_b = (of_short, of_long) if n <= m else (of_long, of_short)
    minus = ((of_a ^ of_b) & 1).astype(bool)
    of_a, of_b = of_a >> 1, of_b >> 1
    chance = _expected(job.a, job.b, codes, k)
    plus = strand_seeds(n, m, of_a[~minus], of_b[~minus], chance[0] / sampled)
    reversed_ = strand_seeds(n, m, of_a[minus], m - k - of_b[minus], chance[1] / sampled)
    kmers = SharedKmers(n, m, k, sampled, n_unique, plus, reversed_)
    yield job.step.done("screening", start)
    return kmers


def sampling(shorter: int, longer: int) -> int:
    """Return the power of two that sampled k-mer hashes are multiples of."""
    sampled = 1
    while shorter > MAX_INSERTED * sampled or longer > MAX_LOOKED_UP * sampled:
        sampled *= 2
    return sampled


def _of_short(short: Letters, long: Letters, codes: Letters, k: int) -> tuple[Counts, Counts, int]:
    """Return the positions of shared k-mers in both, by a table, and the number unique in the shorter."""
    keys, places = _unique(short, codes, k)
    others, met = _unique(long, codes, k)
    _, at, of = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
    return places[at], met[of], int(keys.size)


def _unique(text: Letters, codes: Letters, k: int) -> tuple[Words, Counts]:
    """Return the canonical k-mers unique in ``text``, ascending, with positions."""
    known = codes[text]
    n = max(text.size - k + 1, 0)
    forward, backward, wrong = np.zeros(n, np.uint64), np.zeros(n, np.uint64), np.zeros(n, np.bool_)
    for at in range(k if n else 0):
        wrong |= known[at : at + n] == NO_CODE
        code = (known[at : at + n] & 3).astype(np.uint64)
        forward |= code << np.uint64(2 * (k - 1 - at))
        backward |= (np.uint64(3) - code) << np.uint64(2 * at)
    has_strand = ~wrong & (forward != backward)
    places = (2 * np.arange(n) + (backward < forward))[has_strand]
    keys, first, counts = np.unique(np.minimum(forward, backward)[has_strand], return_index=True, return_counts=True)
    return keys[counts == 1], places[first[counts == 1]]


def _of_long(
    job: ScreenJob, short: Letters, long: Letters, codes: Letters, k: int, sampled: int
) -> Generator[Event, None, tuple[Counts, Counts, int]]:
    from wavediff.core.screening import kmer_table  # compiled; short ones need no compiled code

    yield from kmer_table.make_ready(job.step)
    keys, places = kmer_table.table(int(short.size) // sampled)
    met, used = np.full(places.size, kmer_table.EMPTY, np.int64), 0
    for text, insert in ((short, True), (long, False)):
        for lo in range(0, text.size, SLICE_LETTERS):
            start, hi = perf_counter(), lo + SLICE_LETTERS
            used = kmer_table.scan_kmers(text, lo, hi, codes, k, sampled, keys, places, met, used, insert)
            yield job.step.done("screening", start)
    shared = met >= 0
    return places[shared], met[shared], int(np.count_nonzero(places >= 0))


def _expected(a: Letters, b: Letters, codes: Letters, k: int) -> tuple[float, float]:
    """Return the expected number of k-mers shared by chance on each strand of B."""
    some = [codes[letters[:: 1 + letters.size // MAX_COUNTED]] for letters in (a, b)]
    shares = [np.bincount(letters, minlength=NO_CODE + 1)[:NO_CODE] / max(letters.size, 1) for letters in some]
    pairs = float(a.size) * float(b.size)
    return pairs * float(shares[0] @ shares[1]) ** k, pairs * float(shares[0] @ shares[1][::-1]) ** k
