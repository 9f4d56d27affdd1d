"""One pair with swaps on a card against the same on the CPU: the same distance and the very same script."""

import numpy as np
import pytest

from tests.core.pairs import random_letters
from tests.core.swaps import check_script, peer, swapped
from wavediff.core.base.errors import DeviceOutOfMemory
from wavediff.core.jobs.events import Planned, Step, StepDone, run_to_end
from wavediff.core.jobs.grid import BlockState
from wavediff.core.jobs.time_left import PLANNED
from wavediff.core.kernels.swap_edit.run import run as run_cpu
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.swap import SwapEditJob
from wavediff.gpu.swap_edit.run import run_on
from wavediff.gpu.swap_edit.swap_card_matrix import CardSwapMatrix

SIZES = [
    *((1, 1), (1, 40), (33, 2), (31, 64), (512, 513), (1023, 1024), (1025, 1030), (700, 2500), (2600, 900)),
    *((1024, 1), (2049, 1025)),
]


def _pair(n, m, n_letters=4):
    rng = np.random.default_rng(n + 7 * m)
    a = random_letters(rng, n, n_letters)
    return a, random_letters(rng, m, n_letters) if n != m + 1 else swapped(rng, a, n // 4, n_letters)


def _same(found, expected):
    assert (found.distance, found.distance_with_swaps, found.distance_without_swaps, found.device) == (
        expected.distance,
        expected.distance_with_swaps,
        expected.distance_without_swaps,
        "gpu",
    )
    assert np.array_equal(found.alignment.ops, expected.alignment.ops)
    assert np.array_equal(found.alignment.lengths, expected.alignment.lengths)
    assert found.swaps.text() == expected.swaps.text()


@pytest.mark.parametrize(("n", "m"), SIZES)
def test_sizes_round_words_and_strips(card, n, m):
    a, b = _pair(n, m)
    job = SwapEditJob(a=a, b=b)
    found = run_to_end(run_on(card, job))
    _same(found, run_to_end(run_cpu(job)))
    check_script(a, b, found)
    assert run_to_end(run_on(card, SwapEditJob(a=a, b=b, path=TracebackMethod.NONE))).distance == peer(a, b)


@pytest.mark.parametrize("n_letters", [1, 2, 20, 256])
@pytest.mark.parametrize("swaps", [True, False])
def test_any_alphabet_with_swaps_and_without(card, n_letters, swaps):
    rng = np.random.default_rng(n_letters)
    a = random_letters(rng, 2_300, n_letters)
    for b in (random_letters(rng, 1_900, n_letters), swapped(rng, a, 400, n_letters)):
        job = SwapEditJob(a=a, b=b, swaps=swaps)
        _same(run_to_end(run_on(card, job)), run_to_end(run_cpu(job)))


@pytest.mark.parametrize("gap", [1, 31, 32, 33, 1023, 1024, 1025, 1500])
def test_what_lies_between_may_be_long(card, gap):
    rng = np.random.default_rng(gap)
    front, back = (random_letters(rng, 600, 4).tobytes() for _ in range(2))
    short, long = front + b"xy" + back, front + b"y" + b"z" * gap + b"x" + back
    for one, other in ((short, long), (long, short)):
        job = SwapEditJob(a=np.frombuffer(one, np.uint8), b=np.frombuffer(other, np.uint8))
        found = run_to_end(run_on(card, job))
        assert found.distance == gap + 1
        _same(found, run_to_end(run_cpu(job)))


@pytest.mark.parametrize("steps", [1, 7, 31, 32, 33, 500])
def test_blocks_of_any_width(card, steps):
    a, b = _pair(3_100, 1_300)
    codes = [np.unique(one, return_inverse=True)[1].astype(np.uint8) for one in (a, b)]
    kept = CardSwapMatrix(card, *codes, 4, kept=True, swaps=True, steps=steps)
    cells = sum(e.cells for e in kept.compute(Step(1)) if isinstance(e, StepDone))
    assert cells == a.size * b.size
    assert (kept.block_map == BlockState.DONE).all()
    assert kept.distance() == peer(a, b)
    pieces, again = [], []
    list(kept.trace(Step(1), pieces, []))
    plain = CardSwapMatrix(card, *codes, 4, kept=False, swaps=True, steps=steps)
    list(plain.compute(Step(1)))
    assert plain.distance() == peer(a, b)
    other = CardSwapMatrix(card, *codes, 4, kept=True, swaps=True)
    list(other.compute(Step(1)))
    list(other.trace(Step(1), again, []))
    assert [one.tolist() for pair in pieces for one in pair] == [one.tolist() for pair in again for one in pair]


def test_steps_add_up_and_the_path_is_on_the_board(card):
    a, b = _pair(2_500, 2_100)
    events = list(run_on(card, SwapEditJob(a=a, b=b)))
    plan = next(e for e in events if isinstance(e, Planned))
    steps = [e for e in events if isinstance(e, StepDone) and e.kernel in PLANNED]
    assert sum(e.cells for e in steps) == plan.cells == 2 * plan.grid.n_cells  # with swaps and without
    assert {BlockState.PATH, BlockState.DONE} == set(np.unique(plan.block_map).tolist())
    assert plan.block_map.shape == plan.grid.shape


def test_too_little_memory_is_told_with_both_numbers(card, monkeypatch):
    a, b = _pair(2_000, 2_000)
    monkeypatch.setattr(card, "free", lambda: 5000)
    with pytest.raises(DeviceOutOfMemory, match=r"0\.\d+ GB are needed, 0\.00 GB are free"):
        list(run_on(card, SwapEditJob(a=a, b=b)))
