"""Jobs on a card against the same jobs on the CPU: the same answer and the very same alignment."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from tests.depth import one_of
from wavediff.core.jobs.events import Planned, StepDone, run_to_end
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.pairwise.edit.run import run as run_edit
from wavediff.core.kernels.pairwise.lcs import hirschberg
from wavediff.core.kernels.pairwise.lcs.run import run as run_lcs
from wavediff.core.kernels.pairwise.matrix import BackendSpeed
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.gpu.pairwise import card_matrix
from wavediff.gpu.pairwise.card_matrix import make_matrix
from wavediff.gpu.pairwise.edit.run import GpuEdit
from wavediff.gpu.pairwise.lcs.run import GpuLcs
from wavediff.gpu.pairwise.strips import meet_in_middle
from wavediff.gpu.pairwise.strips.memory import TileBorders
from wavediff.gpu.pairwise.strips.sliced import BitSlicedRows, planes_of
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import PANEL_GROUPS, WARPS_PER_BLOCK, DeltaBits, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix
from wavediff.gpu.pairwise.traceback import border_fetch, overlapped_traceback, part_borders
from wavediff.gpu.pairwise.traceback.part_borders import TileRefiner


def _pair(seed, n, m, sigma, share):
    """Return random letters, or with a ``share`` below 1 letters of the same with so many of them changed."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, sigma, n, np.uint8)
    if share >= 1:
        return a, rng.integers(0, sigma, m, np.uint8)
    b = np.resize(a, m)
    changed = rng.random(m) < share
    b[changed] = rng.integers(0, sigma, int(changed.sum()))
    return a, np.delete(b, rng.integers(0, m, int(m * share / 3)))


PAIRS = [(900, 1300, 4, 1), (2500, 2100, 4, 0.05), (1500, 700, 20, 1), (3000, 3000, 2, 0.3), (70, 2000, 200, 1)]


def _same(found, expected):
    assert np.array_equal(found.alignment.ops, expected.alignment.ops)
    assert np.array_equal(found.alignment.lengths, expected.alignment.lengths)


@pytest.mark.parametrize(("strategy", "pair"), one_of(2, [Strategy.AUTO, Strategy.FULL, Strategy.BAND], PAIRS))
def test_lcs(card, pair, strategy):
    a, b = _pair(1, *pair)
    job = LcsJob(a=a, b=b, strategy=strategy)
    found, expected = run_to_end(run_lcs(job, GpuLcs(card))), run_to_end(run_lcs(job))
    assert (found.length, found.device) == (expected.length, "gpu")
    _same(found, expected)


@pytest.mark.parametrize(("band", "pair"), one_of(2, [BandMode.AUTO, BandMode.NONE, BandMode.SUDO], PAIRS))
def test_edit(card, pair, band):
    a, b = _pair(2, *pair)
    job = EditJob(a=a, b=b, band=band)
    found, expected = run_to_end(run_edit(job, GpuEdit(card))), run_to_end(run_edit(job))
    assert (found.distance, found.exact, found.device) == (expected.distance, True, "gpu")
    _same(found, expected)


@pytest.mark.parametrize("path", [TracebackMethod.BLOCKS, TracebackMethod.NONE])
def test_pairs_that_hardly_differ_need_nothing_of_a_card(path):
    """The CPU follows their diagonals in less time than letters take to a card, whoever was asked."""
    a = np.random.default_rng(1).integers(0, 4, 20_000, np.uint8)
    b = np.delete(a, [50, 9000, 19_950])
    b[15_000] ^= 1
    card = SimpleNamespace(processors=132)  # and nothing to compute with
    edit, lcs = EditJob(a=a, b=b, path=path), LcsJob(a=a, b=b, path=path)
    assert run_to_end(run_edit(edit, GpuEdit(card))).distance == run_to_end(run_edit(edit)).distance == 4
    assert run_to_end(run_lcs(lcs, GpuLcs(card))).length == run_to_end(run_lcs(lcs)).length == 19_996


@pytest.mark.parametrize("offset", [-1, 0, 1])
def test_a_threshold_round_the_distance(card, offset):
    a, b = _pair(3, 2500, 2100, 4, 0.05)
    distance = run_to_end(run_edit(EditJob(a=a, b=b, path=TracebackMethod.NONE))).distance
    job = EditJob(a=a, b=b, band=BandMode.FIXED, threshold=distance + offset)
    found = run_to_end(run_edit(job, GpuEdit(card)))
    assert found.exact is (offset >= 0)
    assert found.distance == distance or offset < 0


