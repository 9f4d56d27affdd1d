"""``bench``: hand over to the benchmarks, which live with the tests because they need the peers."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module

from core import compile_cache


def run(arguments: argparse.Namespace) -> int:
    compile_cache.prepare()
    main: Callable[[list[str]], int] = import_module("tests.bench.__main__").main
    try:
        return main(arguments.rest)
    finally:
        compile_cache.seal()
