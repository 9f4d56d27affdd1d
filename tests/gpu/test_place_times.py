"""Times of places, taken on the card: every computed place has them, in an order that the recurrence allows."""

from itertools import pairwise

import numpy as np
import pytest

from tests.clock import check_within
from wavediff.core.jobs.events import Step, StepDone
from wavediff.core.jobs.grid import BlockState
from wavediff.core.record.playback import Playback
from wavediff.gpu.card.place_times import LAUNCHES, tick_bits
from wavediff.gpu.pairwise.card_matrix import make_matrix
from wavediff.gpu.pairwise.lcs import kawanami
from wavediff.gpu.pairwise.lcs.kawanami import KawanamiMatrix, Strings
from wavediff.gpu.pairwise.strips.meet_in_middle import MeetInMiddleMatrix
from wavediff.gpu.pairwise.strips.sliced import BitSlicedRows
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import LANES, DeltaBits
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix
from wavediff.gpu.swap_edit.swap_card_matrix import CardSwapMatrix

FORMS = {
    "LCS": (DeltaBits.LCS, StaggeredRows(4, 1)),
    "edit": (DeltaBits.EDIT, StaggeredRows(4, 1)),
    "sliced": (DeltaBits.EDIT, BitSlicedRows(4, 1, 2)),
}


def letters(seed, n):
    return np.random.default_rng(seed).integers(0, 4, n).astype(np.uint8)


def computed(matrix):
    return [event for event in matrix.compute(Step(1)) if isinstance(event, StepDone) and event.kernel == "blocks"]


def assert_in_order(record, done, *, one_each, looks=0.0):
    """Places of a row of blocks follow each other, and none is begun or ended before the one above it.

    Strips follow each other a few groups apart, so a place is begun while the one above it is being computed.

    Args:
        one_each: strip a row of blocks, which is at one place at a time; of several the first runs ahead of the last.
        looks: into the mailbox while a place is computed, its part of it: so much later it may be told.
    """
    began, ended = record.began.astype(np.int64), record.ended.astype(np.int64)
    assert (began[done] > 0).all()
    assert (ended[done] >= began[done]).all()
    assert not began[~done].any()
    assert not ended[~done].any()
    beside, below = done[:, :-1] & done[:, 1:], done[:-1] & done[1:]
    assert (began[:, 1:] >= (ended if one_each else began)[:, :-1])[beside].all()
    late = np.ceil((ended - began).max(axis=1, keepdims=True) * looks)
    for times in began, ended:
        assert (np.diff(times, axis=1) >= 0)[beside].all()
        assert (np.diff(times, axis=0) >= -late[:-1])[below].all()


def assert_launches(steps, record, n_cells):
    """Launches are spans one after the other, from the beginning of the attempt to its end."""
    spans = [span for step in steps for span in step.parts]
    assert [span.name for span in spans] == [f"launch {k + 1}" for k in range(len(spans))]
    assert {span.lane for span in spans} == {LAUNCHES}
    assert sum(span.cells for span in spans) == n_cells
    assert all(span.began <= span.ended for span in spans)
    assert all(one.ended <= other.began for one, other in pairwise(spans))
    assert record.start <= spans[0].ended
    check_within(record.seconds, spans[-1].ended - record.start + 1e-3, "another process may have had the card between")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("most", [3, 1024])
@pytest.mark.parametrize("m", [5100, 5200])
@pytest.mark.parametrize(
    "options",
    [{}, {"panel": 100}, {"slice_seconds": 0.0, "panel": 64, "warps": 2}, {"band": (-700, 900)}],
    ids=["whole", "panels", "many launches", "band"],
)
def test_every_place_of_strips_has_its_times_and_its_warp(card, monkeypatch, form, most, m, options):
    monkeypatch.setattr("wavediff.gpu.pairwise.strips.card_strips.MAX_BOARD", most)
    delta_bits, rows = FORMS[form]
    matrix = StripMatrix(card, [(letters(1, 5000), letters(2, m))], rows, delta_bits, **options)
    record = matrix.record
    assert not record.is_complete
    steps = computed(matrix)
    done = matrix.block_map == BlockState.DONE
    assert (done | (matrix.block_map == BlockState.OUTSIDE_BAND)).all()
    assert matrix.block_map.shape == matrix.grid.shape
    assert_in_order(record, done, one_each=most > 3, looks=LANES / matrix.board.groups)
    assert_launches(steps, record, matrix.n_cells)
    assert sum(lane.n_places for lane in Playback(record).lanes) == np.count_nonzero(done)
    assert (record.by[done] < len(record.names)).all()
    at_end = Playback(record).at(record.seconds * 1.01, matrix.block_map)
    assert np.array_equal(at_end, matrix.block_map)
    assert (Playback(record).at(0.0, matrix.block_map)[done] == BlockState.WAITING).all()


