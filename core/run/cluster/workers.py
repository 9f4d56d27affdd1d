"""Workers of a cluster, and their eligibility.

The answers of workers must equal those of this computer. So they need the same sources, Python and Numba, which are
compared when a worker is first seen and in each task.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Any, NamedTuple

from wavediff.core.base.errors import count_noun, printable
from wavediff.core.system import program

LOOK_SECONDS = 0.5  # seconds between two queries of the workers
COMPUTING = ("core", "gpu")  # folders of the sources that determine results
SOURCES = {".py", ".cu", ".cuh"}


class Build(NamedTuple):
    """Everything that determines results: a digest of the computing sources, and the versions of Python and Numba."""

    sources: str
    python: str
    numba: str

    def difference(self, wanted: Build) -> str:
        """Return how a worker's build differs from ``wanted``; empty if it does not."""
        if self.sources != wanted.sources:
            return "has other sources of Wavediff than this computer"
        pairs = (("Python", self.python, wanted.python), ("Numba", self.numba, wanted.numba))
        return ", ".join(f"has {name} {one}, and this computer {other}" for name, one, other in pairs if one != other)


class Answer(NamedTuple):
    """Result of a task: address and build of the worker, and the value (None if the build differs)."""

    worker: str
    build: Build
    value: Any


@cache
def build() -> Build:
    """Return the build of this process."""
    digest = hashlib.sha256()
    for folder in COMPUTING:
        for path in sorted(one for one in (program.ROOT / folder).rglob("*") if one.suffix in SOURCES):
            # Line ends differ between checkouts on different systems.
            content = path.read_bytes().replace(b"\r\n", b"\n")
            name = path.relative_to(program.ROOT).as_posix()
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    numba = "none"
    with suppress(PackageNotFoundError):
        numba = version("numba")
    return Build(digest.hexdigest(), ".".join(map(str, sys.version_info[:2])), numba)


def answer(wanted: Build, call: Callable[..., Any], *arguments: Any) -> Answer:
    """Run ``call`` on a worker if its build is ``wanted``."""
    worker, mine = import_module("distributed").get_worker().address, build()
    return Answer(worker, mine, None if mine.difference(wanted) else call(*arguments))


@dataclass(slots=True)
class Workers:
    """Current workers of the cluster.

    Attributes:
        known: threads of each accepted worker, by its address. rejected: the reason for each other worker.
    """

    client: Any
    known: dict[str, int] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)
    _looked: float | None = None

    @property
    def threads(self) -> int:
        """Total threads of the eligible workers; 1 without any."""
        return max(1, sum(self.known.values()))

    @property
    def only(self) -> list[str] | None:
        """Addresses that may get tasks; None: all."""
        return [*self.known] if self.rejected else None

    def is_due(self) -> bool:
        """Return whether ``changes`` is due."""
        return self._looked is None or perf_counter() - self._looked >= LOOK_SECONDS

    def changes(self) -> Iterator[str]:
        """Check for new and lost workers; yield a sentence for each change."""
        first, self._looked = self._looked is None, perf_counter()
        # Not scheduler_info: what Dask keeps for that it renews by itself, without workers.
        there: dict[str, int] = self.client.nthreads()
        gone = len(self.known.keys() - there.keys())
        self.known = {address: threads for address, threads in there.items() if address in self.known}
        new = [address for address in there if address not in self.known and address not in self.rejected]
        answers = self.client.run(build, workers=new, on_error="return") if new else {}
        # A worker that ends meanwhile gives no answer.
        answers = {address: said for address, said in answers.items() if not isinstance(said, OSError)}
        whys = {address: why for address, said in answers.items() if (why := _reason(said))}
        self.known |= {address: there[address] for address in answers if address not in whys}
        for address, why in whys.items():
            yield self.reject(address, why)
        if gone and not there:
            yield "The cluster has no workers left; the job continues when one joins"
        elif gone:
            yield f"{count_noun(gone, 'worker')} left the cluster; others do {'its' if gone == 1 else 'their'} tasks"
        if not first and (more := len(answers) - len(whys)):
            yield f"{count_noun(more, 'worker')} joined the cluster"

    def reject(self, worker: str, why: str) -> str:
        """Exclude ``worker`` from further tasks, and return a sentence about it."""
        self.known.pop(worker, None)
        self.rejected[worker] = why
        return f"Worker {printable(worker)} is not used: it {why}"


def _reason(said: Build | Exception) -> str:
    if isinstance(said, Exception):
        return f"cannot import Wavediff ({type(said).__name__}: {' '.join(str(said).split())})"
    return said.difference(build())
