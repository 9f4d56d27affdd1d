"""Scores of any size are checked: read a second way, and a sample of the work computed again by another kernel."""

from typing import Any

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq, Levenshtein

from tests.depth import one_of
from wavediff.core.base.arrays import freeze
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.verification import Check
from wavediff.core.kernels.affine import blocks as affine_blocks
from wavediff.core.kernels.affine.affine_matrix import AffineMatrix
from wavediff.core.kernels.pairwise import compare
from wavediff.core.kernels.pairwise.blocks import matrix_check
from wavediff.core.kernels.pairwise.diagonal_transition import points_check, probe
from wavediff.core.kernels.pairwise.edit import free_ends
from wavediff.core.kernels.pairwise.edit.edit_matrix import EditMatrix
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from wavediff.core.kernels.pairwise.strategy import PairStrategy
from wavediff.core.kernels.swap_edit import run as swap_run
from wavediff.core.methods.affine import AffineJob
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job

ACGT = np.frombuffer(b"ACGT", np.uint8)
PATHS = (TracebackMethod.BLOCKS, TracebackMethod.NONE)
JOBS: dict[str, tuple[type, dict[str, Any]]] = {
    "edit": (EditJob, {}),
    "edit, all cells": (EditJob, {"band": BandMode.NONE}),
    "edit, sudo": (EditJob, {"band": BandMode.SUDO}),
    "lcs": (LcsJob, {}),
    "lcs, all cells": (LcsJob, {"strategy": Strategy.FULL}),
    "lcs, band": (LcsJob, {"strategy": Strategy.BAND}),
    "lcs, diagonals": (LcsJob, {"strategy": Strategy.DIAGONALS}),
}


def pair(n, changed, seed):
    """Return ``n`` random letters, and as many of which that share is changed: a tenth of it are gaps."""
    rng = np.random.default_rng((n, seed))
    a = rng.choice(ACGT, n)
    b = np.where(rng.random(n) < changed, rng.choice(ACGT, n), a)
    b = np.delete(b, rng.integers(0, n, max(1, int(n * changed / 10))))
    return {"a": freeze(a), "b": freeze(b)}


def solved(job):
    return run_job(job, device=Device.CPU)


def right(job):
    a, b = job.a.tobytes(), job.b.tobytes()
    return int(Levenshtein.distance(a, b) if isinstance(job, EditJob) else LCSseq.similarity(a, b))


def score(result):
    return int(result.distance if hasattr(result, "distance") else result.length)


@pytest.fixture
def only_samples(monkeypatch):
    """As for sequences so long that their score cannot be computed again in full."""

    def none(*_):
        yield from ()

    monkeypatch.setattr(compare, "recompute_score", none)


@pytest.fixture
def all_samples(monkeypatch, only_samples):
    """As much time for samples as they can take."""
    for module in (matrix_check, points_check):
        monkeypatch.setattr(module, "budget", lambda _: 1e3)
    for most in ("MAX_STRIPS", "MAX_BLOCKS"):
        monkeypatch.setattr(matrix_check, most, 1000)


def spoil_score(monkeypatch, off):
    """Let all strategies say a score that is ``off`` by so much."""
    solve = PairStrategy.solve

    def spoilt(self):
        return (yield from solve(self)) + off * self.edits_per_change

    monkeypatch.setattr(PairStrategy, "solve", spoilt)


def spoil_path(monkeypatch):
    """Let all strategies find a path that is right and costs one more, and say so."""
    solve = PairStrategy.solve

    def spoilt(self):
        edits = yield from solve(self)
        joined = (np.concatenate([one[k] for one in self.problem.pieces]) for k in range(2))
        ops, lengths = (one.tolist() for one in joined)
        kind = Op.MISMATCH if self.edits_per_change == 1 else Op.EQUAL
        at = next(k for k, (op, n) in enumerate(zip(ops, lengths, strict=True)) if op == kind and n)
        ops[at : at + 1] = [Op.DELETION, Op.INSERTION, kind]
        lengths[at : at + 1] = [1, 1, lengths[at] - 1]
        self.problem.pieces[:] = [(np.array(ops, np.uint8), np.array(lengths, np.int64))]
        return edits + self.edits_per_change

    monkeypatch.setattr(PairStrategy, "solve", spoilt)


