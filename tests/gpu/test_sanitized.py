"""The list of tests that run under the checks of memory and races names tests that there are."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_every_test_of_the_list_exists():
    lines = (HERE / "sanitized.txt").read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if not line.startswith("#")]
    files = sorted({line.partition("::")[0] for line in listed})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "gpu", *files]
    done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True, check=True, timeout=300)
    assert set(listed) <= set(done.stdout.splitlines())
    assert len(listed) > 10
