"""Matrix on the card (``wavediff.core.kernels.pairwise.matrix``), for both methods."""

from __future__ import annotations

from collections.abc import Generator
from typing import ClassVar, Generic

from wavediff.core.base.arrays import BlockMap, Counts, Letters, Ops
from wavediff.core.base.errors import DeviceOutOfMemory, error_location
from wavediff.core.jobs.card_limits import pair_is_shared
from wavediff.core.jobs.events import Event, NoticeRaised, Step
from wavediff.core.jobs.grid import BlockGrid, SkippedBlocks
from wavediff.core.jobs.run_record import RunRecord
from wavediff.core.kernels.pairwise.blocks import tile_traceback
from wavediff.core.kernels.pairwise.look_again import NotLookedAt
from wavediff.core.kernels.pairwise.matrix import BackendSpeed, DpMatrix
from wavediff.core.kernels.pairwise.problem import B, PairProblem
from wavediff.gpu.card.cuda import Card, OtherCards, no_others
from wavediff.gpu.pairwise.diagonal_transition.diagonal_band import band_seconds, instead_of_strips
from wavediff.gpu.pairwise.strips.card_strips import CardStrips
from wavediff.gpu.pairwise.strips.meet_in_middle import MeetInMiddleMatrix
from wavediff.gpu.pairwise.strips.shared_matrix import SharedMatrix
from wavediff.gpu.pairwise.strips.sliced import MAX_PLANES, BitSlicedRows, choose_words, planes_of
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import LANES, WARPS_PER_BLOCK, DeltaBits, RowLayout, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix
from wavediff.gpu.pairwise.traceback.overlapped_traceback import OverlappedTraceback, choose_tiles

NO_BAND_CELLS = 1 << 36  # see ``BackendSpeed``
MEET_ROWS_PER_PROCESSOR = 12 << 10  # rows per multiprocessor; more fill the card without halves from both ends
STEP_OVERHEAD_WORDS = {
    DeltaBits.LCS: 2.0,
    DeltaBits.EDIT: 1.0,
}  # words equivalent to the fixed time of a lane's step


class GpuMatrix(NotLookedAt):
    """See ``wavediff.core.kernels.pairwise.matrix.DpMatrix``.

    Args:
        common: equal letters at the front, which no traceback needs to cross.
        share: see ``DpMatrix``.
    """

    n_skipped, kept = 0, None

    def __init__(self, strips: CardStrips, common: int, share: float = 1.0) -> None:
        self._strips, self._common, self.share = strips, common, share
        self._back: OverlappedTraceback | None = None

    @property
    def block_map(self) -> BlockMap:
        return self._strips.block_map

    @property
    def grid(self) -> BlockGrid:
        return self._strips.grid

    @property
    def record(self) -> RunRecord:
        return self._strips.record

    @property
    def n_cells(self) -> int:
        return self._strips.n_cells

    def rounding(self, block_rows: int, block_cols: int) -> str:
        rows = self._strips.layout.height
        asked = block_rows and block_rows != rows
        return f"strips of {rows:,} rows, where {block_rows:,} were asked" if asked else ""

    def solve(self, step: Step, pieces: list[tuple[Ops, Counts]] | None) -> Generator[Event, None, bool]:
        """Compute every block; store fewer borders for the traceback if memory is short.

        Raises:
            DeviceOutOfMemory: the coarsest borders exceed the card's memory.
        """
        while True:
            if self._strips.tiles is not None:
                self._back = OverlappedTraceback(self._strips, self._common)
            try:
                back = self._back
                yield from self._strips.compute(step, back.look if back is not None and back.looks_on else None)
                if self._back is not None and self._strips.layout.band is not None:
                    self._back.rest()  # it may be too narrow
                return False
            except DeviceOutOfMemory:
                yield from self._close(step)
                coarser = self._strips.coarser()
                if coarser is None:
                    raise
            except BaseException:
                list(self._close(step))
                raise
            self._strips = coarser
            coarser.release()
            text = "The GPU has less room than it said: fewer borders are kept, and the path takes longer"
            yield step.notice(text)

    def value(self) -> int:
        return self._strips.value()

    def skipped_blocks(self) -> SkippedBlocks:
        return SkippedBlocks.without_through(self.block_map)

    def trace(self, step: Step, pieces: list[tuple[Ops, Counts]]) -> Generator[Event, None, None]:
        assert self._back is not None, "nothing was kept"
        try:
            yield from self._back.trace(step, pieces)
        except BaseException:
            list(self._close(step))
            raise
        yield from self._close(step)

    def _close(self, step: Step) -> Generator[Event, None, None]:
        """End background work of the matrix; defects there are reported, though the path is unaffected."""
        back, self._back = self._back, None
        failed = [] if back is None else back.close()
        if failed:
            yield guess_failed(step, failed[0])


