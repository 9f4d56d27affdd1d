"""The walk back: through strips along diagonals, lane by lane or at once, or computed again, it is the same path."""

import numpy as np
import pytest

from tests.core.pairs import random_letters
from wavediff.core.jit.simd import BITS
from wavediff.core.jobs.alignment import Op
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.kernels.pairwise.blocks import block_matrix, block_shape, strip_traceback
from wavediff.core.kernels.traceback.left_align import normalized_prefix
from wavediff.core.methods.base import Ties
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.run.runner import run_job

LETTERS = 40_000
NEVER = 1 << 60


def changed(rng, a, share, gap):
    """``a`` with a share of its letters replaced, deleted or doubled, and ``gap`` letters put in and left out."""
    kind = rng.random(a.size)
    b = a.copy()
    b[kind < share / 2] += 64
    b = np.repeat(b, np.where(kind > 1 - share / 4, 0, np.where(kind > 1 - share / 2, 2, 1)))
    middle = b.size // 2
    return np.concatenate([b[: middle // 2], random_letters(rng, gap, 4), b[middle // 2 : middle], b[middle + gap :]])


@pytest.mark.parametrize("kind", [LcsJob, EditJob])
@pytest.mark.parametrize(
    ("share", "gap", "halves"), [(0.04, 0, 0), (0.08, 700, 0), (0.02, 2_500, 0), (0.04, 3_000, 16)]
)
def test_every_way_back_finds_the_same_path(kind, share, gap, halves, monkeypatch):
    rng = np.random.default_rng(round(1000 * share))
    a = random_letters(rng, LETTERS, 4)
    a[LETTERS // 2 :] += halves
    b = changed(rng, a, share, gap)
    through = {"marks": 0, "whole": 0}
    walked = strip_traceback.trace_by_diagonals

    def watched(delta_bits, rows, letters, borders, depth, until, i, *rest):
        found = walked(delta_bits, rows, letters, borders, depth, until, i, *rest)
        through["marks" if borders.marks.size else "whole"] += i - found[0]
        return found

    monkeypatch.setattr(strip_traceback, "trace_by_diagonals", watched)
    paths = []
    for many_edits, several in ((0, 1), (NEVER, 1), (NEVER, NEVER)):
        monkeypatch.setattr(block_shape, "DISSIMILAR_EDITS", many_edits)
        monkeypatch.setattr(block_matrix, "DIAGONAL_TRACE_STRIPS", several)
        result = run_job(kind(a=a, b=b, threads=1, block_rows=4 * BITS, block_cols=128, ties=Ties.LEFT_MOST))
        assert result.strategy == "band"
        paths.append(result.alignment.cigar())
    assert paths[0] == paths[1] == paths[2]
    assert through["marks"] > LETTERS / 2
    assert through["whole"] > (LETTERS / 2 if share < 0.03 else 0)
    if kind is EditJob and halves:  # borders that were handed through have their marks, too
        assert SkipReason.MONOTONE in {skip.reason for skip in result.skips}


@pytest.mark.parametrize("threshold", [0, 1, 2, 5, 40])
def test_a_walk_does_not_leave_a_band_that_proves_nothing(threshold, monkeypatch):
    """Cheaper paths outside it would cost less than what was computed inside."""
    monkeypatch.setattr(block_matrix, "DIAGONAL_TRACE_STRIPS", 1)
    rng = np.random.default_rng(5)
    a = random_letters(rng, 3_000, 4)
    for share in (0.03, 0.06, 0.1):
        b = changed(rng, a, share, 0)
        result = run_job(
            EditJob(a=a, b=b, band=BandMode.FIXED, threshold=threshold, threads=1, block_rows=512, block_cols=128)
        )
        assert int(result.alignment.lengths[result.alignment.ops != 0].sum()) == result.distance


@pytest.mark.parametrize("kind", [LcsJob, EditJob])
@pytest.mark.parametrize("codes", [2, 4, 20])
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_what_is_told_to_be_in_order_is(kind, codes, share, monkeypatch):
    """Runs of a walk are not looked at again where their order follows from how it went."""
    rng = np.random.default_rng(codes)
    a = random_letters(rng, 12_000, codes)
    b = np.concatenate([random_letters(rng, 300, codes), np.where(rng.random(a.size) < share, rng.permutation(a), a)])
    letters, told = [], []
    walked, sure = strip_traceback.trace_strips, strip_traceback.normalized_but_end

    def watched(plan, *rest):
        letters[:] = plan.rows, plan.letters
        return walked(plan, *rest)

    def checked(runs, begin, end):
        pieces = sure(runs, begin, end)
        piece = pieces[0]
        expected = piece[0].size, *(here - gone for here, gone in zip(begin, piece.letters, strict=True))
        assert normalized_prefix(*letters, 0, *piece, *begin) == expected or min(expected[1:]) == 0
        told.append(piece[0].size)
        return pieces

    monkeypatch.setattr(strip_traceback, "trace_strips", watched)
    monkeypatch.setattr(strip_traceback, "normalized_but_end", checked)
    for block_rows in (512, 4096):
        result = run_job(kind(a=a, b=b, threads=1, block_rows=block_rows, block_cols=128))
        assert result.alignment.count(Op.EQUAL) > 0
    assert sum(told) > 500
