"""What is said to the system of memory."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAULTS = """
import resource, sys
import numpy as np
from wavediff.core.system.machine import raise_mmap_threshold

def job():
    return len([np.ones(1 << 17, np.uint8) for _ in range(64)])

if sys.argv[1] == "keep":
    raise_mmap_threshold()
job()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(4):
    job()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(word):
    done = subprocess.run(
        [sys.executable, "-c", FAULTS, word], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries keep what they like")
def test_what_a_job_frees_is_there_for_the_next_one():
    """8 MiB in pieces, four times: 2,048 pages of 4 KiB each time, if they had to be asked for anew."""
    assert faults("keep") < 100 < faults("give back")
