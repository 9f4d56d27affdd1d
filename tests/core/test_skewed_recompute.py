"""A strip computed again with each lane in columns of its own: the path is that of strips computed again at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.depth import examples
from wavediff.core.jit.simd import BITS, LANES
from wavediff.core.jobs.events import Step, StepDone, run_to_end
from wavediff.core.kernels.pairwise.blocks import block_matrix
from wavediff.core.kernels.pairwise.blocks.block_shape import BlockShapePlan
from wavediff.core.kernels.pairwise.blocks.packed_pair import pack
from wavediff.core.kernels.pairwise.edit.edit_matrix import EditMatrix
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from wavediff.core.kernels.traceback.assemble import assemble_alignment

METHODS = [LcsMatrix, EditMatrix]


@pytest.fixture(scope="module", autouse=True)
def _of_one_strip_too():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_matrix, "DIAGONAL_TRACE_STRIPS", 1)
        yield


def codes(rng, n, n_codes):
    return rng.integers(0, n_codes, n).astype(np.uint8)


def traced(method, a, b, shape, band=None):
    """Return the path of a walk back through the matrix of codes, and the cells that were computed again."""
    n_codes = int(max(a.max(), b.max())) + 1
    packed = run_to_end(pack(Step(0), a, b, n_codes, max(1, (n_codes - 1).bit_length())))
    whole = method(packed, shape, band=band)
    list(whole.compute(Step(0)))
    pieces = []
    steps = list(whole.trace(Step(0), pieces))
    path = run_to_end(assemble_alignment(Step(0), pieces, a, b, 0, 0))
    return path.cigar(), sum(step.cells for step in steps if isinstance(step, StepDone))


def skewed_and_plain(method, a, b, depth, steps, keep, band=None):
    """Return the cells computed again with lanes in columns of their own, and at once; the paths are the same."""
    apart, fewer = traced(method, a, b, BlockShapePlan(depth, steps, keep, 1, marks=True, alike=False), band)
    at_once, cells = traced(method, a, b, BlockShapePlan(depth, steps, keep, 1, marks=False, alike=False), band)
    assert apart == at_once
    return fewer, cells


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("letters", [2, 4, 20, 256])
def test_few_cells_are_computed_again(method, letters):
    rng = np.random.default_rng(letters)
    a, b = (codes(rng, 9 * BITS * 8 + more, letters) for more in (77, 401))
    fewer, cells = skewed_and_plain(method, a, b, 16, 64, 1)
    assert fewer < cells * min(1, 0.4 + 1.5 / LANES)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("rows", "columns"), [(1.0, 1.0), (3.2, 0.4), (0.3, 5.1), (2.0, 2.0)])
@pytest.mark.parametrize(("depth", "steps", "keep"), [(1, 64, 1), (5, 128, 3), (9, 64, 2)])
def test_any_shape_gives_the_same_path(method, rows, columns, depth, steps, keep):
    rng = np.random.default_rng(round(10 * rows) + depth)
    a, b = (codes(rng, round(side * BITS * depth) + 1, 4) for side in (rows, columns))
    skewed_and_plain(method, a, b, depth, steps, keep)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("first", ["gap", "letters"])
def test_a_path_that_comes_elsewhere_is_found(method, first):
    """It is looked for along the straight line to the beginning, and is not there."""
    rng = np.random.default_rng(7)
    a = codes(rng, 6 * BITS, 4)
    gap = codes(rng, 5 * BITS, 2)
    b = a.copy()
    b[rng.random(b.size) < 0.3] = 3
    skewed_and_plain(method, a, np.concatenate([gap, b] if first == "gap" else [b, gap]), 3, 64, 1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("band", [(-700, 900), (-5000, 300)])
def test_a_walk_inside_a_band(method, band):
    rng = np.random.default_rng(3)
    a = codes(rng, 7 * BITS, 4)
    b = a.copy()
    b[rng.random(b.size) < 0.4] = 1
    skewed_and_plain(method, a, b, 2, 64, 1, band)


@examples(60)
@given(
    st.sampled_from(METHODS), st.integers(0, 2**32 - 1), st.integers(1, 4 * BITS), st.integers(1, 4 * BITS),
    st.integers(1, 3), st.integers(1, 2), st.integers(1, 5),
)  # fmt: skip
def test_sizes_about_every_edge(method, seed, n, m, depth, keep, letters):
    rng = np.random.default_rng(seed)
    a, b = (codes(rng, size, letters) for size in (n, m))
    skewed_and_plain(method, a, b, depth, 64, keep)