def test_a_matrix_that_is_stopped_keeps_the_times_that_it_has(card):
    matrix = StripMatrix(
        card, [(letters(1, 5000), letters(2, 9000))], StaggeredRows(4, 1), DeltaBits.LCS, slice_seconds=0.0, warps=2
    )
    steps = matrix.compute(Step(1))
    while not (matrix.block_map[:, 3:5] == BlockState.DONE).any():
        next(steps)
    steps.close()
    record = matrix.record
    assert record.is_complete
    assert (record.ended[matrix.block_map == BlockState.DONE] > 0).all()
    assert (record.ended == 0).any()
    over = record.ended > 0
    assert (record.ended[over] >= record.began[over]).all()


def test_a_matrix_without_a_record_computes_the_same(card):
    pair, form = (letters(1, 3000), letters(2, 2500)), StaggeredRows(4, 1)
    with_it, without = (StripMatrix(card, [pair], form, DeltaBits.EDIT, recorded=on) for on in (True, False))
    for matrix in with_it, without:
        computed(matrix)
    assert with_it.distance() == without.distance()
    assert with_it.record.is_complete
    assert not without.record.is_complete


@pytest.mark.parametrize("most", [2, 2048])
def test_every_block_of_kawanami_has_its_times_and_each_call_is_a_span(card, monkeypatch, most):
    monkeypatch.setattr(kawanami, "MAX_BOARD", most)
    matrix = KawanamiMatrix(Strings(card, letters(1, 3 * 1024 + 5), letters(2, 2 * 1024 + 9), 4), event_seconds=1e-3)
    steps, record = computed(matrix), matrix.record
    done = matrix.block_map == BlockState.DONE
    assert done.all()
    spans = [span for step in steps for span in step.parts]
    assert len(spans) == matrix.grid.n_diagonals
    assert_launches(steps, record, matrix.n_cells)
    assert_in_order(record, done, one_each=most > 2)
    began, ended = record.began.astype(np.int64), record.ended.astype(np.int64)
    if most > 2:  # a call begins when all of the one before it have ended
        assert (began[1:] >= ended[:-1]).all()
        for call, span in enumerate(spans):
            blocks = matrix.grid.calls() == call + 1
            seconds = (ended[blocks].max() - began[blocks].min()) * record.seconds_per_tick
            assert seconds == pytest.approx(span.seconds, abs=1e-4)


def test_the_timer_goes_on(card):
    read = []
    for _ in range(3):
        out = card.zeros(1, np.uint64)
        card.launch(card.kernel("pack.cu", "read_timer"), 1, 1, 0, out)
        read.append(int(card.download(out)[0]))
    assert read[0] < read[1] < read[2]


def test_ticks_of_a_slow_card_fit_into_32_bits():
    for n_cells in (1, 10**12, 10**15, 10**17):
        assert n_cells / 1e11 * 1e9 / (1 << tick_bits(n_cells)) <= 1 << 32
    assert tick_bits(10**12) == 5


@pytest.mark.parametrize(("n", "m"), [(5000, 3001), (1030, 900), (40, 5000), (700, 2)])
def test_blocks_of_halves_that_meet_have_the_times_of_their_strips(card, n, m):
    matrix = make_matrix(card, letters(1, n), letters(2, m), 4, DeltaBits.EDIT, None, path=False, common=0)
    assert isinstance(matrix, MeetInMiddleMatrix)
    list(matrix.solve(Step(1), None))
    record, middle = matrix.record, -(-(m // 2) // matrix.grid.block_cols)
    assert record.is_complete
    assert (record.began > 0).all()
    assert (record.ended >= record.began).all()
    assert (record.by < len(record.names)).all()
    for half in record.began[:, :middle], record.began[::-1, : middle - 1 : -1]:
        times = half.astype(np.int64)
        assert (np.diff(times, axis=0) >= 0).all()
        assert (np.diff(times, axis=1) >= 0).all()


@pytest.mark.parametrize("kept", [False, True])
def test_swaps_have_the_times_of_their_launches(card, kept):
    a, b = letters(1, 2500), letters(2, 2100)
    matrix = CardSwapMatrix(card, a, b, 4, kept=kept, swaps=True, steps=8)
    steps = computed(matrix)
    done, record = matrix.block_map == BlockState.DONE, matrix.record
    assert done.all()
    assert record.interpolated
    assert_in_order(record, done, one_each=False)
    spans = [span for step in steps for span in step.parts]
    assert sum(span.calls for span in spans) == sum(step.calls for step in steps)
    assert all(one.ended <= other.began for one, other in pairwise(spans))
    assert record.seconds == pytest.approx(spans[-1].ended - record.start, abs=1e-4)
