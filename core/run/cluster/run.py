"""Jobs that ask for a cluster: connect, have it done as its kind is done there, and leave."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any

from core.jobs.choices import Device
from core.jobs.events import Event
from core.methods.batch import BatchJob
from core.methods.edit import EditJob
from core.methods.lcs import LcsJob
from core.run.cluster import batch, matrix
from core.run.cluster.client import connected


def run(job: BatchJob | LcsJob | EditJob, device: Device = Device.AUTO) -> Generator[Event, None, Any]:
    """Compute ``job`` on its ``cluster``.

    Raises:
        ClusterError: nobody answers at the address, the workers have another version or none of this program, or they
            died again and again.
        WavediffError: the cluster does not do such a job.
    """
    assert job.cluster is not None
    begin: Any = partial(batch.run, device=device)
    if isinstance(job, LcsJob | EditJob):
        matrix.check(job)
        begin = matrix.run
    session = yield from connected(job.id, job.cluster)
    try:
        yield session.chosen
        return (yield from begin(job, session))
    finally:
        session.close()
