"""A band in pieces: whatever the number of threads, what is kept of it and its path are those of one piece."""

import numpy as np
import pytest

from tests.core.pairs import random_letters
from wavediff.core.jit.simd import BITS
from wavediff.core.jobs.events import EventTotals, Step, run_to_end
from wavediff.core.kernels.pairwise.blocks import block_matrix, block_shape, pieces
from wavediff.core.kernels.pairwise.blocks.block_shape import BlockShapePlan
from wavediff.core.kernels.pairwise.blocks.packed_pair import pack
from wavediff.core.kernels.pairwise.edit.edit_matrix import EditMatrix
from wavediff.core.kernels.pairwise.lcs.lcs_matrix import LcsMatrix
from wavediff.core.kernels.traceback.assemble import assemble_alignment
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.run.runner import run_job

LETTERS = 41 * 512
WARM_UP_LETTERS = 6 * 512
BAND = (-400, 700)
KEPT = ("border", "saved", "marks", "final", "block_map", "cells", "skipped")


def alike(seed, n, share=0.02, gap=0):
    """Codes, and these with a share of them changed, ``gap`` of them left out in the middle and put in at the end."""
    rng = np.random.default_rng(seed)
    a = random_letters(rng, n, 4) // 64
    b = np.where(rng.random(n) < share, rng.integers(0, 4, n), a).astype(np.uint8)
    b = b[rng.random(n) >= share / 4]
    return a, np.concatenate([b[: n // 2], b[n // 2 + gap :], random_letters(rng, gap, 4) // 64])


def solved(of, a, b, threads, warm_up, course, marks):
    """A matrix of strips of one depth, computed, the runs of its path, and the cells that its events tell of."""
    shape = BlockShapePlan(1, 64, 1, threads, marks, kept=1, warm_up=warm_up if threads > 1 else 0)
    step, totals, runs = Step(1), EventTotals(), []
    packed = run_to_end(pack(step, a, b, 4, 2))
    matrix = of(packed, shape, BAND, monotone=of is EditMatrix, course=course)
    run_to_end(totals.watch(matrix.solve(step, None)))
    cells = totals.cells
    run_to_end(matrix.trace(step, runs))
    return matrix, run_to_end(assemble_alignment(step, runs, a, b, 0, 0)).cigar(), cells


@pytest.mark.parametrize("of", [LcsMatrix, EditMatrix])
@pytest.mark.parametrize("marks", [False, True])
@pytest.mark.parametrize(("threads", "walk_rows"), [(2, 1), (5, 1), (5, 8192)])
@pytest.mark.parametrize(
    ("seed", "gap", "diagonal", "warm_up"),
    [
        (1, 0, 0, WARM_UP_LETTERS // BITS),
        (2, 300, -150, WARM_UP_LETTERS // BITS),
        (3, 0, 690, 1),
        (4, 300, -400, 1),
    ],
)
def test_pieces_are_those_of_one(of, marks, threads, walk_rows, seed, gap, diagonal, warm_up, monkeypatch):
    """Also where pieces begin too far off, and are computed again, and where fewer walks go back through them."""
    monkeypatch.setattr(pieces, "WALK_ROWS", walk_rows)
    a, b = alike(seed, LETTERS - 100, gap=gap)
    course = np.array([0, a.size]), np.full(2, diagonal)
    one, path, cells = solved(of, a, b, 1, 0, None, marks)
    several, other, again = solved(of, a, b, threads, warm_up, course, marks)
    assert several.value() == one.value()
    assert other == path
    assert again == cells
    for name in KEPT:
        mine, theirs = (getattr(matrix.state, name) for matrix in (several, one))
        if name in ("cells", "skipped"):
            mine, theirs = mine.sum(), theirs.sum()
        elif name == "border":  # behind it is what pieces began with
            mine = mine[: theirs.size]
        np.testing.assert_array_equal(mine, theirs, err_msg=name)


@pytest.mark.parametrize(("diagonal", "again"), [(0, False), (690, True)])
def test_pieces_that_began_too_far_off_are_computed_again(diagonal, again, monkeypatch):
    a, b = alike(5, LETTERS)
    found, wrong = [], pieces.Pieces.wrong

    def watched(self):
        for k in wrong(self):
            found.append(k)
            yield k

    monkeypatch.setattr(pieces.Pieces, "wrong", watched)
    course = np.array([0, a.size]), np.full(2, diagonal)
    solved(EditMatrix, a, b, 4, 1 if again else WARM_UP_LETTERS // BITS, course, False)
    assert bool(found) == again


@pytest.mark.parametrize("kind", [LcsJob, EditJob])
@pytest.mark.parametrize(("share", "gap"), [(0.02, 0), (0.02, 2_000), (0.03, 0)])
def test_a_job_has_the_same_answer_with_any_number_of_threads(kind, share, gap, monkeypatch):
    made = []

    class Watched(pieces.Pieces):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr(pieces, "WALK_ROWS", 1 << 14)
    monkeypatch.setattr(block_shape, "PIECE_CELLS", 1)
    monkeypatch.setattr(block_shape, "MIN_PIECES_GAIN", 0.5)
    monkeypatch.setattr(block_matrix, "Pieces", Watched)
    a, b = alike(6, 120_000, share, gap)
    answers = {}
    for threads in (1, 2, 6, 16):
        result = run_job(kind(a=a, b=b, threads=threads, block_rows=BITS, block_cols=128))
        assert result.strategy == "band"
        answers[threads] = result.alignment.cigar(), result.ties
    assert made
    assert all(answer == answers[1] for answer in answers.values())