@pytest.mark.parametrize("backend", [GpuLcs, GpuEdit])
def test_windows_and_pieces_of_the_walk_make_no_difference(card, backend, monkeypatch):
    a, b = _pair(4, 4000, 3500, 4, 1)
    run, job = (run_lcs, LcsJob(a=a, b=b)) if backend is GpuLcs else (run_edit, EditJob(a=a, b=b, band=BandMode.NONE))
    expected = run_to_end(run(job))
    monkeypatch.setattr(TileBorders, "most_rows", 1)
    monkeypatch.setattr(overlapped_traceback, "MIN_MEETING_ROWS", 100)
    monkeypatch.setattr(overlapped_traceback, "MIN_PARALLEL_ROWS", 1)
    monkeypatch.setattr(overlapped_traceback, "MIN_TILE_SIDE", 64)
    _same(run_to_end(run(job, backend(card))), expected)


@pytest.mark.parametrize("rows", [1, 2048])
def test_windows_of_a_band_make_no_difference(card, rows, monkeypatch):
    a, b = _pair(4, 7000, 7000, 4, 0.05)
    job = EditJob(a=a, b=b, band=BandMode.FIXED, threshold=1500)
    expected = run_to_end(run_edit(job))
    monkeypatch.setattr(border_fetch, "BAND_ROWS", rows)
    monkeypatch.setattr("wavediff.gpu.pairwise.card_matrix.instead_of_strips", lambda *_: None)
    _same(run_to_end(run_edit(job, GpuEdit(card))), expected)


@pytest.mark.parametrize("shape", [(3000, 40_000), (40_000, 3000)], ids=str)
def test_windows_of_flat_and_of_steep_matrices(card, shape, monkeypatch):
    a, b = _pair(14, *shape, 4, 1)
    job = EditJob(a=a, b=b, band=BandMode.NONE)
    expected = run_to_end(run_edit(job))
    monkeypatch.setattr(border_fetch, "WINDOW_TILES", 16)
    monkeypatch.setattr(overlapped_traceback, "MIN_TILE_SIDE", 256)
    _same(run_to_end(run_edit(job, GpuEdit(card))), expected)


@pytest.mark.parametrize(
    ("method", "tiles"),
    one_of(2, ["lcs", "edit", "sliced edit"], [TileSpacing(64, 32), TileSpacing(128, 32), TileSpacing(256, 16)]),
)
def test_coarse_tiles_are_computed_again(card, method, tiles, monkeypatch):
    backend, sliced = GpuLcs if method == "lcs" else GpuEdit, "sliced" in method
    a, b = _pair(9, 9000, 7700, 5, 1)
    run, job = (run_lcs, LcsJob(a=a, b=b)) if backend is GpuLcs else (run_edit, EditJob(a=a, b=b, band=BandMode.NONE))
    expected, used = run_to_end(run(job)), []

    def form(_card, rows, columns, n_shared, *_):
        return BitSlicedRows(n_shared, 2, planes_of(n_shared, rows, columns)) if sliced else StaggeredRows(n_shared, 2)

    window = TileRefiner.window

    def note(*at):
        used.append(at)
        return window(*at)

    monkeypatch.setattr(card_matrix, "choose_form", form)
    monkeypatch.setattr(card_matrix, "choose_tiles", lambda *_, **__: tiles)
    monkeypatch.setattr(TileRefiner, "window", note)
    monkeypatch.setattr(part_borders, "MIN_REFINED_CELLS", 1 << 18)
    monkeypatch.setattr(TileRefiner, "most_rows", 4096)
    _same(run_to_end(run(job, backend(card))), expected)
    assert len(used) > 1


@pytest.mark.parametrize(
    ("band", "pair", "panel"),
    one_of(
        4,
        [BandMode.NONE, BandMode.AUTO],
        [(4500, 4300, 4, 1), (7000, 7000, 4, 0.05), (3000, 900, 6, 1)],
        [PANEL_GROUPS, 40, 96],
    ),
)
def test_paths_from_slices(card, pair, band, panel, monkeypatch):
    a, b = _pair(8, *pair)
    used = []

    def sliced(_card, rows, columns, n_shared, *_):
        used.append(BitSlicedRows(n_shared, 2, planes_of(n_shared, rows, columns)))
        return used[-1]

    monkeypatch.setattr(card_matrix, "choose_form", sliced)
    monkeypatch.setattr(card_matrix, "StripMatrix", partial(StripMatrix, panel=panel))
    job = EditJob(a=a, b=b, band=band)
    found, expected = run_to_end(run_edit(job, GpuEdit(card))), run_to_end(run_edit(job))
    assert used
    assert found.distance == expected.distance
    _same(found, expected)


