"""``worker``: where it listens, what it says, which folder it imports nothing from, and that one signal ends it."""

import os
import signal
import socket
import subprocess
import sys

import numpy as np
import psutil
import pytest

pytest.importorskip("distributed")

from tests.cli.helpers import call, trouble
from tests.cli.test_planted import ROOT, environment, folder
from tests.cluster import JOIN_SECONDS, local_cluster
from tests.processes import finish
from wavediff.app.commands import worker
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods.batch import BatchJob
from wavediff.core.run.cluster.client import begin_client
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import SequencePool
from wavediff.core.system.program import CHECKOUT_PACKAGE

__all__ = ["folder"]
NEVER_CLOSED = """
import asyncio, distributed
from wavediff.app.commands import worker
async def close(self, *args, **how):
    await asyncio.sleep(1e6)
distributed.Nanny.close = close
worker.END_SECONDS = 0.5
worker.serve()
"""
LOOPBACK = {"127.0.0.1", "::1"}
posix = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")


@pytest.fixture
def listener():
    """Address of something that accepts connections, as a scheduler does."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("tcp://127.0.0.1:1", "Connection refused" if os.name != "nt" else ""),
        ("nowhere.invalid:8786", ""),
        ("tcp://127.0.0.1:eight", ""),
    ],
)
def test_a_dead_address_is_told_of_in_a_line(address, why, capsys, monkeypatch):
    monkeypatch.setattr(worker, "WAIT_SECONDS", 1.0)
    monkeypatch.setattr(worker, "RETRY_SECONDS", 0.1)
    trouble(call(capsys, "worker", address), f"no Dask scheduler answers at {address}", why)


def test_it_listens_where_the_scheduler_is_reached(listener, capsys):
    here = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    for address in (listener, f"tcp://{listener}"):
        assert worker.listening(address, ["--nthreads", "1"]) == here
        warned = capsys.readouterr().err
        assert warned.startswith("wavediff: this worker listens on 127.0.0.1 without TLS: every user of this computer")
        assert warned.count("\n") == 1
    assert worker.listening(f"tls://{listener}", []) == here
    assert capsys.readouterr().err == ""
    for given in ("--host=127.0.0.1", "--interface", "--listen-address"):
        assert worker.listening(listener, [given]) == []
        assert (
            "this worker listens on the address in its options, without TLS: whoever reaches it"
            in capsys.readouterr().err
        )
    assert worker.listening(listener, ["--dashboard-address", ":0"]) == here[:2]


def processes_of(process):
    first = psutil.Process(process.pid)
    return [first, *first.children(recursive=True)]


def begun(spawn, cluster, folder, command):
    """Start a worker, with its nanny, in ``folder``, and wait until it has joined."""
    env = environment(folder) | {"PYTHONPATH": str(CHECKOUT_PACKAGE)}
    made = spawn([*command, "--nthreads", "1"], cwd=folder, env=env, stderr=subprocess.PIPE, text=True)
    client = begin_client(cluster.address, None)
    client.wait_for_workers(1, timeout=JOIN_SECONDS)
    client.close()
    return made


@posix
@pytest.mark.thorough
def test_a_worker_in_a_folder_of_modules(spawn, folder):
    """Neither it nor its children import any of them, all listen on the loopback, and SIGTERM ends all of them."""
    pool = SequencePool.of([np.frombuffer(one, np.uint8) for one in (b"kitten", b"sitting", b"mitten")])
    with local_cluster(workers=0) as cluster:
        made = begun(spawn, cluster, folder, [sys.executable, ROOT / "main.py", "worker", cluster.address])
        found = run_job(BatchJob(a=pool, b=None, cluster=Cluster(cluster.address)))
        assert found.values.tolist() == run_job(BatchJob(a=pool, b=None)).values.tolist()
        all_of_it = processes_of(made)
        assert len(all_of_it) > 1
        places = [one.laddr.ip for each in all_of_it for one in each.net_connections("tcp") if one.status == "LISTEN"]
        assert places
        assert set(places) <= LOOPBACK
        made.send_signal(signal.SIGTERM)
        _, said = finish(made, 60)
    assert made.returncode in (0, 128 + signal.SIGTERM), said
    assert not (folder / "RAN").exists()
    assert psutil.wait_procs(all_of_it, 60)[1] == []


@posix
@pytest.mark.thorough
def test_one_signal_ends_it_where_dask_does_not(spawn, folder):
    """Dask waits for its scheduler when it closes a worker, at times for ever; here it always does."""
    command = [sys.executable, "-P", "-c", NEVER_CLOSED]
    with local_cluster(workers=0) as cluster:
        made = begun(spawn, cluster, folder, [*command, cluster.address])
        all_of_it = processes_of(made)
        made.send_signal(signal.SIGTERM)
        _, said = finish(made, 60)
    assert made.returncode == 128 + signal.SIGTERM
    assert "wavediff: stopped" in said.splitlines()
    assert psutil.wait_procs(all_of_it, 60)[1] == []
