"""The start of a command: its time by package, kernels, reading and job, each command warm; and calls from Python."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from timeit import repeat
from typing import Any

from wavediff.tests.bench.start import ROOT

ROUNDS = 5
TEXT_BYTES, GPU_LETTERS, VIRUS_LETTERS = 100_000_000, 300_000, 30_000
PARTS = ("Python", "numpy", "numba", "cupy", "others", "ours", "kernels", "reading", "job", "rest")
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)")
_PACKAGES = {"llvmlite": "numba", "cupy_backends": "cupy"} | {"wavediff": "ours"}
_CHILD = "import sys; from wavediff.tests.bench.loaded import probe; probe(sys.argv[1:])"


@dataclass(frozen=True, slots=True)
class Row:
    """One command.

    Attributes:
        wall, cpu: seconds of the whole process, the best of ``ROUNDS``.
        parts: seconds by ``PARTS``, of the fastest of as many runs that took their own times, which costs some percent.
        modules, kernels: that were imported, and loaded.
    """

    what: str
    wall: float
    cpu: float
    parts: dict[str, float]
    modules: int
    kernels: int


def rows(*, gpu: bool = False) -> Iterator[Row]:
    """Measure and yield line after line.

    Args:
        gpu: commands of a graphics card too.
    """
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "text.txt")
        text.write_bytes(some_words(TEXT_BYTES))
        # Without a summary or JSON nothing is screened beside the job, in whose time its imports would be.
        quiet, search = ("--quiet", "--paf", os.devnull), ("search", str(text), "--quiet", "--pattern", "hardly,ever")
        words = [
            _file(folder, name, letters.encode())
            for name, letters in {"kitten": "kitten", "sitting": "sitting"}.items()
        ]
        viruses = [
            _file(folder, name, letters) for name, letters in zip("ab", some_viruses(VIRUS_LETTERS), strict=True)
        ]
        yield _row("--help", ["--help"])
        yield _row("compare, kitten/sitting", ["compare", *words])
        yield _row("compare, two 30 kb viruses", ["compare", *viruses, "--device", "cpu"])
        yield _row("search, 100 MB", [*search, "--device", "cpu"])
        if gpu:
            large = [_random(Path(folder, f"{name}.fa"), seed) for seed, name in enumerate("ab")]
            yield _row(f"compare, {GPU_LETTERS:,}, GPU", ["compare", *large, "--device", "gpu", *quiet])
            yield _row("search, 100 MB, GPU", [*search, "--device", "gpu"])


def some_viruses(size: int) -> tuple[bytes, bytes]:
    """Return two genomes that differ in 1 % of their letters."""
    import numpy as np

    rng = np.random.default_rng(7)
    a = rng.integers(0, 4, size)
    b = np.where(rng.random(size) < 0.01, rng.integers(0, 4, size), a)
    first, second = (
        b">virus\n" + np.frombuffer(b"ACGT", np.uint8)[one].tobytes() + b"\n" for one in (a, np.delete(b, [5, 9]))
    )
    return first, second


def calls() -> Iterator[tuple[str, float, float]]:
    """Yield the microseconds of a call from Python and of RapidFuzz's, the best of some."""
    from rapidfuzz.distance import Levenshtein

    import wavediff
    from wavediff.core.jit import compile_cache
    from wavediff.core.jobs.events import REHEARSAL, run_to_end

    compile_cache.prepare()
    from wavediff.core.kernels.pairwise import short_pair

    run_to_end(short_pair.make_ready(REHEARSAL))  # as it comes with an installation
    for n in (100, 1000):
        first, second = (one[7 : n + 7].decode() for one in some_viruses(2 * n))
        yield (
            f"{n:,} letters, distance",
            _microseconds(lambda a=first, b=second: wavediff.compare(a, b, traceback="none")),
            _microseconds(lambda a=first, b=second: Levenshtein.distance(a, b)),
        )
        yield (
            f"{n:,} letters, path",
            _microseconds(lambda a=first, b=second: wavediff.compare(a, b)),
            _microseconds(lambda a=first, b=second: Levenshtein.editops(a, b)),
        )


def _microseconds(call: Callable[[], object]) -> float:
    call()
    rounds = 20
    return 1e6 * min(repeat(call, number=rounds, repeat=20)) / rounds


