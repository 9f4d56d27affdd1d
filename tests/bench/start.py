"""From the start of a process to the first result of the demo pair, with a cold and with a warm cache of kernels."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parents[2]
DEMO = ("resources/demo/mt_human_NC_012920.1.fa", "resources/demo/mt_orangutan.fa")


def rows() -> Iterator[tuple[str, float]]:
    yield from _command_line()
    if find_spec("PySide6") is not None:
        yield from _window()


def _command_line() -> Iterator[tuple[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"WAVEDIFF_CACHE_DIR": folder}
        environment.pop("NUMBA_CACHE_DIR", None)
        for what in ("cold cache", "warm cache", "warm cache, again"):
            start = perf_counter()
            done = subprocess.run(
                [sys.executable, "main.py", "compare", *DEMO, "--method", "lcs", "--json", "-", "--quiet"],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
            seconds = perf_counter() - start
            if done.returncode != 1 or '"lcs": 13966' not in done.stdout:
                raise SystemExit(f"the demo pair gave exit {done.returncode}: {done.stdout[:500]} {done.stderr[:500]}")
            yield what, seconds


def _window() -> Iterator[tuple[str, float]]:
    """To the result shown in the window, and on the way there to the window painted."""
    from wavediff.tests.bench.window import opened

    with tempfile.TemporaryDirectory() as folder:
        for what in ("cold cache", "warm cache", "warm cache, again"):
            row = opened(what, [], folder)
            yield f"window painted, {what}", row.painted
            yield f"window, {what}", row.result