@pytest.fixture(params=one_of(3, [(n, e, s) for n in (700, 4000, 9000) for e in (0.01, 0.2, 1.0) for s in (1, 2)]))
def letters(request):
    return pair(*request.param)


@pytest.mark.parametrize("kind", JOBS)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.usefixtures("only_samples")
class TestSampled:
    """Without the second computation in full, as for long sequences."""

    def job(self, kind, letters, path):
        job_type, options = JOBS[kind]
        return job_type(**letters, **options, path=path, threads=2, block_rows=512, block_cols=128)

    def test_right_scores_pass(self, kind, letters, path):
        job = self.job(kind, letters, path)
        result = solved(job)
        assert score(result) == right(job)
        assert result.verification is None or (
            result.verification.check is Check.SAMPLED and 0 < result.verification.share <= 1
        )
        assert result.verified == (result.verification is not None)

    @pytest.mark.parametrize("off", [-1, 1])
    def test_a_spoilt_score_is_caught_or_not_verified(self, monkeypatch, kind, letters, path, off):
        job = self.job(kind, letters, path)
        checked = solved(job).verified
        spoil_score(monkeypatch, off)
        if checked:
            with pytest.raises(SelfCheckFailed, match="discarded"):
                solved(job)
        elif path is TracebackMethod.NONE:
            assert not solved(job).verified


@pytest.mark.parametrize("kind", ["edit", "edit, all cells", "edit, sudo", "lcs", "lcs, band", "lcs, diagonals"])
@pytest.mark.usefixtures("only_samples")
def test_a_path_that_is_not_the_best_is_caught(monkeypatch, kind):
    """Its cost is what was claimed, and letter by letter it is right."""
    job_type, options = JOBS[kind]
    job = job_type(**pair(9000, 0.02, 3), **options)
    assert solved(job).verification.check is Check.SAMPLED
    spoil_path(monkeypatch)
    with pytest.raises(SelfCheckFailed, match="when recomputed in another way"):
        solved(job)


@pytest.mark.parametrize(("matrix", "kind"), [(EditMatrix, "edit, all cells"), (LcsMatrix, "lcs, all cells")])
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.usefixtures("only_samples")
def test_a_value_that_is_read_wrongly_is_caught(monkeypatch, matrix, kind, path):
    job_type, options = JOBS[kind]
    value = matrix.value
    monkeypatch.setattr(matrix, "value", lambda self: value(self) + 1)
    with pytest.raises(SelfCheckFailed):
        solved(job_type(**pair(9000, 1.0, 4), **options, path=path))


@pytest.mark.parametrize("kind", ["edit, all cells", "edit, sudo", "lcs, all cells", "lcs, band"])
@pytest.mark.usefixtures("all_samples")
def test_letters_that_the_kernel_mistook_are_noticed(monkeypatch, kind):
    """All agrees with itself, but is of other letters."""
    job_type, options = JOBS[kind]
    job = job_type(**pair(5000, 0.1, 5), **options, path=TracebackMethod.NONE, block_rows=512, block_cols=128)
    result = solved(job)
    assert result.verification.share > 0.25
    encode = compare.prepare

    def mistaken(*arguments):
        problem = yield from encode(*arguments)
        problem.whole_b = problem.whole_b.copy()
        problem.whole_b[1000:1040] = problem.whole_b[1000:1040][::-1].copy()
        problem._cut_ends()
        return problem

    monkeypatch.setattr(compare, "prepare", mistaken)
    with pytest.raises(SelfCheckFailed, match=r"rows .* differed"):
        solved(job)


