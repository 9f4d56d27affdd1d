"""Steps of least cost, and what is chosen among the alignments that they make, against tables cell by cell."""

import numpy as np
import numpy.typing as npt
import pytest

from tests.depth import some
from tests.oracles import windows as oracle
from wavediff.core.jit.quiet_numba import njit
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.kernels.traceback import window_runs as window
from wavediff.core.kernels.traceback.least_cost_steps import BLOCK_WORDS, GROUP_ROWS, STEP_WORDS, WORD, least_cost_steps
from wavediff.core.kernels.traceback.path_windows import COST, FIELDS, SIZE, Runs
from wavediff.core.kernels.traceback.window_band import cut_columns
from wavediff.core.kernels.traceback.window_solver import WindowSolver
from wavediff.core.methods.base import Ties
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.run.runner import run_job

METHODS = [pytest.param(False, id="edit"), pytest.param(True, id="lcs")]
Sizes = npt.NDArray[np.int32]


@njit(error_model="numpy")
def _steps(x, x_sizes, y, y_sizes, rows, cols, starts, sizes, groups, paired, state, steps):
    cut_columns(y_sizes, cols, starts, sizes)
    k = 0
    while starts[k] <= cols:
        k += 1
    for g in range(groups.shape[1]):
        groups[0, g], groups[1, g], groups[2, g] = 0, k - 1, BLOCK_WORDS * k * g
    return least_cost_steps(x, x_sizes, y, rows, starts, sizes, groups, paired, state, steps)


def _columns(words, starts, cols):
    """Whether each column's bit is set, of the words of the blocks of a row."""
    bits = np.unpackbits(words.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little").astype(np.bool_)
    ends = np.append(starts[1 : words.size], cols + 1)
    return np.concatenate([row[: end - start] for row, start, end in zip(bits, starts, ends, strict=False)])


@pytest.mark.parametrize("paired", METHODS)
@pytest.mark.parametrize("long_gaps", [False, True])
def test_steps_are_those_to_nodes_that_cost_as_much_less(paired, long_gaps):
    rng = np.random.default_rng([paired, long_gaps])
    for _ in some(60):
        rows, cols, n_letters = (int(rng.integers(*bounds)) for bounds in ((0, 90), (0, 200), (1, 6)))
        x = rng.integers(0, n_letters, rows + 1, dtype=np.uint8)
        y = rng.integers(0, n_letters, cols + 1 + int(WORD), dtype=np.uint8)
        x_sizes, y_sizes = np.ones(rows + 1, np.int32), np.ones(cols + 1, np.int32)
        if long_gaps:
            for sizes in (x_sizes, y_sizes):
                picked = rng.integers(0, 3)
                sizes[1:][rng.integers(0, max(sizes.size - 1, 1), picked)[: sizes.size - 1]] = rng.integers(2, 900)
        expected = oracle.costs(
            x, x_sizes.astype(np.int64), y[: cols + 1], y_sizes.astype(np.int64), 2 if paired else 1
        )
        blocks = cols // int(WORD) + 16
        groups, state = np.zeros((3, rows // int(GROUP_ROWS) + 1), np.int64), np.zeros((4, max(blocks, 16)), np.uint64)
        starts, block_sizes = np.zeros(blocks, np.int64), np.zeros(blocks, np.int64)
        steps = np.zeros(groups.shape[1] * blocks * int(BLOCK_WORDS), np.uint64)
        given = (x_sizes, y_sizes) if long_gaps else (x_sizes[:0], y_sizes[:0])
        total = _steps(x, given[0], y, given[1], rows, cols, starts, block_sizes, groups, paired, state, steps)
        assert total == expected[rows, cols]
        used = int(groups[1, 0]) + 1
        for p in range(rows + 1):
            at = groups[2, p >> 4] + np.arange(used) * int(BLOCK_WORDS) + (p & 15) * int(STEP_WORDS)
            delete, insert, pair = (_columns(steps[at + word], starts, cols) for word in range(3))
            here, above = expected[p], expected[p - 1] if p else np.full(cols + 1, oracle.NEVER)
            assert (delete == (here == above + x_sizes[p])).all()
            assert (insert[1:] == (here[1:] == here[:-1] + y_sizes[1:])).all()
            assert not insert[0]
            met = (here[1:] == above[:-1] + np.where(x[p] == y[1 : cols + 1], 0, 2 if paired else 1)) & (p > 0)
            assert (pair[1:] == (met & (x_sizes[p] == 1) & (y_sizes[1:] == 1))).all()
            assert not pair[0]


def _runs(columns, *, paired):
    """Runs of an alignment as a window is written: the D of a gap before its I, a substitution of an LCS as both."""
    kinds = {"=": Op.EQUAL, "X": Op.MISMATCH, "I": Op.INSERTION, "D": Op.DELETION}
    found, waiting = list[tuple[int, int]](), {Op.DELETION: 0, Op.INSERTION: 0}

    def put(op, n):
        if n and found and found[-1][0] == op:
            found[-1] = (int(op), found[-1][1] + n)
        elif n:
            found.append((int(op), n))

    def flush():
        for op in (Op.DELETION, Op.INSERTION):
            put(op, waiting[op])
            waiting[op] = 0

    for letter, _, _ in columns:
        op = kinds[letter]
        if op >= Op.INSERTION:
            waiting[op] += 1
        elif op is Op.MISMATCH and paired:
            waiting[Op.DELETION] += 1
            waiting[Op.INSERTION] += 1
        else:
            flush()
            put(op, 1)
    flush()
    return found


def _alike(rng, kind, n_letters):
    a = rng.integers(0, n_letters, int(rng.integers(20, 70)), dtype=np.uint8)
    if kind == "tandem":
        a = np.resize(a[: int(rng.integers(1, 9))], a.size)
    keep = rng.random(a.size) > 0.1
    b = a[keep]
    other = rng.random(b.size) < 0.1
    b[other] = rng.integers(0, n_letters, int(other.sum()), dtype=np.uint8)
    return a, np.insert(b, rng.integers(0, b.size + 1, 4), rng.integers(0, n_letters, 4, dtype=np.uint8))


@pytest.mark.parametrize("paired", METHODS)
@pytest.mark.parametrize("kind", ["random", "tandem"])
def test_the_chosen_alignment_of_a_window_is_written(paired, kind):
    rng = np.random.default_rng([paired, kind == "tandem"])
    seen = 0
    for k in some(240):
        a, b = _alike(rng, kind, (2, 4, 20)[k % 3])
        job = (LcsJob if paired else EditJob)(a=a, b=b, ties=Ties.LEFT_MOST)
        path = run_job(job).alignment
        cost, gaps, columns = oracle.chosen(a, b, 2 if paired else 1)
        one = np.zeros((1, FIELDS), np.int64)
        one[0, [window.END, COST, SIZE]] = path.ops.size, cost, path.lengths.sum()
        solver = WindowSolver(a, b, Runs.of(path, None), one, 2 * cost + 3, paired)
        run_to_end(solver.solve(Step(0), 1))
        runs, what, cheaper = solver.answers[0].tolist()
        assert (what, cheaper) == (window.PROVEN, 0)
        before = window.count_edits(path.ops, path.lengths, paired)[1]
        assert bool(runs) == (gaps < before)
        if runs and gaps > (a.size != b.size):  # else a single gap, found without
            written = list(zip(solver._ops[:runs].tolist(), solver._lengths[:runs].tolist(), strict=True))
            assert written == _runs(columns, paired=paired)
            seen += 1
    assert seen
