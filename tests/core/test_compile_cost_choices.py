"""What is done without a kernel that is not compiled yet, and what is asked for before it is needed."""

import numpy as np

from tests.core.compilers import at_work, none_ready_of
from wavediff.core.jit import background_compile, warmup
from wavediff.core.jit.background_compile import BackgroundCompiler, KernelSet

NOBODY = ("/nowhere/python",)  # no child can be started


def test_a_small_matrix_does_not_wait_for_blocks(monkeypatch):
    """What walks back computes it, strip after strip, to the same path; the kernel of blocks is left for later."""
    from wavediff.core.jobs.events import Planned
    from wavediff.core.jobs.grid import BlockState
    from wavediff.core.kernels.pairwise.blocks import block_worker
    from wavediff.core.methods.lcs import LcsJob, Strategy
    from wavediff.core.run.runner import run_job

    rng = np.random.default_rng(2)
    boards = []

    def report(event):
        if isinstance(event, Planned):
            boards.append(event.block_map)

    for n, m in ((3000, 2500), (1024, 700), (1100, 3), (2047, 5000)):
        a, b = (rng.integers(0, 4, size, np.uint8) for size in (n, m))
        job = LcsJob(a=a, b=b, strategy=Strategy.FULL, block_rows=512, threads=2)
        at_work(monkeypatch)
        wanted = run_job(job)
        compiler = BackgroundCompiler(warmup.compiled_names(), NOBODY, KernelSet.TRACEBACK)
        at_work(monkeypatch, compiler, cached=())
        with monkeypatch.context() as patch:
            patch.setattr(block_worker, "advance", None)
            none_ready_of(patch, "blocks ")
            found = run_job(job, report=report)
        assert compiler.pid is None
        assert found.length == wanted.length
        assert found.alignment.ops.tolist() == wanted.alignment.ops.tolist()
        assert found.alignment.lengths.tolist() == wanted.alignment.lengths.tolist()
        assert set(np.unique(boards[-1])) <= {int(BlockState.DONE), int(BlockState.PATH)}


def test_a_walk_back_is_asked_for_before_anything_is_encoded(monkeypatch):
    from wavediff.core.kernels.pairwise.edit.run import CPU as EDIT
    from wavediff.core.kernels.pairwise.lcs.run import CPU as LCS
    from wavediff.core.methods.base import TracebackMethod
    from wavediff.core.methods.edit import EditJob
    from wavediff.core.methods.lcs import LcsJob

    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 4, 5000, np.uint8) for _ in "ab")
    compiler = BackgroundCompiler(command=NOBODY, lane=KernelSet.TRACEBACK)
    told = []
    monkeypatch.setattr(compiler, "expect", told.append)
    LCS.foresee(LcsJob(a=a, b=b))
    assert told == []  # nobody to tell
    at_work(monkeypatch, compiler)
    LCS.foresee(LcsJob(a=a, b=b, path=TracebackMethod.NONE))
    LCS.foresee(LcsJob(a=a[:100], b=b[:100]))
    assert told == []  # nothing to walk back through
    LCS.foresee(LcsJob(a=a, b=b))
    EDIT.foresee(EditJob(a=a, b=np.append(b, np.uint8(9))))
    assert told == ["traceback ((0, 0), (0, 0), 'path')", "traceback ((0, 0), (0, 0, 0), 'edit path')"]


def test_what_is_kept_is_known_where_children_or_a_cache_are(monkeypatch):
    monkeypatch.setattr(background_compile, "cores", lambda: 1)
    assert background_compile.is_cached("blocks 2")  # nobody knows better
    with background_compile.compile_in_parallel(frozenset({"blocks 2"})):
        assert background_compile.is_cached("blocks 2")
        assert not background_compile.is_cached("blocks 3")
    assert background_compile.is_cached("blocks 3")
    at_work(monkeypatch, BackgroundCompiler(["blocks 2"], NOBODY))
    assert background_compile.is_cached("blocks 2")
    assert not background_compile.is_cached("blocks 3")
