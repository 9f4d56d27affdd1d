"""Ten thousand random small pairs a kernel, their sizes round every edge of words, lanes, strips, groups and tiles."""

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq, Levenshtein

from wavediff.core.jit.bits import dense_code
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.kernels.pairwise.edit.run import run as run_edit
from wavediff.core.kernels.pairwise.lcs.run import run as run_lcs
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, LcsKernel, Strategy
from wavediff.gpu.pairwise.edit.run import GpuEdit
from wavediff.gpu.pairwise.lcs.kawanami import KawanamiMatrix, Strings
from wavediff.gpu.pairwise.lcs.run import GpuLcs, run_on
from wavediff.gpu.pairwise.strips.sliced import BitSlicedRows, planes_of
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix
from wavediff.gpu.pairwise.traceback import overlapped_traceback

EDGES = np.array([8, 32, 64, 128, 256, 512, 1024, 1280, 2048])  # group, word, tile, slice, strip
TOGETHER = 250  # pairs of a launch


def _size(rng):
    """Half of the sizes lie at an edge or next to it."""
    if rng.random() < 0.5:
        return int(rng.choice(EDGES) * rng.integers(1, 3) + rng.integers(-1, 2))
    return int(rng.integers(1, 1500))


def pairs(rng, number, sigma):
    found = []
    for _ in range(number):
        a, b = (rng.integers(0, sigma, _size(rng), np.uint8) for _ in range(2))
        if rng.random() < 0.33:
            b = np.resize(a, b.size)
            b[rng.random(b.size) < rng.random() / 4] = rng.integers(sigma)
        found.append((a, b))
    return found


def _check(matrix):
    list(matrix.compute(Step(1)))
    for part, (a, b) in enumerate(matrix.pairs):
        first, second = a.tobytes(), b.tobytes()
        if matrix.delta_bits is DeltaBits.LCS:
            found, right = matrix.length(part), LCSseq.similarity(first, second)
        else:
            found, right = matrix.distance(part), Levenshtein.distance(first, second)
        assert found == right, f"{a.size} x {b.size}: {found}, {right} is right"


@pytest.mark.gpu
@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize(("sigma", "words"), [(4, 1), (4, 2), (20, 1), (256, 2)])
def test_words_in_a_row(cuda_card, delta_bits, sigma, words):
    rng = np.random.default_rng(100 * sigma + words)
    for _ in range(10):
        _check(StripMatrix(cuda_card, pairs(rng, TOGETHER, sigma), StaggeredRows(sigma, words), delta_bits))


@pytest.mark.gpu
@pytest.mark.parametrize(("sigma", "words"), [(2, 1), (4, 1), (4, 3), (8, 2)])
def test_bit_slices(cuda_card, sigma, words):
    rng = np.random.default_rng(100 * sigma + words)
    for _ in range(10):
        some = pairs(rng, TOGETHER, sigma)
        every = np.concatenate([one for pair in some for one in pair])
        _check(
            StripMatrix(cuda_card, some, BitSlicedRows(sigma, words, planes_of(sigma, every, every)), DeltaBits.EDIT)
        )


@pytest.mark.gpu
def test_the_kernel_of_kawanami(cuda_card):
    rng = np.random.default_rng(1)
    for a, b in pairs(rng, 2500, 4) + pairs(rng, 500, 256):
        matrix = KawanamiMatrix(Strings(cuda_card, a, b, 256))
        list(matrix.compute(Step(1)))
        assert matrix.length() == LCSseq.similarity(a.tobytes(), b.tobytes()), (a.size, b.size)


@pytest.mark.gpu
@pytest.mark.parametrize("finest", [64, 512])
def test_paths_are_those_of_the_cpu(cuda_card, finest, monkeypatch):
    """Whole jobs against the twin: the same answer and the very same alignment."""
    monkeypatch.setattr(overlapped_traceback, "MIN_TILE_SIDE", finest)
    rng = np.random.default_rng(finest)
    for a, b in pairs(rng, 150, 4) + pairs(rng, 50, 30):
        for run, backend, job in (
            (run_lcs, GpuLcs(cuda_card), LcsJob(a=a, b=b, strategy=Strategy.FULL)),
            (run_edit, GpuEdit(cuda_card), EditJob(a=a, b=b, band=BandMode.NONE)),
        ):
            found, right = run_to_end(run(job, backend)), run_to_end(run(job))
            assert np.array_equal(found.alignment.ops, right.alignment.ops), (a.size, b.size)
            assert np.array_equal(found.alignment.lengths, right.alignment.lengths), (a.size, b.size)


@pytest.mark.gpu
def test_paths_by_the_kernel_of_kawanami(cuda_card, monkeypatch):
    monkeypatch.setattr("wavediff.gpu.pairwise.lcs.run.CPU_ROWS", 256)
    rng = np.random.default_rng(2)
    for a, b in pairs(rng, 60, 4):
        for kernel, path in (
            (LcsKernel.KAWANAMI, TracebackMethod.HIRSCHBERG),
            (LcsKernel.DEFAULT, TracebackMethod.HIRSCHBERG),
        ):
            found = run_to_end(run_on(cuda_card, LcsJob(a=a, b=b, kernel=kernel, path=path)))
            assert found.length == LCSseq.similarity(a.tobytes(), b.tobytes()), (a.size, b.size)


def test_sizes_and_codes_are_as_the_kernels_take_them(host_card):
    """The same few pairs on the host: that these checks can be trusted on a card."""
    rng = np.random.default_rng(9)
    some = pairs(rng, 6, 4)
    assert all(dense_code(*(np.bincount(one, minlength=256) for one in pair), False).n_codes <= 5 for pair in some)
    _check(StripMatrix(host_card, some, StaggeredRows(4, 1), DeltaBits.LCS))
    _check(StripMatrix(host_card, some, BitSlicedRows(4, 1, 2), DeltaBits.EDIT))