class CardBackend(Generic[B]):
    """Card backend; subclasses define the method.

    Args:
        card: runs all jobs. others: returns further cards, for large whole matrices only.

    Attributes:
        lane_rate: assumed cells per second and lane of a multiprocessor.
    """

    device = "gpu"
    delta_bits: ClassVar[DeltaBits]
    lane_rate: ClassVar[float]

    def __init__(self, card: Card, others: OtherCards = no_others) -> None:
        self.card, self._others = card, others

    def foresee(self, job: B) -> None:
        """No-op: ``make_ready`` compiles the tile traceback."""

    def is_ready(self, problem: PairProblem[B]) -> bool:
        """Return False: child processes compile nothing for cards."""
        return False

    def speed(self, problem: PairProblem[B]) -> BackendSpeed:
        return BackendSpeed(self.lane_rate * self.card.processors * 32, 0, NO_BAND_CELLS)

    def make_ready(self, problem: PairProblem[B]) -> Generator[Event, None, None]:
        if problem.wants_path:
            yield from tile_traceback.make_ready(problem.step, int(self.delta_bits))

    def matrix(
        self, problem: PairProblem[B], band: tuple[int, int] | None, edits: int = 0
    ) -> Generator[Event, None, DpMatrix | None]:
        yield from ()
        points = instead_of_strips(self.card, problem, self.delta_bits, band, edits)
        if points is not None:
            return points
        a, b, common = problem.a, problem.b, problem.common - problem.prefix
        return make_matrix(
            self.card, a, b, problem.n_shared, self.delta_bits, band, problem.wants_path, common, self._others
        )

    def band_seconds(self, problem: PairProblem[B], band: tuple[int, int], edits: int) -> float:
        return band_seconds(problem, band, edits, self.speed(problem).rate)


def guess_failed(step: Step, error: BaseException) -> NoticeRaised:
    """Return the notice of a failed traceback ahead of the matrix."""
    text = f"A search for parts of the path ahead of time failed ({error_location(error)}); it is found without"
    return step.notice(text)


def make_matrix(
    card: Card,
    a: Letters,
    b: Letters,
    n_shared: int,
    delta_bits: DeltaBits,
    band: tuple[int, int] | None,
    path: bool,
    common: int,
    others: OtherCards = no_others,
) -> GpuMatrix | MeetInMiddleMatrix | None:
    """Return the matrix of codes ``a`` (rows) and ``b`` (columns); None if the stored borders exceed memory.

    Args:
        others: further cards, used if faster.
    """
    n, m = int(a.size), int(b.size)
    cards = (card, *others()) if band is None and pair_is_shared(n, m) else (card,)
    if len(cards) > 1:
        return _shared(cards, a, b, n_shared, delta_bits, path, common)
    if not path and band is None and m > 1 and n <= MEET_ROWS_PER_PROCESSOR * card.processors:
        left, right = (a, b[: m // 2]), (a[::-1].copy(), b[m // 2 :][::-1].copy())
        each = StaggeredRows.chosen(n_shared, 2 * n, m / 2 / n, delta_bits, card)
        return MeetInMiddleMatrix(StripMatrix(card, [left, right], each, delta_bits), n, m)
    # In a band only as many strips as fit its height run at a time.
    n_active = n if band is None else min(n, band[1] - band[0])
    form, share = choose_form(card, a, b, n_shared, delta_bits, n_active), 1.0
    if band is not None:
        whole = choose_form(card, a, b, n_shared, delta_bits, n)
        share = _column(card, form, delta_bits, n_active) / _column(card, whole, delta_bits, n)
    kept: TileSpacing | None = None
    if path:
        height = form.words * 1024
        width = m if band is None else min(m, band[1] - band[0] + height)
        kept = choose_tiles(n, width, form.words, delta_bits, card.free(), whole=band is None)
        if kept is None:
            return None
    return GpuMatrix(StripMatrix(card, [(a, b)], form, delta_bits, band=band, tiles=kept), common, share)


def _shared(
    cards: tuple[Card, ...], a: Letters, b: Letters, n_shared: int, delta_bits: DeltaBits, path: bool, common: int
) -> GpuMatrix | None:
    each = -(-int(a.size) // len(cards))
    form = choose_form(cards[0], a, b, n_shared, delta_bits, each)
    kept: TileSpacing | None = None
    if path:
        free = min(card.free() for card in cards)
        kept = choose_tiles(each + form.words * 1024, int(b.size), form.words, delta_bits, free)
        if kept is None:
            return None
    return GpuMatrix(SharedMatrix(cards, (a, b), form, delta_bits, kept), common)


def _column(card: Card, form: RowLayout, delta_bits: DeltaBits, n_active: int) -> float:
    """Return the relative time of a column of ``n_active`` rows.

    Strips run concurrently, so the time depends on the words of a lane, whose steps are sequential, not on the cells: a
    band of half a matrix with strips of the same height takes as long as the matrix.
    """
    rounds = n_active / (form.words * LANES * 32 * card.processors * WARPS_PER_BLOCK)
    return (STEP_OVERHEAD_WORDS[delta_bits] + form.words) * max(1.0, rounds)


def choose_form(card: Card, a: Letters, b: Letters, n_shared: int, delta_bits: DeltaBits, n_active: int) -> RowLayout:
    """Return the layout of ``n_active`` concurrent rows in strips."""
    if delta_bits is DeltaBits.EDIT and (words := choose_words(n_active, card)):
        planes = planes_of(n_shared, a, b)
        if planes <= MAX_PLANES:
            return BitSlicedRows(n_shared, words, planes)
    return StaggeredRows.chosen(n_shared, n_active, b.size / a.size, delta_bits, card)
