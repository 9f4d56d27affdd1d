"""Creation of permanent objects without garbage collection.

Importing a compiler creates some 500,000 objects. A full collection among them stops all Python threads for 61 ms,
which delays the window even if another thread imports.

This module controls whether collections may run, and who starts them: Python, or a replacement
(``wavediff.app.window.cache_tasks``).
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
_takers = 0


@contextmanager
def gc_paused_and_frozen() -> Iterator[None]:
    """Context: pause garbage collection and exclude new objects from it permanently."""
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


def take_over_gc() -> None:
    """Disable automatic garbage collection; the caller runs ``collect``."""
    global _takers, _was_on
    with _lock:
        _takers += 1
        _was_on = False
        gc.disable()


def release_gc() -> None:
    """Undo the last call of ``take_over_gc``."""
    global _takers, _was_on
    with _lock:
        _takers -= 1
        _was_on = not _takers
        if _was_on and _depth == 0:
            gc.enable()


def collect(generation: int) -> bool:
    """Run the collector; return False, doing nothing, inside ``gc_paused_and_frozen``."""
    if _depth:
        return False
    gc.collect(generation)
    return True


def import_frozen(module: str) -> Any:
    """Import ``module`` (full name) with its dependencies as permanent objects."""
    if module in sys.modules:
        return import_module(module)
    with gc_paused_and_frozen():
        return import_module(module)
