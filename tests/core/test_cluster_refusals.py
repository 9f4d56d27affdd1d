"""What a cluster does not do is said before anybody connects to it."""

from __future__ import annotations

import numpy as np
import pytest

from core.base.errors import WavediffError
from core.methods.affine import AffineJob
from core.methods.base import PairJob, TracebackMethod
from core.methods.batch import BatchJob
from core.methods.edit import EditJob
from core.methods.free_ends import Ends
from core.methods.lcs import LcsJob, LcsKernel
from core.methods.swap import SwapEditJob
from core.run.cluster.run import check
from core.sequences.sequence_pool import SequencePool

A = np.frombuffer(b"ACGT", np.uint8)
NONE = TracebackMethod.NONE


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (SwapEditJob(a=A, b=A, path=NONE), "by --method lcs or edit, and from end to end"),
        (AffineJob(a=A, b=A, path=NONE), "by --method lcs or edit, and from end to end"),
        (EditJob(a=A, b=A, path=NONE, ends=Ends.A), "by --method lcs or edit, and from end to end"),
        (EditJob(a=A, b=A), "no alignment: add '--traceback none'"),
        (LcsJob(a=A, b=A), "no alignment: add '--traceback none'"),
        (LcsJob(a=A, b=A, path=NONE, kernel=LcsKernel.KAWANAMI), "--kernel kawanami runs on this computer only"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, PairJob) else "",
)
def test_it_says_why(job: PairJob, said: str) -> None:
    with pytest.raises(WavediffError, match=said):
        check(job)


def test_numbers_of_a_pair_and_many_pairs_are_computed() -> None:
    for job in (LcsJob(a=A, b=A, path=NONE), EditJob(a=A, b=A, path=NONE), BatchJob(a=SequencePool.of([A]), b=None)):
        check(job)
