"""The walk back that begins while a card computes: walks that meet, halt, fail; its path is that of a single walk."""

from concurrent.futures import Future, wait
from unittest.mock import Mock

import numpy as np
import pytest

from tests.gpu.spot_checking import letters
from wavediff.core.base.errors import DeviceError, DeviceOutOfMemory
from wavediff.core.jit.bits import common_prefix
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import NoticeRaised, Step, StepDone, run_to_end
from wavediff.core.jobs.grid import BlockGrid, BlockState
from wavediff.core.kernels.pairwise.blocks.tile_traceback import make_ready
from wavediff.core.kernels.pairwise.edit.run import run as run_edit
from wavediff.core.kernels.traceback.assemble import assemble_alignment
from wavediff.core.kernels.traceback.runs_from_trace import runs_of_trace
from wavediff.core.methods.base import Ties
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.gpu.pairwise.card_matrix import GpuMatrix
from wavediff.gpu.pairwise.strips.memory import TileBorders
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix
from wavediff.gpu.pairwise.traceback import border_fetch, overlapped_traceback
from wavediff.gpu.pairwise.traceback.border_fetch import BorderFetcher
from wavediff.gpu.pairwise.traceback.overlapped_traceback import OverlappedTraceback, mark_path
from wavediff.gpu.pairwise.traceback.partial_traces import MeetingRows, PartialTrace, TraceStep, TraceWorker


@pytest.fixture(params=["corridor", "narrow corridor", "no corridor"])
def narrow(request, monkeypatch):
    """Let walks begin early and often, and look for each other at every turn."""
    for name, value in (
        ("MIN_MEETING_ROWS", 64),
        ("START_RATIO", 0.8),
        ("REPORT_SECONDS", 0.001),
        ("MIN_PARALLEL_ROWS", 0),
        ("MIN_TRACE_ROWS", 0),
    ):
        monkeypatch.setattr(overlapped_traceback, name, value)
    monkeypatch.setattr(border_fetch, "MIN_STRIPS", 1)
    if request.param == "corridor":
        monkeypatch.setattr(overlapped_traceback, "THREE_START_ROWS", 0)  # as many at a time as in a long one
    if request.param == "narrow corridor":  # which walks leave again and again
        monkeypatch.setattr(border_fetch, "SPREAD_FACTOR", 0.1)
    elif request.param == "no corridor":
        monkeypatch.setattr(border_fetch, "MAX_HOST_BYTES", 0)


@pytest.fixture
def computed(card, narrow):
    """Return what computes a matrix, its walks begun; the letters, the matrix and its walk back."""

    def compute(seed=1, n=6000, m=2700, rest=True):
        a, b = letters(seed, n), letters(seed + 1, m)
        matrix = StripMatrix(
            card, [(a, b)], StaggeredRows(4, 1), DeltaBits.EDIT, tiles=TileSpacing(8, 2), slice_seconds=0.0, warps=2
        )
        back = OverlappedTraceback(matrix, 0)
        list(make_ready(Step(1), int(DeltaBits.EDIT)))

        def look(reached):
            back.look(reached)
            if back._borders._bringing is not None:  # a card emulated here does one thing at a time
                wait([back._borders._bringing], 0.01)

        list(matrix.compute(Step(1), look))
        if rest:
            back.rest()
        return a, b, matrix, back

    return compute


def whole(card):
    """Return a matrix of 3,000 rows and 2,700 columns that nobody walked through yet."""
    matrix = StripMatrix(
        card, [(letters(7, 3000), letters(8, 2700))], StaggeredRows(4, 1), DeltaBits.EDIT, tiles=TileSpacing(8, 2)
    )
    list(make_ready(Step(1), int(DeltaBits.EDIT)))
    list(matrix.compute(Step(1)))
    return matrix


def gathered(met):
    ops, lengths = np.empty(2 * met.size + 2, np.uint8), np.empty(2 * met.size + 2, np.int64)
    n = runs_of_trace(met, ops, lengths)
    return ops[:n], lengths[:n]


def traced(back):
    pieces = []
    cells = sum(event.cells for event in back.trace(Step(1), pieces) if isinstance(event, StepDone))
    return pieces, cells


