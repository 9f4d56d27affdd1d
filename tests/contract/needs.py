"""Say in a sentence what a method lacks, whatever it failed with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from wavediff.core.methods import Method


@contextmanager
def needs(method: Method, what: str) -> Iterator[None]:
    """Fail with a sentence that names ``what`` the method lacks if anything inside raises."""
    __tracebackhide__ = True
    try:
        yield
    except Exception as error:
        said = " ".join(str(error).split()) or "no reason given"
        pytest.fail(f"The method '{method.id}' lacks {what} ({type(error).__name__}: {said}).", pytrace=False)
