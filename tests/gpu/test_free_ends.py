"""Free ends on a card: the last column of strips against the textbook, jobs against those of the CPU."""

import numpy as np
import pytest

from tests.core.pairs import mutate, random_letters
from tests.depth import one_of
from tests.oracles import free_ends as oracle
from wavediff.core.jit.bits import dense_code
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.kernels.pairwise.edit.run import run as run_edit
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.gpu.pairwise.edit.run import GpuEdit
from wavediff.gpu.pairwise.strips.sliced import BitSlicedRows, planes_of
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix

BORDERS = [(True, False), (False, True), (False, False)]


def check(card, a, b, words, sliced, free_rows, free_columns, **options):
    code = dense_code(np.bincount(a, minlength=256), np.bincount(b, minlength=256), False)
    rows, columns = code.table[a], code.table[b]
    form = StaggeredRows(code.n_shared, words)
    if sliced:
        form = BitSlicedRows(code.n_shared, words, planes_of(code.n_shared, rows, columns))
    matrix = StripMatrix(
        card, [(rows, columns)], form, DeltaBits.EDIT, free_rows=free_rows, free_columns=free_columns, **options
    )
    list(matrix.compute(Step(1)))
    expected = oracle.last_column(a.tobytes(), b.tobytes(), free_rows, free_columns)
    assert np.concatenate(list(matrix.last_column())).tolist() == expected[1:]
    assert matrix.profile(0).tolist() == expected


@pytest.mark.parametrize(("free", "sliced", "n"), one_of(7, BORDERS, [False, True], [1, 33, 1024, 1025, 2300]))
def test_the_last_column_of_strips(card, n, sliced, free):
    rng = np.random.default_rng(n)
    a, b = random_letters(rng, n, 4), random_letters(rng, 77, 4)
    check(card, a, b, 1, sliced, *free)


@pytest.mark.parametrize(("free_rows", "free_columns"), BORDERS[:2])
@pytest.mark.parametrize("sliced", [False, True])
def test_launches_and_panels_adopt_free_borders(card, sliced, free_rows, free_columns):
    rng = np.random.default_rng(3)
    a, b = random_letters(rng, 3_000, 4), random_letters(rng, 300, 4)
    check(card, a, b, 1, sliced, free_rows, free_columns, panel=12, slice_seconds=0.0, warps=2)


def jobs(rng, n, m):
    a = random_letters(rng, n, 4)
    inner = mutate(rng, a[n // 3 : n // 3 + m], m // 30, 4)
    yield EditJob(a=a, b=inner, ends=Ends.A)
    yield EditJob(a=inner, b=a, ends=Ends.B)
    overlapping = np.concatenate([mutate(rng, a[-m:], m // 30, 4), random_letters(rng, m, 4)])
    yield EditJob(a=a, b=overlapping, ends=Ends.BOTH)
    yield EditJob(a=overlapping, b=a, ends=Ends.BOTH)


def same(card, job):
    found, expected = run_to_end(run_edit(job, GpuEdit(card))), run_to_end(run_edit(job))
    assert (found.device, expected.device) == ("gpu", "cpu")
    assert (found.distance, found.place, found.score) == (expected.distance, expected.place, expected.score)
    assert found.alignment.cigar() == expected.alignment.cigar()


@pytest.mark.parametrize("k", range(4))
def test_jobs(card, k):
    same(card, list(jobs(np.random.default_rng(4), 2_500, 600))[k])


@pytest.mark.gpu
@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize(("n", "m"), [(400_000, 1_500), (90_000, 60_000)])
def test_long_jobs(cuda_card, n, m, k):
    same(cuda_card, list(jobs(np.random.default_rng(5), n, m))[k])


@pytest.mark.gpu
@pytest.mark.parametrize(("free_rows", "free_columns"), BORDERS)
@pytest.mark.parametrize(("words", "sliced"), [(8, False), (32, False), (16, True), (32, True)])
def test_tall_strips(cuda_card, words, sliced, free_rows, free_columns):
    rng = np.random.default_rng(words)
    check(cuda_card, random_letters(rng, 9_001, 4), random_letters(rng, 403, 4), words, sliced, free_rows, free_columns)
