"""Objects that live as long as the process, made without the garbage collector looking through them.

Importing a compiler makes some 500,000 objects. A full collection among them holds every thread of Python up:
61 ms in one go, felt in the window although another thread imports.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

_lock = threading.Lock()
_depth = 0
_was_on = True


@contextmanager
def lasting() -> Iterator[None]:
    """Make what is to stay: nothing is collected meanwhile, and nothing of it is looked through later."""
    global _depth, _was_on
    with _lock:
        if _depth == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0:
                gc.freeze()
                if _was_on:
                    gc.enable()


def load(module: str) -> Any:
    """Import ``module``, by its full name, and what it imports, to stay."""
    if module in sys.modules:
        return import_module(module)
    with lasting():
        return import_module(module)
