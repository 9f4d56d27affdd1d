"""Kernels are loaded by Numba's own library where its insides are not as expected, to the same answers."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ANSWERS = """
import sys
{before}
import numpy as np
from wavediff.core.jit import bits, kernel_cache
loaded = []
load = kernel_cache.KernelCache.load_overload
def watched(self, *arguments):
    loaded.append(load(self, *arguments))
    return loaded[-1]
kernel_cache.KernelCache.load_overload = watched
from wavediff.core.methods.edit import EditJob
from wavediff.core.run.runner import run_job
a, b = (np.random.default_rng(seed).integers(0, 4, 40).astype(np.uint8) for seed in (1, 2))
found = run_job(EditJob(a=a, b=b))
print(found.distance, found.alignment.cigar())
print(kernel_cache.use_kept_libraries.__module__, bool(loaded) and None not in loaded, file=sys.stderr)
"""
MISSING = (
    "sys.modules['wavediff.core.jit.kept_library'] = None",
    "from numba.core import codegen\ndel codegen.JITCodeLibrary",
)


def answers(before):
    done = subprocess.run(
        [sys.executable, "-c", ANSWERS.format(before=before)], cwd=ROOT, env=dict(os.environ),
        capture_output=True, text=True, check=True, timeout=400,
    )  # fmt: skip
    return done.stdout, done.stderr


def test_kept_kernels_are_loaded_without_what_numba_lacks():
    answer, _ = answers("")  # all kernels are kept from here on
    assert answers("") == (answer, "wavediff.core.jit.kept_library True\n")
    for before in MISSING:
        assert answers(before) == (answer, "wavediff.core.jit.kernel_cache True\n")
