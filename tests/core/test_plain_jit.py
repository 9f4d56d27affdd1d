"""A Numba whose insides are not as expected compiles everything in its own way, to the same answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

from wavediff.core.jit import compile_cache

ROOT = Path(__file__).parents[2]
ANSWERS = """
import sys
{before}
import numpy as np
from wavediff.core.jit import decorators
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job
print(decorators.INNER is decorators.PLAIN, file=sys.stderr)
rng = np.random.default_rng(3)
for n, m, letters in ((700, 650, 4), (300, 400, 20)):
    a, b = (rng.integers(0, letters, size).astype(np.uint8) for size in (n, m))
    for job in (LcsJob(a=a, b=b), EditJob(a=a, b=b), SwapEditJob(a=a, b=b)):
        found = run_job(job)
        print(found.alignment.ops.tolist(), found.alignment.lengths.tolist())
"""
MISSING = {
    "the module": "sys.modules['wavediff.core.jit.callee_pipeline'] = None",
    "an option": "from numba.core import cpu\ndel cpu.CPUTargetOptions.__mro__[1]._nrt",
    "a class": "from numba.core import codegen\ndel codegen.JITCodeLibrary",
}


def answers(before: str, cache: Path) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", ANSWERS.format(before=before)],
        cwd=ROOT, env={**os.environ, "WAVEDIFF_CACHE_DIR": str(cache)},
        capture_output=True, text=True, check=True, timeout=400,
    )  # fmt: skip
    return done.stdout, done.stderr


@pytest.mark.thorough
def test_answers_are_the_same_without_the_lean_ways_to_compile() -> None:
    cache = compile_cache.base_folder()
    plain = answers(MISSING["the module"], cache / "plain")  # of its own: kernels are known by their sources alone
    assert plain == (answers("", cache)[0], "True\n")


@pytest.mark.parametrize("missing", MISSING)
def test_what_numba_lacks_is_noticed_at_once(missing: str) -> None:
    code = (
        f"import sys\n{MISSING[missing]}\n"
        "from wavediff.core.jit import decorators\nprint(decorators.INNER is decorators.PLAIN)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "True\n"
