"""Where people are: every case in which some peer was ahead once.

The cases are those of an independent measurement (StringZilla, Hyperscan, ahocorasick-rs, WFA2, RapidFuzz, libsais,
ripgrep beside this program). libsais is asked where it was built, see ``bwt``; A*PA2 is not.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from shutil import which

from wavediff.tests.bench import bwt, edit, search, similar, swap
from wavediff.tests.bench.loaded import some_words
from wavediff.tests.bench.measure import Timing
from wavediff.tests.bench.start import DEMO, ROOT
from wavediff.tests.bench.table import Row

OPTIONAL = {
    "WFA2": "pywfa", "sassy": "sassy", "divsufsort": "pydivsufsort", "stringzilla": "stringzilla",
    "Hyperscan": "hyperscan", "ahocorasick-rs": "ahocorasick_rs",
}  # fmt: skip
TEXT_BYTES, STARTS = 100_000_000, 7
SEARCHED = 50_000_000  # letters


def missing() -> list[str]:
    """Return the peers that are not installed."""
    absent = [name for name, module in OPTIONAL.items() if find_spec(module) is None]
    return absent + ([] if which("rg") else ["ripgrep"])


def rows(quick: bool, threads: int) -> Iterator[Row]:
    """Measure and yield line after line.

    Args:
        quick: take a tenth of the texts to sort.
        threads: of ours, and of those peers that can have several.
    """
    yield from similar.near_identical(True, threads)
    yield from similar.repetitive(threads)
    yield from edit.small((100, 1000))
    yield from (row for row in swap.all_against_all(swap.SHORT, [threads]) if row.peers)
    yield swap.short_pairs(threads)
    for found in _searches(SEARCHED, threads):
        yield replace(found, note=f"{found.work / 1e6:.0f} MB")
    for one in bwt.of_every_day((bwt.QUICK if quick else bwt.LONG) * bwt.MIB, threads):
        yield replace(one, what=f"sorting of {one.what}", note="check not counted")
    if find_spec("resource") is not None:  # not on Windows
        yield from _from_the_start()


def _searches(n: int, threads: int) -> Iterator[Row]:
    yield from search.many_hits(n, threads)
    for side, matched in (("front", 0), ("end", 15)):
        text, patterns = search.figure_6_input(n, side, matched)
        what = f"Kusudo, Fig. 6, {matched} of 20 match at the {side}"
        yield search.measured(what, text, patterns, only=search.FAST, threads=threads)
    yield search.with_edits(n // 8, threads)


def _from_the_start() -> Iterator[Row]:
    """Whole processes, time of the processor; what they print is compared by its number of lines."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "text.txt")
        text.write_bytes(some_words(TEXT_BYTES))
        ours = [sys.executable, "main.py"]
        found = f"search {text} --quiet --device cpu --bed - --pattern that --pattern ever".split()
        peers = {}
        if (path := which("rg")) is not None:
            command = [path, "--text", "--only-matching", "--byte-offset", "that|ever", str(text)]
            peers["ripgrep"] = _started(command)
        yield Row("from the start: search, 100 MB of text, two words", 0, _started([*ours, *found]), peers)
    files = [str(ROOT / one) for one in DEMO]
    compared = [*ours, "compare", *files, "--quiet", "--device", "cpu", "--paf", "-"]
    yield Row("from the start: compare, two mitochondria", 0, _started(compared), {})


def _started(command: list[str]) -> Timing:
    """Return the best and the worst of ``STARTS`` processes, after one that warms caches up."""
    from resource import RUSAGE_CHILDREN, getrusage

    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    seconds = []
    for _ in range(STARTS + 1):
        before = getrusage(RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False, timeout=600)
        after = getrusage(RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return Timing(min(seconds[1:]), max(seconds[1:]), STARTS, done.stdout.count(b"\n"))
