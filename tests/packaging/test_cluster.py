"""A cluster of an installation, started in an empty folder, computes what a checkout and the installation ask for."""

import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("distributed")

from tests.cluster import JOIN_SECONDS, WORKER_OPTIONS
from tests.packaging.conftest import ROOT
from tests.processes import spawned
from wavediff.core.run.cluster.client import begin_client

pytestmark = pytest.mark.thorough
LETTERS = 1_000_000  # of a pair that one core would take long enough for to send it


@pytest.fixture(scope="module")
def installed(built, install):
    return install(built.wheel)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made, rng = tmp_path_factory.mktemp("sequences"), np.random.default_rng(1)

    def letters(n):
        return np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, n)].tobytes().decode()

    (made / "many.fa").write_text("".join(f">r{k}\n{letters(20 + 3 * k)}\n" for k in range(21)))
    for name in ("a", "b"):
        (made / f"{name}.fa").write_text(f">{name}\n{letters(LETTERS)}\n")
    return made


@pytest.fixture(scope="module")
def scheduler(installed, tmp_path_factory):
    """Address of ``dask scheduler``, started as anybody starts it in an empty folder, and of two workers."""
    empty = tmp_path_factory.mktemp("empty")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    quiet = {"env": env, "stdout": subprocess.DEVNULL}
    begin = [installed.python, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with spawned(begin, cwd=empty, stderr=subprocess.PIPE, text=True, **quiet) as dask:
        assert dask.stderr is not None
        line = next(one for one in dask.stderr if "Scheduler at:" in one)
        address = line.split()[-1]
        worker = [installed.command, "worker", address, *WORKER_OPTIONS, "--nthreads", "1"]
        with (
            spawned(worker, cwd=empty, stderr=subprocess.DEVNULL, **quiet),
            spawned(worker, cwd=empty, stderr=subprocess.DEVNULL, **quiet),
        ):
            client = begin_client(address, None)
            client.wait_for_workers(2, timeout=JOIN_SECONDS)
            client.close()
            yield address
        assert [*empty.iterdir()] == []


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(params=["checkout", "wheel"])
def run(request, installed, folder):
    """Return what runs a command, by the sources here or by what is installed, in the folder of the sequences."""
    program = [sys.executable, ROOT / "main.py"] if request.param == "checkout" else [installed.command]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def run(*words):
        command = [*map(str, program), *words]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=300)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.mark.parametrize(
    "words",
    [
        ("batch", "many.fa", "--tsv", "-", "--quiet"),
        ("batch", "many.fa", "--method", "lcs", "--tsv", "-", "--quiet"),
        ("search", "many.fa", "a.fa", "--pattern", "ACGTTGCA", "-k", "1", "--tsv", "-", "--quiet"),
    ],
    ids=["batch", "batch-lcs", "search"],
)
def test_a_cluster_gives_the_bytes_of_this_computer(words, run, scheduler):
    here, there = run(*words), run(*words, "--scheduler", scheduler)
    assert here[0] in (0, 1), here[2]
    assert here[1]
    assert there == here


def test_a_cluster_compares_a_pair(run, scheduler):
    words = (
        "compare",
        "-v",
        "a.fa",
        "b.fa",
        "--method",
        "lcs",
        "--strategy",
        "full",
        "--traceback",
        "none",
        "--threads",
        "1",
    )
    here, there = run(*words), run(*words, "--scheduler", scheduler)

    def lines(said):
        """Return all lines but those that tell who computed it, and how long that took."""
        kept = [
            one
            for one in said[1].splitlines()
            if not one.startswith(("device:", "time:", "strategy:", "checked:", "common letters · "))
        ]
        return [str(said[0]), *kept]

    assert lines(there) == lines(here)
    assert "longest common subsequence: " in there[1]
    assert "device: cluster (2 workers with 2 threads)" in there[1], there[2]
