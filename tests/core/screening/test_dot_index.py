"""The index of a dot plot: tiles and single runs are those of a slow reduction, at each zoom and on both strands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.jobs.events import run_to_end
from wavediff.core.jobs.exact_matches import ExactMatches, ExactMatchesJob
from wavediff.core.run.runner import run_job
from wavediff.core.screening import dot_index
from wavediff.core.screening.dot_index import A_START, B_START, FLAGS, LENGTH, MINUS, SHADES, TILE, DotIndexJob

N, M = 60_000, 50_000


def made(n_runs, seed, n=N, m=M, longest=3_000):
    rng = np.random.default_rng(seed)
    lengths = np.minimum(11 + rng.geometric(0.01, n_runs), longest)
    lengths[: n_runs // 50] = rng.integers(11, longest, n_runs // 50)
    a, b = (rng.integers(0, size - longest, n_runs) for size in (n, m))
    minus, unique = rng.random(n_runs) < 0.4, (rng.random(n_runs) < 0.5).astype(np.int64)
    return ExactMatches(n, m, 11, 128, a, b, lengths, minus, unique, 0)


def index_of(matches):
    return run_job(DotIndexJob(matches=matches))


def counts_of(matches, level, row, col, *, unique):
    """Letters of the runs in each cell, by strand, one by one."""
    counts, side = np.zeros((2, TILE, TILE), np.int64), TILE << level
    rows = zip(matches.a_starts, matches.b_starts, matches.lengths, matches.minus, matches.n_unique, strict=True)
    for a, b, length, minus, n_unique in rows:
        if unique and not n_unique:
            continue
        t = np.arange(length)
        y, x = a + t - row * side, (b + length - 1 - t if minus else b + t) - col * side
        seen = (y >= 0) & (y < side) & (x >= 0) & (x < side)
        np.add.at(counts[int(minus)], (y[seen] >> level, x[seen] >> level), 1)
    return counts


@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize("run", [0, 1, 2, 1_999])
@pytest.mark.parametrize("level", [0, 1, 3, 6, 8])
def test_a_tile_has_the_dots_of_its_letters(level, run, unique):
    """That of the middle of some run; the first ones are long."""
    matches = made(2_000, level)
    side, half = TILE << level, matches.lengths[run] // 2
    row, col = int(matches.a_starts[run] + half) // side, int(matches.b_starts[run] + half) // side
    tile = run_to_end(index_of(matches).tile(level, row, col, unique=unique))
    counts = counts_of(matches, level, row, col, unique=unique)
    most = counts.max(axis=0)
    assert ((tile > 0) == (most > 0)).all()
    assert ((tile > SHADES) == (counts[1] > counts[0])).all(), "of the strand that has more"
    shade = np.where(tile > SHADES, tile - SHADES, tile)
    assert (shade[most >= 1 << level] == SHADES).all(), "a whole diagonal has the last shade"
    order = np.argsort(most, axis=None, kind="stable")
    assert (np.diff(shade.ravel()[order].astype(int)) >= 0).all(), "more dots are never paler"
    assert unique or most.max() > 0


@given(st.integers(0, 400), st.integers(0, 10**6), st.integers(0, N - 1), st.integers(0, M - 1), st.integers(1, 30_000))
def test_the_runs_in_a_box_are_those_that_touch_it(n_runs, seed, top, left, size):
    matches = made(n_runs, seed)
    rows, cols = (top, top + size), (left, left + size)
    a, b, length = matches.a_starts, matches.b_starts, matches.lengths
    touch = (a < rows[1]) & (a + length > rows[0]) & (b < cols[1]) & (b + length > cols[0])
    columns = a, b, length, matches.minus.astype(np.int64)
    for unique in (False, True):
        found = index_of(matches).found(rows, cols, n_runs, unique=unique)
        kinds = found[:, FLAGS] & MINUS
        seen = {
            tuple(map(int, row)) for row in zip(*(found[:, k] for k in (A_START, B_START, LENGTH)), kinds, strict=True)
        }
        some = touch & (matches.n_unique > 0) if unique else touch
        assert seen == {tuple(map(int, row)) for row in zip(*(column[some] for column in columns), strict=True)}


def test_more_runs_than_are_asked_for_are_no_answer(monkeypatch):
    index = index_of(made(300, 1))
    whole = (0, N), (0, M)
    assert len(index.found(*whole, 300, unique=False)) == 300
    assert index.found(*whole, 299, unique=False) is None
    monkeypatch.setattr(dot_index, "MAX_SOUGHT", 200)
    assert index.found(*whole, 300, unique=False) is None


def test_each_run_is_in_one_bin_however_many_levels_there_are():
    matches = made(20_000, 5)
    index = index_of(matches)
    assert len(index.widths) == 4
    assert len(index) == 20_000
    columns = np.stack([matches.a_starts, matches.b_starts, matches.lengths], 1)
    runs = index.runs[:, :3].astype(np.int64)
    for some in (columns, runs):
        some[:] = some[np.lexsort(some.T)]
    assert (runs == columns).all()
    assert index.ends[-1] == 20_000


def test_a_tile_is_drawn_in_steps(monkeypatch):
    index = index_of(made(3_000, 2))
    whole = run_to_end(index.tile(8, 0, 0, unique=False))
    steps = list(index.tile(8, 0, 0, unique=False))
    assert len(steps) == 1
    assert whole.any()


def test_the_overview_has_the_tiles_of_all_runs():
    index = index_of(made(2_000, 7))
    assert sorted(index.overview) == [
        (level, row, col) for level in (6, 7, 8) for row in range(1 << 8 - level) for col in range(1 << 8 - level)
    ]
    for place, tile in index.overview.items():
        assert (tile == run_to_end(index.tile(*place, unique=False))).all()


def test_no_match_at_all_is_an_index_too():
    letters = np.frombuffer(b"N" * 100, np.uint8)
    index = index_of(run_job(ExactMatchesJob(a=letters, b=letters, k=11)))
    assert len(index) == 0
    assert not run_to_end(index.tile(0, 0, 0, unique=False)).any()
    assert len(index.found((0, 100), (0, 100), 5, unique=False)) == 0
