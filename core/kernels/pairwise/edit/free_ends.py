"""Edit distance with free ends: overhanging letters of A, of B or of both cost nothing.

The cells are those of the global distance with other borders (Sellers 1980): if a path may begin in any row, column 0
is all zero. One pass over the matrix gives the cost of every row in the last column, hence the end of the aligned part.
A backward pass from there, limited by its edits, gives the start. The range between is aligned like any other pair:
bands, tracebacks and left alignment need no support of free ends.

The overlap of least cost (``Ends.BOTH``) would be empty. So the one with the largest score is taken: its letters in the
sequence that begins in it, minus ``EDIT_PENALTY`` per edit. A match counts 1, a substitution -2, as in megablast
(Zhang, Schwartz, Wagner, Miller 2000), and more than one edit in three letters has no positive score.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from math import exp
from typing import NamedTuple

import numpy as np

from wavediff.core.base.arrays import BlockMap, Counts, Letters
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Alignment, Op
from wavediff.core.jobs.edit_result import EditResult, Locus, Place
from wavediff.core.jobs.events import Event, EventTotals, Planned, StepDone, pass_on
from wavediff.core.jobs.grid import BlockGrid
from wavediff.core.jobs.results import TieBreak
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.kernels.pairwise.compare import compare
from wavediff.core.kernels.pairwise.edit.last_column import (
    EndBackend,
    best_overlap,
    least,
    make_small_ready,
    small_costs,
)
from wavediff.core.kernels.pairwise.edit.loci import Candidates, find_loci
from wavediff.core.kernels.pairwise.edit.place_check import verify_place
from wavediff.core.kernels.pairwise.edit.strategy import EditStrategy
from wavediff.core.kernels.pairwise.look_again import expected_seconds
from wavediff.core.kernels.pairwise.problem import PairProblem, encode, make_ready
from wavediff.core.kernels.traceback.block_path import mark_path
from wavediff.core.kernels.traceback.tie_rules import Settled
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.free_ends import EDIT_PENALTY, Ends, overlong_text
from wavediff.core.sequences.characters import fold_table
from wavediff.core.sequences.orientation import reverse_complement

LOWER, UPPER = slice(ord("a"), ord("z") + 1), slice(ord("A"), ord("Z") + 1)


def expected_overlaps(a: Letters, b: Letters, score: int, *, fold_case: bool) -> float | None:
    """Return the expected number of random overlaps with at least ``score``.

    After Karlin and Altschul (1990), by substitutions alone, for an overlap that may end at any letter: about right for
    one sequence inside the other, too many for two ends. None if equal letters are so frequent that long random
    overlaps have high scores.

    Args:
        a, b: neither empty.
    """
    size = 1 + int(max(255, a.max(), b.max()))
    counts = [np.bincount(one, minlength=size) for one in (a, b)]
    if fold_case:
        for one in counts:
            one[UPPER] += one[LOWER]
            one[LOWER] = 0
    equal = float((counts[0] / a.size) @ (counts[1] / b.size))
    loss = EDIT_PENALTY - 1
    if equal * 1 >= (1 - equal) * loss:
        return None
    low, high = 0.0, 50.0  # the root of p exp(x) + (1 - p) exp(-loss x) = 1 above 0
    for _ in range(60):
        middle = (low + high) / 2
        if equal * exp(middle) + (1 - equal) * exp(-loss * middle) < 1:
            low = middle
        else:
            high = middle
    return float((a.size + b.size) * exp(-low * score))


MAX_TURNS = 9  # of a large circle that are tried where B is about as long
SMALL_CELLS = 1 << 24  # cells of a stretch about a place, computed in one call: in a millisecond


class _End(NamedTuple):
    """Best end for one relative position of two sequences.

    Attributes:
        score: of an overlap. edits: of the aligned part. row: letters of the rows before its end.
        dovetail: whether the overlap has the start of the rows and the end of the columns; else it has all columns.
        swapped: whether the rows are B and the columns A.
    """

    score: int
    edits: int
    row: int
    dovetail: bool
    swapped: bool


class _Answer(NamedTuple):
    """The best place with its strand of B (1, or -1: reverse complement), and all places within the limit."""

    place: Place
    edits: int
    settled: Settled | None
    score: int = 0
    strand: int = 1
    loci: tuple[Locus, ...] | None = None


def run(job: EditJob, backend: EndBackend) -> Generator[Event, None, EditResult]:
    """Compute ``job`` with free ``ends``.

    Raises:
        SelfCheckFailed: the aligned part and the scan have different costs.
        NotEnoughMemory: the path exceeds memory.
    """
    tally = EventTotals()
    cut = None
    circle = FreeEnds(job, backend)
    if job.circle:
        cut = yield from tally.watch(circle.cut())
        job = replace(job, a=np.roll(job.a, -cut))
    if notice := overlong_text(job):
        yield job.step.notice(notice)
    answer = yield from tally.watch(_best(job, backend) if job.within is None else _all(job, backend))
    checked = yield from tally.watch(verify_place(job, answer.edits, expected_seconds(job.n_cells)))
    chance = None
    if job.ends is Ends.BOTH and answer.score:
        chance = expected_overlaps(job.a, job.b, answer.score, fold_case=job.fold_case)
    return EditResult(
        **tally.fields(job.id, backend.device),
        alignment=None if answer.settled is None else answer.settled.alignment,
        ties=None if answer.settled is None else answer.settled.ties,
        verification=checked,
        strategy="free-ends",
        reason=_REASONS[job.ends],
        n_cells=job.n_cells,
        cells=tally.cells,
        distance=answer.edits,
        exact=circle.is_proven,
        skips=(),
        bands=(),
        place=answer.place,
        strand=answer.strand,
        cut=cut,
        loci=answer.loci,
        score=answer.score if job.ends is Ends.BOTH else None,
        expected_by_chance=chance,
    )


def _best(job: EditJob, backend: EndBackend) -> Generator[Event, None, _Answer]:
    search = FreeEnds(job, backend)
    end = yield from search.best_end()
    place = yield from search.place(end)
    return _Answer(place, end.edits, (yield from search.path(end, place)), end.score)


def _all(job: EditJob, backend: EndBackend) -> Generator[Event, None, _Answer]:
    """Return all places within the limit of edits, and the best place; ties: the forward strand, then the first place.

    If no place is within the limit, the best place exceeds it and has no alignment.
    """
    n, m = int(job.a.size), int(job.b.size)
    strands = {1: FreeEnds(job, backend)}
    other = np.frombuffer(reverse_complement(job.b.tobytes()), np.uint8)
    folding = fold_table(job.fold_case)
    # Of a palindrome both strands are the same places.
    if job.both_strands and not np.array_equal(folding[other], folding[job.b]):
        strands = {-1: FreeEnds(replace(job, b=other), backend), **strands}  # the map shows the last one
    ends: dict[int, _End] = {}
    loci: list[tuple[Locus, TieBreak | None]] = []
    for strand, search in strands.items():
        ends[strand] = yield from search.best_end()
        loci += yield from search.loci(strand)
    if not loci:
        strand = min(ends, key=lambda one: (ends[one].edits, -one))
        return _Answer((yield from strands[strand].place(ends[strand])), ends[strand].edits, None, 0, strand, ())
    loci.sort(key=lambda one: (one[0].a_start, one[0].a_end, -one[0].strand))
    best, ties = min(loci, key=lambda one: (one[0].edits, -one[0].strand))
    place, settled = Place(best.a_start, best.a_end, 0, m), None
    if best.alignment is not None and ties is not None:
        settled = Settled(with_overhang(best.alignment, place, n, m), ties)
    return _Answer(place, best.edits, settled, 0, best.strand, tuple(one for one, _ in loci))


_REASONS = {
    Ends.A: "every cell for where B ends in A, then the part that was found",
    Ends.B: "every cell for where A ends in B, then the part that was found",
    Ends.BOTH: "every cell for each way in which A and B can overlap, then the part that was found",
}


class FreeEnds:
    """One pair with free ends, and its block map."""

    def __init__(self, job: EditJob, backend: EndBackend) -> None:
        self.job = replace(job, ends=Ends.NONE, within=None, both_strands=False, circle=False)
        self.backend = backend
        self.ends = job.ends
        self._candidates = None if job.within is None else Candidates(job.within)
        self._map: tuple[BlockMap, BlockGrid] | None = None
        self.is_proven = True  # False where not all turns of a circle were tried

    def cut(self) -> Generator[Event, None, int]:
        """Return an origin of the circle A that the best place does not span.

        Only letters around a cut are examined. If the best place there spans the cut, the circle is cut at the start of
        that place; a place across the new cut has fewer edits or is not needed.
        """
        a, guest = self.job.a, self.job.b
        n, reach = int(a.size), min(2 * int(guest.size), int(a.size))
        cut, fewest = 0, int(guest.size) + 1
        self.is_proven = True
        while True:
            around = np.take(a, np.arange(cut - reach, cut + reach), mode="wrap")
            edits, end = least((yield from self.part_column(around, guest, free_rows=True)), int(guest.size))
            start, end = yield from self.extent(around, guest, end, edits)
            if edits >= fewest or not start < reach < end:
                return cut
            if end - start > n:  # it meets some letters of the circle twice
                return (yield from self._best_turn(cut - reach + start, cut - reach + end - n, edits))
            cut, fewest = (cut - reach + max(start, end - n)) % n, edits

    def _best_turn(self, first: int, last: int, bound: int) -> Generator[Event, None, int]:
        """Return the origin of the circle for which B fits best.

        Args:
            first, last: likely range of the start. bound: lower bound of the edits; reaching it proves the result.
        """
        a, guest = self.job.a, self.job.b
        n = int(a.size)
        if n * n * int(guest.size) <= SMALL_CELLS:
            turns = np.arange(first, first + n)
        else:
            turns = np.unique(np.linspace(first, last, MAX_TURNS).astype(np.int64))
        best, fewest = first, n + int(guest.size)
        for turn in turns.tolist():
            edits, _ = least((yield from self.part_column(np.roll(a, -turn), guest, free_rows=True)), int(guest.size))
            if edits < fewest:
                best, fewest = turn, edits
            if fewest == bound:
                break
        self.is_proven = fewest == bound or turns.size == n
        return best % n

    def best_end(self) -> Generator[Event, None, _End]:
        if self.ends is Ends.BOTH:
            return (yield from self._overlap())
        return (yield from self._inside(swapped=self.ends is Ends.B))

    def path(self, end: _End, place: Place) -> Generator[Event, None, Settled | None]:
        """Return the global alignment, or None if not requested."""
        job = self.job
        if job.path is TracebackMethod.NONE:
            return None
        part = yield from self.aligned(
            job.a[place.a_start : place.a_end], job.b[place.b_start : place.b_end], end.edits
        )
        self._mark(part.alignment, place.a_start, place.b_start)
        whole = with_overhang(part.alignment, place, int(job.a.size), int(job.b.size))
        return Settled(whole, part.ties)

    def loci(self, strand: int) -> Generator[Event, None, list[tuple[Locus, TieBreak | None]]]:
        """Return the places of all of B in A within the limit; the best end is known."""
        job, loci = self.job, []
        assert self._candidates is not None
        for start, end, edits in (yield from find_loci(self, job.a, job.b, self._candidates)):
            part = None
            if job.path is not TracebackMethod.NONE:
                part = yield from self.aligned(job.a[start:end], job.b, edits)
                self._mark(part.alignment, start, 0)
            alignment, ties = (None, None) if part is None else part
            loci.append((Locus(strand, start, end, edits, alignment), ties))
        return loci

    def _mark(self, part: Alignment, i: int, j: int) -> None:
        """Mark the blocks on a part that begins at a node."""
        if self._map is None or not part.ops.size or not self._map[0].size:
            return
        steps = (np.cumsum(part.lengths * consumes[part.ops]) for consumes in (CONSUMES_A, CONSUMES_B))
        path = np.stack([np.concatenate([[0], step]) for step in steps], axis=1)
        mark_path(*self._map, path + np.array([i, j]))

    def aligned(self, a: Letters, b: Letters, edits: int) -> Generator[Event, None, Settled]:
        """Return the global alignment of a part, which must have ``edits`` edits."""
        part = replace(self.job, a=a, b=b)
        strip = part.band is BandMode.AUTO
        answer = yield from pass_on(compare(part, self.backend, EditStrategy, strip=strip), _of_part)
        if answer.score != edits:
            raise SelfCheckFailed(
                f"the part that was found with {edits:,} edits has {answer.score:,} when it is aligned; "
                "the result was discarded"
            )
        return Settled(answer.fields["alignment"], answer.fields["ties"])

    def _pair(self, swapped: bool) -> tuple[Letters, Letters]:
        return (self.job.b, self.job.a) if swapped else (self.job.a, self.job.b)

    def _overlap(self) -> Generator[Event, None, _End]:
        """Return the overlap with the largest score; ties: containment, then the end of A on the start of B."""
        overlaps = [(yield from self._dovetail(swapped=True)), (yield from self._dovetail(swapped=False))]
        for swapped in (True, False):
            host, guest = self._pair(swapped)
            # As many edits as the guest is longer are sure.
            if guest.size > EDIT_PENALTY * max(0, int(guest.size) - int(host.size)):
                overlaps.insert(0, (yield from self._inside(swapped=swapped)))
        best = max(overlaps, key=lambda overlap: overlap.score)
        return best if best.score > 0 else _End(0, 0, 0, True, True)

    def _inside(self, *, swapped: bool) -> Generator[Event, None, _End]:
        """Return the first row with the fewest edits for all column letters."""
        host, guest = self._pair(swapped)
        columns = yield from self.last_column(host, guest, free_rows=True, swapped=swapped)
        if self._candidates is not None:
            columns = self._candidates.watch(columns)
        edits, row = least(columns, int(guest.size))
        return _End(int(guest.size) - EDIT_PENALTY * edits, edits, row, False, swapped)

    def _dovetail(self, *, swapped: bool) -> Generator[Event, None, _End]:
        """Return the best overlap of the columns' suffix with the rows' prefix."""
        second, first = self._pair(swapped)
        # It has less than an edit in EDIT_PENALTY letters of ``second``: no more letters than that can be in it.
        reach = int(first.size) * EDIT_PENALTY // (EDIT_PENALTY - 1) + 1
        back = int(second.size) * (EDIT_PENALTY + 1) // EDIT_PENALTY + 1
        skipped = max(0, int(first.size) - back)
        columns = yield from self.last_column(
            second[:reach], first[skipped:], free_columns=True, swapped=swapped, skipped=skipped
        )
        return _End(*best_overlap(columns), True, swapped)

    def place(self, end: _End) -> Generator[Event, None, Place]:
        """Return the aligned part that ends at ``end``."""
        rows, columns = self._pair(end.swapped)
        if end.dovetail:
            tail = _reversed(columns[max(0, int(columns.size) - end.row - end.edits) :])
            n = yield from self._longest(tail, _reversed(rows[: end.row]), end.edits)
            in_rows, in_columns = (0, end.row), (int(columns.size) - n, int(columns.size))
        else:
            in_rows, in_columns = (yield from self.extent(rows, columns, end.row, end.edits)), (0, int(columns.size))
        return Place(*in_columns, *in_rows) if end.swapped else Place(*in_rows, *in_columns)

    def extent(self, host: Letters, guest: Letters, end: int, edits: int) -> Generator[Event, None, tuple[int, int]]:
        """Return the range of ``host`` that ends at ``end`` with ``edits`` edits: leftmost start, then rightmost
        end.
        """
        reach = int(guest.size) + edits
        back = yield from self._longest(_reversed(host[max(0, end - reach) : end]), _reversed(guest), edits)
        start = end - back
        forth = yield from self._longest(host[start : start + reach], guest, edits)
        return start, start + forth

    def _longest(self, host: Letters, guest: Letters, edits: int) -> Generator[Event, None, int]:
        """Return the longest prefix of ``host`` with ``edits`` edits against all of ``guest``."""
        columns = yield from self.part_column(host, guest)
        longest, row = -1, 1
        if int(guest.size) == edits:
            longest = 0
        for costs in columns:
            those = np.flatnonzero(costs == edits)
            longest = row + int(those[-1]) if those.size else longest
            row += int(costs.size)
        if longest < 0:
            raise SelfCheckFailed(
                f"{edits:,} edits of {guest.size:,} letters were not found again from the other end; "
                "the result was discarded"
            )
        return longest

    def last_column(
        self,
        rows: Letters,
        columns: Letters,
        *,
        free_rows: bool = False,
        free_columns: bool = False,
        swapped: bool = False,
        skipped: int = 0,
    ) -> Generator[Event, None, Iterable[Counts]]:
        """Yield the costs of rows 1 to n in the last column, in chunks; the map shows the matrix.

        Args:
            free_rows, free_columns: a path may begin in any row of column 0, in any column of row 0, at no cost.
            swapped: the rows are letters of B. skipped: preceding columns left out.
        """
        job = replace(self.job, a=rows, b=columns)
        yield from make_ready(job)
        problem = yield from encode(job, strip=False)
        small = problem.n_cells <= self.backend.speed(problem).small_cells and not job.block_rows
        if small or not problem.n_cells:
            yield from make_small_ready(job.step, problem.a.dtype.type)
            yield self._planned(problem, *problem.one_block(), problem.n_cells, swapped, skipped)
            costs = yield from small_costs(problem, free_rows, free_columns)
            problem.finish(path=False)
            return [costs]
        matrix = yield from self.backend.end_matrix(problem, free_rows=free_rows, free_columns=free_columns)
        yield self._planned(
            problem, matrix.grid, matrix.block_map, matrix.n_cells, swapped, skipped, record=matrix.record
        )
        try:
            yield from matrix.compute(job.step)
        finally:  # until then the kernel writes it
            if swapped and matrix.record is not None:
                matrix.record.transpose()
        return matrix.last_column()

    def part_column(
        self, rows: Letters, columns: Letters, *, free_rows: bool = False
    ) -> Generator[Event, None, Iterable[Counts]]:
        """Return the same as ``last_column`` for a part, without a map."""
        return (yield from pass_on(self._part_column(replace(self.job, a=rows, b=columns), free_rows), _of_part))

    def _part_column(self, job: EditJob, free_rows: bool) -> Generator[Event, None, Iterable[Counts]]:
        yield from make_ready(job)
        problem = yield from encode(job, strip=False)
        if problem.n_cells <= SMALL_CELLS:
            yield from make_small_ready(job.step, problem.a.dtype.type)
            return [(yield from small_costs(problem, free_rows, False))]
        matrix = yield from self.backend.end_matrix(problem, free_rows=free_rows, free_columns=False)
        yield from matrix.compute(job.step)
        return matrix.last_column()

    def _planned(
        self,
        problem: PairProblem[EditJob],
        grid: BlockGrid,
        block_map: BlockMap,
        cells: int,
        swapped: bool,
        skipped: int,
        record: RunRecord | None = None,
    ) -> Planned:
        if swapped:  # the map has A's letters down and B's across
            grid, block_map = BlockGrid(grid.n_cols, grid.n_rows, grid.block_cols, grid.block_rows), block_map.T
        self._map = block_map, grid
        plan = problem.planned("free-ends", _REASONS[self.ends], block_map, grid, cells, record=record)
        row0, col0 = (skipped, 0) if swapped else (0, skipped)
        return plan._replace(grid=replace(plan.grid, row0=row0, col0=col0))


def with_overhang(part: Alignment, place: Place, n: int, m: int) -> Alignment:
    """Return ``part`` with the letters of both sequences outside of it as free gaps."""
    head = [(Op.DELETION, place.a_start), (Op.INSERTION, place.b_start)]
    tail = [(Op.DELETION, n - place.a_end), (Op.INSERTION, m - place.b_end)]
    before, behind = ([(op, k) for op, k in runs if k] for runs in (head, tail))
    ops = [*(op for op, _ in before), *part.ops.tolist(), *(op for op, _ in behind)]
    lengths = [*(k for _, k in before), *part.lengths.tolist(), *(k for _, k in behind)]
    return Alignment(np.array(ops, np.uint8), np.array(lengths, np.int64), head_runs=len(before), tail_runs=len(behind))


def _reversed(letters: Letters) -> Letters:
    return np.ascontiguousarray(letters[::-1])


def _of_part(event: Event) -> Event | None:
    """Convert an event of a part to the whole job: plans are dropped, and cells counted under a separate kernel."""
    if isinstance(event, StepDone) and event.kernel == "blocks":
        return event._replace(kernel="part")
    return None if isinstance(event, Planned) else event
