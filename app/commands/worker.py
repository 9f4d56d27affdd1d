"""``worker``: a worker of a Dask cluster that has this program."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec

from wavediff.core.base.errors import ClusterError
from wavediff.core.system.program import child_environment, lacks


def run(arguments: argparse.Namespace) -> int:
    """Start Dask's own worker where our modules are found, and return its exit code once it ends.

    Raises:
        ClusterError: the package distributed is not there.
    """
    if find_spec("distributed") is None:
        raise ClusterError(f"a worker needs Dask; {lacks('distributed')}")
    command = [sys.executable, "-m", "distributed.cli.dask_worker", arguments.address, *arguments.rest]
    environment = child_environment()
    if os.name != "nt":  # there exec would give the prompt back while the worker runs
        os.execve(sys.executable, command, environment)
    return subprocess.call(command, env=environment)
