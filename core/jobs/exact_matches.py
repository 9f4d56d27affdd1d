"""Exact matches of two DNA sequences on both strands: dots of a dot plot and seeds of collinear blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, log
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, freeze_fields
from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs import Job, KernelModules, Rates, card_limits
from wavediff.core.jobs.choices import MAX_K, MIN_K

MAX_COPIES = 128  # places of a k-mer in A, and in B
MAX_COPIES_LIMIT = 1 << 10
MAX_MATCHES = 1 << 22
MORE_THAN_CHANCE = 6  # letters of a seed beyond those of the longest match by chance
MIN_SEED, MAX_SEED = 11, 24  # letters


def seed_letters(n: int, m: int) -> int:
    """Return the seed length k for dots and blocks, suited to sequences of these lengths."""
    return min(MAX_SEED, max(MIN_SEED, ceil(log(max(n + m, 4), 4)) + MORE_THAN_CHANCE))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MatchingJob(Job):
    """Base of jobs that compute, or start from, the exact matches of ``a`` and other DNA.

    Attributes:
        a: uint8, 1-D, letters as read. Case is ignored, ``U`` is ``T``.
        threads: CPU threads; 0: one per core.
    """

    rates = Rates(6e6, ((1e6, 0.05e9), (5e7, 0.47e9)))

    a: Letters
    max_matches: int = MAX_MATCHES
    threads: int = 0

    @property
    def card_bytes(self) -> int:
        return card_limits.BYTES_MATCHED * self.n_letters + 8 * 5 * self.max_matches

    @property
    def card_limit_reason(self) -> str | None:
        if self.n_letters <= card_limits.MAX_LETTERS:
            return None
        return f"the GPU takes up to {card_limits.MAX_LETTERS:,} letters of both, and these are {self.n_letters:,}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ExactMatchesJob(MatchingJob):
    """Request for the maximal exact matches of at least ``k`` letters, on both strands.

    For a self comparison ``b`` is ``a``: each repeat is found from both of its places, and the whole sequence is a
    match too.

    Attributes:
        a, b: letters; only nucleotides match. A match ends at the end of the file, also in a circle.
        k: letters, ``MIN_K`` to ``MAX_K``.
        max_copies: k-mers with more places in A or B are skipped, 1 to ``MAX_COPIES_LIMIT``.

    Raises:
        ValueError: ``k`` or ``max_copies`` is out of range.
    """

    modules = KernelModules("wavediff.core.kernels.exact_matches.run", "wavediff.gpu.exact_matches.run")

    b: Letters
    k: int = 16
    max_copies: int = MAX_COPIES

    def __post_init__(self) -> None:
        freeze_fields(self)
        if not MIN_K <= self.k <= MAX_K:
            raise ValueError(f"k is {self.k}; it must be {MIN_K} to {MAX_K}")
        if not 1 <= self.max_copies <= MAX_COPIES_LIMIT:
            raise ValueError(f"max_copies is {self.max_copies}; it must be 1 to {MAX_COPIES_LIMIT}")

    @property
    def n_letters(self) -> int:
        return int(self.a.size + self.b.size)


@dataclass(frozen=True, slots=True, eq=False)
class ExactMatches:
    """Maximal exact matches sorted by strand (plus first), diagonal and position in A.

    Letter ``a_starts + i`` of A pairs with letter ``b_starts + i`` of B; on the minus strand with the complement of
    letter ``b_starts + lengths - 1 - i``.

    Attributes:
        n, m: letters of A and B.
        k: letters of a k-mer.
        max_copies: value of the job, reduced if it gave too many matches; 0: even one copy gave too many.
        a_starts, b_starts: int64, shape (matches,): first letter in the file, 0-based, regardless of the strand.
        lengths: int64, shape (matches,): letters, ``k`` or more.
        minus: bool, shape (matches,): B is on the minus strand.
        n_unique: int64, shape (matches,): k-mers of the match that occur once in A and once in B, on both strands
            together.
        n_left_out: places of A skipped because their k-mer, which occurs in B, has more than ``max_copies`` places.
        b_left_out: int64, ascending: first and last border of each range of such places in B.
    """

    n: int
    m: int
    k: int
    max_copies: int
    a_starts: Counts
    b_starts: Counts
    lengths: Counts
    minus: npt.NDArray[Any]
    n_unique: Counts
    n_left_out: int
    b_left_out: Counts = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        freeze_fields(self)

    def __len__(self) -> int:
        return int(self.a_starts.size)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SeededJob(MatchingJob):
    """Base of jobs that start from exact matches and share their rate.

    Attributes:
        k: length of the seeds, 11 to 64; 0: chosen from the lengths of the sequences.

    Raises:
        WavediffError: ``k`` is out of range.
    """

    k: int = 0

    def __post_init__(self) -> None:
        freeze_fields(self)
        if self.k and not MIN_K <= self.k <= MAX_K:
            raise WavediffError(f"seeds have {MIN_K} to {MAX_K} letters, not {self.k}")

    def rated_cells(self, n_cells: float, device: str) -> float:  # noqa: ARG002
        """Return 0: the job reports the cells of its alignments only, not those of the exact matches."""
        return 0.0

    def seeds(self, b: Letters) -> ExactMatchesJob:
        k = self.k or seed_letters(int(self.a.size), int(b.size))
        return ExactMatchesJob(a=self.a, b=b, k=k, threads=self.threads, id=self.id)