@pytest.mark.parametrize("pair", one_of(2, PAIRS), ids=str)
def test_both_halves_meet_where_no_path_is_wanted(card, pair):
    a, b = _pair(6, *pair)
    lcs = LcsJob(a=a, b=b, strategy=Strategy.FULL, path=TracebackMethod.NONE)
    edit = EditJob(a=a, b=b, band=BandMode.NONE, path=TracebackMethod.NONE)
    assert run_to_end(run_lcs(lcs, GpuLcs(card))).length == run_to_end(run_lcs(lcs)).length
    assert run_to_end(run_edit(edit, GpuEdit(card))).distance == run_to_end(run_edit(edit)).distance


def test_the_halves_of_the_recursion(card, monkeypatch):
    a, b = _pair(7, 2300, 1900, 4, 1)
    monkeypatch.setattr(meet_in_middle, "CPU_CELLS", 1 << 19)
    monkeypatch.setattr(hirschberg, "SMALL_CELLS", 1 << 18)
    job = LcsJob(a=a, b=b, path=TracebackMethod.HIRSCHBERG)
    found = run_to_end(run_lcs(job, GpuLcs(card)))
    assert found.length == run_to_end(run_lcs(LcsJob(a=a, b=b, path=TracebackMethod.NONE))).length
    assert found.strategy == "hirschberg"


def test_steps_add_up_and_the_path_is_on_the_board(card):
    a, b = _pair(5, 2500, 2100, 4, 1)
    events = list(run_edit(EditJob(a=a, b=b, band=BandMode.NONE), GpuEdit(card)))
    planned = next(event for event in events if isinstance(event, Planned))
    blocks = [event for event in events if isinstance(event, StepDone) and event.kernel == "blocks"]
    assert sum(event.cells for event in blocks) == planned.cells == a.size * b.size
    assert {BlockState.PATH, BlockState.DONE} >= set(planned.block_map.ravel().tolist()) - {0}
    assert (planned.block_map == BlockState.PATH).any()


def test_a_band_saves_time_where_fewer_rows_are_at_work_than_strips_hold(card):
    room = 1024 * card.processors * WARPS_PER_BLOCK  # rows that are computed side by side with a word a lane
    a, b = _pair(11, 8 * room if card.processors == 1 else 1 << 17, 1000, 4, 1)

    def share(delta_bits, n, low, high):
        return make_matrix(card, a[:n], b, 4, delta_bits, (low, high), False, 0).share

    for delta_bits in DeltaBits:
        assert share(delta_bits, min(room, a.size), -64, 64) == 1.0, "its strips wait for each other as long"
    if card.processors == 1:
        shares = [share(DeltaBits.EDIT, a.size, -width, 0) for width in (room, 2 * room, 4 * room, 8 * room)]
        assert shares == sorted(shares)
        assert shares[0] < 0.5 < shares[-1] == 1.0


@pytest.mark.parametrize("backend", [GpuLcs, GpuEdit])
def test_no_band_is_computed_that_takes_as_long_as_the_matrix(card, backend, monkeypatch):
    monkeypatch.setattr(backend, "speed", lambda *_: BackendSpeed(rate=1e18, small_cells=0, no_band_cells=0))
    a, b = _pair(12, 3000, 2900, 4, 1)
    run, kind = (run_lcs, LcsJob) if backend is GpuLcs else (run_edit, EditJob)
    found = run_to_end(run(kind(a=a, b=b), backend(card)))
    assert (found.strategy, found.device) == ("full", "gpu")


@pytest.mark.parametrize("free", [1 << 16, 1 << 20, 1 << 24, 1 << 37])
def test_tiles_fit_in_what_is_free(free):
    for n, width, words in (
        (1 << 12, 1 << 12, 1),
        (1 << 20, 1 << 20, 2),
        (1 << 24, 1 << 24, 16),
        (1 << 24, 1 << 18, 8),
    ):
        tiles = overlapped_traceback.choose_tiles(n, width, words, DeltaBits.EDIT, free)
        if tiles is not None:
            height = words * 1024
            strips = -(-n // height)
            rows = strips * 2 * (height // 8) * -(-width // (tiles.groups * 8))
            assert rows + strips * (32 // tiles.lanes) * (width // 4) <= free
