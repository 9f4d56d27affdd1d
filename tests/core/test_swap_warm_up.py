"""What is called before a job is timed has every type that the job itself has: nothing is compiled within it."""

import numpy as np
import pytest

from tests.core.pairs import random_letters
from wavediff.core.jit import bits, object_code
from wavediff.core.jit.decorators import Kernel
from wavediff.core.jobs.choices import Pairing
from wavediff.core.kernels.batch import column_steps, lane_groups
from wavediff.core.kernels.batch import run as batch
from wavediff.core.kernels.swap_edit import run as swap
from wavediff.core.kernels.swap_edit import strip_part, strips, swap_traceback
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import SequencePool


def known(*modules):
    """How many combinations of types each compiled function has met."""
    return {
        f"{module.__name__}.{name}": len({tuple(map(object_code.kind_text, kinds)) for kinds in found.calls})
        for module in modules
        for name, found in vars(module).items()
        if isinstance(found, Kernel)
    }


@pytest.mark.parametrize("n_letters", [4, 20, 256])
def test_one_pair(n_letters):
    rng = np.random.default_rng(n_letters)
    a, b = (random_letters(rng, n, n_letters) for n in (2_500, 1_400))
    run_job(SwapEditJob(a=a[:2], b=b[:2]))  # what every method calls
    swap._rehearse(n_letters)
    before = known(strips, strip_part, swap_traceback, bits)
    for path in (TracebackMethod.BLOCKS, TracebackMethod.NONE):
        for swaps in (True, False):
            run_job(SwapEditJob(a=a, b=b, path=path, swaps=swaps, threads=2))
    assert known(strips, strip_part, swap_traceback, bits) == before


@pytest.mark.parametrize("method", [one for one in METHODS if one.id in column_steps.KINDS], ids=str)
def test_many_pairs(method):
    rng = np.random.default_rng(3)
    some, others = ([random_letters(rng, n, 4) for n in sizes] for sizes in ((90, 700, 0), (3, 2_100, 65)))
    batch._rehearse(method, 4, np.uint8)
    before = known(lane_groups, column_steps)
    for pairs in Pairing:
        run_job(BatchJob(a=SequencePool.of(some), b=SequencePool.of(others), pairs=pairs, method=method, threads=2))
    run_job(BatchJob(a=SequencePool.of(some), b=None, method=method))
    assert known(lane_groups, column_steps) == before
