"""What tests of the samples share: pairs, and a count of the samples of a run."""

from __future__ import annotations

import numpy as np

from wavediff.core.jobs.events import Step, StepDone


def letters(seed, n, sigma=4):
    return np.random.default_rng(seed).integers(0, sigma, n, np.uint8)


def samples(matrix) -> int:
    """Compute it all and return how many samples were taken."""
    return sum(one.calls for one in matrix.compute(Step(1)) if isinstance(one, StepDone) and one.kernel == "spot-check")
