"""Jobs that ask for a cluster: connect, have it done as its kind is done there, and leave."""

from __future__ import annotations

from collections.abc import Generator
from importlib import import_module
from typing import Any

from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event
from wavediff.core.jobs.search_files import SearchFilesJob
from wavediff.core.methods import method_of
from wavediff.core.methods.base import PairJob, TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob

KINDS = {BatchJob: "batch", LcsJob: "matrix", EditJob: "matrix", SearchFilesJob: "files"}


def run(job: BatchJob | LcsJob | EditJob | SearchFilesJob, device: Device = Device.AUTO) -> Generator[Event, None, Any]:
    """Compute ``job`` on its ``cluster``.

    Args:
        device: of the workers, for many pairs; one pair is computed on their cores.

    Raises:
        ClusterError: nobody answers at the address, no worker computes as this computer does, or workers died again and
            again.
        WavediffError: the cluster does not do such a job.
    """
    assert job.cluster is not None
    check(job)
    kind = import_module(f"wavediff.core.run.cluster.{KINDS[type(job)]}")
    connected = import_module("wavediff.core.run.cluster.client").connected
    session = yield from connected(job.id, job.cluster)
    try:
        yield session.chosen
        return (yield from kind.run(job, session, device))
    finally:
        session.close()


def check(job: BatchJob | PairJob | SearchFilesJob) -> None:
    """Refuse what only this computer can do.

    Raises:
        WavediffError: it is not the number of an LCS or of an edit distance, end to end, that is asked for.
    """
    if not isinstance(job, PairJob):
        return
    obstacle = method_of(job).cluster_obstacle(job)
    if obstacle:
        raise WavediffError(obstacle)
    if job.path is not TracebackMethod.NONE:
        raise WavediffError("a cluster computes the number of a pair, and no alignment: add '--traceback none'")