def assert_is_the_path(pieces, a, b):
    """The very one that a single walk on the CPU takes."""
    found = run_to_end(assemble_alignment(Step(1), pieces, a, b, int(common_prefix(a, b)), 0))
    assert (
        found.cigar()
        == run_to_end(run_edit(EditJob(a=a, b=b, band=BandMode.NONE, ties=Ties.LEFT_MOST))).alignment.cigar()
    )


@pytest.mark.parametrize("rest", [True, False])
def test_the_path_is_that_of_a_single_walk(computed, rest):
    a, b, matrix, back = computed(rest=rest)
    pieces, cells = traced(back)
    walks = len(back.walks)
    back.close()
    assert walks > 3, "none began before the end"
    assert cells > 0
    assert_is_the_path(pieces, a, b)
    assert (matrix.block_map == BlockState.PATH).any()


def test_only_walks_that_halted_are_begun_again(computed):
    _, _, _, back = computed()
    number, on_its_way = back.lines.begin(6000, 2700), Future()
    back.walks.append(on_its_way)
    back.lines.halt[0] = 0
    back.resume()
    assert back.goes_on(number)
    assert back.walks.pop() is on_its_way, "two threads would follow one trail"
    back.close()


def test_the_walk_from_the_end_ends_where_another_has_been(computed):
    _, _, _, back = computed(rest=False)
    for one in back.walks:
        one.result()  # the others go to the front before the last begins
    traced(back)
    last = back.lines.trails[back.last]  # others may have begun after it, too late to be followed
    back.close()
    assert last.joined is not None
    assert last.i > 0


def test_a_walk_that_meets_none_goes_to_the_front(card, narrow):
    a, b = letters(5, 900), letters(6, 800)
    matrix = StripMatrix(card, [(a, b)], StaggeredRows(4, 1), DeltaBits.EDIT, tiles=TileSpacing(8, 2))
    back = OverlappedTraceback(matrix, 0)
    list(make_ready(Step(1), int(DeltaBits.EDIT)))
    list(matrix.compute(Step(1)))  # nobody looks on
    pieces, _ = traced(back)
    back.close()
    assert_is_the_path(pieces, a, b)


def test_a_card_that_fails_under_a_walk_ahead_fails_only_who_needs_it(computed, monkeypatch):
    on_card = TileBorders._on_card
    failing = [True]

    def fails(self, *tiles):
        if failing[0]:
            raise DeviceError("as the test has it")
        return on_card(self, *tiles)

    monkeypatch.setattr(TileBorders, "_on_card", fails)
    a, b, _, back = computed()
    failing[0] = False
    pieces, _ = traced(back)
    back.close()
    assert_is_the_path(pieces, a, b)
    failing[0] = True
    *_, back = computed()
    with pytest.raises(DeviceError, match="as the test has it"):
        traced(back)
    back.close()


def test_where_the_host_locks_no_memory_walks_fetch_what_they_need(computed, monkeypatch):
    def fails(*_):
        raise DeviceOutOfMemory("as the test has it")

    monkeypatch.setattr(TileBorders, "room", fails)
    a, b, _, back = computed()
    pieces, _ = traced(back)
    back.close()
    assert_is_the_path(pieces, a, b)


def test_a_defect_of_a_walk_ahead_is_told_and_ends_nothing(computed, monkeypatch):
    follow = OverlappedTraceback._follow

    def fails(self, number, *more):
        if number != self.last:
            raise ZeroDivisionError("as the test has it")
        follow(self, number, *more)

    monkeypatch.setattr(OverlappedTraceback, "_follow", fails)
    a, b, matrix, back = computed()
    holder, pieces = GpuMatrix(matrix, 0), []
    holder._back = back
    notices = [event.text for event in holder.trace(Step(1), pieces) if isinstance(event, NoticeRaised)]
    assert_is_the_path(pieces, a, b)
    (notice,) = notices
    assert "(ZeroDivisionError: as the test has it, test_overlapped_traceback.py, line " in notice


