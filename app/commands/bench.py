"""``bench``: hand over to the benchmarks, which live with the tests because they need the peers."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from core.base.errors import WavediffError
from core.jit import compile_cache


def run(arguments: argparse.Namespace) -> int:
    """Return what the benchmarks return.

    Raises:
        WavediffError: this is a standalone program, which has none.
    """
    if find_spec("tests") is None:
        raise WavediffError("a standalone program has no benchmarks; they come with a checkout or an installation")
    compile_cache.prepare()
    main: Callable[[list[str]], int] = import_module("tests.bench.__main__").main
    return main(arguments.rest)
