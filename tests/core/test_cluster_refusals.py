"""What a cluster does not do is said before anybody connects to it."""

import numpy as np
import pytest

from wavediff.core.base.errors import WavediffError
from wavediff.core.methods.affine import AffineJob
from wavediff.core.methods.base import PairJob, TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob, LcsKernel
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.cluster.run import check
from wavediff.core.sequences.sequence_pool import SequencePool

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
def test_it_says_why(job, said):
    with pytest.raises(WavediffError, match=said):
        check(job)


def test_numbers_of_a_pair_and_many_pairs_are_computed():
    for job in (LcsJob(a=A, b=A, path=NONE), EditJob(a=A, b=A, path=NONE), BatchJob(a=SequencePool.of([A]), b=None)):
        check(job)
