"""Jobs with a cluster: connect, run, disconnect."""

from __future__ import annotations

from collections.abc import Generator
from importlib import import_module
from typing import Any

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs import Job
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event


def run(job: Job, device: Device = Device.AUTO) -> Generator[Event, None, Any]:
    """Run ``job`` on its ``cluster``.

    Args:
        device: device of the workers for many pairs; a single pair is computed on their CPU cores.

    Raises:
        ClusterError: no scheduler at the address, no worker with the same build, or workers died repeatedly.
        WavediffError: unsupported job.
    """
    assert job.cluster is not None
    check(job)
    kind = import_module(f"wavediff.core.run.cluster.{job.cluster_tasks}")
    connected = import_module("wavediff.core.run.cluster.client").connected
    session = yield from connected(job.step, job.cluster)
    try:
        yield session.chosen
        return (yield from kind.run(job, session, device))
    finally:
        session.close()


def check(job: Job) -> None:
    """Raise an error for jobs that only this computer can run.

    Raises:
        WavediffError: not the length of an LCS or a global edit distance.
    """
    if job.cluster_obstacle:
        raise WavediffError(job.cluster_obstacle)