def test_a_defect_of_what_is_brought_ahead_is_told(card, narrow, monkeypatch):
    def fails(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(TileBorders, "bring", fails)
    kept = BorderFetcher(whole(card))
    kept.complete(lambda _row: None)
    failed = kept.close()
    assert isinstance(failed, ZeroDivisionError) or not border_fetch.MAX_HOST_BYTES
    assert kept.at_hand(3000, 2700) is None


def test_a_defect_that_the_path_comes_to_is_raised(computed, monkeypatch):
    def fails(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(TileBorders, "_on_card", fails)
    *_, back = computed()
    with pytest.raises(ZeroDivisionError):
        traced(back)
    assert back.close()


@pytest.mark.parametrize("away", [-6.0, 6.0])
def test_a_walk_ahead_does_not_begin_outside_the_band(card, narrow, away, monkeypatch):
    """Far from the end the path is sought further from the diagonal than a narrow band goes."""
    monkeypatch.setattr(overlapped_traceback, "START_OFFSETS", (0.0, away))
    monkeypatch.setattr(overlapped_traceback, "LONG_OFFSETS", (0.0, away, away / 2))
    a = letters(1, 9000)
    b = a.copy()
    b[::30] ^= 1
    matrix = StripMatrix(card, [(a, b)], StaggeredRows(4, 1), DeltaBits.EDIT, tiles=TileSpacing(8, 2), band=(-99, 99))
    back = OverlappedTraceback(matrix, 0)
    list(make_ready(Step(1), int(DeltaBits.EDIT)))
    list(matrix.compute(Step(1), back.look))
    pieces, _ = traced(back)
    begun = [(trail.i, trail.j) for trail in back.lines.trails]
    back.close()
    assert_is_the_path(pieces, a, b)
    assert len(begun) > 2


@pytest.mark.parametrize("node", [(5000, 1), (5000, 8900), (1024, 1), (1, 9000), (9000, 4000)])
def test_a_walk_from_outside_a_band_comes_back_into_it(card, narrow, node):
    """What is known there is that one edit follows another: up where the band is to the right, left where not."""
    a = letters(1, 9000)
    matrix = StripMatrix(card, [(a, a)], StaggeredRows(4, 1), DeltaBits.EDIT, tiles=TileSpacing(8, 2), band=(-99, 99))
    list(make_ready(Step(1), int(DeltaBits.EDIT)))
    list(matrix.compute(Step(1)))
    lines, kept = MeetingRows(9000, 64, 1), BorderFetcher(matrix)
    walker, number = TraceWorker(matrix, kept, lines, 0), lines.begin(*node)
    trail = lines.trails[number]
    while trail.i and trail.j:
        before = trail.i, trail.j
        walker.step(number, True)
        assert (trail.i, trail.j) != before
    kept.close()


@pytest.mark.parametrize("cut", ["A", "B"])
def test_a_walk_on_a_diagonal_far_from_the_straight_way_asks_once_for_each_strip(card, narrow, cut, monkeypatch):
    monkeypatch.setattr(TileBorders, "most_rows", 1024)
    long = letters(1, 9000)
    a, b = (long[4000:], long) if cut == "A" else (long, long[4000:])
    b = b.copy()
    b[::30] ^= 1
    matrix = StripMatrix(card, [(a, b)], StaggeredRows(4, 1), DeltaBits.EDIT, tiles=TileSpacing(8, 2))
    list(make_ready(Step(1), int(DeltaBits.EDIT)))
    list(matrix.compute(Step(1)))
    lines, kept, needed = MeetingRows(a.size, 64, 1), BorderFetcher(matrix), []
    fetch = kept.fetch
    monkeypatch.setattr(kept, "fetch", lambda need: needed.append(need) or fetch(need))
    walker, number = TraceWorker(matrix, kept, lines, 0), lines.begin(a.size, b.size)
    trail = lines.trails[number]
    while trail.i and trail.j:
        walker.step(number, True)
    kept.close()
    assert len(needed) <= -(-a.size // 1024), needed
    rest = np.array([Op.DELETION, Op.INSERTION], np.uint8), np.array([trail.i, trail.j], np.int64)
    assert_is_the_path([*trail.runs_from(-1), rest], a, b)


@pytest.mark.parametrize("seed", range(8))
def test_a_trail_goes_on_from_any_line(seed):
    """What is left of it there is what it met from there on, however runs go over the line."""
    rng = np.random.default_rng(seed)
    met = (4 * rng.integers(0, 3, 300) + rng.choice(4, 300, p=[0.1, 0.2, 0.4, 0.3])).astype(np.uint8)
    ks = np.unique(rng.integers(0, 301, 90))
    marks = np.column_stack([np.arange(ks.size)[::-1], ks, ks])
    trail, nothing = PartialTrace(900, 900), np.zeros(1000, np.uint8)
    trail.stretches.append(TraceStep(met[:0], marks[:0], 3, nothing, nothing, 0, 900, 900))
    trail.stretches.append(TraceStep(met, marks, 3, nothing, nothing, 0, 900, 900))
    for line, k in [*marks[:, [0, 2]].tolist(), (-1, 0)]:
        found = [np.concatenate(some) for some in zip(*trail.runs_from(line), strict=True)]
        expected = gathered(met[k:])
        assert [x.tolist() for x in found] == [x.tolist() for x in expected]


def test_no_walk_goes_by_what_was_fetched_for_another(card, narrow, monkeypatch):
    """What lay there then may not have been computed."""
    matrix = whole(card)
    lines, kept, fetched = MeetingRows(3000, 64, 2), BorderFetcher(matrix), []
    fetch = kept.fetch
    monkeypatch.setattr(kept, "fetch", lambda need: fetched.append((need, fetch(need))) or fetched[-1][1])
    walker, nodes = TraceWorker(matrix, kept, lines, 0), [(3000, 2700), (2500, 2300)]
    for node in nodes:
        assert not fetched or kept.covers(fetched[0][1].result(), *node)
        walker.step(lines.begin(*node), False)
    kept.close()
    assert [need[:2] for need, _ in fetched] == nodes


def test_a_walk_that_is_told_to_halts_at_the_next_line_and_goes_on_from_there(card, narrow):
    matrix = whole(card)
    found = []
    for halts in (False, True):
        lines, kept = MeetingRows(3000, 64, 1), BorderFetcher(matrix)
        walker, number = TraceWorker(matrix, kept, lines, 0), lines.begin(3000, 2700)
        trail, steps = lines.trails[number], 0
        while trail.i and trail.j:
            lines.halt[0] = halts
            walker.step(number, False)
            steps += 1
            assert not halts or trail.i % 64 == 0 or not trail.j
        kept.close()
        columns = [np.repeat(*runs) for runs in trail.runs_from(-1)]
        found.append((np.concatenate(columns).tolist(), trail.i, trail.j))
        assert steps > 40 * halts
    assert found[0] == found[1]


def test_a_walk_is_known_wherever_it_came_by_before_the_others(computed):
    """Not where it meets one: two that are known to each other at a line would wait for each other."""
    _, _, _, back = computed(rest=False)
    traced(back)
    back.close()
    met = 0
    for number, trail in enumerate(back.lines.trails):
        if back.goes_on(number):  # nobody asked any more what it met
            continue
        known = {line: column for line, column in enumerate(back.lines.known[:, number].tolist()) if column >= 0}
        expected = {i // back.lines.spacing: column for i, column in trail.nodes_from(-1).tolist()}
        if trail.joined is not None:
            met += 1
            del expected[trail.joined[0]]
        assert known == expected
    assert met


def test_every_block_that_a_path_crosses_is_marked():
    block_map, grid = np.zeros((10, 12), np.uint8), BlockGrid(100, 120, 10, 10)
    block_map[0, 3] = BlockState.OUTSIDE_BAND
    mark_path(block_map, grid, [(100, 120), (100, 35), (0, 35), (0, 0)])
    assert (block_map[9, 3:] == BlockState.PATH).all()
    assert (block_map[1:, 3] == BlockState.PATH).all()
    assert block_map[0, 3] == BlockState.OUTSIDE_BAND
    assert (block_map[0, :3] == BlockState.PATH).all()
    assert not block_map[:9, 4:].any()


def test_tiles_too_large_for_many_walks_have_one(computed, monkeypatch):
    """Each has its own room for a tile; where there is none for several, the path waits for the matrix."""
    monkeypatch.setattr(overlapped_traceback, "MAX_SCRATCH_BYTES", 1)
    pool = Mock(wraps=overlapped_traceback.thread_pool)
    monkeypatch.setattr(overlapped_traceback, "thread_pool", pool)
    a, b, _, back = computed(rest=False)
    assert not back.looks_on
    pieces, _ = traced(back)
    assert pool.call_args.args == ("walk", 1)
    back.close()
    assert_is_the_path(pieces, a, b)
