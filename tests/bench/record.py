"""Cost of the record: each kernel as it is, and in turn the same without what writes the times of places.

The one without is made from the same source: statements that write a record are taken out of its syntax tree, and what
is left is compiled in this process.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import numpy as np

from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, Planned
from wavediff.core.kernels.affine import blocks
from wavediff.core.kernels.pairwise.blocks import block_worker
from wavediff.core.kernels.swap_edit import strips
from wavediff.core.methods import method_of
from wavediff.core.methods.affine import AffineJob
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.scoring.scheme import default_scheme
from wavediff.tests.bench.letters import random_letters

ARRAYS = {"began", "ended", "by"}  # of the state that threads share
ROUNDS, QUICK_ROUNDS = 31, 11


@dataclass(frozen=True, slots=True)
class Row:
    """CPU seconds of runs with and without a record, in turn; ``answers`` that differ are a defect.

    Attributes:
        places: of the maps.
    """

    what: str
    on: list[float]
    off: list[float]
    answers: set[float]
    places: set[int]

    @property
    def ratios(self) -> list[float]:
        return [on / off for on, off in zip(self.on, self.off, strict=True)]


class _Unrecorded(ast.NodeTransformer):
    """Takes out what writes to an array of the record, and the conditions that are left empty."""

    removed = 0

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | None:
        target = node.targets[0]
        array = target.value if isinstance(target, ast.Subscript) else None
        if isinstance(array, ast.Attribute) and array.attr in ARRAYS:
            self.removed += 1
            return None
        return node

    def visit_If(self, node: ast.If) -> ast.If | None:
        self.generic_visit(node)
        return node if node.body else None


@cache
def unrecorded(worker: ModuleType) -> Callable[..., Any]:
    """Return ``advance`` of a module of threads that writes no record."""
    path = Path(str(worker.__file__))
    change = _Unrecorded()
    tree = ast.fix_missing_locations(change.visit(ast.parse(path.read_text(encoding="utf-8"))))
    assert change.removed == len(ARRAYS), f"{change.removed} statements of {path.name} write a record"
    made = ModuleType(f"{worker.__name__}_unrecorded")  # has no file, so that nothing of it is kept
    sys.modules[made.__name__] = made
    exec(compile(tree, str(path), "exec"), made.__dict__)
    found: Callable[..., Any] = made.advance
    return found


def cases() -> Iterator[tuple[str, ModuleType, Callable[[], Any]]]:
    """Yield what is measured, the module of its threads, and what makes its job."""
    rng = np.random.default_rng(25)
    a, b = random_letters(rng, 200_000, 4), random_letters(rng, 200_000, 4)
    dna = [np.frombuffer(b"ACGT", np.uint8)[one[:20_000] % 4] for one in (a, b)]
    number: dict[str, Any] = {"path": TracebackMethod.NONE}
    lcs = partial(LcsJob, a=a, b=b, strategy=Strategy.FULL, **number)
    edit = partial(EditJob, a=a, b=b, band=BandMode.NONE, **number)
    yield "LCS, 200,000, one thread", block_worker, partial(lcs, threads=1)
    yield "LCS, 200,000, two threads", block_worker, partial(lcs, threads=2)
    yield "LCS, 200,000, blocks of 512 x 256", block_worker, partial(lcs, threads=1, block_rows=512, block_cols=256)
    yield "edit distance, 200,000, one thread", block_worker, partial(edit, threads=1)
    yield "edit distance, 200,000, two threads", block_worker, partial(edit, threads=2)
    short = {"a": a[:40_000], "b": b[:40_000]}
    yield "swaps, 40,000, one thread", strips, partial(SwapEditJob, **short, threads=1, **number)
    scoring = default_scheme(proteins=False)
    affine = partial(AffineJob, a=dna[0], b=dna[1], scoring=scoring, threads=1, **number)
    yield "affine gaps, 20,000, one thread", blocks, affine


def rows(quick: bool) -> Iterator[Row]:
    """Measure and yield line after line."""
    for what, worker, make in cases():
        recorded, found = worker.advance, Row(what, [], [], set(), set())
        for k in range(-1, QUICK_ROUNDS if quick else ROUNDS):
            # The first of a pair may find the caches in another state: they change places.
            for advance, seconds in ((recorded, found.on), (unrecorded(worker), found.off))[:: 1 if k % 2 else -1]:
                worker.advance = advance  # type: ignore[attr-defined]
                try:
                    took = _run(make(), found)
                finally:
                    worker.advance = recorded  # type: ignore[attr-defined]
                if k >= 0:  # the first round compiles
                    seconds.append(took)
        yield found


def _run(job: Any, found: Row) -> float:
    """Return the CPU seconds of a job, and take note of its answer and of the places of its map."""
    told: list[Event] = []
    start = process_time()
    result = run_job(job, device=Device.CPU, report=told.append)
    took = process_time() - start
    found.answers.add(method_of(job).value(result))
    found.places.update(event.block_map.size for event in told if isinstance(event, Planned))
    return took
