"""Each method's answers for one small pair, computed once by its real kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from core.export.comparison import Comparison
from core.jobs.choices import Device
from core.methods import Method
from core.methods.base import TracebackMethod
from core.run.runner import run_job
from core.sequences.sequence import Sequence
from tests.app.alignments import sequence
from tests.contract.needs import needs

A = sequence("ACGTTGCAACGTACCAGATTACAGGATTACCA" * 2, "first")
B = sequence("ACGTTGCACGTTCCAGTTACAGGAATTACCAA" * 2, "second")


def compare(method: Method, a: Sequence, b: Sequence, **options: Any) -> Any:
    """Return the result of the method with these options, on the CPU."""
    with needs(method, "a job that its kernel on the CPU can run"):
        job = method.job(a, b, options, fold_case=True, threads=1)
        return run_job(job, device=Device.CPU)


@cache
def _answer(method: Method, aligned: bool) -> Comparison:
    options = {} if aligned else {"traceback": TracebackMethod.NONE}
    return Comparison(A, B, method, True, 1, compare(method, A, B, **options))


@pytest.fixture(scope="session")
def answer() -> Callable[[Method, bool], Comparison]:
    """The answer of a method, with its alignment or without."""
    return _answer
