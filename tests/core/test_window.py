"""Windows of a matrix: their values are those of the whole table, wherever they lie and whatever was kept."""

from functools import lru_cache, partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.pairs import random_letters
from tests.depth import examples
from tests.oracles import swap_edit as oracle
from wavediff.core.jobs.events import Planned, Step, StepDone, run_to_end
from wavediff.core.jobs.kept_matrix import MAX_KEPT_BYTES, edit_cells, fill_cells, lcs_cells
from wavediff.core.kernels.pairwise.blocks import block_matrix
from wavediff.core.kernels.pairwise.blocks.kept_blocks import KeptBlocks
from wavediff.core.kernels.pairwise.edit.edit_matrix import CpuEdit
from wavediff.core.kernels.pairwise.lcs import run as lcs
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import CpuLcs
from wavediff.core.kernels.pairwise.problem import encode
from wavediff.core.kernels.swap_edit import run as swap
from wavediff.core.kernels.swap_edit import strips
from wavediff.core.kernels.swap_edit.swap_matrix import FINEST, KeptEvery, SwapMatrix, memory, what_fits
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.methods.window_job import WindowJob
from wavediff.core.run.runner import run_job
from wavediff.core.teach.words import swap_words


def whole(kind, a, b):
    return _whole(kind, a.tobytes(), b.tobytes())


@lru_cache(maxsize=8)
def _whole(kind, x, y):
    if kind is SwapEditJob:
        return oracle.table(x, y)
    a, b = (np.frombuffer(one, np.uint8) for one in (x, y))
    lcs = kind is LcsJob
    left, top = (np.zeros(x.size + 1, np.int64) if lcs else np.arange(x.size + 1) for x in (a, b))
    return fill_cells(lcs_cells if lcs else edit_cells, a[:, None] == b[None, :], left, top)


def planned(job):
    """What a run told last of its way."""
    events = []
    run_job(job, report=lambda event: events.append(event) if isinstance(event, Planned) else None)
    return events[-1]


def cut(table, row, col, n_rows, n_cols):
    return table[row : row + n_rows + 1, col : col + n_cols + 1]


def changed(rng, a, share):
    kind = rng.random(a.size)
    b = np.where(kind < share, rng.permutation(a), a)
    return np.repeat(b, np.where(kind > 1 - share / 4, 0, np.where(kind > 1 - share / 2, 2, 1)))


