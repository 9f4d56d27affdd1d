"""``bench``: hand over to the benchmarks, which live with the tests because they need the peers."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from wavediff.core.base.errors import WavediffError
from wavediff.core.jit import compile_cache
from wavediff.core.system.program import child_environment


def run(arguments: argparse.Namespace) -> int:
    """Return what the benchmarks return.

    Raises:
        WavediffError: this is a standalone program, which has none.
    """
    if find_spec("wavediff.tests") is None:
        raise WavediffError("a standalone program has no benchmarks; they come with a checkout or an installation")
    os.environ.update(child_environment())  # what it starts imports the same package
    compile_cache.prepare()
    main: Callable[[list[str]], int] = import_module("wavediff.tests.bench.__main__").main
    return main(arguments.rest)
