"""Run the tests of kernels with the vectors of other levels of x86-64: python -m tests.levels LEVEL ... [-- ARGS]

A level that the processor lacks is left out, and so is one with the vectors that the processor has anyway, which the
other tests use; both are reported.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from wavediff.core.system import cpu_levels

ROOT = Path(__file__).parents[1]
# Those of graphics cards are here where the CPU continues with what a card left.
TESTS = ("tests/core", "tests/contract", "tests/gpu/test_swap_edit.py", "tests/gpu/test_jobs.py")
PYTEST = (
    "-m", "pytest", "-q", "-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder", "--max-worker-restart", "0",
)  # fmt: skip
LONGEST_SECONDS = 3600.0


def main(levels: list[str], arguments: list[str]) -> int:
    """Return 0 where no test of any level failed."""
    failed = 0
    for level in levels:
        if not cpu_levels.is_supported(level):
            print(f"{level}: left out, the processor does not have it")
        elif _width(cpu_levels.features(level)) == cpu_levels.widest(cpu_levels.host_features()):
            print(f"{level}: left out, its vectors are those of the processor")
        else:
            print(f"{level}:", flush=True)
            environment = os.environ | {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": cpu_levels.features(level)}
            command = [sys.executable, *PYTEST, *(arguments or TESTS)]
            failed |= subprocess.run(command, cwd=ROOT, env=environment, timeout=LONGEST_SECONDS).returncode
    return int(failed != 0)


def _width(features: str) -> tuple[str, int] | None:
    return cpu_levels.widest(frozenset(one.removeprefix("+") for one in features.split(",")))


if __name__ == "__main__":
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    sys.exit(main(words[:end], words[end + 1 :]))