@pytest.mark.parametrize("kind", ["edit", "lcs, diagonals"])
@pytest.mark.usefixtures("all_samples")
def test_points_that_were_mistaken_are_noticed(monkeypatch, kind):
    job_type, options = JOBS[kind]
    job = job_type(**pair(40_000, 0.01, 6), **options, path=TracebackMethod.NONE)
    if kind == "edit":
        monkeypatch.setattr("wavediff.core.kernels.pairwise.strategy.ALIKE_LETTER_SECONDS", 1.0)
    assert solved(job).strategy == "diagonals"
    extend = probe.extend_points

    def mistaken(signs, *arguments):
        kept, last = arguments[7], int(extend(signs, *arguments))
        kept[kept > 0] += np.uint32(1)
        return last

    monkeypatch.setattr(probe, "extend_points", mistaken)
    with pytest.raises(SelfCheckFailed, match=r"came out|differed"):
        solved(job)


ENDS = (b"ACGT" * 50_000, b"ACGT" * 25_000 + b"TTT" + b"ACGT" * 25_000)


@pytest.mark.parametrize(
    ("a", "b", "distance", "length"),
    [
        (ENDS[0], ENDS[0], 0, 200_000),
        (ENDS[0], ENDS[1], 3, 200_000),
        (b"AC" * 60_000, b"GT" * 50_000, 120_000, 0),
        (b"ACGT" * 30_000, b"AACCGGTTGT" * 30_000, 180_000, 120_000),
        (b"", ENDS[0], 200_000, 0),
    ],
)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.usefixtures("only_samples")
def test_what_needs_no_matrix_is_checked(monkeypatch, a, b, distance, length, path):
    x, y = (freeze(np.frombuffer(one, np.uint8)) for one in (a, b))
    for job, expected in ((EditJob(a=x, b=y, path=path), distance), (LcsJob(a=x, b=y, path=path), length)):
        result = solved(job)
        assert score(result) == expected
        if isinstance(job, LcsJob) and result.strategy not in ("common-ends", "disjoint"):
            continue
        assert result.verified, result.strategy
        with pytest.MonkeyPatch.context() as patch:
            spoil_score(patch, 1)
            with pytest.raises(SelfCheckFailed):
                solved(job)


