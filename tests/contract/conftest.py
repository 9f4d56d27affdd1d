"""Each method's answers for one small pair, computed once by its real kernel."""

from functools import cache

import pytest

from tests.app.alignments import sequence
from tests.contract.needs import needs
from wavediff.core.export.comparison import Comparison
from wavediff.core.jobs.choices import Device
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.run.runner import run_job

A = sequence("ACGTTGCAACGTACCAGATTACAGGATTACCA" * 2, "first")
B = sequence("ACGTTGCACGTTCCAGTTACAGGAATTACCAA" * 2, "second")


def compare(method, a, b, **options):
    with needs(method, "a job that its kernel on the CPU can run"):
        job = method.job(a, b, options, fold_case=True, threads=1)
        return run_job(job, device=Device.CPU)


@cache
def _answer(method, aligned):
    options = {} if aligned else {"traceback": TracebackMethod.NONE}
    return Comparison(A, B, method, True, 1, compare(method, A, B, **options))


@pytest.fixture(scope="session")
def answer():
    """The answer of a method, with its alignment or without."""
    return _answer
