"""Registry of the comparison methods: one module and one line here for each."""

from __future__ import annotations

from wavediff.core.methods.affine import AFFINE
from wavediff.core.methods.base import Method
from wavediff.core.methods.edit import EDIT
from wavediff.core.methods.lcs import LCS
from wavediff.core.methods.lines import LINES
from wavediff.core.methods.swap import SWAP
from wavediff.core.methods.words import WORDS

__all__ = ["EDIT", "LCS", "METHODS", "SWAP", "Method", "method", "method_of"]

METHODS: tuple[Method, ...] = (EDIT, SWAP, LCS, AFFINE, LINES, WORDS)


def method(id_: str) -> Method:
    """Return the method ``id_``, or the first method for an unknown (or retired) id."""
    return next((method for method in METHODS if method.id == id_), METHODS[0])


def method_of(job: object) -> Method:
    """Return the method that ``job`` belongs to."""
    return next(method for method in METHODS if method.job_type is type(job))
