"""What tests of the edit distance with swaps share: running a job on a device, and following its script."""

from __future__ import annotations

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein

from tests.core.running import each_device
from tests.oracles import swap_edit as oracle
from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.alignment import LETTER
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.swap_result import SwapEditResult
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job

every_device = each_device(SwapEditJob)


def run(a: Letters, b: Letters, device: Device = Device.CPU, **choices: object) -> SwapEditResult:
    result = run_job(SwapEditJob(a=a, b=b, **choices), device=device)  # type: ignore[arg-type]
    assert isinstance(result, SwapEditResult)
    assert result.n_cells == a.size * b.size
    return result


def peer(a: Letters, b: Letters) -> int:
    return int(DamerauLevenshtein.distance(a.tobytes(), b.tobytes()))


def check_script(a: Letters, b: Letters, result: SwapEditResult) -> None:
    """Check that the script makes B of A at the stated cost, which is at most that without swaps."""
    assert result.alignment is not None
    assert result.swaps is not None
    assert result.distance_without_swaps is not None
    runs, swaps = result.alignment, result.swaps
    assert (runs.lengths > 0).all()
    assert (runs.ops[1:] != runs.ops[:-1]).all()
    columns = "".join(LETTER[op] * n for op, n in zip(runs.ops, runs.lengths.tolist(), strict=True))
    found = list(swaps.rows())
    assert oracle.replay(a.tobytes(), columns, found, b.tobytes()) == (b.tobytes(), result.distance)
    assert result.distance_with_swaps is not None
    assert result.distance_with_swaps <= result.distance_without_swaps
    assert result.distance in (result.distance_with_swaps, result.distance_without_swaps)
    assert bool(found) >= (result.distance < result.distance_without_swaps)


def swapped(rng: np.random.Generator, a: Letters, swaps: int, n_letters: int) -> Letters:
    """``a`` after ``swaps`` swaps of letters up to 4 apart, and half as many other edits."""
    out = bytearray(a.tobytes())
    for k in range(swaps + swaps // 2):
        at, to = int(rng.integers(len(out) + 1)), int(rng.integers(1, 5))
        if k < swaps and at + to < len(out):
            out[at], out[at + to] = out[at + to], out[at]
            if rng.random() < 0.5:
                del out[at + 1 : at + to]
        elif rng.random() < 0.5:
            out.insert(at, int(rng.integers(n_letters)) * 256 // n_letters)
        else:
            del out[at : at + 1]
    return np.frombuffer(bytes(out), np.uint8)
