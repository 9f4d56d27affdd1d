"""Find the shared unique k-mers of two DNA sequences: seconds for chromosomes, milliseconds for plasmids.

Of long sequences only k-mers whose hash is a multiple of a power of two are looked at, all occurrences of one or none
(as in Ondov and others 2016), so that the table of the shorter one stays small and the shares stay as they are.

Hash table of the canonical k-mers of one DNA sequence, and where another one has them.

Of a k-mer and its reverse complement the smaller word stands for both, so one pass over each sequence finds the seeds
of both strands. A k-mer that is its own reverse complement has no strand and is left out.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, Words
from wavediff.core.jit.decorators import jit, jit_callee_no_nrt
from wavediff.core.jit.warmup import warm_up
from wavediff.core.jobs.events import Event
from wavediff.core.screening.nucleotides import NO_CODE, nucleotide_codes
from wavediff.core.screening.shared_kmers import ScreenJob, SharedKmers, strand_seeds

EMPTY, MANY = -1, -2  # instead of a place: none, and more than one
_PRIME = np.uint64(0x9E3779B97F4A7C15)
SHORT_K, LONG_K, LONG_LETTERS = 16, 24, 1_000_000  # k-mers of LONG_K from so many letters on, of the longer one
MAX_INSERTED = 1 << 18  # k-mers of the shorter sequence in the table, about
MAX_LOOKED_UP = 1 << 24  # k-mers of the longer sequence that are looked up, about
SLOTS_PER_KMER = 4
MAX_COUNTED = 1 << 20  # letters that tell the composition, about
SLICE_LETTERS = 1 << 21  # letters between two looks at whether to go on
KEY = "screening"


def run(job: ScreenJob) -> Generator[Event, None, SharedKmers]:
    """Compute ``job``; sequences shorter than k, without letters or with N alone have no seeds."""
    codes = nucleotide_codes()
    tiny = np.zeros(1, np.uint8)

    def rehearse() -> None:
        keys, places = _table(1)
        scan_kmers(tiny, 0, 1, codes, 1, 1, keys, places, places.copy(), 0, True)

    yield from warm_up(job.step, "screening", KEY, rehearse)
    n, m = int(job.a.size), int(job.b.size)
    short, long = (job.a, job.b) if n <= m else (job.b, job.a)
    k = SHORT_K if long.size < LONG_LETTERS else LONG_K
    sampled = sampling(int(short.size), int(long.size))
    keys, places = _table(int(short.size) // sampled)
    met, used = np.full(places.size, EMPTY, np.int64), 0
    for text, insert in ((short, True), (long, False)):
        for lo in range(0, text.size, SLICE_LETTERS):
            start, hi = perf_counter(), lo + SLICE_LETTERS
            used = scan_kmers(text, lo, hi, codes, k, sampled, keys, places, met, used, insert)
            yield job.step.done("screening", start)
    start = perf_counter()
    shared = met >= 0
    of_a, of_b = (places[shared], met[shared]) if n <= m else (met[shared], places[shared])
    minus = ((of_a ^ of_b) & 1).astype(bool)
    of_a, of_b = of_a >> 1, of_b >> 1
    chance = _expected(job.a, job.b, codes, k)
    plus = strand_seeds(n, m, of_a[~minus], of_b[~minus], chance[0] / sampled)
    reversed_ = strand_seeds(n, m, of_a[minus], m - k - of_b[minus], chance[1] / sampled)
    found = SharedKmers(n, m, k, sampled, int(np.count_nonzero(places >= 0)), plus, reversed_)
    yield job.step.done("screening", start)
    return found


def sampling(shorter: int, longer: int) -> int:
    """Return the power of two of which a k-mer's hash must be a multiple, for sequences of these lengths."""
    sampled = 1
    while shorter > MAX_INSERTED * sampled or longer > MAX_LOOKED_UP * sampled:
        sampled *= 2
    return sampled


def _table(n_kmers: int) -> tuple[Words, Counts]:
    size = 1 << max(4, (SLOTS_PER_KMER * n_kmers).bit_length())
    return np.zeros(size, np.uint64), np.full(size, EMPTY, np.int64)


def _expected(a: Letters, b: Letters, codes: Letters, k: int) -> tuple[float, float]:
    """Return how many k-mers unrelated letters of the two compositions share on each strand of B, about.

    Two letters are equal with the sum of the products of their shares; two k-mers with that to the power of k.
    """
    some = [codes[one[:: 1 + one.size // MAX_COUNTED]] for one in (a, b)]
    shares = [np.bincount(one, minlength=NO_CODE + 1)[:NO_CODE] / max(one.size, 1) for one in some]
    pairs = float(a.size) * float(b.size)
    return pairs * float(shares[0] @ shares[1]) ** k, pairs * float(shares[0] @ shares[1][::-1]) ** k


@jit_callee_no_nrt
def _mixed(key):  # type: ignore[no-untyped-def]
    """Return 64 bits in which each bit of the key counts."""
    mixed = (key + np.uint64(1)) * _PRIME
    mixed ^= mixed >> np.uint64(29)
    mixed *= _PRIME
    return mixed ^ (mixed >> np.uint64(32))


@jit
def scan_kmers(
    text: Letters,
    lo: int,
    hi: int,
    codes: Letters,
    k: int,
    sampled: int,
    keys: Words,
    places: Counts,
    met: Counts,
    used: int,
    insert: bool,
) -> Any:
    """Put the canonical k-mers that begin in ``text[lo:hi]`` into the table, or note where those of the table begin.

    A place is told twice as large, and larger by 1 where the reverse complement is the smaller word.

    Args:
        codes: see ``nucleotide_codes``.
        sampled: a power of two: only k-mers whose hash is a multiple of it are looked at.
        keys: uint64, a power of two of slots. places: int64, as many: the place, ``EMPTY`` or ``MANY``.
        met: the same of k-mers that the table has once; written where not to ``insert``.
        used: slots that are taken so far. Once half are, no new k-mer is taken up.

    Returns:
        The slots that are taken.
    """
    mask, top = ~np.uint64(0) >> np.uint64(64 - 2 * k), np.uint64(2 * (k - 1))
    wrap, rest, two = np.uint64(keys.size - 1), np.uint64(sampled - 1), np.uint64(2)
    forward, backward, known = np.uint64(0), np.uint64(0), 0
    for i in range(lo, min(text.size, hi + k - 1)):
        code = codes[text[i]]
        if code == NO_CODE:
            known = 0
            continue
        forward = ((forward << two) | np.uint64(code)) & mask
        backward = (backward >> two) | (np.uint64(3 - code) << top)
        known += 1
        if known < k or forward == backward:
            continue
        key = min(forward, backward)
        mixed = _mixed(key)
        if mixed & rest:
            continue
        slot = (mixed >> np.uint64(24)) & wrap
        while places[slot] != EMPTY and keys[slot] != key:
            slot = (slot + np.uint64(1)) & wrap
        place = 2 * (i - k + 1) + (backward < forward)
        if not insert:
            if places[slot] >= 0:
                met[slot] = place if met[slot] == EMPTY else MANY
        elif places[slot] != EMPTY:
            places[slot] = MANY
        elif 2 * used < keys.size:
            keys[slot] = key
            places[slot] = place
            used += 1
    return used
