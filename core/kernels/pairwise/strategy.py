"""Strategy of LCS and edit distance: choose the way that is likely the fastest, and prove the result.

The order: equal ends (no matrix); diagonals of raw letters, if a likely path is cheap; no common letter (no matrix);
one call for a small matrix; an O(ND) probe; a band, widened to the edits found until it is proven; the whole matrix.
Costs are edits; for the LCS insertions and deletions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from functools import partial
from time import perf_counter
from typing import Any, ClassVar, Generic

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import count_noun
from wavediff.core.jit import background_compile
from wavediff.core.jit.warmup import kernel_name, variant, warm_up
from wavediff.core.jobs.edit_result import BandAttempt, SkipReason
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.pairwise.diagonal_transition.likely_path import likely_cost
from wavediff.core.kernels.pairwise.diagonal_transition.probe import (
    MIN_PROBE_EDITS,
    POINT_SECONDS,
    make_ready,
    name,
    probe,
)
from wavediff.core.kernels.pairwise.estimate import DivergenceRange, estimate_divergence, estimate_threshold
from wavediff.core.kernels.pairwise.look_again import Original, Recheck
from wavediff.core.kernels.pairwise.matrix import DpMatrix, MatrixBackend
from wavediff.core.kernels.pairwise.problem import (
    SHORT_LETTERS,
    B,
    PairProblem,
    ScoreSteps,
    align_without_matrix,
    make_alignment_ready,
)
from wavediff.core.kernels.pairwise.seeds.band_narrowing import MIN_BAND_EDITS, Narrowing
from wavediff.core.kernels.traceback.block_path import mark_front
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.lcs import Strategy

ALIKE_LETTER_SECONDS = 2e-8  # seconds a letter that the points of two that are alike may take: what is saved is more
LOOK_CELLS = 1 << 26  # on a card a matrix of fewer takes little more than to look for a likely path
PROBE_TIME_SHARE = 0.01  # of the time of the whole matrix may go into a probe that fails
ALIKE_CELLS, ALIKE_SHARE = 1 << 27, 0.125  # on the CPU: with fewer edits a letter a band pays from so many cells on
BAND_WORTH = 0.75  # of the matrix's time; a band that takes longer is not tried
MIN_IN_ORDER = 0.9  # of what is shared: where a path holds less, seeds alone say too little of its edits
UNORDERED_MARGIN = 1.5  # times the edits of unrelated letters in place of what no path holds: a band too narrow is lost
NOT_FOUND = -1  # in place of edits, where an attempt was given up
UNCHANGED = DivergenceRange(0.0, 0.0)
TOO_SMALL = "too small for a shortcut to pay"
NOT_COMPILED = "its shortcut is still being compiled, for the next pair"
READY_SECONDS = 1.0  # that the whole matrix may take while the kernel of shortcuts is compiled for the next pair


class PairStrategy(ABC, Generic[B]):
    """One pair, solved by the fastest applicable strategy; subclasses define the method.

    Attributes:
        delta_bits: a zero for each bit of a difference between two cells; see
            ``wavediff.core.kernels.pairwise.blocks.method_dispatch``.
        edits_per_change: cost of one changed letter: a substitution, or a deletion and an insertion.
        max_probe_edits: the memory of a probe's path grows with their square.
        small_key, small_score, small_path: kernels of small matrices, and their cache key.
        skipped: cells not computed, as (reason, blocks, cells). bands: attempted bands.
        claim: kind of score for ``wavediff.core.kernels.pairwise.recompute``.
    """

    delta_bits: ClassVar[tuple[int, ...]]
    edits_per_change: ClassVar[int]
    max_probe_edits: ClassVar[int]
    small_key: ClassVar[str]
    small_score: ClassVar[Any]
    small_path: ClassVar[Any]
    claim: ClassVar[int]

    def __init__(
        self, problem: PairProblem[B], backend: MatrixBackend[B], asked: Strategy, threshold: int | None = None
    ) -> None:
        """Args: ``asked``: the requested strategy; ``threshold``: beyond it a bound of the score is enough."""
        self.problem, self.job, self.backend = problem, problem.job, backend
        self.asked, self.threshold, self.speed = asked, threshold, backend.speed(problem)
        self.n, self.m, self.n_cells = int(problem.a.size), int(problem.b.size), problem.n_cells
        self.skipped: list[tuple[SkipReason, int, int]] = []
        self.bands: list[BandAttempt] = []
        self._takes_no_time = self.n_cells < self.speed.no_band_cells
        few_edits_pay = self.speed.small_cells > 0 and self.n_cells >= ALIKE_CELLS and not self.job.block_rows
        self._weighs_bands = few_edits_pay or not self._takes_no_time
        self._waits, self._bound = False, NOT_FOUND  # for a kernel of shortcuts; what a path costs, once one is found
        self._last: DpMatrix | None = None  # the one that gave the answer

    @staticmethod
    @abstractmethod
    def edits_of(score: int, n: int, m: int) -> int:
        """Convert a score to the number of edits for ``n`` and ``m`` letters."""

    @staticmethod
    @abstractmethod
    def band_reason(basis: str, edits: int, band: tuple[int, int]) -> str:
        """Return the reason for a band; ``basis``: source of the estimate ``edits``; ``band``: outer diagonals."""

    @staticmethod
    def proof(edits: int) -> str:  # noqa: ARG004
        """Return why a band with a path of ``edits`` has the best path; empty if the band's reason says so."""
        return ""

    @abstractmethod
    def score(self, edits: int) -> int:
        """Return the score of the whole sequences."""

    @abstractmethod
    def solve_own(self) -> ScoreSteps | None:
        """Return the edits by a shortcut of the method, or ``NOT_FOUND``; None if the method has no shortcut."""

    @abstractmethod
    def solve_unbanded(self) -> ScoreSteps:
        """Return the edits if stored borders exceed memory, or raise ``NotEnoughMemory``."""

    def is_exact(self, edits: int) -> bool:
        """Return whether ``edits`` is optimal."""
        return (
            self.threshold is None or edits <= self.threshold or self.problem.strategy in ("common-ends", "subsequence")
        )

    def solve(self) -> ScoreSteps:
        """Solve ``problem``: append its path where one is wanted, record strategy and reason, return the edits."""
        problem, asked = self.problem, self.asked
        is_small = self.n_cells <= self.speed.small_cells and not self.job.block_rows
        # The matrix of short ones takes no time, and in blocks that were asked for it shows more.
        few = self.n_cells <= (self.speed.small_cells or LOOK_CELLS) or bool(self.job.block_rows)
        is_short = few and self._takes_no_time and max(problem.whole_a.size, problem.whole_b.size) <= SHORT_LETTERS
        if asked is Strategy.AUTO and (yield from self._shortcuts_would_wait()):
            asked = Strategy.FULL
        if self.n_cells and asked is Strategy.AUTO and not is_short and self.job.path is not TracebackMethod.HIRSCHBERG:
            edits = yield from self._alike()
            if edits != NOT_FOUND:
                return edits
        if self.n_cells:
            yield from problem.encode()
        if not self.n_cells or (not problem.n_shared and self.asked is Strategy.AUTO):
            self.skipped.append((SkipReason.DISJOINT, 0, self.n_cells))
            return (yield from align_without_matrix(problem, substitute=self.edits_per_change == 1))
        own = self.solve_own()
        edits = NOT_FOUND if own is None else (yield from own)
        if edits != NOT_FOUND:
            return edits
        if is_small and asked in (Strategy.AUTO, Strategy.FULL):
            return (yield from self._small())
        yield from self.make_ready()
        edits = NOT_FOUND if asked is Strategy.FULL else (yield from self._similar())
        return edits if edits != NOT_FOUND else (yield from self.full())

    def account(self) -> tuple[list[tuple[SkipReason, int, int]], list[BandAttempt]]:
        """Return the skipped cells (reason, blocks, cells), and the attempted bands.

        Both results use the block map, so call this after the path is drawn on the map.
        """
        if self._last is None:
            return self.skipped, self.bands
        matrix, (outside, through, cells) = self._last, self._last.skipped_blocks()
        lines = [(SkipReason.BAND, outside, self.n_cells - matrix.n_cells), (SkipReason.MONOTONE, through, cells)]
        bands = self.bands
        if self.problem.strategy != "full":
            bands = [*bands[:-1], bands[-1]._replace(cells=matrix.n_cells - cells)]
        return self.skipped + lines, bands

    @property
    def least_edits(self) -> int:
        """Lower bound of the edits: the length difference."""
        return abs(int(self.job.a.size) - int(self.job.b.size))

    @property
    def computed_cells(self) -> int:
        """Computed cells of the matrix with the answer, or 0."""
        return self._last.n_cells if self._last is not None and self._last.share else 0

    def recheck(self, seconds: float) -> Generator[Event, None, Recheck | None]:
        """Verify the source of the answer; the value is the score. None: not possible.

        Args:
            seconds: expected for the job.
        """
        problem, job = self.problem, self.job
        if problem.look_again is None:
            return None
        a = job.a[problem.prefix : job.a.size - problem.suffix]
        b = job.b[problem.prefix : job.b.size - problem.suffix]
        again = yield from problem.look_again(problem.step, Original(a, b, job.fold_case), seconds)
        if again is None:
            return None
        return again._replace(value=self.score(self.edits_of(again.value, self.n, self.m)))

    def _shortcuts_would_wait(self) -> Generator[Event, None, bool]:
        """Return whether the full matrix is faster than compiling the shortcut kernel.

        The kernel is then compiled for the next pair.
        """
        if not self.n_cells or self.n_cells > READY_SECONDS * self.speed.rate:
            return False
        if background_compile.is_available(
            kernel_name("diagonals", variant(name(len(self.delta_bits)), self.problem.a))
        ):
            return False
        yield from self.problem.encode()
        self._waits = self.backend.is_ready(self.problem)
        return self._waits

    def _alike(self) -> ScoreSteps:
        """Return the edits of a heuristic path if they are few, else ``NOT_FOUND``; needs no encoding."""
        problem, longer = self.problem, max(self.n, self.m)
        yield from make_ready(self.problem.step, self.delta_bits, problem.a.dtype.type)
        self._bound = yield from likely_cost(self.problem.step, problem.a, problem.b, self.delta_bits)
        # Half the square of the edits is the points, and of insertions and deletions half of these are skipped.
        points = self._bound * self._bound // (2 * self.edits_per_change)
        if self._bound > self.max_probe_edits or points * POINT_SECONDS > ALIKE_LETTER_SECONDS * longer:
            return NOT_FOUND
        return NOT_FOUND if self._bound == NOT_FOUND else (yield from self._probe(self._bound))

    def _probe(self, limit: int) -> ScoreSteps:
        edits = yield from probe(self.problem, self.delta_bits, limit)
        if edits != NOT_FOUND:
            self.skipped.append((SkipReason.DIAGONALS, 0, self.n_cells))
        return edits

    def make_ready(self) -> Generator[Event, None, None]:
        """Compile (or load) the kernels of matrices and paths."""
        yield from self.backend.make_ready(self.problem)
        if self.problem.wants_path:
            yield from make_alignment_ready(self.problem)

    def _small(self) -> ScoreSteps:
        problem = self.problem
        yield from self._make_small_ready()
        grid, block_map = problem.one_block()
        yield problem.planned("full", TOO_SMALL, block_map, grid, self.n_cells)
        start = perf_counter()
        if not problem.wants_path:
            edits = self.edits_of(int(self.small_score(problem.a, problem.b)), self.n, self.m)
        else:
            ops, lengths, edits = self.small_path(problem.a, problem.b)
            problem.pieces.append((ops, lengths))
        yield self.problem.step.done("blocks", start, 1, self.n_cells)
        return edits

    def _small_edits(self, a: Letters, b: Letters) -> int:
        return self.edits_of(int(self.small_score(a, b)), int(a.size), int(b.size))

    def _make_small_ready(self) -> Generator[Event, None, None]:
        def compute_one_cell() -> None:
            one = self.problem.a[:1]
            self.small_score(one, one)
            self.small_path(one, one)

        yield from warm_up(self.problem.step, "blocks", variant(self.small_key, self.problem.a), compute_one_cell)

    def _similar(self) -> ScoreSteps:
        """Return the edits by a probe or a band, or ``NOT_FOUND`` if the full matrix is likely cheaper."""
        if self._bound != NOT_FOUND:
            return (yield from self._bands(UNCHANGED, 0))
        divergence: DivergenceRange | None = UNCHANGED
        if self.asked is Strategy.BAND or (self.asked is Strategy.AUTO and self._weighs_bands):
            divergence = yield from estimate_divergence(self.problem)
        limit = self._probe_limit(divergence)
        edits = yield from self._probe(limit)
        return edits if edits != NOT_FOUND else (yield from self._bands(divergence, limit))

    def _probe_limit(self, divergence: DivergenceRange | None) -> int:
        """Return the maximum edits for which a probe pays off, or 0."""
        if self.asked is Strategy.BAND or divergence is None:
            return 0
        if self.asked is Strategy.DIAGONALS:
            return min(self.n + self.m, self.max_probe_edits)
        # A probe has a point for each diagonal, and for insertions and deletions only for every other.
        seconds = self.edits_per_change * PROBE_TIME_SHARE * self.n_cells / self.speed.rate
        limit = min(max(int((seconds / POINT_SECONDS) ** 0.5), MIN_PROBE_EDITS), self.n + self.m, self.max_probe_edits)
        return limit if divergence.high * min(self.n, self.m) <= limit else 0  # it would hardly reach the end

    def _bands(self, divergence: DivergenceRange | None, probed: int) -> ScoreSteps:
        """Return the edits of the first band with a proven result; ``NOT_FOUND`` if the full matrix is likely cheaper.

        Args:
            divergence: None without shared seeds.
            probed: edits known to be too few; 0: not tried.
        """
        worth = BAND_WORTH if self.asked is Strategy.AUTO else None
        n, m, bound = self.n, self.m, self._bound
        if worth is not None and self._takes_no_time:
            few = ALIKE_SHARE * max(n, m) - abs(n - m) if self._weighs_bands else NOT_FOUND
            if divergence is None or max(bound, self.edits_per_change * divergence.high * min(n, m)) > few:
                return NOT_FOUND
        if bound != NOT_FOUND:
            edits, basis = bound, f"a path of {count_noun(bound, 'edit')} was found"
        elif divergence is None:
            yield from self._make_small_ready()
            edits = yield from estimate_threshold(self.problem, self._small_edits)
            basis = "no seed is shared, and furthest-reaching points tell how much is changed"
        else:
            edits = int(self.edits_per_change * divergence.high * min(n, m)) + abs(n - m)
            basis = f"seeds say about {divergence.high:.2%} is changed"
        if bound == NOT_FOUND and self.job.in_order < MIN_IN_ORDER:
            yield from self._make_small_ready()
            unlike = yield from estimate_threshold(self.problem, self._small_edits, unlike=True)
            share = min(1.0, UNORDERED_MARGIN * (1 - self.job.in_order))
            edits = max(edits, int(share * unlike))
            basis = f"no path holds more than {self.job.in_order:.0%} of what is shared"
        threshold, has_path = max(edits, 2 * probed, abs(n - m) + MIN_BAND_EDITS), bound != NOT_FOUND
        narrowing = Narrowing(self.problem, self.backend, len(self.delta_bits), alike=divergence is not None)
        while True:
            threshold, band, margin = yield from narrowing.band(threshold, found=has_path)
            reason = self.band_reason(basis, threshold, band)
            if margin is not None:
                reason = f"{reason}; the band has up to {margin:,} diagonals on either side of the seeds"
            expected = 0 if divergence is None else threshold
            edits = yield from self.compute("band", reason, band, threshold, worth, expected)
            if edits == NOT_FOUND or edits <= threshold:
                if edits != NOT_FOUND and (proof := self.proof(edits)):
                    self.problem.reason = and_more(self.problem.reason, proof)
                return edits
            # The path found is an upper bound: a band that holds it holds the best.
            threshold, has_path, basis = edits, True, f"a path of {count_noun(edits, 'edit')} was found"

    def full(self, reason: str = "as chosen") -> ScoreSteps:
        """Return the edits by the whole matrix."""
        if self.asked is Strategy.AUTO:
            reason = TOO_SMALL if self._takes_no_time else "too different for a shortcut to pay"
            reason = NOT_COMPILED if self._waits else reason
        edits = yield from self.compute("full", reason)
        return edits if edits != NOT_FOUND else (yield from self.solve_unbanded())

    def compute(
        self,
        strategy: str,
        reason: str,
        band: tuple[int, int] | None = None,
        threshold: int | None = None,
        worth: float | None = None,
        expected: int = 0,
    ) -> ScoreSteps:
        """Compute the matrix or a band; trace back if the result is proven, or a bound is enough.

        Args:
            band, threshold: diagonals of all paths with at most ``threshold`` edits; None for the whole matrix.
            worth: maximum time of the band as a share of the matrix; None: no limit.
            expected: edits; 0: unknown.

        Returns:
            The edits found, or ``NOT_FOUND`` if the band is too slow or its borders exceed memory.
        """
        problem, job = self.problem, self.job
        matrix = yield from self.backend.matrix(problem, band, expected)
        if matrix is None or (worth is not None and matrix.share > worth):
            return NOT_FOUND
        if problem.common > problem.prefix:
            front = problem.common - problem.prefix
            problem.mark_prefix = partial(mark_front, matrix.block_map, matrix.grid, front)
        reason = and_more(reason, matrix.rounding(job.block_rows, job.block_cols))
        yield problem.planned(
            strategy,
            reason,
            matrix.block_map,
            matrix.grid,
            matrix.n_cells,
            band=band,
            threshold=threshold,
            record=matrix.record,
            kept=matrix.kept,
        )
        traced = yield from matrix.solve(problem.step, problem.pieces if problem.wants_path and band is None else None)
        if matrix.n_skipped:
            yield problem.step.took("skipped", 0.0, 0, matrix.n_skipped)
        edits = self.edits_of(matrix.value(), self.n, self.m)
        if band is not None and threshold is not None:
            self.bands.append(BandAttempt(threshold, *band, edits, matrix.n_cells - matrix.n_skipped))
            if edits > threshold and self.threshold is None:
                return edits
        self._last, problem.look_again = matrix, matrix.recheck
        if problem.wants_path and not traced:
            yield from matrix.trace(problem.step, problem.pieces)
        return edits


def and_more(reason: str, more: str) -> str:
    """Append ``more`` to ``reason``, if any."""
    return f"{reason}; {more}" if more else reason
