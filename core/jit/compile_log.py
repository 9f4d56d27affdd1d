"""Reports each kernel compilation when it starts, as compilers are silent for seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_current = threading.local()


def log_once(kernel: str) -> None:
    """Log the first compilation in a process that uses ``core`` as a library."""
    global report
    report = ignore
    import logging  # which few processes need

    text = "compiling kernels at their first use, which takes some seconds (now: %s)"
    logging.getLogger("wavediff").warning(text, kernel)


def ignore(_kernel: str) -> None:
    """Report nothing."""


report: Callable[[str], None] = log_once  # replaced by a program that shows its own progress


@contextmanager
def compiles(kernel: str) -> Iterator[None]:
    """Attribute functions compiled in this thread to ``kernel``."""
    before, _current.kernel = getattr(_current, "kernel", ""), kernel
    try:
        yield
    finally:
        _current.kernel = before


def missing(function: str) -> None:
    """Report that ``function`` is compiled now, once per kernel."""
    kernel = getattr(_current, "kernel", "") or function
    if kernel != getattr(_current, "reported", ""):
        _current.reported = kernel
        report(kernel)
