"""A GPU twin of the LCS kernel that fails, or answers, as a test wants it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from tests.app import fakes
from tests.gpu import fake_cupy
from wavediff.core.jobs import KernelModules
from wavediff.core.jobs.events import Event, Planned, StepDone, run_to_end
from wavediff.core.jobs.grid import BlockGrid
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.methods.lcs import LcsJob

HERE = __name__  # what dispatch imports


class Twin:
    """How it behaves; ``reset`` before each test."""

    error: Exception | None = None
    cells, seconds = 0, 0.001  # what its step says
    ran: ClassVar[list[int]] = []

    @classmethod
    def reset(cls) -> None:
        cls.error, cls.cells, cls.seconds, cls.ran = None, 0, 0.001, []


def install(monkeypatch: Any) -> fake_cupy.FakeCard:
    """Make a machine with a card, which computes the LCS alone."""
    fakes.Lcs.reset()
    Twin.reset()
    monkeypatch.setattr(LcsJob, "modules", KernelModules(cpu=fakes.HERE, gpu=HERE))
    return fake_cupy.install(monkeypatch)


def run_on(_card: object, job: LcsJob) -> Generator[Event, None, LcsResult]:
    Twin.ran.append(job.id)
    grid = BlockGrid(job.a.size, job.b.size, 4, max(1, job.b.size))
    yield Planned(job.id, grid, np.zeros(grid.shape, np.uint8), "full", "on the card", job.a.size * job.b.size)
    yield StepDone(job.id, "blocks", 1, Twin.cells, Twin.seconds)
    if Twin.error is not None:
        raise Twin.error
    # The answer is that of the CPU's fake; its events are not told again.
    return replace(run_to_end(fakes.run(job)), device="gpu")
