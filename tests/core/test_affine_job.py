"""How a job with affine gaps behaves while it runs: what it reports, how it stops, what it refuses."""

import numpy as np
import pytest

from tests.core.affine import related, some_letters
from tests.core.pairs import letters
from wavediff.core.base.errors import NotEnoughMemory, SelfCheckFailed
from wavediff.core.jobs.events import KernelTiming, Planned, Step, StepDone, run_to_end
from wavediff.core.jobs.grid import BlockState
from wavediff.core.kernels.affine import affine_matrix as matrix
from wavediff.core.kernels.affine import run as kernel
from wavediff.core.methods.affine import AffineJob, AffineKernel
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.scoring.scheme import ScoringScheme, default_scheme

PROTEIN = default_scheme(proteins=True)
WIDE = ScoringScheme(PROTEIN.matrix, 100, 10)


def job(n, m, scoring=PROTEIN, **choices):
    rng = np.random.default_rng(n)
    a = some_letters(rng, n, scoring)
    return AffineJob(a=a, b=np.resize(related(rng, a, scoring), m), scoring=scoring, **choices)


def test_memory_is_estimated_before_anything_is_allocated(monkeypatch):
    monkeypatch.setattr(matrix, "available_memory", lambda: 1 << 28)
    a = np.zeros(10**6, np.uint8)
    with pytest.raises(NotEnoughMemory, match=r"alignment of 1,000,000 and .* GB .*--traceback none"):
        matrix.AffineMatrix(a, a, PROTEIN, matrix.block_grid(PROTEIN, 10**6, 10**6), kept=True, threads=1)


@pytest.mark.parametrize(("kept", "most"), [(True, 64 << 20), (False, 4 << 20)])
def test_fifty_thousand_letters_take_little_memory(kept, most):
    assert kernel.memory(job(50_000, 50_000, path=TracebackMethod.BLOCKS if kept else TracebackMethod.NONE)) < most


@pytest.mark.parametrize("scoring", [PROTEIN, WIDE], ids=["bytes", "shorts"])
def test_a_matrix_takes_no_more_than_was_estimated(scoring):
    asked = job(3_000, 4_000, scoring)
    a, b = scoring.matrix.codes[asked.a], scoring.matrix.codes[asked.b]
    made = matrix.AffineMatrix(a, b, scoring, matrix.block_grid(scoring, a.size, b.size), kept=True, threads=2)
    arrays = (made.state.u, made.state.y, made.state.v, made.state.x, made.plan.profile, made.plan.cols)
    estimated = kernel.memory(asked)
    assert 0.3 * estimated < sum(one.nbytes for one in arrays) < estimated


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("scoring", [PROTEIN, WIDE], ids=["bytes", "shorts"])
def test_a_matrix_reads_nothing_that_it_did_not_write(scoring, kept):
    asked, found = job(1_700, 2_300), []
    a, b = scoring.matrix.codes[asked.a], scoring.matrix.codes[asked.b]
    for filled in (0x00, 0xA5, 0x7F):
        made = matrix.AffineMatrix(a, b, scoring, matrix.block_grid(scoring, a.size, b.size), kept=kept, threads=2)
        n, m = a.size + (-a.size % made.state.v.size), b.size
        for array, written in ((made.state.u, m), (made.state.y, m), (made.state.v, n), (made.state.x, n)):
            array.view(np.uint8)[written * array.itemsize :] = filled
        made.state.rings.view(np.uint8)[:] = filled
        made.plan.profile.view(np.uint8)[:] = filled
        list(made.prepare(Step(0)))
        list(made.compute(Step(0)))
        runs = run_to_end(made.trace(Step(0), a, b)) if kept else ()
        found.append((made.score(), [one.tolist() for one in runs]))
    assert found[1:] == found[:1] * 2


def test_a_score_that_comes_out_otherwise_is_never_returned(monkeypatch):
    monkeypatch.setattr(matrix.blocks, "solve_block", lambda *_: 7)
    with pytest.raises(SelfCheckFailed, match="came out as 7, and as 8 when"):
        run_job(AffineJob(a=letters(b"AA"), b=letters(b"AA"), scoring=PROTEIN))
    monkeypatch.setattr(matrix.AffineMatrix, "score", lambda _: 7)
    with pytest.raises(SelfCheckFailed, match="came out as 7, and as 8 when"):
        run_job(AffineJob(a=letters(b"AA"), b=letters(b"AA"), scoring=PROTEIN, block_cols=1))


@pytest.mark.parametrize("runs", [([0], [3]), ([1, 0], [1, 1]), ([2, 3, 0], [1, 1, 1])])
@pytest.mark.parametrize("columns", [0, 1], ids=["one block", "two blocks"])
def test_an_alignment_that_contradicts_itself_is_never_returned(monkeypatch, columns, runs):
    found = np.array(runs[0], np.uint8), np.array(runs[1], np.int64)
    monkeypatch.setattr(matrix if columns else kernel, "joined", lambda *_: found)
    with pytest.raises(SelfCheckFailed, match="discarded"):
        run_job(AffineJob(a=letters(b"AA"), b=letters(b"AA"), scoring=PROTEIN, block_cols=columns))


@pytest.mark.parametrize("scoring", [PROTEIN, WIDE], ids=["bytes", "shorts"])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 200), (200, 1), (63, 65), (64, 64), (300, 290), (512, 512)])
def test_one_block_and_several_give_the_same_alignment_cells_and_statistics(n, m, scoring):
    """A block of a whole pair is solved in one call, and smaller ones by the threads of a matrix."""
    found = []
    for columns in (0, max(1, m // 2)):
        events = []
        result = run_job(job(n, m, scoring, block_cols=columns), report=events.append)
        kernels = {one.kernel: one.cells for one in events if isinstance(one, KernelTiming) and one.calls}
        (planned,) = (one for one in events if isinstance(one, Planned))
        assert planned.record.is_complete
        assert (planned.block_map == BlockState.PATH).any()
        found.append(
            (result.units, result.alignment.cigar(), result.columns, result.verification, {*kernels, "profile"})
        )
        assert kernels["blocks"] == n * m
    assert found[0] == found[1]


def test_the_whole_score_is_checked_where_that_costs_little(monkeypatch):
    asked = []
    real = kernel._gotoh

    def watched(*args):
        asked.append(args[-1])
        return (yield from real(*args))

    monkeypatch.setattr(kernel, "_gotoh", watched)
    run_job(job(500, 500))
    assert asked == ["verify"]
    run_job(job(1_000, 1_000))
    assert asked == ["verify"]


def test_what_alignments_of_several_blocks_call_is_compiled_before_them(monkeypatch):
    called, real = [], matrix.blocks.trace_block
    monkeypatch.setattr(matrix.blocks, "trace_block", lambda *args: called.append(real(*args)))
    kernel.rehearse(PROTEIN)
    assert called


def test_gotoh_s_recurrence_is_a_kernel_to_compare_with():
    events = []
    asked = job(3_000, 2_000, path=TracebackMethod.NONE)
    twin = job(3_000, 2_000, path=TracebackMethod.NONE, kernel=AffineKernel.GOTOH)
    found = run_job(twin, report=events.append)
    assert found.units == run_job(asked).units
    assert sum(e.cells for e in events if isinstance(e, StepDone)) == 6_000_000