@pytest.mark.parametrize("n", [2000, 20_000, pytest.param(100_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("changed", [0.005, 1.0])
@pytest.mark.parametrize("job_type", [EditJob, LcsJob])
def test_scores_spoilt_by_one_are_caught_at_any_size(monkeypatch, n, changed, job_type):
    """As they come out, with all checks."""
    for path in PATHS:
        job = job_type(**pair(n, changed, 7), path=path)
        assert solved(job).verified
        for off in (-1, 1):
            with pytest.MonkeyPatch.context() as patch:
                spoil_score(patch, off)
                with pytest.raises(SelfCheckFailed):
                    solved(job)
    spoil_path(monkeypatch)
    with pytest.raises(SelfCheckFailed, match="recomputed in another way"):
        solved(job_type(**pair(n, changed, 7)))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("options", [{}, {"block_rows": 256, "block_cols": 300}], ids=["", "small blocks"])
@pytest.mark.parametrize(("n", "m"), [(700, 900), (1500, 1499), (3001, 2000)])
def test_scores_with_affine_gaps_are_checked(monkeypatch, n, m, options, path):
    """Blocks from kept borders, or the first rows; then what is read, and a cell of a block that is wrong."""
    monkeypatch.setattr("wavediff.core.kernels.affine.recheck.budget", lambda _: 1e3)
    monkeypatch.setattr("wavediff.core.kernels.affine.recheck.MAX_BLOCKS", 1000)
    both = pair(max(n, m), 0.2, 8)
    job = AffineJob(a=freeze(both["a"][:n]), b=freeze(both["b"][:m]), path=path, threads=2, **options)
    found = solved(job).verification
    assert found.check is Check.SAMPLED
    assert found.share == pytest.approx(1.0)
    score_of, fill = AffineMatrix.score, affine_blocks.fill_profile
    for off in (-1, 1):
        monkeypatch.setattr(AffineMatrix, "score", lambda self, off=off: score_of(self) + off)
        with pytest.raises(SelfCheckFailed, match=r"the score of .* recomputed in another way"):
            solved(job)
    monkeypatch.setattr(AffineMatrix, "score", score_of)

    def mistaken(profile, *arguments):
        fill(profile, *arguments)
        profile[600 * 4 : 610 * 4] = -profile[600 * 4 : 610 * 4]

    monkeypatch.setattr(affine_blocks, "fill_profile", mistaken)
    with pytest.raises(SelfCheckFailed, match=r"rows .* differed"):
        solved(job)


@pytest.mark.parametrize("off", [-1, 1])
def test_a_distance_with_swaps_is_read_along_other_borders(monkeypatch, off):
    """With a path; without one nothing is kept, and JSON says that it is not verified."""
    both = pair(5000, 1.0, 9)
    for path in PATHS:
        assert not solved(SwapEditJob(**both, path=path)).verified
    assert solved(SwapEditJob(**both, swaps=False)).verification.check is Check.RECOMPUTED
    matrix = swap_run._matrix

    def spoilt(*arguments):
        distance, other = yield from matrix(*arguments)
        return distance + off, other

    monkeypatch.setattr(swap_run, "_matrix", spoilt)
    with pytest.raises(SelfCheckFailed, match="when recomputed in another way"):
        solved(SwapEditJob(**both))


@pytest.mark.parametrize(("ends", "strand"), [(Ends.A, 0), (Ends.B, 0), (Ends.A, 1), (Ends.A, -1)])
@pytest.mark.parametrize("changed", [0.0, 0.1, 1.0])
def test_the_edits_of_a_place_are_computed_again(monkeypatch, ends, changed, strand):
    """``strand``: 0 for the best place alone, else all places on both strands, the best on this one."""
    rng = np.random.default_rng(10)
    host = rng.choice(ACGT, 3000)
    guest = np.where(rng.random(300) < changed, rng.choice(ACGT, 300), host[1000:1300])
    if strand < 0:
        guest = np.frombuffer(guest[::-1].tobytes().translate(bytes.maketrans(b"ACGT", b"TGCA")), np.uint8)
    a, b = (freeze(one.copy()) for one in ((host, guest) if ends is Ends.A else (guest, host)))
    job = EditJob(a=a, b=b, ends=ends, **({"within": 60, "both_strands": True} if strand else {}))
    assert solved(job).verification.check is Check.RECOMPUTED
    end, every = free_ends._best, free_ends._all

    def worse(steps):
        def run(*arguments):
            answer = yield from steps(*arguments)
            return answer._replace(edits=answer.edits + 1)

        return run

    monkeypatch.setattr(free_ends, "_best", worse(end))
    monkeypatch.setattr(free_ends, "_all", worse(every))
    with pytest.raises(SelfCheckFailed, match="at their best place"):
        solved(job)


@pytest.mark.parametrize("off", [-1, 1, None])
@pytest.mark.usefixtures("only_samples")
def test_the_path_by_halves_is_as_long_as_the_first_halves_say(monkeypatch, off):
    """``off``: of the length; None for a path that is not the best."""
    job = LcsJob(**pair(5000, 0.3, 11), path=TracebackMethod.HIRSCHBERG)
    assert not solved(job).verified, "all of it rests on the first pass"
    if off is None:
        spoil_path(monkeypatch)
    else:
        spoil_score(monkeypatch, off)
    with pytest.raises(SelfCheckFailed, match="when recomputed in another way"):
        solved(job)