@pytest.mark.parametrize(("n", "m"), [(2_100, 3_001), pytest.param(5_003, 1_400, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    ("kind", "choice"), [(LcsJob, {"strategy": Strategy.FULL}), (EditJob, {"band": BandMode.NONE})]
)
def test_windows_of_kept_blocks_are_those_of_the_table(kind, choice, n, m, monkeypatch):
    """At random places and at all edges; where a strip keeps several states, and where only its beginning."""
    rng = np.random.default_rng(n)
    a, b = random_letters(rng, n, 4), random_letters(rng, m, 4)
    table = whole(kind, a, b)
    for at_once, block_rows in product((True, False), (512, 1536)):
        if not at_once:
            monkeypatch.setattr(block_matrix.BlockMatrix, "_needs_no_blocks", lambda _: False)
        job = kind(a=a, b=b, threads=2, block_rows=block_rows, block_cols=128, **choice)
        plan = planned(job)
        assert plan.kept is not None
        before = plan.grid.row0
        places = [(before, before), (n - 64, m - 64), (before, m - 64), (n - 64, before), (480, 100), (1_500, 999)]
        places += [(int(rng.integers(before, n - 63)), int(rng.integers(before, m - 63))) for _ in range(4)]
        for row, col in places:
            window = WindowJob(pair=job, row=row, col=col, kept=plan.kept, before=before)
            found = run_job(window)
            assert (found.values == cut(table, row, col, 64, 64)).all(), (row, col, block_rows)
            assert found.kept is None


def test_windows_with_swaps_are_those_of_the_table():
    rng = np.random.default_rng(8)
    a, b = random_letters(rng, 603, 4), random_letters(rng, 1_000, 4)
    for swaps in (True, False):
        job = SwapEditJob(a=a, b=b, swaps=swaps)
        plan = planned(job)
        table = whole(SwapEditJob if swaps else EditJob, a, b)
        assert plan.kept is not None
        before = plan.grid.row0
        places = [(before, before), (603 - 64, 1_000 - 64), (before, 700), (400, before), (480, 690), (530, 800)]
        words = swap_words(*(x[before:].tobytes().decode("latin-1") for x in (a, b))) if swaps else {}
        for row, col in places:
            found = run_job(WindowJob(pair=job, row=row, col=col, kept=plan.kept, before=before))
            assert (found.values == cut(table, row, col, 64, 64)).all(), (row, col, swaps)
            rows, cols = slice(row - before, row - before + 64), slice(col - before, col - before + 64)
            for name, whole_words in words.items():
                assert (found.words[name] == whole_words[rows, cols]).all(), (name, row, col)
            assert swaps or not found.words["down"].any() | found.words["across"].any()


SIZE = 2_100, 2_040  # 5 strips, of which the first ends a slab before the last
WORDS_OF = ("EQ", "D0", "HP", "HN", "VP", "VN", "down", "across")


@pytest.fixture(scope="module")
def large():
    """A pair, and what its words and values are by the recurrence on integers."""
    rng = np.random.default_rng(2)
    a = random_letters(rng, SIZE[0], 3)
    b = np.resize(changed(rng, a, 0.2), SIZE[1])
    words = swap_words(*(x.tobytes().decode("latin-1") for x in (a, b)))
    first = np.arange(a.size + 1)[:, None]
    across = words["HP"].astype(np.int64) - words["HN"]
    inner = np.cumsum(np.concatenate([first[1:], across], axis=1), axis=1)
    return a, b, words, np.concatenate([np.arange(b.size + 1)[None], inner])


@pytest.mark.parametrize(
    "kept", [KeptEvery(1, 1), KeptEvery(2, 1), KeptEvery(1, 2), KeptEvery(4, 2), KeptEvery(8, 4)], ids=str
)
def test_windows_with_swaps_between_what_is_kept(large, kept, monkeypatch):
    """At all edges and corners of strips and slabs: values and words, which go on in those of the windows beside."""
    a, b, words, values = large
    monkeypatch.setattr(swap, "what_fits", lambda *_: kept)
    job = SwapEditJob(a=a, b=b, threads=2)
    left = run_to_end(swap.keep(job))
    places = [(0, 0), (2_036, 1_976), (0, 1_976), (2_036, 0), (480, 1_000), (1_023, 960), (1_500, 1_976), (1_536, 990)]
    for row, col in places:
        found = run_job(WindowJob(pair=job, row=row, col=col, kept=left))
        assert (found.values == cut(values, row, col, 64, 64)).all(), (row, col)
        assert set(found.words) == set(WORDS_OF)
        for name, word in found.words.items():
            assert (word == words[name][row : row + 64, col : col + 64]).all(), (name, row, col)
    four = run_job(WindowJob(pair=job, row=990, col=970, n_rows=128, n_cols=128, kept=left))
    for row, col in product((0, 64), (0, 64)):
        one = run_job(WindowJob(pair=job, row=990 + row, col=970 + col, kept=left))
        assert all((four.words[name][row : row + 64, col : col + 64] == one.words[name]).all() for name in WORDS_OF)
        assert (cut(four.values, row, col, 64, 64) == one.values).all()


ROW_STEP = 617  # of windows, in four strips


def computed_windows(kept, n, values):
    """Check windows at the end of what is computed by now; return the columns that are, added up."""
    found = 0
    for row in range(0, n - 64, ROW_STEP):
        first, end = kept.columns(row, 64)
        if end - 64 >= first:
            found += end
            assert (run_to_end(kept.values(Step(0), row, end - 64, 64, 64)) == cut(values, row, end - 64, 64, 64)).all()
    return found


def check_windows_on_the_way(kept, a, b, values, advance):
    """Check windows before each ``advance`` of a matrix and at the end; more and more columns have them."""
    columns = [computed_windows(kept, a.size, values)]
    while advance():
        columns.append(computed_windows(kept, a.size, values))
    assert columns == sorted(columns)
    assert (columns[0], columns[-1]) == (0, len(range(0, a.size - 64, ROW_STEP)) * b.size)
    assert len(set(columns)) > 4


@pytest.mark.parametrize("kept", [FINEST, KeptEvery(4, 2)], ids=str)
def test_windows_with_swaps_while_the_run_goes_on(large, kept):
    a, b, _, values = large
    codes = np.unique(np.concatenate([a, b]), return_inverse=True)[1].astype(np.uint8)
    matrix = SwapMatrix(codes[: a.size], codes[a.size :], 3, kept=kept, swaps=True, threads=1)
    assert matrix.kept is not None
    advance = partial(strips.advance, matrix.plan, matrix.state, matrix.every, 0, 3)
    check_windows_on_the_way(matrix.kept, a, b, values, advance)


@pytest.mark.parametrize(("kind", "backend"), [(LcsJob, CpuLcs()), (EditJob, CpuEdit())], ids=["lcs", "edit"])
def test_windows_while_the_run_goes_on(kind, backend):
    rng = np.random.default_rng(2_100)
    a, b = random_letters(rng, 2_100, 4), random_letters(rng, 3_001, 4)
    problem = run_to_end(encode(kind(a=a, b=b, threads=1, block_rows=512, block_cols=128), strip=False))
    matrix, values = run_to_end(backend.matrix(problem, None)), whole(kind, a, b)
    assert matrix.kept is not None
    run_to_end(matrix.make_ready(Step(0), problem.planes, problem.n_codes, path=False))
    advance = partial(block_matrix._advance.advance, matrix.plan, matrix.state, *matrix.planes, 0, 17)
    check_windows_on_the_way(matrix.kept, a, b, values, advance)


def test_a_window_waits_for_a_walk_back_that_writes_borders():
    """And can be stopped while it waits."""
    rng = np.random.default_rng(1)
    job = LcsJob(
        a=random_letters(rng, 600, 4), b=random_letters(rng, 700, 4), block_rows=512, strategy=Strategy.FULL
    )  # fmt: skip
    kept = run_to_end(lcs.keep(job))
    assert isinstance(kept, KeptBlocks)
    values = kept.values(Step(0), 100, 100, 64, 64)
    with kept.lock:
        waited = [next(event for event in values if isinstance(event, StepDone) and not event.calls) for _ in range(2)]
        assert [event.kernel for event in waited] == ["window"] * 2
    assert run_to_end(values).shape == (65, 65)
    assert not kept.lock.locked()


@pytest.mark.parametrize("most", [1 << 20, 1 << 24, MAX_KEPT_BYTES])
@pytest.mark.parametrize(("n", "m"), [(30_000, 20_000), (10**6, 10**6), (10**7, 1_000), (700, 10**7)])
def test_what_is_kept_of_swaps_is_thinned_to_what_fits(n, m, most):
    kept = what_fits(n, m, most)
    takes = memory(n, m, kept=kept, threads=1)
    everything = memory(n, m, kept=FINEST, threads=1)
    assert takes <= everything
    assert (kept == FINEST) == (everything <= most) or takes == everything
    if most == MAX_KEPT_BYTES:
        assert takes <= most + (8 << 20), "and the masks of a thread"
        assert kept.strips * kept.slabs <= 1 << 11, "blocks that are computed again, at most"


@pytest.mark.parametrize("kind", [LcsJob, EditJob, SwapEditJob])
def test_a_window_that_reaches_beyond_what_was_kept_is_computed_from_the_first_letters(kind):
    """Equal letters in front and at the end are no part of the matrix."""
    rng = np.random.default_rng(6)
    same = random_letters(rng, 300, 4)
    a, b = (np.concatenate([same, random_letters(rng, 700, 4), same]) for _ in range(2))
    choice = {LcsJob: {"strategy": Strategy.FULL, "block_rows": 512}, EditJob: {"block_rows": 512}}.get(kind, {})
    job = kind(a=a, b=b, **choice)
    plan, table = planned(job), whole(kind, a, b)
    assert plan.kept is not None
    assert plan.grid.row0 >= 300 or plan.grid.row0 == 0
    for row, col in ((600, 834), (a.size - 64, b.size - 64), (950, 400), (400, b.size - 64), (0, 0)):
        found = run_job(WindowJob(pair=job, row=row, col=col, kept=plan.kept, before=plan.grid.row0))
        assert (found.values == cut(table, row, col, 64, 64)).all(), (row, col)


@examples(25)
@given(st.data())
def test_any_window_without_anything_kept_is_that_of_the_table(data):
    kind = data.draw(st.sampled_from([LcsJob, EditJob, SwapEditJob]))
    letters = st.lists(st.sampled_from(list(b"ACGT")), min_size=1, max_size=700)
    a, b = (np.array(data.draw(letters), np.uint8) for _ in range(2))
    row, col = (data.draw(st.integers(0, x.size - 1)) for x in (a, b))
    n_rows, n_cols = (data.draw(st.integers(1, min(64, x.size - at))) for x, at in ((a, row), (b, col)))
    job = kind(a=a, b=b, path=TracebackMethod.NONE)
    first = run_job(WindowJob(pair=job, row=row, col=col, n_rows=n_rows, n_cols=n_cols))
    assert (first.values == cut(whole(kind, a, b), row, col, n_rows, n_cols)).all()
    assert first.kept is not None
    again = run_job(WindowJob(pair=job, row=row, col=col, n_rows=n_rows, n_cols=n_cols, kept=first.kept))
    assert (again.values == first.values).all()


def test_a_window_of_a_band_that_proved_itself_has_the_values_of_the_table_near_the_path():
    rng = np.random.default_rng(4)
    a = random_letters(rng, 4_000, 4)
    b = changed(rng, a, 0.03)
    job = EditJob(a=a, b=b, band=BandMode.FIXED, threshold=800, block_rows=512, block_cols=128, threads=1)
    plan, table = planned(job), whole(EditJob, a, b)
    assert plan.kept is not None
    assert plan.low is not None
    before = plan.grid.row0
    for row in range(before, min(a.size, b.size) - 64, 411):
        first, end = plan.kept.columns(row - before, 64)
        assert first <= row - before
        assert row - before + 64 <= end
        found = run_job(WindowJob(pair=job, row=row, col=row, kept=plan.kept, before=before))
        assert (found.values == cut(table, row, row, 64, 64)).all(), row
    assert plan.kept.columns(3_000, 64)[0] > 0
    assert plan.kept.columns(700, 64)[1] < b.size - before


def test_what_is_not_kept():
    rng = np.random.default_rng(5)
    a, b = random_letters(rng, 5_000, 4), random_letters(rng, 5_000, 4)
    for path, kept in ((TracebackMethod.NONE, False), (TracebackMethod.BLOCKS, True)):
        plan = planned(EditJob(a=a, b=b, band=BandMode.NONE, path=path, block_rows=512))
        assert (plan.kept is not None) == kept
        assert plan.kept is None or 0 < plan.kept.n_bytes <= MAX_KEPT_BYTES


def test_what_is_asked_for_must_lie_in_the_matrix():
    letters = np.frombuffer(b"ACGT", np.uint8)
    job = LcsJob(a=letters, b=letters)
    with pytest.raises(ValueError, match="does not fit into a matrix of 4 x 4"):
        WindowJob(pair=job, row=1, col=0, n_rows=4, n_cols=1)
    with pytest.raises(ValueError, match="has cells"):
        WindowJob(pair=job, row=0, col=0, n_rows=0, n_cols=1)
    with pytest.raises(ValueError, match="no cells of a comparison by edit distance"):
        run_job(WindowJob(pair=EditJob(a=letters, b=letters, ends=Ends.A), row=0, col=0, n_rows=1, n_cols=1))