def _file(folder: str, name: str, content: bytes) -> str:
    path = Path(folder, name)
    path.write_bytes(content)
    return str(path)


def some_words(size: int) -> bytes:
    """Return a text of words and lines."""
    import numpy as np  # not by who is measured

    rng = np.random.default_rng(7)
    letters = rng.integers(ord("a"), ord("z") + 1, size).astype(np.uint8)
    letters[np.cumsum(rng.integers(3, 10, size // 6)) % size] = ord(" ")
    letters[79::80] = ord("\n")
    return letters.tobytes()


def _random(path: Path, seed: int) -> str:
    import numpy as np

    letters = np.frombuffer(b"ACGT", np.uint8)[np.random.default_rng(seed).integers(0, 4, GPU_LETTERS)]
    path.write_bytes(b">random\n" + letters.tobytes() + b"\n")
    return str(path)


def _row(what: str, arguments: list[str]) -> Row:
    plain = [sys.executable, "main.py", *arguments]
    _run(plain)  # kernels are compiled, files are in memory
    wall, cpu = (min(times) for times in zip(*(_run(plain)[:2] for _ in range(ROUNDS)), strict=True))
    python = _python_seconds()
    probed = [_run([sys.executable, "-X", "importtime", "-c", _CHILD, *arguments]) for _ in range(ROUNDS)]
    whole, _, said = min(probed)
    seconds, modules = Counter[str](), 0
    for microseconds, module in _IMPORT.findall(said):
        package = module.partition(".")[0]
        seconds[_PACKAGES.get(package, package if package in PARTS else "others")] += int(microseconds) / 1e6
        modules += 1
    told: dict[str, Any] = json.loads(said.rpartition("\n@")[2])
    parts = dict.fromkeys(PARTS, 0.0) | {"Python": python, **seconds, **told["seconds"]}
    parts["rest"] = max(0.0, whole - sum(parts.values()))
    return Row(what, wall, cpu, parts, modules, told["kernels"])


@cache
def _python_seconds() -> float:
    return min(_run([sys.executable, "-c", "pass"])[0] for _ in range(ROUNDS))


def _run(command: list[str]) -> tuple[float, float, str]:
    """Return seconds of the process, seconds of its processors, and what it said on its standard error."""
    start, before = perf_counter(), os.times()
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} gave exit {done.returncode}: {done.stderr[-500:]}")
    seconds, after = perf_counter() - start, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, cpu, done.stderr


def probe(arguments: list[str]) -> None:
    """Run the program with ``arguments`` in this process, and tell on the standard error what it took for what."""
    from wavediff.core.jit import compile_cache

    sys.argv[:] = ["main.py", *arguments]
    compile_cache.prepare()
    times: Counter[str] = Counter()
    kernels = 0
    from wavediff import main
    from wavediff.core.jit import gc_control, object_code
    from wavediff.core.jobs.read import ReadJob
    from wavediff.core.run import dispatch, runner

    run_job, import_frozen, load = runner.run_job, gc_control.import_frozen, object_code.load

    def timed_import(module: str) -> Any:
        start = perf_counter()
        try:
            return import_frozen(module)
        finally:
            times["imported in jobs"] += perf_counter() - start

    def timed_load(function: Any, kinds: Any) -> Any:
        nonlocal kernels
        start = perf_counter()
        try:
            return load(function, kinds)
        finally:
            kernels += 1
            times["kernels"] += perf_counter() - start

    def timed_job(job: Any, **options: Any) -> Any:
        start, apart = perf_counter(), times["imported in jobs"] + times["kernels"]
        try:
            return run_job(job, **options)
        finally:
            others = times["imported in jobs"] + times["kernels"] - apart
            times["reading" if isinstance(job, ReadJob) else "job"] += perf_counter() - start - others

    dispatch.import_frozen = timed_import  # type: ignore[attr-defined]
    object_code.load = timed_load
    runner.run_job = timed_job  # type: ignore[assignment]
    code = 2
    try:
        code = main.start()
    except SystemExit as end:
        code = int(end.code or 0)
    del times["imported in jobs"]
    sys.stderr.write(f"\n@{json.dumps({'seconds': times, 'kernels': kernels})}")
    sys.exit(code)
